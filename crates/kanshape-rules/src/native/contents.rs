//! Contents of tensors that are moved around: nothing is calculated, so members may be symbols.

use super::{Native, Param, is_ground_list, is_list, is_number, list, members, number, numbers};
use crate::encode::Kind;
use crate::limits::MAX_CONTENTS;
use crate::rules::Context;
use crate::rules::native::{self, Arguments};
use kanshape_engine::{Goal, Int, Look, Num, Stop, Term, View};
use std::sync::Arc;

/// `Spread(v, from, to, out)`: contents `v` of shape `from`, broadcast to the shape `to`.
#[derive(Debug)]
pub(super) struct Spread;

impl Native for Spread {
    fn name(&self) -> &'static str {
        "Spread"
    }

    fn params(&self) -> Vec<Param> {
        let shape = || Param::Is(Kind::Int.list());
        vec![Param::Cells, shape(), shape(), Param::Cells]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_list(look, &args[0])
            && is_ground_list(look, &args[1])?
            && is_ground_list(look, &args[2])?)
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let (from, to) = (numbers(view, &args[1])?, numbers(view, &args[2])?);
        let Some(strides) = spread(&from, &to) else {
            return Ok(Goal::fail());
        };
        view_of(view, &args[0], 0, &to, &strides, &args[3])
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        if args.is_hidden(0) {
            return Ok(());
        }
        let (from, to) = (settled(args, 1)?, settled(args, 2)?);
        let strides = spread(&from, &to).ok_or(native::Stop::Fail)?;
        calculate_view(args, 0, &to, &strides, 3)
    }
}

/// The strides of a view that shows one shape as another; `None` if it can't be broadcast to that.
fn spread(from: &[Int], to: &[Int]) -> Option<Vec<Int>> {
    let ahead = to.len().checked_sub(from.len())?;
    let mut strides = vec![0; to.len()];
    for (i, step) in steps(from).into_iter().enumerate() {
        if from[i] != 1 {
            if from[i] != to[ahead + i] {
                return None;
            }
            strides[ahead + i] = step;
        }
    }
    Some(strides)
}

/// `View(v, offset, shape, strides, out)`: the contents that a strided view shows.
#[derive(Debug)]
pub(super) struct Strided;

impl Native for Strided {
    fn name(&self) -> &'static str {
        "View"
    }

    fn params(&self) -> Vec<Param> {
        let ints = || Param::Is(Kind::Int.list());
        vec![
            Param::Cells,
            Param::Is(Kind::Int),
            ints(),
            ints(),
            Param::Cells,
        ]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_list(look, &args[0])
            && is_number(look, &args[1])?
            && is_ground_list(look, &args[2])?
            && is_ground_list(look, &args[3])?)
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let offset = number(view, &args[1])?;
        let (shape, strides) = (numbers(view, &args[2])?, numbers(view, &args[3])?);
        view_of(view, &args[0], offset, &shape, &strides, &args[4])
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        if args.is_hidden(0) {
            return Ok(());
        }
        let (shape, strides) = (settled(args, 2)?, settled(args, 3)?);
        let offset = Int::from(args.int(1)?);
        calculate_view(args, offset, &shape, &strides, 4)
    }
}

/// A list of sizes, once none of them is a name: contents are shown as far as it is known how many they are.
fn settled(args: &dyn Arguments, i: usize) -> Result<Vec<Int>, native::Stop> {
    let sizes = args.numbers(i)?.iter();
    let sizes = sizes.map(|n| n.int().map(Int::from).ok_or(native::Stop::Wait));
    sizes.collect()
}

/// How far apart neighbours along each axis are in row-major order.
fn steps(shape: &[Int]) -> Vec<Int> {
    let mut steps: Vec<Int> = vec![1; shape.len()];
    for i in (1..shape.len()).rev() {
        steps[i - 1] = steps[i].saturating_mul(shape[i]);
    }
    steps
}

/// Which members a strided view shows, if they are not too many; [`Stop::Conflict`] if one of them is not there.
fn places(
    count: usize,
    offset: Int,
    shape: &[Int],
    strides: &[Int],
) -> Result<Option<Vec<usize>>, Stop> {
    let shown = shape.iter().try_fold(1, |n: Int, d| n.checked_mul(*d));
    let Some(shown) = shown.and_then(|n| usize::try_from(n).ok()) else {
        return Ok(None);
    };
    if shown > MAX_CONTENTS || shape.len() != strides.len() {
        return Ok(None);
    }
    let there = |place: Option<usize>| place.filter(|p| *p < count).ok_or(Stop::Conflict);
    if shown > 0 && strides.iter().all(|s| *s == 0) {
        // It is one and the same.
        let place = there(usize::try_from(offset).ok())?;
        return Ok(Some(vec![place; shown]));
    }
    let mut places = Vec::with_capacity(shown);
    let mut at = vec![0; shape.len()];
    for _ in 0..shown {
        let mut steps = at.iter().zip(strides);
        let place = steps.try_fold(offset, |p: Int, (i, s): (&Int, &Int)| {
            p.checked_add(i.checked_mul(*s)?)
        });
        let place = place.and_then(|p| usize::try_from(p).ok());
        places.push(there(place)?);
        for axis in (0..shape.len()).rev() {
            at[axis] += 1;
            if at[axis] < shape[axis] {
                break;
            }
            at[axis] = 0;
        }
    }
    Ok(Some(places))
}

fn view_of(
    view: &mut View<'_>,
    contents: &Term,
    offset: Int,
    shape: &[Int],
    strides: &[Int],
    out: &Term,
) -> Result<Goal, Stop> {
    let members = members(view, contents);
    let Some(places) = places(members.len(), offset, shape, strides)? else {
        return Ok(Goal::succeed());
    };
    view.budget().spend(places.len() as u64)?;
    let shown = places.into_iter().map(|p| members[p].clone());
    Ok(Goal::equal(out.clone(), list(shown)))
}

/// The same where all of it is known.
fn calculate_view(
    args: &mut dyn Arguments,
    offset: Int,
    shape: &[Int],
    strides: &[Int],
    out: usize,
) -> Result<(), native::Stop> {
    let members = args.numbers(0)?;
    let places = places(members.len(), offset, shape, strides).map_err(|_| native::Stop::Fail)?;
    let Some(places) = places else {
        return Ok(());
    };
    let shown: Vec<Num> = places.into_iter().map(|p| members[p]).collect();
    args.say_numbers(out, &shown)
}
