//! [`Operator`]: the dims of an output, from those of the inputs.

use kanshape_eval::{Attr, Number, is_elementwise};

use super::sizes::{self, Decision, Dim, Halt, Key, Made, open};
use super::windows::Windows;
use super::{Fold, Named};
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
    Reduce {
        axes: Vec<usize>,
        keeps: bool,
        of: Reduced,
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
    /// The elements in the same order; whether a 0 is a size.
    Reshape(bool),
    /// For some axes the places from one to another, counted from the end where they are negative.
    Slice(Vec<(usize, i64, i64)>),
    /// The same of some axes from and to places that are not known, which are in these operands.
    SliceOf(Vec<usize>, [Slot; 2]),
    /// For each axis how many places are added before and behind, or left out where they are negative, and what is there if it is not 0.
    Pad(Vec<(i64, i64)>, Option<Slot>),
    /// At an axis the places that an operand says.
    Gather(usize),
    /// The letters of the dims of each input, and of the output.
    Einsum(Vec<Vec<u8>>, Vec<u8>),
    /// With the number of the step.
    BatchNormalization(usize),
    Windows(Windows),
    Split(Split),
}

/// How the elements along axes become one.
#[derive(Clone, Copy)]
pub(super) struct Reduced {
    pub(super) fold: Fold,
    /// Divided by how many there are.
    pub(super) is_mean: bool,
    /// Of each element, its square or how large it is.
    pub(super) is_square: bool,
    pub(super) is_abs: bool,
    /// Of the sum.
    pub(super) is_root: bool,
}

