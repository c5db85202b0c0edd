//! Contents of tensors that are moved around: nothing is calculated, so members may be symbols.

use super::{MOST_CONTENTS, Native, Param, is_ground_list, is_list, is_number, list, members};
use super::{number, numbers};
use crate::lower::dtypes;
use crate::relation::float;
use crate::relation::kind::Kind;
use crate::relation::run::Context;
use kanshape_engine::{Domain, Goal, Int, Linear, Look, Stop, Term, View};
use kanshape_types::{Dtype, DtypeSet};
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
        let Some(ahead) = to.len().checked_sub(from.len()) else {
            return Ok(Goal::fail());
        };
        let mut strides = vec![0; to.len()];
        for (i, step) in steps(&from).into_iter().enumerate() {
            if from[i] != 1 {
                if from[i] != to[ahead + i] {
                    return Ok(Goal::fail());
                }
                strides[ahead + i] = step;
            }
        }
        view_of(view, &args[0], 0, &to, &strides, &args[3])
    }
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
}

/// How far apart neighbours along each axis are in row-major order.
fn steps(shape: &[Int]) -> Vec<Int> {
    let mut steps: Vec<Int> = vec![1; shape.len()];
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
    let members = members(view, contents);
    let count = shape.iter().try_fold(1, |n: Int, d| n.checked_mul(*d));
    let Some(count) = count.and_then(|n| usize::try_from(n).ok()) else {
        return Ok(Goal::succeed());
    };
    if count > MOST_CONTENTS || shape.len() != strides.len() {
        return Ok(Goal::succeed());
    }
    view.budget().spend(count as u64)?;
    let mut all: Vec<Linear> = Vec::with_capacity(count);
    let mut at = vec![0; shape.len()];
    for _ in 0..count {
        let place = at
            .iter()
            .zip(strides)
            .try_fold(offset, |p: Int, (i, s): (&Int, &Int)| {
                p.checked_add(i.checked_mul(*s)?)
            });
        let place = place.and_then(|p| usize::try_from(p).ok());
        let member = place.and_then(|p| members.get(p));
        let Some(member) = member else {
            return Ok(Goal::fail());
        };
        all.push(member.clone());
        for axis in (0..shape.len()).rev() {
            at[axis] += 1;
            if at[axis] < shape[axis] {
                break;
            }
            at[axis] = 0;
        }
    }
    Ok(Goal::equal(out.clone(), list(all)))
}

/// `CastContents(v, from, to, out)`: contents of one dtype as those of another. Of members that are symbols
/// it speaks where both are integers. Sizes are cast to 32 bits by models that calculate shapes in them: what they
/// come to is told for sizes that fit, and that they have to is a condition.
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
        let mut goals = Vec::new();
        for l in members(view, &args[0]) {
            let l = view.resolve(&l)?;
            let (lo, hi) = view.bounds(&l);
            let most = Int::from(i32::MAX);
            if (from, to) == (Dtype::I64, Dtype::I32) && lo >= 0 && lo <= most && hi > most {
                goals.push(Goal::In(l.clone(), Domain::interval(0, most)));
                cast.push(l);
                continue;
            }
            match cast_member(l, (lo, hi), from, to) {
                Some(l) => cast.push(l),
                None => cast.push(Linear::var(view.int(kanshape_engine::Domain::ALL))),
            }
        }
        goals.push(Goal::equal(args[3].clone(), list(cast)));
        Ok(Goal::all(goals))
    }
}

/// The member of one dtype as that of another; `None` where that is not known.
fn cast_member(l: Linear, bounds: (Int, Int), from: Dtype, to: Dtype) -> Option<Linear> {
    let is = |d: Dtype, set: DtypeSet| set.contains(d);
    let whole = |d: Dtype| is(d, DtypeSet::INT) || is(d, DtypeSet::UINT) || d == Dtype::Bool;
    let fits = |(lo, hi): (Int, Int)| match to {
        Dtype::I64 => lo >= Int::from(i64::MIN) && hi <= Int::from(i64::MAX),
        Dtype::I32 => lo >= Int::from(i32::MIN) && hi <= Int::from(i32::MAX),
        Dtype::Bool => lo >= 0 && hi <= 1,
        _ => is(to, DtypeSet::INT) && lo >= -8 && hi <= 7,
    };
    if whole(from) && whole(to) && (fits(bounds) || to == Dtype::I64) {
        return Some(l);
    }
    let n = l.as_constant()?;
    let x = if whole(from) {
        n as f64
    } else if is(from, DtypeSet::FLOAT) {
        float::value(n)?
    } else {
        return None;
    };
    if to == Dtype::Bool {
        return Some(Linear::constant(Int::from(x != 0.0)));
    }
    if whole(to) {
        let t = x.trunc() as Int;
        return (x.is_finite() && fits((t, t))).then(|| Linear::constant(t));
    }
    match to {
        Dtype::F64 => Some(Linear::constant(float::code(x))),
        Dtype::F32 => Some(Linear::constant(float::code(f64::from(x as f32)))),
        _ => None,
    }
}
