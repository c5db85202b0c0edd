//! Rules in the form in which they are calculated: arithmetic is ready to be done, and what only the engine can do is
//! marked. They are written so when they are first run (`plan`).

use crate::Signature;
use kanshape_syntax::tree::{CmpOp, MulOp, Sign};
use kanshape_types::{Dtype, DtypeSet};

/// The clauses of a relation.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(super) clauses: Box<[Clause]>,
    /// It says the same of all members of lists.
    pub(super) walk: Option<Walk>,
}

/// What a relation says that goes through lists side by side: it holds of empty ones, and of others where `steps` hold
/// of their first members and it holds of the rest.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// How many variables it has.
    pub slots: usize,
    pub args: Box<[Walked]>,
    pub steps: Box<[Step]>,
    /// The variables that are others for each member.
    pub own: Box<[usize]>,
}

/// An argument of such a relation.
#[derive(Clone, Debug)]
pub(super) enum Walked {
    /// A list: what its first member is like, and the variable for the others.
    List(Term, usize),
    /// The same all the way.
    Same(Option<usize>),
}

/// A clause.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// How many variables it has.
    pub slots: usize,
    pub head: Box<[Term]>,
    pub steps: Box<[Step]>,
    /// Two arguments are the same variable.
    pub repeats: bool,
}

/// Something that has to hold.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Equal(Term, Term),
    Compare(Term, CmpOp, Term),
    Class(Term, DtypeSet),
    Among(Term, Box<[i64]>),
    /// The first is a member of the second.
    Member(Term, Term),
    Call(usize, Box<[Term]>),
    Signature(Signature, Box<[Term]>),
    Either(Box<[Way]>),
    Known(Box<Known>),
    Fail,
    /// Only the engine can do it.
    Beyond,
}

/// What follows once something is known.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub terms: Box<[Term]>,
    /// The variables in them.
    pub slots: Box<[usize]>,
    pub steps: Box<[Step]>,
}

/// One of several bodies.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub guards: Box<[Guard]>,
    pub steps: Box<[Step]>,
}

/// Something that a look can decide.
#[derive(Clone, Debug)]
pub(super) enum Guard {
    Compare(Side, CmpOp, Side),
    Like(usize, Term),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Slot(usize),
    Int(i64),
}

/// A term.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Slot(usize),
    /// Anything. So is a variable that is written once.
    Any,
    Int(i64),
    Dtype(Dtype),
    None,
    Some(Box<Term>),
    /// A shape, a dtype, and the contents.
    Tensor(Box<[Term; 3]>),
    Node(u32, Box<[Term]>),
    /// A list of numbers.
    Numbers(Box<[Piece]>),
    /// A list of other things.
    List(Box<[Piece]>),
    Number(Box<Number>),
    Index(Box<[Term; 2]>),
    /// A part of a list: the list, from where, to where.
    Slice(Box<(Term, Option<Term>, Option<Term>)>),
    Each(Box<Each>),
    Promote(Box<[Term; 2]>),
    /// Only the engine knows what it is.
    Beyond,
}

/// A part of a list.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    One(Term),
    Rest(Term),
}

/// The same for the members of lists, side by side.
#[derive(Clone, Debug)]
pub(super) struct Each {
    pub body: Term,
    /// What the members are called; `None` where they are not spoken of.
    pub names: Box<[Option<Member>]>,
    pub lists: Box<[Term]>,
    /// The result is a list of numbers.
    pub numbers: bool,
}

/// A member of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub slot: usize,
    pub is_number: bool,
}

/// A number that is calculated.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Int(i64),
    Slot(usize),
    /// Some other term that is a number.
    Term(Term),
    /// The length of a list.
    Length(Term),
    /// The sum of a list.
    Total(Term),
    /// The product of a list.
    Product(Term),
    /// Each of them with its sign.
    Sum(Box<[(Sign, Number)]>),
    /// From left to right.
    Chain(Box<Number>, Box<[(MulOp, Number)]>),
    CeilDiv(Box<[Number; 2]>),
    /// The least of them, or the greatest.
    Least(Box<[Number]>),
    Greatest(Box<[Number]>),
}
