//! The tree that every text becomes: what is written, and where, and nothing of what it means.
//!
//! Two trees are equal when the same thing is written; the places ([`Span`]) take no part in
//! equality or hashing. Nesting is bounded by the reader ([`crate::MAX_DEPTH`]) and chains of
//! operators are flat, so walking a tree by recursion is safe.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Range;

pub use crate::float::Float;

/// A range of bytes in the text that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to but not including `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The shortest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// Something written, with its place.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// What is written.
    pub node: T,
    /// Where.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `node`, written at `span`.
    pub fn new(node: T, span: Span) -> Self {
        Spanned { node, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: PartialOrd> PartialOrd for Spanned<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.node.partial_cmp(&other.node)
    }
}

impl<T: Ord> Ord for Spanned<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.node.cmp(&other.node)
    }
}

impl<T: Hash> Hash for Spanned<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.hash(state);
    }
}

/// A name, as written: `n`, `batch`, `f32`.
pub type Ident = Spanned<Box<str>>;

/// One signature line: `[s] +(c,h),(o,c,k)->(o,(h - k)//s + 1) where s >= 1`.
///
/// The long form with declared variables (`(dim a, ...) -> (Tensor(..), ..) -> Tensor(..)`) is
/// read into the same tree as the short line that says the same. The form with relations
/// (`forall (A : Type) ..., Broadcast(A, B, C) => (A, B) -> C`) has [`Signature::variables`] and
/// [`Signature::relations`], and its operands are names of types.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signature {
    /// `[stride: s, pad: p]`.
    pub params: Vec<Param>,
    /// `+`, `=`, `+2`, `=2` or nothing.
    pub prefix: Option<Prefix>,
    /// Left of the arrow.
    pub inputs: Vec<Operand>,
    /// Right of the arrow.
    pub outputs: Vec<Operand>,
    /// `where ...`.
    pub conditions: Vec<Spanned<Condition>>,
    /// `forall (Lhs : Type)`: the declared type variables, empty but in the relational form.
    pub variables: Vec<Ident>,
    /// `Broadcast(Lhs, Rhs, Out)`: the relations, empty but in the relational form.
    pub relations: Vec<Spanned<Relation>>,
}

/// `stride: s`, or `s` alone, which is `s: s`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// What a caller gives it by: `stride`.
    pub label: Ident,
    /// The name that the dims use: `s`.
    pub name: Ident,
}

/// The batch prefix of a signature.
#[derive(Clone, Debug)]
pub struct Prefix {
    /// `+` or `=`.
    pub kind: PrefixKind,
    /// At most this number of batch dims: `+2`.
    pub max: Option<u64>,
    /// Where it is written.
    pub span: Span,
}

impl PartialEq for Prefix {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.max == other.max
    }
}

impl Eq for Prefix {}

impl Hash for Prefix {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        self.max.hash(state);
    }
}

/// How the batch dims of the operands are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrefixKind {
    /// `+`: they broadcast against each other.
    Broadcast,
    /// `=`: they are the same in every operand.
    Equal,
}

/// One operand: a pattern of dims and, after a colon, a dtype; or a type.
#[derive(Clone, Debug)]
pub struct Operand {
    /// `(m, n)`.
    pub pattern: Pattern,
    /// `:f32`; none behind a type, which has its own.
    pub dtype: Option<Spanned<DtypeExpr>>,
    /// The whole operand.
    pub span: Span,
}

impl PartialEq for Operand {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern && self.dtype == other.dtype
    }
}

impl Eq for Operand {}

impl Hash for Operand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.pattern.hash(state);
        self.dtype.hash(state);
    }
}

/// What an operand looks like.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `(m, n)`: the dims from left to right.
    Shape(Vec<Spanned<Item>>),
    /// `RandomState`, `List[t[n]]`: a type that starts with a word; in the relational form a
    /// [`Type::Name`]. A batch prefix does not speak of it.
    Type(Box<Spanned<Type>>),
}

/// One item of a pattern in parentheses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// `n`, `2`, `a+b`: one dim.
    Dim(Expr),
    /// `n?`, `3?`: one dim that is present everywhere or absent everywhere.
    /// The expression is an [`Expr::Name`] or an [`Expr::Int`].
    Optional(Expr),
    /// `n|1`, `4|1`: one dim that may be 1 instead.
    /// The expression is an [`Expr::Name`] or an [`Expr::Int`].
    OrOne(Expr),
    /// `...` or `...r`: a run of any number of dims.
    Run(Option<Ident>),
    /// `.2.`: a run of exactly this number of dims.
    Skip(u64),
    /// `.k.`: a run whose length is the number `k`.
    SkipNamed(Ident),
}

/// A dim as an expression over names. Chains of operators are flat.
///
/// In a tree that is read from text, a name is an [`Ident`]. [`Expr::rename`] replaces names of one type by those of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr<N = Ident> {
    /// `2`.
    Int(u64),
    /// `n`. In a condition it may be a dtype variable or a dtype.
    Name(N),
    /// `6@district`: a dim by itself, a side of `==` and `!=`, either side of an `in`, or an
    /// argument of `broadcast`. Never a part of arithmetic.
    Nominal(Box<Nominal>),
    /// `a + b - c`: two terms or more, or one with a minus.
    Sum(Vec<(Sign, Expr<N>)>),
    /// `a * b // c % d`, applied from left to right: the first factor and at least one more.
    Chain(Box<Expr<N>>, Vec<(MulOp, Expr<N>)>),
    /// `min(a, b)`, `prod(...r)`, `broadcast(a, b)`, `promote(x, y)`.
    Call(Func, Vec<Expr<N>>),
    /// `ceil(a/b)`.
    CeilDiv(Box<Expr<N>>, Box<Expr<N>>),
    /// `...` or `...r`, as an argument of `prod` or `broadcast` and beside `==` only.
    Run(Option<N>),
    /// `[2, n, ...s]`: what a run is, as the other side of its `==` only. The dims are written as in a
    /// type: `?` is some size, `...` are some dims, and at most one of them is a [`DimItem::Run`].
    List(Vec<Spanned<DimItem<N>>>),
}

