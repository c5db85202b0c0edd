//! What a query is given, and the query with some of it alone.
//!
//! [`rebuilt`] walks over all facts of a query, always in the same order, and calls a function that decides whether it stays. [`spots`]
//! lists the facts in that order; [`with_only`] keeps those that have a mark.

use super::fact::{Argument, FactId, FactKind};
use super::names;
use crate::{AttrValue, Query};
use kanshape_syntax::tree::{CmpOp, Condition, Expr};
use kanshape_types::{Conditions, Content, Dim, DtypeTerm, Shape, Tensor, Type, TypeKind};
use std::sync::Arc;

/// Does a fact stay? Called once for each, with the part of the type that it is about.
type Stays<'a> = dyn FnMut(Argument, &[usize], FactKind) -> bool + 'a;

/// All that is given, what is easily done without first: of each place together, and there what says more before
/// what says less.
pub(super) fn spots(query: &Query) -> Vec<FactId> {
    let mut spots = Vec::new();
    rebuilt(query, &mut |at, part, about| {
        let part = part.to_vec();
        spots.push(FactId { at, part, about });
        true
    });
    spots
}

/// The query with those of its [`spots`] alone that are marked. One that others are nothing without is kept with them.
pub(super) fn with_only(query: &Query, marks: &[bool]) -> Query {
    let mut marks = marks.iter().copied();
    let mut out = rebuilt(query, &mut |_, _, _| marks.next().unwrap_or(false));
    forget_conditions_of_nothing(query, &mut out);
    out
}

/// A query with what stays of it.
fn rebuilt(query: &Query, stays: &mut Stays<'_>) -> Query {
    let mut out = query.clone();
    for (i, condition) in out.conditions.iter_mut().enumerate() {
        if !stays(Argument::Given(i), &[], FactKind::Value) {
            *condition = always();
        }
    }
    for (i, (_, value)) in out.params.iter_mut().enumerate() {
        if *value != Dim::Hole && !stays(Argument::Param(i), &[], FactKind::Value) {
            *value = Dim::Hole;
        }
    }
    if !query.attrs.is_empty() {
        for (i, (_, value)) in Arc::make_mut(&mut out.attrs).iter_mut().enumerate() {
            relax_attr(value, Argument::Attr(i), stays);
        }
    }
    for i in 0..query.inputs.len() + query.outputs.len() {
        let ty = out.operand_mut(i);
        *ty = relaxed(ty, Argument::Operand(i), &mut Vec::new(), stays);
    }
    out
}

/// A list with a member that stays does so as well. Of what does not, it is not even known whether it is there.
fn relax_attr(value: &mut AttrValue, at: Argument, stays: &mut Stays<'_>) {
    if *value == AttrValue::Hole {
        return;
    }
    let mut kept = false;
    if let AttrValue::List(members) = value {
        for (m, member) in members.iter_mut().enumerate() {
            match stays(at, &[], FactKind::Member(m)) {
                true => kept = true,
                false => *member = AttrValue::Hole,
            }
        }
    }
    kept |= stays(at, &[], FactKind::Value);
    if !kept {
        *value = AttrValue::Unknown;
    }
}

fn relaxed(ty: &Type, at: Argument, path: &mut Vec<usize>, stays: &mut Stays<'_>) -> Type {
    let conditions = ty.conditions.iter().enumerate();
    let conditions = conditions.filter(|(c, _)| stays(at, path, FactKind::Condition(*c)));
    let conditions: Conditions = conditions.map(|(_, c)| c.clone()).collect();
    let kept = match &ty.kind {
        TypeKind::Unknown => Type::UNKNOWN,
        TypeKind::Tensor(tensor) => relaxed_tensor(tensor, &mut |about| stays(at, path, about)),
        _ => {
            let (mut next, mut some) = (0, false);
            let inner = ty.map_parts(&mut |inner| {
                path.push(next);
                next += 1;
                let inner = relaxed(inner, at, path, stays);
                path.pop();
                some |= !inner.is_unknown();
                inner
            });
            some |= stays(at, path, FactKind::Form);
            if some { inner } else { Type::UNKNOWN }
        }
    };
    kept.with_conditions(conditions)
}

fn relaxed_tensor(tensor: &Tensor, stays: &mut dyn FnMut(FactKind) -> bool) -> Type {
    let shape = &tensor.shape;
    let mut next = 0;
    let contents = tensor.contents.as_ref().map(|contents| {
        contents.map(&mut |member| {
            next += 1;
            match *member == Content::Hole || stays(FactKind::Content(next - 1)) {
                true => member.clone(),
                false => Content::Hole,
            }
        })
    });
    let contents = contents.filter(|c| c.say_something());
    let dims = shape.iter().enumerate();
    let dims: Vec<Dim> = dims
        .map(
            |(i, dim)| match *dim == Dim::Hole || stays(FactKind::Dim(i)) {
                true => dim.clone(),
                false => Dim::Hole,
            },
        )
        .collect();
    let has_dtype = tensor.dtype != DtypeTerm::Hole && stays(FactKind::Dtype);
    let says_rank = !says_nothing(shape) && stays(FactKind::Rank);
    let has_rank = says_rank || contents.is_some() || dims.iter().any(|d| *d != Dim::Hole);
    let is_tensor = stays(FactKind::Form);
    if !has_rank && !has_dtype && !is_tensor {
        return Type::UNKNOWN;
    }
    let dtype = match has_dtype {
        true => tensor.dtype.clone(),
        false => DtypeTerm::Hole,
    };
    let shape = match (has_rank, shape.run()) {
        (false, _) => Shape::unknown(),
        (true, None) => Shape::known(dims),
        (true, Some(run)) => Shape::known(dims).with_run(run.at, run.name.clone()),
    };
    Tensor::new(dtype, shape).with_contents(contents).into()
}

/// May a shape have any number of dims, and whatever dims?
fn says_nothing(shape: &Shape) -> bool {
    shape.known_dims().is_empty() && shape.run().is_some_and(|run| run.name.is_none())
}

/// A condition that always holds, in the place of one that is left out, so that the others keep theirs.
fn always() -> Condition {
    Condition::Compare(Expr::Int(0), vec![(CmpOp::Eq, Expr::Int(0))])
}

/// Drops the conditions on names that no longer occur.
fn forget_conditions_of_nothing(before: &Query, query: &mut Query) {
    if query.own_conditions().next().is_none() {
        return;
    }
    let left = names::of_query(query);
    let mut dropped = names::of_query(before);
    dropped.retain(|name| !left.contains(name));
    let known = |condition: &Condition| {
        let mut known = true;
        condition.for_each_name(&mut |name| known &= !dropped.contains(name));
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