/// The parts of a tensor along an axis: so many places each, or as many each.
#[derive(Clone)]
pub(super) struct Split {
    pub(super) axis: usize,
    sizes: Option<Vec<i64>>,
    /// The last part may have fewer.
    is_uneven: bool,
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
            Some(Attr::Float(x)) => Ok(f64::from(*x as f32)),
            Some(Attr::Int(n)) => Ok(*n as f64),
            None => Ok(1.0),
            Some(_) => open("an attribute"),
        };
        let rank = |i: usize| named.rank(input(step, i)?);
        // In an attribute, or in the second input.
        let axes = || match (named.attr(number, "axes"), step.inputs.get(1)) {
            (Some(Attr::Ints(all)), None) => Ok(Some(all.clone())),
            (None, Some(Some(slot))) => {
                let rank = rank(0)?;
                let most = rank + usize::from(op == "Unsqueeze") * members(named, *slot)?;
                axes_of(named, *slot, most).map(Some)
            }
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
                false if op == "Clip" => Err(Halt::NoSuchSizes),
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
            "ReduceSum" | "ReduceMean" | "ReduceSumSquare" | "ReduceMax" | "ReduceMin"
            | "ReduceL1" | "ReduceL2" => {
                let axes = axes()?.unwrap_or_default();
                if axes.is_empty() && int("noop_with_empty_axes", 0)? != 0 {
                    return open(op);
                }
                let axes = match axes.is_empty() {
                    true => (0..rank(0)?).collect(),
                    false => at_axes(&axes, rank(0)?)?,
                };
                Operator::Reduce {
                    axes,
                    keeps: int("keepdims", 1)? != 0,
                    of: Reduced::of(op),
                }
            }
            "GlobalAveragePool" | "GlobalMaxPool" => Operator::Reduce {
                axes: (2..rank(0)?).collect(),
                keeps: true,
                of: Reduced::of(op),
            },
            "Conv" | "MaxPool" | "AveragePool" => Operator::Windows(Windows::of(named, number)?),
            "BatchNormalization" if step.operator.since() >= 7 => {
                let is_training = int("training_mode", 0)? != 0;
                match is_training || rank(0)? < 2 {
                    true => return open(op),
                    false => Operator::BatchNormalization(number),
                }
            }
            "Einsum" => {
                let Some(Attr::Text(equation)) = named.attr(number, "equation") else {
                    return open(op);
                };
                einsum(named, step, equation)?
            }
            "Gather" => Operator::Gather(at_axis(int("axis", 0)?, rank(0)?)?),
            "Split" => {
                let sizes = match (named.attr(number, "split"), step.inputs.get(1)) {
                    (Some(Attr::Ints(all)), _) => Some(all.clone()),
                    (None, Some(Some(_))) => Some(ints(named, step, 1)?),
                    (None, _) => None,
                    _ => return open("an attribute"),
                };
                let count = int("num_outputs", step.outputs as i64)?;
                if count != step.outputs as i64
                    || sizes.as_ref().is_some_and(|own| own.len() != step.outputs)
                {
                    return open(op);
                }
                Operator::Split(Split {
                    axis: at_axis(int("axis", 0)?, rank(0)?)?,
                    sizes,
                    is_uneven: step.operator.since() >= 18,
                })
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
            "Reshape" if step.operator.since() >= 5 => Operator::Reshape(int("allowzero", 0)? != 0),
            "Slice" if step.operator.since() >= 10 => {
                let axes = match step.inputs.get(3) {
                    Some(Some(slot)) => axes_of(named, *slot, rank(0)?)?,
                    _ => (0..members(named, input(step, 1)?)? as i64).collect(),
                };
                let axes = at_different_axes(&axes, rank(0)?)?;
                let is_one_by_one = match step.inputs.get(4) {
                    Some(Some(_)) => ints(named, step, 4)?.iter().all(|own| *own == 1),
                    _ => true,
                };
                if !is_one_by_one {
                    return open(op);
                }
                let (from, to) = (input(step, 1)?, input(step, 2)?);
                if named.constant(from).is_none() || named.constant(to).is_none() {
                    return Ok(Operator::SliceOf(axes, [from, to]));
                }
                let (starts, ends) = (ints(named, step, 1)?, ints(named, step, 2)?);
                if starts.len() != ends.len() || starts.len() != axes.len() {
                    return open(op);
                }
                let all = axes.into_iter().zip(starts.into_iter().zip(ends));
                Operator::Slice(all.map(|(axis, (start, end))| (axis, start, end)).collect())
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
                    Some(Some(_)) => at_different_axes(&ints(named, step, 3)?, rank)?,
                    _ => (0..rank).collect(),
                };
                if pads.len() != 2 * axes.len() {
                    return Err(Halt::NoSuchSizes);
                }
                let mut all = vec![(0, 0); rank];
                for (at, axis) in axes.iter().enumerate() {
                    all[*axis] = (pads[at], pads[at + axes.len()]);
                }
                Operator::Pad(all, step.inputs.get(2).copied().flatten())
            }
            _ => return open(op),
        })
    }

    /// The dims of the output. What has to be equal is.
    pub(super) fn dims(
        &self,
        named: &mut Named<'_, '_>,
        step: &Step,
        number: usize,
    ) -> Result<Vec<Dim>, Halt> {
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
            Operator::Reduce { axes, keeps, .. } => {
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
            Operator::Reshape(allows_zero) => reshaped(named, step, number, &own, *allows_zero)?,
            Operator::Slice(slices) => {
                let mut all = own;
                for (axis, start, end) in slices {
                    let (from, to) = sliced(named, &all[*axis], *start, *end)?;
                    all[*axis] = all[*axis][from..to].to_vec();
                }
                all
            }
            Operator::SliceOf(axes, [from, to]) => {
                let mut all = own;
                for (at, axis) in axes.iter().enumerate() {
                    let made = Made {
                        name: "slice",
                        numbers: vec![*from as i64, *to as i64, at as i64],
                        dims: vec![all[*axis].clone()],
                    };
                    all[*axis] = named.sizes.made(made, Key::Made(number, at))?;
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
                    let from = if *before < 0 { -before } else { 0 };
                    let to = if *behind < 0 { *behind } else { i64::MAX };
                    let (from, to) = kept(named, dim, from, to)?;
                    let added = |n: i64| sizes::places(usize::try_from(n).unwrap_or(0));
                    *dim = [added(*before)?, dim[from..to].to_vec(), added(*behind)?].concat();
                }
                all
            }
            Operator::Gather(axis) => {
                let from = input(step, 1)?;
                let written = named.constant(from);
                let written: Vec<i64> = written
                    .iter()
                    .flat_map(|own| own.data.iter().filter_map(|own| int_of(*own)))
                    .collect();
                for at in written {
                    place_of(named, &own[*axis], at)?;
                }
                let between = named.dims(from)?;
                [&own[..*axis], &between[..], &own[axis + 1..]].concat()
            }
            Operator::Einsum(inputs, output) => {
                let mut of_letters = vec![None; 256];
                for (i, letters) in inputs.iter().enumerate() {
                    let own = named.dims(input(step, i)?)?;
                    if own.len() != letters.len() {
                        return Err(Halt::NoSuchSizes);
                    }
                    for (dim, letter) in own.iter().zip(letters) {
                        match &of_letters[usize::from(*letter)] {
                            None => of_letters[usize::from(*letter)] = Some(dim.clone()),
                            // A dim of 1 is not stretched by all executors.
                            Some(known) => named.sizes.equal(known, dim)?,
                        }
                    }
                }
                let all = output
                    .iter()
                    .map(|letter| of_letters[usize::from(*letter)].clone());
                all.collect::<Option<_>>().ok_or(Halt::NoSuchSizes)?
            }
            Operator::BatchNormalization(_) => {
                for i in 1..5 {
                    match &named.dims(input(step, i)?)?[..] {
                        [dim] => named.sizes.equal(dim, &own[1])?,
                        _ => return Err(Halt::NoSuchSizes),
                    }
                }
                own
            }
            Operator::Windows(own) => own.dims(named, step)?,
            Operator::Split(_) => return open("Split"),
        })
    }
}

