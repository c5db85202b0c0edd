//! Minima and maxima in sums, in quotients and beside what they broadcast with.

use super::{Beyond, Form, Forms, Monomial, NONE, Node, Num, Sum, Term, multiplied, without};
use crate::control::work;
use crate::limits::{MAX_DIVIDED_DEPTH, MAX_FORM_ARGS};
use smallvec::{Array, SmallVec, smallvec};

/// A minimum or a maximum of two numbers in a term, and what it is multiplied by.
struct Extreme {
    at: usize,
    generator: Form,
    is_max: bool,
    args: [Num; 2],
    is_added: bool,
    factors: Monomial,
}

/// A minimum and a maximum, by their terms, and the two numbers whose sum theirs is.
struct Both {
    least: usize,
    greatest: usize,
    factors: Monomial,
    total: [Num; 2],
}

impl Forms {
    /// `min(a, b) + max(a, b)` is `a + b`, and `min(a, b) + max(a - k, b - k)` is `a + b - k`; and so it is where both are
    /// multiplied by the same.
    pub(super) fn add_up_extremes(&mut self, sum: &mut Sum) -> Result<(), Beyond> {
        while let Some(both) = self.extremes_in(sum)? {
            let all = [both.least, both.greatest].map(|at| sum.terms[at].1);
            let times = match all[0] > 0 {
                true => all[0].min(all[1]),
                false => all[0].max(all[1]),
            };
            for at in [both.least, both.greatest] {
                sum.terms[at].1 -= times;
            }
            for part in both.total {
                if both.factors.is_empty() {
                    self.add_to(sum, part, times)?;
                    continue;
                }
                let factors = Sum {
                    terms: smallvec![(both.factors.clone(), times)],
                    constant: 0,
                };
                let mut product = multiplied(&factors, &self.sum_of(part))?;
                self.leave_out_ones(&mut product)?;
                for (monomial, times) in &product.terms {
                    sum.push(monomial, *times)?;
                }
            }
        }
        Ok(())
    }

    /// A minimum and a maximum whose two arguments have the same difference, in two terms of a sum with the same other factors and
    /// coefficients of one sign.
    fn extremes_in(&mut self, sum: &Sum) -> Result<Option<Both>, Beyond> {
        let extreme = |at: usize, generator: &Form| {
            let (monomial, times) = &sum.terms[at];
            let (is_max, args) = match self.node(*generator) {
                _ if *times == 0 => return None,
                Node::Min(all) => (false, all),
                Node::Max(all) => (true, all),
                _ => return None,
            };
            Some(Extreme {
                at,
                generator: *generator,
                is_max,
                args: <[Num; 2]>::try_from(&args[..]).ok()?,
                is_added: *times > 0,
                factors: without(monomial, &[*generator])?,
            })
        };
        let places = sum.terms.iter().enumerate();
        let places = places.flat_map(|(at, term)| term.0.iter().map(move |g| (at, g)));
        let all: SmallVec<[Extreme; 2]> = places.filter_map(|(at, g)| extreme(at, g)).collect();
        work(all.len());
        for least in all.iter().filter(|own| !own.is_max) {
            for greatest in all.iter().filter(|own| own.is_max) {
                if least.is_added != greatest.is_added || least.factors != greatest.factors {
                    continue;
                }
                let ([a, b], [c, d]) = (least.args, greatest.args);
                let apart = self.sub(a, b)?;
                let other = match () {
                    () if self.sub(c, d)? == apart => d,
                    () if self.sub(d, c)? == apart => c,
                    () if self.is_any_of(least, greatest)? => {
                        return Ok(Some(Both {
                            least: least.at,
                            greatest: greatest.at,
                            factors: least.factors.clone(),
                            total: [c, Num::ONE],
                        }));
                    }
                    () => continue,
                };
                return Ok(Some(Both {
                    least: least.at,
                    greatest: greatest.at,
                    factors: least.factors.clone(),
                    total: [a, other],
                }));
            }
        }
        Ok(None)
    }

    /// Is it `min(n, 1)`, as short as it is written, and `max(n - 1, 0)`? Together they are `n`.
    fn is_any_of(&mut self, least: &Extreme, greatest: &Extreme) -> Result<bool, Beyond> {
        let ([_, Num::ONE], [less, Num::ZERO]) = (least.args, greatest.args) else {
            return Ok(false);
        };
        let n = self.add(less, Num::ONE)?;
        Ok(self.min(&[n, Num::ONE])? == least.generator.into())
    }

