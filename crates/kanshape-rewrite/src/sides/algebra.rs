//! [`Algebra`]: elements that are expressions in a normal form, so that equal expressions are equal numbers for all contents of the leaves.
//!
//! An expression is a sum of products of atoms. Truth values are the numbers 0 and 1: `and` is a product, and what a condition chooses is a
//! sum of two products. Functions are pushed into the cases of their operands. `Max` and `Min` are a lattice ([`super::lattice`]). Everything
//! else is a function of which nothing is known but that it is one. It is equality over the reals, and over integers that wrap
//! around where the dtype is one of integers.

use std::rc::Rc;

use kanshape::{Dtype, DtypeSet, Type};
use kanshape_eval::{Array, Function as F, Number, Scalars, Stop, contains};
use rustc_hash::FxHashMap;

use super::lattice::Meets;
use super::ratio::Ratio;
use super::sizes;

mod order;
mod same;
mod sums;

use sums::IndexPlaces;
pub(super) use sums::{ElementIndex, IndexPlace, IndexTerm};

/// The most products of an expression.
const MOST_PRODUCTS: usize = 600;
/// The most conditions in which one call is split.
const MOST_CASES: usize = 6;

/// An expression, by its number.
pub(crate) type Expr = u32;
type AtomNo = u32;
/// Atoms with their powers, in the order of their numbers.
type Product = Vec<(AtomNo, i32)>;
type Sum = Vec<(Product, Ratio)>;
/// What is calculated in a case.
type InCase<'f> = &'f mut dyn FnMut(&mut Algebra, &[Expr]) -> Result<Expr, Stop>;

/// What is not taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Atom {
    /// An element of a leaf.
    Leaf(usize, usize, Dtype),
    /// A number that is none of the reals.
    Special(u64),
    /// Is it above 0?
    Positive(Expr),
    /// Is it 0?
    Zero(Expr),
    /// The largest of the smallest of these.
    Lattice(Meets),
    Inverse(Expr),
    /// A function of which nothing is known, of elements of a dtype.
    Call(F, Dtype, Vec<Expr>),
    Select(Vec<Expr>),
    /// The sum over ranges of these sizes, whose variables have the numbers from this one on.
    Sum(Vec<u32>, sums::Var, Expr),
    /// The same of what is the largest, or else the smallest.
    Fold(bool, Vec<u32>, sums::Var, Expr),
    /// Is an index that is a function, by its number, one of the range?
    Inside(u32),
    /// The largest of these, of which every second one says whether the one before it is there.
    Pool(Vec<Expr>),
}

/// Elements that are expressions.
#[derive(Default)]
pub(crate) struct Algebra {
    sums: Vec<Rc<Sum>>,
    numbers: FxHashMap<Rc<Sum>, Expr>,
    atoms: Vec<Atom>,
    atom_numbers: FxHashMap<Atom, AtomNo>,
    /// The products that may still be made.
    work: usize,
    cases: usize,
    places: IndexPlaces,
}

fn too_large<T>() -> Result<T, Stop> {
    Err(Stop::Opaque("expressions that are too large".into()))
}

fn is_int(dtype: Dtype) -> bool {
    DtypeSet::INT.union(DtypeSet::UINT).contains(dtype)
}

impl Algebra {
    /// One that makes this many products.
    pub(crate) fn new(work: usize) -> Algebra {
        Algebra {
            work,
            ..Algebra::default()
        }
    }

    /// The products that may still be made.
    pub(crate) fn work(&self) -> usize {
        self.work
    }

    /// The elements of a leaf, about which nothing is known.
    pub(crate) fn leaf(&mut self, leaf: usize, ty: &Type) -> Result<Array<Expr>, Stop> {
        let dtype = ty.as_tensor().and_then(|own| own.dtype.known());
        let (Some(dtype), Some(shape)) = (dtype, sizes(ty)) else {
            return Err(Stop::Opaque("a type that is not known".into()));
        };
        let count = shape.iter().product();
        let all = (0..count).map(|i| self.atom(Atom::Leaf(leaf, i, dtype)));
        let data = all.collect();
        Array::new(dtype, shape, data)
    }

