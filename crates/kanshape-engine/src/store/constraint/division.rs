//! `a // b`, `ceil(a/b)` and `a % b`.

use super::function::Function;
use super::{AfterRun, Constraint, Lone, bounds, comparison, product};
use crate::budget::Stop;
use crate::domain::Domain;
use crate::int::{INF, Int, NEG_INF, bound_add, bound_mul, div_floor, divisors_of, finite};
use crate::linear::Linear;
use crate::store::State;

pub(super) fn run(
    state: &mut State,
    function: Function,
    args: &[Linear],
    out: &Linear,
) -> Result<AfterRun, Stop> {
    let [a, b] = args else {
        return Err(Stop::Conflict);
    };
    if state.may_be(b, 0) {
        state.restrict(b, &Domain::ALL.without(0))?;
    }
    let b = state.resolve(b)?;
    if b.as_constant() == Some(1) {
        let value = match function {
            Function::Mod => Linear::constant(0),
            _ => a.clone(),
        };
        state.equate(out, &value)?;
        return Ok(AfterRun::Done);
    }
    if let Some(n) = b.as_constant()
        && let Some((quotient, rest)) = divide_form(a, n)
    {
        return whole(state, function, &quotient, &rest, n, out);
    }
    if let Some((times, rest)) = times_form(&state.resolve(a)?, &b)
        && let Some(value) = of_times(function, times, rest, &b, state.bounds(&b).0)?
    {
        state.equate(out, &value)?;
        return Ok(AfterRun::Done);
    }
    if let Some(whole) = quotient_of_products(state, &state.resolve(a)?, &b)? {
        let value = match function {
            Function::Mod => Linear::constant(0),
            _ => whole,
        };
        state.equate(out, &value)?;
        return Ok(AfterRun::Done);
    }
    if state.bounds(&b).0 < 1 {
        return Ok(AfterRun::Keep);
    }
    match function {
        Function::FloorDiv => quotient(state, a, &b, out, Rounding::Down)?,
        Function::CeilDiv => quotient(state, a, &b, out, Rounding::Up)?,
        _ => remainder(state, a, &b, out)?,
    }
    let (a, b, out) = (state.resolve(a)?, state.resolve(&b)?, state.resolve(out)?);
    if let (Function::Mod, Some(a), Some(o)) = (function, a.as_constant(), out.as_constant())
        && let Some(values) = divisors(a, o)
    {
        state.restrict(&b, &values)?;
        return Ok(AfterRun::Done);
    }
    if let (None, Some(o)) = (b.as_constant(), out.as_constant())
        && function != Function::Mod
        && b.vars().any(|v| a.coefficient(v) != 0)
    {
        return between(state, function, &a, &b, o);
    }
    let (Some(n), Some(o)) = (b.as_constant(), out.as_constant()) else {
        return Ok(AfterRun::Keep);
    };
    match function {
        // Between two bounds: no more to say than these.
        Function::FloorDiv | Function::CeilDiv => {
            let from = o.checked_mul(n).ok_or(Stop::Overflow)?;
            let domain = match function {
                Function::FloorDiv => Domain::interval(from, from + (n - 1)),
                _ => Domain::interval(from - (n - 1), from),
            };
            state.restrict(&a, &domain)?;
        }
        // A multiple of the divisor, and the remainder, which is below it.
        _ if !(0..n).contains(&o) => return Err(Stop::Conflict),
        _ => {
            let (lo, hi) = state.bounds(&a);
            let times = if finite(lo) { div_floor(lo, n) } else { lo };
            let most = if finite(hi) { div_floor(hi, n) } else { hi };
            let q = state.int(Domain::interval(times, most));
            let mut multiple = Linear::constant(o);
            multiple.add_term(q, n)?;
            state.equate(&a, &multiple)?;
        }
    }
    Ok(AfterRun::Done)
}

/// The positive divisors by which `a` leaves the remainder `o`, if there are few.
fn divisors(a: Int, o: Int) -> Option<Domain> {
    let multiple = u64::try_from(a.checked_sub(o)?).ok().filter(|n| *n > 0)?;
    let all = divisors_of(multiple)?.into_iter().map(Int::from);
    Some(Domain::of(all.filter(|d| *d > o)))
}

