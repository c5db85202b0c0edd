//! Contents of tensors that are moved around: nothing is calculated, so members may be symbols.

use super::{MOST_CONTENTS, Native, Param, is_ground_list, is_list, is_number, list, members};
use super::{number, numbers};
use crate::lower::dtypes;
use crate::relation::float;
use crate::relation::ground::{self, Arguments};
use crate::relation::kind::Kind;
use crate::relation::run::Context;
use kanshape_engine::{Goal, Int, Linear, Look, Stop, Term, View};
use kanshape_types::{Dtype, DtypeSet};
use smallvec::SmallVec;
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
        match spread(&from, &to) {
            Some(strides) => view_of(view, &args[0], 0, &to, &strides, &args[3]),
            None => Ok(Goal::fail()),
        }
    }

    fn calculate(&self, args: &mut Arguments<'_, '_>) -> Result<(), ground::Stop> {
        let (contents, from, to) = (args.numbers(0)?, args.numbers(1)?, args.numbers(2)?);
        let (from, to) = (wide(from), wide(to));
        let strides = spread(&from, &to).ok_or(ground::Stop::Fail)?;
        match shown(contents, 0, &to, &strides) {
            Some(all) => args.say_numbers(3, &all?),
            None => Ok(()),
        }
    }
}

/// The strides of contents of the shape `from` that are broadcast to the shape `to`, if that can be.
fn spread(from: &[Int], to: &[Int]) -> Option<Sizes> {
    let ahead = to.len().checked_sub(from.len())?;
    let mut strides = Sizes::from_elem(0, to.len());
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

    fn calculate(&self, args: &mut Arguments<'_, '_>) -> Result<(), ground::Stop> {
        let (contents, offset) = (args.numbers(0)?, Int::from(args.int(1)?));
        let (shape, strides) = (wide(args.numbers(2)?), wide(args.numbers(3)?));
        match shown(contents, offset, &shape, &strides) {
            Some(all) => args.say_numbers(4, &all?),
            None => Ok(()),
        }
    }
}

/// The numbers of a shape, or its strides.
type Sizes = SmallVec<[Int; 4]>;

fn wide(numbers: &[i64]) -> Sizes {
    numbers.iter().map(|n| Int::from(*n)).collect()
}

/// How far apart neighbours along each axis are in row-major order.
fn steps(shape: &[Int]) -> Sizes {
    let mut steps = Sizes::from_elem(1, shape.len());
    for i in (1..shape.len()).rev() {
        steps[i - 1] = steps[i].saturating_mul(shape[i]);
    }
    steps
}

fn view_of(
    view: &mut View<'_>,
    contents: &Term,
    offset: Int,
    shape: &[Int],
    strides: &[Int],
    out: &Term,
) -> Result<Goal, Stop> {
    let Some(places) = Places::of(offset, shape, strides) else {
        return Ok(Goal::succeed());
    };
    let members = members(view, contents);
    view.budget().spend(places.left as u64)?;
    let all: Option<Vec<Linear>> = places.map(|at| members.get(at?).cloned()).collect();
    Ok(match all {
        Some(all) => Goal::equal(out.clone(), list(all)),
        None => Goal::fail(),
    })
}

/// The members that a view shows; `None` if they are too many to be followed.
fn shown(
    contents: &[i64],
    offset: Int,
    shape: &[Int],
    strides: &[Int],
) -> Option<Result<Vec<i64>, ground::Stop>> {
    let mut places = Places::of(offset, shape, strides)?;
    let all: Option<Vec<i64>> = match strides.iter().all(|s| *s == 0) {
        // It is one and the same.
        true => {
            let count = places.left;
            let one = places.next().map(|at| contents.get(at?).copied());
            one.map_or(Some(Vec::new()), |one| Some(vec![one?; count]))
        }
        false => places.map(|at| contents.get(at?).copied()).collect(),
    };
    Some(all.ok_or(ground::Stop::Fail))
}

/// The places that a view shows, one by one; `None` for one that there can't be.
struct Places<'s> {
    shape: &'s [Int],
    strides: &'s [Int],
    /// Where it is along each axis.
    at: Sizes,
    place: Option<Int>,
    left: usize,
}

impl Places<'_> {
    /// `None` if they are too many to be followed, or this is no view.
    fn of<'s>(offset: Int, shape: &'s [Int], strides: &'s [Int]) -> Option<Places<'s>> {
        let count = shape.iter().try_fold(1, |n: Int, d| n.checked_mul(*d))?;
        let left = usize::try_from(count).ok()?;
        let is_view = left <= MOST_CONTENTS && shape.len() == strides.len();
        is_view.then(|| Places {
            shape,
            strides,
            at: Sizes::from_elem(0, shape.len()),
            place: Some(offset),
            left,
        })
    }

    /// One further, in row-major order.
    fn go_on(&mut self) -> Option<Int> {
        let mut place = self.place?;
        for (axis, at) in self.at.iter_mut().enumerate().rev() {
            *at += 1;
            if *at < self.shape[axis] {
                return place.checked_add(self.strides[axis]);
            }
            let back = self.strides[axis].checked_mul(*at - 1)?;
            place = place.checked_sub(back)?;
            *at = 0;
        }
        Some(place)
    }
}

