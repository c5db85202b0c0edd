//! Elements taken from, and put into, the places that indices say.

use kanshape_types::Dtype;

use crate::array::{Array, axis, count, places};
use crate::context::{Calculate, Context, Outputs};
use crate::scalars::{Function as F, Scalars};
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "Gather" => gather,
        "GatherElements" => gather_elements,
        "GatherND" => gather_nd,
        "ScatterElements" | "Scatter" => scatter_elements,
        "ScatterND" => scatter_nd,
        "Compress" => compress,
        "OneHot" => one_hot,
        _ => return None,
    })
}

/// An index that may count from the end.
fn index(n: i64, size: usize) -> Result<usize, Stop> {
    let counted = if n < 0 { n + size as i64 } else { n };
    match usize::try_from(counted) {
        Ok(own) if own < size => Ok(own),
        _ => Stop::refused(format!("index {n} of {size}")),
    }
}

fn gather<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, indices) = (c.input(0)?, c.input(1)?);
    let at = axis(c.int("axis", 0), x.rank())?;
    let behind = at + indices.rank();
    let mut shape = x.shape[..at].to_vec();
    shape.extend(&indices.shape);
    shape.extend(&x.shape[at + 1..]);
    let size = x.shape[at];
    let own = Array::by(x.dtype, shape, |place| {
        let own = indices.at(&place[at..behind])?;
        let from = |at_axis: usize| {
            let parts = [&place[..at], &[at_axis], &place[behind..]];
            x.at(&parts.concat())
        };
        match c.scalars.known(&own) {
            Some(number) => from(index(number.int().unwrap_or(i64::MAX), size)?),
            None => {
                let choices = (0..size).map(from).collect::<Result<Vec<_>, Stop>>()?;
                c.scalars.select(&own, &choices)
            }
        }
    })?;
    Ok(vec![own])
}

fn gather_elements<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, indices) = (c.input(0)?, c.input(1)?);
    let at = axis(c.int("axis", 0), x.rank())?;
    let size = x.shape[at];
    if indices.rank() != x.rank() {
        return Stop::refused("indices of another rank");
    }
    let own = Array::by(x.dtype, indices.shape.clone(), |place| {
        let own = indices.at(place)?;
        let from = |at_axis: usize| {
            let mut place = place.to_vec();
            place[at] = at_axis;
            x.at(&place)
        };
        match c.scalars.known(&own) {
            Some(number) => from(index(number.int().unwrap_or(i64::MAX), size)?),
            None => {
                let choices = (0..size).map(from).collect::<Result<Vec<_>, Stop>>()?;
                c.scalars.select(&own, &choices)
            }
        }
    })?;
    Ok(vec![own])
}

/// The last dim of indices: how many axes each of them is of.
fn depth(indices: &[usize], rank: usize) -> Result<usize, Stop> {
    match indices.last() {
        Some(depth) if *depth <= rank => Ok(*depth),
        _ => Stop::refused("indices of more axes than there are"),
    }
}

fn gather_nd<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, indices) = (c.input(0)?, c.input(1)?);
    let batch = usize::try_from(c.int("batch_dims", 0)).unwrap_or(usize::MAX);
    if batch >= indices.rank() || batch > x.rank() {
        return Stop::refused("more dims of a batch than there are");
    }
    let depth = depth(&indices.shape, x.rank() - batch)?;
    let all = c.contents(indices)?;
    let outer = indices.rank() - 1;
    let mut shape = indices.shape[..outer].to_vec();
    shape.extend(&x.shape[batch + depth..]);
    let own = Array::by(x.dtype, shape, |place| {
        let mut flat = 0;
        for (at, size) in place[..outer].iter().zip(&indices.shape) {
            flat = flat * size + at;
        }
        let mut from = place[..batch].to_vec();
        for i in 0..depth {
            from.push(index(all[flat * depth + i], x.shape[batch + i])?);
        }
        from.extend(&place[outer..]);
        x.at(&from)
    })?;
    Ok(vec![own])
}

/// How what is put into a place is joined with what was there.
fn join<S: Scalars>(c: &Context<'_, S>) -> Result<Option<F>, Stop> {
    Ok(match c.text("reduction", "none") {
        "none" => None,
        "add" => Some(F::Add),
        "mul" => Some(F::Mul),
        "max" => Some(F::Max),
        "min" => Some(F::Min),
        other => return Stop::opaque(format!("the reduction {other}")),
    })
}