/// `6@district`: a size with an identity. Its name is no unknown, and denotes itself alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nominal {
    /// `6`.
    pub size: Spanned<u64>,
    /// `district`.
    pub identity: Ident,
}

impl Nominal {
    /// Where it is written.
    pub fn span(&self) -> Span {
        self.size.span.to(self.identity.span)
    }
}

/// The sign of a term in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// `+`.
    Plus,
    /// `-`.
    Minus,
}

/// An operator that binds tighter than `+`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MulOp {
    /// `*`.
    Mul,
    /// `//`, rounding down.
    FloorDiv,
    /// `%`, with the sign of the divisor, as in Python.
    Mod,
}

/// A function of the dim language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Func {
    /// The least of its arguments; one or more.
    Min,
    /// The greatest of its arguments; one or more.
    Max,
    /// The product of its arguments, dims and runs; none is 1.
    Prod,
    /// What dims (or runs) broadcast to; one or more. In conditions only.
    Broadcast,
    /// What dtypes promote to; one or more. In conditions only.
    Promote,
}

/// A dtype where one can stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DtypeExpr {
    /// `f32`, `Float` or a variable: which of them, the tree does not know.
    Name(Ident),
    /// `{f32, f64}`: names of dtypes and classes.
    Set(Vec<Ident>),
    /// `promote(x, y)`: one argument or more.
    Promote(Vec<DtypeExpr>),
    /// `?`: in types only.
    Hole,
}

/// One condition of a `where`. It is read from text and printed as such; its order is one for maps.
///
/// ```
/// use kanshape_syntax::parse_condition;
///
/// let condition = parse_condition("n in {1,3}")?.node;
/// assert_eq!(condition.to_string(), "n in {1, 3}");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition<N = Ident> {
    /// `a < b`, and chains of them: `1 <= n <= 8`. At least one comparison.
    Compare(Expr<N>, Vec<(CmpOp, Expr<N>)>),
    /// `n in {1, 3}`, `T in {f32, f64}`.
    In(Expr<N>, Vec<Expr<N>>),
    /// `x: Float`.
    Dtype(N, DtypeExpr),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CmpOp {
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

impl CmpOp {
    /// Does it hold between two numbers?
    pub fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            CmpOp::Eq => left == right,
            CmpOp::Ne => left != right,
            CmpOp::Lt => left < right,
            CmpOp::Le => left <= right,
            CmpOp::Gt => left > right,
            CmpOp::Ge => left >= right,
        }
    }
}

/// `Broadcast(Lhs, Rhs, Out)`: a relation between type variables, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    /// `Broadcast`.
    pub name: Ident,
    /// `Lhs`, `Rhs`, `Out`.
    pub args: Vec<Ident>,
}

/// A type with its conditions: `T[2, n] where T in {f32, f64}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeText {
    /// `T[2, n]`.
    pub ty: Spanned<Type>,
    /// `T in {f32, f64}`.
    pub conditions: Vec<Spanned<Condition>>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `?`: nothing known.
    Hole,
    /// `f32[2, n]`, and whatever else is read as the same.
    Tensor {
        /// `f32`; [`DtypeExpr::Hole`] for `?[2]` and `(2, 3)`.
        dtype: Spanned<DtypeExpr>,
        /// The dims from left to right; at most one is a [`DimItem::Run`].
        shape: Vec<Spanned<DimItem>>,
        /// `[2, n, ?]` behind a `=`: what it has in it, row by row. Never in a signature.
        contents: Option<Spanned<Vec<Spanned<Content>>>>,
    },
    /// `(f32[2], i64[])`.
    Tuple(Vec<Spanned<Type>>),
    /// `fn(f32[n]) -> f32[]`.
    Fn(Vec<Spanned<Type>>, Box<Spanned<Type>>),
    /// `List[f32[2]]`: an ADT with its arguments, one or more.
    Adt(Ident, Vec<Spanned<Type>>),
    /// `A`: a type variable, or an ADT without arguments.
    Name(Ident),
}

/// One dim of a type, or of the list that a run is compared with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DimItem<N = Ident> {
    /// `?`.
    Hole,
    /// `2`, `n`, `2*k`.
    Dim(Expr<N>),
    /// `...` or `...batch`.
    Run(Option<N>),
}

/// One member of what a tensor has in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// `?`.
    Hole,
    /// `2`, `n`, `2*n - 1`, `-1`: a number. Neither a name alone that is a word for a value (`true`,
    /// `false`, `inf`, `nan`, and `True`, `False`, `None` as in Python), nor a minus before `inf` or `nan`.
    Dim(Expr),
    /// `true`, `false`.
    Bool(bool),
    /// `0.5`, `inf`, `nan`.
    Float(Float),
    /// `"text"`.
    Text(Box<str>),
}
