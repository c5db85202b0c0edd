//! Parts of arrays, and arrays with something around them.

use crate::array::{Array, axis};
use crate::context::{Calculate, Context, Outputs};
use crate::ops::movement::sizes;
use crate::scalars::Scalars;
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "Slice" => slice,
        "Split" => split,
        "Pad" => pad,
        "CenterCropPad" => center_crop_pad,
        _ => return None,
    })
}

/// The axes of a call, all of them if none are given.
fn axes<S: Scalars>(
    c: &Context<'_, S>,
    at: usize,
    rank: usize,
    most: usize,
) -> Result<Vec<usize>, Stop> {
    match c.ints_at("axes", at)? {
        Some(all) => all.iter().map(|own| axis(*own, rank)).collect(),
        None if most <= rank => Ok((0..most).collect()),
        None => Stop::refused("more axes than dims"),
    }
}

fn slice<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let (Some(starts), Some(ends)) = (c.ints_at("starts", 1)?, c.ints_at("ends", 2)?) else {
        return Stop::refused("a Slice without ends");
    };
    let axes = axes(c, 3, x.rank(), starts.len())?;
    let steps = match c.optional(4) {
        Some(steps) => c.contents(steps)?,
        None => vec![1; starts.len()],
    };
    if [ends.len(), axes.len(), steps.len()] != [starts.len(); 3] {
        // What the reference makes of lists of several lengths is not what other executors make of them.
        return Stop::opaque("a Slice with lists of several lengths");
    }
    let mut from = vec![(0, 1); x.rank()];
    let mut shape = x.shape.clone();
    for (at, own) in axes.iter().enumerate() {
        let size = x.shape[*own] as i64;
        let step = match steps[at] {
            0 => return Stop::refused("a step of 0"),
            step => step,
        };
        let counted = |n: i64| if n < 0 { n.saturating_add(size) } else { n };
        let (least, most) = if step > 0 { (0, size) } else { (-1, size - 1) };
        let start = counted(starts[at]).clamp(least.max(0), most.max(0));
        let start = if step < 0 && size == 0 { 0 } else { start };
        let end = counted(ends[at]).clamp(least, most);
        let span = i128::from(end) - i128::from(start);
        let rounds = match span.signum() == i128::from(step.signum()) {
            true => span.unsigned_abs().div_ceil(step.unsigned_abs().into()),
            false => 0,
        };
        shape[*own] = usize::try_from(rounds).unwrap_or(0).min(x.shape[*own]);
        from[*own] = (start, step);
    }
    let own = Array::by(x.dtype, shape, |place| {
        let place = place.iter().zip(&from);
        let place = place.map(|(at, (start, step))| (start + *at as i64 * step) as usize);
        x.at(&place.collect::<Vec<_>>())
    })?;
    Ok(vec![own])
}

fn split<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let at = axis(c.int("axis", 0), x.rank())?;
    let size = x.shape[at];
    let parts = match c.ints_at("split", 1)? {
        Some(parts) => sizes(&parts)?,
        None => {
            let count = c.int("num_outputs", c.call.outputs as i64);
            let count = usize::try_from(count).unwrap_or(0).clamp(1, 64);
            let each = size.div_ceil(count);
            (0..count)
                .map(|i| each.min(size.saturating_sub(i * each)))
                .collect()
        }
    };
    if parts.iter().sum::<usize>() != size {
        return Stop::refused("parts that are not the whole");
    }
    let mut start = 0;
    let mut all = Vec::new();
    for part in parts {
        let mut shape = x.shape.clone();
        shape[at] = part;
        all.push(Array::by(x.dtype, shape, |place| {
            let mut place = place.to_vec();
            place[at] += start;
            x.at(&place)
        })?);
        start += part;
    }
    Ok(all)
}

/// The place that a padded one is filled from; none for the constant.
fn padded(at: i64, size: i64, mode: &str) -> Result<Option<i64>, Stop> {
    if (0..size).contains(&at) {
        return Ok(Some(at));
    }
    match mode {
        "constant" => Ok(None),
        _ if size == 0 => Stop::refused("nothing to fill the padding from"),
        "edge" => Ok(Some(at.clamp(0, size - 1))),
        "wrap" => Ok(Some(at.rem_euclid(size))),
        "reflect" if size == 1 => Ok(Some(0)),
        "reflect" => {
            let period = 2 * (size - 1);
            let own = at.rem_euclid(period);
            Ok(Some(if own < size { own } else { period - own }))
        }
        _ => Stop::opaque(format!("Pad of mode {mode}")),
    }
}

fn pad<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let Some(pads) = c.ints_at("pads", 1)? else {
        return Stop::refused("a Pad without pads");
    };
    let axes = axes(c, 3, x.rank(), pads.len() / 2)?;
    if pads.len() != 2 * axes.len() {
        return Stop::refused("not two pads for each axis");
    }
    let value = match c.optional(2) {
        Some(value) if value.data.len() == 1 => value.data[0].clone(),
        Some(_) => return Stop::refused("a constant of several elements"),
        None => {
            let value = c.float("value", 0.0);
            c.constant(value, x.dtype)?
        }
    };
    let mode = c.text("mode", "constant");
    let mut before = vec![0; x.rank()];
    let mut shape = x.shape.clone();
    for (i, own) in axes.iter().enumerate() {
        before[*own] = pads[i];
        let size = (x.shape[*own] as i64).saturating_add(pads[i]);
        shape[*own] = sizes(&[size.saturating_add(pads[i + axes.len()])])?[0];
    }
    let own = Array::by(x.dtype, shape, |place| {
        let mut from = Vec::new();
        for (axis, at) in place.iter().enumerate() {
            let at = *at as i64 - before[axis];
            match padded(at, x.shape[axis] as i64, mode)? {
                Some(at) => from.push(at as usize),
                None => return Ok(value.clone()),
            }
        }
        x.at(&from)
    })?;
    Ok(vec![own])
}

fn center_crop_pad<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let wanted = sizes(&c.contents(c.input(1)?)?)?;
    let axes = axes(c, usize::MAX, x.rank(), wanted.len())?;
    let mut shape = x.shape.clone();
    let mut offset = vec![0; x.rank()];
    for (own, size) in axes.iter().zip(&wanted) {
        let (from, to) = (x.shape[*own] as i64, *size as i64);
        offset[*own] = if from >= to {
            (from - to) / 2
        } else {
            -((to - from) / 2)
        };
        shape[*own] = *size;
    }
    let zero = c.constant(0.0, x.dtype)?;
    let own = Array::by(x.dtype, shape, |place| {
        let place = place.iter().zip(&offset);
        let place: Vec<i64> = place.map(|(at, offset)| *at as i64 + offset).collect();
        let is_there = place.iter().zip(&x.shape);
        let is_there = is_there
            .clone()
            .all(|(at, size)| (0..*size as i64).contains(at));
        match is_there {
            true => x.at(&place.iter().map(|at| *at as usize).collect::<Vec<_>>()),
            false => Ok(zero.clone()),
        }
    })?;
    Ok(vec![own])
}
