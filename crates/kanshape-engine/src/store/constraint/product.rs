//! Products. A product of forms is multiplied out into monomials, so that equal polynomials
//! become equal forms; each monomial is a variable that a constraint ties to its factors.

use super::function::{Function, Value, constraint, post};
use super::{AfterRun, Constraint, Lone, bounds, comparison, factored};
use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::domain::Domain;
use crate::int::{
    INF, Int, NEG_INF, bound_div_ceil, bound_div_floor, bound_mul, finite, root_floor,
};
use crate::limits::{MAX_EXPANDED, MAX_FACTORS};
use crate::linear::{Linear, Var};
use crate::store::State;
use crate::store::envelope;
use crate::store::replaced::Used;
use smallvec::SmallVec;

/// The product of resolved forms.
pub(super) fn multiply(
    state: &mut State,
    factors: &[Linear],
    domain: Domain,
) -> Result<Linear, Stop> {
    let mut used = Used::new();
    let product = match product_of(state, factors, &mut used)? {
        Some(product) => product,
        None => tie(state, factors.iter().cloned().collect(), &mut used)?,
    };
    state.restrict(&product, &domain)?;
    state.resolve(&product)
}

/// The product: numbers make a scale, lone variables one monomial, sums are multiplied out.
/// `None` if the numbers alone grow too large. The constraints that say so are put into `used`.
fn product_of(
    state: &mut State,
    factors: &[Linear],
    used: &mut Used,
) -> Result<Option<Linear>, Stop> {
    let numbers: SmallVec<[Int; 4]> = factors.iter().filter_map(Linear::as_constant).collect();
    let Value::Is(scale) = Function::Product.value(&numbers) else {
        return Ok(None);
    };
    let mut lone: SmallVec<[Linear; 2]> = SmallVec::new();
    for v in factors.iter().filter_map(Linear::as_var) {
        factors_of(state, v, &mut lone, used)?;
    }
    let mut product = match lone.len() {
        0 => Linear::constant(scale),
        1 => lone[0].scaled(scale)?,
        _ => {
            sort(&mut lone);
            tie(state, lone, used)?.scaled(scale)?
        }
    };
    for f in factors {
        if f.as_constant().is_none() && f.as_var().is_none() {
            product = times(state, &product, f, used)?;
        }
    }
    Ok(Some(product))
}

fn sort(factors: &mut [Linear]) {
    factors.sort_by(|a, b| a.terms().cmp(b.terms()));
}

fn times(state: &mut State, a: &Linear, b: &Linear, used: &mut Used) -> Result<Linear, Stop> {
    if let Some(n) = a.as_constant() {
        return Ok(b.scaled(n)?);
    }
    if let Some(n) = b.as_constant() {
        return Ok(a.scaled(n)?);
    }
    if a.terms().len() * b.terms().len() > MAX_EXPANDED {
        return opaque(state, a, b, used);
    }
    let mut sum = Linear::constant(a.offset().checked_mul(b.offset()).ok_or(Stop::Overflow)?);
    for &(x, c) in a.terms() {
        sum.add_term(x, c.checked_mul(b.offset()).ok_or(Stop::Overflow)?)?;
        for &(y, d) in b.terms() {
            let xy = monomial(state, x, y, used)?;
            sum.add_assign_scaled(&xy, c.checked_mul(d).ok_or(Stop::Overflow)?)?;
        }
    }
    for &(y, d) in b.terms() {
        sum.add_term(y, d.checked_mul(a.offset()).ok_or(Stop::Overflow)?)?;
    }
    Ok(sum)
}

/// The factors of the monomial that `v` denotes, or `v` itself. The constraint that says so is put into `used`.
pub(super) fn factors_of(
    state: &State,
    v: Var,
    into: &mut SmallVec<[Linear; 2]>,
    used: &mut Used,
) -> Result<(), Stop> {
    let at = into.len();
    for f in state.factors(v) {
        let f = state.resolve(f)?;
        if f.as_var().is_none() {
            // It has come to more than a variable since.
            into.truncate(at);
            break;
        }
        into.push(f);
    }
    if into.len() == at {
        into.push(Linear::var(v));
    } else {
        used.extend(state.factored_by(v));
    }
    Ok(())
}

