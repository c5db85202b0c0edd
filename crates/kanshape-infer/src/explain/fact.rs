//! [`Fact`]: something given that can be left out, and a query without it.

use crate::{AttrValue, Query};
use kanshape_syntax::tree::Condition;
use kanshape_types::{Conditions, Content, Dim, DtypeTerm, Name, Shape, Tensor, Type, TypeKind};
use rustc_hash::FxHashSet;
use std::fmt;
use std::sync::Arc;

/// Something that was given and takes part in a conflict.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Fact {
    /// Where it was given.
    pub slot: Slot,
    /// Which part of the type there: the fields of tuples and arguments of constructors to go through, mostly
    /// none.
    pub part: Vec<usize>,
    /// What it is about.
    pub about: About,
    /// The fact in words: `its dim 1 is 3`.
    pub says: String,
}

impl Fact {
    /// The dim, or the member of contents or of an attribute's list, that it is about, from 0.
    pub fn axis(&self) -> Option<usize> {
        match self.about {
            About::Dim(i) | About::Content(i) | About::Member(i) => Some(i),
            _ => None,
        }
    }
}

/// A place of a query where something can be given. Operands have the places of the call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// An input, from 0.
    Input(usize),
    /// An output, from 0.
    Output(usize),
    /// A parameter of a signature.
    Param(Name),
    /// An attribute of an operator.
    Attr(Name),
    /// A condition of the query, from 0.
    Given(usize),
}

/// `inputs[0]`, `params.s`, `attrs.strides`, `where[0]`.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Input(i) => write!(f, "inputs[{i}]"),
            Slot::Output(i) => write!(f, "outputs[{i}]"),
            Slot::Param(name) => write!(f, "params.{name}"),
            Slot::Attr(name) => write!(f, "attrs.{name}"),
            Slot::Given(i) => write!(f, "where[{i}]"),
        }
    }
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum About {
    /// A dim, from 0; of a shape with a run of unknown length without that.
    Dim(usize),
    /// A member of what a tensor has in it, from 0.
    Content(usize),
    /// A member of an attribute that is a list, from 0.
    Member(usize),
    /// What kind of elements.
    Dtype,
    /// A condition of a type, from 0.
    Condition(usize),
    /// How many dims.
    Rank,
    /// The value of a parameter or an attribute, or a condition of the query, as a whole.
    Value,
    /// That it is a tensor, a tuple, a type of this constructor.
    Form,
}

/// A fact before it is put into words. Operands have the places of the query, inputs before outputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    pub(super) at: At,
    pub(super) part: Vec<usize>,
    pub(super) about: About,
}

/// Where in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum At {
    Given(usize),
    Param(usize),
    Attr(usize),
    Operand(usize),
}

impl Spot {
    /// Is what the other says nothing without this? Of what form a type is, how many dims it has.
    pub(super) fn carries(&self, other: &Spot) -> bool {
        if self.at != other.at || self == other {
            return false;
        }
        let here = self.part == other.part;
        match self.about {
            About::Form => {
                let below = other.part.starts_with(&self.part);
                below && (!here || !matches!(other.about, About::Condition(_)))
            }
            About::Rank => here && matches!(other.about, About::Dim(_) | About::Content(_)),
            About::Value => matches!(other.about, About::Member(_)),
            _ => false,
        }
    }
}

/// All that is given, what is easily done without first: of each place together, and there what says more before
/// what says less.
pub(super) fn spots(query: &Query) -> Vec<Spot> {
    let mut spots = Vec::new();
    let mut whole = |at, about| {
        let part = Vec::new();
        spots.push(Spot { at, part, about });
    };
    (0..query.conditions.len()).for_each(|i| whole(At::Given(i), About::Value));
    for (i, (_, value)) in query.params.iter().enumerate() {
        if *value != Dim::Hole {
            whole(At::Param(i), About::Value);
        }
    }
    for (i, (_, value)) in query.attrs.iter().enumerate() {
        if let AttrValue::List(members) = value {
            (0..members.len()).for_each(|m| whole(At::Attr(i), About::Member(m)));
        }
        if *value != AttrValue::Hole {
            whole(At::Attr(i), About::Value);
        }
    }
    for i in 0..query.inputs.len() + query.outputs.len() {
        of_type(
            query.operand(i),
            At::Operand(i),
            &mut Vec::new(),
            &mut spots,
        );
    }
    spots
}

