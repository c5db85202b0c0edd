//! The tree of a file of relations and operators, as they are written.
//!
//! ```text
//! Identity(I, I) :- true
//! Flatten(Tensor(sh, bt), O) :- O = Tensor((sh[0], prod(sh[1:])), bt)
//! Append([], ys, ys)
//! Append([x, ..xs], ys, [x, ..zs]) :- Append(xs, ys, zs)
//! op Size(data) -> (size: i64[])
//! ```
//!
//! Start at the tree below, in [`Op`] and in [`Rule`], then `grammar/relation.lalrpop`. On the way from text to tree come `lex`
//! (words), the generated parser, `piece` (what is a goal, what a term), `class`, `head` (which heads
//! there are), `float` and `text` (texts in quotes, and signatures in them). On the way to an error come `scene`, `near_miss` and `expected`,
//! as for signatures. The way back is `print`; `walk` has the parts of goals and terms; `warn` looks for what reads and is not meant.
//!
//! As for all trees, two are equal when the same thing is written, and nesting is bounded by the
//! reader ([`crate::MAX_DEPTH`] brackets in each other, and eight behind one term), so walking a tree
//! by recursion is safe.

pub(crate) mod class;
pub(crate) mod embedded;
mod expected;
pub(crate) mod failure;
pub(crate) mod float;
pub(crate) mod head;
mod item;
pub(crate) mod lex;
mod near_miss;
mod op;
pub(crate) mod parse;
pub(crate) mod piece;
mod print;
pub(crate) mod rule;
mod scene;
mod walk;
mod warn;

use crate::tree::{CmpOp, Ident, MulOp, Sign, Spanned};

pub use crate::text::{quoted, unquoted};
pub use float::Float;
pub use item::Item;
pub use op::{Attr, Dtypes, Example, Formal, Op, Pattern, examples, prose};
pub use parse::{parse_leaf, parse_relations, parse_rule};
pub use rule::{Applied, Bare, Node, Rule};
pub use warn::warnings;

/// A file: types, clauses, operators and rules, each in the order in which they are written, and
/// [`File::items`] has them all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct File {
    /// The clauses.
    pub clauses: Vec<Spanned<Clause>>,
    /// The operators.
    pub ops: Vec<Spanned<Op>>,
    /// The rules.
    pub rules: Vec<Spanned<Rule>>,
    /// The types that are declared.
    pub types: Vec<Spanned<NewType>>,
}

/// `type Quantized(values, scale)`: a type of the user's own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewType {
    /// The lines that begin with `///` before it, without that and one space.
    pub doc: Vec<Box<str>>,
    /// What it is called.
    pub name: Ident,
    /// What its arguments are called, which are types.
    pub params: Vec<Ident>,
}

/// `Head(..) :- body`. The clauses with one name and as many arguments are one relation, between
/// them: it holds where one of them does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    /// The lines that begin with `///` before it, without that and one space.
    pub doc: Vec<Box<str>>,
    /// The name of the relation.
    pub name: Ident,
    /// What it is about.
    pub params: Vec<Param>,
    /// What has to hold as well; `true` if nothing is written.
    pub body: Spanned<Goal>,
}

/// An argument of a head: a term, and of which kind it is, if that is written (`sh: Shape`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// `Tensor(sh, bt)`.
    pub term: Spanned<Term>,
    /// `Type`, `Shape`, `BaseType`, `ShapeVar`, `int`, `ints`, `string`, `bool`, ...
    pub kind: Option<Ident>,
}

/// Something that has to hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// `true`, written or not: nothing is written where the span of a body is empty.
    True,
    /// `false`.
    False,
    /// `a, b, c`: two or more.
    All(Vec<Spanned<Goal>>),
    /// `a ; b ; c`: two or more, one of which holds.
    Any(Vec<Spanned<Goal>>),
    /// `Append(xs, ys, zs)`.
    Call(Ident, Vec<Spanned<Term>>),
    /// `"(m,n),(n,p)->(m,p)"(A, B, C)`: a signature of its inputs and then its outputs. The text
    /// has been read once, so it is a signature, and there are as many terms as operands.
    Signature(Spanned<Box<str>>, Vec<Spanned<Term>>),
    /// `a = b`, `x < y <= z`; `=` and `==` are the same.
    Compare(Spanned<Term>, Vec<(CmpOp, Spanned<Term>)>),
    /// `x in [1, 2, 3]`, `d in sh`, `bt in {f32, f64}` (a set in braces is a list as well), and
    /// `bt: {f32, f64}`, which is the same.
    In(Spanned<Term>, Spanned<Term>),
    /// `bt: Float`: a dtype of a class.
    Class(Ident, Ident),
    /// `known(s, n) => goal`: this holds as well once all of these are known. At least one is.
    Known(Vec<Spanned<Term>>, Box<Spanned<Goal>>),
}

/// What denotes a value: a type, a shape, a dim, a dtype, a list, a number, a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// `sh`: a variable of the clause; a dtype or another word of the language by its name.
    Name(Ident),
    /// `_`: anything, and something else each time.
    Any,
    /// `2`.
    Int(u64),
    /// `0.5`, `1e-5`.
    Float(Float),
    /// `"SAME_UPPER"`.
    Text(Box<str>),
    /// `true`, `false`.
    Bool(bool),
    /// `none`: an optional value that is left out.
    None,
    /// `[a, b, ..rest]`: parts from left to right. `(a, b)` and `(a,)` are the same.
    List(Vec<Element>),
    /// `Tensor(sh, bt)`, `prod(sh)`, `min(a, b)`, `some(x)`, `promote(x, y)`.
    Call(Ident, Vec<Spanned<Term>>),
    /// `a + b - c`: two terms or more, or one with a minus.
    Sum(Vec<(Sign, Spanned<Term>)>),
    /// `a * b // c % d`, from left to right.
    Chain(Box<Spanned<Term>>, Vec<(MulOp, Spanned<Term>)>),
    /// `ceil(a/b)`.
    CeilDiv(Box<Spanned<Term>>, Box<Spanned<Term>>),
    /// `sh[0]`, `sh[-1]`, `sh[i]`.
    Index(Box<Spanned<Term>>, Box<Spanned<Term>>),
    /// `sh[1:]`, `sh[:-1]`, `sh[i:j]`.
    Slice(
        Box<Spanned<Term>>,
        Option<Box<Spanned<Term>>>,
        Option<Box<Spanned<Term>>>,
    ),
    /// `[x + y for x, y in xs, ys]`: lists of one length, taken apart side by side.
    Each {
        /// What stands in every place.
        body: Box<Spanned<Term>>,
        /// What the members are called; `_` if they are not spoken of. Each is another.
        names: Vec<Ident>,
        /// The lists.
        lists: Vec<Spanned<Term>>,
    },
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// `x`.
    One(Spanned<Term>),
    /// `..rest`, or `..` for any.
    Rest(Option<Spanned<Term>>),
}
