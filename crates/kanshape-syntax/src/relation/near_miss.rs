//! The mistakes that people make, each with what they meant.

use kanshape_diag::Diagnostic;

use super::scene::Scene;

/// What this mistake is known as, if it is a common one.
pub(super) fn find(_scene: &Scene<'_>) -> Option<Diagnostic> {
    None
}
