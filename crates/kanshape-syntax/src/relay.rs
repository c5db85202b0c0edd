//! The tree of a program in Relay's text format, and of its types, as they are written.
//!
//! ```text
//! type List[A] { Cons(A, List[A]), Nil }
//! def @main(%x: Tensor[(n, 10), float32]) { nn.relu(%x) }
//! ```
//!
//! Start at [`Program`] and [`Type`], then `grammar/relay.lalrpop`. The expressions of a program lie in one table
//! ([`Program::expr`]), because a chain of lets may be as long as a text: whoever walks it follows [`Expr::Let`],
//! [`Expr::Seq`] and the left side of calls, projections and operators in a loop. All other nesting needs brackets,
//! of which at most [`MAX_DEPTH`] are open at a time, so recursion over that, and over types, is safe.

pub(crate) mod failure;
pub(crate) mod lex;
mod literal;
pub(crate) mod parse;
pub(crate) mod piece;
mod print;

use crate::tree::{Expr as DimExpr, Ident, Span, Spanned};

pub use crate::float::Float;
pub use literal::{Literal, LiteralKind};
pub use parse::{parse_relay_expr, parse_relay_pattern, parse_relay_program, parse_relay_type};

/// How many brackets of a program may be open at a time.
pub const MAX_DEPTH: usize = 128;

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `_`: not written.
    Hole,
    /// `?a`: a hole with a name, the same wherever it is written.
    Named(Ident),
    /// `'a`, `'a:ShapeVar`: a rigid type parameter, and its kind if that is written.
    Rigid(Ident, Option<Ident>),
    /// `@G`, `@G:AdtHandle`: the handle of an algebraic data type.
    Handle(Ident, Option<Ident>),
    /// `data G`: the definition of an algebraic data type.
    Data(Ident),
    /// `Tensor[(2, n, ?), float32]`.
    Tensor(Spanned<Shape>, Dtype),
    /// `float32`, `Nat`, `A`.
    Name(Ident),
    /// `List[A]`, `Nat[]`.
    Apply(Ident, Vec<Spanned<Type>>),
    /// `(A, B)`, `(A,)`, `()`.
    Tuple(Vec<Spanned<Type>>),
    /// `fn [A](A) -> A where R(A)`.
    Fn(Box<FnType>),
    /// `ref(A)`.
    Ref(Box<Spanned<Type>>),
    /// `R(A, B)`: a relation where a type stands, `Broadcast(Lhs, Rhs)`.
    Relation(Box<Relation>),
    /// `(10, n)`, a type argument only.
    Shape(Vec<Spanned<Dim>>),
    /// `10`, `2*n`, a type argument only.
    Size(DimExpr),
}

/// The shape of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `_`: not even the rank is known.
    Hole,
    /// `s`: a shape by its name.
    Name(Ident),
    /// `(2, n, ?)`.
    Dims(Vec<Spanned<Dim>>),
}

/// A dim of a shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// `?`.
    Any,
    /// `3`, `n`, `n + 1`.
    Expr(DimExpr),
    /// `..s`, `..`: any number of dims.
    Rest(Option<Ident>),
}

/// The dtype of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dtype {
    /// `_`.
    Hole,
    /// `float32`, or a type parameter.
    Name(Ident),
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FnType {
    /// `[A, n: ShapeVar]`.
    pub binders: Vec<Binder>,
    /// What it takes.
    pub params: Vec<Spanned<Type>>,
    /// What it gives.
    pub result: Spanned<Type>,
    /// What has to hold at each call.
    pub constraints: Vec<Spanned<Relation>>,
}

/// A type parameter where it is bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binder {
    /// `A`, of `'a` the `a`.
    pub name: Ident,
    /// Whether it is written `'a`.
    pub is_rigid: bool,
    /// `Type`, `Shape`, `ShapeVar`, `BaseType`, ...
    pub kind: Option<Ident>,
}

/// `Broadcast(A, B, C)`: a relation between types, or an operator with its attributes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    /// `Broadcast`; with a field, `TupleGetItem:1`.
    pub name: Ident,
    /// What it is between; `None` where only the name is written (`where Broadcast`).
    pub args: Option<Vec<Spanned<Type>>>,
    /// `axis=1`.
    pub attrs: Vec<Attr>,
}

/// `axis=1`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attr {
    /// `axis`.
    pub name: Ident,
    /// `1`.
    pub value: Spanned<AttrValue>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrValue {
    /// `_`: not written; not even whether it is there is known.
    Hole,
    /// `1`, `-1i64`.
    Int(i64),
    /// `0.5`, `1e-5f`.
    Float(Float),
    /// `"NCHW"`.
    Text(Box<str>),
    /// `True`.
    Bool(bool),
    /// `None`.
    None,
    /// `float32`: a bare word.
    Word(Box<str>),
    /// `[1, 2]`, `(1, 2)`.
    List(Vec<Spanned<AttrValue>>),
}

/// The number of an expression in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);

impl ExprId {
    /// Its place in the table of expressions.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A program, or one expression.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// `#[version = "0.0.5"]`.
    pub version: Option<Box<str>>,
    /// Definitions, in their order.
    pub items: Vec<Item>,
    /// An expression behind the definitions.
    pub main: Option<ExprId>,
    exprs: Vec<Spanned<Expr>>,
}

