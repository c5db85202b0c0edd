//! What may change with any version: syntax trees and the engine.

/// Texts as trees: what is written, and where.
pub mod syntax {
    pub use kanshape_syntax::*;
}

/// Variables, constraints, a persistent store and search, which know no tensors.
pub mod engine {
    pub use kanshape_engine::*;
}

/// The limits of kanshape, with the crate that each is of. What is beyond one is left open, printed more coarsely, refused with a
/// reason or *unknown*, and never a wrong answer.
///
/// A caller sets how much work a query may take by its budget, a [`Control`](crate::Control) or `max_dim`; the limits are constants that
/// bound what one step costs, and what is worth printing.
///
/// ```
/// let limits: Vec<_> = kanshape::unstable::limits().collect();
/// let branches = limits.iter().find(|(_, limit)| limit.name == "MAX_BRANCHES");
/// assert!(branches.is_some_and(|(of, limit)| *of == "kanshape-engine" && limit.value == 64));
/// ```
pub fn limits() -> impl Iterator<Item = (&'static str, engine::Limit)> {
    let crates = [
        ("kanshape-engine", kanshape_engine::LIMITS),
        ("kanshape-rules", kanshape_rules::LIMITS),
        ("kanshape-infer", kanshape_infer::LIMITS),
    ];
    crates
        .into_iter()
        .flat_map(|(name, limits)| limits.iter().map(move |limit| (name, *limit)))
}
