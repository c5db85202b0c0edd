//! A relation compiled: variables are slots, words have their meaning, kinds are known.

use super::native::Native;
use crate::encode::Kind;
use crate::encode::kind::Open;
use crate::rules::plan::Plan;
use kanshape_engine::Int;
use kanshape_syntax::tree::{CmpOp, MulOp, Sign};
use kanshape_types::{Dtype, DtypeSet, Name};
use std::sync::{Arc, OnceLock};

/// A relation: it holds where one of its clauses does.
#[derive(Clone, Debug)]
pub struct Rule {
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
    /// A rule without a name that has these clauses.
    pub fn of_clauses(kinds: Box<[Kind]>, clauses: Box<[Clause]>) -> Rule {
        Rule {
            name: Name::word(""),
            kinds,
            clauses,
            native: None,
            planned: OnceLock::new(),
        }
    }

    /// Does any clause say something of an argument?
    pub fn speaks_of(&self, argument: usize) -> bool {
        let mut heads = self.clauses.iter().filter_map(|c| c.head.get(argument));
        self.native.is_some() || heads.any(|place| !matches!(place, Value::Any(_)))
    }
}

/// One clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The kinds of its variables.
    pub slots: Arc<[Kind]>,
    pub head: Box<[Value]>,
    pub body: Body,
}

/// Goals that hold together.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// What among them a look can decide.
    pub guards: Box<[Guard]>,
    pub steps: Box<[Step]>,
}

/// Something that a look can decide.
#[derive(Clone, Debug)]
pub enum Guard {
    /// A comparison of two numbers.
    Compare(Side, CmpOp, Side),
    /// What a slot denotes is made like this.
    Like(usize, Value),
    /// The dtype that a slot denotes is in the set.
    Class(usize, DtypeSet),
}

/// A side of a comparison.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    Slot(usize),
    Int(Int),
    /// The length of the list that a slot denotes.
    Length(usize),
}

/// Something that has to hold.
#[derive(Clone, Debug)]
pub enum Step {
    Fail,
    Equal(Value, Value),
    /// Of numbers; `!=` of dtypes as well.
    Compare(Value, CmpOp, Value),
    /// The dtype is in the set.
    Class(Value, DtypeSet),
    /// The number is one of these, which are written out.
    Among(Value, Box<[Number]>),
    /// The first is a member of the second.
    Member(Value, Value),
    /// A relation, by its number.
    Call(usize, Box<[Value]>),
    /// The first list is what the others broadcast to, aligned on the right.
    Broadcast(Value, Box<[Value]>),
    Either(Arc<Either>),
    /// What follows once these are known; nothing where they never are.
    Known(Box<[Value]>, Arc<Either>),
}

/// One of several bodies.
#[derive(Debug)]
pub struct Either {
    pub ways: Box<[Body]>,
    /// The slots that are spoken of in it.
    pub shared: Box<[usize]>,
    /// The kinds of the clause's variables.
    pub slots: Arc<[Kind]>,
}

/// A term.
#[derive(Clone, Debug)]
pub enum Value {
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
    /// A number that is calculated.
    Number(Box<Number>),
    Index(Box<[Value; 2]>),
    /// A part of a list: the list, from where, to where.
    Slice(Box<(Value, Option<Value>, Option<Value>)>),
    Each(Arc<Each>),
    Promote(Box<[Value]>),
    /// The type of a function: the list of what it takes, and of what it gives.
    Function(Box<[Value; 2]>),
}

/// A number that is calculated.
#[derive(Clone, Debug)]
pub enum Number {
    Int(Int),
    /// A slot, or some other term that is a number.
    Term(Value),
    /// The length of a list.
    Length(Value),
    /// The sum of a list.
    Total(Value),
    /// The product of a list.
    Product(Value),
    /// The sum of these, each with its sign.
    Sum(Box<[(Sign, Number)]>),
    /// From left to right.
    Chain(Box<Number>, Box<[(MulOp, Number)]>),
    CeilDiv(Box<[Number; 2]>),
    Min(Box<[Number]>),
    Max(Box<[Number]>),
    /// The one value other than 1 that these have; 1 if all are 1.
    Broadcast(Box<[Number]>),
    /// A size with an identity, by its place among those of the question.
    Nominal(usize),
}

/// A part of a list.
#[derive(Clone, Debug)]
pub enum Piece {
    One(Value),
    Rest(Value),
}

