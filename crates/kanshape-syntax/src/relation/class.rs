//! Classes of dtypes, `bt: Float`, of which it is not decided here which there are; and tensors, `A: T[n]`.

use super::failure::Read;
use super::piece::{self, Piece};
use super::{Element, Goal, Term};
use crate::code;
use crate::problem::{self, refuse};
use crate::tree::{CmpOp, Ident, Span, Spanned};

/// `bt: Float`.
pub(crate) fn goal<'i>(of: Spanned<Piece>, class: Ident) -> Read<'i, Piece> {
    if let Piece::Term(Term::Name(name)) = of.node {
        return Ok(Piece::Goal(Goal::Class(name, class)));
    }
    Err(refuse(
        problem::new(
            code::UNKNOWN_CLASS,
            "only a name can have a class",
            of.span,
            "expected the name of a dtype",
        )
        .with_help(format!(
            "name it first: `bt = ..., bt: {}`",
            problem::brief(&class.node)
        )),
    ))
}

/// `A: T[n, ..r]`: the same as `A = Tensor([n, ..r], T)`.
pub(crate) fn tensor<'i>(
    of: Spanned<Piece>,
    dtype: Spanned<Term>,
    dims: Vec<Element>,
    end: usize,
) -> Read<'i, Piece> {
    let of = piece::term(of)?;
    let at = Span::new(dtype.span.start, end);
    let shape = Spanned::new(Term::List(dims), Span::new(dtype.span.end, end));
    let name = Spanned::new("Tensor".into(), dtype.span);
    let tensor = Spanned::new(Term::Call(name, vec![shape, dtype]), at);
    Ok(Piece::Goal(Goal::Compare(of, vec![(CmpOp::Eq, tensor)])))
}
