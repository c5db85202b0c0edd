//! A minimum and a maximum in one sum, and a minimum in a product.

use super::{Beyond, Form, Forms, Node, Num, Sum, Term, without};
use smallvec::SmallVec;

impl Forms {
    /// `min(a, b) + max(a, b)` is `a + b`, and `min(a, b) + max(a - k, b - k)` is `a + b - k`.
    pub(super) fn add_up_extremes(&mut self, sum: &mut Sum) -> Result<(), Beyond> {
        while let Some((least, greatest, total)) = self.extremes_in(sum)? {
            let all = [least, greatest].map(|at| sum.terms[at].1);
            let times = match all[0] > 0 {
                true => all[0].min(all[1]),
                false => all[0].max(all[1]),
            };
            for at in [least, greatest] {
                sum.terms[at].1 -= times;
            }
            for part in total {
                self.add_to(sum, part, times)?;
            }
        }
        Ok(())
    }

    /// `x*min(y, 1)` is `x` where `x` is 0 if `y` is: `x*min(x, 1)`, `h*min(ceil(h/7), 1)`.
    pub(super) fn drop_least_ones(&mut self, sum: &mut Sum) -> Result<(), Beyond> {
        // Each turn takes a factor away.
        while let Some((at, factor)) = self.least_one_in(sum) {
            let (monomial, times) = sum.terms.remove(at);
            let rest = without(&monomial, &[factor]).unwrap_or(monomial);
            sum.push(&rest, times)?;
        }
        Ok(())
    }

    /// A term with a factor that is 1 wherever the others are not 0.
    fn least_one_in(&self, sum: &Sum) -> Option<(usize, Form)> {
        let products = sum.terms.iter().enumerate();
        let mut products = products.filter(|(_, term)| term.0.len() > 1);
        products.find_map(|(at, (monomial, _))| {
            let is_one = |i: &usize| {
                let Node::Min(all) = self.node(monomial[*i]) else {
                    return false;
                };
                let y = match all[..] {
                    [Num::ONE, y] | [y, Num::ONE] => y,
                    _ => return false,
                };
                let others = monomial.iter().enumerate().filter(|(j, _)| j != i);
                let others = others.map(|(_, g)| *g).collect::<SmallVec<[Form; 4]>>();
                self.bounds(y).0 >= 0 && self.are_zero_with(&others, monomial[*i], y)
            };
            let i = (0..monomial.len()).find(is_one)?;
            Some((at, monomial[i]))
        })
    }

    /// Is the product of these 0 wherever `y`, which is never negative, is 0? `least` is `min(y, 1)`.
    fn are_zero_with(&self, all: &[Form], least: Form, y: Num) -> bool {
        let Some(form) = y.form() else { return false };
        let is_zero_with = |g: Form| {
            if g == form || g == least {
                return true;
            }
            // floor((g + k)/b) is 0 for a `g` of 0 alone, if `k` is b - 1 or more.
            if let Node::Floor(a, b) = self.node(form)
                && let (Some(b), Some(k)) = (b.int(), self.beyond(*a, g))
            {
                return k >= b - 1;
            }
            // floor((y + k)/b) is 0 for a `y` of 0, if `k` is less than b.
            if let Node::Floor(a, b) = self.node(g)
                && let (Some(b), Some(k)) = (b.int(), self.beyond(*a, form))
            {
                return (0..b).contains(&k);
            }
            false
        };
        if all.iter().any(|g| is_zero_with(*g)) {
            return true;
        }
        // A product is 0 where one of its factors is.
        match self.node(form) {
            Node::Sum(terms, 0) => match &terms[..] {
                [(monomial, 1..)] => without(all, monomial).is_some(),
                _ => false,
            },
            _ => false,
        }
    }

    /// The integer `k` with `a = g + k`.
    fn beyond(&self, a: Num, g: Form) -> Option<i64> {
        let form = a.form()?;
        if form == g {
            return Some(0);
        }
        match self.node(form) {
            Node::Sum(terms, k) => match &terms[..] {
                [(monomial, 1)] if monomial[..] == [g] => Some(*k),
                _ => None,
            },
            _ => None,
        }
    }

    /// A minimum and a maximum of two numbers that lie equally far apart, as terms of a sum with multiples of one sign, and the two
    /// numbers whose sum theirs is.
    fn extremes_in(&mut self, sum: &Sum) -> Result<Option<(usize, usize, [Num; 2])>, Beyond> {
        let pair = |forms: &Forms, term: &Term| match (&term.0[..], term.1) {
            (_, 0) => None,
            (&[generator], times) => match forms.node(generator) {
                Node::Min(all) => Some((false, <[Num; 2]>::try_from(&all[..]).ok()?, times > 0)),
                Node::Max(all) => Some((true, <[Num; 2]>::try_from(&all[..]).ok()?, times > 0)),
                _ => None,
            },
            _ => None,
        };
        let pairs: SmallVec<[_; 2]> = sum
            .terms
            .iter()
            .enumerate()
            .filter_map(|(at, term)| Some((at, pair(self, term)?)))
            .collect();
        for &(least, (is_max, [a, b], sign)) in &pairs {
            for &(greatest, (other_is_max, [c, d], other_sign)) in &pairs {
                if is_max || !other_is_max || sign != other_sign {
                    continue;
                }
                let apart = self.sub(a, b)?;
                if self.sub(c, d)? == apart {
                    return Ok(Some((least, greatest, [a, d])));
                }
                if self.sub(d, c)? == apart {
                    return Ok(Some((least, greatest, [a, c])));
                }
            }
        }
        Ok(None)
    }
}
