//! Contents of one dtype as those of another.

use super::{Native, Param, is_dtype, is_list, known_dtype, list, member, members};
use crate::encode::measure::{Measure, PARTS, rounded};
use crate::encode::{Kind, float};
use crate::limits::MAX_CONTENTS;
use crate::rules::Context;
use crate::rules::native::{self, Arguments};
use kanshape_engine::{Domain, Function, Goal, Int, Linear, Look, Num, Stop, Term, View};
use kanshape_types::{Content, Dtype, DtypeSet};
use std::sync::Arc;

/// `CastContents(v, from, to, out)`: contents of one dtype as those of another, member by member.
#[derive(Debug)]
pub(super) struct CastContents;

/// `CastMember(x, from, to, y)`: a member of one dtype as that of another.
///
/// Of an integer that is a symbol it speaks where the other dtype has all that it can be; in 32 bits and more, a
/// number that is made of sizes is taken to be small enough. Of floats that are made of sizes, see [`Measure`].
#[derive(Debug)]
pub(super) struct CastMember;

impl Native for CastContents {
    fn name(&self) -> &'static str {
        "CastContents"
    }

    fn params(&self) -> Vec<Param> {
        let dtype = || Param::Is(Kind::Dtype);
        vec![Param::Cells, dtype(), dtype(), Param::Cells]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let (from, to) = (args.dtype(1)?, args.dtype(2)?);
        let members = args.numbers(0)?.to_vec();
        let cast = members.into_iter().map(|x| cast_num(args, x, from, to));
        let cast = cast.collect::<Result<Vec<Num>, native::Stop>>()?;
        args.say_numbers(3, &cast)
    }

    // Members that are not known yet are cast one by one, once they are ([`CastMember`]).
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_dtype(look, &args[1]) && is_dtype(look, &args[2]) && is_list(look, &args[0]))
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        let (Some(from), Some(to)) = (known_dtype(view, &args[1]), known_dtype(view, &args[2]))
        else {
            return Ok(Goal::succeed());
        };
        let all = members(view, &args[0]);
        if all.len() > MAX_CONTENTS {
            return Ok(Goal::succeed());
        }
        view.budget().spend(all.len() as u64)?;
        let mut cast = Vec::with_capacity(all.len());
        let mut goals = Vec::new();
        let each: Arc<dyn Native> = Arc::new(CastMember);
        for x in all {
            let x = view.resolve(&x)?;
            if let Some(Cast::Whole(y)) = cast_member(view, &x, from, to)? {
                cast.push(y);
                continue;
            }
            let y = Linear::var(view.int(Domain::ALL));
            cast.push(y.clone());
            let args = [x.into(), args[1].clone(), args[2].clone(), y.into()];
            goals.push(super::goal(context, &each, Box::new(args)));
        }
        // The members first, so that they are the symbols that others see.
        goals.insert(0, Goal::equal(args[3].clone(), list(cast)));
        Ok(Goal::all(goals))
    }
}

impl Native for CastMember {
    fn name(&self) -> &'static str {
        "CastMember"
    }

    fn params(&self) -> Vec<Param> {
        let dtype = || Param::Is(Kind::Dtype);
        vec![Param::Cell, dtype(), dtype(), Param::Cell]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let (from, to) = (args.dtype(1)?, args.dtype(2)?);
        let x = args.num(0)?;
        let cast = cast_num(args, x, from, to)?;
        args.say_num(3, cast)
    }

    // Of floats that are made of sizes, only the engine keeps what they are ([`Measure`]).
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        if !is_dtype(look, &args[1]) || !is_dtype(look, &args[2]) {
            return Ok(false);
        }
        let Some(x) = member(look, &args[0]) else {
            return Ok(false);
        };
        let x = look.resolve(&x)?;
        look.note_form(&x);
        let (from, to) = (known_dtype(look, &args[1]), known_dtype(look, &args[2]));
        Ok(match (from, to) {
            (Some(from), _) if is_float(from) => Measure::of(look, &x)?.is_some(),
            (Some(_), Some(to)) => {
                x.as_constant().is_some() || fits(look, &x, to) || is_sizes(look, &x)
            }
            _ => false,
        })
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let (from, to) = (known_dtype(view, &args[1]), known_dtype(view, &args[2]));
        let (x, y) = (member(view, &args[0]), member(view, &args[3]));
        let (Some(from), Some(to), Some(x), Some(y)) = (from, to, x, y) else {
            return Ok(Goal::succeed());
        };
        let x = view.resolve(&x)?;
        match cast_member(view, &x, from, to)? {
            Some(Cast::Whole(form)) => return Ok(Goal::equal(y, form)),
            Some(Cast::Float(found)) => found.says(view, &y)?,
            None => {}
        }
        Ok(Goal::succeed())
    }
}

