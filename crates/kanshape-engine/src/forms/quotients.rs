//! Quotients in sums: two halves of another one, and what a sum is at least and at most if each quotient is taken for the fraction
//! that it is rounded from.

use super::{Beyond, Form, Forms, Monomial, NONE, Node, Num, Sum, Term, multiplied, without};
use crate::control::work;
use crate::int::{div_floor, gcd};
use crate::limits::{MAX_DENOMINATOR, MAX_FORM_ARGS, MAX_FORM_TERMS};
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
            let whole = multiplied(&multiple(&high.factors, times), &self.sum_of(whole)).ok()?;
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

    /// The same number, where two of the three are in it and cancel or add up, with the third one in their place: `h//4 - h//8` is
    /// `(h + 4)//8`.
    ///
    /// This is done to what is divided, and to what comes of it: what is only added and multiplied stays a polynomial.
    pub(super) fn join_halves(&mut self, mut n: Num) -> Result<Num, Beyond> {
        for _ in 0..MAX_FORM_TERMS {
            match self.join_two(n)? {
                Some(joined) => n = joined,
                None => break,
            }
        }
        Ok(n)
    }

    /// Is there a quotient in one of its terms?
    pub(super) fn has_quotients(&self, n: Num) -> bool {
        let sum = self.sum_of(n);
        let mut all = sum.terms.iter().flat_map(|term| &term.0);
        all.any(|g| matches!(self.node(*g), Node::Floor(..)))
    }

    fn join_two(&mut self, n: Num) -> Result<Option<Num>, Beyond> {
        let sum = self.sum_of(n);
        let all = self.quotients(&sum.terms);
        if sum.terms.len() < 2 || all.iter().all(|own| own.by == 1) {
            return Ok(None);
        }
        for (i, one) in all.iter().enumerate() {
            work(all.len());
            for other in all.iter().skip(i + 1) {
                if one.at == other.at || one.factors != other.factors {
                    continue;
                }
                let (less, more) = match one.by <= other.by {
                    true => (one, other),
                    false => (other, one),
                };
                let times = sum.terms[less.at].1;
                let Some(joined) = self.joined(less, more, times, sum.terms[more.at].1)? else {
                    continue;
                };
                let mut rest = sum.clone();
                rest.terms[less.at].1 = 0;
                rest.terms[more.at].1 = 0;
                let joined = multiplied(&multiple(&one.factors, times), &self.sum_of(joined))?;
                rest.constant = rest.constant.checked_add(joined.constant).ok_or(Beyond)?;
                for (monomial, times) in &joined.terms {
                    rest.add(monomial, *times)?;
                }
                return self.finish(rest).map(Some);
            }
        }
        Ok(None)
    }

    /// What two quotients that are taken this often are together, once.
    fn joined(
        &mut self,
        less: &Quotient,
        more: &Quotient,
        times: i64,
        other: i64,
    ) -> Result<Option<Num>, Beyond> {
        if less.by.checked_mul(2) == Some(more.by) && times.checked_neg() == Some(other) {
            let of = match () {
                () if less.of == more.of => self.add(less.of, Num::new(less.by)?)?,
                () if self.is_more(more.of, less.of, less.by) => less.of,
                () => return Ok(None),
            };
            let half = self.floor_div(of, Num::new(more.by)?)?;
            let is_one = half
                .form()
                .is_some_and(|form| !matches!(self.node(form), Node::Sum(..)));
            return Ok(is_one.then_some(half));
        }
        if less.by != more.by || less.by % 2 != 0 || times != other {
            return Ok(None);
        }
        let half = less.by / 2;
        let low = match () {
            () if self.is_more(more.of, less.of, half) => less.of,
            () if self.is_more(less.of, more.of, half) => more.of,
            () => return Ok(None),
        };
        self.floor_div(low, Num::new(half)?).map(Some)
    }

    /// Is one number the other one and this integer?
    fn is_more(&self, a: Num, b: Num, integer: i64) -> bool {
        let mut apart = Sum::default();
        let is_known = self
            .add_to(&mut apart, a, 1)
            .and_then(|()| self.add_to(&mut apart, b, -1));
        is_known.is_ok() && apart.constant == integer && apart.terms.iter().all(|term| term.1 == 0)
    }

    /// All quotients of terms, and the other generators as quotients by 1.
    fn quotients(&self, terms: &[Term]) -> SmallVec<[Quotient; 4]> {
        let mut all = SmallVec::new();
        for (at, (monomial, _)) in terms.iter().enumerate() {
            for &generator in monomial.iter().take(MAX_FORM_ARGS) {
                let (of, by) = match self.node(generator) {
                    Node::Floor(of, by) => (*of, by.int()),
                    _ => (generator.into(), Some(1)),
                };
                if let (Some(by), Some(factors)) = (by, without(monomial, &[generator])) {
                    all.push(Quotient {
                        at,
                        generator,
                        of,
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
        let quotients = terms.iter().filter(|term| self.is_divided(term).is_some());
        if quotients.count() < 2 {
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

/// A multiple of a product, which may have no factors.
fn multiple(factors: &[Form], times: i64) -> Sum {
    match factors {
        [] => Sum {
            terms: SmallVec::new(),
            constant: times,
        },
        factors => Sum {
            terms: smallvec![(factors.into(), times)],
            constant: 0,
        },
    }
}
