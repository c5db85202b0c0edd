//! Products that are a number: what their factors can be. They are not multiplied out, since `n*(h - 6) == 1` says more
//! than `n*h == 6*n + 1`.

use super::function::{Function, constraint};
use super::{AfterRun, bounds};
use crate::budget::{Budget, Stop};
use crate::domain::Domain;
use crate::forms::{Forms, Num};
use crate::int::{Int, divisors_of, gcd, root_floor};
use crate::limits::MAX_DIVIDED;
use crate::limits::MAX_FACTORED_TERMS;
use crate::linear::Linear;
use crate::store::replaced::Used;
use crate::store::{State, Var};
use smallvec::SmallVec;

/// Forms that are multiplied.
type Factors = SmallVec<[Linear; 4]>;

/// The product of `factors` is `n`, which is not 0. The factors are resolved, and may be sums.
pub(super) fn run(
    state: &mut State,
    budget: &mut Budget,
    factors: &[Linear],
    n: Int,
) -> Result<AfterRun, Stop> {
    let mut left: Factors = SmallVec::new();
    let mut number = n;
    for f in factors {
        // What all coefficients are a multiple of is taken out.
        let (by, f) = match f.as_constant() {
            Some(by) => (by, None),
            None => match gcd(f.content(), f.offset()) {
                0 | 1 => (1, Some(f.clone())),
                by => (by, Some(f.divided(by))),
            },
        };
        if by == 0 || number % by != 0 {
            return Err(Stop::Conflict);
        }
        number /= by;
        left.extend(f);
    }
    match left.as_slice() {
        [] if number == 1 => return Ok(AfterRun::Done),
        [] => return Err(Stop::Conflict),
        [only] => {
            state.equate(only, &Linear::constant(number))?;
            return Ok(AfterRun::Done);
        }
        _ => {}
    }
    for f in &left {
        restrict(state, f, &Domain::ALL.without(0))?;
    }
    let are_natural = left.iter().all(|f| state.bounds(f).0 >= 0);
    if are_natural {
        if number < 0 {
            return Err(Stop::Conflict);
        }
        super::product::narrow_factors(state, &left, &Linear::constant(number))?;
    }
    divisors(state, budget, &left, number)?;
    let left = left.iter().map(|f| state.resolve(f));
    let left = left.collect::<Result<Factors, _>>()?;
    Ok(match left.as_slice() == factors {
        true => AfterRun::Keep,
        false => AfterRun::Become(constraint(
            Function::Product,
            &left,
            Linear::constant(number),
        )),
    })
}

/// Cuts the factors down to the divisors that are part of some way to write the number.
fn divisors(
    state: &mut State,
    budget: &mut Budget,
    factors: &[Linear],
    number: Int,
) -> Result<(), Stop> {
    let size = number.checked_abs().ok_or(Stop::Overflow)?;
    let can_be = factors.iter().map(|f| domain_of(state, f));
    let can_be: SmallVec<[Domain; 4]> = can_be.collect();
    if can_be.iter().all(|d| d.only().is_some()) && factors.len() == 2 {
        // Both have been listed: a value needs its partner.
        return partners(state, factors, &can_be, number);
    }
    budget.spend(root_floor(size.min(MAX_DIVIDED), 2) as u64 / 64)?;
    let Some(all) = u64::try_from(size).ok().and_then(divisors_of) else {
        return Ok(());
    };
    let Some(ways) = ways(&all, &can_be) else {
        return Ok(());
    };
    for (f, values) in factors.iter().zip(ways) {
        restrict(state, f, &Domain::of(values))?;
    }
    Ok(())
}

/// Of two factors, each value is kept for which the other one has the value that is needed.
fn partners(
    state: &mut State,
    factors: &[Linear],
    can_be: &[Domain],
    number: Int,
) -> Result<(), Stop> {
    for (i, f) in factors.iter().enumerate() {
        let other = &can_be[1 - i];
        let values = can_be[i].only().unwrap_or_default().iter().copied();
        let kept: Vec<Int> = values
            .filter(|x| *x != 0 && number % x == 0 && other.contains(number / x))
            .collect();
        restrict(state, f, &Domain::of(kept))?;
    }
    Ok(())
}

/// The values that each factor has in some way to write the number as a product of them.
fn ways(all: &[u64], can_be: &[Domain]) -> Option<Vec<Vec<Int>>> {
    // Only the sizes count where something may be negative.
    let signs: &[Int] = match can_be.iter().all(|d| d.lo() >= 0) {
        true => &[1],
        false => &[1, -1],
    };
    let place = |d: u64| all.binary_search(&d).ok();
    let last = all.len() - 1;
    // As sets of bits: the divisors that a factor can be, and those that the factors before it can come to.
    let own: Vec<u64> = can_be
        .iter()
        .map(|domain| {
            let is = |d: &u64| signs.iter().any(|s| domain.contains(s * Int::from(*d)));
            let places = all.iter().enumerate().filter(|(_, d)| is(d));
            places.fold(0, |set, (i, _)| set | 1 << i)
        })
        .collect();
    let bits = |set: u64| (0..64usize).filter(move |i| set >> i & 1 == 1);
    let times = |a: u64, b: u64| {
        let mut product = 0u64;
        for i in bits(a) {
            for j in bits(b) {
                let both = all[i].checked_mul(all[j]).and_then(place);
                product |= both.map_or(0, |k| 1 << k);
            }
        }
        product
    };
    let count = own.len();
    let (mut before, mut after) = (vec![1u64; count + 1], vec![1u64; count + 1]);
    for i in 0..count {
        before[i + 1] = times(before[i], own[i]);
        let back = count - 1 - i;
        after[back] = times(after[back + 1], own[back]);
    }
    let size = all.get(last).copied()?;
    let mut found = Vec::with_capacity(count);
    for i in 0..count {
        let others = times(before[i], after[i + 1]);
        let mut values = Vec::new();
        for k in bits(own[i]) {
            if place(size / all[k]).is_some_and(|rest| others >> rest & 1 == 1) {
                let sizes = signs.iter().map(|s| s * Int::from(all[k]));
                values.extend(sizes.filter(|x| can_be[i].contains(*x)));
            }
        }
        found.push(values);
    }
    Some(found)
}

