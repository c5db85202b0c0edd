//! What a reader gives up with: a diagnostic that does not know its text yet.

use std::borrow::Cow;

use kanshape_diag::Diagnostic;
use lalrpop_util::ParseError;

use crate::tree::Span;

/// A diagnostic with one place.
pub(crate) fn new(
    code: &'static str,
    headline: impl Into<String>,
    at: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::new(code, headline).with_label(at.into(), label)
}

/// The longest that is shown of a text within a message.
const BRIEF: usize = 40;

/// What is written, as a message quotes it: cut where it is long.
pub(crate) fn brief(written: &str) -> Cow<'_, str> {
    match written.char_indices().nth(BRIEF) {
        Some((end, _)) => format!("{}~~", &written[..end]).into(),
        None => written.into(),
    }
}

/// Where a parser has stopped, and the words that would have fitted there.
///
/// # Errors
/// What an action of the grammar stopped it with.
pub(crate) fn stopped<T>(
    failure: ParseError<usize, T, Box<Diagnostic>>,
    text: &str,
) -> Result<(Span, Vec<String>), Diagnostic> {
    Ok(match failure {
        ParseError::User { error } => return Err(*error),
        ParseError::UnrecognizedToken {
            token: (start, _, end),
            expected,
        } => (Span::new(start, end), expected),
        ParseError::UnrecognizedEof { expected, .. } => {
            (Span::new(text.len(), text.len()), expected)
        }
        ParseError::ExtraToken {
            token: (start, _, end),
        } => (Span::new(start, end), Vec::new()),
        ParseError::InvalidToken { location } => (Span::new(location, location), Vec::new()),
    })
}

/// Makes a parser stop with `d`, whatever its words are.
pub(crate) fn refuse<T>(d: Diagnostic) -> ParseError<usize, T, Box<Diagnostic>> {
    ParseError::User { error: Box::new(d) }
}
