//! What a reader gives up with: a diagnostic that does not know its text yet.

use kanshape_diag::Diagnostic;
use lalrpop_util::ParseError;

use crate::lex::Token;
use crate::tree::Span;

/// What an action of the grammar gives.
pub(crate) type Read<'i, T> = Result<T, Failure<'i>>;

/// How the generated parser says that it failed.
pub(crate) type Failure<'i> = ParseError<usize, Token<'i>, Box<Diagnostic>>;

/// A diagnostic with one place.
pub(crate) fn new(
    code: &'static str,
    headline: impl Into<String>,
    at: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::new(code, headline).with_label(at.into(), label)
}

/// Makes a parser stop with `d`, whatever its words are.
pub(crate) fn refuse<T>(d: Diagnostic) -> ParseError<usize, T, Box<Diagnostic>> {
    ParseError::User { error: Box::new(d) }
}