    /// `floor((max(a, b) + c)/d)` is `max(floor((a + c)/d), floor((b + c)/d))`, and so is it of a minimum. `None` of anything else, and
    /// where they are nested more deeply: each would be divided as often as there are ways to it.
    pub(super) fn divided_extreme(&mut self, sum: &Sum, by: Num) -> Result<Option<Num>, Beyond> {
        let [(monomial, 1)] = &sum.terms[..] else {
            return Ok(None);
        };
        let &[generator] = &monomial[..] else {
            return Ok(None);
        };
        if self.depth(generator.into()) > MAX_DIVIDED_DEPTH {
            return Ok(None);
        }
        let (greatest, args) = match self.node(generator) {
            Node::Max(args) => (true, args.clone()),
            Node::Min(args) => (false, args.clone()),
            _ => return Ok(None),
        };
        let more = Num::new(sum.constant)?;
        let mut parts: SmallVec<[Num; 4]> = SmallVec::new();
        for arg in args {
            let arg = self.add(arg, more)?;
            parts.push(self.floor_div(arg, by)?);
        }
        self.extreme(&parts, greatest).map(Some)
    }

    /// What follows of a sum from each minimum and maximum in it: `max(a, b) - a` is 0 or more, whatever `b` is.
    pub(super) fn bounds_of_extremes(&self, terms: &[Term], constant: i64) -> (i64, i64) {
        let (mut lo, mut hi) = NONE;
        for (i, (monomial, times)) in terms.iter().enumerate() {
            let &[generator] = &monomial[..] else {
                continue;
            };
            let (is_max, args) = match self.node(generator) {
                Node::Max(args) => (true, args),
                Node::Min(args) => (false, args),
                _ => continue,
            };
            // One argument bounds it on one side, all of them on the other one.
            let (mut least, mut most) = (i64::MAX, i64::MIN);
            for (place, arg) in args.iter().enumerate() {
                let own = match self.with_in_place(terms, constant, i, *arg) {
                    Ok(rest) if place < MAX_FORM_ARGS => self.bounds_of_rest(&rest),
                    _ => NONE,
                };
                (least, most) = (least.min(own.0), most.max(own.1));
                match is_max == (*times > 0) {
                    true => lo = lo.max(own.0),
                    false => hi = hi.min(own.1),
                }
            }
            match is_max == (*times > 0) {
                true => hi = hi.min(most),
                false => lo = lo.max(least),
            }
        }
        (lo, hi)
    }

    /// Takes out what broadcasts with another one and makes no difference: `max(n, 1)` beside `n`.
    pub fn leave_out_covered<A: Array<Item = Num>>(
        &mut self,
        args: &mut SmallVec<A>,
    ) -> Result<(), Beyond> {
        let mut at = 0;
        while args.len() > 1 && at < args.len() && args.len() <= MAX_FORM_ARGS {
            let mut is_covered = false;
            for other in 0..args.len() {
                is_covered = is_covered || other != at && self.is_covered(args[at], args[other])?;
            }
            match is_covered {
                true => _ = args.remove(at),
                false => at += 1,
            }
        }
        Ok(())
    }

    /// Do the two broadcast to `n`, whatever the atoms are? So they do if one is `max(n, 1)`, or the least of that or of 1, and of others
    /// that are not less than `n`.
    fn is_covered(&mut self, one: Num, n: Num) -> Result<bool, Beyond> {
        let Some(form) = one.form() else {
            return Ok(false);
        };
        // An unknown is none of them, and there are many.
        if matches!(self.node(form), Node::Atom(_)) || n.form().is_none() || !self.is_natural(n) {
            return Ok(false);
        }
        if self.is_one_at_least(one, n)? {
            return Ok(true);
        }
        let Node::Min(all) = self.node(form) else {
            return Ok(false);
        };
        let mut is_clipped = false;
        for part in all.clone() {
            if part == Num::ONE || self.is_one_at_least(part, n)? {
                is_clipped = true;
                continue;
            }
            let more = self.sub(part, n)?;
            if !self.is_natural(part) || !self.is_natural(more) {
                return Ok(false);
            }
        }
        Ok(is_clipped)
    }

    /// Is it `max(n, 1)`? That may be written as `max(n - 1, 0) + 1`.
    fn is_one_at_least(&mut self, one: Num, n: Num) -> Result<bool, Beyond> {
        if self.max(&[n, Num::ONE])? == one {
            return Ok(true);
        }
        let less = self.sub(n, Num::ONE)?;
        let less = self.max(&[less, Num::ZERO])?;
        Ok(self.add(less, Num::ONE)? == one)
    }
}
