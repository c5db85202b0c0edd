//! Linear forms: a constant and integer multiples of variables, in one normal form.

use crate::control::work;
use crate::int::{Int, gcd};
use smallvec::SmallVec;

/// A variable: its number in the store. Older variables have smaller numbers, and stay the
/// representatives when two become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub(crate) u32);

impl Var {
    /// The number of the variable.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// `constant + sum(coefficient * variable)`, terms sorted by variable, no coefficient 0.
#[derive(Debug, PartialEq, Eq, Hash, Default)]
pub struct Linear {
    terms: SmallVec<[(Var, Int); 2]>,
    constant: Int,
}

impl Clone for Linear {
    /// Copies the terms as one block, which the derived clone does not.
    fn clone(&self) -> Linear {
        work_of(&self.terms);
        Linear {
            terms: SmallVec::from_slice(&self.terms),
            constant: self.constant,
        }
    }
}

/// Counts a look at terms. One at a few is a part of any step.
#[inline]
pub(crate) fn work_of(terms: &[(Var, Int)]) {
    if terms.len() > 2 {
        work(terms.len());
    }
}

/// A number grew beyond what the engine computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl Linear {
    /// Its value where every variable has the value that `value` gives; `None` if that grows too large.
    pub(crate) fn at(&self, value: &dyn Fn(Var) -> Int) -> Option<Int> {
        let mut terms = self.terms().iter();
        terms.try_fold(self.offset(), |sum, &(v, c)| {
            sum.checked_add(c.checked_mul(value(v))?)
        })
    }

    /// Just a number.
    pub fn constant(constant: Int) -> Linear {
        Linear {
            terms: SmallVec::new(),
            constant,
        }
    }

    /// Just a variable.
    pub fn var(v: Var) -> Linear {
        Linear {
            terms: SmallVec::from_slice(&[(v, 1)]),
            constant: 0,
        }
    }

    /// The terms, by variable.
    pub fn terms(&self) -> &[(Var, Int)] {
        &self.terms
    }

    /// The constant part.
    pub fn offset(&self) -> Int {
        self.constant
    }

    /// Its value, if no variable is in it.
    pub fn as_constant(&self) -> Option<Int> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The variable, if it is nothing but one.
    pub fn as_var(&self) -> Option<Var> {
        match self.terms.as_slice() {
            [(v, 1)] if self.constant == 0 => Some(*v),
            _ => None,
        }
    }

