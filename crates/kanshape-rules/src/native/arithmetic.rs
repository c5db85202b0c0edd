//! Arithmetic of floats, as the dtype rounds it.

use super::{Native, Param, is_dtype, is_number, known_dtype, member, number};
use crate::encode::measure::{Measure, PARTS, divided, is_measured, rounded};
use crate::encode::{Kind, sizes};
use crate::rules::Context;
use crate::rules::native::{self, Arguments};
use kanshape_engine::{Domain, Function, Goal, Int, Linear, Look, Stop, Term, View};
use kanshape_types::{Content, Dtype};
use std::sync::Arc;

/// `FloatOf(f, T, x, z)`: `z` is what the function makes of the float `x`.
#[derive(Debug)]
pub(super) struct FloatOf;

/// `FloatOfTwo(f, T, x, y, z)`: `z` is what the function makes of the floats `x` and `y`. What a comparison makes is 1
/// or 0. Of an exact sum or product it speaks only where nothing has to be rounded.
#[derive(Debug)]
pub(super) struct FloatOfTwo;

fn params(floats: usize) -> Vec<Param> {
    let mut params = vec![Param::Is(Kind::Text), Param::Is(Kind::Dtype)];
    params.resize(2 + floats, Param::Cell);
    params
}

impl Native for FloatOf {
    fn name(&self) -> &'static str {
        "FloatOf"
    }

    fn params(&self) -> Vec<Param> {
        params(2)
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let (dtype, x) = (args.dtype(1)?, args.float(2)?);
        let z = of_number(args.text(0)?, x, dtype);
        args.say_float(3, z.ok_or(native::Stop::Leave)?)
    }

    // Of floats that are made of sizes, only the engine keeps what they are ([`Measure`]).
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_number(look, &args[0])? && is_dtype(look, &args[1]) && is_measured(look, &args[2])?)
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        let name = context.text(number(view, &args[0])?);
        let (x, z) = (member(view, &args[2]), member(view, &args[3]));
        let (Some(name), Some(dtype), Some(x), Some(z)) = (name, known_dtype(view, &args[1]), x, z)
        else {
            return Ok(Goal::succeed());
        };
        let found = match Measure::of(view, &x)? {
            Some(Measure::Number(x)) => of_number(&name, x, dtype).map(Measure::Number),
            Some(Measure::Parts(parts)) => {
                let parts = of_parts(&name, view, parts)?;
                parts.and_then(|parts| Measure::exact(view, parts, dtype))
            }
            None => None,
        };
        if let Some(found) = found {
            found.says(view, &z)?;
        }
        Ok(Goal::succeed())
    }
}

