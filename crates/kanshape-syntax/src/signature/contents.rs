//! What a tensor has in it, as written behind a `=`: `i64[3] = [2, n, ?]`.

use crate::MAX_CONTENTS;
use kanshape_diag::Diagnostic;

use crate::code;
use crate::problem::{self, refuse};
use crate::signature::check::{self, Checked};
use crate::signature::failure::{Failure, Read};
use crate::tree::{Content, Expr, Float, Sign, Span, Spanned, Type};

/// The tensor with these contents.
pub(crate) fn of_tensor<'i>(
    mut ty: Spanned<Type>,
    members: Spanned<Vec<Spanned<Content>>>,
) -> Read<'i, Type> {
    let Type::Tensor { contents, .. } = &mut ty.node else {
        return Err(refuse(
            problem::new(
                code::NO_CONTENTS,
                "only a tensor has contents",
                ty.span,
                "no tensor",
            )
            .with_help("write them behind the tensor that has them: `(i64[2] = [n, 2], f32[n])`"),
        ));
    };
    if let Some(extra) = members.node.get(MAX_CONTENTS) {
        return Err(refuse(
            problem::new(
                code::TOO_MANY_CONTENTS,
                format!("more than {MAX_CONTENTS} members"),
                extra.span,
                "one too many",
            )
            .with_help("leave the contents out: what is not said is not known"),
        ));
    }
    for member in &members.node {
        if let Content::Dim(e) = &member.node {
            check::number(e, member.span).map_err(|d| refuse(*d))?;
        }
    }
    *contents = Some(members);
    Ok(ty.node)
}

/// Refuses what is known of a value where only its type can be said: in an operand.
pub(crate) fn none(ty: &Type) -> Checked {
    match ty {
        Type::Hole | Type::Name(_) => Ok(()),
        Type::Tensor { contents, .. } => match contents {
            None => Ok(()),
            Some(contents) => Err(Box::new(of_operand(contents.span))),
        },
        Type::Tuple(types) | Type::Adt(_, types) => types.iter().try_for_each(|ty| none(&ty.node)),
        Type::Fn(args, result) => {
            args.iter().try_for_each(|ty| none(&ty.node))?;
            none(&result.node)
        }
    }
}

/// That an operand has contents, written at `at`.
pub(crate) fn of_operand(at: Span) -> Diagnostic {
    problem::new(code::NO_CONTENTS, "an operand has no contents", at, "")
        .with_help("a signature is about types; what a tensor has in it is part of a query")
}

/// The member that an expression denotes. The words of values are no names here; some are Python's.
pub(crate) fn member(e: Expr) -> Content {
    match e {
        Expr::Name(word) => match &*word.node {
            "true" | "True" => Content::Bool(true),
            "false" | "False" => Content::Bool(false),
            "None" => Content::Hole,
            text => match Float::of_word(text) {
                Some(float) => Content::Float(float),
                None => Content::Dim(Expr::Name(word)),
            },
        },
        Expr::Sum(terms) => match &terms[..] {
            [(Sign::Minus, Expr::Name(word))] => match Float::of_word(&word.node) {
                Some(float) => Content::Float(float.negated()),
                None => Content::Dim(Expr::Sum(terms)),
            },
            _ => Content::Dim(Expr::Sum(terms)),
        },
        e => Content::Dim(e),
    }
}

/// The number with a point that these digits write.
pub(crate) fn float<'i>(start: usize, digits: &str, end: usize) -> Read<'i, Float> {
    match digits.parse() {
        Ok(number) if f64::is_finite(number) => Ok(Float::new(number)),
        _ => Err(too_large(Span::new(start, end))),
    }
}

fn too_large<'i>(at: Span) -> Failure<'i> {
    refuse(
        problem::new(
            code::NUMBER_TOO_LARGE,
            "this number is too large",
            at,
            format!("more than {:e}", f64::MAX),
        )
        .with_help("an infinity is written `inf`"),
    )
}
