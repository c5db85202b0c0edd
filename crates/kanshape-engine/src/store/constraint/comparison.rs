//! Forms that are 0, are not 0, are 0 or more, or are one of some numbers.

use super::{AfterRun, Constraint, Lone, bounds, factored};
use crate::budget::{Budget, Stop};
use crate::domain::Domain;
use crate::int::{INF, Int, NEG_INF, div_floor};
use crate::linear::Linear;
use crate::store::State;

/// Only forms come here in which no variable has the coefficient 1 or -1; a binding may change
/// that, and then the form is solved.
pub(super) fn zero(state: &mut State, budget: &mut Budget, l: &Linear) -> Result<AfterRun, Stop> {
    let now = state.resolve(l)?;
    let content = now.content();
    if content == 0 || content > 1 || now.terms().iter().any(|t| t.1.abs() == 1) {
        state.zero(now)?;
        return Ok(AfterRun::Done);
    }
    bounds::tighten(state, &now, 0, 0)?;
    let has_product = now.vars().any(|v| !state.factors(v).is_empty());
    if has_product && let Some(outcome) = factored::complete(state, budget, &[], &now)? {
        return Ok(outcome);
    }
    let two_left = now.terms().len() == 2;
    if two_left {
        return solve_two(state, &now);
    }
    Ok(if now == *l {
        AfterRun::Keep
    } else {
        AfterRun::Become(Constraint::Zero(now))
    })
}

/// `a*x + b*y + c = 0` with coprime `a` and `b`: every solution is a step along one new variable.
fn solve_two(state: &mut State, l: &Linear) -> Result<AfterRun, Stop> {
    let (&[(x, a), (y, b)], c) = (l.terms(), l.offset()) else {
        return Ok(AfterRun::Keep);
    };
    // a*p + b*q = 1
    let (mut r, mut p, mut q) = ((a, b), (1, 0), (0, 1));
    while r.1 != 0 {
        let k = r.0 / r.1;
        r = (r.1, r.0 - k * r.1);
        p = (p.1, p.0 - k * p.1);
        q = (q.1, q.0 - k * q.1);
    }
    let sign = r.0.signum();
    let scale = |p: Int| {
        p.checked_mul(sign)
            .and_then(|p| p.checked_mul(c.checked_neg()?))
    };
    let (Some(x0), Some(y0)) = (scale(p.0), scale(q.0)) else {
        return Err(Stop::Overflow);
    };
    // Count the steps upwards in x, from the least that its bounds and those of y allow: so a step is a
    // natural number wherever x and y are.
    let sign = b.signum();
    let (up_x, up_y) = (b * sign, -a * sign);
    let start = |from: Int, by: Int, lo: Int| {
        (by > 0 && lo > NEG_INF).then(|| -div_floor(from.saturating_sub(lo), by))
    };
    let starts = [
        start(x0, up_x, state.var_bounds(x).0),
        start(y0, up_y, state.var_bounds(y).0),
    ];
    let first = starts.into_iter().flatten().max();
    let shift = first.unwrap_or_else(|| -div_floor(x0, up_x));
    let moved = |from: Int, by: Int| {
        let moved = shift.checked_mul(by).and_then(|s| from.checked_add(s));
        moved.ok_or(Stop::Overflow)
    };
    let (x0, y0) = (moved(x0, up_x)?, moved(y0, up_y)?);
    let natural = first.map_or(Domain::ALL, |_| Domain::interval(0, INF));
    let step = state.int(natural);
    let along = |from: Int, by: Int| -> Result<Linear, Stop> {
        let mut form = Linear::constant(from);
        form.add_term(step, by)?;
        Ok(form)
    };
    let (for_x, for_y) = (along(x0, up_x)?, along(y0, up_y)?);
    state.equate(&Linear::var(x), &for_x)?;
    state.equate(&Linear::var(y), &for_y)?;
    Ok(AfterRun::Done)
}

pub(super) fn non_negative(state: &mut State, l: &Linear) -> Result<AfterRun, Stop> {
    let mut now = state.resolve(l)?;
    let content = now.content();
    if content > 1 {
        now = now.divided(content);
    }
    if now.terms().len() <= 1 {
        state.restrict(&now, &Domain::interval(0, INF))?;
        return Ok(AfterRun::Done);
    }
    bounds::tighten(state, &now, 0, INF)?;
    if bounds::is_natural(state, &now) {
        return Ok(AfterRun::Done);
    }
    let mut below = now.scaled(-1)?;
    below.add_constant(-1)?;
    if bounds::is_natural(state, &below) {
        return Err(Stop::Conflict);
    }
    Ok(if now == *l {
        AfterRun::Keep
    } else {
        AfterRun::Become(Constraint::NonNegative(now))
    })
}

