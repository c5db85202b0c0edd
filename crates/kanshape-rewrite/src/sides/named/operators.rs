//! [`Operator`]: the dims of an output, from those of the inputs.

use kanshape_eval::{Attr, Number, is_elementwise};

use super::Named;
use super::sizes::{self, Dim, Halt, open};
use crate::program::{Slot, Step};

/// An operator whose elements are functions of an index.
#[derive(Clone)]
pub(super) enum Operator {
    /// Of one element of each input, which broadcast; with the number of the step.
    Elementwise(usize),
    /// The axis of the input that each axis is.
    Transpose(Vec<usize>),
    /// The axes of the input that are left; the others are 1.
    Squeeze(Vec<usize>),
    /// For each axis, the one of the input; none if it is new.
    Unsqueeze(Vec<Option<usize>>),
    Concat(usize),
    /// The first axis of the second dim.
    Flatten(usize),
    Sum {
        axes: Vec<usize>,
        keeps: bool,
        is_mean: bool,
        is_square: bool,
    },
    MatMul,
    Gemm {
        transposed: (bool, bool),
        factors: (f64, f64),
    },
    Softmax(usize),
    /// The first axis that is given, and how many are.
    Shape(usize, usize),
    Expand,
    /// All dims as one, with as many dims of 1 before it and in all.
    Line(usize, usize),
    /// For some axes the places from one to another.
    Slice(Vec<(usize, usize, usize)>),
    /// For each axis how many places are added before and behind, and what is there if it is not 0.
    Pad(Vec<(usize, usize)>, Option<Slot>),
}

/// From here on an end is beyond every size.
const BEYOND: i64 = i32::MAX as i64;