/// The factors of a form without its number: of a monomial those that it denotes. `None` for a sum.
pub(crate) fn factors(state: &State, l: &Linear) -> Result<Option<SmallVec<[Linear; 2]>>, Stop> {
    let ([(v, _)], 0) = (l.terms(), l.offset()) else {
        return Ok(None);
    };
    let mut found = SmallVec::new();
    factors_of(state, *v, &mut found, &mut Used::new())?;
    Ok(Some(found))
}

fn monomial(state: &mut State, x: Var, y: Var, used: &mut Used) -> Result<Linear, Stop> {
    let mut factors = SmallVec::new();
    factors_of(state, x, &mut factors, used)?;
    factors_of(state, y, &mut factors, used)?;
    sort(&mut factors);
    tie(state, factors, used)
}

/// A product of long sums as it stands.
fn opaque(state: &mut State, a: &Linear, b: &Linear, used: &mut Used) -> Result<Linear, Stop> {
    let mut factors: SmallVec<[Linear; 2]> = [a.clone(), b.clone()].into_iter().collect();
    sort(&mut factors);
    tie(state, factors, used)
}

fn tie(state: &mut State, factors: SmallVec<[Linear; 2]>, used: &mut Used) -> Result<Linear, Stop> {
    let key = (Function::Product, factors);
    if let Some((out, by)) = state.known_by(&key) {
        used.push(*by);
        return Ok(out.clone());
    }
    let (lo, hi) = interval(state, &key.1);
    let v = state.int(Domain::interval(lo, hi));
    let out = Linear::var(v);
    let new = state.next_posted();
    used.push(new);
    state.note_factors(v, key.1.clone(), new);
    post(state, key, out.clone())?;
    Ok(out)
}

/// The bounds of a product.
fn interval(state: &State, factors: &[Linear]) -> (Int, Int) {
    factors.iter().fold((1, 1), |(lo, hi), f| {
        let (a, b) = state.bounds(f);
        let ends = [
            bound_mul(lo, a),
            bound_mul(lo, b),
            bound_mul(hi, a),
            bound_mul(hi, b),
        ];
        let least = ends.into_iter().fold(INF, Int::min);
        let most = ends.into_iter().fold(NEG_INF, Int::max);
        (least.min(INF - 1), most.max(NEG_INF + 1))
    })
}

pub(super) fn run(
    state: &mut State,
    budget: &mut Budget,
    factors: &[Linear],
    out: &Linear,
    is_new: bool,
) -> Result<AfterRun, Stop> {
    if let Some(n) = out.as_constant().filter(|n| *n != 0) {
        return factored::run(state, budget, factors, n);
    }
    if let Some(factored) = without_itself(state, factors, out)? {
        return Ok(AfterRun::Become(factored));
    }
    // A factor that has become a number or a sum: multiply out again.
    let settled = factors.iter().any(|f| f.as_constant().is_some());
    let sums = factors.iter().any(|f| f.as_var().is_none())
        // What has itself as a factor is multiplied out without end.
        && !factors.iter().any(|f| out.vars().any(|v| f.coefficient(v) != 0));
    let size = factors
        .iter()
        .map(|f| f.terms().len() + usize::from(f.offset() != 0))
        .try_fold(1usize, usize::checked_mul);
    if settled || (sums && size.is_some_and(|n| n <= MAX_EXPANDED)) {
        budget.spend(factors.len() as u64)?;
        let mut used = Used::new();
        if let Some(product) = product_of(state, factors, &mut used)? {
            state.equate(out, &product)?;
            return Ok(replaced_by(state, &used));
        }
    }
    let (lo, hi) = interval(state, factors);
    bounds::tighten(state, out, lo, hi)?;
    let out = state.resolve(out)?;
    if out.as_constant() == Some(0) {
        let mut open: SmallVec<[&Linear; 4]> =
            factors.iter().filter(|f| state.may_be(f, 0)).collect();
        open.dedup();
        return match open.as_slice() {
            [] => Err(Stop::Conflict),
            [only] => {
                state.equate(only, &Linear::constant(0))?;
                Ok(AfterRun::Done)
            }
            _ => Ok(AfterRun::Keep),
        };
    }
    if !state.may_be(&out, 0) {
        for f in factors {
            state.restrict(f, &Domain::ALL.without(0))?;
        }
    }
    if let Some(cancelled) = cancel(state, factors, &out)? {
        budget.spend(factors.len() as u64)?;
        state.equate(&cancelled.rest, &cancelled.sum)?;
        return Ok(replaced_by(state, &cancelled.used));
    }
    if is_new
        && out.as_var().is_none()
        && let Some(outcome) = factored::complete(state, budget, factors, &out.scaled(-1)?)?
    {
        return Ok(outcome);
    }
    if out.as_var().is_none() && envelope::excludes(state, factors, &out) {
        return Err(Stop::Conflict);
    }
    narrow_factors(state, factors, &out)?;
    Ok(AfterRun::Keep)
}

