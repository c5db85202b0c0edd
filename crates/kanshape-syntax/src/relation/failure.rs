//! From what the generated parser says when it stops, to what a person can use.

use kanshape_diag::Diagnostic;
use lalrpop_util::ParseError;

use super::lex::{Token, closes};
use super::parse::NAME;
use super::scene::{Part, Scene, closer};
use super::{expected, near_miss};
use crate::code;
use crate::problem;

/// What an action of the grammar gives.
pub(crate) type Read<'i, T> = Result<T, Failure<'i>>;

/// How the generated parser says that it failed.
pub(crate) type Failure<'i> = ParseError<usize, Token<'i>, Box<Diagnostic>>;

/// Why `text` could not be read.
pub(super) fn explain(failure: Failure<'_>, text: &str) -> Diagnostic {
    let stopped = problem::stopped(failure, text);
    let d = stopped.map_or_else(
        |d| d,
        |(at, expected)| unexpected(text, at.start, &expected),
    );
    d.with_source(NAME, text)
}

/// A text is none of what was wanted of it.
pub(super) fn not_this(text: &str, wanted: &str) -> Diagnostic {
    let all = crate::tree::Span::new(0, text.len());
    problem::new(code::UNEXPECTED, format!("expected {wanted}"), all, "").with_source(NAME, text)
}

fn unexpected(text: &str, offset: usize, expected: &[String]) -> Diagnostic {
    let expected = expected.iter().map(|e| e.trim_matches('"').to_owned());
    let scene = Scene::new(text, offset, expected.collect());
    unbalanced(&scene)
        .or_else(|| near_miss::find(&scene))
        .unwrap_or_else(|| generic(&scene))
}

/// A bracket without its partner.
fn unbalanced(scene: &Scene<'_>) -> Option<Diagnostic> {
    let at = scene.span();
    let unclosed = |opener, before: &str| {
        problem::new(
            code::UNBALANCED,
            format!("`{}` is never closed", scene.written(opener)),
            opener,
            "opened here",
        )
        .with_label(at.into(), before)
    };
    match (scene.opener(), scene.found()) {
        (Some((_, opener)), None) => Some(unclosed(opener, "and here the text ends")),
        // Brackets hold no `:-`, which the lexer has taken apart here.
        (Some((_, opener)), Some(Token::Minus))
            if scene.before(1) == Some(Token::Colon) && !scene.fits("-") =>
        {
            Some(unclosed(opener, "and here the body begins"))
        }
        (Some((_, opener)), Some(Token::Arrow)) if scene.part().is_some() => {
            Some(unclosed(opener, "and here the outputs begin"))
        }
        (Some((_, opener)), Some(Token::LeftParen))
            if scene.part() == Some((Part::Attrs, 0))
                && scene.before(1) != Some(Token::Equals)
                && !scene.touches_before() =>
        {
            Some(unclosed(opener, "and here the inputs begin"))
        }
        (Some((open, opener)), Some(found)) if closes(found) && closer(open) != Some(found) => {
            let (opened, closed) = (scene.written(opener), scene.written(at));
            Some(
                problem::new(
                    code::UNBALANCED,
                    format!("`{opened}` is closed by `{closed}`"),
                    at,
                    "not its partner",
                )
                .with_label(opener.into(), "opened here"),
            )
        }
        (None, Some(found)) if closes(found) => Some(problem::new(
            code::UNBALANCED,
            format!("`{}` closes nothing", scene.written(at)),
            at,
            "no bracket is open here",
        )),
        _ => None,
    }
}

/// What is said where nothing better is known.
pub(super) fn generic(scene: &Scene<'_>) -> Diagnostic {
    let at = scene.span();
    let headline = match scene.found() {
        Some(Token::Doc(_)) => "a doc line in the middle of a clause".to_owned(),
        Some(_) => format!("unexpected `{}`", scene.written(at)),
        None => "the file ends too early".to_owned(),
    };
    problem::new(
        code::UNEXPECTED,
        headline,
        at,
        format!("expected {}", expected::describe(scene)),
    )
}
