//! Sizes that floats make.

use super::{Native, Param, member};
use crate::encode::Kind;
use crate::encode::measure::{Measure, is_measured, rounded};
use crate::rules::Context;
use crate::rules::native::{self, Arguments};
use kanshape_engine::{Domain, Function, Goal, Int, Linear, Look, Stop, Term, View};
use std::sync::Arc;

/// `Scaled(d, f, o)`: `o` is the greatest integer not above `d*f`, calculated in 32 bits as ONNX does. The
/// scale has to be known. Where it is a number like 2, 0.5 or 1.75, `o` is a quotient of a multiple of `d`; else a size
/// that is not known gets the bounds that follow from the other.
#[derive(Debug)]
pub(super) struct Scaled;

/// Sizes up to this are exact in 32 bits.
const EXACT: Int = 1 << 24;

fn scaled(d: Int, f: f64) -> Int {
    (d as f32 * f as f32).floor() as Int
}

/// The scale as a quotient of integers by a power of two, if sizes times it are exact: those below `2^16` in the 24 bits
/// that there are.
fn ratio(f: f64) -> Option<(i64, i64)> {
    if f.fract() == 0.0 {
        return (f.abs() < 1e9).then_some((f as i64, 1));
    }
    const BY: i64 = 1 << 8;
    let times = f * BY as f64;
    if times.fract() != 0.0 || times.abs() > 1e9 {
        return None;
    }
    let times = times as i64;
    let common = 1 << times.trailing_zeros().min(BY.trailing_zeros());
    let (times, by) = (times / common, BY / common);
    (times.abs() <= BY).then_some((times, by))
}

impl Native for Scaled {
    fn name(&self) -> &'static str {
        "Scaled"
    }

    fn params(&self) -> Vec<Param> {
        let int = || Param::Is(Kind::Int);
        vec![int(), Param::Cell, int()]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let f = args.float(1)?;
        if !(f > 0.0 && f.is_finite()) {
            return Err(native::Stop::Fail);
        }
        let d = args.num(0)?;
        if let Ok(d) = args.int(0) {
            return args.say_int(2, scaled(d, f));
        }
        if let Some((times, by)) = ratio(f) {
            let times = args.combine(&[(d, times)])?;
            let quotient = args.floor_div(times, by)?;
            return args.say_num(2, quotient);
        }
        let out = args.int(2)?;
        args.begin(0)?;
        // Growing with the size: those that come to `out` lie side by side.
        let first = |wanted: Int| {
            let (mut lo, mut hi) = (0, EXACT);
            while lo < hi {
                let middle = (lo + hi) / 2;
                if scaled(middle, f) >= wanted {
                    hi = middle;
                } else {
                    lo = middle + 1;
                }
            }
            lo
        };
        let (lo, hi) = (first(out), first(out + 1) - 1);
        match hi < EXACT - 1 {
            true if lo <= hi => args.say_between(d, lo, hi),
            true => Err(native::Stop::Fail),
            false => Ok(()),
        }
    }
}

/// `FloatRange(start, limit, delta, n)`: `n` numbers lie from `start` up to but not including `limit`,
/// `delta` apart.
#[derive(Debug)]
pub(super) struct FloatRange;

impl Native for FloatRange {
    fn name(&self) -> &'static str {
        "FloatRange"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Cell, Param::Cell, Param::Cell, Param::Is(Kind::Int)]
    }

    // It is about floats that are made of sizes, of which only the engine keeps what they are ([`Measure`]).
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_measured(look, &args[0])?
            && is_measured(look, &args[1])?
            && is_measured(look, &args[2])?)
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let mut of = Vec::with_capacity(3);
        for arg in &args[..3] {
            let known = member(view, arg)
                .map(|x| Measure::of(view, &x))
                .transpose()?;
            of.extend(known.flatten());
        }
        let [start, limit, delta] = of.as_slice() else {
            return Ok(Goal::succeed());
        };
        let (from, to, by) = (start.number(), limit.number(), delta.number());
        if let (Some(from), Some(to), Some(by)) = (from, to, by) {
            let count = ((to - from) / by).ceil();
            if !count.is_finite() {
                return Ok(Goal::fail());
            }
            let count = Linear::constant(count.max(0.0) as Int);
            return Ok(Goal::equal(args[3].clone(), count));
        }
        let (Some(from), Some(to), Some(by)) = (start.parts(), limit.parts(), delta.parts()) else {
            return Ok(Goal::succeed());
        };
        let way = to.minus(&from)?;
        let (way, by) = match by.as_constant() {
            Some(by) if by > 0 => (way, by),
            Some(by) if by < 0 => (way.scaled(-1)?, -by),
            _ => return Ok(Goal::succeed()),
        };
        let steps = rounded(view, &way, by, Function::CeilDiv)?;
        let count = view.apply(Function::Max, &[steps, Linear::constant(0)], Domain::ALL)?;
        Ok(Goal::equal(args[3].clone(), count))
    }
}