impl Reduced {
    fn of(op: &str) -> Reduced {
        Reduced {
            fold: match op {
                "ReduceMax" | "GlobalMaxPool" => Fold::Max,
                "ReduceMin" => Fold::Min,
                _ => Fold::Sum,
            },
            is_mean: matches!(op, "ReduceMean" | "GlobalAveragePool"),
            is_square: matches!(op, "ReduceSumSquare" | "ReduceL2"),
            is_abs: op == "ReduceL1",
            is_root: op == "ReduceL2",
        }
    }
}

impl Split {
    /// The dims of each output.
    pub(super) fn dims(
        &self,
        named: &mut Named<'_, '_>,
        step: &Step,
        number: usize,
    ) -> Result<Vec<Vec<Dim>>, Halt> {
        let own = named.dims(input(step, 0)?)?;
        let dim = &own[self.axis];
        let count = step.outputs;
        let parts: Vec<Dim> = match &self.sizes {
            Some(all) => {
                let all = all.iter().map(|n| match usize::try_from(*n) {
                    Ok(n) => sizes::places(n),
                    Err(_) => Err(Halt::NoSuchSizes),
                });
                all.collect::<Result<_, Halt>>()?
            }
            None if count == 1 => vec![dim.clone()],
            None => {
                let made = |name| Made {
                    name,
                    numbers: vec![count as i64, i64::from(self.is_uneven)],
                    dims: vec![dim.clone()],
                };
                let part = named.sizes.made(made("part"), Key::Made(number, 0))?;
                let mut all = vec![part; count];
                if self.is_uneven {
                    all[count - 1] = named.sizes.made(made("last part"), Key::Made(number, 1))?;
                }
                all
            }
        };
        named.sizes.equal(dim, &parts.concat())?;
        let of_part = |part: &Dim| {
            let mut all = own.clone();
            all[self.axis].clone_from(part);
            all
        };
        Ok(parts.iter().map(of_part).collect())
    }
}

