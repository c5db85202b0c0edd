//! Products of forms: what a form divides, and what its factors are.

use super::{Form, Forms, Monomial, Node, Num, Sum, Term, multiplied, without};
use crate::int::gcd;
use crate::limits::{MAX_FACTOR_DEPTH, MAX_FORM_TERMS, MAX_ROOT};
use smallvec::SmallVec;

/// A form as `times*factors + rest`: see [`Forms::completed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completed {
    /// The integer factor.
    pub times: i64,
    /// The other factors, two or more.
    pub factors: Vec<Num>,
    /// What is added to the product.
    pub rest: i64,
}

impl Forms {
    /// `a / b`, if `a` is `b` times some form, whatever the atoms are. Where `b` is 0, it is one of many.
    pub fn exact_div(&mut self, a: Num, b: Num) -> Option<Num> {
        match self.div_rem(a, b)? {
            (quotient, 0) => Some(quotient),
            _ => None,
        }
    }

    /// The form and the integer with `a = b*form + integer`, if there are such whatever the atoms are.
    fn div_rem(&mut self, a: Num, b: Num) -> Option<(Num, i64)> {
        let divisor = self.sum_of(b);
        let mut rest = self.sum_of(a);
        let mut quotient = Sum::default();
        let (lead, c) = divisor.lead()?;
        // Each turn takes the leading term away.
        for _ in 0..=MAX_FORM_TERMS {
            let Some((monomial, k)) = rest.lead() else {
                return Some((self.finish(quotient).ok()?, 0));
            };
            if monomial.is_empty() && !lead.is_empty() {
                return Some((self.finish(quotient).ok()?, k));
            }
            if k % c != 0 {
                return None;
            }
            let factor = without(&monomial, &lead)?;
            let times = k / c;
            quotient.push(&factor, times).ok()?;
            let mut taken = Sum::default();
            taken.push(&factor, times).ok()?;
            let taken = multiplied(&taken, &divisor).ok()?;
            rest.constant = rest.constant.checked_sub(taken.constant)?;
            for (monomial, k) in &taken.terms {
                rest.add(monomial, -k).ok()?;
            }
            rest.terms.retain(|t| t.1 != 0);
        }
        None
    }

    /// A number as an integer times some factors, none of which is a product itself as far as can be found out.
    /// Together they are worth the number.
    pub fn factors(&mut self, n: Num) -> (i64, Vec<Num>) {
        let sum = self.sum_of(n);
        if sum.terms.is_empty() {
            return (sum.constant, Vec::new());
        }
        let content = sum
            .terms
            .iter()
            .fold(i128::from(sum.constant), |g, t| gcd(g, t.1.into()));
        // What leads is positive.
        let sign = match self.sorted_terms(&sum.terms)[0].1 < 0 {
            true => -1,
            false => 1,
        };
        let content = i64::try_from(content).unwrap_or(1).max(1) * sign;
        let common = match sum.constant {
            0 => common_factors(&sum.terms),
            _ => Monomial::new(),
        };
        let mut rest = Sum {
            constant: sum.constant / content,
            ..Sum::default()
        };
        for (monomial, c) in &sum.terms {
            let Some(monomial) = without(monomial, &common) else {
                return (1, vec![n]);
            };
            if rest.push(&monomial, c / content).is_err() {
                return (1, vec![n]);
            }
        }
        let mut factors: Vec<Num> = common.into_iter().map(Num::from).collect();
        let Ok(rest) = self.finish(rest) else {
            return (1, vec![n]);
        };
        if rest != Num::ONE {
            self.split(rest, &mut factors, MAX_FACTOR_DEPTH);
        }
        factors.sort_by(|a, b| self.order(*a, *b));
        (content, factors)
    }

    /// Adds the factors of a sum that has no integer and no generator for a factor.
    fn split(&mut self, n: Num, factors: &mut Vec<Num>, deep: usize) {
        let sum = self.sum_of(n);
        if deep > 0 && sum.terms.iter().any(|t| t.0.len() > 1) {
            for g in generators(&sum) {
                // Of `a*g + b`, where `a` divides `b`: `a*(g + b/a)`.
                let Some(times) = self.times(&sum, g) else {
                    continue;
                };
                if let Some(other) = self.exact_div(n, times) {
                    self.split(times, factors, deep - 1);
                    self.split(other, factors, deep - 1);
                    return;
                }
            }
            if let Some(factor) = self.linear_factor(&sum)
                && let Some(other) = self.exact_div(n, factor)
            {
                factors.push(factor);
                self.split(other, factors, deep - 1);
                return;
            }
        }
        factors.push(n);
    }

