//! Numbers as written.

use crate::code;
use crate::problem::{self, Read, refuse};
use crate::tree::Span;

/// The value of `digits`, which stand at `start..end`.
pub(crate) fn read<'i>(start: usize, digits: &str, end: usize) -> Read<'i, u64> {
    digits.parse().map_err(|_| {
        refuse(problem::new(
            code::NUMBER_TOO_LARGE,
            "this number is too large",
            Span::new(start, end),
            format!("more than {}", u64::MAX),
        ))
    })
}