/// The dims of a Reshape.
fn reshaped(
    named: &mut Named<'_, '_>,
    step: &Step,
    number: usize,
    own: &[Dim],
    allows_zero: bool,
) -> Result<Vec<Dim>, Halt> {
    let slot = input(step, 1)?;
    let made = |name: &'static str, numbers: Vec<i64>| Made {
        name,
        numbers,
        dims: own.to_vec(),
    };
    let Some(written) = named.constant(slot) else {
        if let Ok(all) = target(named, slot) {
            return Ok(all);
        }
        // What the operand says is not known: it is the same of the same operand.
        let zero = i64::from(allows_zero);
        let all = (0..members(named, slot)?).map(|at| {
            let own = made("reshape", vec![slot as i64, at as i64, zero]);
            named.sizes.made(own, Key::Made(number, at))
        });
        return all.collect();
    };
    let to: Option<Vec<i64>> = written.data.iter().map(|own| int_of(*own)).collect();
    let Some(to) = to else {
        return open("sizes that are not known");
    };
    let mut all = Vec::new();
    let mut left: Vec<Option<&Dim>> = own.iter().map(Some).collect();
    let mut line = None;
    let mut is_simple = true;
    for (at, size) in to.iter().enumerate() {
        all.push(match *size {
            0 if !allows_zero => {
                let Some(dim) = own.get(at) else {
                    return Err(Halt::NoSuchSizes);
                };
                left[at] = None;
                dim.clone()
            }
            -1 if line.is_none() => {
                line = Some(at);
                Vec::new()
            }
            size => {
                is_simple &= size == 1;
                named
                    .sizes
                    .count(u64::try_from(size).map_err(|_| Halt::NoSuchSizes)?)
            }
        });
    }
    if let Some(at) = line {
        let left: Vec<Dim> = left.into_iter().flatten().cloned().collect();
        all[at] = match is_simple.then(|| product(&left)) {
            Some(Ok((dim, _))) => dim,
            _ => named
                .sizes
                .made(made("what is left", to), Key::Made(number, at))?,
        };
    }
    Ok(all)
}

/// The letters of an equation; no two of one input are the same.
fn einsum(named: &Named<'_, '_>, step: &Step, equation: &str) -> Result<Operator, Halt> {
    let equation: String = equation.chars().filter(|c| !c.is_whitespace()).collect();
    let Some((inputs, output)) = equation.split_once("->") else {
        return open("Einsum without an output");
    };
    let letters = |own: &str| -> Option<Vec<u8>> {
        let own = own.as_bytes();
        let is_once = |at: usize| !own[..at].contains(&own[at]);
        let are = own.iter().all(u8::is_ascii_alphabetic) && (0..own.len()).all(is_once);
        are.then(|| own.to_vec())
    };
    let inputs: Option<Vec<Vec<u8>>> = inputs.split(',').map(letters).collect();
    let (Some(inputs), Some(output)) = (inputs, letters(output)) else {
        return open("Einsum");
    };
    if inputs.len() != step.inputs.len()
        || !output
            .iter()
            .all(|own| inputs.iter().any(|all| all.contains(own)))
    {
        return open("Einsum");
    }
    for (i, own) in inputs.iter().enumerate() {
        if named.rank(input(step, i)?)? != own.len() {
            return Err(Halt::NoSuchSizes);
        }
    }
    Ok(Operator::Einsum(inputs, output))
}

/// How many members a list has, or a scalar.
fn members(named: &Named<'_, '_>, slot: Slot) -> Result<usize, Halt> {
    match &named.dims(slot)?[..] {
        [] => Ok(1),
        [dim] if sizes::is_counted(dim) => Ok(dim.len()),
        _ => open("a list whose members are not counted"),
    }
}

