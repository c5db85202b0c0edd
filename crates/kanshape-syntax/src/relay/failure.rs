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

/// What words begin, where most of these are expected.
const BEGINNINGS: [(&str, &[&str]); 4] = [
    (
        "an operator",
        &[
            r#""+""#, r#""-""#, r#""*""#, r#""/""#, r#""==""#, r#""!=""#, r#""<""#, r#""<=""#,
            r#"">""#, r#"">=""#,
        ],
    ),
    (
        "an expression",
        &[
            "LOCAL",
            "GLOBAL",
            "NAME",
            "GENERIC",
            "NUMBER",
            "TEXT",
            "META",
            r#""where""#,
            r#""True""#,
            r#""False""#,
            r#""_""#,
            r#""(""#,
            r#""{""#,
            r#""fn""#,
            r#""if""#,
            r#""match""#,
            r#""match?""#,
            r#""-""#,
            r#""let""#,
        ],
    ),
    (
        "a type",
        &[
            "NAME",
            "HOLE",
            "RIGID",
            r#""Tensor""#,
            r#""_""#,
            r#""(""#,
            r#""fn""#,
        ],
    ),
    (
        "a definition",
        &[r#""def""#, r#""type""#, r#""extern""#, r#""data""#],
    ),
];

/// Why `text`, a `what`, could not be read.
pub(super) fn explain(
    failure: ParseError<usize, Token<'_>, Box<Diagnostic>>,
    what: &str,
    text: &str,
) -> Diagnostic {
    let stopped = problem::stopped(failure, text);
    let d = stopped.map_or_else(
        |d| d,
        |(at, expected)| unexpected(text, what, at, &expected),
    );
    // The programs of old versions begin with one.
    let version = text.trim_start().strip_prefix('v');
    let d = match version.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        true => d.with_help(
            "a program begins with `#[version = \"0.0.5\"]`, or with its first definition",
        ),
        false => d,
    };
    d.with_source(what, text)
}

fn unexpected(text: &str, what: &str, at: Span, expected: &[String]) -> Diagnostic {
    let headline = match text.get(at.start..at.end) {
        Some("") | None => format!("the {what} ends too early"),
        Some(word) => format!("unexpected `{}`", problem::brief(word)),
    };
    let mut left: Vec<&str> = expected.iter().map(String::as_str).collect();
    let mut words: Vec<&str> = Vec::new();
    for (name, beginnings) in BEGINNINGS {
        let count = beginnings.iter().filter(|own| left.contains(own)).count();
        if count * 4 >= beginnings.len() * 3 {
            left.retain(|own| !beginnings.contains(own));
            words.push(name);
        }
    }
    words.extend(left.into_iter().map(word));
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
