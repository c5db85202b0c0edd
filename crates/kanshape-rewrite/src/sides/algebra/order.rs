//! Comparisons of expressions: what is above 0, below another one, or 0.

use kanshape::Dtype;
use kanshape_eval::{Function as F, Stop};

use super::{Algebra, Atom, Expr, Product, Sum, is_int};
use crate::sides::ratio::Ratio;

impl Algebra {
    /// Is it above 0?
    pub(super) fn positive(&mut self, a: Expr) -> Result<Expr, Stop> {
        self.by_cases(&[a], &mut |this, args| {
            let own = args[0];
            if let Some(ratio) = this.ratio(own) {
                return Ok(this.int((ratio.above > 0).into()));
            }
            if let Some(found) = this.positive_of_lattice(own)? {
                return Ok(found);
            }
            let own = this.unit(own, true)?;
            Ok(this.atom(Atom::Positive(own)))
        })
    }

    /// A sum with one `Max` or `Min` in it is above 0 where some or all of the sums with one of its members are.
    fn positive_of_lattice(&mut self, a: Expr) -> Result<Option<Expr>, Stop> {
        let own = self.own(a);
        let lattice = own.iter().find_map(|(product, ratio)| match product[..] {
            [(atom, 1)] => match &self.atoms[atom as usize] {
                Atom::Lattice(meets) => Some((atom, *ratio, meets.clone())),
                _ => None,
            },
            _ => None,
        });
        let Some((atom, ratio, meets)) = lattice else {
            return Ok(None);
        };
        let inside = |own: &(Product, Ratio)| own.0.iter().any(|own| own.0 == atom);
        if own.iter().filter(|own| inside(own)).count() != 1 {
            return Ok(None);
        }
        let rest: Sum = own.iter().filter(|own| !inside(own)).cloned().collect();
        let rest = self.sum(rest);
        let is_up = ratio.above > 0;
        let mut all = self.int((!is_up).into());
        for meet in meets.iter() {
            let mut of_meet = self.int(is_up.into());
            for member in meet {
                let own = self.weighted(rest, *member, ratio)?;
                let own = self.positive(own)?;
                of_meet = if is_up {
                    self.mul(of_meet, own)?
                } else {
                    self.or(of_meet, own)?
                };
            }
            all = if is_up {
                self.or(all, of_meet)?
            } else {
                self.mul(all, of_meet)?
            };
        }
        Ok(Some(all))
    }

    pub(super) fn less(&mut self, dtype: Dtype, a: Expr, b: Expr) -> Result<Expr, Stop> {
        if a == b {
            return Ok(self.int(0));
        }
        if is_int(dtype) && (self.ratio(a).is_none() || self.ratio(b).is_none()) {
            // A difference may wrap around.
            return self.by_cases(&[a, b], &mut |this, args| {
                this.less_of_ints(dtype, args[0], args[1])
            });
        }
        let more = self.sub(b, a)?;
        self.positive(more)
    }

    /// The same of integers: one is below the largest of several where it is below one of them.
    fn less_of_ints(&mut self, dtype: Dtype, a: Expr, b: Expr) -> Result<Expr, Stop> {
        let meets = |this: &Self, own| match this.as_atom(own) {
            Some(Atom::Lattice(meets)) => Some(meets.clone()),
            _ => None,
        };
        let (is_up, meets) = match (meets(self, a), meets(self, b)) {
            (_, Some(meets)) => (true, meets),
            (Some(meets), None) => (false, meets),
            (None, None) if a == b => return Ok(self.int(0)),
            (None, None) => return Ok(self.atom(Atom::Call(F::Less, dtype, vec![a, b]))),
        };
        let mut all = self.int((!is_up).into());
        for meet in meets.iter() {
            let mut of_meet = self.int(is_up.into());
            for member in meet {
                let own = match is_up {
                    true => self.less(dtype, a, *member)?,
                    false => self.less(dtype, *member, b)?,
                };
                of_meet = match is_up {
                    true => self.mul(of_meet, own)?,
                    false => self.or(of_meet, own)?,
                };
            }
            all = match is_up {
                true => self.or(all, of_meet)?,
                false => self.mul(all, of_meet)?,
            };
        }
        Ok(all)
    }

    pub(super) fn is_zero(&mut self, dtype: Dtype, a: Expr) -> Result<Expr, Stop> {
        self.by_cases(&[a], &mut |this, args| {
            if let Some(ratio) = this.ratio(args[0]) {
                return Ok(this.int(ratio.is_zero().into()));
            }
            let own = match is_int(dtype) {
                // Twice an integer may wrap around to 0.
                true => match this.own(args[0]).first() {
                    Some((_, first)) if first.above < 0 => this.scaled(args[0], Ratio::int(-1))?,
                    _ => args[0],
                },
                false => this.unit(args[0], false)?,
            };
            Ok(this.atom(Atom::Zero(own)))
        })
    }
}
