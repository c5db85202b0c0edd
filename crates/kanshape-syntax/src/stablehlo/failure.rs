//! From what the generated parser says when it stops, to what a person can use.

use kanshape_diag::Diagnostic;
use lalrpop_util::ParseError;

use super::lex::Token;
use crate::code;
use crate::problem;
use crate::tree::Span;

/// The number of words that would have fitted that are named.
const MOST_EXPECTED: usize = 4;

/// Why a text could not be read.
pub(super) fn explain(
    failure: ParseError<usize, Token<'_>, Box<Diagnostic>>,
    text: &str,
) -> Diagnostic {
    let stopped = problem::stopped(failure, text);
    let d = stopped.map_or_else(|d| d, |(at, expected)| unexpected(text, at, &expected));
    d.with_source("module", text)
}

fn unexpected(text: &str, at: Span, expected: &[String]) -> Diagnostic {
    let headline = match text.get(at.start..at.end) {
        Some("") | None => "the module ends too early".to_owned(),
        Some(word) => format!("unexpected `{}`", problem::brief(word)),
    };
    let mut words: Vec<&str> = expected.iter().map(|own| word(own)).collect();
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
        "NAME" => "the name of an operation",
        "RETURN" => "`return`",
        "WORD" => "a word",
        "VALUE" => "`%x`",
        "SYMBOL" => "`@f`",
        "BLOCK" => "`^bb0`",
        "NUMBER" => "a number",
        "TEXT" => "a text",
        "TENSOR" | "TYPE" => "a type",
        "LOCATION" => "`loc(..)`",
        other => other,
    }
}
