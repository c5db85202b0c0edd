//! Bounds of linear forms, and what a bound on a form says of its variables.

use crate::budget::Stop;
use crate::domain::Domain;
use crate::int::{
    INF, Int, NEG_INF, bound_add, bound_div_ceil, bound_div_floor, bound_mul, finite,
};
use crate::limits::{BOUND_TERMS, MAX_BOUND_DEPTH, MAX_BOUND_FORMS};
use crate::linear::{Linear, Var, work_of};
use crate::store::State;
use crate::store::constraint::{Constraint, Function};
use crate::store::envelope;

/// The least and the greatest value that `c * v` can have.
fn term(state: &State, v: Var, c: Int) -> (Int, Int) {
    let (lo, hi) = state.var_bounds(v);
    let (a, b) = (bound_mul(lo, c), bound_mul(hi, c));
    if c < 0 { (b, a) } else { (a, b) }
}

/// A sum of lower bounds: one that is missing makes the sum missing.
fn add_lower(a: Int, b: Int) -> Int {
    if a == NEG_INF || b == NEG_INF {
        NEG_INF
    } else {
        bound_add(a, b).min(INF - 1)
    }
}

fn add_upper(a: Int, b: Int) -> Int {
    if a == INF || b == INF {
        INF
    } else {
        bound_add(a, b).max(NEG_INF + 1)
    }
}

pub(crate) fn of_linear(state: &State, l: &Linear) -> (Int, Int) {
    work_of(l.terms());
    l.terms()
        .iter()
        .fold((l.offset(), l.offset()), |(lo, hi), &(v, c)| {
            let (a, b) = term(state, v, c);
            (add_lower(lo, a), add_upper(hi, b))
        })
}

/// Is `l` never negative, whatever the variables are? Beyond the bounds of the variables, the values of applications
/// stand on one side of their arguments: `min(n, m)` is `n` or less.
pub(crate) fn is_natural(state: &State, l: &Linear) -> bool {
    is_natural_without(state, l, None)
}

/// The same without what is known of `own`, the value of an application that is to say less if this is so: what it
/// says now is no reason.
pub(crate) fn is_natural_without(state: &State, l: &Linear, own: Option<Var>) -> bool {
    let mut left = MAX_BOUND_FORMS;
    follows(state, l, own, MAX_BOUND_DEPTH, &mut left)
}

fn follows(state: &State, l: &Linear, own: Option<Var>, depth: usize, left: &mut usize) -> bool {
    if of_linear(state, l).0 >= 0 {
        return true;
    }
    if depth == 0 || *left == 0 {
        return false;
    }
    // A long sum counts as several: each of its terms may have something in its place.
    *left = left.saturating_sub(1 + l.terms().len() / BOUND_TERMS);
    l.terms().iter().any(|&(v, c)| {
        let definition = state.definition(v).filter(|_| own != Some(v));
        let Some((function, args)) = definition else {
            return false;
        };
        // With something in the place of what the value adds that is not more than it.
        let put = |a: &Linear, times: Int, more: Int| {
            let put = l.without(v).add_scaled(a, times).ok();
            let put = put.and_then(|mut put| put.add_constant(more).ok().map(|()| put));
            put.and_then(|put| state.resolve(&put).ok())
        };
        let mut with = |a: &Linear, times: Int, more: Int| {
            let put = put(a, times, more);
            put.is_some_and(|put| follows(state, &put, own, depth - 1, left))
        };
        match (function, c > 0) {
            (Function::Min, false) | (Function::Max, true) => args.iter().any(|a| with(a, c, 0)),
            (Function::Min, true) | (Function::Max, false) => args.iter().all(|a| with(a, c, 0)),
            (Function::FloorDiv | Function::CeilDiv | Function::Mod, adds) => {
                let [a, b] = args else { return false };
                if let Some((times, more)) = multiple(function, b, c)
                    && with(a, times, more)
                {
                    return true;
                }
                // Of naturals, a quotient is not more than the dividend, and a remainder not more than either.
                let least =
                    |a: &Linear| state.resolve(a).map_or(NEG_INF, |a| of_linear(state, &a).0);
                !adds && least(a) >= 0 && least(b) >= 1 && with(a, c, 0)
            }
            (Function::Product, adds) => {
                // A quotient times its divisor is not more than the dividend, and less than the divisor away from it.
                if let Some((a, by)) = quotient_times(state, args) {
                    let put = match adds {
                        true => put(&a, c, c).and_then(|put| put.add_scaled(&by, -c).ok()),
                        false => put(&a, c, 0),
                    };
                    let put = put.and_then(|put| state.resolve(&put).ok());
                    if put.is_some_and(|put| follows(state, &put, own, depth - 1, left)) {
                        return true;
                    }
                }
                // Where a product has no bound its factors may have it beside them. There are many ways to go on from here,
                // and none is taken.
                envelope::says_more(state, v, args, l) && {
                    let mut forms = envelope::forms(state, args, !adds).into_iter();
                    forms.any(|form| put(&form, c, 0).is_some_and(|l| of_linear(state, &l).0 >= 0))
                }
            }
            _ => false,
        }
    })
}