fn put<S: Scalars>(
    c: &mut Context<'_, S>,
    own: &mut Array<S::Scalar>,
    place: &[usize],
    new: S::Scalar,
    join: Option<F>,
) -> Result<(), Stop> {
    let before = own.at(place)?;
    let mut flat = 0;
    for (at, size) in place.iter().zip(&own.shape) {
        flat = flat * size + at;
    }
    own.data[flat] = match join {
        Some(join) => c.apply(join, own.dtype, &[before, new])?,
        None => new,
    };
    Ok(())
}

fn scatter_elements<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, indices, updates) = (c.input(0)?, c.input(1)?, c.input(2)?);
    let at = axis(c.int("axis", 0), x.rank())?;
    let join = join(c)?;
    let all = c.contents(indices)?;
    let mut own = x.clone();
    for (place, n) in places(&indices.shape).zip(all) {
        let mut to = place.clone();
        if to.len() != x.rank() {
            return Stop::refused("indices of another rank");
        }
        to[at] = index(n, x.shape[at])?;
        put(c, &mut own, &to, updates.at(&place)?, join)?;
    }
    Ok(vec![own])
}

fn scatter_nd<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, indices, updates) = (c.input(0)?, c.input(1)?, c.input(2)?);
    let join = join(c)?;
    let depth = depth(&indices.shape, x.rank())?;
    let all = c.contents(indices)?;
    let outer = &indices.shape[..indices.rank() - 1];
    let mut own = x.clone();
    for (i, place) in places(outer).enumerate() {
        let own_axes = (0..depth).map(|k| index(all[i * depth + k], x.shape[k]));
        let first: Vec<usize> = own_axes.collect::<Result<_, Stop>>()?;
        for rest in places(&x.shape[depth..]) {
            let to = [&first[..], &rest[..]].concat();
            let new = updates.at(&[&place[..], &rest[..]].concat())?;
            put(c, &mut own, &to, new, join)?;
        }
    }
    Ok(vec![own])
}

fn compress<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, condition) = (c.input(0)?, c.input(1)?);
    let condition: Vec<bool> = c
        .numbers(condition)?
        .iter()
        .map(|own| own.truth())
        .collect();
    let (x, at) = match c.ints("axis") {
        Some(own) => (x.clone(), axis(own[0], x.rank())?),
        None => (x.reshaped(vec![count(&x.shape)?])?, 0),
    };
    let kept: Vec<usize> = (0..condition.len()).filter(|i| condition[*i]).collect();
    let mut shape = x.shape.clone();
    shape[at] = kept.len();
    let own = Array::by(x.dtype, shape, |place| {
        let mut place = place.to_vec();
        place[at] = kept[place[at]];
        x.at(&place)
    })?;
    Ok(vec![own])
}

fn one_hot<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (indices, depth, values) = (c.input(0)?, c.input(1)?, c.input(2)?);
    let depth = match c.contents(depth)?[..] {
        [depth] => depth,
        _ => return Stop::refused("several depths"),
    };
    let [off, on] = &values.data[..] else {
        return Stop::refused("values that are not two");
    };
    let at = axis(c.int("axis", -1), indices.rank() + 1)?;
    let mut shape = indices.shape.clone();
    shape.insert(at, usize::try_from(depth).unwrap_or(0));
    let own = Array::by(values.dtype, shape, |place| {
        let mut place = place.to_vec();
        let hot = place.remove(at) as i64;
        let hot = c.scalars.number(crate::Number::Int(hot));
        let own = indices.at(&place)?;
        let size = c.scalars.number(crate::Number::Int(depth));
        let zero = c.scalars.number(crate::Number::Int(0));
        let counted = c.apply(F::Add, Dtype::I64, &[own.clone(), size])?;
        let is_negative = c.apply(F::Less, Dtype::I64, &[own.clone(), zero])?;
        let own = c.apply(F::Where, Dtype::I64, &[is_negative, counted, own])?;
        let is_hot = c.apply(F::Equal, Dtype::I64, &[own, hot])?;
        c.apply(F::Where, values.dtype, &[is_hot, on.clone(), off.clone()])
    })?;
    Ok(vec![own])
}
