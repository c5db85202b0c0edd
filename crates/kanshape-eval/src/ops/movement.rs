//! Elements that are moved, and not changed.

use crate::array::{self, Array, axis, broadcast, count};
use crate::context::{Calculate, Context, Outputs};
use crate::scalars::Scalars;
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "Transpose" => |c| {
            let x = c.input(0)?;
            let reversed = || (0..x.rank() as i64).rev().collect();
            let perm = c.ints("perm").unwrap_or_else(reversed);
            Ok(vec![transposed(x, &perm)?])
        },
        "Reshape" => reshape,
        "Flatten" => flatten,
        "Squeeze" => squeeze,
        "Unsqueeze" => unsqueeze,
        "Expand" => |c| {
            let x = c.input(0)?;
            let sizes = sizes(&c.contents(c.input(1)?)?)?;
            let shape = broadcast(&x.shape, &sizes)?;
            Ok(vec![Array::by(x.dtype, shape, |place| {
                x.at_broadcast(place)
            })?])
        },
        "Tile" => tile,
        "Concat" => concat,
        "DepthToSpace" => depth_to_space,
        "SpaceToDepth" => space_to_depth,
        "Trilu" => trilu,
        "ReverseSequence" => reverse_sequence,
        _ => return None,
    })
}

/// Sizes that are no negative numbers.
pub(crate) fn sizes(all: &[i64]) -> Result<Vec<usize>, Stop> {
    let one = |n: &i64| usize::try_from(*n).map_err(|_| Stop::Refused("a negative size".into()));
    all.iter().map(one).collect()
}

pub(crate) fn transposed<T: Clone>(x: &Array<T>, perm: &[i64]) -> Result<Array<T>, Stop> {
    let perm = perm.iter().map(|own| axis(*own, x.rank()));
    let perm: Vec<usize> = perm.collect::<Result<_, Stop>>()?;
    let mut sorted = perm.clone();
    sorted.sort_unstable();
    if sorted != (0..x.rank()).collect::<Vec<_>>() {
        return Stop::refused("no permutation of the axes");
    }
    let shape = perm.iter().map(|own| x.shape[*own]).collect();
    Array::by(x.dtype, shape, |place| {
        let mut from = vec![0; place.len()];
        for (to, own) in perm.iter().enumerate() {
            from[*own] = place[to];
        }
        x.at(&from)
    })
}

fn reshape<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let Some(wanted) = c.ints_at("shape", 1)? else {
        return Stop::refused("a Reshape without a shape");
    };
    let copies = c.int("allowzero", 0) == 0;
    let mut shape = Vec::new();
    for (at, size) in wanted.iter().enumerate() {
        shape.push(match (*size, x.shape.get(at)) {
            (0, Some(own)) if copies => *own,
            (0, None) if copies => return Stop::refused("a copied dim that is not there"),
            (-1, _) => 1,
            (size, _) => sizes(&[size])?[0],
        });
    }
    let mut open = wanted.iter().enumerate().filter(|(_, size)| **size == -1);
    if let Some((at, _)) = open.next() {
        let rest = count(&shape)?;
        if open.next().is_some() || rest == 0 || x.data.len() % rest != 0 {
            return Stop::refused("a size that is not determined");
        }
        shape[at] = x.data.len() / rest;
    }
    Ok(vec![x.reshaped(shape)?])
}

fn flatten<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let at = match c.int("axis", 1) {
        own if own == x.rank() as i64 => x.rank(),
        own => axis(own, x.rank())?,
    };
    let shape = vec![count(&x.shape[..at])?, count(&x.shape[at..])?];
    Ok(vec![x.reshaped(shape)?])
}

fn squeeze<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let is_one = |at: &usize| x.shape[*at] == 1;
    let axes: Vec<usize> = match c.ints_at("axes", 1)? {
        Some(all) => {
            let all = all.iter().map(|own| axis(*own, x.rank()));
            all.collect::<Result<_, Stop>>()?
        }
        None => (0..x.rank()).filter(is_one).collect(),
    };
    if !axes.iter().all(is_one) {
        return Stop::refused("a dim that is not 1 is left out");
    }
    let rest = (0..x.rank()).filter(|at| !axes.contains(at));
    Ok(vec![x.reshaped(rest.map(|at| x.shape[at]).collect())?])
}

fn unsqueeze<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let Some(axes) = c.ints_at("axes", 1)? else {
        return Stop::refused("an Unsqueeze without axes");
    };
    let rank = x.rank() + axes.len();
    let axes = axes.iter().map(|own| axis(*own, rank));
    let axes: Vec<usize> = axes.collect::<Result<_, Stop>>()?;
    let mut own = x.shape.iter();
    let shape = (0..rank).map(|at| match axes.contains(&at) {
        true => Some(1),
        false => own.next().copied(),
    });
    match shape.collect() {
        Some(shape) => Ok(vec![x.reshaped(shape)?]),
        None => Stop::refused("an axis that is written twice"),
    }
}