fn of_type(ty: &Type, at: At, part: &mut Vec<usize>, spots: &mut Vec<Spot>) {
    let mut push = |about, part: &[usize]| {
        spots.push(Spot {
            at,
            part: part.to_vec(),
            about,
        });
    };
    (0..ty.conditions.len()).for_each(|c| push(About::Condition(c), part));
    if ty.is_unknown() {
        return;
    }
    if let Some(t) = ty.as_tensor() {
        let members = t.contents.iter().flat_map(|c| c.iter()).enumerate();
        for (i, _) in members.filter(|(_, m)| **m != Content::Hole) {
            push(About::Content(i), part);
        }
        for (i, _) in t.shape.iter().enumerate().filter(|(_, d)| **d != Dim::Hole) {
            push(About::Dim(i), part);
        }
        if t.dtype != DtypeTerm::Hole {
            push(About::Dtype, part);
        }
        if t.shape.run().is_none() || !t.shape.dims().is_empty() {
            push(About::Rank, part);
        }
    }
    for (i, inner) in ty.parts().enumerate() {
        part.push(i);
        of_type(inner, at, part, spots);
        part.pop();
    }
    let whole = Spot {
        at,
        part: part.clone(),
        about: About::Form,
    };
    spots.push(whole);
}

/// A part of a type, if it is there.
pub(super) fn part<'a>(ty: &'a Type, path: &[usize]) -> Option<&'a Type> {
    path.iter().try_fold(ty, |ty, &i| ty.parts().nth(i))
}

/// The type with something else for one of its parts.
pub(super) fn change(ty: &Type, path: &[usize], f: &dyn Fn(&Type) -> Type) -> Type {
    let Some((&first, rest)) = path.split_first() else {
        return f(ty);
    };
    let mut next = 0;
    ty.map_parts(&mut |inner| {
        next += 1;
        match next - 1 == first {
            true => change(inner, rest, f),
            false => inner.clone(),
        }
    })
}

/// Those that are kept, as they are marked.
pub(super) fn kept<'s>(spots: &'s [Spot], marks: &[bool]) -> FxHashSet<&'s Spot> {
    let kept = spots.iter().zip(marks).filter(|(_, kept)| **kept);
    kept.map(|(spot, _)| spot).collect()
}

/// The query with those facts alone that are kept. One that others are nothing without is kept with them.
pub(super) fn with_only(query: &Query, keep: &FxHashSet<&Spot>) -> Query {
    let mut out = query.clone();
    let has = |at, part: &[usize], about| {
        keep.contains(&Spot {
            at,
            part: part.to_vec(),
            about,
        })
    };
    for (i, condition) in out.conditions.iter_mut().enumerate() {
        if !has(At::Given(i), &[], About::Value) {
            *condition = always();
        }
    }
    for (i, (_, value)) in out.params.iter_mut().enumerate() {
        if !has(At::Param(i), &[], About::Value) {
            *value = Dim::Hole;
        }
    }
    for (i, (_, value)) in Arc::make_mut(&mut out.attrs).iter_mut().enumerate() {
        let at = At::Attr(i);
        let mut kept = *value == AttrValue::Hole || has(at, &[], About::Value);
        if let AttrValue::List(members) = value {
            for (m, member) in members.iter_mut().enumerate() {
                match has(at, &[], About::Member(m)) {
                    true => kept = true,
                    false => *member = AttrValue::Hole,
                }
            }
        }
        if !kept {
            *value = AttrValue::Unknown;
        }
    }
    for i in 0..query.inputs.len() + query.outputs.len() {
        let at = At::Operand(i);
        let ty = out.operand_mut(i);
        *ty = relaxed(ty, &mut Vec::new(), &|part, about| has(at, part, about));
    }
    forget_conditions_of_nothing(query, &mut out);
    out
}

