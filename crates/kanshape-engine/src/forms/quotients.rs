//! Quotients in sums: two halves of another one, and what a sum is at least and at most if each quotient is taken for the fraction
//! that it is rounded from.

use super::{Form, Forms, Monomial, NONE, Node, Num, Sum, Term, multiplied, without};
use crate::control::work;
use crate::int::{div_floor, gcd};
use crate::limits::{MAX_DENOMINATOR, MAX_FORM_ARGS};
use smallvec::{SmallVec, smallvec};

/// A quotient in a term: the number that is divided, the divisor, and what the quotient is multiplied by.
struct Quotient {
    at: usize,
    generator: Form,
    of: Num,
    by: i64,
    factors: Monomial,
}

impl Forms {
    /// The integer that a number is as `floor((x + d)/(2*d))` and `floor(x/(2*d))` add up to `floor(x/d)`, if it is one:
    /// `h//4 - h//8 - (h + 4)//8` is 0.
    ///
    /// This is no part of the normal form, in which a size that is rounded up stays one quotient.
    pub(super) fn with_halves(&self, n: Num) -> Option<i64> {
        let sum = self.sum_of(n);
        let all = self.quotients(&sum.terms);
        let mut rest = sum.clone();
        for high in all.iter().filter(|own| own.by % 2 == 0) {
            work(all.len());
            let half = high.by / 2;
            let mut beside = all.iter().filter(|own| own.factors == high.factors);
            let is_low = |low: &&Quotient| low.by == high.by && self.is_more(high.of, low.of, half);
            let Some(low) = beside.clone().find(is_low) else {
                continue;
            };
            let whole = match half {
                1 => low.of,
                _ => match beside.find(|own| own.by == half && own.of == low.of) {
                    Some(own) => own.generator.into(),
                    None => continue,
                },
            };
            let times = sum.terms[high.at].1;
            let factors = Sum {
                constant: if high.factors.is_empty() { times } else { 0 },
                terms: match high.factors.is_empty() {
                    true => SmallVec::new(),
                    false => smallvec![(high.factors.clone(), times)],
                },
            };
            let whole = multiplied(&factors, &self.sum_of(whole)).ok()?;
            let less = times.checked_neg()?;
            rest.add(&sum.terms[high.at].0, less).ok()?;
            rest.add(&sum.terms[low.at].0, less).ok()?;
            rest.constant = rest.constant.checked_add(whole.constant)?;
            for (monomial, times) in &whole.terms {
                rest.add(monomial, *times).ok()?;
            }
        }
        let is_integer = rest.terms.iter().all(|term| term.1 == 0);
        is_integer.then_some(rest.constant)
    }

    /// Is one number the other one and this integer?
    fn is_more(&self, a: Num, b: Num, integer: i64) -> bool {
        let mut apart = Sum::default();
        let is_known = self
            .add_to(&mut apart, a, 1)
            .and_then(|()| self.add_to(&mut apart, b, -1));
        is_known.is_ok() && apart.constant == integer && apart.terms.iter().all(|term| term.1 == 0)
    }

    /// All quotients of terms.
    fn quotients(&self, terms: &[Term]) -> SmallVec<[Quotient; 4]> {
        let mut all = SmallVec::new();
        for (at, (monomial, _)) in terms.iter().enumerate() {
            for &generator in monomial.iter().take(MAX_FORM_ARGS) {
                if let Node::Floor(of, by) = self.node(generator)
                    && let Some(by) = by.int()
                    && let Some(factors) = without(monomial, &[generator])
                {
                    all.push(Quotient {
                        at,
                        generator,
                        of: *of,
                        by,
                        factors,
                    });
                }
            }
        }
        all
    }

    /// What follows of a sum if quotients of both signs are taken for fractions: `floor(a/d)` is `a/d`, or less by less than 1.
    pub(super) fn bounds_of_quotients(&self, terms: &[Term], constant: i64) -> (i64, i64) {
        let is_quotient = |term: &&Term| match &term.0[..] {
            &[g] => matches!(self.node(g), Node::Floor(_, by) if by.int().is_some()),
            _ => false,
        };
        if terms.iter().filter(is_quotient).count() < 2 {
            return NONE;
        }
        let common = terms
            .iter()
            .fold(0, |common, term| gcd(common, term.1.into()));
        let bound = |sign: i64| {
            let least = self.least_of_fractions(terms, sign)?;
            // What is added to the integer is a multiple of what the coefficients have in common.
            let steps = least.div_euclid(common);
            let steps = steps + i128::from(least.rem_euclid(common) != 0);
            i64::try_from(steps * common).ok()
        };
        let lo = bound(1).and_then(|lo| lo.checked_add(constant));
        let hi = bound(-1).and_then(|hi| constant.checked_sub(hi));
        (lo.unwrap_or(i64::MIN), hi.unwrap_or(i64::MAX))
    }

    /// A number that no value of these terms, each `sign` times, is below: they are integers, so it is rounded up.
    fn least_of_fractions(&self, terms: &[Term], sign: i64) -> Option<i128> {
        let mut denominator: i128 = 1;
        for by in terms.iter().filter_map(|term| self.is_divided(term)) {
            let by = i128::from(by);
            denominator = denominator / gcd(denominator, by) * by;
            if denominator > MAX_DENOMINATOR {
                return None;
            }
        }
        let scale = i64::try_from(denominator).ok()?;
        let mut sum = Sum::default();
        let mut slack: i128 = 0;
        for (i, term) in terms.iter().enumerate() {
            work(1);
            let times = term.1.checked_mul(sign)?.checked_mul(scale)?;
            match (&term.0[..], self.is_divided(term)) {
                (&[g], Some(by)) if times < 0 || self.is_opposed(terms, i) => {
                    let &Node::Floor(of, _) = self.node(g) else {
                        return None;
                    };
                    let times = times / by;
                    self.add_to(&mut sum, of, times).ok()?;
                    // A quotient that is added is less than the fraction.
                    slack -= i128::from(times.max(0)) * i128::from(by - 1);
                }
                _ => sum.add(&term.0, times).ok()?,
            }
        }
        sum.terms.retain(|term| term.1 != 0);
        let (lo, _) = self.bounds_of_terms(&sum.terms, sum.constant);
        if lo == i64::MIN {
            return None;
        }
        let least = i128::from(lo) + slack;
        Some(-div_floor(-least, denominator))
    }

    /// The divisor of a term that is a multiple of a quotient.
    fn is_divided(&self, term: &Term) -> Option<i64> {
        match &term.0[..] {
            &[g] => match self.node(g) {
                Node::Floor(_, by) => by.int(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Has another quotient, of the other sign, an atom in common with this one?
    fn is_opposed(&self, terms: &[Term], at: usize) -> bool {
        let own = &terms[at];
        let mut atoms: SmallVec<[u32; 4]> = SmallVec::new();
        self.for_each_atom_of(own, &mut |atom| atoms.push(atom));
        terms.iter().any(|other| {
            let mut is_shared = false;
            if (other.1 < 0) != (own.1 < 0) {
                self.for_each_atom_of(other, &mut |atom| is_shared |= atoms.contains(&atom));
            }
            is_shared
        })
    }

    fn for_each_atom_of(&self, term: &Term, f: &mut dyn FnMut(u32)) {
        for g in &term.0 {
            self.for_each_atom((*g).into(), f);
        }
    }
}
