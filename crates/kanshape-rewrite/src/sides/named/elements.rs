//! The elements of outputs at a place.

use kanshape::Dtype;
use kanshape_eval::{Function as F, Number, Scalars};

use super::operators::{Operator, in_order, input, product, split};
use super::sizes::{self, Dim, Halt, open};
use super::{Element, Named, first};
use crate::program::{Slot, Step};
use crate::sides::algebra::{Expr, Place};

impl Operator {
    /// The element of the output at a place.
    pub(super) fn element(
        &self,
        named: &mut Named<'_, '_>,
        step: &Step,
        place: &[Place],
    ) -> Result<Element, Halt> {
        let x = input(step, 0)?;
        match self {
            Operator::Elementwise(number) => {
                let to = named.dims(step.first)?;
                let inputs = step.inputs.iter().map(|slot| match slot {
                    Some(slot) => named.broadcast(*slot, &to, place).map(Some),
                    None => Ok(None),
                });
                let inputs: Vec<Option<Element>> = inputs.collect::<Result<_, Halt>>()?;
                named.of_elements(step, *number, &inputs)
            }
            Operator::Transpose(perm) => {
                let mut from = place.to_vec();
                perm.iter()
                    .zip(place)
                    .for_each(|(at, own)| from[*at] = own.clone());
                named.element(x, &from)
            }
            Operator::Squeeze(kept) => {
                let mut from = vec![first(); named.rank(x)?];
                kept.iter()
                    .zip(place)
                    .for_each(|(at, own)| from[*at] = own.clone());
                named.element(x, &from)
            }
            Operator::Unsqueeze(from) => {
                let kept = from.iter().zip(place).filter(|own| own.0.is_some());
                let kept: Vec<Place> = kept.map(|own| own.1.clone()).collect();
                named.element(x, &kept)
            }
            Operator::Concat(axis) => {
                let mut from = place.to_vec();
                for i in 0..step.inputs.len() {
                    let slot = input(step, i)?;
                    let parts = named.dims(slot)?[*axis].len();
                    if from[*axis].part < parts {
                        return named.element(slot, &from);
                    }
                    from[*axis].part -= parts;
                }
                open("dims of different parts")
            }
            Operator::Flatten(axis) => {
                let own = named.dims(x)?;
                let mut from = Vec::new();
                for (dims, place) in [&own[..*axis], &own[*axis..]].into_iter().zip(place) {
                    let (_, parts) = product(dims)?;
                    from.extend(apart(dims, &parts, place));
                }
                named.element(x, &from)
            }
            Operator::Sum {
                axes,
                keeps,
                is_mean,
                is_square,
            } => {
                let own = named.dims(x)?;
                let mut kept = place.iter();
                let from = (0..own.len()).map(|at| match axes.contains(&at) {
                    true => {
                        keeps.then(|| kept.next());
                        Some(first())
                    }
                    false => kept.next().cloned(),
                });
                let Some(from) = from.collect::<Option<Vec<Place>>>() else {
                    return open("dims of different parts");
                };
                let dtype = dtype(named, x, &own)?;
                if *is_mean && !dtype.name().starts_with(['f', 'b']) {
                    return open("a mean of integers");
                }
                let mut all = sum_along(named, &own, axes, from.clone(), &mut |named, from| {
                    let own = named.element(x, from)?.1;
                    match is_square {
                        true => named.applied(F::Mul, dtype, &[own, own]),
                        false => Ok(own),
                    }
                })?;
                if *is_mean {
                    let one = named.algebra.number(Number::Int(1));
                    let count = sum_along(named, &own, axes, from, &mut |_, _| Ok(one))?;
                    all = named.applied(F::Div, dtype, &[all, count])?;
                }
                Ok((dtype, all))
            }
            Operator::MatMul => {
                let y = input(step, 1)?;
                let to = named.dims(step.first)?;
                let (own, other) = (named.dims(x)?, named.dims(y)?);
                let ends = usize::from(own.len() > 1) + usize::from(other.len() > 1);
                let (batch, ends) = place.split_at(place.len() - ends);
                let a_end = (own.len() > 1).then(|| ends[0].clone());
                let b_end = ends.last().filter(|_| other.len() > 1).cloned();
                let (a, b) = (split(&own, false), split(&other, true));
                let a_batch = narrowed(a.0, &to[..batch.len()], batch)?;
                let b_batch = narrowed(b.0, &to[..batch.len()], batch)?;
                let dtype = dtype(named, x, &own)?;
                let all = named.sum(a.1, &mut |named, k| {
                    let mut from = a_batch.clone();
                    from.extend(a_end.clone());
                    from.push(k.clone());
                    let left = named.element(x, &from)?.1;
                    let mut from = b_batch.clone();
                    from.push(k);
                    from.extend(b_end.clone());
                    let right = named.element(y, &from)?.1;
                    named.applied(F::Mul, dtype, &[left, right])
                })?;
                Ok((dtype, all))
            }
            Operator::Gemm {
                transposed,
                factors,
            } => {
                let y = input(step, 1)?;
                let [m, n] = place else {
                    return open("dims of different parts");
                };
                let own = named.dims(x)?;
                let dtype = dtype(named, x, &own)?;
                if *factors != (1.0, 1.0) && !dtype.name().starts_with(['f', 'b']) {
                    return open("a fraction of integers");
                }
                let (_, k) = in_order(&own, transposed.0);
                let mut all = named.sum(k, &mut |named, k| {
                    let left = ordered(m, &k, transposed.0);
                    let right = ordered(&k, n, transposed.1);
                    let left = named.element(x, &left)?.1;
                    let right = named.element(y, &right)?.1;
                    named.applied(F::Mul, dtype, &[left, right])
                })?;
                let alpha = named.algebra.number(Number::Float(factors.0));
                all = named.applied(F::Mul, dtype, &[alpha, all])?;
                if let Some(Some(slot)) = step.inputs.get(2) {
                    let to = named.dims(step.first)?;
                    let bias = named.broadcast(*slot, &to, place)?.1;
                    let beta = named.algebra.number(Number::Float(factors.1));
                    let bias = named.applied(F::Mul, dtype, &[beta, bias])?;
                    all = named.applied(F::Add, dtype, &[all, bias])?;
                }
                Ok((dtype, all))
            }
            Operator::Softmax(axis) => {
                let own = named.dims(x)?;
                let (dtype, one) = named.element(x, place)?;
                let one = named.applied(F::Exp, dtype, &[one])?;
                let all = sum_along(named, &own, &[*axis], place.to_vec(), &mut |named, from| {
                    let own = named.element(x, from)?.1;
                    named.applied(F::Exp, dtype, &[own])
                })?;
                Ok((dtype, named.applied(F::Div, dtype, &[one, all])?))
            }
            Operator::Shape(start, _) => {
                let own = named.dims(x)?;
                let Some(dim) = place
                    .first()
                    .and_then(|own_at| own.get(start + own_at.part))
                else {
                    return open("dims of different parts");
                };
                let one = named.algebra.number(Number::Int(1));
                Ok((Dtype::I64, named.sum(dim, &mut |_, _| Ok(one))?))
            }
            Operator::Expand => {
                let to = named.dims(step.first)?;
                named.broadcast(x, &to, place)
            }
            Operator::Line(at, _) => {
                let own = named.dims(x)?;
                let (_, parts) = product(&own)?;
                let from = apart(&own, &parts, &place[*at]);
                named.element(x, &from)
            }
            Operator::Slice(slices) => {
                let mut from = place.to_vec();
                for (axis, start, _) in slices {
                    from[*axis].part += start;
                }
                named.element(x, &from)
            }
            Operator::Pad(pads, value) => {
                let own = named.dims(x)?;
                let mut from = place.to_vec();
                let mut is_inside = true;
                for ((at, (before, _)), dim) in from.iter_mut().zip(pads).zip(&own) {
                    match at
                        .part
                        .checked_sub(*before)
                        .filter(|part| *part < dim.len())
                    {
                        Some(part) => at.part = part,
                        None => is_inside = false,
                    }
                }
                if is_inside {
                    return named.element(x, &from);
                }
                let dtype = dtype(named, x, &own)?;
                let value = match value {
                    Some(slot) => {
                        let only = vec![first(); named.rank(*slot)?];
                        named.element(*slot, &only)?.1
                    }
                    None => named.algebra.number(Number::Int(0)),
                };
                Ok((dtype, value))
            }
        }
    }
}