impl Program {
    /// An expression by its number.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()].node
    }

    /// Where it is written.
    pub fn span(&self, id: ExprId) -> Span {
        self.exprs[id.index()].span
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// All expressions, by their numbers.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    /// Adds an expression: for whoever builds a program without a text.
    pub fn add(&mut self, node: Expr, span: Span) -> ExprId {
        let id = ExprId(self.exprs.len() as u32);
        self.exprs.push(Spanned::new(node, span));
        id
    }

    /// Changes the expression of this place in the table: to write an annotation.
    pub fn change(&mut self, place: usize, change: &mut dyn FnMut(&mut Expr)) {
        if let Some(e) = self.exprs.get_mut(place) {
            change(&mut e.node);
        }
    }
}

/// A definition.
#[derive(Clone, Debug)]
pub enum Item {
    /// `def @f(..) { .. }`.
    Def(Def),
    /// `type List[A] { .. }`.
    Data(Data),
}

/// `def @f[A](%x: A) -> A { %x }`.
#[derive(Clone, Debug)]
pub struct Def {
    /// `f`.
    pub name: Ident,
    /// What it is.
    pub function: Function,
}

/// A function: its head and its body.
#[derive(Clone, Debug)]
pub struct Function {
    /// `[A]`.
    pub binders: Vec<Binder>,
    /// `%x: A`.
    pub params: Vec<Param>,
    /// `-> A`.
    pub result: Option<Spanned<Type>>,
    /// `where R(A)`.
    pub constraints: Vec<Spanned<Relation>>,
    /// `Primitive=1`.
    pub attrs: Vec<Attr>,
    /// What it gives.
    pub body: ExprId,
}

/// `%x: A`.
#[derive(Clone, Debug)]
pub struct Param {
    /// `x`.
    pub name: Ident,
    /// `A`.
    pub ty: Option<Spanned<Type>>,
}

/// `type List[A] { Cons(A, List[A]), Nil }`.
#[derive(Clone, Debug)]
pub struct Data {
    /// `List`.
    pub name: Ident,
    /// `[A]`.
    pub binders: Vec<Binder>,
    /// In their order; none of an `extern type`.
    pub constructors: Vec<Constructor>,
    /// `extern type`: its constructors are not known.
    pub is_extern: bool,
    /// `data List { .. }`: names that nothing binds are parameters.
    pub is_open: bool,
}

/// `Cons(A, List[A])`.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// `Cons`.
    pub name: Ident,
    /// What it takes.
    pub fields: Vec<Spanned<Type>>,
}

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are what they are called")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl BinaryOp {
    /// The operator that it calls: `add`.
    pub fn operator(self) -> &'static str {
        match self {
            BinaryOp::Add => "add",
            BinaryOp::Subtract => "subtract",
            BinaryOp::Multiply => "multiply",
            BinaryOp::Divide => "divide",
            BinaryOp::Less => "less",
            BinaryOp::LessEqual => "less_equal",
            BinaryOp::Greater => "greater",
            BinaryOp::GreaterEqual => "greater_equal",
            BinaryOp::Equal => "equal",
            BinaryOp::NotEqual => "not_equal",
        }
    }

    /// As it is written: `+`.
    pub fn written(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
        }
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// `%x`, `%0`.
    Local(Box<str>),
    /// `@f`.
    Global(Box<str>),
    /// `nn.dense`, `Cons`: an operator, a constructor, or a global without its `@`.
    Name(Box<str>),
    /// `1f32`.
    Literal(Literal),
    /// `"text"`.
    Text(Box<str>),
    /// `meta[relay.Constant][0]`: a value of the metadata, of which nothing is known.
    Meta(Box<str>),
    /// `_`: an expression that is not written.
    Hole,
    /// `(a, b)`.
    Tuple(Vec<ExprId>),
    /// `a.0`.
    Project(ExprId, u64),
    /// `f<T>(a, b, axis=1)`.
    Call {
        /// `f`.
        callee: ExprId,
        /// `<T>`.
        type_args: Vec<Spanned<Type>>,
        /// `a, b`.
        args: Vec<ExprId>,
        /// `axis=1`.
        attrs: Vec<Attr>,
    },
    /// `a + b`.
    Binary(BinaryOp, ExprId, ExprId),
    /// `-a` of anything but a number.
    Negate(ExprId),
    /// `fn (%x) { %x }`.
    Function(Box<Function>),
    /// `let %x: T = a; b`.
    Let {
        /// `x`.
        name: Ident,
        /// `T`.
        ty: Option<Spanned<Type>>,
        /// `a`.
        value: ExprId,
        /// `b`.
        body: ExprId,
        /// Whether it is written `%0 = a; b`.
        is_graph: bool,
    },
    /// `a; b`.
    Seq(ExprId, ExprId),
    /// `if (c) { a } else { b }`.
    If(ExprId, ExprId, ExprId),
    /// `match (a) { p => b }`.
    Match {
        /// `a`.
        scrutinee: ExprId,
        /// `p => b`.
        clauses: Vec<Clause>,
        /// `match` rather than `match?`.
        is_complete: bool,
    },
    /// `ref(a)`.
    RefNew(ExprId),
    /// `ref_read(a)`.
    RefRead(ExprId),
    /// `ref_write(a, b)`.
    RefWrite(ExprId, ExprId),
}

/// `p => b`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// `p`.
    pub pattern: Spanned<Pattern>,
    /// `b`.
    pub body: ExprId,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `_`.
    Wildcard,
    /// `%x: T`.
    Var(Ident, Option<Spanned<Type>>),
    /// `Cons(p, q)`, `Nil`.
    Constructor(Ident, Vec<Spanned<Pattern>>),
    /// `(p, q)`.
    Tuple(Vec<Spanned<Pattern>>),
}
