//! A minimum and a maximum in one sum.

use super::{Beyond, Form, Forms, Monomial, Node, Num, Sum, multiplied, without};
use crate::control::work;
use smallvec::{SmallVec, smallvec};

/// A minimum or a maximum of two numbers in a term, and what it is multiplied by.
struct Extreme {
    at: usize,
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
}
