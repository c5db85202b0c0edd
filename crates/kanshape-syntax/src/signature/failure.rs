//! From what the generated parser says when it stops, to what a person can use.

use kanshape_diag::Diagnostic;
use lalrpop_util::ParseError;

use crate::code;
use crate::problem;
use crate::signature::expected;
use crate::signature::foreign;
use crate::signature::lex::Token;
use crate::signature::near_miss;
use crate::signature::parse;
use crate::signature::scene::{self, Scene, closer, is_closer};

/// What an action of the grammar gives.
pub(crate) type Read<'i, T> = Result<T, Failure<'i>>;

/// How the generated parser says that it failed.
pub(crate) type Failure<'i> = ParseError<usize, Token<'i>, Box<Diagnostic>>;

/// Why `text` could not be read.
pub(crate) fn explain<'t>(failure: Failure<'t>, start: Token<'t>, text: &'t str) -> Diagnostic {
    let d = match problem::stopped(failure, text) {
        Err(d) if d.code == code::UNKNOWN_FUNCTION && start == Token::StartType => {
            let d = d.with_help("the dims of a type stand in square brackets: `f32[2, n]`");
            foreign::mended(d, start, text)
        }
        Err(d) => foreign::mended(d, start, text),
        Ok((at, expected)) => unexpected(text, start, at.start, expected),
    };
    place(d, start, text)
}

/// The diagnostic with the text it points into.
pub(crate) fn place(d: Diagnostic, start: Token<'_>, text: &str) -> Diagnostic {
    d.with_source(scene::name(start), text)
}

fn unexpected(text: &str, start: Token<'_>, offset: usize, expected: Vec<String>) -> Diagnostic {
    let expected = expected
        .into_iter()
        .map(|terminal| terminal.trim_matches('"').to_owned())
        .collect();
    let scene = Scene::new(text, start, offset, expected);
    unbalanced(&scene)
        .or_else(|| foreign::meant(&scene))
        .or_else(|| near_miss::find(&scene))
        .unwrap_or_else(|| generic(&scene))
}

/// A bracket without its partner.
fn unbalanced(scene: &Scene<'_>) -> Option<Diagnostic> {
    let at = scene.span();
    match (scene.opener(), scene.found()) {
        (Some((_, opener)), None) => Some(
            problem::new(
                code::UNBALANCED,
                format!("`{}` is never closed", scene.written(opener)),
                opener,
                "opened here",
            )
            .with_label(at.into(), "and here the text ends"),
        ),
        (Some((_, opener)), Some(Token::Arrow)) if scene.in_operands() => Some(
            problem::new(
                code::UNBALANCED,
                format!("`{}` is not closed before `->`", scene.written(opener)),
                opener,
                "opened here",
            )
            .with_label(at.into(), "must be closed before this"),
        ),
        (Some((open, opener)), Some(found)) if is_closer(found) && closer(open) != Some(found) => {
            Some(
                problem::new(
                    code::UNBALANCED,
                    format!(
                        "`{}` is closed by `{}`",
                        scene.written(opener),
                        scene.written(at)
                    ),
                    at,
                    "not its partner",
                )
                .with_label(opener.into(), "opened here"),
            )
        }
        (None, Some(found)) if is_closer(found) => Some(problem::new(
            code::UNBALANCED,
            format!("`{}` closes nothing", scene.written(at)),
            at,
            "no bracket is open here",
        )),
        _ => None,
    }
}

/// What is said where nothing better is known.
pub(crate) fn generic(scene: &Scene<'_>) -> Diagnostic {
    let at = scene.span();
    let headline = match scene.found() {
        Some(_) => format!("unexpected `{}`", scene.written(at)),
        None => format!("the {} ends too early", scene.name()),
    };
    // The parser names what may follow, but not whether anything must.
    let end_fits = scene.found().is_some() && parse::reads(scene.start, &scene.text[..at.start]);
    let expected = expected::describe(scene, end_fits);
    problem::new(
        code::UNEXPECTED,
        headline,
        at,
        format!("expected {expected}"),
    )
}