fn tile<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let repeats = sizes(&c.contents(c.input(1)?)?)?;
    if repeats.len() != x.rank() {
        return Stop::refused("not as many repeats as dims");
    }
    let shape = x.shape.iter().zip(&repeats);
    let shape = shape.map(|(size, n)| size.saturating_mul(*n)).collect();
    let own = Array::by(x.dtype, shape, |place| {
        let place = place.iter().zip(&x.shape).map(|(at, size)| at % size);
        x.at(&place.collect::<Vec<_>>())
    })?;
    Ok(vec![own])
}

fn concat<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let all = c.all_inputs()?;
    let first = c.input(0)?;
    let at = axis(c.int("axis", 1), first.rank())?;
    let mut shape = first.shape.clone();
    shape[at] = 0;
    for own in &all {
        let rest = |shape: &[usize]| -> Vec<usize> {
            let others = shape.iter().enumerate().filter(|(i, _)| *i != at);
            others.map(|(_, size)| *size).collect()
        };
        if own.rank() != first.rank() || rest(&own.shape) != rest(&first.shape) {
            return Stop::refused("parts of other sizes");
        }
        shape[at] += own.shape[at];
    }
    let own = Array::by(first.dtype, shape, |place| {
        let mut place = place.to_vec();
        for own in &all {
            if place[at] < own.shape[at] {
                return own.at(&place);
            }
            place[at] -= own.shape[at];
        }
        Stop::refused("a place out of range")
    })?;
    Ok(vec![own])
}

/// The sizes of an image and its blocks.
fn blocks<S: Scalars>(c: &Context<'_, S>) -> Result<([usize; 4], usize), Stop> {
    let x = c.input(0)?;
    let block = sizes(&[c.int("blocksize", 1)])?[0];
    match (x.shape[..].try_into(), block) {
        (Ok(shape), 1..) => Ok((shape, block)),
        _ => Stop::refused("blocks of an image"),
    }
}

fn depth_to_space<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let ([n, depth, h, w], b) = blocks(c)?;
    if depth % (b * b) != 0 {
        return Stop::refused("channels that make no blocks");
    }
    let rest = depth / (b * b);
    let (split, perm) = match c.text("mode", "DCR") {
        "CRD" => (vec![n, rest, b, b, h, w], [0, 1, 4, 2, 5, 3]),
        _ => (vec![n, b, b, rest, h, w], [0, 3, 4, 1, 5, 2]),
    };
    let moved = transposed(&c.input(0)?.reshaped(split)?, &perm)?;
    Ok(vec![moved.reshaped(vec![n, rest, h * b, w * b])?])
}

fn space_to_depth<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let ([n, depth, h, w], b) = blocks(c)?;
    if h % b != 0 || w % b != 0 {
        return Stop::refused("an image that makes no blocks");
    }
    let split = c.input(0)?.reshaped(vec![n, depth, h / b, b, w / b, b])?;
    let perm = match c.text("mode", "DCR") {
        "CRD" => [0, 1, 3, 5, 2, 4],
        _ => [0, 3, 5, 1, 2, 4],
    };
    let moved = transposed(&split, &perm)?;
    Ok(vec![moved.reshaped(vec![
        n,
        depth * b * b,
        h / b,
        w / b,
    ])?])
}

fn trilu<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let k = match c.optional(1) {
        Some(k) => c.contents(k)?.first().copied().unwrap_or(0),
        None => 0,
    };
    let is_upper = c.int("upper", 1) != 0;
    if x.rank() < 2 {
        return Stop::refused("a triangle of less than a matrix");
    }
    let zero = c.constant(0.0, x.dtype)?;
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let [.., row, column] = place else {
            return Stop::refused("a place out of range");
        };
        let beyond = (*column as i64 - *row as i64).cmp(&k);
        match if is_upper {
            beyond.is_ge()
        } else {
            beyond.is_le()
        } {
            true => x.at(place),
            false => Ok(zero.clone()),
        }
    })?;
    Ok(vec![own])
}

fn reverse_sequence<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let lengths = sizes(&c.contents(c.input(1)?)?)?;
    let time = array::axis(c.int("time_axis", 0), x.rank())?;
    let batch = array::axis(c.int("batch_axis", 1), x.rank())?;
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let mut place = place.to_vec();
        match lengths.get(place[batch]) {
            Some(length) if *length > x.shape[time] => {
                return Stop::refused("a length out of range");
            }
            Some(length) if place[time] < *length => place[time] = length - 1 - place[time],
            Some(_) => {}
            None => return Stop::refused("fewer lengths than the batch has"),
        }
        x.at(&place)
    })?;
    Ok(vec![own])
}
