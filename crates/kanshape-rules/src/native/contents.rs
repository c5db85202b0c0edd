//! Contents of tensors that are moved around: nothing is calculated, so members may be symbols.

use super::{Native, Param};
use crate::encode::Kind;
use crate::limits::MAX_CONTENTS;
use crate::rules::native::{Arguments, Stop};
use kanshape_engine::{Int, Num};

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

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        if args.is_hidden(0) {
            return Ok(());
        }
        args.numbers(0)?;
        let (from, to) = (args.ints(1)?, args.ints(2)?);
        let strides = spread(&from, &to).ok_or(Stop::Fail)?;
        show(args, 0, &to, &strides, 3)
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

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        if args.is_hidden(0) {
            return Ok(());
        }
        args.numbers(0)?;
        let (shape, strides) = (args.ints(2)?, args.ints(3)?);
        let offset = args.int(1)?;
        show(args, offset, &shape, &strides, 4)
    }
}

/// How far apart neighbours along each axis are in row-major order.
fn steps(shape: &[Int]) -> Vec<Int> {
    let mut steps: Vec<Int> = vec![1; shape.len()];
    for i in (1..shape.len()).rev() {
        steps[i - 1] = steps[i].saturating_mul(shape[i]);
    }
    steps
}

/// How many members a view of this shape shows, if they are not too many.
fn count(shape: &[Int]) -> Option<usize> {
    let shown = shape.iter().try_fold(1, |n: Int, d| n.checked_mul(*d));
    let shown = usize::try_from(shown?).ok();
    shown.filter(|n| *n <= MAX_CONTENTS)
}

/// Which of `count` members a strided view shows; `None` if one of them is not there.
fn places(
    count: usize,
    offset: Int,
    shape: &[Int],
    strides: &[Int],
    shown: usize,
) -> Option<Vec<usize>> {
    let there = |place: Option<usize>| place.filter(|p| *p < count);
    if shown > 0 && strides.iter().all(|s| *s == 0) {
        // It is one and the same.
        let place = there(usize::try_from(offset).ok())?;
        return Some(vec![place; shown]);
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
    Some(places)
}

/// Says what a strided view of the first argument shows.
fn show(
    args: &mut dyn Arguments,
    offset: Int,
    shape: &[Int],
    strides: &[Int],
    out: usize,
) -> Result<(), Stop> {
    let Some(count) = count(shape).filter(|_| shape.len() == strides.len()) else {
        return Ok(());
    };
    args.begin(count)?;
    let members = args.numbers(0)?;
    let places = places(members.len(), offset, shape, strides, count).ok_or(Stop::Fail)?;
    let shown: Vec<Num> = places.into_iter().map(|p| members[p]).collect();
    args.say_numbers(out, &shown)
}
