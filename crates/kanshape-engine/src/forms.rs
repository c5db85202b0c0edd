//! [`Forms`]: sizes in one normal form.
//!
//! A calculation with names keeps its numbers as polynomials over *generators*: atoms, floors of quotients, minima,
//! maxima and broadcasts. Each form is kept once in a table, so that equal forms have equal numbers, and a number is
//! a word that is copied whether it is an integer or a form.
//!
//! The normal form: sums and products are multiplied out; `floor(a/d)` has no multiple of `d` left in `a`, and a floor
//! inside of it is merged with it; `ceil` and `%` are floors; minima and maxima are flat, without arguments that
//! another one always leads; `min(a, 1)` is no factor beside one that is 0 where it is. Every step holds for all integers, 0 included.

mod extremes;
mod factors;
mod ones;
mod order;
mod quotients;

pub use factors::Completed;

use crate::control::work;
#[cfg(test)]
use crate::int::div_floor;
use crate::int::gcd;
use crate::limits::{
    MAX_FORM_ARGS, MAX_FORM_DEPTH, MAX_FORM_FACTORS, MAX_FORM_TERMS, MAX_SUM_TERMS,
};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};
use std::hash::{BuildHasher, Hash};

/// A number of a calculation: an integer, or the number of a form in a [`Forms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Num(i64);

/// Integers from here on are numbers of forms; so no integer of a calculation is one of them.
const FIRST: i64 = -(1 << 62) - (1 << 32);
/// The most that there may be.
const COUNT: u64 = 1 << 32;

/// A form by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form(u32);

impl Form {
    /// The form in this place of a table of the caller's own.
    pub fn at(place: u32) -> Form {
        Form(place)
    }

    /// Its place.
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

/// Something that is beyond the normal form: an integer that is too large, or a form that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond;

/// No lower bound, and no upper one.
const NONE: (i64, i64) = (i64::MIN, i64::MAX);

impl Num {
    /// Nothing.
    pub const ZERO: Num = Num(0);
    /// One.
    pub const ONE: Num = Num(1);

    /// An integer.
    ///
    /// # Errors
    /// [`Beyond`] for one of those that denote forms.
    #[inline]
    pub fn new(n: i64) -> Result<Num, Beyond> {
        let num = Num(n);
        match num.is_form() {
            true => Err(Beyond),
            false => Ok(num),
        }
    }

    #[inline]
    fn is_form(self) -> bool {
        (self.0.wrapping_sub(FIRST) as u64) < COUNT
    }

    /// The integer that it is.
    #[inline]
    pub fn int(self) -> Option<i64> {
        match self.is_form() {
            true => None,
            false => Some(self.0),
        }
    }

    /// The form that it is.
    #[inline]
    pub fn form(self) -> Option<Form> {
        let place = self.0.wrapping_sub(FIRST) as u64;
        (place < COUNT).then_some(Form(place as u32))
    }
}

impl From<Form> for Num {
    #[inline]
    fn from(form: Form) -> Num {
        Num(FIRST + i64::from(form.0))
    }
}

impl From<u32> for Num {
    fn from(n: u32) -> Num {
        Num(n.into())
    }
}

impl std::fmt::Debug for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.form() {
            Some(form) => write!(f, "#{}", form.0),
            None => self.0.fmt(f),
        }
    }
}

/// A product of generators, in order, each as often as it is a factor.
pub type Monomial = SmallVec<[Form; 2]>;

/// A term of a sum: a multiple of a product of generators.
pub type Term = (Monomial, i64);

/// What a form is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An unknown, by the number that the caller gave it.
    Atom(u32),
    /// The sum of some terms and an integer. No term comes twice.
    Sum(Box<[Term]>, i64),
    /// `floor(a / b)`, where `b` is positive.
    Floor(Num, Num),
    /// The least of these.
    Min(Box<[Num]>),
    /// The greatest of these.
    Max(Box<[Num]>),
    /// What these broadcast to: the one other than 1, if any.
    Broadcast(Box<[Num]>),
}

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    hash: u64,
    /// What the form is at least and at most, whatever its atoms are.
    bounds: (i64, i64),
    /// How deeply quotients, minima, maxima and broadcasts are nested in it.
    depth: u8,
}

/// A table of forms.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    entries: Vec<Entry>,
    index: HashTable<u32>,
}

/// The number that replaces a generator, if there is one.
pub type Substitution<'s> = dyn FnMut(&mut Forms, Form) -> Result<Option<Num>, Beyond> + 's;

/// A sum that is being added up.
#[derive(Clone, Debug, Default)]
struct Sum {
    terms: SmallVec<[Term; 4]>,
    constant: i64,
}