fn relaxed(ty: &Type, path: &mut Vec<usize>, has: &dyn Fn(&[usize], About) -> bool) -> Type {
    let conditions = ty.conditions.iter().enumerate();
    let conditions = conditions.filter(|(c, _)| has(path, About::Condition(*c)));
    let conditions: Conditions = conditions.map(|(_, c)| c.clone()).collect();
    let kept = match &ty.kind {
        TypeKind::Unknown => Type::UNKNOWN,
        TypeKind::Tensor(tensor) => relaxed_tensor(tensor, path, has),
        _ => {
            let (mut next, mut some) = (0, has(path, About::Form));
            let inner = ty.map_parts(&mut |inner| {
                path.push(next);
                next += 1;
                let inner = relaxed(inner, path, has);
                path.pop();
                some |= !inner.is_unknown();
                inner
            });
            if some { inner } else { Type::UNKNOWN }
        }
    };
    kept.with_conditions(conditions)
}

fn relaxed_tensor(tensor: &Tensor, path: &[usize], has: &dyn Fn(&[usize], About) -> bool) -> Type {
    let dtype = match has(path, About::Dtype) {
        true => tensor.dtype.clone(),
        false => DtypeTerm::Hole,
    };
    let mut next = 0;
    let contents = tensor.contents.as_ref().map(|contents| {
        contents.map(&mut |member| {
            next += 1;
            match has(path, About::Content(next - 1)) {
                true => member.clone(),
                false => Content::Hole,
            }
        })
    });
    let contents = contents.filter(|c| c.say_something());
    let dims = tensor.shape.iter().enumerate();
    let dims: Vec<Dim> = dims
        .map(|(i, dim)| match has(path, About::Dim(i)) {
            true => dim.clone(),
            false => Dim::Hole,
        })
        .collect();
    let rank = has(path, About::Rank) || contents.is_some() || dims.iter().any(|d| *d != Dim::Hole);
    let shape = match (rank, tensor.shape.run()) {
        (false, _) => Shape::unknown(),
        (true, None) => Shape::known(dims),
        (true, Some(run)) => Shape::known(dims).with_run(run.at, run.name.clone()),
    };
    if !rank && dtype == DtypeTerm::Hole && !has(path, About::Form) {
        return Type::UNKNOWN;
    }
    Tensor::new(dtype, shape).with_contents(contents).into()
}

/// A condition that always holds, in the place of one that is left out, so that the others keep theirs.
pub(super) fn always() -> Condition {
    use kanshape_syntax::tree::{CmpOp, Expr};
    Condition::Compare(Expr::Int(0), vec![(CmpOp::Eq, Expr::Int(0))])
}

/// What is said of names that nothing has any more is said of nothing.
fn forget_conditions_of_nothing(before: &Query, query: &mut Query) {
    if query.own_conditions().next().is_none() {
        return;
    }
    let left = super::names::of_query(query);
    let mut gone = super::names::of_query(before);
    gone.retain(|name| !left.contains(name));
    let known = |condition: &Condition| {
        let mut known = true;
        condition.for_each_name(&mut |name| known &= !gone.contains(name));
        known
    };
    for condition in &mut query.conditions {
        if !known(condition) {
            *condition = always();
        }
    }
    for ty in query.inputs.iter_mut().chain(&mut query.outputs) {
        if !ty.conditions.iter().all(known) {
            let kept = ty.conditions.iter().filter(|c| known(c)).cloned();
            let kept = kept.collect();
            *ty = std::mem::take(ty).with_conditions(kept);
        }
    }
}