pub(super) fn non_zero(state: &mut State, l: &Linear) -> Result<AfterRun, Stop> {
    let now = state.resolve(l)?;
    match *now.terms() {
        [] if now.offset() == 0 => return Err(Stop::Conflict),
        [] => return Ok(AfterRun::Done),
        [(v, c)] => {
            if now.offset() % c != 0 {
                return Ok(AfterRun::Done);
            }
            let domain = state.domain(v);
            let x = -now.offset() / c;
            if !domain.contains(x) {
                return Ok(AfterRun::Done);
            }
            if !domain.list_is_full() {
                state.narrow(v, &domain.without(x))?;
                return Ok(AfterRun::Done);
            }
        }
        _ => {}
    }
    let (lo, hi) = state.bounds(&now);
    if lo > 0 || hi < 0 {
        return Ok(AfterRun::Done);
    }
    Ok(AfterRun::Keep)
}

pub(super) fn member(state: &mut State, l: &Linear, values: &[Int]) -> Result<AfterRun, Stop> {
    let now = state.resolve(l)?;
    if now.terms().len() <= 1 {
        state.restrict(&now, &Domain::of(values.iter().copied()))?;
        return Ok(AfterRun::Done);
    }
    let (lo, hi) = state.bounds(&now);
    let left: Vec<Int> = values
        .iter()
        .copied()
        .filter(|&x| lo <= x && x <= hi)
        .collect();
    let (Some(&first), Some(&last)) = (left.first(), left.last()) else {
        return Err(Stop::Conflict);
    };
    bounds::tighten(state, &now, first, last)?;
    if first == last {
        state.equate(&now, &Linear::constant(first))?;
        return Ok(AfterRun::Done);
    }
    Ok(AfterRun::Keep)
}

/// What `l >= 0` says without a variable: it is met by the greatest value of that or by the least one, if by any.
pub(super) fn eliminate(
    state: &State,
    l: &Linear,
    lone: &Lone<'_>,
) -> Result<Vec<Constraint>, Stop> {
    let c = l.coefficient(lone.var);
    let best = match c > 0 {
        true => lone.domain.hi(),
        false => lone.domain.lo(),
    };
    if best == NEG_INF || c > 0 && lone.is_far(best) {
        return Ok(Vec::new());
    }
    let mut rest = l.clone();
    rest.add_term(lone.var, -c)?;
    rest.add_constant(c.checked_mul(best).ok_or(Stop::Overflow)?)?;
    // What holds of all that its variables can be would only keep them from being met once.
    Ok(natural(state, &rest))
}

/// That a number is not negative, if that says something.
pub(super) fn natural(state: &State, n: &Linear) -> Vec<Constraint> {
    match state.bounds(n).0 {
        0.. => Vec::new(),
        _ => vec![Constraint::NonNegative(n.clone())],
    }
}

/// What inequalities say without a variable that is in each of them once, and nowhere else: a value exists if no lower bound is above
/// an upper one (Fourier-Motzkin). `None` if one has a coefficient other than 1 or -1, or if more would result.
///
/// # Errors
/// [`Stop::Overflow`] if the numbers would be too large without it.
pub fn between<'c>(
    state: &State,
    orders: impl Iterator<Item = &'c Constraint>,
    lone: &Lone<'_>,
) -> Result<Option<Vec<Constraint>>, Stop> {
    if lone.is_listed() {
        return Ok(None);
    }
    // `v + l >= 0`, and `l - v >= 0`.
    let (mut least, mut most): (Vec<Linear>, Vec<Linear>) = (Vec::new(), Vec::new());
    for c in orders {
        let order = match c {
            Constraint::NonNegative(l) => l.clone(),
            Constraint::NonZero(l) if state.bounds(l).0 >= 0 => {
                let mut order = l.clone();
                order.add_constant(-1)?;
                order
            }
            _ => return Ok(None),
        };
        match order.coefficient(lone.var) {
            1 => least.push(order),
            -1 => most.push(order),
            _ => return Ok(None),
        }
    }
    if least.len() * most.len() > least.len() + most.len() {
        return Ok(None);
    }
    let (lo, hi) = (lone.domain.lo(), lone.domain.hi());
    let mut rest: Vec<Linear> = Vec::new();
    for low in &least {
        for high in &most {
            rest.push(low.plus(high)?);
        }
        if !lone.is_far(hi) {
            let mut low = low.clone();
            low.add_term(lone.var, -1)?;
            low.add_constant(hi)?;
            rest.push(low);
        }
    }
    for high in most.iter().filter(|_| lo != NEG_INF) {
        let mut high = high.clone();
        high.add_term(lone.var, 1)?;
        high.add_constant(lo.checked_neg().ok_or(Stop::Overflow)?)?;
        rest.push(high);
    }
    Ok(Some(rest.iter().flat_map(|l| natural(state, l)).collect()))
}