/// A product `p` of which one factor is `k + d*p`: with `q` for the others, the same is that `(k + d*p) * (1 - d*q)` is `k`. Multiplied out it would
/// have itself as a factor, again and again.
fn without_itself(
    state: &mut State,
    factors: &[Linear],
    out: &Linear,
) -> Result<Option<Constraint>, Stop> {
    let Some((v, scale)) = out.terms().first() else {
        return Ok(None);
    };
    for (at, f) in factors.iter().enumerate() {
        let own = f.coefficient(*v);
        // A factor that is one variable is completed below.
        if f.as_var().is_some() || own == 0 || own % scale != 0 {
            continue;
        }
        let d = own / scale;
        let mut k = f.clone();
        k.add_assign_scaled(out, -d)?;
        let Some(k) = k.as_constant().filter(|k| *k != 0) else {
            continue;
        };
        let mut others: SmallVec<[Linear; 4]> = factors.iter().cloned().collect();
        others.remove(at);
        let Some(others) = product_of(state, &others, &mut Used::new())? else {
            return Ok(None);
        };
        let mut less = others.scaled(-d)?;
        less.add_constant(1)?;
        let (less, k) = match state.bounds(&less).1 <= 0 {
            true => (less.scaled(-1)?, -k),
            false => (less, k),
        };
        let factors = [f.clone(), less];
        return Ok(Some(constraint(
            Function::Product,
            &factors,
            Linear::constant(k),
        )));
    }
    Ok(None)
}

/// A product says no more than what has been found from these constraints: unless they hold because it does. So `n*m`
/// still has to be tied to its factors where `n*m == n*n*m - n` is `m == n*m - 1`.
fn replaced_by(state: &mut State, used: &Used) -> AfterRun {
    match state.replace_by(used) {
        true => AfterRun::Done,
        false => AfterRun::Keep,
    }
}

/// A product and the sum that it is, without common factors, and the constraints that say what both are.
struct Cancelled {
    rest: Linear,
    sum: Linear,
    used: Used,
}

/// A product that is a sum of others, each times a number: both without the factors that all have in common and
/// that are not 0. `None` if there are none.
fn cancel(state: &mut State, factors: &[Linear], out: &Linear) -> Result<Option<Cancelled>, Stop> {
    if out.offset() != 0 || out.terms().is_empty() {
        return Ok(None);
    }
    let mut used = Used::new();
    let mut terms = Vec::with_capacity(out.terms().len());
    for &(v, scale) in out.terms() {
        let mut of_term = SmallVec::new();
        factors_of(state, v, &mut of_term, &mut used)?;
        sort(&mut of_term);
        terms.push((of_term, scale));
    }
    if let [(of_term, 1)] = terms.as_slice() {
        // It is this very product, or has become one by being equal to it. Nothing follows from what it is.
        if of_term.as_slice() == factors {
            return Ok(None);
        }
        if let [of] = of_term.as_slice()
            && (state.may_be(of, 0) || !factors.contains(of))
        {
            if let Some(v) = of.as_var().filter(|v| !is_made_of(state, factors, *v)) {
                let own = state.running();
                state.note_factors(v, factors.iter().cloned().collect(), own);
            }
            return Ok(None);
        }
    }
    let mut ours: SmallVec<[Linear; 2]> = SmallVec::new();
    for f in factors {
        let shared = |terms: &[(SmallVec<[Linear; 2]>, Int)]| {
            terms.iter().all(|(of_term, _)| of_term.contains(f))
        };
        if state.may_be(f, 0) || !shared(&terms) {
            ours.push(f.clone());
            continue;
        }
        for (of_term, _) in &mut terms {
            if let Some(at) = of_term.iter().position(|t| t == f) {
                of_term.remove(at);
            }
        }
    }
    if ours.len() == factors.len() {
        return Ok(None);
    }
    let Some(rest) = product_of(state, &ours, &mut used)? else {
        return Ok(None);
    };
    let mut sum = Linear::default();
    for (of_term, scale) in terms {
        let Some(term) = product_of(state, &of_term, &mut used)? else {
            return Ok(None);
        };
        sum.add_assign_scaled(&term, scale)?;
    }
    Ok(Some(Cancelled { rest, sum, used }))
}