impl Forms {
    /// How many forms there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets all forms.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.index.clear();
    }

    /// What a form is.
    pub fn node(&self, form: Form) -> &Node {
        &self.entries[form.0 as usize].node
    }

    fn intern(&mut self, node: Node, bounds: impl FnOnce(&Forms, &Node) -> (i64, i64)) -> Num {
        let hash = FxBuildHasher.hash_one(&node);
        let entries = &self.entries;
        let same = |i: &u32| entries[*i as usize].node == node;
        if let Some(i) = self.index.find(hash, same) {
            return Form(*i).into();
        }
        let bounds = bounds(self, &node);
        let depth = self.depth_of(&node);
        let place = self.entries.len() as u32;
        self.entries.push(Entry {
            node,
            hash,
            bounds,
            depth,
        });
        let entries = &self.entries;
        self.index
            .insert_unique(hash, place, |i| entries[*i as usize].hash);
        Form(place).into()
    }

    fn depth(&self, n: Num) -> u8 {
        n.form()
            .map_or(0, |form| self.entries[form.0 as usize].depth)
    }

    fn depth_of(&self, node: &Node) -> u8 {
        let most = |all: &[Num]| all.iter().map(|n| self.depth(*n)).max().unwrap_or(0);
        match node {
            Node::Atom(_) => 0,
            Node::Sum(terms, _) => {
                let generators = terms.iter().flat_map(|t| t.0.iter());
                let depths = generators.map(|g| self.entries[g.0 as usize].depth);
                depths.max().unwrap_or(0)
            }
            Node::Floor(a, b) => 1 + most(&[*a, *b]),
            Node::Min(all) | Node::Max(all) | Node::Broadcast(all) => 1 + most(all),
        }
    }

    /// The number of a quotient, a minimum, a maximum or a broadcast.
    ///
    /// # Errors
    /// [`Beyond`] where they would be nested too deeply.
    fn nested(
        &mut self,
        node: Node,
        bounds: impl FnOnce(&Forms, &Node) -> (i64, i64),
    ) -> Result<Num, Beyond> {
        match self.depth_of(&node) > MAX_FORM_DEPTH {
            true => Err(Beyond),
            false => Ok(self.intern(node, bounds)),
        }
    }

    /// An unknown: a natural number, or any integer.
    pub fn atom(&mut self, number: u32, is_natural: bool) -> Num {
        self.atom_from(number, if is_natural { 0 } else { i64::MIN })
    }

    /// An unknown that is no less than this.
    pub fn atom_from(&mut self, number: u32, least: i64) -> Num {
        self.intern(Node::Atom(number), |_, _| (least, i64::MAX))
    }

    /// What a number is at least and at most, whatever its atoms are: [`i64::MIN`] and [`i64::MAX`] where there is no
    /// bound.
    #[inline]
    pub fn bounds(&self, n: Num) -> (i64, i64) {
        match n.form() {
            None => (n.0, n.0),
            Some(form) => self.entries[form.0 as usize].bounds,
        }
    }

    /// Is it never negative?
    pub fn is_natural(&self, n: Num) -> bool {
        self.bounds(n).0 >= 0
    }

    /// May it be 0, as far as its coefficients show? `2*n + 1` never is.
    pub fn may_be_zero(&self, n: Num) -> bool {
        let sum = self.sum_of(n);
        let common = sum.terms.iter().fold(0, |g, t| gcd(g, t.1.into()));
        match common {
            0 => sum.constant == 0,
            common => i128::from(sum.constant) % common == 0,
        }
    }

    /// Is it 0? `None` if that depends on its atoms.
    pub fn is_zero(&self, n: Num) -> Option<bool> {
        if let Some(n) = n.int() {
            return Some(n == 0);
        }
        let (lo, hi) = self.bounds(n);
        if lo > 0 || hi < 0 || !self.may_be_zero(n) {
            return Some(false);
        }
        self.with_halves(n).map(|n| n == 0)
    }

    /// Are two numbers the same? `None` if that depends on their atoms, or the difference is beyond the normal form.
    pub fn are_same(&mut self, a: Num, b: Num) -> Option<bool> {
        match (a.int(), b.int()) {
            _ if a == b => Some(true),
            (Some(_), Some(_)) => Some(false),
            _ => {
                let apart = self.sub(a, b).ok()?;
                self.is_zero(apart)
            }
        }
    }

    // Sums and products

    /// `a + b`.
    pub fn add(&mut self, a: Num, b: Num) -> Result<Num, Beyond> {
        self.combine(&[(a, 1), (b, 1)])
    }

    /// `a - b`.
    pub fn sub(&mut self, a: Num, b: Num) -> Result<Num, Beyond> {
        self.combine(&[(a, 1), (b, -1)])
    }

    /// The sum of these, each as often as is said.
    pub fn combine(&mut self, all: &[(Num, i64)]) -> Result<Num, Beyond> {
        let mut sum = Sum::default();
        for &(n, times) in all {
            self.add_to(&mut sum, n, times)?;
        }
        self.finish(sum)
    }

    /// The product of two.
    pub fn mul(&mut self, a: Num, b: Num) -> Result<Num, Beyond> {
        match (a.int(), b.int()) {
            (Some(a), Some(b)) => Num::new(a.checked_mul(b).ok_or(Beyond)?),
            (Some(0), _) | (_, Some(0)) => Ok(Num::ZERO),
            (Some(1), _) => Ok(b),
            (_, Some(1)) => Ok(a),
            (Some(n), _) => self.combine(&[(b, n)]),
            (_, Some(n)) => self.combine(&[(a, n)]),
            (None, None) => {
                let (a, b) = (self.sum_of(a), self.sum_of(b));
                let mut product = multiplied(&a, &b)?;
                self.leave_out_ones(&mut product)?;
                self.finish(product)
            }
        }
    }

    /// A number as a sum.
    fn sum_of(&self, n: Num) -> Sum {
        let mut sum = Sum::default();
        let Some(form) = n.form() else {
            sum.constant = n.0;
            return sum;
        };
        match self.node(form) {
            Node::Sum(terms, constant) => Sum {
                terms: terms.iter().cloned().collect(),
                constant: *constant,
            },
            _ => Sum {
                terms: smallvec![(smallvec![form], 1)],
                constant: 0,
            },
        }
    }

    fn add_to(&self, sum: &mut Sum, n: Num, times: i64) -> Result<(), Beyond> {
        let Some(form) = n.form() else {
            let more = n.0.checked_mul(times).ok_or(Beyond)?;
            sum.constant = sum.constant.checked_add(more).ok_or(Beyond)?;
            return Ok(());
        };
        match self.node(form) {
            Node::Sum(terms, constant) => {
                let more = constant.checked_mul(times).ok_or(Beyond)?;
                sum.constant = sum.constant.checked_add(more).ok_or(Beyond)?;
                for (monomial, c) in terms {
                    sum.add(monomial, c.checked_mul(times).ok_or(Beyond)?)?;
                }
                Ok(())
            }
            _ => sum.add(&[form], times),
        }
    }

    /// A sum as a number.
    fn finish(&mut self, mut sum: Sum) -> Result<Num, Beyond> {
        self.add_up_extremes(&mut sum)?;
        sum.terms.retain(|term| term.1 != 0);
        match &sum.terms[..] {
            [] => return Num::new(sum.constant),
            [(monomial, 1)] if sum.constant == 0 && monomial.len() == 1 => {
                return Ok(monomial[0].into());
            }
            terms if terms.len() > MAX_FORM_TERMS => return Err(Beyond),
            _ => {}
        }
        let node = Node::Sum(sum.terms.into_vec().into(), sum.constant);
        Ok(self.intern(node, Forms::bounds_of_sum))
    }

    fn bounds_of_sum(&self, node: &Node) -> (i64, i64) {
        let Node::Sum(terms, constant) = node else {
            return NONE;
        };
        let (lo, hi) = self.bounds_of_terms(terms, *constant);
        if lo != i64::MIN && hi != i64::MAX {
            return (lo, hi);
        }
        let (least, most) = self.bounds_of_remainders(terms, *constant);
        let (lo, hi) = (lo.max(least), hi.min(most));
        let (least, most) = self.bounds_of_extremes(terms, *constant);
        let (lo, hi) = (lo.max(least), hi.min(most));
        let (least, most) = self.bounds_of_quotients(terms, *constant);
        let (lo, hi) = (lo.max(least), hi.min(most));
        match self.bounds_of_factors(terms, *constant) {
            Some((least, most)) => (lo.max(least), hi.min(most)),
            None => (lo, hi),
        }
    }

    /// What follows of a sum whose terms have a factor in common: `b*(7*ceil(h/7) - h)` is 0 or more.
    fn bounds_of_factors(&self, terms: &[Term], constant: i64) -> Option<(i64, i64)> {
        let common = factors::common_factors(terms);
        if constant != 0 || common.is_empty() {
            return None;
        }
        let mut rest = Sum::default();
        for (monomial, times) in terms {
            rest.push(&without(monomial, &common)?, *times).ok()?;
        }
        let own = self.bounds_of_rest(&rest);
        let factors = common.iter().map(|g| self.entries[g.0 as usize].bounds);
        Some(factors.fold(own, product_of_bounds))
    }

    /// What follows of a sum from its terms, and from remainders and quotients in it.
    fn bounds_of_rest(&self, sum: &Sum) -> (i64, i64) {
        let (terms, constant) = (&sum.terms, sum.constant);
        let all = [
            self.bounds_of_terms(terms, constant),
            self.bounds_of_remainders(terms, constant),
            self.bounds_of_quotients(terms, constant),
        ];
        all.into_iter()
            .fold(NONE, |(lo, hi), own| (lo.max(own.0), hi.min(own.1)))
    }

    /// What follows of a sum from each remainder in it: `a - d*floor(a/d)` is 0 or more, and less than `d`.
    fn bounds_of_remainders(&self, terms: &[Term], constant: i64) -> (i64, i64) {
        let (mut lo, mut hi) = NONE;
        for (i, (monomial, times)) in terms.iter().enumerate() {
            let &[generator] = &monomial[..] else {
                let (least, most) = self.bounds_of_product(terms, constant, i);
                lo = lo.max(least);
                hi = hi.min(most);
                continue;
            };
            let &Node::Floor(a, by) = self.node(generator) else {
                continue;
            };
            let Some(by) = by.int().filter(|by| *by > 0) else {
                continue;
            };
            if let Some((j, own)) = self.quotient_in(terms, (a, by, *times)) {
                let rest = terms.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
                let rest: SmallVec<[Term; 4]> = rest.map(|(_, term)| term.clone()).collect();
                let rest = self.bounds_of_terms(&rest, constant);
                lo = lo.max(sum_of_bounds(rest.0, own.0, i64::MIN));
                hi = hi.min(sum_of_bounds(rest.1, own.1, i64::MAX));
            }
            if times % by != 0 {
                continue;
            }
            let less = *times / by;
            let Some(times) = less.checked_neg() else {
                continue;
            };
            let mut rest = Sum {
                terms: terms.iter().cloned().collect(),
                constant,
            };
            rest.terms.remove(i);
            if self.add_to(&mut rest, a, less).is_err() {
                continue;
            }
            rest.terms.retain(|term| term.1 != 0);
            let rest = self.bounds_of_terms(&rest.terms, rest.constant);
            let own = product_of_bounds((0, by - 1), (times, times));
            lo = lo.max(sum_of_bounds(rest.0, own.0, i64::MIN));
            hi = hi.min(sum_of_bounds(rest.1, own.1, i64::MAX));
        }
        (lo, hi)
    }

    /// A sum in which the generator of one term, or the product that it is, is this number.
    fn with_in_place(
        &self,
        terms: &[Term],
        constant: i64,
        at: usize,
        n: Num,
    ) -> Result<Sum, Beyond> {
        let mut sum = Sum {
            terms: terms.iter().cloned().collect(),
            constant,
        };
        let (_, times) = sum.terms.remove(at);
        self.add_to(&mut sum, n, times)?;
        sum.terms.retain(|term| term.1 != 0);
        Ok(sum)
    }

    /// The same where the divisor is no number, and the term its product with the quotient: `a - n*floor(a/n)` is 0 or more.
    fn bounds_of_product(&self, terms: &[Term], constant: i64, at: usize) -> (i64, i64) {
        let (mut lo, mut hi) = NONE;
        let (monomial, times) = &terms[at];
        let &[x, y] = &monomial[..] else {
            return NONE;
        };
        for (quotient, divisor) in [(x, y), (y, x)] {
            let &Node::Floor(a, by) = self.node(quotient) else {
                continue;
            };
            if by.form() != Some(divisor) || self.bounds(by).0 < 1 {
                continue;
            }
            let Ok(rest) = self.with_in_place(terms, constant, at, a) else {
                continue;
            };
            let rest = self.bounds_of_terms(&rest.terms, rest.constant);
            match *times < 0 {
                true => lo = lo.max(rest.0),
                false => hi = hi.min(rest.1),
            }
        }
        (lo, hi)
    }

    /// A term with `floor(a/by)` beside one with a part of it, and what both come to: `4*((w + 12)//16) - w//4` is 0 to 3, as the one is
    /// the other rounded up to a multiple of 4.
    fn quotient_in(
        &self,
        terms: &[Term],
        (a, by, times): (Num, i64, i64),
    ) -> Option<(usize, (i64, i64))> {
        terms.iter().enumerate().find_map(|(j, (monomial, own))| {
            let &[generator] = &monomial[..] else {
                return None;
            };
            let &Node::Floor(b, part) = self.node(generator) else {
                return None;
            };
            let part = part
                .int()
                .filter(|part| (1..by).contains(part) && by % part == 0)?;
            let steps = by / part;
            if times % steps != 0 || own.checked_neg()? != times / steps {
                return None;
            }
            let mut difference = Sum::default();
            self.add_to(&mut difference, a, 1).ok()?;
            self.add_to(&mut difference, b, -1).ok()?;
            let is_number = difference.terms.iter().all(|term| term.1 == 0);
            if !is_number || difference.constant % part != 0 {
                return None;
            }
            let whole = difference.constant / part;
            let least = whole.checked_sub(steps - 1)?;
            let factor = times / steps;
            Some((j, product_of_bounds((least, whole), (factor, factor))))
        })
    }

    fn bounds_of_terms(&self, terms: &[Term], constant: i64) -> (i64, i64) {
        let constant = i128::from(constant);
        let mut bounds = (Some(constant), Some(constant));
        for (monomial, times) in terms {
            let product = monomial.iter().fold((1, 1), |(lo, hi), g| {
                product_of_bounds((lo, hi), self.entries[g.0 as usize].bounds)
            });
            let (lo, hi) = product_of_bounds(product, (*times, *times));
            let add = |sum: Option<i128>, n: i64, none: i64| {
                sum.filter(|_| n != none).map(|sum| sum + i128::from(n))
            };
            bounds.0 = add(bounds.0, lo, i64::MIN);
            bounds.1 = add(bounds.1, hi, i64::MAX);
        }
        let clipped =
            |n: Option<i128>, none: i64| n.and_then(|n| i64::try_from(n).ok()).unwrap_or(none);
        (clipped(bounds.0, i64::MIN), clipped(bounds.1, i64::MAX))
    }

    // Quotients

    /// `floor(a / b)`, for a `b` that is positive whatever its atoms are.
    ///
    /// # Errors
    /// [`Beyond`] also where `b` may be 0 or less.
    pub fn floor_div(&mut self, a: Num, b: Num) -> Result<Num, Beyond> {
        if self.bounds(b).0 < 1 {
            return Err(Beyond);
        }
        let Some(d) = b.int() else {
            return match self.whole_div(a, b) {
                Some(whole) => Ok(whole),
                None => self.floor(a, b),
            };
        };
        if let Some(n) = a.int() {
            return Num::new(n.div_euclid(d));
        }
        // Of what is not rounded there are no halves; `(36 - d)//2` stays as it is.
        if !self.has_quotients(a) {
            return self.floor_by(a, d);
        }
        let a = self.join_halves(a)?;
        let quotient = self.floor_by(a, d)?;
        self.join_halves(quotient)
    }

    /// `floor(a / d)`, for a positive `d`.
    fn floor_by(&mut self, a: Num, d: i64) -> Result<Num, Beyond> {
        let b = Num(d);
        // What is a multiple of the divisor comes out of the floor.
        let mut whole = Sum::default();
        let mut rest = Sum::default();
        let sum = self.sum_of(a);
        let split = |n: i64| (n.div_euclid(d), n.rem_euclid(d));
        for (monomial, c) in sum.terms {
            let (times, left) = split(c);
            if times != 0 {
                whole.add(&monomial, times)?;
            }
            if left != 0 {
                rest.add(&monomial, left)?;
            }
        }
        (whole.constant, rest.constant) = split(sum.constant);
        if rest.terms.is_empty() {
            return self.finish(whole);
        }
        if let Some(parts) = self.divided_extreme(&rest, b)? {
            let whole = self.finish(whole)?;
            return self.add(whole, parts);
        }
        // A floor in it, taken once, is merged: floor((floor(x/e) + y)/d) = floor((x + e*y)/(d*e)).
        let floor = rest.terms.iter().position(|(monomial, c)| {
            *c == 1 && matches!(&monomial[..], [g] if matches!(self.node(*g), Node::Floor(_, e) if e.int().is_some()))
        });
        if let Some(at) = floor {
            let (monomial, _) = rest.terms.remove(at);
            if let Node::Floor(x, e) = *self.node(monomial[0])
                && let Some(n) = e.int()
                && let Some(product) = n.checked_mul(d)
            {
                let y = self.finish(rest)?;
                let dividend = self.combine(&[(x, 1), (y, n)])?;
                let merged = self.floor_div(dividend, Num::new(product)?)?;
                let whole = self.finish(whole)?;
                return self.add(whole, merged);
            }
            rest.add(&monomial, 1)?;
        }
        // floor((g*x + c)/(g*d)) = floor((x + floor(c/g))/d)
        let common = rest
            .terms
            .iter()
            .fold(d, |g, t| gcd(g.into(), t.1.into()) as i64);
        if common > 1 {
            rest.terms.iter_mut().for_each(|t| t.1 /= common);
            rest.constant = rest.constant.div_euclid(common);
            let dividend = self.finish(rest)?;
            let reduced = self.floor_div(dividend, Num::new(d / common)?)?;
            let whole = self.finish(whole)?;
            return self.add(whole, reduced);
        }
        // Of a quotient rounded down and its negative rounded up, the one whose leading coefficient is smaller.
        if let Some((_, c)) = rest.lead()
            && c > d - c
        {
            let dividend = self.finish(rest)?;
            let negative = self.combine(&[(dividend, -1), (Num::new(d - 1)?, 1)])?;
            let up = self.floor_div(negative, b)?;
            let whole = self.finish(whole)?;
            return self.sub(whole, up);
        }
        let dividend = self.finish(rest)?;
        let floor = self.floor(dividend, b)?;
        let whole = self.finish(whole)?;
        self.add(whole, floor)
    }

    fn floor(&mut self, a: Num, b: Num) -> Result<Num, Beyond> {
        self.nested(Node::Floor(a, b), |forms, _| {
            let ((lo, hi), (least, most)) = (forms.bounds(a), forms.bounds(b));
            let divided = |n: i64, none: i64| match n == none {
                true => none,
                false => {
                    let by = if n < 0 { least } else { most };
                    match by {
                        i64::MAX => 0,
                        by => n.div_euclid(by.max(1)),
                    }
                }
            };
            let at_most = match hi {
                i64::MAX => i64::MAX,
                hi if hi < 0 => -1,
                hi => hi.div_euclid(least.max(1)),
            };
            (divided(lo, i64::MIN), at_most)
        })
    }

    /// `ceil(a / b)`, for a `b` that is positive whatever its atoms are.
    ///
    /// # Errors
    /// As [`Forms::floor_div`].
    pub fn ceil_div(&mut self, a: Num, b: Num) -> Result<Num, Beyond> {
        let more = self.combine(&[(a, 1), (b, 1), (Num::ONE, -1)])?;
        self.floor_div(more, b)
    }

    /// `a - b * floor(a / b)`, for a `b` that is positive whatever its atoms are.
    ///
    /// # Errors
    /// As [`Forms::floor_div`].
    pub fn modulo(&mut self, a: Num, b: Num) -> Result<Num, Beyond> {
        let whole = self.floor_div(a, b)?;
        let whole = self.mul(whole, b)?;
        self.sub(a, whole)
    }

    // Minima, maxima, broadcasts

    /// The least of these.
    ///
    /// # Errors
    /// [`Beyond`] for none.
    pub fn min(&mut self, all: &[Num]) -> Result<Num, Beyond> {
        self.extreme(all, false)
    }

    /// The greatest of these.
    ///
    /// # Errors
    /// [`Beyond`] for none.
    pub fn max(&mut self, all: &[Num]) -> Result<Num, Beyond> {
        self.extreme(all, true)
    }

    fn extreme(&mut self, all: &[Num], greatest: bool) -> Result<Num, Beyond> {
        let mut args: SmallVec<[Num; 8]> = SmallVec::new();
        for n in all {
            match n.form().map(|form| self.node(form)) {
                Some(Node::Max(inner)) if greatest => args.extend_from_slice(inner),
                Some(Node::Min(inner)) if !greatest => args.extend_from_slice(inner),
                _ => args.push(*n),
            }
        }
        // Of integers, one is left.
        let integers = args.iter().filter_map(|n| n.int());
        let integer = match greatest {
            true => integers.max(),
            false => integers.min(),
        };
        args.retain(|n| n.int().is_none());
        args.extend(integer.map(Num));
        args.sort_unstable();
        args.dedup();
        let mut at = 0;
        while args.len() > 1 && at < args.len() && args.len() <= MAX_FORM_ARGS {
            let mut is_led = false;
            for other in 0..args.len() {
                let (a, b) = (args[other], args[at]);
                let lead = match greatest {
                    true => self.sub(a, b)?,
                    false => self.sub(b, a)?,
                };
                is_led |= other != at && self.is_natural(lead);
            }
            if is_led {
                args.remove(at);
            } else {
                at += 1;
            }
        }
        match &args[..] {
            [] => Err(Beyond),
            [only] => Ok(*only),
            &[n, Num::ONE] if !greatest && self.is_natural(n) => self.is_any(n),
            args => {
                let own: Box<[Num]> = args.into();
                let node = match greatest {
                    true => Node::Max(own),
                    false => Node::Min(own),
                };
                self.nested(node, Forms::bounds_of_extreme)
            }
        }
    }

    fn bounds_of_extreme(&self, node: &Node) -> (i64, i64) {
        match node {
            Node::Min(all) => {
                let bounds = all.iter().map(|n| self.bounds(*n));
                bounds.fold((i64::MAX, i64::MAX), |b, c| (b.0.min(c.0), b.1.min(c.1)))
            }
            Node::Max(all) => {
                let bounds = all.iter().map(|n| self.bounds(*n));
                bounds.fold((i64::MIN, i64::MIN), |b, c| (b.0.max(c.0), b.1.max(c.1)))
            }
            Node::Broadcast(all) => {
                let bounds = all.iter().map(|n| self.bounds(*n));
                bounds.fold((i64::MAX, i64::MIN), |b, c| (b.0.min(c.0), b.1.max(c.1)))
            }
            _ => NONE,
        }
    }

    /// What some numbers broadcast to. That they do is for the caller to state.
    ///
    /// # Errors
    /// [`Beyond`] where two of them are integers that don't broadcast.
    pub fn broadcast(&mut self, all: &[Num]) -> Result<Num, Beyond> {
        // Mostly it is called with integers.
        if all.iter().all(|n| n.int().is_some()) {
            let mut others = all.iter().filter(|n| **n != Num::ONE);
            let first = others.next().copied().unwrap_or(Num::ONE);
            return others.all(|n| *n == first).then_some(first).ok_or(Beyond);
        }
        let mut args: SmallVec<[Num; 8]> = SmallVec::new();
        for n in all {
            match n.form().map(|form| self.node(form)) {
                Some(Node::Broadcast(inner)) => args.extend_from_slice(inner),
                _ if *n == Num::ONE => {}
                _ => args.push(*n),
            }
        }
        args.sort_unstable();
        args.dedup();
        self.leave_out_covered(&mut args)?;
        // One that is never 1 is what all come to.
        let never_one = |n: &Num| {
            let (lo, hi) = self.bounds(*n);
            lo > 1 || hi < 1
        };
        if let Some(n) = args.iter().copied().find(never_one) {
            let other_integer =
                |other: &Num| other.int().is_some() && n.int().is_some() && *other != n;
            return match args.iter().any(other_integer) {
                true => Err(Beyond),
                false => Ok(n),
            };
        }
        match &args[..] {
            [] => Ok(Num::ONE),
            [only] => Ok(*only),
            args => self.nested(Node::Broadcast(args.into()), Forms::bounds_of_extreme),
        }
    }

    // Reading and replacing

    /// The terms of a number that is a sum of atoms, each with how often it is added, and the integer beside them.
    /// `None` of one that has anything else in it.
    pub fn linear_terms(&self, n: Num) -> Option<(Vec<(u32, i64)>, i64)> {
        let sum = self.sum_of(n);
        let mut terms = Vec::with_capacity(sum.terms.len());
        for (monomial, times) in &sum.terms {
            match monomial[..] {
                [g] => match self.node(g) {
                    Node::Atom(atom) => terms.push((*atom, *times)),
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some((terms, sum.constant))
    }

    /// Calls `f` with the number of each atom in a number, once for each place.
    pub fn for_each_atom(&self, n: Num, f: &mut dyn FnMut(u32)) {
        let mut todo: SmallVec<[Num; 8]> = smallvec![n];
        while let Some(n) = todo.pop() {
            let Some(form) = n.form() else { continue };
            match self.node(form) {
                Node::Atom(atom) => f(*atom),
                Node::Sum(terms, _) => {
                    todo.extend(terms.iter().flat_map(|t| t.0.iter().map(|g| Num::from(*g))));
                }
                Node::Floor(a, b) => todo.extend([*a, *b]),
                Node::Min(all) | Node::Max(all) | Node::Broadcast(all) => {
                    todo.extend_from_slice(all);
                }
            }
        }
    }

    /// Calls `f` with each generator in a number, those inside of others as well, until it returns `false`. Has it
    /// never done so?
    pub fn all_generators(&self, n: Num, f: &mut dyn FnMut(Form) -> bool) -> bool {
        let mut todo: SmallVec<[Num; 8]> = smallvec![n];
        while let Some(n) = todo.pop() {
            let Some(form) = n.form() else { continue };
            let node = self.node(form);
            if !matches!(node, Node::Sum(..)) && !f(form) {
                return false;
            }
            match node {
                Node::Atom(_) => {}
                Node::Sum(terms, _) => {
                    todo.extend(terms.iter().flat_map(|t| t.0.iter().map(|g| Num::from(*g))));
                }
                Node::Floor(a, b) => todo.extend([*a, *b]),
                Node::Min(all) | Node::Max(all) | Node::Broadcast(all) => {
                    todo.extend_from_slice(all);
                }
            }
        }
        true
    }

    /// The number with other numbers for some of its generators. Where there is none for one, its arguments are
    /// looked through.
    ///
    /// # Errors
    /// [`Beyond`] where that is beyond the normal form, or a divisor is not positive any more.
    pub fn replace(&mut self, n: Num, with: &mut Substitution<'_>) -> Result<Num, Beyond> {
        let Some(form) = n.form() else { return Ok(n) };
        let node = self.node(form).clone();
        if !matches!(node, Node::Sum(..))
            && let Some(other) = with(self, form)?
        {
            return Ok(other);
        }
        match node {
            Node::Atom(_) => Ok(n),
            Node::Sum(terms, constant) => {
                let mut sum = Num::new(constant)?;
                for (monomial, times) in terms {
                    let mut product = Num::new(times)?;
                    for g in monomial {
                        let factor = self.replace(g.into(), with)?;
                        product = self.mul(product, factor)?;
                    }
                    sum = self.add(sum, product)?;
                }
                Ok(sum)
            }
            Node::Floor(a, b) => {
                let (a, b) = (self.replace(a, with)?, self.replace(b, with)?);
                self.floor_div(a, b)
            }
            Node::Min(all) => {
                let all = self.replace_all(&all, with)?;
                self.min(&all)
            }
            Node::Max(all) => {
                let all = self.replace_all(&all, with)?;
                self.max(&all)
            }
            Node::Broadcast(all) => {
                let all = self.replace_all(&all, with)?;
                self.broadcast(&all)
            }
        }
    }

    fn replace_all(
        &mut self,
        all: &[Num],
        with: &mut Substitution<'_>,
    ) -> Result<SmallVec<[Num; 4]>, Beyond> {
        all.iter().map(|n| self.replace(*n, with)).collect()
    }
}

/// One end of a sum, of two that may be none.
fn sum_of_bounds(a: i64, b: i64, none: i64) -> i64 {
    match a == none || b == none {
        true => none,
        false => a.checked_add(b).unwrap_or(none),
    }
}

/// The bounds of a product.
fn product_of_bounds(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let times = |x: i64, y: i64| {
        if x == 0 || y == 0 {
            return 0;
        }
        let is_endless = |n: i64| n == i64::MIN || n == i64::MAX;
        match is_endless(x) || is_endless(y) {
            true if (x < 0) == (y < 0) => i64::MAX,
            true => i64::MIN,
            false => x.saturating_mul(y),
        }
    };
    let ends = [
        times(a.0, b.0),
        times(a.0, b.1),
        times(a.1, b.0),
        times(a.1, b.1),
    ];
    let least = ends.into_iter().fold(i64::MAX, i64::min);
    (least, ends.into_iter().fold(i64::MIN, i64::max))
}

/// One product of generators without another one that is part of it.
fn without(whole: &[Form], part: &[Form]) -> Option<Monomial> {
    let mut rest: Monomial = whole.into();
    for g in part {
        let at = rest.iter().position(|own| own == g)?;
        rest.remove(at);
    }
    Some(rest)
}

/// The product of two sums.
fn multiplied(a: &Sum, b: &Sum) -> Result<Sum, Beyond> {
    let mut product = Sum {
        constant: a.constant.checked_mul(b.constant).ok_or(Beyond)?,
        ..Sum::default()
    };
    if a.terms.len() * b.terms.len() > 2 * MAX_FORM_TERMS {
        return Err(Beyond);
    }
    for (own, other) in [(a, b), (b, a)] {
        if other.constant != 0 {
            for (monomial, c) in &own.terms {
                product.add(monomial, c.checked_mul(other.constant).ok_or(Beyond)?)?;
            }
        }
    }
    for (x, c) in &a.terms {
        for (y, d) in &b.terms {
            work(1 + x.len() + y.len());
            if x.len() + y.len() > MAX_FORM_FACTORS {
                return Err(Beyond);
            }
            let mut both: Monomial = x.clone();
            both.extend_from_slice(y);
            both.sort_unstable();
            product.add(&both, c.checked_mul(*d).ok_or(Beyond)?)?;
        }
    }
    Ok(product)
}

impl Sum {
    fn add(&mut self, monomial: &[Form], times: i64) -> Result<(), Beyond> {
        if self.terms.len() > MAX_SUM_TERMS {
            return Err(Beyond);
        }
        let order = |own: &Term| compare(&own.0, monomial);
        match self.terms.binary_search_by(order) {
            Ok(i) => {
                let c = self.terms[i].1.checked_add(times).ok_or(Beyond)?;
                self.terms[i].1 = c;
            }
            Err(i) => self.terms.insert(i, (monomial.into(), times)),
        }
        Ok(())
    }

    /// The same where the monomial may have no factors.
    fn push(&mut self, monomial: &[Form], times: i64) -> Result<(), Beyond> {
        match monomial {
            [] => {
                self.constant = self.constant.checked_add(times).ok_or(Beyond)?;
                Ok(())
            }
            monomial => self.add(monomial, times),
        }
    }

    /// The leading term, which may be an integer; `None` of 0.
    fn lead(&self) -> Option<Term> {
        match self.terms.first() {
            Some(term) => Some(term.clone()),
            None if self.constant != 0 => Some((Monomial::new(), self.constant)),
            None => None,
        }
    }
}

/// The order of monomials, which is one of division: the product of larger ones is larger.
fn compare(a: &[Form], b: &[Form]) -> std::cmp::Ordering {
    b.len().cmp(&a.len()).then_with(|| a.cmp(b))
}

/// `floor(a / b)` of integers, for the tests of this.
#[cfg(test)]
fn floor_of(a: i64, b: i64) -> i64 {
    div_floor(a.into(), b.into()) as i64
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
