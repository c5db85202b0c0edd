//! `min(a, 1)` of a natural number, 0 where that is, and 1 elsewhere; and `max(a, 1)`, the number itself elsewhere.

use super::{Beyond, Form, Forms, Monomial, Node, Num, Sum};
use crate::control::work;
use crate::int::gcd;

impl Forms {
    /// `min(a, 1)` of a natural number. What it is a multiple of, or is rounded up from, is 0 for the same atoms.
    pub(super) fn is_any(&mut self, mut a: Num) -> Result<Num, Beyond> {
        // Each turn takes a coefficient away, or makes a divisor smaller.
        loop {
            work(1);
            let mut sum = self.sum_of(a);
            let common = sum.terms.iter().fold(sum.constant.into(), |common, term| {
                gcd(common, term.1.into())
            });
            if let Ok(common @ 2..) = i64::try_from(common) {
                sum.terms.iter_mut().for_each(|term| term.1 /= common);
                sum.constant /= common;
                a = self.finish(sum)?;
                continue;
            }
            // `(h + 12)//16` is 0 where `h//4` is.
            let Some(&Node::Floor(from, by)) = a.form().map(|form| self.node(form)) else {
                break;
            };
            let (least, _) = self.bounds(from);
            match by.int() {
                Some(by) if 0 < least && least < by => {
                    let rest = self.sub(from, Num::new(least)?)?;
                    a = self.floor_div(rest, Num::new(by - least)?)?;
                }
                _ => break,
            }
        }
        match a.int() {
            Some(n) => Ok(Num(n.min(1))),
            None => self.nested(Node::Min([a, Num::ONE].into()), Forms::bounds_of_extreme),
        }
    }

    /// The form `n` with `a = b*n`, if there is such a one whatever the atoms are, where `b` may have factors `max(n, 1)`: `b*n` divided
    /// by `max(n, 1)` is `b*min(n, 1)`, as it is 0 where `n` is 0 and the divisor is 1.
    pub fn whole_div(&mut self, a: Num, b: Num) -> Option<Num> {
        if let Some(whole) = self.exact_div(a, b) {
            return Some(whole);
        }
        let sum = self.sum_of(b);
        let is_max = |g: &Form| matches!(self.node(*g), Node::Max(_));
        if !sum.terms.iter().any(|term| term.0.iter().any(is_max)) {
            return None;
        }
        let (times, factors) = self.factors(b);
        let mut whole = self.exact_div(a, Num::new(times).ok()?)?;
        for factor in factors {
            if let Some(part) = self.exact_div(whole, factor) {
                whole = part;
                continue;
            }
            let n = self.greater_than_one(factor)?;
            let rest = self.exact_div(whole, n)?;
            let is_some = self.min(&[n, Num::ONE]).ok()?;
            whole = self.mul(rest, is_some).ok()?;
        }
        Some(whole)
    }

    /// The `n` of `max(n, 1)`, which may be written as `max(n - 1, 0) + 1`.
    fn greater_than_one(&mut self, n: Num) -> Option<Num> {
        let sum = self.sum_of(n);
        let &[(ref monomial, 1)] = &sum.terms[..] else {
            return None;
        };
        let &[generator] = &monomial[..] else {
            return None;
        };
        let Node::Max(all) = self.node(generator) else {
            return None;
        };
        let all: [Num; 2] = all[..].try_into().ok()?;
        match (all, sum.constant) {
            ([n, Num::ONE], 0) => Some(n),
            ([less, Num::ZERO], 1) => self.add(less, Num::ONE).ok(),
            _ => None,
        }
    }

    /// Takes `min(a, 1)` out of each product that is 0 wherever `a` is, and puts `a` for `max(a, 1)`: `x*min(x + y, 1)` is `x`, and
    /// `x*max(x, 1)` is `x*x`.
    pub(super) fn leave_out_ones(&mut self, sum: &mut Sum) -> Result<(), Beyond> {
        let mut at = 0;
        while at < sum.terms.len() {
            let (monomial, times) = &sum.terms[at];
            let times = *times;
            let Some((rest, by)) = self.without_a_one(&monomial.clone())? else {
                at += 1;
                continue;
            };
            // What is made of less stands behind it, or is there already.
            sum.terms.remove(at);
            match by {
                None => sum.push(&rest, times)?,
                Some(a) => {
                    let mut own = Sum::default();
                    own.push(&rest, times)?;
                    let own = self.finish(own)?;
                    let product = self.mul(own, a)?;
                    self.add_to(sum, product, 1)?;
                }
            }
        }
        Ok(())
    }

    /// A product without one of its factors `min(a, 1)`, or without `max(a, 1)` and with the `a` that replaces it.
    fn without_a_one(
        &mut self,
        monomial: &[Form],
    ) -> Result<Option<(Monomial, Option<Num>)>, Beyond> {
        for (i, g) in monomial.iter().enumerate() {
            let (a, is_min) = match self.node(*g) {
                Node::Min(all) => match all[..] {
                    [a, Num::ONE] if self.is_natural(a) => (a, true),
                    _ => continue,
                },
                Node::Max(all) => match all[..] {
                    [a, Num::ONE] if self.is_natural(a) => (a, false),
                    _ => continue,
                },
                _ => continue,
            };
            work(monomial.len());
            let mut rest: Monomial = monomial.into();
            rest.remove(i);
            let is_zero = match is_min {
                true => rest.contains(g) || self.is_zero_with(&rest, a, Some(*g))?,
                false => self.is_zero_with(&rest, a, None)?,
            };
            if is_zero {
                return Ok(Some((rest, (!is_min).then_some(a))));
            }
        }
        Ok(None)
    }

    /// Is a product 0 wherever this natural number is, and with it its minimum with 1, if that is known?
    fn is_zero_with(
        &mut self,
        product: &[Form],
        a: Num,
        any: Option<Form>,
    ) -> Result<bool, Beyond> {
        let own = self.sum_of(a);
        if let ([(factors, 1..)], 0) = (&own.terms[..], own.constant)
            && factors.iter().all(|g| self.is_natural((*g).into()))
            && super::without(product, factors).is_some()
        {
            return Ok(true);
        }
        for g in product {
            let factor = Num::from(*g);
            if self.is_natural(factor) {
                let more = self.sub(a, factor)?;
                if self.is_natural(more) {
                    return Ok(true);
                }
                if let Some(any) = any
                    && self.is_any(factor)? == Num::from(any)
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