    fn sum(&mut self, mut sum: Sum) -> Expr {
        sum.retain(|own| !own.1.is_zero());
        if let Some(known) = self.numbers.get(&sum) {
            return *known;
        }
        let sum = Rc::new(sum);
        let number = self.sums.len() as Expr;
        self.sums.push(Rc::clone(&sum));
        self.numbers.insert(sum, number);
        number
    }

    fn own(&self, expr: Expr) -> Rc<Sum> {
        Rc::clone(&self.sums[expr as usize])
    }

    fn number_of(&mut self, atom: Atom) -> AtomNo {
        if let Some(known) = self.atom_numbers.get(&atom) {
            return *known;
        }
        let number = self.atoms.len() as AtomNo;
        self.atoms.push(atom.clone());
        self.atom_numbers.insert(atom, number);
        number
    }

    fn atom(&mut self, atom: Atom) -> Expr {
        let number = self.number_of(atom);
        self.sum(vec![(vec![(number, 1)], Ratio::ONE)])
    }

    pub(super) fn constant(&mut self, ratio: Ratio) -> Expr {
        self.sum(vec![(Vec::new(), ratio)])
    }

    fn int(&mut self, n: i64) -> Expr {
        self.constant(Ratio::int(n))
    }

    /// The number that it is.
    pub(super) fn ratio(&self, expr: Expr) -> Option<Ratio> {
        match &self.sums[expr as usize][..] {
            [] => Some(Ratio::int(0)),
            [(product, ratio)] if product.is_empty() => Some(*ratio),
            _ => None,
        }
    }