/// The product of `factors` and `l` add up to 0; with no factors, `l` alone is 0. Where that is one product that is a
/// number other than 0, it is stated as this, and the outcome is that of the product.
pub(super) fn complete(
    state: &mut State,
    budget: &mut Budget,
    factors: &[Linear],
    l: &Linear,
) -> Result<Option<AfterRun>, Stop> {
    let mut used = Used::new();
    let Some((factors, n)) = completed(state, factors, l, &mut used)? else {
        return Ok(None);
    };
    if !state.replace_by(&used) {
        return Ok(None);
    }
    budget.spend(l.terms().len() as u64)?;
    Ok(Some(match run(state, budget, &factors, n)? {
        AfterRun::Keep => {
            AfterRun::Become(constraint(Function::Product, &factors, Linear::constant(n)))
        }
        other => other,
    }))
}

fn completed(
    state: &State,
    factors: &[Linear],
    l: &Linear,
    used: &mut Used,
) -> Result<Option<(Factors, Int)>, Stop> {
    if l.terms().len() > MAX_FACTORED_TERMS {
        return Ok(None);
    }
    let mut polynomial = Polynomial::default();
    let Some(n) = polynomial.sum(state, factors, l, used)? else {
        return Ok(None);
    };
    let Polynomial { mut forms, vars } = polynomial;
    let Some(found) = forms.completed(n) else {
        return Ok(None);
    };
    let (times, rest) = (Int::from(found.times), Int::from(found.rest));
    if rest == 0 {
        return Ok(None);
    }
    if times == 0 || rest % times != 0 {
        return Err(Stop::Conflict);
    }
    let mut factors: Factors = SmallVec::new();
    for factor in found.factors {
        let Some(factor) = linear(&forms, factor, &vars)? else {
            return Ok(None);
        };
        factors.push(factor);
    }
    Ok(Some((factors, -rest / times)))
}

/// Forms over variables as forms over what their products are made of.
#[derive(Default)]
struct Polynomial {
    forms: Forms,
    vars: SmallVec<[Var; 8]>,
}

impl Polynomial {
    /// The product of `factors`, if there are some, and `l`. `None` where that is no polynomial over variables, or its
    /// numbers are too large.
    fn sum(
        &mut self,
        state: &State,
        factors: &[Linear],
        l: &Linear,
        used: &mut Used,
    ) -> Result<Option<Num>, Stop> {
        let mut sum = match factors {
            [] => Some(Num::ZERO),
            factors => self.product(1, factors),
        };
        let mut own: SmallVec<[Linear; 2]> = SmallVec::new();
        for &(v, c) in l.terms() {
            own.clear();
            super::product::factors_of(state, v, &mut own, used)?;
            let term = self.product(c, &own);
            sum = sum.zip(term).and_then(|(a, b)| self.forms.add(a, b).ok());
        }
        let offset = number(l.offset());
        Ok(sum.zip(offset).and_then(|(a, b)| self.forms.add(a, b).ok()))
    }

    fn product(&mut self, times: Int, factors: &[Linear]) -> Option<Num> {
        let mut product = number(times)?;
        for f in factors {
            let v = f.as_var()?;
            let known = self.vars.iter().position(|own| *own == v);
            let place = known.unwrap_or_else(|| {
                self.vars.push(v);
                self.vars.len() - 1
            });
            let atom = self.forms.atom(place as u32, false);
            product = self.forms.mul(product, atom).ok()?;
        }
        Some(product)
    }
}

fn number(n: Int) -> Option<Num> {
    i64::try_from(n).ok().and_then(|n| Num::new(n).ok())
}

/// A form without products over variables.
fn linear(forms: &Forms, n: Num, vars: &[Var]) -> Result<Option<Linear>, Stop> {
    let Some((terms, constant)) = forms.linear_terms(n) else {
        return Ok(None);
    };
    let mut l = Linear::constant(constant.into());
    for (atom, c) in terms {
        let Some(v) = vars.get(atom as usize) else {
            return Ok(None);
        };
        l.add_term(*v, c.into())?;
    }
    Ok(Some(l))
}

/// Narrows a form that has one variable; of others, by bounds alone.
fn restrict(state: &mut State, l: &Linear, domain: &Domain) -> Result<(), Stop> {
    match l.terms() {
        [_] => state.restrict(l, domain),
        _ => bounds::tighten(state, l, domain.lo(), domain.hi()),
    }
}

/// What a form can be.
fn domain_of(state: &State, l: &Linear) -> Domain {
    let (lo, hi) = state.bounds(l);
    let &[(v, c)] = l.terms() else {
        return Domain::interval(lo, hi);
    };
    let domain = state.domain(v);
    let listed = domain.only().map(|values| {
        let value = |x: &Int| x.checked_mul(c)?.checked_add(l.offset());
        values.iter().filter_map(value).collect::<Vec<Int>>()
    });
    listed.map_or(Domain::interval(lo, hi), Domain::of)
}
