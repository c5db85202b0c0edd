//! The elements of outputs at a place.

use kanshape::Dtype;
use kanshape_eval::{Function as F, Number, Scalars};

use super::operators::{Operator, in_order, input, kept, place_of, product, sliced, split};
use super::sizes::{self, Dim, Halt, Made, open};
use super::{Fold, Named, NamedElement, first, single};
use crate::program::{Slot, Step};
use crate::sides::algebra::{ElementIndex, Expr, IndexPlace, IndexTerm};

impl Operator {
    /// The element of an output at a place of it.
    pub(super) fn element(
        &self,
        named: &mut Named<'_, '_>,
        step: &Step,
        (slot, place): (Slot, &[IndexPlace]),
    ) -> Result<NamedElement, Halt> {
        let x = input(step, 0)?;
        match self {
            Operator::Elementwise(number) => {
                let to = named.dims(step.first)?;
                let inputs = step.inputs.iter().map(|slot| match slot {
                    Some(slot) => named.broadcast(*slot, &to, place).map(Some),
                    None => Ok(None),
                });
                let inputs: Vec<Option<NamedElement>> = inputs.collect::<Result<_, Halt>>()?;
                named.of_elements(step, *number, &inputs, &[])
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
                let kept: Vec<IndexPlace> = kept.map(|own| own.1.clone()).collect();
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
            Operator::Reduce { axes, keeps, of } => {
                let own = named.dims(x)?;
                let mut kept = place.iter();
                let from = (0..own.len()).map(|at| match axes.contains(&at) {
                    true => {
                        keeps.then(|| kept.next());
                        Some(first())
                    }
                    false => kept.next().cloned(),
                });
                let Some(from) = from.collect::<Option<Vec<IndexPlace>>>() else {
                    return open("dims of different parts");
                };
                let dtype = dtype(named, x, &own)?;
                let is_real = dtype.name().starts_with(['f', 'b']);
                if (of.is_mean || of.is_root) && !is_real {
                    return open("a mean of integers");
                }
                let all = along(
                    named,
                    (of.fold, dtype),
                    &own,
                    axes,
                    from.clone(),
                    &mut |named, from| {
                        let own = named.element(x, from)?.1;
                        match (of.is_square, of.is_abs) {
                            (true, _) => named.applied(F::Mul, dtype, &[own, own]),
                            (_, true) => named.applied(F::Abs, dtype, &[own]),
                            _ => Ok(own),
                        }
                    },
                )?;
                let mut all = match (all, of.fold) {
                    (Some(all), _) => all,
                    (None, Fold::Sum) => named.algebra.number(Number::Int(0)),
                    (None, _) => return open("the largest of nothing"),
                };
                if of.is_mean {
                    let one = named.algebra.number(Number::Int(1));
                    let count = sum_along(named, &own, axes, from, &mut |_, _| Ok(one))?;
                    all = named.applied(F::Div, dtype, &[all, count])?;
                }
                if of.is_root {
                    all = named.applied(F::Sqrt, dtype, &[all])?;
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
            Operator::Reshape(_) => {
                let (own, to) = (named.dims(x)?, named.dims(step.first)?);
                let from = moved(named, &own, to, place.to_vec())?;
                named.element(x, &from)
            }
            Operator::Slice(slices) => {
                let own = named.dims(x)?;
                let mut from = place.to_vec();
                for (axis, start, end) in slices {
                    from[*axis].part += sliced(named, &own[*axis], *start, *end)?.0;
                }
                named.element(x, &from)
            }
            // As many places as there are: all of them.
            Operator::SliceOf(..) if named.dims(x)? == named.dims(slot)? => named.element(x, place),
            Operator::SliceOf(..) => open("places that are not written"),
            Operator::Gather(axis) => {
                let own = named.dims(x)?;
                let indices = input(step, 1)?;
                let between = place.len() + 1 - own.len();
                let index = named.element(indices, &place[*axis..axis + between])?.1;
                let at = match named.algebra.known(&index) {
                    Some(Number::Int(n)) => single(place_of(named, &own[*axis], n)?),
                    _ => {
                        let [part] = &own[*axis][..] else {
                            return open("an index of a sum of sizes");
                        };
                        let term = unknown(named, "index", &own[*axis], vec![index]);
                        IndexPlace {
                            part: 0,
                            at: match part.len() {
                                0 => Vec::new(),
                                1 => vec![ElementIndex::Term(term)],
                                _ => return open("an index of a product of sizes"),
                            },
                        }
                    }
                };
                let from = [&place[..*axis], &[at], &place[axis + between..]].concat();
                named.element(x, &from)
            }
            Operator::Einsum(inputs, output) => {
                let mut of_letters: Vec<Option<IndexPlace>> = vec![None; 256];
                for (letter, own) in output.iter().zip(place) {
                    of_letters[usize::from(*letter)] = Some(own.clone());
                }
                let mut summed: Vec<(u8, Dim)> = Vec::new();
                for (i, letters) in inputs.iter().enumerate() {
                    let own = named.dims(input(step, i)?)?;
                    for (letter, dim) in letters.iter().zip(own) {
                        let is_new =
                            !output.contains(letter) && summed.iter().all(|own| own.0 != *letter);
                        is_new.then(|| summed.push((*letter, dim)));
                    }
                }
                let own = named.dims(x)?;
                let dtype = dtype(named, x, &own)?;
                let dims: Vec<Dim> = summed.iter().map(|own| own.1.clone()).collect();
                let axes: Vec<usize> = (0..dims.len()).collect();
                let from = vec![first(); dims.len()];
                let all = sum_along(named, &dims, &axes, from, &mut |named, at| {
                    let mut of_letters = of_letters.clone();
                    for ((letter, _), at) in summed.iter().zip(at) {
                        of_letters[usize::from(*letter)] = Some(at.clone());
                    }
                    let mut all = named.algebra.number(Number::Int(1));
                    for (i, letters) in inputs.iter().enumerate() {
                        let at = letters
                            .iter()
                            .map(|own| of_letters[usize::from(*own)].clone());
                        let Some(at) = at.collect::<Option<Vec<IndexPlace>>>() else {
                            return open("Einsum");
                        };
                        let own = named.element(input(step, i)?, &at)?.1;
                        all = named.applied(F::Mul, dtype, &[all, own])?;
                    }
                    Ok(all)
                })?;
                Ok((dtype, all))
            }
            Operator::BatchNormalization(number) => {
                let mut inputs = vec![Some(named.element(x, place)?)];
                for i in 1..5 {
                    inputs.push(Some(named.element(input(step, i)?, &place[1..2])?));
                }
                named.of_elements(step, *number, &inputs, &[place.len(), 1, 1, 1, 1])
            }
            Operator::Windows(own) => {
                let dims = named.dims(x)?;
                let dtype = dtype(named, x, &dims)?;
                own.element(named, step, place, dtype)
            }
            Operator::Split(own) => {
                let mut from = place.to_vec();
                for before in step.first..slot {
                    from[own.axis].part += named.dims(before)?[own.axis].len();
                }
                named.element(x, &from)
            }
            Operator::Pad(pads, value) => {
                let own = named.dims(x)?;
                let mut from = place.to_vec();
                let mut is_inside = true;
                for ((at, (before, behind)), dim) in from.iter_mut().zip(pads).zip(&own) {
                    let added = usize::try_from(*before).unwrap_or(0);
                    let to = if *behind < 0 { *behind } else { i64::MAX };
                    let (from, to) = kept(named, dim, (-before).max(0), to)?;
                    match at.part.checked_sub(added).filter(|part| from + part < to) {
                        Some(part) => at.part = from + part,
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
fn narrowed(dims: &[Dim], to: &[Dim], place: &[IndexPlace]) -> Result<Vec<IndexPlace>, Halt> {
    let skipped = to.len() - dims.len();
    let all = dims.iter().zip(to.iter().zip(place).skip(skipped));
    let own = all.map(|(dim, (to, place))| match (dim == to, sizes::is_one(dim)) {
        (true, _) => Ok(place.clone()),
        (false, true) => Ok(first()),
        (false, false) => open("dims of different parts"),
    });
    own.collect()
}

fn ordered(a: &IndexPlace, b: &IndexPlace, is_transposed: bool) -> Vec<IndexPlace> {
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

type ElementAt<'f> = &'f mut dyn FnMut(&mut Named<'_, '_>, &[IndexPlace]) -> Result<Expr, Halt>;

/// The sum along some axes of what is at a place.
fn sum_along(
    named: &mut Named<'_, '_>,
    dims: &[Dim],
    axes: &[usize],
    from: Vec<IndexPlace>,
    of: ElementAt<'_>,
) -> Result<Expr, Halt> {
    let zero = named.algebra.number(Number::Int(0));
    let own = along(named, (Fold::Sum, Dtype::F64), dims, axes, from, of)?;
    Ok(own.unwrap_or(zero))
}

/// What is at the places along some axes as one; none if there are no places.
fn along(
    named: &mut Named<'_, '_>,
    (fold, dtype): (Fold, Dtype),
    dims: &[Dim],
    axes: &[usize],
    from: Vec<IndexPlace>,
    of: ElementAt<'_>,
) -> Result<Option<Expr>, Halt> {
    let Some((axis, rest)) = axes.split_first() else {
        return of(named, &from).map(Some);
    };
    // There is something at each place, or at none.
    if rest.iter().any(|axis| dims[*axis].is_empty()) {
        return Ok(None);
    }
    named.folded(fold, dtype, &dims[*axis], &mut |named, place| {
        let mut from = from.clone();
        from[*axis] = place;
        match along(named, (fold, dtype), dims, rest, from, of)? {
            Some(own) => Ok(own),
            None => open("a dim of 0"),
        }
    })
}

/// The index that is a function of expressions, for a dim.
fn unknown(named: &mut Named<'_, '_>, name: &'static str, dim: &Dim, exprs: Vec<Expr>) -> u32 {
    let function = named.functions.number(Made {
        name,
        numbers: Vec::new(),
        dims: vec![dim.clone()],
    });
    named.algebra.term(IndexTerm {
        function,
        places: Vec::new(),
        exprs,
    })
}

/// The place of some dims whose element stands at a place of others, in the same order.
fn moved(
    named: &mut Named<'_, '_>,
    own: &[Dim],
    mut to: Vec<Dim>,
    mut place: Vec<IndexPlace>,
) -> Result<Vec<IndexPlace>, Halt> {
    // What was moved from other dims to these stands where it stood there.
    for _ in 0..8 {
        match came_from(named, &to, &place) {
            Some(before) => (to, place) = before,
            None => break,
        }
    }
    if own == to {
        return Ok(place);
    }
    // What stands in the same order is the same line.
    if let Ok((line, parts)) = product(&to) {
        let wanted: Vec<usize> = place.iter().map(|own| own.part).collect();
        if let Some(part) = parts.iter().position(|own| *own == wanted) {
            let at = place.iter().flat_map(|own| own.at.iter().copied());
            place = vec![IndexPlace {
                part,
                at: at.collect(),
            }];
            to = vec![line];
        }
    }
    if let Ok((line, parts)) = product(own)
        && to == [line]
    {
        return Ok(apart(own, &parts, &place[0]));
    }
    stood(named, own, &to, &place)
}

/// The place of these dims at which something stands that is at a place of others: a function of it.
fn stood(
    named: &mut Named<'_, '_>,
    own: &[Dim],
    to: &[Dim],
    place: &[IndexPlace],
) -> Result<Vec<IndexPlace>, Halt> {
    let mut all = Vec::new();
    for (axis, dim) in own.iter().enumerate() {
        let [part] = &dim[..] else {
            return open("Reshape of a sum of sizes");
        };
        let at = (0..part.len()).map(|factor| {
            let function = named.functions.number(Made {
                name: "order",
                numbers: vec![own.len() as i64, axis as i64, factor as i64],
                dims: [own, to].concat(),
            });
            ElementIndex::Term(named.algebra.term(IndexTerm {
                function,
                places: place.to_vec(),
                exprs: Vec::new(),
            }))
        });
        let at = at.collect();
        all.push(IndexPlace { part: 0, at });
    }
    Ok(all)
}

/// The dims and the place from which a place was moved to these dims.
fn came_from(
    named: &mut Named<'_, '_>,
    own: &[Dim],
    place: &[IndexPlace],
) -> Option<(Vec<Dim>, Vec<IndexPlace>)> {
    let index = place.iter().find_map(|own| own.at.first())?;
    let ElementIndex::Term(number) = index else {
        return None;
    };
    let term = named.algebra.as_term(*number).clone();
    let made = named.functions.get(term.function);
    if made.name != "order" || made.dims.get(..own.len()) != Some(own) {
        return None;
    }
    let to = made.dims[own.len()..].to_vec();
    let is = stood(named, own, &to, &term.places).is_ok_and(|own| own == place);
    is.then_some((to, term.places))
}

/// The places of dims at a place of the one that they are together.
fn apart(dims: &[Dim], parts: &[Vec<usize>], place: &IndexPlace) -> Vec<IndexPlace> {
    let mut at = place.at.iter().copied();
    let all = dims.iter().zip(&parts[place.part]);
    let own = all.map(|(dim, part)| IndexPlace {
        part: *part,
        at: at.by_ref().take(dim[*part].len()).collect(),
    });
    own.collect()
}