    /// The atom that it is.
    fn as_atom(&self, expr: Expr) -> Option<&Atom> {
        match &self.sums[expr as usize][..] {
            [(product, Ratio::ONE)] => match product[..] {
                [(atom, 1)] => Some(&self.atoms[atom as usize]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Is an atom 0 or 1?
    fn is_truth(&self, atom: AtomNo) -> bool {
        match &self.atoms[atom as usize] {
            Atom::Leaf(_, _, dtype) => *dtype == Dtype::Bool,
            Atom::Positive(_) | Atom::Zero(_) | Atom::Inside(_) => true,
            Atom::Call(function, ..) => {
                matches!(
                    function,
                    F::Less | F::LessOrEqual | F::Equal | F::Cast(Dtype::Bool)
                )
            }
            _ => false,
        }
    }

    fn add(&mut self, a: Expr, b: Expr) -> Result<Expr, Stop> {
        self.weighted(a, b, Ratio::ONE)
    }

    /// The sum of one and some times the other.
    fn weighted(&mut self, a: Expr, b: Expr, times: Ratio) -> Result<Expr, Stop> {
        let (a, b) = (self.own(a), self.own(b));
        self.spend(a.len() + b.len())?;
        let mut sum: Sum = Vec::with_capacity(a.len() + b.len());
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            let order = match (a.get(i), b.get(j)) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            if order.is_eq() {
                sum.push((a[i].0.clone(), a[i].1.plus(b[j].1.times(times)?)?));
            } else if order.is_lt() {
                sum.push(a[i].clone());
            } else {
                sum.push((b[j].0.clone(), b[j].1.times(times)?));
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        match sum.len() > MOST_PRODUCTS {
            true => too_large(),
            false => Ok(self.sum(sum)),
        }
    }

    fn sub(&mut self, a: Expr, b: Expr) -> Result<Expr, Stop> {
        self.weighted(a, b, Ratio::ONE.negative())
    }

    pub(super) fn scaled(&mut self, a: Expr, by: Ratio) -> Result<Expr, Stop> {
        let own = self.own(a);
        let scaled = own.iter().map(|(p, c)| Ok((p.clone(), c.times(by)?)));
        let scaled = scaled.collect::<Result<Sum, Stop>>()?;
        Ok(self.sum(scaled))
    }

    fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        match self.work.checked_sub(steps + 1) {
            Some(left) => self.work = left,
            None => return too_large(),
        }
        Ok(())
    }

    fn mul(&mut self, a: Expr, b: Expr) -> Result<Expr, Stop> {
        let (a, b) = (self.own(a), self.own(b));
        self.spend(a.len() * b.len())?;
        if a.len() * b.len() > 8 * MOST_PRODUCTS {
            return too_large();
        }
        let mut all: FxHashMap<Product, Ratio> = FxHashMap::default();
        for (p, c) in a.iter() {
            for (q, d) in b.iter() {
                let product = self.joined(p, q)?;
                let ratio = c.times(*d)?;
                let own = all.entry(product).or_insert(Ratio::int(0));
                *own = own.plus(ratio)?;
            }
        }
        let mut sum: Sum = all.into_iter().collect();
        sum.sort_by(|a, b| a.0.cmp(&b.0));
        match sum.len() > MOST_PRODUCTS {
            true => too_large(),
            false => Ok(self.sum(sum)),
        }
    }

    /// The product of two products: powers of the same atom are added, exponentials are one, and the square of a size is that of the number.
    fn joined(&mut self, p: &Product, q: &Product) -> Result<Product, Stop> {
        let mut all: Product = p.clone();
        for (atom, power) in q {
            match all.binary_search_by_key(atom, |own| own.0) {
                Ok(at) => all[at].1 += power,
                Err(at) => all.insert(at, (*atom, *power)),
            }
        }
        for at in 0..all.len() {
            let (atom, power) = all[at];
            if self.is_truth(atom) {
                all[at].1 = 1;
            } else if let (Atom::Call(F::Abs, _, args), true) =
                (&self.atoms[atom as usize], power % 2 == 0 && power != 0)
                && let [(inner, _)] = &self.sums[args[0] as usize][..]
                && let [(inner, 1)] = inner[..]
            {
                all[at].1 = 0;
                return self.joined(&clean(all), &vec![(inner, power)]);
            }
        }
        let exps: Vec<(usize, Expr, i32)> = all
            .iter()
            .enumerate()
            .filter_map(|(at, (atom, power))| match &self.atoms[*atom as usize] {
                Atom::Call(F::Exp, _, args) if *power != 0 => Some((at, args[0], *power)),
                _ => None,
            })
            .collect();
        let is_one = matches!(exps[..], [] | [(_, _, 1)]);
        if is_one {
            return Ok(clean(all));
        }
        let mut inner = self.int(0);
        for (at, own, power) in exps {
            all[at].1 = 0;
            inner = self.weighted(inner, own, Ratio::int(power.into()))?;
        }
        let mut all = clean(all);
        if !self.own(inner).is_empty() {
            let exp = self.number_of(Atom::Call(F::Exp, Dtype::F64, vec![inner]));
            match all.binary_search_by_key(&exp, |own| own.0) {
                Ok(at) => all[at].1 += 1,
                Err(at) => all.insert(at, (exp, 1)),
            }
        }
        Ok(all)
    }

    /// A condition that is one of these, outside of functions.
    fn condition(&self, args: &[Expr]) -> Option<AtomNo> {
        let products = args.iter().flat_map(|own| self.sums[*own as usize].iter());
        let atoms = products.flat_map(|own| own.0.iter().map(|own| own.0));
        atoms.filter(|own| self.is_truth(*own)).min()
    }

    /// The same where a condition is known to hold or not.
    fn where_(&mut self, expr: Expr, condition: AtomNo, holds: bool) -> Result<Expr, Stop> {
        let own = self.own(expr);
        let mut result = self.int(0);
        let mut kept: Sum = Vec::new();
        for (product, ratio) in own.iter() {
            match product.iter().position(|own| own.0 == condition) {
                None => kept.push((product.clone(), *ratio)),
                Some(at) if holds => {
                    let mut product = product.clone();
                    product.remove(at);
                    let one = self.sum(vec![(product, *ratio)]);
                    result = self.add(result, one)?;
                }
                Some(_) => {}
            }
        }
        let kept = self.sum(kept);
        self.add(result, kept)
    }

    /// A function in each case of its operands.
    pub(super) fn by_cases(&mut self, args: &[Expr], function: InCase<'_>) -> Result<Expr, Stop> {
        let Some(condition) = self.condition(args) else {
            return function(self, args);
        };
        if self.cases >= MOST_CASES {
            return too_large();
        }
        self.cases += 1;
        let mut in_case = |this: &mut Self, holds| {
            let args = args.iter().map(|own| this.where_(*own, condition, holds));
            let args = args.collect::<Result<Vec<_>, Stop>>()?;
            this.by_cases(&args, function)
        };
        let both = in_case(self, true).and_then(|yes| Ok((yes, in_case(self, false)?)));
        self.cases -= 1;
        let (yes, no) = both?;
        let condition = self.sum(vec![(vec![(condition, 1)], Ratio::ONE)]);
        self.choose(condition, yes, no)
    }

    fn choose(&mut self, condition: Expr, yes: Expr, no: Expr) -> Result<Expr, Stop> {
        if yes == no {
            return Ok(yes);
        }
        let more = self.sub(yes, no)?;
        let more = self.mul(condition, more)?;
        self.add(no, more)
    }

    fn not(&mut self, a: Expr) -> Result<Expr, Stop> {
        let one = self.int(1);
        self.sub(one, a)
    }

    fn or(&mut self, a: Expr, b: Expr) -> Result<Expr, Stop> {
        let (sum, both) = (self.add(a, b)?, self.mul(a, b)?);
        self.sub(sum, both)
    }

    /// The same up to a factor: above 0 if `keeps_sign`.
    fn unit(&mut self, a: Expr, keeps_sign: bool) -> Result<Expr, Stop> {
        let Some(first) = self.own(a).first().map(|own| own.1) else {
            return Ok(a);
        };
        let by = match keeps_sign && first.above < 0 {
            true => first.negative(),
            false => first,
        };
        self.scaled(a, by.inverse()?)
    }

    /// One divided by it.
    fn inverse(&mut self, a: Expr) -> Result<Expr, Stop> {
        self.by_cases(&[a], &mut |this, args| {
            let own = this.own(args[0]);
            match &own[..] {
                [] => Err(Stop::Opaque("a division by 0".into())),
                [(product, ratio)] => {
                    let product = product
                        .iter()
                        .map(|(atom, power)| (*atom, -power))
                        .collect();
                    let ratio = ratio.inverse()?;
                    let product = this.joined(&Vec::new(), &product)?;
                    Ok(this.sum(vec![(product, ratio)]))
                }
                [(_, first), ..] => {
                    let by = first.inverse()?;
                    let unit = this.scaled(args[0], by)?;
                    let inverse = this.atom(Atom::Inverse(unit));
                    this.scaled(inverse, by)
                }
            }
        })
    }

    /// How large it is: of a product, the product of the sizes.
    fn abs(&mut self, a: Expr) -> Result<Expr, Stop> {
        self.by_cases(&[a], &mut |this, args| {
            let own = this.own(args[0]);
            let size = |ratio: Ratio| {
                if ratio.above < 0 {
                    ratio.negative()
                } else {
                    ratio
                }
            };
            let [(product, ratio)] = &own[..] else {
                if own.is_empty() {
                    return Ok(args[0]);
                }
                let is_negative = own[0].1.above < 0;
                let own = if is_negative {
                    this.scaled(args[0], Ratio::int(-1))?
                } else {
                    args[0]
                };
                return Ok(this.atom(Atom::Call(F::Abs, Dtype::F64, vec![own])));
            };
            let mut all = this.constant(size(*ratio));
            for (atom, power) in product {
                let is_known = match &this.atoms[*atom as usize] {
                    Atom::Call(function, ..) => matches!(function, F::Abs | F::Exp | F::Sqrt),
                    _ => false,
                };
                let one = this.sum(vec![(vec![(*atom, 1)], Ratio::ONE)]);
                let number = match is_known || power % 2 == 0 {
                    true => *atom,
                    false => this.number_of(Atom::Call(F::Abs, Dtype::F64, vec![one])),
                };
                let own = this.sum(vec![(vec![(number, *power)], Ratio::ONE)]);
                all = this.mul(all, own)?;
            }
            Ok(all)
        })
    }

    fn root(&mut self, a: Expr) -> Result<Expr, Stop> {
        self.by_cases(&[a], &mut |this, args| {
            let own = this.own(args[0]);
            match &own[..] {
                [] => Ok(args[0]),
                [(product, ratio)]
                    if ratio.root().is_some() && product.iter().all(|own| own.1 % 2 == 0) =>
                {
                    let product = product.iter().map(|(atom, power)| (*atom, power / 2));
                    let product: Product = product.collect();
                    let root = ratio.root().unwrap_or(Ratio::ONE);
                    let own = this.sum(vec![(product, root)]);
                    this.abs(own)
                }
                _ => Ok(this.atom(Atom::Call(F::Sqrt, Dtype::F64, vec![args[0]]))),
            }
        })
    }

    fn power(&mut self, dtype: Dtype, a: Expr, b: Expr) -> Result<Expr, Stop> {
        let exponent = self.ratio(b);
        match exponent.map(|own| (own.above, own.below)) {
            Some((n @ 0..=16, 1)) => {
                let mut all = self.int(1);
                for _ in 0..n {
                    all = self.mul(all, a)?;
                }
                Ok(all)
            }
            Some((-1, 1)) if !is_int(dtype) => self.inverse(a),
            Some((1, 2)) if !is_int(dtype) => self.root(a),
            _ => self.call(F::Pow, dtype, &[a, b]),
        }
    }

    /// Is it a whole number, whatever is in the leaves?
    fn is_whole(&self, expr: Expr) -> bool {
        let is_whole = |own: &(AtomNo, i32)| {
            own.1 > 0
                && match &self.atoms[own.0 as usize] {
                    Atom::Call(F::Floor | F::Round, ..) => true,
                    Atom::Call(F::Saturate(dtype) | F::Cast(dtype), ..)
                    | Atom::Leaf(_, _, dtype) => is_int(*dtype),
                    _ => false,
                }
        };
        let mut products = self.sums[expr as usize].iter();
        products.all(|(product, ratio)| ratio.below == 1 && product.iter().all(is_whole))
    }

    /// A function of which nothing is known.
    fn call(&mut self, function: F, dtype: Dtype, args: &[Expr]) -> Result<Expr, Stop> {
        self.by_cases(args, &mut |this, args| {
            let mut args = args.to_vec();
            if matches!(function, F::BitAnd | F::BitOr | F::BitXor) {
                args.sort_unstable();
            }
            if let (F::Floor | F::Ceil | F::Round, [one]) = (function, &args[..])
                && this.is_whole(*one)
            {
                return Ok(*one);
            }
            if let (F::Saturate(to), [one]) = (function, &args[..])
                && let Some(Atom::Call(F::Saturate(from), ..) | Atom::Leaf(_, _, from)) =
                    this.as_atom(*one)
                && is_int(*from)
                && contains(to, *from)
            {
                return Ok(*one);
            }
            if let (F::Ceil, [one]) = (function, &args[..]) {
                let negative = this.scaled(*one, Ratio::int(-1))?;
                let below = this.call(F::Floor, dtype, &[negative])?;
                return this.scaled(below, Ratio::int(-1));
            }
            if let (Some(is_odd), [one]) = (parity(function), &args[..])
                && !is_int(dtype)
                && this.own(*one).first().is_some_and(|own| own.1.above < 0)
            {
                let negative = this.scaled(*one, Ratio::int(-1))?;
                let own = this.atom(Atom::Call(function, Dtype::F64, vec![negative]));
                return match is_odd {
                    true => this.scaled(own, Ratio::int(-1)),
                    false => Ok(own),
                };
            }
            if let (F::Log, [one]) = (function, &args[..])
                && let Some(Atom::Call(F::Exp, _, inner)) = this.as_atom(*one)
            {
                return Ok(inner[0]);
            }
            if let (F::Exp, [one]) = (function, &args[..])
                && this.ratio(*one).is_some_and(Ratio::is_zero)
            {
                return Ok(this.int(1));
            }
            // Over the reals a function of floats is the same whatever their precision is.
            let dtype = if is_int(dtype) { dtype } else { Dtype::F64 };
            Ok(this.atom(Atom::Call(function, dtype, args)))
        })
    }

    /// As an element of another dtype: the same number if that one has all of this one's, or else something of which nothing is known.
    fn cast(&mut self, from: Dtype, to: Dtype, a: Expr) -> Result<Expr, Stop> {
        if from == to || from == Dtype::Bool {
            return Ok(a);
        }
        if to == Dtype::Bool {
            let zero = self.is_zero(from, a)?;
            return self.not(zero);
        }
        if self
            .ratio(a)
            .is_some_and(|own| own.below == 1 && own.above.abs() < 64)
        {
            return Ok(a);
        }
        if let Some(Atom::Call(F::Cast(between), first, args)) = self.as_atom(a)
            && is_int(*first)
            && let (Some(bits), Some(to_bits)) = (int_bits(*between), int_bits(to))
            && bits >= to_bits
        {
            // What wraps around at more bits first is the same at fewer.
            let (first, inner) = (*first, args[0]);
            return self.cast(first, to, inner);
        }
        let of = match self.as_atom(a) {
            Some(Atom::Leaf(_, _, dtype)) => Some(*dtype),
            Some(Atom::Call(F::Cast(dtype), ..)) => Some(*dtype),
            _ => None,
        };
        // What is calculated of integers may have wrapped around.
        let is_same = contains(to, from) && (!is_int(from) || of.is_some());
        if is_same || of.is_some_and(|of| contains(to, of) && contains(from, of)) {
            return Ok(a);
        }
        self.call(F::Cast(to), from, &[a])
    }

    pub(super) fn lattice(&mut self, a: Expr, b: Expr, is_max: bool) -> Result<Expr, Stop> {
        if a == b {
            return Ok(a);
        }
        self.by_cases(&[a, b], &mut |this, args| {
            let own = |this: &Self, expr: Expr| match this.as_atom(expr) {
                Some(Atom::Lattice(meets)) => meets.clone(),
                _ => Meets::of(expr),
            };
            let (a, b) = (own(this, args[0]), own(this, args[1]));
            let meets = match is_max {
                true => a.or(&b, this)?,
                false => a.and(&b, this)?,
            };
            Ok(match meets.one() {
                Some(one) => one,
                None => this.atom(Atom::Lattice(meets)),
            })
        })
    }
}

/// The bits of an integer of a dtype.
fn int_bits(dtype: Dtype) -> Option<u32> {
    dtype.size_bits().filter(|_| is_int(dtype))
}

/// Is a function of minus a number minus the function of it, or else the same? None if neither is so.
fn parity(function: F) -> Option<bool> {
    match function {
        F::Sin | F::Tan | F::Asin | F::Atan | F::Sinh | F::Tanh | F::Asinh | F::Atanh | F::Erf => {
            Some(true)
        }
        F::Cos | F::Cosh => Some(false),
        _ => None,
    }
}

/// The powers that are not 0.
fn clean(mut product: Product) -> Product {
    product.retain(|own| own.1 != 0);
    product
}

impl Scalars for Algebra {
    type Scalar = Expr;

    fn number(&mut self, number: Number) -> Expr {
        let ratio = match number {
            Number::Float(x) => Ratio::float(x),
            Number::Int(n) => Some(Ratio::int(n)),
            Number::Bool(b) => Some(Ratio::int(b.into())),
        };
        match ratio {
            Some(ratio) => self.constant(ratio),
            None => self.atom(Atom::Special(number.float().to_bits())),
        }
    }

    fn known(&self, scalar: &Expr) -> Option<Number> {
        let ratio = self.ratio(*scalar)?;
        Some(match ratio.below {
            1 => Number::Int(i64::try_from(ratio.above).ok()?),
            _ => Number::Float(ratio.as_float()),
        })
    }

    fn apply(&mut self, function: F, dtype: Dtype, args: &[Expr]) -> Result<Expr, Stop> {
        let is_special = |own: &Expr| matches!(self.as_atom(*own), Some(Atom::Special(_)));
        if !matches!(function, F::Max | F::Min | F::Where) && args.iter().any(is_special) {
            return Err(Stop::Opaque("what is none of the reals".into()));
        }
        match (function, args) {
            (F::Neg, [a]) => self.scaled(*a, Ratio::int(-1)),
            (F::Add, [a, b]) => self.add(*a, *b),
            (F::Sub, [a, b]) => self.sub(*a, *b),
            (F::Mul, [a, b]) => self.mul(*a, *b),
            (F::Div, [_, b]) if !is_int(dtype) && self.ratio(*b).is_some_and(Ratio::is_zero) => {
                // The mean of nothing is no number, on both sides.
                self.call(F::Div, dtype, args)
            }
            (F::Div, [a, b]) if !is_int(dtype) => {
                let inverse = self.inverse(*b)?;
                self.mul(*a, inverse)
            }
            (F::Div, [a, b]) if self.ratio(*b) == Some(Ratio::ONE) => Ok(*a),
            (F::Pow, [a, b]) => self.power(dtype, *a, *b),
            (F::Abs, [a]) if !is_int(dtype) => self.abs(*a),
            (F::Sqrt, [a]) => self.root(*a),
            (F::Max, [a, b]) => self.lattice(*a, *b, true),
            (F::Min, [a, b]) => self.lattice(*a, *b, false),
            (F::Not, [a]) => self.not(*a),
            (F::And, [a, b]) => self.mul(*a, *b),
            (F::Or, [a, b]) => self.or(*a, *b),
            (F::Xor, [a, b]) => {
                let (one, both) = (self.or(*a, *b)?, self.mul(*a, *b)?);
                self.sub(one, both)
            }
            (F::Where, [condition, yes, no]) => self.choose(*condition, *yes, *no),
            (F::Less, [a, b]) => self.less(dtype, *a, *b),
            (F::LessOrEqual, [a, b]) => {
                let above = self.less(dtype, *b, *a)?;
                self.not(above)
            }
            (F::Equal, [a, b]) => {
                let difference = self.sub(*a, *b)?;
                self.is_zero(dtype, difference)
            }
            (F::IsNan | F::IsInf, _) => Err(Stop::Opaque("what is none of the reals".into())),
            (F::Floor | F::Ceil | F::Round, [a]) if is_int(dtype) => Ok(*a),
            (F::BitNot, [a]) => {
                let negative = self.scaled(*a, Ratio::int(-1))?;
                let one = self.int(1);
                self.sub(negative, one)
            }
            (F::Sign, [a]) if !is_int(dtype) => {
                let negative = self.scaled(*a, Ratio::int(-1))?;
                let (above, below) = (self.positive(*a)?, self.positive(negative)?);
                self.sub(above, below)
            }
            (F::Cast(to), [a]) => self.cast(dtype, to, *a),
            _ => self.call(function, dtype, args),
        }
    }

    fn select(&mut self, index: &Expr, choices: &[Expr]) -> Result<Expr, Stop> {
        match choices.split_first() {
            Some((first, rest)) if rest.iter().all(|own| own == first) => Ok(*first),
            _ => {
                let all = [&[*index], choices].concat();
                Ok(self.atom(Atom::Select(all)))
            }
        }
    }
}
