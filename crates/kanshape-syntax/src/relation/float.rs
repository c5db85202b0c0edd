//! Numbers with a fraction, in a tree whose parts are equal or not.

use std::fmt::{self, Display, Formatter};

use super::failure::Read;
use crate::code;
use crate::problem::{self, refuse};
use crate::tree::Span;

/// A number such as `0.5` or `1e-5`: what can be written without a minus before it.
///
/// ```
/// use kanshape_syntax::relation::Float;
///
/// assert_eq!(Float::new(0.5).map(Float::get), Some(0.5));
/// assert_eq!(Float::new(f64::INFINITY), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Float {
    /// Of a finite number that is not negative: such bits are ordered as the numbers are.
    bits: u64,
}

impl Float {
    /// `None` if it is negative (-0.0 is), infinite or no number: a minus is arithmetic, and the
    /// others cannot be written.
    pub fn new(value: f64) -> Option<Float> {
        let is_written = value.is_finite() && value.is_sign_positive();
        is_written.then(|| Float {
            bits: value.to_bits(),
        })
    }

    /// Its value.
    pub fn get(self) -> f64 {
        f64::from_bits(self.bits)
    }
}

impl Display for Float {
    /// The shortest text that is this number and no other.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.get())
    }
}

/// The value of `digits`, which stand at `start..end`.
pub(crate) fn read<'i>(start: usize, digits: &str, end: usize) -> Read<'i, Float> {
    let value = digits.parse().ok().and_then(Float::new);
    value.ok_or_else(|| {
        refuse(problem::new(
            code::NUMBER_TOO_LARGE,
            "this number is too large",
            Span::new(start, end),
            format!("more than {:e}", f64::MAX),
        ))
    })
}
