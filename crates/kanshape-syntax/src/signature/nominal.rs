//! Sizes with an identity, `6@district`: where they cannot stand, and what was meant instead.

use kanshape_diag::Diagnostic;

use crate::code;
use crate::problem::{self, refuse};
use crate::signature::failure::Read;
use crate::signature::failure::generic;
use crate::signature::lex::Token;
use crate::signature::scene::{Scene, is_word};
use crate::tree::{CmpOp, Expr, Nominal, Spanned};

/// `e`, unless it is a size with an identity: for whatever calculates with it.
pub(crate) fn no_arithmetic<'i>(e: Expr) -> Read<'i, Expr> {
    match e {
        Expr::Nominal(n) => Err(refuse(
            problem::new(
                code::NO_ARITHMETIC,
                "a size with an identity is a whole dim, and no part of arithmetic",
                n.span(),
                "an identity cannot be calculated with",
            )
            .with_help(format!("write the plain size: `{}`", n.size)),
        )),
        e => Ok(e),
    }
}

/// That no side with an identity is compared by its order.
pub(crate) fn no_order<'i>(first: &Spanned<Expr>, rest: &[(CmpOp, Spanned<Expr>)]) -> Read<'i, ()> {
    let mut left = first;
    for (op, right) in rest {
        let sides = [left, right].map(|side| match &side.node {
            Expr::Nominal(n) => Some(n),
            _ => None,
        });
        if let (false, Some(n)) = (
            matches!(op, CmpOp::Eq | CmpOp::Ne),
            sides.iter().flatten().next(),
        ) {
            return Err(refuse(ordered(*op, n)));
        }
        left = right;
    }
    Ok(())
}

fn ordered(op: CmpOp, n: &Nominal) -> Diagnostic {
    problem::new(
        code::NO_ARITHMETIC,
        format!("a size with an identity cannot be compared by `{op}`"),
        n.span(),
        "an identity has no order",
    )
    .with_help(format!(
        "compare by `==` or `!=`, or with the plain size: `{}`",
        n.size
    ))
}

/// What is wrong about an `@` that does not fit, or about what stands behind one.
pub(crate) fn near_miss(scene: &Scene<'_>) -> Option<Diagnostic> {
    const NAMED: &str = "an identity is a name: `6@district`";
    if scene.before(1) == Some(Token::At) {
        return Some(generic(scene).with_help(NAMED));
    }
    if scene.found() != Some(Token::At) {
        return None;
    }
    let last = scene.last().map(|span| scene.written(span));
    let last = last.filter(|word| is_word(word));
    // With the word in front and the one behind, as far as there are any.
    let mut at = last.map_or(scene.span(), |_| scene.span_with_last());
    if let (Some(Token::Name(_) | Token::Int(_)), Some(next)) = (scene.next(), scene.next_span()) {
        at = at.to(next);
    }
    let refuse = |headline: &str, help: String| {
        let d = problem::new(code::BAD_IDENTITY, headline, at, "");
        Some(d.with_help(help))
    };
    match (last, scene.before(1), scene.next()) {
        (Some(_), ..) if scene.before(2) == Some(Token::At) => {
            refuse("a size has one identity", NAMED.to_owned())
        }
        (Some(name), _, Some(Token::Int(size))) => refuse(
            "the size stands in front of its identity",
            format!("write `{size}@{name}`"),
        ),
        (Some(_), ..)
        | (_, Some(Token::RightParen | Token::Question | Token::Run(_) | Token::Dots), _) => refuse(
            "only a number can have an identity",
            "write a size, `6@district`; a name alone stands for a size with any identity or none"
                .to_owned(),
        ),
        (_, Some(Token::Int(_)), _) => Some(generic(scene).with_help(
            "a size with an identity is a whole dim: `f32[6@district]`, `(6@district)->()`",
        )),
        _ => refuse("an identity stands behind a size", NAMED.to_owned()),
    }
}
