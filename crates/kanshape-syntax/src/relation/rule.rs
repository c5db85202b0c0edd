//! The tree of rules: terms of operators, and what may take their place.
//!
//! ```text
//! rule matmul_add_to_gemm (A: T[m, k], B: T[k, n], C: T[..c]):
//!     Add(MatMul(A, B), C) => Gemm(A, B, C)
//!     :- BroadcastShapes(c, [m, n], [m, n])
//! ```

use super::{Attr, Formal, Goal, Term};
use crate::tree::{Ident, Spanned};

/// `rule NAME [attributes] (leaves): left => right :- body`.
///
/// Attributes and leaves need not be declared: a leaf that is not is of any type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The lines that begin with `///` before it, without that and one space.
    pub doc: Vec<Box<str>>,
    /// The text of the `domain` line before it, in which operators are looked up first; empty if there is none.
    pub domain: Box<str>,
    /// Its name, perhaps with dots in it.
    pub name: Ident,
    /// The values that attributes of both sides have in common.
    pub attrs: Vec<Attr>,
    /// The leaves of which something is known.
    pub leaves: Vec<Formal>,
    /// What is replaced: its outputs in order.
    pub left: Vec<Spanned<Node>>,
    /// Whether either side may take the place of the other: `<=>`.
    pub both: bool,
    /// What takes its place: as many outputs, or one operator that has as many.
    pub right: Vec<Spanned<Node>>,
    /// What has to hold as well; `true` if nothing is written.
    pub body: Spanned<Goal>,
}

/// A rule without its head, as it is written where it has no name.
#[derive(Clone, Copy, Debug)]
pub struct Bare<'r>(pub(crate) &'r Rule);

impl Rule {
    /// The rule without its head.
    pub fn bare(&self) -> Bare<'_> {
        Bare(self)
    }
}

/// A part of a side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// `Add(x, y)`.
    Call(Box<Applied>),
    /// `x`.
    Leaf(Ident),
    /// `const x`: a leaf that is a constant of the program.
    Constant(Ident),
    /// `[1, 0]`, `2.0`: a constant with these contents.
    Literal(Spanned<Term>),
    /// `none`: an input that is left out.
    None,
}

/// An operator with its attributes and inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Applied {
    /// Its domain, if one is written: `com.microsoft::Gelu(x)`.
    pub domain: Option<Ident>,
    /// Its name.
    pub name: Ident,
    /// The values of its attributes.
    pub attrs: Vec<(Ident, Spanned<Term>)>,
    /// Its inputs.
    pub args: Vec<Spanned<Node>>,
}