/// What the function makes of a number.
fn of_number(name: &str, x: f64, dtype: Dtype) -> Option<f64> {
    let z = match name {
        "neg" => -x,
        "abs" => x.abs(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "round" => x.round_ties_even(),
        "sqrt" => x.sqrt(),
        // The sign of a zero is not known.
        "reciprocal" if x != 0.0 => 1.0 / x,
        "sign" if x.is_nan() => x,
        "sign" => f64::from(x > 0.0) - f64::from(x < 0.0),
        _ => return None,
    };
    Content::nearest(z, dtype)
}

/// The same of a number of parts.
fn of_parts(name: &str, view: &mut View<'_>, parts: Linear) -> Result<Option<Linear>, Stop> {
    let (lo, hi) = view.bounds(&parts);
    Ok(match name {
        "neg" => Some(parts.scaled(-1)?),
        "abs" if lo >= 0 => Some(parts),
        "abs" if hi <= 0 => Some(parts.scaled(-1)?),
        "floor" => Some(rounded(view, &parts, PARTS, Function::FloorDiv)?.scaled(PARTS)?),
        "ceil" => Some(rounded(view, &parts, PARTS, Function::CeilDiv)?.scaled(PARTS)?),
        "round" => divided(&parts, PARTS).map(|_| parts),
        _ => None,
    })
}

impl Native for FloatOfTwo {
    fn name(&self) -> &'static str {
        "FloatOfTwo"
    }

    fn params(&self) -> Vec<Param> {
        params(3)
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let (dtype, x, y) = (args.dtype(1)?, args.float(2)?, args.float(3)?);
        match args.text(0)? {
            "equal" => args.say_int(4, Int::from(x == y)),
            "less" => args.say_int(4, Int::from(x < y)),
            name => {
                let z = of_numbers(name, x, y, dtype);
                args.say_float(4, z.ok_or(native::Stop::Leave)?)
            }
        }
    }

    // As with [`FloatOf`].
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_number(look, &args[0])?
            && is_dtype(look, &args[1])
            && is_measured(look, &args[2])?
            && is_measured(look, &args[3])?)
    }

    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, Stop> {
        let name = context.text(number(view, &args[0])?);
        let of = |arg: &Term| member(view, arg);
        let (Some(name), Some(dtype), Some(x), Some(y), Some(z)) = (
            name,
            known_dtype(view, &args[1]),
            of(&args[2]),
            of(&args[3]),
            of(&args[4]),
        ) else {
            return Ok(Goal::succeed());
        };
        let (Some(x), Some(y)) = (Measure::of(view, &x)?, Measure::of(view, &y)?) else {
            return Ok(Goal::succeed());
        };
        if let "equal" | "less" = &*name {
            let truth = compared(&name, view, &x, &y)?;
            let says = |truth| Goal::equal(z, Linear::constant(Int::from(truth)));
            return Ok(truth.map_or_else(Goal::succeed, says));
        }
        let found = match (x.number(), y.number()) {
            (Some(x), Some(y)) => of_numbers(&name, x, y, dtype).map(Measure::Number),
            _ => {
                let parts = match (x.parts(), y.parts()) {
                    (Some(x), Some(y)) => of_two_parts(&name, view, &x, &y)?,
                    _ => None,
                };
                parts.and_then(|parts| Measure::exact(view, parts, dtype))
            }
        };
        if let Some(found) = found {
            found.says(view, &z)?;
        }
        Ok(Goal::succeed())
    }
}

/// Whether the comparison holds, if that follows.
fn compared(name: &str, view: &View<'_>, x: &Measure, y: &Measure) -> Result<Option<bool>, Stop> {
    if let (Some(x), Some(y)) = (x.number(), y.number()) {
        return Ok(Some(if name == "less" { x < y } else { x == y }));
    }
    let (Some(x), Some(y)) = (x.parts(), y.parts()) else {
        return Ok(None);
    };
    let (lo, hi) = view.bounds(&y.minus(&x)?);
    Ok(match name {
        "less" if lo > 0 => Some(true),
        "less" if hi <= 0 => Some(false),
        "equal" if lo > 0 || hi < 0 => Some(false),
        "equal" if (lo, hi) == (0, 0) => Some(true),
        _ => None,
    })
}

/// What the function makes of two numbers.
fn of_numbers(name: &str, x: f64, y: f64, dtype: Dtype) -> Option<f64> {
    let z = match name {
        "add" => x + y,
        "sub" => x - y,
        "mul" => x * y,
        // The sign of a zero is not known.
        "div" if y != 0.0 => x / y,
        "fmod" if y != 0.0 => x % y,
        "min" | "max" if x.is_nan() || y.is_nan() => f64::NAN,
        "min" => x.min(y),
        "max" => x.max(y),
        "pow" => power(x, y)?,
        "exact sum" => exact_sum(x, y)?,
        "exact product" => exact_product(x, y)?,
        _ => return None,
    };
    let nearest = Content::nearest(z, dtype)?;
    // Powers are not rounded alike everywhere.
    let is_exact = matches!(name, "pow" | "exact sum" | "exact product");
    (!is_exact || nearest == z).then_some(nearest)
}