/// `a / b` rounded is `o`, said as two inequalities. Where dividend and divisor have a variable in common, these
/// say more than the bounds of either.
fn between(
    state: &mut State,
    function: Function,
    a: &Linear,
    b: &Linear,
    o: Int,
) -> Result<AfterRun, Stop> {
    // Down: o*b <= a <= o*b + b-1.  Up: o*b - (b-1) <= a <= o*b.
    let (low, high) = match function {
        Function::FloorDiv => (b.scaled(o)?, b.scaled(o + 1)?),
        _ => (b.scaled(o - 1)?, b.scaled(o)?),
    };
    let (mut above, mut below) = (a.minus(&low)?, high.minus(a)?);
    let open = match function {
        Function::FloorDiv => &mut below,
        _ => &mut above,
    };
    open.add_constant(-1)?;
    state.post(Constraint::NonNegative(above))?;
    state.post(Constraint::NonNegative(below))?;
    Ok(AfterRun::Done)
}

/// `a = n * quotient + rest` where the rest is a number: all coefficients are multiples of `n`.
fn divide_form(a: &Linear, n: Int) -> Option<(Linear, Int)> {
    if n == 0 || a.terms().iter().any(|t| t.1 % n != 0) {
        return None;
    }
    let rest = crate::int::modulo(a.offset(), n);
    let mut whole = a.clone();
    whole.add_constant(rest.checked_neg()?).ok()?;
    Some((whole.divided(n), rest))
}

/// What is left of a product whose factors have those of another one, which is not 0, among them.
fn quotient_of_products(state: &mut State, a: &Linear, b: &Linear) -> Result<Option<Linear>, Stop> {
    let (&[(_, times)], &[(_, by)]) = (a.terms(), b.terms()) else {
        return Ok(None);
    };
    let (Some(mut rest), Some(divisors)) =
        (product::factors(state, a)?, product::factors(state, b)?)
    else {
        return Ok(None);
    };
    if times % by != 0 || rest.len() <= divisors.len() {
        return Ok(None);
    }
    for divisor in &divisors {
        let Some(at) = rest.iter().position(|factor| factor == divisor) else {
            return Ok(None);
        };
        rest.remove(at);
    }
    let whole = product::multiply(state, &rest, Domain::ALL)?;
    Ok(Some(whole.scaled(times / by)?))
}

/// `a = times * b + rest` where both are numbers: `a` has the variables of `b`.
fn times_form(a: &Linear, b: &Linear) -> Option<(Int, Int)> {
    let (first, by) = *b.terms().first()?;
    let own = a.coefficient(first);
    if own % by != 0 {
        return None;
    }
    let times = own / by;
    let rest = a.minus(&b.scaled(times).ok()?).ok()?;
    Some((times, rest.as_constant()?))
}

/// What `times * b + rest` over `b` comes to, for a `b` that is not 0 and at least `least`; nothing if that depends on `b`.
fn of_times(
    function: Function,
    times: Int,
    rest: Int,
    b: &Linear,
    least: Int,
) -> Result<Option<Linear>, Stop> {
    // How often the divisor goes into the rest: it is greater than that.
    let down = match rest {
        0 => 0,
        _ if least < 1 || rest >= least || rest <= -least => return Ok(None),
        1.. => 0,
        _ => -1,
    };
    Ok(Some(match function {
        Function::FloorDiv => Linear::constant(times + down),
        Function::CeilDiv => Linear::constant(times + down + Int::from(rest != 0)),
        _ if down == 0 => Linear::constant(rest),
        _ => {
            let mut left = b.clone();
            left.add_constant(rest)?;
            left
        }
    }))
}

fn whole(
    state: &mut State,
    function: Function,
    quotient: &Linear,
    rest: &Int,
    n: Int,
    out: &Linear,
) -> Result<AfterRun, Stop> {
    let mut value = quotient.clone();
    match function {
        Function::FloorDiv => {}
        Function::CeilDiv => value.add_constant(-div_floor(-rest, n))?,
        _ => value = Linear::constant(*rest),
    }
    state.equate(out, &value)?;
    Ok(AfterRun::Done)
}

#[derive(Clone, Copy, PartialEq)]
enum Rounding {
    Down,
    Up,
}

/// A bound divided by a bound of the positive divisor, rounded.
fn divided(a: Int, b: Int, rounding: Rounding) -> Int {
    if !finite(a) {
        return a;
    }
    if b == INF {
        return match rounding {
            Rounding::Down => {
                if a < 0 {
                    -1
                } else {
                    0
                }
            }
            Rounding::Up => Int::from(a > 0),
        };
    }
    match rounding {
        Rounding::Down => div_floor(a, b),
        Rounding::Up => -div_floor(-a, b),
    }
}