/// `HeldIn(v, dtype, out)`: integers that have been calculated, as elements of the dtype. One that it does not have wraps around, and
/// nothing is said of it. What is made of sizes is taken to be small enough.
#[derive(Debug)]
pub(super) struct HeldIn;

impl Native for HeldIn {
    fn name(&self) -> &'static str {
        "HeldIn"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Cells, Param::Is(Kind::Dtype), Param::Cells]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let dtype = args.dtype(1)?;
        let held = args.numbers(0)?.to_vec();
        let fits = |n: i64| in_range((n.into(), n.into()), dtype);
        match held.iter().all(|n| n.int().is_none_or(fits)) {
            true => args.say_numbers(2, &held),
            false => Err(native::Stop::Leave),
        }
    }

    // In the engine, a member of which nothing is said is a new unknown, and the others are what they are in either direction.
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_dtype(look, &args[1]) && is_list(look, &args[0]))
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let Some(dtype) = known_dtype(view, &args[1]) else {
            return Ok(Goal::succeed());
        };
        let mut held = members(view, &args[0]);
        view.budget().spend(held.len() as u64)?;
        for x in &mut held {
            *x = view.resolve(x)?;
            if x.as_constant().is_some() && !fits(view, x, dtype) {
                *x = Linear::var(view.int(Domain::ALL));
            }
        }
        Ok(Goal::equal(args[2].clone(), list(held)))
    }
}

/// What a member has become.
enum Cast {
    Whole(Linear),
    Float(Measure),
}

/// A number as that of another dtype. A size is itself where it certainly fits.
fn cast_num(args: &dyn Arguments, x: Num, from: Dtype, to: Dtype) -> Result<Num, native::Stop> {
    if let Some(x) = x.int() {
        let cast = cast_known(x.into(), from, to).and_then(|n| i64::try_from(n).ok());
        return Ok(Num::new(cast.ok_or(native::Stop::Leave)?)?);
    }
    let (lo, hi) = args.bounds(x);
    match is_whole(from)
        && is_whole(to)
        && to != Dtype::Bool
        && in_range((lo.into(), hi.into()), to)
    {
        true => Ok(x),
        false => Err(native::Stop::Leave),
    }
}

/// A number, or the code of a float, as that of another dtype.
fn cast_known(x: Int, from: Dtype, to: Dtype) -> Option<Int> {
    Some(match (is_whole(from), is_whole(to)) {
        (true, true) if to == Dtype::Bool => Int::from(x != 0),
        (true, true) => Some(x).filter(|n| in_range((*n, *n), to))?,
        (true, false) => float::code(nearest_whole(x, to)?),
        (false, _) if !is_float(from) => return None,
        (false, true) => truncated_number(float::value(x)?, to)?,
        (false, false) => float::code(Content::nearest(float::value(x)?, to)?),
    })
}

/// The float of the dtype that is nearest to an integer.
fn nearest_whole(n: Int, to: Dtype) -> Option<f64> {
    match to {
        Dtype::F32 => Some(f64::from(n as f32)),
        Dtype::F64 => Some(n as f64),
        to if (n as f64) as Int == n => Content::nearest(n as f64, to),
        _ => None,
    }
}

/// A float as an integer or a truth value, if the dtype has it.
fn truncated_number(x: f64, to: Dtype) -> Option<Int> {
    if to == Dtype::Bool {
        return Some(Int::from(x != 0.0));
    }
    let whole = x.is_finite().then_some(x.trunc() as Int)?;
    in_range((whole, whole), to).then_some(whole)
}

fn is_float(dtype: Dtype) -> bool {
    DtypeSet::FLOAT.contains(dtype)
}

