//! From what the generated parser says when it stops, to what a person can use.

use kanshape_diag::Diagnostic;
use lalrpop_util::ParseError;

use super::lex::Token;
use crate::code;
use crate::problem;
use crate::tree::Span;

/// What an action of the grammar gives.
pub(crate) type Read<'i, T> = Result<T, ParseError<usize, Token<'i>, Box<Diagnostic>>>;

/// The number of words that would have fitted that are named.
const MOST_EXPECTED: usize = 8;

/// Why `text`, a `what`, could not be read.
pub(super) fn explain(
    failure: ParseError<usize, Token<'_>, Box<Diagnostic>>,
    what: &str,
    text: &str,
) -> Diagnostic {
    let d = match failure {
        ParseError::User { error } => *error,
        ParseError::UnrecognizedToken {
            token: (start, _, end),
            expected,
        } => unexpected(text, what, Span::new(start, end), &expected),
        ParseError::UnrecognizedEof { expected, .. } => {
            unexpected(text, what, Span::new(text.len(), text.len()), &expected)
        }
        ParseError::ExtraToken {
            token: (start, _, end),
        } => unexpected(text, what, Span::new(start, end), &[]),
        ParseError::InvalidToken { location } => {
            unexpected(text, what, Span::new(location, location), &[])
        }
    };
    d.with_source(what, text)
}

fn unexpected(text: &str, what: &str, at: Span, expected: &[String]) -> Diagnostic {
    let headline = match text.get(at.start..at.end) {
        Some("") | None => format!("the {what} ends too early"),
        Some(word) => format!("unexpected `{}`", problem::brief(word)),
    };
    let mut words: Vec<&str> = expected.iter().map(|w| word(w)).collect();
    words.sort_unstable();
    words.dedup();
    let label = match words.len() {
        0 => String::new(),
        n if n > MOST_EXPECTED => "something else was expected here".to_owned(),
        _ => format!("expected {}", words.join(", ")),
    };
    problem::new(code::UNEXPECTED, headline, at, label)
}

/// A terminal of the grammar in words.
fn word(terminal: &str) -> &str {
    match terminal {
        "NAME" => "a name",
        "GENERIC" => "a name with type arguments",
        "LOCAL" => "`%x`",
        "GLOBAL" => "`@f`",
        "HOLE" => "`?a`",
        "RIGID" => "`'a`",
        "NUMBER" => "a number",
        "TEXT" => "a text",
        "META" => "`meta[..][..]`",
        "VERSION" => "`#[version = ..]`",
        other => other,
    }
}