/// The axes that are written, or that the members of a leaf are in each case.
fn axes_of(named: &Named<'_, '_>, slot: Slot, most: usize) -> Result<Vec<i64>, Halt> {
    if let Some(own) = named.constant(slot) {
        let own = own.data.iter().map(|own| int_of(*own));
        return match own.collect() {
            Some(own) => Ok(own),
            None => open("axes that are not known"),
        };
    }
    if named.steps[slot].is_some() {
        return open("axes that are not known");
    }
    let most = most as i64;
    let all = (0..members(named, slot)?).map(|at| match named.sizes.member(slot, at) {
        Some(n) => Ok(n),
        None => Err(Halt::Cases(
            Key::Member(slot, at),
            (-most..most).map(Decision::Is).collect(),
        )),
    });
    all.collect()
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

/// The parts of a dim from a place to another one, counted from the end where they are negative.
pub(super) fn sliced(
    named: &Named<'_, '_>,
    dim: &Dim,
    start: i64,
    end: i64,
) -> Result<(usize, usize), Halt> {
    let from = at_place(named, dim, start)?;
    let to = at_place(named, dim, end)?;
    Ok((from.min(to), to))
}

/// The same of what a pad leaves out: there are as many places.
pub(super) fn kept(
    named: &Named<'_, '_>,
    dim: &Dim,
    before: i64,
    behind: i64,
) -> Result<(usize, usize), Halt> {
    let (from, to) = (at_place(named, dim, before)?, at_place(named, dim, behind)?);
    let left_out = before.saturating_add(if behind < 0 { -behind } else { 0 });
    let is_short = sizes::is_counted(dim) && (dim.len() as i64) < left_out;
    if is_short || from > to {
        return Err(Halt::NoSuchSizes);
    }
    Ok((from, to))
}

/// The part before which a place is: as many parts of one place each are before it, or behind it.
fn at_place(named: &Named<'_, '_>, dim: &Dim, at: i64) -> Result<usize, Halt> {
    if at >= BEYOND {
        return Ok(dim.len());
    }
    if at <= -BEYOND {
        return Ok(0);
    }
    let count = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
    let own = if at < 0 {
        let single = dim.iter().rev().take_while(|part| part.is_empty()).count();
        (single >= count).then(|| dim.len() - count)
    } else {
        let single = dim.iter().take_while(|part| part.is_empty()).count();
        (single >= count).then_some(count)
    };
    match own {
        Some(own) => Ok(own),
        None if sizes::is_counted(dim) => Ok(if at < 0 { 0 } else { dim.len() }),
        None if at < 0 => open("places that are counted from the end"),
        None => named.sizes.counted(dim),
    }
}

/// The part that is one place of a dim.
pub(super) fn place_of(named: &Named<'_, '_>, dim: &Dim, at: i64) -> Result<usize, Halt> {
    let is_out = if at < 0 {
        -(dim.len() as i64) > at
    } else {
        dim.len() as i64 <= at
    };
    if sizes::is_counted(dim) && is_out {
        return Err(Halt::NoSuchSizes);
    }
    if at < 0 {
        return at_place(named, dim, at);
    }
    Ok(at_place(named, dim, at.saturating_add(1))? - 1)
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

/// Axes, of which no two may be the same.
fn at_axes(axes: &[i64], rank: usize) -> Result<Vec<usize>, Halt> {
    each_axis(axes, rank, Err(Halt::NoSuchSizes))
}

/// Axes, where what is done with one twice is not defined.
fn at_different_axes(axes: &[i64], rank: usize) -> Result<Vec<usize>, Halt> {
    each_axis(axes, rank, open("an axis that is there twice"))
}

/// Axes, and what comes of it if one is there twice.
fn each_axis(
    axes: &[i64],
    rank: usize,
    twice: Result<Vec<usize>, Halt>,
) -> Result<Vec<usize>, Halt> {
    let own = axes.iter().map(|axis| at_axis(*axis, rank));
    let own = own.collect::<Result<Vec<usize>, Halt>>()?;
    match is_twice(&own) {
        false => Ok(own),
        true => twice,
    }
}

fn is_twice(axes: &[usize]) -> bool {
    let mut all = axes.iter().enumerate();
    all.any(|(i, axis)| axes[..i].contains(axis))
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
