//! Differences of expressions that have no common normal form, and are 0 in every case.
//!
//! `Max`, `Min` and `Abs` are what a condition chooses, and a condition about a difference is one of three cases: it is above 0, below 0, or 0. What is left in
//! a case has to be 0, up to divisors that are not 0 where both sides have a value, or the case has to be impossible: its comparisons contradict each other as
//! linear ones.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::Dtype;
use kanshape_eval::{Function as F, Stop};

use super::{Algebra, Atom, AtomNo, Expr, Product, Sum, is_int};
use crate::sides::ratio::Ratio;

/// The most cases of a difference, and how often a divisor is multiplied out.
const MOST_CASES: usize = 800;
const MOST_DIVISORS: usize = 6;
/// The most `Max`, `Min` and `Abs` that are split into cases.
const MOST_PARTS: usize = 12;
/// How deep sums in sums are looked into.
const MOST_NESTED: usize = 8;
/// The most comparisons that are combined.
const MOST_COMPARED: usize = 64;

/// What a case says of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CaseSign {
    Above,
    AtLeast,
    Zero,
}

/// A linear comparison: the factor of each product, with 0 or above on the other side.
#[derive(Clone)]
struct LinearComparison {
    of: BTreeMap<Product, Ratio>,
    sign: CaseSign,
}

impl Algebra {
    /// Are two elements of a dtype the same number, whatever is in the leaves?
    pub(crate) fn is_same(&mut self, dtype: Dtype, a: Expr, b: Expr) -> bool {
        if a == b {
            return true;
        }
        let mut cases = MOST_CASES;
        let found = self.sub(a, b).and_then(|difference| {
            let difference = self.without_lattices(dtype, difference)?;
            self.vanishes(difference, &mut Vec::new(), &mut cases)
        });
        found.unwrap_or(false)
    }

    /// The same with conditions in place of `Max`, `Min` and `Abs`.
    fn without_lattices(&mut self, dtype: Dtype, expr: Expr) -> Result<Expr, Stop> {
        let mut expr = expr;
        for _ in 0..MOST_PARTS {
            let own = self.own(expr);
            let atoms = own.iter().flat_map(|own| own.0.iter());
            let is_part = |own: &&(AtomNo, i32)| {
                own.1 > 0
                    && match &self.atoms[own.0 as usize] {
                        Atom::Lattice(_) => true,
                        Atom::Call(F::Abs, dtype, _) => !is_int(*dtype),
                        _ => false,
                    }
            };
            let Some((atom, _)) = atoms
                .copied()
                .collect::<Vec<_>>()
                .iter()
                .find(is_part)
                .copied()
            else {
                break;
            };
            let by = self.taken_apart(dtype, atom)?;
            expr = self.replaced(expr, atom, by)?;
        }
        Ok(expr)
    }

    /// What a `Max`, `Min` or `Abs` chooses.
    fn taken_apart(&mut self, dtype: Dtype, atom: AtomNo) -> Result<Expr, Stop> {
        match self.atoms[atom as usize].clone() {
            Atom::Lattice(meets) => {
                let mut all = None;
                for meet in meets.iter() {
                    let mut of_meet = None;
                    for own in meet {
                        of_meet = Some(match of_meet {
                            Some(least) => self.chosen(dtype, least, *own, false)?,
                            None => *own,
                        });
                    }
                    all = match (all, of_meet) {
                        (Some(all), Some(own)) => Some(self.chosen(dtype, all, own, true)?),
                        (all, own) => all.or(own),
                    };
                }
                all.ok_or_else(|| Stop::Opaque("the largest of nothing".into()))
            }
            Atom::Call(_, _, args) => {
                let negative = self.scaled(args[0], Ratio::int(-1))?;
                self.chosen(dtype, args[0], negative, true)
            }
            _ => Err(Stop::Opaque("what is not split into cases".into())),
        }
    }

    /// The larger one of two, or the smaller one, by a condition.
    fn chosen(&mut self, dtype: Dtype, a: Expr, b: Expr, is_max: bool) -> Result<Expr, Stop> {
        // Of the same two there is one condition, in whichever order they are.
        let (a, b) = (a.min(b), a.max(b));
        let is_less = self.less(dtype, a, b)?;
        match is_max {
            true => self.choose(is_less, b, a),
            false => self.choose(is_less, a, b),
        }
    }

    /// The same with an expression for an atom that is no part of a function.
    fn replaced(&mut self, expr: Expr, atom: AtomNo, by: Expr) -> Result<Expr, Stop> {
        let own = self.own(expr);
        let mut all = self.int(0);
        let mut kept: Sum = Vec::new();
        for (product, ratio) in own.iter() {
            let Some(at) = product.iter().position(|own| own.0 == atom) else {
                kept.push((product.clone(), *ratio));
                continue;
            };
            let mut rest = product.clone();
            let power = rest.remove(at).1;
            if power < 0 {
                return super::too_large();
            }
            let mut one = self.sum(vec![(rest, *ratio)]);
            for _ in 0..power {
                one = self.mul(one, by)?;
            }
            all = self.add(all, one)?;
        }
        let kept = self.sum(kept);
        self.add(all, kept)
    }