/// Is `v` one of the factors, or one of those that they are products of? A variable that were a factor of itself could be
/// multiplied out without end. That there are many counts as yes.
fn is_made_of(state: &State, factors: &[Linear], v: Var) -> bool {
    let vars = |factors: &[Linear]| -> SmallVec<[Var; 8]> {
        factors.iter().flat_map(Linear::vars).collect()
    };
    let mut todo = vars(factors);
    let mut left = MAX_FACTORS;
    while let Some(w) = todo.pop() {
        let w = state.root(w);
        if w == v || left == 0 {
            return true;
        }
        left -= 1;
        work(1);
        todo.extend(vars(state.factors(w)));
    }
    false
}

/// Bounds of each factor from the product and the others, where nothing is negative.
pub(super) fn narrow_factors(
    state: &mut State,
    factors: &[Linear],
    out: &Linear,
) -> Result<(), Stop> {
    let (out_lo, out_hi) = state.bounds(out);
    if factors.iter().any(|f| state.bounds(f).0 < 0) {
        return Ok(());
    }
    if factors.windows(2).all(|w| w[0] == w[1]) {
        // A power: its root.
        let k = factors.len() as u32;
        let lo = if out_lo > 0 {
            let r = root_floor(out_lo, k);
            if r.checked_pow(k) == Some(out_lo) {
                r
            } else {
                r + 1
            }
        } else {
            0
        };
        let hi = if finite(out_hi) && out_hi >= 0 {
            root_floor(out_hi, k)
        } else {
            INF
        };
        return bounds::tighten(state, &factors[0], lo, hi);
    }
    // What the factors after each come to, from the back.
    let mut after: SmallVec<[(Int, Int); 4]> = SmallVec::new();
    let mut rest = (1, 1);
    for f in factors.iter().rev() {
        after.push(rest);
        let (l, h) = state.bounds(f);
        rest = (bound_mul(rest.0, l), bound_mul(rest.1, h));
    }
    let mut before = (1, 1);
    for (f, rest) in factors.iter().zip(after.into_iter().rev()) {
        let (rest_lo, rest_hi) = (bound_mul(before.0, rest.0), bound_mul(before.1, rest.1));
        let hi = if rest_lo >= 1 && finite(rest_lo) {
            bound_div_floor(out_hi, rest_lo)
        } else {
            INF
        };
        let lo = if out_lo >= 1 && finite(rest_hi) && rest_hi >= 1 {
            bound_div_ceil(out_lo, rest_hi)
        } else {
            NEG_INF
        };
        bounds::tighten(state, f, lo, hi)?;
        let (l, h) = state.bounds(f);
        before = (bound_mul(before.0, l), bound_mul(before.1, h));
    }
    Ok(())
}

/// What it says without a factor: by one number it is right whatever the others are, or it is the product itself where they are 1.
pub(super) fn eliminate(
    state: &State,
    args: &[Linear],
    out: &Linear,
    lone: &Lone<'_>,
) -> Option<Vec<Constraint>> {
    let others = || args.iter().filter(|a| !lone.is(a));
    let is_factor = args.iter().any(|a| lone.is(a));
    if is_factor && factor_of(others(), out).is_some_and(|n| lone.domain.contains(n)) {
        return Some(Vec::new());
    }
    let is_any = lone.is_natural() && others().all(|a| lone.may_be_one(state, a));
    is_any.then(|| comparison::natural(state, out))
}

/// The number by which a product of these is `out` whatever they are, if that shows.
fn factor_of<'l>(mut factors: impl Iterator<Item = &'l Linear>, out: &Linear) -> Option<Int> {
    if out.as_constant() == Some(0) {
        return Some(0);
    }
    let (factor, None) = (factors.next()?, factors.next()) else {
        return None;
    };
    let &(v, c) = factor.terms().first()?;
    let n = out.coefficient(v).checked_div(c)?;
    (factor.scaled(n).as_ref() == Ok(out)).then_some(n)
}