    /// `g - r` for an integer root `r` of a polynomial in one generator: `g - 3` of `g*g - 6*g + 9`.
    fn linear_factor(&mut self, sum: &Sum) -> Option<Num> {
        let g = *sum.terms.first()?.0.first()?;
        let is_power = |t: &Term| t.0.iter().all(|own| *own == g);
        if sum.constant == 0 || !sum.terms.iter().all(is_power) {
            return None;
        }
        let value = |x: i64| {
            sum.terms
                .iter()
                .try_fold(sum.constant, |total, (power, c)| {
                    let mut factors = std::iter::repeat_n(x, power.len());
                    let term = factors.try_fold(*c, i64::checked_mul)?;
                    total.checked_add(term)
                })
        };
        // An integer root divides the constant.
        let whole = sum.constant.unsigned_abs();
        let small = (1..=MAX_ROOT).take_while(|d| d * d <= whole);
        let divisors = small
            .filter(|d| whole.is_multiple_of(*d))
            .flat_map(|d| [d, whole / d]);
        let mut roots = divisors
            .filter_map(|d| i64::try_from(d).ok())
            .flat_map(|d| [d, -d]);
        let root = roots.find(|r| value(*r) == Some(0))?;
        self.sub(g.into(), Num::new(root).ok()?).ok()
    }

    /// What a generator is multiplied by in a sum in which it is no square; `None` if that is an integer.
    fn times(&mut self, sum: &Sum, g: Form) -> Option<Num> {
        let mut times = Sum::default();
        for (monomial, c) in &sum.terms {
            match monomial.iter().filter(|own| **own == g).count() {
                0 => {}
                1 => times.push(&without(monomial, &[g])?, *c).ok()?,
                _ => return None,
            }
        }
        let times = self.finish(times).ok()?;
        times.int().is_none().then_some(times)
    }

    /// A number as a product and an integer beside it: `h*w - 2*h - 2*w` is `(h - 2)*(w - 2) - 4`. `None` where no
    /// such product is found, and where it has nothing but generators for factors.
    pub fn completed(&mut self, n: Num) -> Option<Completed> {
        let sum = self.sum_of(n);
        if !sum.terms.iter().any(|t| t.0.len() > 1) {
            return None;
        }
        let own = self.sub(n, Num::new(sum.constant).ok()?).ok()?;
        // The number itself, then without its integer, then with another one.
        for (whole, rest) in [(n, 0), (own, sum.constant)] {
            let (times, factors) = self.factors(whole);
            if factors.len() > 1 && self.some_is_sum(&factors) {
                return Some(Completed {
                    times,
                    factors,
                    rest,
                });
            }
        }
        for g in generators(&sum) {
            // Of `a*g + b`, where `b` is `a*q + r`: `a*(g + q) + r`.
            let Some(times) = self.times(&sum, g) else {
                continue;
            };
            let Some((quotient, rest)) = self.div_rem(n, times) else {
                continue;
            };
            let product = self.mul(times, quotient).ok()?;
            let (times, factors) = self.factors(product);
            if factors.len() > 1 && self.some_is_sum(&factors) {
                return Some(Completed {
                    times,
                    factors,
                    rest,
                });
            }
        }
        None
    }

    fn some_is_sum(&self, factors: &[Num]) -> bool {
        let is_sum = |form: Form| matches!(self.node(form), Node::Sum(..));
        factors.iter().any(|n| n.form().is_some_and(is_sum))
    }
}

/// The generators in the terms of a sum, each once, in order.
fn generators(sum: &Sum) -> SmallVec<[Form; 8]> {
    let mut all = SmallVec::new();
    for g in sum.terms.iter().flat_map(|t| t.0.iter().copied()) {
        if !all.contains(&g) {
            all.push(g);
        }
    }
    all
}

/// The generators that all terms have as factors, each as often as all have it.
pub(super) fn common_factors(terms: &[Term]) -> Monomial {
    let Some(((first, _), others)) = terms.split_first() else {
        return Monomial::new();
    };
    let mut common = first.clone();
    for (monomial, _) in others {
        let mut left = monomial.clone();
        common.retain(|g| match left.iter().position(|own| own == g) {
            Some(at) => {
                left.remove(at);
                true
            }
            None => false,
        });
    }
    common
}
