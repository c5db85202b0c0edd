//! Classes of dtypes, `bt: Float`: which there are.

use kanshape_diag::suggest;

use super::failure::Read;
use super::piece::Piece;
use super::{Goal, Term};
use crate::code;
use crate::problem::{self, refuse};
use crate::tree::{Ident, Spanned};

const CLASSES: [&str; 7] = ["Float", "Int", "UInt", "Bool", "Complex", "Num", "Any"];

/// What heads say of their arguments, for whoever says it of a goal; `bool` is a dtype as well.
const KINDS: [&str; 9] = [
    "Type", "BaseType", "Shape", "ShapeVar", "int", "ints", "float", "string", "tensor",
];

/// `bt: Float`.
pub(crate) fn goal<'i>(of: Spanned<Piece>, class: Ident) -> Read<'i, Piece> {
    let Piece::Term(Term::Name(name)) = of.node else {
        return Err(refuse(
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
        ));
    };
    if CLASSES.contains(&&*class.node) {
        return Ok(Piece::Goal(Goal::Class(name, class)));
    }
    let (x, wanted) = (problem::brief(&name.node), problem::brief(&class.node));
    let d = problem::new(
        code::UNKNOWN_CLASS,
        format!("there is no class `{wanted}`"),
        class.span,
        "expected a class of dtypes",
    );
    Err(refuse(match suggest(&class.node, CLASSES) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None if KINDS.contains(&&*class.node) => d.with_help(format!(
            "of which kind an argument is, the head says: `Head({x}: {wanted})`"
        )),
        None => d
            .with_help(format!("the classes are {}", list(&CLASSES)))
            .with_help(format!("for one dtype write `{x} = {wanted}`")),
    }))
}

fn list(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