/// The places of dims that broadcast to others, at a place of these.
fn narrowed(dims: &[Dim], to: &[Dim], place: &[Place]) -> Result<Vec<Place>, Halt> {
    let skipped = to.len() - dims.len();
    let all = dims.iter().zip(to.iter().zip(place).skip(skipped));
    let own = all.map(|(dim, (to, place))| match (dim == to, sizes::is_one(dim)) {
        (true, _) => Ok(place.clone()),
        (false, true) => Ok(first()),
        (false, false) => open("dims of different parts"),
    });
    own.collect()
}

fn ordered(a: &Place, b: &Place, is_transposed: bool) -> Vec<Place> {
    match is_transposed {
        true => vec![b.clone(), a.clone()],
        false => vec![a.clone(), b.clone()],
    }
}

/// The dtype of a value.
fn dtype(named: &mut Named<'_, '_>, slot: Slot, dims: &[Dim]) -> Result<Dtype, Halt> {
    if let Some(known) = named.of_slots.get(&slot) {
        return Ok(*known);
    }
    let mut place = Vec::new();
    for dim in dims {
        match named.parts(dim).into_iter().next() {
            Some(own) => place.push(own),
            None => return dtype_without_elements(named, slot),
        }
    }
    Ok(named.element(slot, &place)?.0)
}

