//! A minimum and a maximum in one sum.

use super::{Beyond, Forms, Node, Num, Sum, Term};
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