fn is_whole(dtype: Dtype) -> bool {
    DtypeSet::INT.contains(dtype) || DtypeSet::UINT.contains(dtype) || dtype == Dtype::Bool
}

/// The member of one dtype as that of another; `None` where that is not known.
fn cast_member(
    view: &mut View<'_>,
    x: &Linear,
    from: Dtype,
    to: Dtype,
) -> Result<Option<Cast>, Stop> {
    if let Some(n) = x.as_constant() {
        let cast = cast_known(n, from, to).map(Linear::constant);
        return Ok(cast.map(Cast::Whole));
    }
    if is_whole(from) {
        let parts = || x.scaled(PARTS).ok();
        return Ok(match is_whole(to) {
            true => whole_of_whole(view, x, to).map(Cast::Whole),
            false => parts()
                .and_then(|parts| Measure::exact(view, parts, to))
                .map(Cast::Float),
        });
    }
    let Some(Measure::Parts(parts)) = Measure::of(view, x)?.filter(|_| is_float(from)) else {
        return Ok(None);
    };
    Ok(match is_whole(to) {
        false => Measure::exact(view, parts, to).map(Cast::Float),
        true if to == Dtype::Bool => truth(view, &parts).map(Cast::Whole),
        true => {
            let whole = truncated(view, &parts)?;
            let known = fits(view, &whole, to) || is_sizes(view, &whole);
            known.then_some(Cast::Whole(whole))
        }
    })
}

fn whole_of_whole(view: &View<'_>, x: &Linear, to: Dtype) -> Option<Linear> {
    match to {
        Dtype::Bool => truth(view, x),
        to => {
            let wide = matches!(to, Dtype::I32 | Dtype::I64 | Dtype::U32 | Dtype::U64);
            let signed = DtypeSet::INT.contains(to) || view.bounds(x).0 >= 0;
            // From 64 bits to 64 bits nothing changes, whatever it is.
            let same = to == Dtype::I64;
            (same || fits(view, x, to) || wide && signed && is_sizes(view, x)).then(|| x.clone())
        }
    }
}

/// 1 for all that is not 0.
fn truth(view: &View<'_>, x: &Linear) -> Option<Linear> {
    let (lo, hi) = view.bounds(x);
    if lo >= 0 && hi <= 1 {
        return Some(x.clone());
    }
    match (lo, hi) {
        (0, 0) => Some(Linear::constant(0)),
        (1.., _) | (_, ..=-1) => Some(Linear::constant(1)),
        _ => None,
    }
}

/// This number of parts as a whole number, rounded towards zero.
fn truncated(view: &mut View<'_>, parts: &Linear) -> Result<Linear, Stop> {
    if view.bounds(parts).0 >= 0 || crate::encode::measure::divided(parts, PARTS).is_some() {
        return rounded(view, parts, PARTS, Function::FloorDiv);
    }
    let above = |view: &mut View<'_>, parts: Linear| {
        let naturals = [parts, Linear::constant(0)];
        let parts = view.apply(Function::Max, &naturals, Domain::ALL)?;
        rounded(view, &parts, PARTS, Function::FloorDiv)
    };
    let negative = parts.scaled(-1)?;
    Ok(above(view, parts.clone())?.minus(&above(view, negative)?)?)
}

/// Does the dtype have all integers that this can be?
fn fits(state: &kanshape_engine::State, x: &Linear, dtype: Dtype) -> bool {
    in_range(state.bounds(x), dtype)
}

/// Does the dtype have all integers between these?
fn in_range((lo, hi): (Int, Int), dtype: Dtype) -> bool {
    let integers = match dtype {
        Dtype::Bool => Some(0..=1),
        dtype => dtype.integers(),
    };
    integers.is_some_and(|all| lo >= *all.start() && hi <= *all.end())
}

/// Is the number made of sizes, so that none of what it is made of is far below zero?
fn is_sizes(state: &kanshape_engine::State, x: &Linear) -> bool {
    let far = Int::from(i32::MIN);
    let mut vars = x.vars().map(Linear::var);
    x.as_constant().is_none() && vars.all(|v| state.bounds(&v).0 >= far)
}