impl Operator {
    pub(super) fn of(named: &Named<'_, '_>, number: usize) -> Result<Operator, Halt> {
        let step = &named.sides.program.steps[number];
        let op = step.operator.name();
        let int = |name: &str, or: i64| match named.attr(number, name) {
            Some(Attr::Int(n)) => Ok(*n),
            None => Ok(or),
            Some(_) => open("an attribute"),
        };
        let float = |name: &str| match named.attr(number, name) {
            Some(Attr::Float(x)) => Ok(*x),
            Some(Attr::Int(n)) => Ok(*n as f64),
            None => Ok(1.0),
            Some(_) => open("an attribute"),
        };
        let rank = |i: usize| named.rank(input(step, i)?);
        // In an attribute, or in the second input.
        let axes = || match (named.attr(number, "axes"), step.inputs.get(1)) {
            (Some(Attr::Ints(all)), None) => Ok(Some(all.clone())),
            (None, Some(Some(slot))) => match named.constant(*slot) {
                Some(own) => Ok(own.data.iter().map(|own| int_of(*own)).collect()),
                None => open("axes that are not known"),
            },
            (None, None | Some(None)) => Ok(None),
            _ => open("an attribute"),
        };
        if is_elementwise(op) {
            let is_scalar = |slot: &Option<Slot>| match slot {
                Some(slot) => Ok::<bool, Halt>(named.rank(*slot)? == 0),
                None => Ok(true),
            };
            let others = step.inputs.iter().skip(1).map(is_scalar);
            let others = others.collect::<Result<Vec<bool>, Halt>>()?;
            // These have other inputs than those that broadcast, and old versions say where these are.
            let broadcasts = !matches!(op, "CastLike" | "Clip" | "Dropout")
                && ["axis", "broadcast"]
                    .iter()
                    .all(|own| named.attr(number, own).is_none());
            return match broadcasts || others.into_iter().all(|own| own) {
                true => Ok(Operator::Elementwise(number)),
                false => open(op),
            };
        }
        Ok(match op {
            "Transpose" => Operator::Transpose(match named.attr(number, "perm") {
                None => (0..rank(0)?).rev().collect(),
                Some(Attr::Ints(perm)) => at_axes(perm, rank(0)?)?,
                Some(_) => return open("an attribute"),
            }),
            "Squeeze" => {
                let Some(axes) = axes()? else {
                    return open("Squeeze of all axes");
                };
                let axes = at_axes(&axes, rank(0)?)?;
                Operator::Squeeze((0..rank(0)?).filter(|at| !axes.contains(at)).collect())
            }
            "Unsqueeze" => {
                let axes = axes()?.unwrap_or_default();
                let to = rank(0)? + axes.len();
                let axes = at_axes(&axes, to)?;
                let mut from = 0..;
                let own = (0..to).map(|at| (!axes.contains(&at)).then(|| from.next()).flatten());
                Operator::Unsqueeze(own.collect())
            }
            "Concat" => Operator::Concat(at_axis(int("axis", 1)?, rank(0)?)?),
            "Flatten" => {
                let axis = int("axis", 1)?;
                let rank = rank(0)?;
                let axis = if axis < 0 { axis + rank as i64 } else { axis };
                match usize::try_from(axis) {
                    Ok(axis) if axis <= rank => Operator::Flatten(axis),
                    _ => return Err(Halt::NoSuchSizes),
                }
            }
            "ReduceSum" | "ReduceMean" | "ReduceSumSquare" => {
                let axes = axes()?.unwrap_or_default();
                if axes.is_empty() && int("noop_with_empty_axes", 0)? != 0 {
                    return open(op);
                }
                let axes = match axes.is_empty() {
                    true => (0..rank(0)?).collect(),
                    false => at_axes(&axes, rank(0)?)?,
                };
                Operator::Sum {
                    axes,
                    keeps: int("keepdims", 1)? != 0,
                    is_mean: op == "ReduceMean",
                    is_square: op == "ReduceSumSquare",
                }
            }
            "MatMul" if rank(0)? == 0 || rank(1)? == 0 => return Err(Halt::NoSuchSizes),
            "MatMul" => Operator::MatMul,
            "Gemm" if step.operator.since() >= 7 => {
                if rank(0)? != 2 || rank(1)? != 2 {
                    return Err(Halt::NoSuchSizes);
                }
                Operator::Gemm {
                    transposed: (int("transA", 0)? != 0, int("transB", 0)? != 0),
                    factors: (float("alpha")?, float("beta")?),
                }
            }
            "Softmax" if step.operator.since() >= 13 => {
                Operator::Softmax(at_axis(int("axis", -1)?, rank(0)?)?)
            }
            "Shape" => {
                let rank = rank(0)?;
                let end = int("end", rank as i64)?;
                let at = |axis: i64| {
                    let own = if axis < 0 { axis + rank as i64 } else { axis };
                    usize::try_from(own.clamp(0, rank as i64)).unwrap_or(0)
                };
                let (start, end) = (at(int("start", 0)?), at(end));
                Operator::Shape(start, end.saturating_sub(start))
            }
            "Expand" => Operator::Expand,
            "Reshape" if step.operator.since() >= 5 => {
                let to = ints(named, step, 1)?;
                let line = to.iter().position(|own| *own == -1);
                match line {
                    Some(at) if to.iter().filter(|own| **own != 1).count() == 1 => {
                        Operator::Line(at, to.len())
                    }
                    _ => return open(op),
                }
            }
            "Slice" if step.operator.since() >= 10 => {
                let (starts, ends) = (ints(named, step, 1)?, ints(named, step, 2)?);
                let axes = match step.inputs.get(3) {
                    Some(Some(_)) => ints(named, step, 3)?,
                    _ => (0..starts.len() as i64).collect(),
                };
                let is_one_by_one = match step.inputs.get(4) {
                    Some(Some(_)) => ints(named, step, 4)?.iter().all(|own| *own == 1),
                    _ => true,
                };
                if !is_one_by_one || starts.len() != ends.len() || starts.len() != axes.len() {
                    return open(op);
                }
                let mut all = Vec::new();
                for (axis, (start, end)) in at_axes(&axes, rank(0)?)?
                    .into_iter()
                    .zip(starts.into_iter().zip(ends))
                {
                    let end = if end >= BEYOND { i64::MAX } else { end };
                    let own = (usize::try_from(start), usize::try_from(end));
                    let (Ok(start), Ok(end)) = own else {
                        return open(op);
                    };
                    all.push((axis, start, end));
                }
                Operator::Slice(all)
            }
            "Pad" if step.operator.since() >= 11 => {
                let is_constant = match named.attr(number, "mode") {
                    None => true,
                    Some(Attr::Text(mode)) => mode == "constant",
                    Some(_) => false,
                };
                if !is_constant {
                    return open(op);
                }
                let rank = rank(0)?;
                let pads = ints(named, step, 1)?;
                let axes = match step.inputs.get(3) {
                    Some(Some(_)) => at_axes(&ints(named, step, 3)?, rank)?,
                    _ => (0..rank).collect(),
                };
                if pads.len() != 2 * axes.len() {
                    return Err(Halt::NoSuchSizes);
                }
                let mut all = vec![(0, 0); rank];
                for (at, axis) in axes.iter().enumerate() {
                    let own = [pads[at], pads[at + axes.len()]].map(usize::try_from);
                    let [Ok(before), Ok(behind)] = own else {
                        return open("places that are left out");
                    };
                    all[*axis] = (before, behind);
                }
                Operator::Pad(all, step.inputs.get(2).copied().flatten())
            }
            _ => return open(op),
        })
    }