    /// Is it 0 in every case? `given` is what the case says.
    fn vanishes(
        &mut self,
        expr: Expr,
        given: &mut Vec<(Expr, CaseSign)>,
        cases: &mut usize,
    ) -> Result<bool, Stop> {
        if self.own(expr).is_empty() {
            return Ok(true);
        }
        *cases = match cases.checked_sub(1) {
            Some(left) => left,
            None => return super::too_large(),
        };
        let Some(condition) = self.condition(&[expr]) else {
            return Ok(
                self.is_zero_or_impossible(expr, given)? || self.without_divisors(expr, given)?
            );
        };
        let compared = match self.atoms[condition as usize] {
            // A difference of integers may wrap around: of these there are two cases, which say nothing of each other.
            Atom::Positive(own) | Atom::Zero(own) if self.is_real(own, MOST_NESTED) => own,
            _ => {
                for holds in [true, false] {
                    let own = self.where_(expr, condition, holds)?;
                    if !self.vanishes(own, given, cases)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
        };
        let negative = self.scaled(compared, Ratio::int(-1))?;
        let unit = self.unit(compared, false)?;
        let above = self.atom_numbers.get(&Atom::Positive(compared)).copied();
        let below = self.atom_numbers.get(&Atom::Positive(negative)).copied();
        // A condition of integers is about the integer itself, and not about a multiple.
        let zeros =
            [compared, negative, unit].map(|own| self.atom_numbers.get(&Atom::Zero(own)).copied());
        let which = [
            (compared, CaseSign::Above),
            (negative, CaseSign::Above),
            (compared, CaseSign::Zero),
        ];
        for (case, stated) in which.into_iter().enumerate() {
            let mut own = expr;
            for (atom, holds) in [(above, case == 0), (below, case == 1)] {
                if let Some(atom) = atom {
                    own = self.where_(own, atom, holds)?;
                }
            }
            for atom in zeros.into_iter().flatten() {
                own = self.where_(own, atom, case == 2)?;
            }
            given.push(stated);
            let vanishes = self.vanishes(own, given, cases);
            given.pop();
            if !vanishes? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Is it made of reals alone?
    fn is_real(&self, expr: Expr, nested: usize) -> bool {
        let own = &self.sums[expr as usize];
        let mut atoms = own.iter().flat_map(|own| own.0.iter());
        atoms.all(|(atom, _)| match &self.atoms[*atom as usize] {
            Atom::Leaf(_, _, dtype) | Atom::Call(_, dtype, _) => {
                !is_int(*dtype) && *dtype != Dtype::Bool
            }
            Atom::Inverse(_) => true,
            Atom::Sum(_, _, own) | Atom::Fold(_, _, _, own) => {
                nested > 0 && self.is_real(*own, nested - 1)
            }
            _ => false,
        })
    }

    /// Without conditions: is it 0 by what the case says is 0, or can the case not be?
    fn is_zero_or_impossible(
        &mut self,
        expr: Expr,
        given: &[(Expr, CaseSign)],
    ) -> Result<bool, Stop> {
        let mut own = expr;
        for (zero, _) in given.iter().filter(|own| own.1 == CaseSign::Zero) {
            if let Some((atom, by)) = self.solved(*zero)? {
                own = self.replaced(own, atom, by).unwrap_or(own);
            }
        }
        Ok(self.own(own).is_empty() || self.is_impossible(given)?)
    }

    /// An atom, and what it is where an expression is 0.
    fn solved(&mut self, zero: Expr) -> Result<Option<(AtomNo, Expr)>, Stop> {
        let own = self.own(zero);
        let count = |atom: AtomNo| {
            own.iter()
                .filter(|own| own.0.iter().any(|own| own.0 == atom))
                .count()
        };
        let found = own.iter().find_map(|(product, ratio)| match product[..] {
            [(atom, 1)] if count(atom) == 1 => Some((atom, *ratio)),
            _ => None,
        });
        let Some((atom, ratio)) = found else {
            return Ok(None);
        };
        let rest = own.iter().filter(|own| own.0[..] != [(atom, 1)]).cloned();
        let rest = self.sum(rest.collect());
        let by = self.scaled(rest, ratio.inverse()?.negative())?;
        Ok(Some((atom, by)))
    }

    /// The same with divisors multiplied out: where both sides have a value, no divisor is 0.
    fn without_divisors(&mut self, expr: Expr, given: &[(Expr, CaseSign)]) -> Result<bool, Stop> {
        let mut expr = expr;
        for _ in 0..MOST_DIVISORS {
            let own = self.own(expr);
            let divisor = own.iter().flat_map(|own| &own.0).find_map(|own| {
                match self.atoms[own.0 as usize] {
                    Atom::Inverse(of) if own.1 > 0 => Some((own.0, of)),
                    _ => None,
                }
            });
            let Some((atom, of)) = divisor else {
                return Ok(false);
            };
            let power = |product: &Product| {
                product
                    .iter()
                    .find(|own| own.0 == atom)
                    .map_or(0, |own| own.1)
            };
            let most = own.iter().map(|own| power(&own.0)).max().unwrap_or(0);
            let mut all = self.int(0);
            for (product, ratio) in own.iter() {
                let times = most - power(product);
                let rest = product
                    .iter()
                    .filter(|own| own.0 != atom)
                    .copied()
                    .collect();
                let mut one = self.sum(vec![(rest, *ratio)]);
                for _ in 0..times {
                    one = self.mul(one, of)?;
                }
                all = self.add(all, one)?;
            }
            expr = all;
            if self.is_zero_or_impossible(expr, given)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Do comparisons contradict each other? Products of atoms are taken for unknowns of which nothing is known but whether they are squares or exponentials.
    fn is_impossible(&self, given: &[(Expr, CaseSign)]) -> Result<bool, Stop> {
        let mut all: Vec<LinearComparison> = Vec::new();
        let mut products = BTreeSet::new();
        for (expr, sign) in given {
            let own = &self.sums[*expr as usize];
            products.extend(own.iter().map(|own| own.0.clone()));
            let of: BTreeMap<Product, Ratio> = own.iter().cloned().collect();
            if *sign == CaseSign::Zero {
                let negative = of.iter().map(|(p, r)| (p.clone(), r.negative())).collect();
                all.push(LinearComparison {
                    of: negative,
                    sign: CaseSign::AtLeast,
                });
            }
            all.push(LinearComparison {
                of,
                sign: if *sign == CaseSign::Zero {
                    CaseSign::AtLeast
                } else {
                    *sign
                },
            });
        }
        products.remove(&Product::new());
        for product in &products {
            let is_exp =
                |own: &(AtomNo, i32)| matches!(self.atoms[own.0 as usize], Atom::Call(F::Exp, ..));
            let is_root = |own: &(AtomNo, i32)| {
                own.1 > 0 && matches!(self.atoms[own.0 as usize], Atom::Call(F::Sqrt, ..))
            };
            let sign = match () {
                () if product.iter().all(is_exp) => CaseSign::Above,
                () if product
                    .iter()
                    .all(|own| own.1 > 0 && own.1 % 2 == 0 || is_exp(own) || is_root(own)) =>
                {
                    CaseSign::AtLeast
                }
                () => continue,
            };
            all.push(LinearComparison {
                of: BTreeMap::from([(product.clone(), Ratio::ONE)]),
                sign,
            });
        }
        for product in products {
            // Two comparisons in which it has factors of other signs are one without it.
            let (with, mut rest): (Vec<_>, Vec<_>) = all
                .into_iter()
                .partition(|own| own.of.contains_key(&product));
            let is_up = |own: &&LinearComparison| own.of[&product].above > 0;
            for up in with.iter().filter(is_up) {
                for down in with.iter().filter(|own| !is_up(own)) {
                    rest.push(eliminated(up, down, &product)?);
                    if rest.len() > MOST_COMPARED {
                        return Ok(false);
                    }
                }
            }
            all = rest;
        }
        let constant = |own: &LinearComparison| {
            own.of
                .get(&Product::new())
                .map_or(0, |own| own.above.signum())
        };
        Ok(all.iter().any(|own| match own.sign {
            CaseSign::Above => constant(own) <= 0,
            CaseSign::AtLeast | CaseSign::Zero => constant(own) < 0,
        }))
    }
}

/// The sum of multiples of two comparisons in which a product does not occur.
fn eliminated(
    up: &LinearComparison,
    down: &LinearComparison,
    product: &Product,
) -> Result<LinearComparison, Stop> {
    let (a, b) = (up.of[product], down.of[product].negative());
    let mut of = BTreeMap::new();
    for (own, times) in [(up, b), (down, a)] {
        for (product, ratio) in &own.of {
            let entry = of.entry(product.clone()).or_insert(Ratio::int(0));
            *entry = Ratio::plus(*entry, ratio.times(times)?)?;
        }
    }
    of.retain(|_, ratio: &mut Ratio| !ratio.is_zero());
    let sign = match (up.sign, down.sign) {
        (CaseSign::AtLeast, CaseSign::AtLeast) => CaseSign::AtLeast,
        _ => CaseSign::Above,
    };
    Ok(LinearComparison { of, sign })
}
