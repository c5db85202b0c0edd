//! A relation compiled: variables are slots, words have their meaning, kinds are known.

use super::ground::Plan;
use super::kind::{Kind, Open};
use super::native::Native;
use crate::Signature;
use kanshape_engine::Int;
use kanshape_syntax::tree::{CmpOp, Expr};
use kanshape_types::{Dtype, DtypeSet, Name};
use std::sync::{Arc, OnceLock};

/// A relation: it holds where one of its clauses does.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub name: Name,
    /// The kinds of its arguments.
    pub kinds: Box<[Kind]>,
    pub clauses: Box<[Clause]>,
    /// It has no clauses, but is stated in Rust.
    pub native: Option<Arc<dyn Native>>,
    /// Its clauses as they are calculated, once they have been.
    pub planned: OnceLock<Plan>,
}

impl Rule {
    /// Does any clause say something of an argument?
    pub(crate) fn speaks_of(&self, argument: usize) -> bool {
        let mut heads = self.clauses.iter().filter_map(|c| c.head.get(argument));
        self.native.is_some() || heads.any(|place| !matches!(place, Value::Any(_)))
    }
}

/// One clause.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    /// The kinds of its variables.
    pub slots: Arc<[Kind]>,
    pub head: Box<[Value]>,
    pub body: Body,
}

/// Goals that hold together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// What among them a look can decide.
    pub guards: Box<[Guard]>,
    pub steps: Box<[Step]>,
}

/// Something that a look can decide.
#[derive(Clone, Debug)]
pub(crate) enum Guard {
    /// A comparison of two numbers.
    Compare(Side, CmpOp, Side),
    /// What a slot stands for is made like this.
    Like(usize, Value),
    /// The dtype that a slot stands for is in the set.
    Class(usize, DtypeSet),
}

/// A side of a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Slot(usize),
    Int(Int),
    /// The length of the list that a slot stands for.
    Length(usize),
}

/// Something that has to hold.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Fail,
    Equal(Value, Value),
    /// Of numbers; `!=` of dtypes as well.
    Compare(Value, CmpOp, Value),
    /// The dtype is in the set.
    Class(Value, DtypeSet),
    /// The number is one of these.
    Among(Value, Box<[Int]>),
    /// The first is a member of the second.
    Member(Value, Value),
    /// A relation, by its number.
    Call(usize, Box<[Value]>),
    /// The inputs and then the outputs of a signature.
    Signature(Signature, Box<[Value]>),
    Either(Arc<Either>),
    /// What follows once these are known; nothing where they never are.
    Known(Box<[Value]>, Arc<Either>),
}

/// One of several bodies.
#[derive(Debug)]
pub(crate) struct Either {
    pub ways: Box<[Body]>,
    /// The slots that are spoken of in it.
    pub shared: Box<[usize]>,
    /// The kinds of the clause's variables.
    pub slots: Arc<[Kind]>,
}

/// A term.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Slot(usize),
    /// Anything of its kind.
    Any(Kinded),
    Int(Int),
    Dtype(Dtype),
    None,
    Some(Box<Value>),
    /// A shape, a dtype, and the contents.
    Tensor(Box<[Value; 3]>),
    /// A type with parts.
    Node(u32, Box<[Value]>),
    /// Of what the members are.
    List(Box<[Piece]>, Kinded),
    /// An expression over names that are the places of the values behind it.
    Number(Box<(Expr, Box<[Value]>)>),
    /// The sum of a list.
    Sum(Box<Value>),
    /// The length of a list.
    Length(Box<Value>),
    Index(Box<[Value; 2]>),
    /// A part of a list: the list, from where, to where.
    Slice(Box<(Value, Option<Value>, Option<Value>)>),
    Each(Arc<Each>),
    Promote(Box<[Value]>),
    /// The type of a function: the list of what it takes, and of what it gives.
    Function(Box<[Value; 2]>),
}

/// A part of a list.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    One(Value),
    Rest(Value),
}

/// The same for the members of lists, side by side.
#[derive(Clone, Debug)]
pub(crate) struct Each {
    pub body: Value,
    /// The slots of the members; `None` where they are not spoken of.
    pub names: Box<[Option<usize>]>,
    pub lists: Box<[Value]>,
    /// Of what the members of the result are.
    pub of: Kinded,
    /// The slots from outside that the body speaks of.
    pub shared: Box<[usize]>,
    /// The kinds of the clause's variables.
    pub slots: Arc<[Kind]>,
}

/// A kind that is found out when all clauses have been read.
#[derive(Clone, Debug)]
pub(crate) enum Kinded {
    Open(Open),
    Is(Kind),
}

impl Kinded {
    pub(crate) fn kind(&self) -> &Kind {
        match self {
            Kinded::Is(kind) => kind,
            // Nothing is run before kinds are known.
            Kinded::Open(_) => &Kind::Type,
        }
    }
}