    /// The dims of the output. What has to be equal is.
    pub(super) fn dims(&self, named: &mut Named<'_, '_>, step: &Step) -> Result<Vec<Dim>, Halt> {
        let own = named.dims(input(step, 0)?)?;
        Ok(match self {
            Operator::Elementwise(_) => {
                let mut all = own;
                for slot in step.inputs.iter().skip(1).flatten() {
                    let other = named.dims(*slot)?;
                    all = broadcast(named, &all, &other)?;
                }
                all
            }
            Operator::Transpose(perm) if perm.len() != own.len() => {
                return Err(Halt::NoSuchSizes);
            }
            Operator::Transpose(perm) => perm.iter().map(|at| own[*at].clone()).collect(),
            Operator::Squeeze(kept) => {
                for (at, dim) in own.iter().enumerate() {
                    if !kept.contains(&at) {
                        named.sizes.equal(dim, &sizes::places(1)?)?;
                    }
                }
                kept.iter().map(|at| own[*at].clone()).collect()
            }
            Operator::Unsqueeze(from) => {
                let one = sizes::places(1)?;
                let dim = |at: &Option<usize>| at.map_or(one.clone(), |at| own[at].clone());
                from.iter().map(dim).collect()
            }
            Operator::Concat(axis) => {
                let mut all = own;
                for i in 1..step.inputs.len() {
                    let other = named.dims(input(step, i)?)?;
                    if other.len() != all.len() {
                        return Err(Halt::NoSuchSizes);
                    }
                    for (at, dim) in other.iter().enumerate() {
                        match at == *axis {
                            true => all[at].extend(dim.iter().cloned()),
                            false => named.sizes.equal(&all[at], dim)?,
                        }
                    }
                }
                all
            }
            Operator::Flatten(axis) => {
                vec![product(&own[..*axis])?.0, product(&own[*axis..])?.0]
            }
            Operator::Sum { axes, keeps, .. } => {
                let one = sizes::places(1)?;
                let all = own.into_iter().enumerate();
                let all = all.filter_map(|(at, dim)| match (axes.contains(&at), keeps) {
                    (true, true) => Some(one.clone()),
                    (true, false) => None,
                    (false, _) => Some(dim),
                });
                all.collect()
            }
            Operator::MatMul => {
                let other = named.dims(input(step, 1)?)?;
                let (a, b) = (split(&own, false), split(&other, true));
                named.sizes.equal(a.1, b.1)?;
                let mut all = broadcast(named, a.0, b.0)?;
                all.extend(a.2.cloned());
                all.extend(b.2.cloned());
                all
            }
            Operator::Gemm { transposed, .. } => {
                let other = named.dims(input(step, 1)?)?;
                let (m, k) = in_order(&own, transposed.0);
                let (other_k, n) = in_order(&other, transposed.1);
                named.sizes.equal(k, other_k)?;
                let all = vec![m.clone(), n.clone()];
                if let Some(Some(slot)) = step.inputs.get(2) {
                    let bias = named.dims(*slot)?;
                    let bias_to = broadcast(named, &all, &bias)?;
                    if bias_to.len() != 2 {
                        return Err(Halt::NoSuchSizes);
                    }
                    for (a, b) in all.iter().zip(&bias_to) {
                        named.sizes.equal(a, b)?;
                    }
                }
                all
            }
            Operator::Softmax(_) => own,
            Operator::Shape(_, count) => vec![sizes::places(*count)?],
            Operator::Expand => {
                let to = target(named, input(step, 1)?)?;
                broadcast(named, &own, &to)?
            }
            Operator::Line(at, rank) => {
                let mut all = vec![sizes::places(1)?; *rank];
                all[*at] = product(&own)?.0;
                all
            }
            Operator::Slice(slices) => {
                let mut all = own;
                for (axis, start, end) in slices {
                    all[*axis] = sliced(&all[*axis], *start, *end)?;
                }
                all
            }
            Operator::Pad(pads, value) => {
                if let Some(slot) = value
                    && named.dims(*slot)?.iter().any(|dim| !sizes::is_one(dim))
                {
                    return open("a pad of several elements");
                }
                let mut all = own;
                for (dim, (before, behind)) in all.iter_mut().zip(pads) {
                    let mut padded = sizes::places(*before)?;
                    padded.append(dim);
                    padded.extend(sizes::places(*behind)?);
                    *dim = padded;
                }
                all
            }
        })
    }
}

/// What is written as an input.
fn ints(named: &Named<'_, '_>, step: &Step, i: usize) -> Result<Vec<i64>, Halt> {
    let known = named.constant(input(step, i)?);
    let own = known.and_then(|own| own.data.iter().map(|own| int_of(*own)).collect());
    match own {
        Some(own) => Ok(own),
        None => open("sizes or places that are not written"),
    }
}

