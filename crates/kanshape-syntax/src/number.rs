//! Numbers as written.

use kanshape_diag::Diagnostic;
use lalrpop_util::ParseError;

use crate::code;
use crate::problem::{self, refuse};
use crate::tree::Span;

/// The value of `digits`, which stand at `start..end`, for a parser of the words `T`.
pub(crate) fn read<T>(
    start: usize,
    digits: &str,
    end: usize,
) -> Result<u64, ParseError<usize, T, Box<Diagnostic>>> {
    digits.parse().map_err(|_| {
        refuse(problem::new(
            code::NUMBER_TOO_LARGE,
            "this number is too large",
            Span::new(start, end),
            format!("more than {}", u64::MAX),
        ))
    })
}