    /// The variables in it.
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.terms.iter().map(|&(v, _)| v)
    }

    /// The coefficient of `v`, 0 if it is not there.
    pub fn coefficient(&self, v: Var) -> Int {
        match self.terms.binary_search_by_key(&v, |t| t.0) {
            Ok(i) => self.terms[i].1,
            Err(_) => 0,
        }
    }

    /// `self + factor * other`.
    pub fn add_scaled(&self, other: &Linear, factor: Int) -> Result<Linear, Overflow> {
        let mut sum = self.clone();
        sum.add_assign_scaled(other, factor)?;
        Ok(sum)
    }

    /// `self += factor * other`.
    pub fn add_assign_scaled(&mut self, other: &Linear, factor: Int) -> Result<(), Overflow> {
        work_of(&other.terms);
        let offset = other.constant.checked_mul(factor).ok_or(Overflow)?;
        self.constant = self.constant.checked_add(offset).ok_or(Overflow)?;
        // Few terms are put where they belong; many would move those behind them each time.
        if other.terms.len() > FEW_TERMS && self.terms.len() > FEW_TERMS {
            work_of(&self.terms);
            self.terms = merged(&self.terms, &other.terms, factor)?;
            return Ok(());
        }
        for &(v, c) in &other.terms {
            self.add_term(v, c.checked_mul(factor).ok_or(Overflow)?)?;
        }
        Ok(())
    }

    /// `self += coefficient * v`.
    pub fn add_term(&mut self, v: Var, coefficient: Int) -> Result<(), Overflow> {
        match self.terms.binary_search_by_key(&v, |t| t.0) {
            Ok(i) => {
                let c = self.terms[i].1.checked_add(coefficient).ok_or(Overflow)?;
                if c == 0 {
                    self.terms.remove(i);
                } else {
                    self.terms[i].1 = c;
                }
            }
            Err(i) if coefficient != 0 => {
                work((self.terms.len() - i) / 8);
                self.terms.insert(i, (v, coefficient));
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// `self += n`.
    pub fn add_constant(&mut self, n: Int) -> Result<(), Overflow> {
        self.constant = self.constant.checked_add(n).ok_or(Overflow)?;
        Ok(())
    }

    /// `self - other`.
    pub fn minus(&self, other: &Linear) -> Result<Linear, Overflow> {
        self.add_scaled(other, -1)
    }

    /// `self + other`.
    pub fn plus(&self, other: &Linear) -> Result<Linear, Overflow> {
        self.add_scaled(other, 1)
    }

    /// `factor * self`.
    pub fn scaled(&self, factor: Int) -> Result<Linear, Overflow> {
        Linear::default().add_scaled(self, factor)
    }

    /// The greatest number that divides every coefficient; 0 if there is none.
    pub(crate) fn content(&self) -> Int {
        self.terms.iter().fold(0, |g, &(_, c)| gcd(g, c))
    }

    /// Every coefficient and the constant divided by `d`, which must divide the coefficients;
    /// the constant is rounded down.
    pub(crate) fn divided(&self, d: Int) -> Linear {
        work_of(&self.terms);
        Linear {
            terms: self.terms.iter().map(|&(v, c)| (v, c / d)).collect(),
            constant: crate::int::div_floor(self.constant, d),
        }
    }

    /// Without the term of `v`.
    pub(crate) fn without(&self, v: Var) -> Linear {
        work_of(&self.terms);
        Linear {
            terms: self.terms.iter().copied().filter(|t| t.0 != v).collect(),
            constant: self.constant,
        }
    }
}

/// Terms up to which a sum is put into another one term by term.
const FEW_TERMS: usize = 8;

/// The terms of `a + factor * b`, of which both are sorted.
fn merged(
    a: &[(Var, Int)],
    b: &[(Var, Int)],
    factor: Int,
) -> Result<SmallVec<[(Var, Int); 2]>, Overflow> {
    let mut sum = SmallVec::with_capacity(a.len() + b.len());
    let mut push = |v: Var, c: Int| {
        if c != 0 {
            sum.push((v, c));
        }
    };
    let mut a = a.iter().copied().peekable();
    for &(v, c) in b {
        let c = c.checked_mul(factor).ok_or(Overflow)?;
        while let Some((w, own)) = a.next_if(|own| own.0 < v) {
            push(w, own);
        }
        let own = a.next_if(|own| own.0 == v).map_or(0, |own| own.1);
        push(v, own.checked_add(c).ok_or(Overflow)?);
    }
    a.for_each(|(v, c)| push(v, c));
    Ok(sum)
}

impl From<Int> for Linear {
    fn from(n: Int) -> Linear {
        Linear::constant(n)
    }
}

impl From<Var> for Linear {
    fn from(v: Var) -> Linear {
        Linear::var(v)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Long sums are added in one walk, short ones term by term.
    #[test]
    fn a_long_sum_is_what_its_terms_come_to_one_by_one() {
        let sum = |from: u32, step: usize, times: Int| {
            let mut sum = Linear::constant(7 * times);
            for v in (from..from + 60).step_by(step) {
                sum.add_term(Var(v), times * (1 + Int::from(v % 5)))
                    .unwrap();
            }
            sum
        };
        for (a, b) in [
            (sum(0, 1, 1), sum(0, 1, 1)),
            (sum(0, 2, 3), sum(1, 2, -1)),
            (sum(30, 1, 2), sum(0, 3, 1)),
            (sum(0, 1, -4), sum(100, 1, 5)),
        ] {
            for factor in [-1, 0, 1, 3] {
                let mut one_by_one = a.clone();
                one_by_one.add_constant(factor * b.offset()).unwrap();
                for (v, c) in b.terms() {
                    one_by_one.add_term(*v, factor * c).unwrap();
                }
                assert_eq!(a.add_scaled(&b, factor), Ok(one_by_one));
            }
        }
        let far = Linear::default().add_scaled(&sum(0, 1, 1), Int::MAX / 4);
        assert_eq!(far, Err(Overflow));
    }
}
