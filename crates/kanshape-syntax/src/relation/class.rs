//! Classes of dtypes, `bt: Float`. Which there are is not decided here.

use super::failure::Read;
use super::piece::Piece;
use super::{Goal, Term};
use crate::code;
use crate::problem::{self, refuse};
use crate::tree::{Ident, Spanned};

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