impl Iterator for Places<'_> {
    type Item = Option<usize>;

    fn next(&mut self) -> Option<Option<usize>> {
        self.left = self.left.checked_sub(1)?;
        let place = self.place;
        self.place = self.go_on();
        Some(place.and_then(|p| usize::try_from(p).ok()))
    }
}

/// `CastContents(v, from, to, out)`: contents of one dtype as those of another. Of members that are symbols
/// it speaks where both are integers.
#[derive(Debug)]
pub(super) struct CastContents;

impl Native for CastContents {
    fn name(&self) -> &'static str {
        "CastContents"
    }

    fn params(&self) -> Vec<Param> {
        let dtype = || Param::Is(Kind::Dtype);
        vec![Param::Cells, dtype(), dtype(), Param::Cells]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        for arg in &args[1..3] {
            let Term::Atom(v) = arg else {
                return Ok(false);
            };
            look.note(*v);
            if dtypes(look.mask(*v)).single().is_none() {
                return Ok(false);
            }
        }
        Ok(is_list(look, &args[0]))
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let dtype = |arg: &Term| match arg {
            Term::Atom(v) => dtypes(view.mask(*v)).single(),
            _ => None,
        };
        let (Some(from), Some(to)) = (dtype(&args[1]), dtype(&args[2])) else {
            return Ok(Goal::succeed());
        };
        let mut cast = Vec::new();
        for l in members(view, &args[0]) {
            let l = view.resolve(&l)?;
            let (lo, hi) = view.bounds(&l);
            match cast_member(l, (lo, hi), from, to) {
                Some(l) => cast.push(l),
                None => cast.push(Linear::var(view.int(kanshape_engine::Domain::ALL))),
            }
        }
        Ok(Goal::equal(args[3].clone(), list(cast)))
    }

    fn calculate(&self, args: &mut Arguments<'_, '_>) -> Result<(), ground::Stop> {
        let (contents, from, to) = (args.numbers(0)?, args.dtype(1)?, args.dtype(2)?);
        let cast = contents.iter().map(|n| {
            let n = cast_number(Int::from(*n), from, to)?;
            i64::try_from(n).ok()
        });
        // Of a member that is not known only the engine can speak.
        let cast: Option<Vec<i64>> = cast.collect();
        args.say_numbers(3, &cast.ok_or(ground::Stop::Leave)?)
    }
}

/// The member of one dtype as that of another; `None` where that is not known.
fn cast_member(l: Linear, bounds: (Int, Int), from: Dtype, to: Dtype) -> Option<Linear> {
    if is_whole(from) && is_whole(to) && fits(bounds, to) {
        return Some(l);
    }
    cast_number(l.as_constant()?, from, to).map(Linear::constant)
}

/// A number of one dtype as that of another; `None` where that is not known.
fn cast_number(n: Int, from: Dtype, to: Dtype) -> Option<Int> {
    let x = if is_whole(from) {
        if is_whole(to) && fits((n, n), to) {
            return Some(n);
        }
        n as f64
    } else if DtypeSet::FLOAT.contains(from) {
        float::value(n)?
    } else {
        return None;
    };
    if to == Dtype::Bool {
        return Some(Int::from(x != 0.0));
    }
    if is_whole(to) {
        let t = x.trunc() as Int;
        return (x.is_finite() && holds((t, t), to)).then_some(t);
    }
    match to {
        Dtype::F64 => Some(float::code(x)),
        Dtype::F32 => Some(float::code(f64::from(x as f32))),
        _ => None,
    }
}

fn is_whole(dtype: Dtype) -> bool {
    DtypeSet::INT.contains(dtype) || DtypeSet::UINT.contains(dtype) || dtype == Dtype::Bool
}

/// Stay whole numbers between these what they are?
fn fits(bounds: (Int, Int), to: Dtype) -> bool {
    to == Dtype::I64 || holds(bounds, to)
}

/// Are all numbers between these among those that a dtype has?
fn holds((lo, hi): (Int, Int), to: Dtype) -> bool {
    match to {
        Dtype::I64 => lo >= Int::from(i64::MIN) && hi <= Int::from(i64::MAX),
        Dtype::I32 => lo >= Int::from(i32::MIN) && hi <= Int::from(i32::MAX),
        Dtype::Bool => lo >= 0 && hi <= 1,
        _ => DtypeSet::INT.contains(to) && lo >= -8 && hi <= 7,
    }
}