/// `out = a / b` rounded, for `b >= 1`.
fn quotient(
    state: &mut State,
    a: &Linear,
    b: &Linear,
    out: &Linear,
    rounding: Rounding,
) -> Result<(), Stop> {
    let (a_lo, a_hi) = state.bounds(a);
    let (b_lo, b_hi) = state.bounds(b);
    // A negative number is least over the least divisor, a positive one over the greatest.
    let least = divided(a_lo, if a_lo < 0 { b_lo } else { b_hi }, rounding);
    let most = divided(a_hi, if a_hi < 0 { b_hi } else { b_lo }, rounding);
    bounds::tighten(state, out, least, most)?;
    let (o_lo, o_hi) = state.bounds(out);
    // Down: out*b <= a <= out*b + b-1.  Up: out*b - (b-1) <= a <= out*b.
    let product_lo = bound_mul(o_lo, if o_lo < 0 { b_hi } else { b_lo });
    let product_hi = bound_mul(o_hi, if o_hi < 0 { b_lo } else { b_hi });
    let (from, to) = match rounding {
        Rounding::Down => {
            // out*b + b-1 = (out+1)*b - 1 at its greatest.
            let next = bound_add(o_hi, 1);
            let high = bound_mul(next, if next < 0 { b_lo } else { b_hi });
            (product_lo, bound_add(high, -1))
        }
        Rounding::Up => {
            let before = bound_add(o_lo, -1);
            let low = bound_mul(before, if before < 0 { b_hi } else { b_lo });
            (bound_add(low, 1), product_hi)
        }
    };
    bounds::tighten(state, a, from, to)?;
    let (a_lo, a_hi) = state.bounds(a);
    // b from a and out, where both are of one sign.
    let (lo, hi) = match rounding {
        Rounding::Down => {
            let hi = if o_lo >= 1 && finite(a_hi) {
                div_floor(a_hi, o_lo)
            } else {
                INF
            };
            let lo = if o_hi >= 0 && finite(o_hi) && a_lo >= 0 && finite(a_lo) {
                div_floor(a_lo, o_hi + 1) + 1
            } else {
                NEG_INF
            };
            (lo, hi)
        }
        Rounding::Up => {
            // a <= out*b, and (out-1)*b < a.
            let lo = if o_hi >= 1 && finite(o_hi) && a_lo >= 0 && finite(a_lo) {
                -div_floor(-a_lo, o_hi)
            } else {
                NEG_INF
            };
            let hi = if o_lo >= 2 && finite(a_hi) {
                -div_floor(-a_hi, o_lo - 1) - 1
            } else {
                INF
            };
            (lo, hi)
        }
    };
    bounds::tighten(state, b, lo, hi)
}

/// `out = a % b`, for `b >= 1`.
fn remainder(state: &mut State, a: &Linear, b: &Linear, out: &Linear) -> Result<(), Stop> {
    let (a_lo, a_hi) = state.bounds(a);
    let (_, b_hi) = state.bounds(b);
    let mut most = bound_add(b_hi, -1);
    if a_lo >= 0 {
        most = most.min(a_hi);
    }
    bounds::tighten(state, out, 0, most)?;
    let (o_lo, _) = state.bounds(out);
    bounds::tighten(state, b, bound_add(o_lo, 1), INF)?;
    let (b_lo, _) = state.bounds(b);
    if a_lo >= 0 {
        bounds::tighten(state, a, o_lo, INF)?;
        if a_hi < b_lo {
            state.equate(out, a)?;
        }
    }
    Ok(())
}

/// What a quotient says without its dividend: whatever it is, some dividend has it; but none is negative.
pub(super) fn eliminate(
    state: &State,
    args: &[Linear],
    out: &Linear,
    lone: &Lone<'_>,
) -> Option<Vec<Constraint>> {
    let [dividend, divisor] = args else {
        return None;
    };
    let is_any = lone.is_natural()
        && lone.is(dividend)
        && state.bounds(divisor).0 >= 1
        && (lone.domain.lo() == 0 || state.bounds(out).0 >= 0);
    is_any.then(|| comparison::natural(state, out))
}