/// The dividend and the divisor of a quotient that is multiplied by that divisor, which is positive.
fn quotient_times(state: &State, factors: &[Linear]) -> Option<(Linear, Linear)> {
    let [x, y] = factors else {
        return None;
    };
    [(x, y), (y, x)].into_iter().find_map(|(quotient, factor)| {
        let quotient = state.resolve(quotient).ok()?.as_var()?;
        let Some((Function::FloorDiv, [a, by])) = state.definition(quotient) else {
            return None;
        };
        let by = state.resolve(by).ok()?;
        let is_it = state.resolve(factor).ok()? == by && of_linear(state, &by).0 >= 1;
        is_it.then(|| (a.clone(), by))
    })
}

/// `c` times a quotient, where that is a multiple of the divisor `b`: a multiple of the dividend and a remainder are
/// not more than it. A quotient times its divisor is less than the divisor away from the dividend.
fn multiple(function: Function, b: &Linear, c: Int) -> Option<(Int, Int)> {
    let by = b.as_constant().filter(|by| *by >= 1 && c % by == 0)?;
    let times = c / by;
    let away = (by - 1).checked_mul(times.checked_abs()?)?;
    match function {
        Function::FloorDiv => Some((times, if c > 0 { -away } else { 0 })),
        Function::CeilDiv => Some((times, if c > 0 { 0 } else { -away })),
        _ => None,
    }
}

/// From now on `l` is in `domain`: what its variables can't say one by one becomes constraints.
pub(crate) fn restrict(state: &mut State, l: &Linear, domain: &Domain) -> Result<(), Stop> {
    let l = state.resolve(l)?;
    if let Some(n) = l.as_constant() {
        return if domain.contains(n) {
            Ok(())
        } else {
            Err(Stop::Conflict)
        };
    }
    if let [(v, c)] = *l.terms() {
        return restrict_term(state, v, c, l.offset(), domain);
    }
    let (lo, hi) = of_linear(state, &l);
    if domain.lo() > lo && domain.lo() != NEG_INF {
        let mut above = l.clone();
        above.add_constant(domain.lo().checked_neg().ok_or(Stop::Overflow)?)?;
        post_new(state, Constraint::NonNegative(above))?;
    }
    if domain.hi() < hi && domain.hi() != INF {
        let mut below = l.scaled(-1)?;
        below.add_constant(domain.hi())?;
        post_new(state, Constraint::NonNegative(below))?;
    }
    if let Some(values) = domain.only() {
        post_new(state, Constraint::Member(l.clone(), values.into()))?;
    }
    for &x in domain.except() {
        let mut apart = l.clone();
        apart.add_constant(x.checked_neg().ok_or(Stop::Overflow)?)?;
        post_new(state, Constraint::NonZero(apart))?;
    }
    Ok(())
}

/// Posts what restricts a resolved form, unless a posted constraint says it already: a constraint that restricts a form each time
/// that it runs would be woken by its own post, without end. What follows from the value of an application does not count,
/// since that application may be the one that posts it.
fn post_new(state: &mut State, constraint: Constraint) -> Result<(), Stop> {
    let is_same = |own: &Linear, l: &Linear| state.resolve(own).is_ok_and(|own| own == *l);
    let is_posted = match &constraint {
        Constraint::NonNegative(l) => state.is_posted_natural(l),
        Constraint::NonZero(l) => state.is_posted(l, |posted| match posted {
            Constraint::NonZero(own) => is_same(own, l),
            _ => false,
        }),
        Constraint::Member(l, values) => state.is_posted(l, |posted| match posted {
            Constraint::Member(own, listed) => listed == values && is_same(own, l),
            _ => false,
        }),
        _ => false,
    };
    if is_posted {
        return Ok(());
    }
    if let Constraint::NonNegative(l) = &constraint {
        state.retire_weaker(l);
    }
    state.post(constraint)
}