/// The same for the members of lists, side by side.
#[derive(Clone, Debug)]
pub struct Each {
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
pub enum Kinded {
    Open(Open),
    Is(Kind),
}

impl Kinded {
    pub fn kind(&self) -> &Kind {
        match self {
            Kinded::Is(kind) => kind,
            // Nothing is run before kinds are known.
            Kinded::Open(_) => &Kind::Type,
        }
    }
}

/// The terms in something, by reference and to be changed: one body for both.
macro_rules! terms {
    ([$($mut:tt)?] [$($life:lifetime)?] $iter:ident $each:path, $parts:ident $terms:ident) => {
        impl Value {
            /// Calls `f` with the terms directly inside of this one.
            pub fn $parts<$($life)?>(
                & $($life)? $($mut)? self,
                f: &mut dyn FnMut(& $($life)? $($mut)? Value),
            ) {
                match self {
                    Value::Slot(_) | Value::Any(_) | Value::Int(_) => {}
                    Value::Dtype(_) | Value::None => {}
                    Value::Some(of) => f(of),
                    Value::Tensor(parts) => parts.$iter().for_each(f),
                    Value::Index(parts) | Value::Function(parts) => parts.$iter().for_each(f),
                    Value::Node(_, parts) | Value::Promote(parts) => parts.$iter().for_each(f),
                    Value::List(pieces, _) => {
                        for piece in pieces.$iter() {
                            let (Piece::One(value) | Piece::Rest(value)) = piece;
                            f(value);
                        }
                    }
                    Value::Number(number) => number.$terms(f),
                    Value::Slice(slice) => {
                        f(& $($mut)? slice.0);
                        slice.1.$iter().chain(slice.2.$iter()).for_each(f);
                    }
                    Value::Each(each) => {
                        let each = $each(each);
                        each.lists.$iter().for_each(&mut *f);
                        f(& $($mut)? each.body);
                    }
                }
            }
        }

        impl Number {
            /// Calls `f` with the terms in it that are no arithmetic.
            pub fn $terms<$($life)?>(
                & $($life)? $($mut)? self,
                f: &mut dyn FnMut(& $($life)? $($mut)? Value),
            ) {
                match self {
                    Number::Int(_) | Number::Nominal(_) => {}
                    Number::Term(term) | Number::Length(term) => f(term),
                    Number::Total(term) | Number::Product(term) => f(term),
                    Number::Sum(terms) => terms.$iter().for_each(|t| t.1.$terms(f)),
                    Number::Chain(first, rest) => {
                        first.$terms(f);
                        rest.$iter().for_each(|t| t.1.$terms(f));
                    }
                    Number::CeilDiv(parts) => parts.$iter().for_each(|n| n.$terms(f)),
                    Number::Min(all) | Number::Max(all) | Number::Broadcast(all) => {
                        all.$iter().for_each(|n| n.$terms(f));
                    }
                }
            }
        }

        impl Step {
            /// Calls `f` with the terms of the step itself: those of the bodies in it are not among them.
            pub fn $terms<$($life)?>(
                & $($life)? $($mut)? self,
                f: &mut dyn FnMut(& $($life)? $($mut)? Value),
            ) {
                match self {
                    Step::Fail | Step::Either(_) => {}
                    Step::Equal(a, b) | Step::Compare(a, _, b) | Step::Member(a, b) => {
                        f(a);
                        f(b);
                    }
                    Step::Class(a, _) | Step::Among(a, _) => f(a),
                    Step::Call(_, terms) | Step::Known(terms, _) => terms.$iter().for_each(f),
                    Step::Broadcast(out, terms) => {
                        f(out);
                        terms.$iter().for_each(f);
                    }
                }
            }
        }
    };
}

terms!([] ['a] iter std::ops::Deref::deref, each_part each_term);
terms!([mut] [] iter_mut Arc::make_mut, each_part_mut each_term_mut);

impl Value {
    /// Calls `f` with every slot that is mentioned.
    pub fn each_slot(&self, f: &mut dyn FnMut(usize)) {
        match self {
            Value::Slot(slot) => f(*slot),
            Value::Each(each) => each.names.iter().flatten().for_each(|slot| f(*slot)),
            _ => {}
        }
        self.each_part(&mut |part| part.each_slot(f));
    }
}

impl Piece {
    pub fn value(&self) -> &Value {
        match self {
            Piece::One(value) | Piece::Rest(value) => value,
        }
    }
}

impl Number {
    /// The number with other terms in it.
    pub fn map(&self, f: &mut dyn FnMut(&Value) -> Value) -> Number {
        let mut all = |all: &[Number]| all.iter().map(|n| n.map(f)).collect::<Box<[Number]>>();
        match self {
            Number::Int(n) => Number::Int(*n),
            Number::Term(term) => match f(term) {
                Value::Int(n) => Number::Int(n),
                Value::Number(number) => *number,
                term => Number::Term(term),
            },
            Number::Length(term) => Number::Length(f(term)),
            Number::Total(term) => Number::Total(f(term)),
            Number::Product(term) => Number::Product(f(term)),
            Number::Sum(terms) => Number::Sum(terms.iter().map(|t| (t.0, t.1.map(f))).collect()),
            Number::Chain(first, rest) => Number::Chain(
                Box::new(first.map(f)),
                rest.iter().map(|t| (t.0, t.1.map(f))).collect(),
            ),
            Number::CeilDiv(parts) => Number::CeilDiv(Box::new(parts.each_ref().map(|n| n.map(f)))),
            Number::Nominal(place) => Number::Nominal(*place),
            Number::Min(numbers) => Number::Min(all(numbers)),
            Number::Broadcast(numbers) => Number::Broadcast(all(numbers)),
            Number::Max(numbers) => Number::Max(all(numbers)),
        }
    }
}

impl Step {
    /// The bodies in it.
    pub fn bodies(&self) -> &[Body] {
        match self {
            Step::Either(either) | Step::Known(_, either) => &either.ways,
            _ => &[],
        }
    }

    /// Calls `f` with every slot that is mentioned.
    pub fn each_slot(&self, f: &mut dyn FnMut(usize)) {
        self.each_term(&mut |term| term.each_slot(f));
        for body in self.bodies() {
            body.steps.iter().for_each(|step| step.each_slot(f));
        }
    }
}

impl Clause {
    /// The clause with other numbers for its variables: so much greater ones.
    pub fn moved(&self, by: usize) -> Clause {
        let mut moved = self.clone();
        moved.head.iter_mut().for_each(|value| value.shift(by));
        moved.body.shift(by);
        moved
    }
}

impl Body {
    fn shift(&mut self, by: usize) {
        for step in &mut self.steps {
            step.each_term_mut(&mut |value| value.shift(by));
        }
        for guard in &mut self.guards {
            match guard {
                Guard::Compare(left, _, right) => {
                    for side in [left, right] {
                        if let Side::Slot(slot) | Side::Length(slot) = side {
                            *slot += by;
                        }
                    }
                }
                Guard::Like(slot, value) => {
                    *slot += by;
                    value.shift(by);
                }
                Guard::Class(slot, _) => *slot += by,
            }
        }
    }
}

impl Value {
    /// Its variables have numbers that are so much greater. It is of a signature, in which there are no members with
    /// names and no bodies in bodies.
    fn shift(&mut self, by: usize) {
        if let Value::Slot(slot) = self {
            *slot += by;
        }
        self.each_part_mut(&mut |part| part.shift(by));
    }
}

/// What the numbers in a signature are in the rules that it becomes a part of.
#[derive(Debug)]
pub struct Renumbering {
    /// The places of the sizes with an identity.
    pub identities: Box<[usize]>,
    /// The labels of the types with parts; the first one is that of label 1.
    pub labels: Box<[u32]>,
}

impl Value {
    pub fn renumber(&mut self, by: &Renumbering) {
        match self {
            Value::Number(number) => number.renumber(by),
            Value::Node(label, _) => {
                let place = label.checked_sub(1).map(|i| i as usize);
                let label_there = place.and_then(|i| by.labels.get(i));
                *label = label_there.copied().unwrap_or(u32::MAX);
            }
            _ => {}
        }
        self.each_part_mut(&mut |part| part.renumber(by));
    }
}

impl Number {
    pub fn renumber(&mut self, by: &Renumbering) {
        match self {
            Number::Nominal(place) => {
                *place = by.identities.get(*place).copied().unwrap_or(usize::MAX);
            }
            Number::Sum(terms) => terms.iter_mut().for_each(|t| t.1.renumber(by)),
            Number::Chain(first, rest) => {
                first.renumber(by);
                rest.iter_mut().for_each(|t| t.1.renumber(by));
            }
            Number::CeilDiv(parts) => parts.iter_mut().for_each(|n| n.renumber(by)),
            Number::Min(all) | Number::Max(all) | Number::Broadcast(all) => {
                all.iter_mut().for_each(|n| n.renumber(by));
            }
            _ => {}
        }
    }
}