/// The dtype of a value that has no element: that of the value of which it is a part or a sum.
fn dtype_without_elements(named: &Named<'_, '_>, mut slot: Slot) -> Result<Dtype, Halt> {
    // A value is made of values before it.
    for _ in 0..=named.steps.len() {
        if let Some(known) = named.of_slots.get(&slot) {
            return Ok(*known);
        }
        let Some(number) = named.steps[slot] else {
            return match (named.constant(slot), named.dtypes.get(slot)) {
                (Some(own), _) => Ok(own.dtype),
                (None, Some(own)) => Ok(*own),
                (None, None) => open("a dim of 0"),
            };
        };
        match &named.operators[number] {
            None | Some(Operator::Elementwise(_) | Operator::Shape(..)) => break,
            Some(_) => slot = input(&named.sides.program.steps[number], 0)?,
        }
    }
    open("a dim of 0")
}

type At<'f> = &'f mut dyn FnMut(&mut Named<'_, '_>, &[Place]) -> Result<Expr, Halt>;

/// The sum along some axes of what is at a place.
fn sum_along(
    named: &mut Named<'_, '_>,
    dims: &[Dim],
    axes: &[usize],
    from: Vec<Place>,
    of: At<'_>,
) -> Result<Expr, Halt> {
    let Some((axis, rest)) = axes.split_first() else {
        return of(named, &from);
    };
    named.sum(&dims[*axis], &mut |named, place| {
        let mut from = from.clone();
        from[*axis] = place;
        sum_along(named, dims, rest, from, of)
    })
}

/// The places of dims at a place of the one that they are together.
fn apart(dims: &[Dim], parts: &[Vec<usize>], place: &Place) -> Vec<Place> {
    let mut vars = place.vars.iter().copied();
    let all = dims.iter().zip(&parts[place.part]);
    let own = all.map(|(dim, part)| Place {
        part: *part,
        vars: vars.by_ref().take(dim[*part].len()).collect(),
    });
    own.collect()
}
