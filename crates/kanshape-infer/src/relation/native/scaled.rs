//! Sizes that floats make.

use super::{Native, Param, is_number, number};
use crate::relation::float;
use crate::relation::kind::Kind;
use crate::relation::run::Context;
use kanshape_engine::{Domain, Goal, Int, Linear, Look, Stop, Term, View};
use std::sync::Arc;

/// `Scaled(d, f, o)`: `o` is the greatest integer not above `d*f`, calculated in 32 bits as ONNX does. The
/// scale has to be known; a size that is not gets the bounds that follow from the other.
#[derive(Debug)]
pub(super) struct Scaled;

/// Sizes up to this are exact in 32 bits.
const EXACT: Int = 1 << 24;

fn scaled(d: Int, f: f64) -> Int {
    (d as f32 * f as f32).floor() as Int
}

impl Native for Scaled {
    fn name(&self) -> &'static str {
        "Scaled"
    }

    fn params(&self) -> Vec<Param> {
        let int = || Param::Is(Kind::Int);
        vec![int(), Param::Cell, int()]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        if !is_number(look, &args[1])? {
            return Ok(false);
        }
        let f = number(look, &args[1])?;
        // A whole factor is arithmetic.
        if float::value(f).is_some_and(|f| f.fract() == 0.0 && f.abs() < 1e9) {
            return Ok(true);
        }
        Ok(is_number(look, &args[0])? || is_number(look, &args[2])?)
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let Some(f) = float::value(number(view, &args[1])?) else {
            return Ok(Goal::fail());
        };
        let (Term::Int(d), Term::Int(o)) = (view.walk(&args[0]), view.walk(&args[2])) else {
            return Ok(Goal::fail());
        };
        if !(f > 0.0 && f.is_finite()) {
            return Ok(Goal::fail());
        }
        let (d, o) = (view.resolve(&d)?, view.resolve(&o)?);
        if let Some(d) = d.as_constant() {
            return Ok(Goal::In(o, Domain::interval(scaled(d, f), scaled(d, f))));
        }
        if f.fract() == 0.0 && f.abs() < 1e9 {
            return Ok(Goal::equal(o, d.scaled(f as Int)?));
        }
        let Some(out) = o.as_constant() else {
            return Ok(Goal::succeed());
        };
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
        if hi >= EXACT - 1 {
            return Ok(Goal::succeed());
        }
        Ok(match lo <= hi {
            true => Goal::In(d, Domain::interval(lo, hi)),
            false => Goal::fail(),
        })
    }
}

/// `FloatRange(start, limit, delta, n)`: so many numbers lie from `start` up to but not including `limit`,
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

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_number(look, &args[0])? && is_number(look, &args[1])? && is_number(look, &args[2])?)
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let mut of = [0.0; 3];
        for (x, arg) in of.iter_mut().zip(args) {
            *x = float::value(number(view, arg)?).unwrap_or(f64::NAN);
        }
        let count = ((of[1] - of[0]) / of[2]).ceil();
        if !count.is_finite() {
            return Ok(Goal::fail());
        }
        let count = Linear::constant(count.max(0.0) as Int);
        Ok(Goal::equal(args[3].clone(), count))
    }
}