/// From now on `c * v + offset` is in `domain`.
fn restrict_term(
    state: &mut State,
    v: Var,
    c: Int,
    offset: Int,
    domain: &Domain,
) -> Result<(), Stop> {
    if c == 1 && offset == 0 {
        return state.narrow(v, domain);
    }
    let back = |x: Int| x.checked_sub(offset);
    if let Some(values) = domain.only() {
        let values = values.iter().filter_map(|&x| back(x));
        let met = Domain::of(values.filter(|x| x % c == 0).map(|x| x / c));
        return state.narrow(v, &met);
    }
    let (lo, hi) = divide_bounds(
        bound_add(domain.lo(), -offset),
        bound_add(domain.hi(), -offset),
        c,
    );
    let mut met = Domain::interval(lo, hi);
    for &x in domain.except() {
        if let Some(x) = back(x).filter(|x| x % c == 0) {
            met = met.without(x / c);
        }
    }
    state.narrow(v, &met)
}

/// The integers `x` with `lo <= c * x <= hi`, as bounds.
fn divide_bounds(lo: Int, hi: Int, c: Int) -> (Int, Int) {
    let flip = |x: Int| match x {
        INF => NEG_INF,
        NEG_INF => INF,
        x => -x,
    };
    let (lo, hi, c) = if c < 0 {
        (flip(hi), flip(lo), -c)
    } else {
        (lo, hi, c)
    };
    (bound_div_ceil(lo, c), bound_div_floor(hi, c))
}

/// Cuts the variables of `l` down to where `lo <= l <= hi` is possible; nothing is kept of the
/// bound itself.
pub(crate) fn tighten(state: &mut State, l: &Linear, lo: Int, hi: Int) -> Result<(), Stop> {
    if let Some(n) = l.as_constant() {
        return if lo <= n && n <= hi {
            Ok(())
        } else {
            Err(Stop::Conflict)
        };
    }
    let (least, greatest) = of_linear(state, l);
    if least > hi || greatest < lo {
        return Err(Stop::Conflict);
    }
    if least >= lo && greatest <= hi {
        return Ok(());
    }
    work_of(l.terms());
    let mut sum = Rest::of(l.offset());
    for &(v, c) in l.terms() {
        sum.add(term(state, v, c));
    }
    for &(v, c) in l.terms() {
        // What the other terms and the constant leave for this one.
        let (rest_lo, rest_hi) = sum.without(term(state, v, c));
        let need_lo = if lo == NEG_INF || rest_hi == INF {
            NEG_INF
        } else {
            bound_add(lo, -rest_hi)
        };
        let need_hi = if hi == INF || rest_lo == NEG_INF {
            INF
        } else {
            bound_add(hi, -rest_lo)
        };
        if finite(need_lo) || finite(need_hi) {
            let (lo, hi) = divide_bounds(need_lo, need_hi, c);
            let before = term(state, v, c);
            state.narrow(v, &Domain::interval(lo, hi))?;
            sum.replace(before, term(state, v, c));
        }
    }
    Ok(())
}

/// A sum of bounds from which single terms can be taken out again.
struct Rest {
    lo: Int,
    hi: Int,
    open_below: usize,
    open_above: usize,
}

impl Rest {
    /// Beyond this a bound counts as missing: sums of what is below it stay exact.
    const FAR: Int = 1 << 96;

    fn of(offset: Int) -> Rest {
        Rest {
            lo: offset,
            hi: offset,
            open_below: 0,
            open_above: 0,
        }
    }

    fn add(&mut self, (lo, hi): (Int, Int)) {
        if lo < -Self::FAR {
            self.open_below += 1;
        } else {
            self.lo = self.lo.saturating_add(lo.min(Self::FAR));
        }
        if hi > Self::FAR {
            self.open_above += 1;
        } else {
            self.hi = self.hi.saturating_add(hi.max(-Self::FAR));
        }
    }

    fn replace(&mut self, (old_lo, old_hi): (Int, Int), new: (Int, Int)) {
        if old_lo < -Self::FAR {
            self.open_below -= 1;
        } else {
            self.lo = self.lo.saturating_sub(old_lo.min(Self::FAR));
        }
        if old_hi > Self::FAR {
            self.open_above -= 1;
        } else {
            self.hi = self.hi.saturating_sub(old_hi.max(-Self::FAR));
        }
        self.add(new);
    }

    /// The bounds of the sum less one of its terms.
    fn without(&self, (lo, hi): (Int, Int)) -> (Int, Int) {
        let below = self.open_below - usize::from(lo < -Self::FAR);
        let above = self.open_above - usize::from(hi > Self::FAR);
        let rest_lo = if lo < -Self::FAR {
            self.lo
        } else {
            self.lo.saturating_sub(lo.min(Self::FAR))
        };
        let rest_hi = if hi > Self::FAR {
            self.hi
        } else {
            self.hi.saturating_sub(hi.max(-Self::FAR))
        };
        (
            if below > 0 { NEG_INF } else { rest_lo },
            if above > 0 { INF } else { rest_hi },
        )
    }
}
