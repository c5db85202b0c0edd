//! Mistakes about what a tensor has in it.

use kanshape_diag::Diagnostic;

use super::help;
use crate::signature::contents;
use crate::signature::lex::Token;
use crate::signature::scene::Scene;

const A_LIST: &str = "the members of contents stand in square brackets: `i64[2] = [n, 3]`";
const ONE_LIST: &str =
    "contents are one list, row by row, whatever the rank: `i64[2, 2] = [1, 2, 3, 4]`";

/// Whatever is wrong about contents.
pub(super) fn find(scene: &Scene<'_>) -> Option<Diagnostic> {
    if scene.in_operands() {
        return in_signature(scene);
    }
    if !scene.in_type() {
        return None;
    }
    behind_shape(scene).or_else(|| match scene.contents_opener() {
        None => None,
        Some(None) => without_brackets(scene),
        Some(Some(opener)) => in_brackets(scene, opener),
    })
}

/// A signature has none.
fn in_signature(scene: &Scene<'_>) -> Option<Diagnostic> {
    let behind_operand = matches!(
        scene.before(1),
        Some(Token::RightParen | Token::RightBracket | Token::Name(_))
    );
    let equals = scene.found() == Some(Token::Equals);
    let contents = equals && behind_operand && scene.opener().is_none();
    contents.then(|| contents::of_operand(scene.span()))
}

/// Something else than a `=` behind the dims.
fn behind_shape(scene: &Scene<'_>) -> Option<Diagnostic> {
    if !scene.fits("=") {
        return None;
    }
    match (scene.found()?, scene.next()) {
        (Token::EqualsEquals | Token::Colon, Some(Token::LeftBracket))
        | (Token::LeftBracket, _) => help(scene, "contents stand behind a `=`: `i64[2] = [n, 3]`"),
        _ => None,
    }
}

/// Behind the `=` and outside of brackets, where one member may stand.
fn without_brackets(scene: &Scene<'_>) -> Option<Diagnostic> {
    match scene.found()? {
        Token::Comma | Token::LeftBrace => help(scene, A_LIST),
        found => number(scene, found),
    }
}

/// Within brackets behind the `=`.
fn in_brackets(scene: &Scene<'_>, opener: Token<'_>) -> Option<Diagnostic> {
    match (opener, scene.found()?) {
        (Token::LeftParen, Token::Comma) => help(scene, A_LIST),
        (Token::LeftBracket, Token::LeftBracket) if !scene.after_word() => help(scene, ONE_LIST),
        (Token::LeftBracket, Token::Dots | Token::Run(_)) => help(
            scene,
            "each member is written; one that is not known is `?`",
        ),
        (_, found) => number(scene, found),
    }
}

/// A number with a point, but without digits on one side.
fn number(scene: &Scene<'_>, found: Token<'_>) -> Option<Diagnostic> {
    match (scene.before(1), found, scene.next()) {
        (Some(Token::Int(whole)), Token::Dot, _) => help(
            scene,
            format!("a number with a point has digits on both sides: `{whole}.0`"),
        ),
        (_, Token::Dot, Some(Token::Int(digits))) => help(
            scene,
            format!("a number with a point has digits on both sides: `0.{digits}`"),
        ),
        _ => None,
    }
}