/// The sum, if 64 bits have it: what the rounding has lost is found by taking the sum apart again.
fn exact_sum(x: f64, y: f64) -> Option<f64> {
    let sum = x + y;
    let of_y = sum - x;
    let lost = (x - (sum - of_y)) + (y - of_y);
    (lost == 0.0).then_some(sum)
}

/// The product, if 64 bits have it.
fn exact_product(x: f64, y: f64) -> Option<f64> {
    let product = x * y;
    (x.mul_add(y, -product) == 0.0).then_some(product)
}

/// A power that a float of 64 bits has exactly: of a natural exponent, or a root.
fn power(x: f64, y: f64) -> Option<f64> {
    if y == 0.5 && x >= 0.0 {
        let root = x.sqrt();
        return (digits(root) <= 26 && root * root == x).then_some(root);
    }
    let natural = y.fract() == 0.0 && (0.0..=64.0).contains(&y);
    let exact = natural && x.is_finite() && f64::from(digits(x)) * y <= 53.0;
    exact.then(|| x.powi(y as i32))
}

/// The binary digits of a float between its first and its last 1.
fn digits(x: f64) -> u32 {
    let mantissa = (x.to_bits() & ((1 << 52) - 1)) | (1 << 52);
    53 - mantissa.trailing_zeros().min(52)
}

/// The same of two numbers of parts.
fn of_two_parts(
    name: &str,
    view: &mut View<'_>,
    x: &Linear,
    y: &Linear,
) -> Result<Option<Linear>, Stop> {
    Ok(match (name, x.as_constant(), y.as_constant()) {
        ("add" | "exact sum", ..) => Some(x.plus(y)?),
        ("sub", ..) => Some(x.minus(y)?),
        ("mul" | "exact product", _, Some(k)) => scaled(x, k, PARTS),
        ("mul" | "exact product", Some(k), _) => scaled(y, k, PARTS),
        ("div", _, Some(k)) => scaled(x, PARTS, k),
        ("div", ..) if x == y && view.bounds(x).0 > 0 => Some(Linear::constant(PARTS)),
        ("min", ..) => extreme(view, Function::Min, x, y)?,
        ("max", ..) => extreme(view, Function::Max, x, y)?,
        _ => None,
    })
}

/// The least or the greatest of two numbers of parts. It is found in steps of the greatest power of two that divides both, so that
/// whole numbers stay whole.
fn extreme(
    view: &mut View<'_>,
    function: Function,
    x: &Linear,
    y: &Linear,
) -> Result<Option<Linear>, Stop> {
    let (lo, hi) = view.bounds(&x.minus(y)?);
    match function {
        Function::Max if lo >= 0 => return Ok(Some(x.clone())),
        Function::Max if hi <= 0 => return Ok(Some(y.clone())),
        Function::Min if lo >= 0 => return Ok(Some(y.clone())),
        Function::Min if hi <= 0 => return Ok(Some(x.clone())),
        _ => {}
    }
    let coefficients = [x, y].into_iter().flat_map(|form| {
        let own = form.terms().iter().map(|t| t.1);
        own.chain([form.offset()])
    });
    let all = coefficients.filter(|c| *c != 0);
    let step = all.map(|c| c.trailing_zeros()).min().unwrap_or(0);
    let step = 1 << step.min(40);
    let (Some(x), Some(y)) = (divided(x, step), divided(y, step)) else {
        return Ok(None);
    };
    let domain = match view.bounds(&x).0 >= 0 && view.bounds(&y).0 >= 0 {
        true => sizes(),
        false => Domain::ALL,
    };
    let found = view.apply(function, &[x, y], domain)?;
    Ok(Some(found.scaled(step)?))
}

/// A form times a number and divided by another, if that comes out even.
fn scaled(form: &Linear, times: Int, by: Int) -> Option<Linear> {
    divided(&form.scaled(times).ok()?, by)
}