/// The dims that a value says, whose members are sizes.
fn target(named: &Named<'_, '_>, slot: Slot) -> Result<Vec<Dim>, Halt> {
    if let Some(own) = named.constant(slot) {
        let sizes = own.data.iter().map(|own| int_of(*own));
        let sizes = sizes.map(|own| own.and_then(|n| usize::try_from(n).ok()));
        return match sizes.collect::<Option<Vec<usize>>>() {
            Some(all) => all.into_iter().map(sizes::places).collect(),
            None => open("sizes that are not known"),
        };
    }
    match named.steps[slot].map(|number| (number, &named.operators[number])) {
        Some((number, Some(Operator::Shape(start, count)))) => {
            let from = input(&named.sides.program.steps[number], 0)?;
            let own = named.dims(from)?;
            Ok(own.into_iter().skip(*start).take(*count).collect())
        }
        _ => open("sizes that are not written"),
    }
}

/// Some places of a dim: all of them, or those of parts that have one place each.
fn sliced(dim: &Dim, start: usize, end: usize) -> Result<Dim, Halt> {
    if start == 0 && end >= BEYOND as usize {
        return Ok(dim.clone());
    }
    let single = dim.iter().take_while(|part| part.is_empty()).count();
    if end >= BEYOND as usize && start <= single {
        return Ok(dim[start..].to_vec());
    }
    let end = if single == dim.len() {
        end.min(single)
    } else {
        end
    };
    match start <= single && end <= single || single == dim.len() {
        true => Ok(dim[start.min(end)..end].to_vec()),
        false => open("a slice of a size with a name"),
    }
}

pub(super) fn input(step: &Step, i: usize) -> Result<Slot, Halt> {
    match step.inputs.get(i) {
        Some(Some(slot)) => Ok(*slot),
        _ => open("an input that is left out"),
    }
}

fn int_of(own: Number) -> Option<i64> {
    match own {
        Number::Int(n) => Some(n),
        _ => None,
    }
}

fn at_axis(axis: i64, rank: usize) -> Result<usize, Halt> {
    let own = if axis < 0 { axis + rank as i64 } else { axis };
    match usize::try_from(own) {
        Ok(own) if own < rank => Ok(own),
        _ => Err(Halt::NoSuchSizes),
    }
}

fn at_axes(axes: &[i64], rank: usize) -> Result<Vec<usize>, Halt> {
    let own = axes.iter().map(|axis| at_axis(*axis, rank));
    let own = own.collect::<Result<Vec<usize>, Halt>>()?;
    match own
        .iter()
        .enumerate()
        .all(|(i, axis)| !own[..i].contains(axis))
    {
        true => Ok(own),
        false => open("an axis that is there twice"),
    }
}

fn broadcast(named: &mut Named<'_, '_>, a: &[Dim], b: &[Dim]) -> Result<Vec<Dim>, Halt> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let (before, same) = long.split_at(long.len() - short.len());
    let mut all = before.to_vec();
    for (a, b) in same.iter().zip(short) {
        all.push(named.sizes.broadcast(a, b)?);
    }
    Ok(all)
}

/// The dims before the matrix, the one that is summed, and the other one, which a vector has not.
pub(super) fn split(dims: &[Dim], is_right: bool) -> (&[Dim], &Dim, Option<&Dim>) {
    match dims {
        [before @ .., a, b] if is_right => (before, a, Some(b)),
        [before @ .., a, b] => (before, b, Some(a)),
        _ => (&[], &dims[0], None),
    }
}

pub(super) fn in_order(dims: &[Dim], is_transposed: bool) -> (&Dim, &Dim) {
    match is_transposed {
        true => (&dims[1], &dims[0]),
        false => (&dims[0], &dims[1]),
    }
}

/// One dim for several, and for each part of it the parts of these.
pub(super) fn product(dims: &[Dim]) -> Result<(Dim, Vec<Vec<usize>>), Halt> {
    let mut all = sizes::places(1)?;
    let mut parts = vec![Vec::new()];
    for dim in dims {
        let (before, parts_before) = (std::mem::take(&mut all), std::mem::take(&mut parts));
        for (part, from) in before.iter().zip(&parts_before) {
            // The parts of a dim that is repeated are not one after the other.
            if !part.is_empty() && dim.len() != 1 {
                return open("a product of a size and a sum of sizes");
            }
            for (at, inner) in dim.iter().enumerate() {
                all.push([&part[..], &inner[..]].concat());
                parts.push([&from[..], &[at]].concat());
            }
        }
        if all.len() > 64 {
            return open("a dim of many parts");
        }
    }
    Ok((all, parts))
}
