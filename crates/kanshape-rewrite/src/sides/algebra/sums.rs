//! Sums over ranges whose ends have no number, and elements at places that are variables.
//!
//! A variable is one index of a range. A sum is an atom: the sizes of its ranges, and what is summed. That is a product all of whose factors are connected
//! by the variables; what no variable of it is in stands outside. Its variables are numbered so that sums which differ in the names or the order of their variables are
//! the same atom.

use std::collections::BTreeSet;
use std::rc::Rc;

use kanshape::Dtype;
use kanshape_eval::{Function as F, Scalars, Stop};
use rustc_hash::FxHashMap;

use super::{Algebra, Atom, AtomNo, Expr, too_large};
use crate::sides::ratio::Ratio;

/// The number of a variable.
pub(crate) type Var = u32;
/// From here on they are variables of sums.
const BOUND: Var = 1 << 24;
/// The most variables of a sum, and the largest power that is multiplied out.
const MOST_VARIABLES: usize = 4;
const MOST_POWER: i32 = 8;

/// An index of one dim: the number of a part, and the index of each factor of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IndexPlace {
    pub(crate) part: usize,
    pub(crate) at: Vec<ElementIndex>,
}

/// An index of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ElementIndex {
    Var(Var),
    /// What a function is, by its number ([`IndexTerm`]).
    Term(u32),
}

/// A function of places and expressions whose value is an index: nothing is known of it but that it is a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct IndexTerm {
    /// Which function.
    pub(crate) function: usize,
    pub(crate) places: Vec<IndexPlace>,
    pub(crate) exprs: Vec<Expr>,
}

/// What is known of variables and of the elements at them.
#[derive(Default)]
pub(super) struct IndexPlaces {
    /// The size of the range of each variable.
    sizes: Vec<u32>,
    /// Elements of leaves, and their numbers.
    elements: Vec<Vec<IndexPlace>>,
    numbers: FxHashMap<Vec<IndexPlace>, usize>,
    terms: Vec<IndexTerm>,
    term_numbers: FxHashMap<IndexTerm, u32>,
    /// The variables of atoms.
    vars: FxHashMap<AtomNo, Rc<BTreeSet<Var>>>,
}

impl Algebra {
    /// A new variable of a range with this size.
    pub(crate) fn variable(&mut self, size: u32) -> Var {
        self.places.sizes.push(size);
        self.places.sizes.len() as Var - 1
    }

    /// The element of a leaf at some place.
    pub(crate) fn element(&mut self, leaf: usize, places: Vec<IndexPlace>, dtype: Dtype) -> Expr {
        let own = &mut self.places;
        let number = match own.numbers.get(&places) {
            Some(known) => *known,
            None => {
                own.elements.push(places.clone());
                own.numbers.insert(places, own.elements.len() - 1);
                own.elements.len() - 1
            }
        };
        self.atom(Atom::Leaf(leaf, number, dtype))
    }

    /// The index that a function is.
    pub(crate) fn term(&mut self, term: IndexTerm) -> u32 {
        let own = &mut self.places;
        if let Some(known) = own.term_numbers.get(&term) {
            return *known;
        }
        own.terms.push(term.clone());
        let number = own.terms.len() as u32 - 1;
        own.term_numbers.insert(term, number);
        number
    }

    pub(crate) fn as_term(&self, number: u32) -> &IndexTerm {
        &self.places.terms[number as usize]
    }

    /// Is an index, which is such a function, one of the range? It is 0 or 1.
    pub(crate) fn inside(&mut self, term: u32) -> Expr {
        self.atom(Atom::Inside(term))
    }

    /// A function of its arguments of which nothing is known: the largest one of those in a window that may not be full.
    pub(crate) fn pooled(&mut self, args: Vec<Expr>) -> Expr {
        self.atom(Atom::Pool(args))
    }

    /// The variables of places, those of functions among them.
    fn vars_of_places(&mut self, places: &[IndexPlace]) -> BTreeSet<Var> {
        let mut all = BTreeSet::new();
        let indices = places.iter().flat_map(|own| own.at.iter().copied());
        let mut left: Vec<ElementIndex> = indices.collect();
        let mut seen = BTreeSet::new();
        while let Some(index) = left.pop() {
            match index {
                ElementIndex::Var(var) => {
                    all.insert(var);
                }
                ElementIndex::Term(number) if seen.insert(number) => {
                    let own = self.places.terms[number as usize].clone();
                    left.extend(own.places.iter().flat_map(|own| own.at.iter().copied()));
                    for expr in own.exprs {
                        all.extend(self.vars(expr));
                    }
                }
                ElementIndex::Term(_) => {}
            }
        }
        all
    }

    fn renamed_places(
        &mut self,
        places: &[IndexPlace],
        to: &FxHashMap<Var, Var>,
    ) -> Result<Vec<IndexPlace>, Stop> {
        let mut all = Vec::new();
        for place in places {
            let mut own = place.clone();
            for index in &mut own.at {
                *index = match *index {
                    ElementIndex::Var(var) => ElementIndex::Var(*to.get(&var).unwrap_or(&var)),
                    ElementIndex::Term(number) => {
                        ElementIndex::Term(self.renamed_term(number, to)?)
                    }
                };
            }
            all.push(own);
        }
        Ok(all)
    }

    fn renamed_term(&mut self, number: u32, to: &FxHashMap<Var, Var>) -> Result<u32, Stop> {
        self.spend(1)?;
        let own = self.places.terms[number as usize].clone();
        let places = self.renamed_places(&own.places, to)?;
        let exprs = self.renamed_all(&own.exprs, to)?;
        Ok(self.term(IndexTerm {
            places,
            exprs,
            ..own
        }))
    }

    fn vars_of_atom(&mut self, atom: AtomNo) -> Rc<BTreeSet<Var>> {
        if let Some(known) = self.places.vars.get(&atom) {
            return Rc::clone(known);
        }
        let own = self.atoms[atom as usize].clone();
        let mut all = BTreeSet::new();
        match &own {
            Atom::Leaf(_, number, _) => {
                if let Some(places) = self.places.elements.get(*number).cloned() {
                    all.extend(self.vars_of_places(&places));
                }
            }
            Atom::Inside(number) => {
                let places = self.places.terms[*number as usize].places.clone();
                all.extend(self.vars_of_places(&places));
            }
            Atom::Special(_) => {}
            Atom::Sum(sizes, first, _) | Atom::Fold(_, sizes, first, _) => {
                all.extend((0..sizes.len()).map(|i| first + i as Var))
            }
            _ => {}
        }
        for expr in parts(&own) {
            all.extend(self.vars(expr));
        }
        let all = Rc::new(all);
        self.places.vars.insert(atom, Rc::clone(&all));
        all
    }

    /// The variables in it, those of sums among them.
    fn vars(&mut self, expr: Expr) -> BTreeSet<Var> {
        let own = self.own(expr);
        let atoms = own.iter().flat_map(|own| own.0.iter().map(|own| own.0));
        let atoms: BTreeSet<AtomNo> = atoms.collect();
        let mut all = BTreeSet::new();
        for atom in atoms {
            all.extend(self.vars_of_atom(atom).iter());
        }
        all
    }

    /// The sum over all values of a variable.
    pub(crate) fn summed(&mut self, var: Var, body: Expr) -> Result<Expr, Stop> {
        let own = self.own(body);
        let mut all = self.int(0);
        for (product, ratio) in own.iter() {
            let mut inside = self.int(1);
            let mut outside = Vec::new();
            let mut vars = vec![var];
            for (atom, power) in product {
                if !self.vars_of_atom(*atom).contains(&var) {
                    outside.push((*atom, *power));
                    continue;
                }
                match self.atoms[*atom as usize].clone() {
                    // A sum in a sum is one over both variables.
                    Atom::Sum(sizes, first, inner) if (1..=3).contains(power) => {
                        for _ in 0..*power {
                            let fresh: Vec<Var> =
                                sizes.iter().map(|size| self.variable(*size)).collect();
                            let to = fresh.iter().enumerate();
                            let to: FxHashMap<Var, Var> =
                                to.map(|(i, own)| (first + i as Var, *own)).collect();
                            let inner = self.renamed(inner, &to)?;
                            inside = self.mul(inside, inner)?;
                            vars.extend(fresh);
                        }
                    }
                    _ => {
                        let one = self.sum(vec![(vec![(*atom, *power)], Ratio::ONE)]);
                        inside = self.mul(inside, one)?;
                    }
                }
            }
            let closed = self.closed(&vars, inside)?;
            let outside = self.sum(vec![(outside, *ratio)]);
            let one = self.mul(outside, closed)?;
            all = self.add(all, one)?;
        }
        Ok(all)
    }

    /// The sum of a product over these variables, which are numbered in the order of which the product is the first one.
    fn closed(&mut self, vars: &[Var], product: Expr) -> Result<Expr, Stop> {
        let (product, ratio) = match &self.own(product)[..] {
            [(product, ratio)] => (self.sum(vec![(product.clone(), Ratio::ONE)]), *ratio),
            _ => return too_large(),
        };
        let (sizes, first, own) = self.in_order(vars, product)?;
        let atom = self.atom(Atom::Sum(sizes, first, own));
        self.scaled(atom, ratio)
    }

    /// An expression with these variables numbered in the order of which it is the first one: their sizes, the number of the first variable, and the
    /// expression.
    fn in_order(&mut self, vars: &[Var], body: Expr) -> Result<(Vec<u32>, Var, Expr), Stop> {
        if vars.len() > MOST_VARIABLES {
            return too_large();
        }
        let bound = self.vars(body);
        let first = bound.last().map_or(BOUND, |own| (own + 1).max(BOUND));
        let size = |this: &Self, var: Var| this.places.sizes[var as usize];
        let mut found: Option<(Vec<u32>, Expr)> = None;
        for order in orders(vars) {
            let sizes: Vec<u32> = order.iter().map(|var| size(self, *var)).collect();
            if !sizes.is_sorted() {
                continue;
            }
            let to = order.iter().enumerate();
            let to: FxHashMap<Var, Var> = to.map(|(i, own)| (*own, first + i as Var)).collect();
            let own = self.renamed(body, &to)?;
            if found.as_ref().is_none_or(|known| own < known.1) {
                found = Some((sizes, own));
            }
        }
        match found {
            Some((sizes, own)) => Ok((sizes, first, own)),
            None => too_large(),
        }
    }

    /// The same with other variables.
    fn renamed(&mut self, expr: Expr, to: &FxHashMap<Var, Var>) -> Result<Expr, Stop> {
        let own = self.own(expr);
        self.spend(own.len())?;
        let mut all = self.int(0);
        for (product, ratio) in own.iter() {
            let mut result = self.constant(*ratio);
            for (atom, power) in product {
                let one = self.renamed_atom(*atom, to)?;
                let one = self.raised(one, *power)?;
                result = self.mul(result, one)?;
            }
            all = self.add(all, result)?;
        }
        Ok(all)
    }

    fn raised(&mut self, expr: Expr, power: i32) -> Result<Expr, Stop> {
        if power.abs() > MOST_POWER {
            return too_large();
        }
        let base = match power < 0 {
            true => self.inverse(expr)?,
            false => expr,
        };
        let mut all = self.int(1);
        for _ in 0..power.abs() {
            all = self.mul(all, base)?;
        }
        Ok(all)
    }

    fn renamed_atom(&mut self, atom: AtomNo, to: &FxHashMap<Var, Var>) -> Result<Expr, Stop> {
        let vars = self.vars_of_atom(atom);
        if !vars.iter().any(|var| to.contains_key(var)) {
            return Ok(self.sum(vec![(vec![(atom, 1)], Ratio::ONE)]));
        }
        Ok(match self.atoms[atom as usize].clone() {
            Atom::Leaf(leaf, number, dtype) => {
                let places = self.places.elements[number].clone();
                let places = self.renamed_places(&places, to)?;
                self.element(leaf, places, dtype)
            }
            Atom::Special(own) => self.atom(Atom::Special(own)),
            Atom::Inside(number) => {
                let number = self.renamed_term(number, to)?;
                self.inside(number)
            }
            Atom::Positive(own) => {
                let own = self.renamed(own, to)?;
                self.positive(own)?
            }
            Atom::Inverse(own) => {
                let own = self.renamed(own, to)?;
                self.inverse(own)?
            }
            // Over integers and reals these are made differently.
            Atom::Zero(_) => return too_large(),
            Atom::Lattice(meets) => {
                let meets: Vec<Vec<Expr>> = meets.iter().cloned().collect();
                let mut all = None;
                for meet in meets {
                    let mut one = None;
                    for own in meet {
                        let own = self.renamed(own, to)?;
                        one = Some(match one {
                            None => own,
                            Some(one) => self.lattice(one, own, false)?,
                        });
                    }
                    all = match (all, one) {
                        (Some(all), Some(one)) => Some(self.lattice(all, one, true)?),
                        (all, one) => all.or(one),
                    };
                }
                match all {
                    Some(all) => all,
                    None => return too_large(),
                }
            }
            Atom::Call(function, dtype, args) => {
                let args = self.renamed_all(&args, to)?;
                match function {
                    F::Cast(_) | F::Saturate(_) => self.call(function, dtype, &args)?,
                    _ => self.apply(function, dtype, &args)?,
                }
            }
            Atom::Select(args) => {
                let args = self.renamed_all(&args, to)?;
                self.atom(Atom::Select(args))
            }
            Atom::Pool(args) => {
                let args = self.renamed_all(&args, to)?;
                self.pooled(args)
            }
            Atom::Sum(sizes, first, inner) => {
                let (fresh, inner) = self.opened(&sizes, first, inner, to)?;
                self.closed(&fresh, inner)?
            }
            Atom::Fold(is_max, sizes, first, inner) => {
                let (fresh, inner) = self.opened(&sizes, first, inner, to)?;
                self.closed_fold(is_max, &fresh, inner)?
            }
        })
    }

    /// What is in a sum, with new variables for those of the sum.
    fn opened(
        &mut self,
        sizes: &[u32],
        first: Var,
        inner: Expr,
        to: &FxHashMap<Var, Var>,
    ) -> Result<(Vec<Var>, Expr), Stop> {
        let fresh: Vec<Var> = sizes.iter().map(|size| self.variable(*size)).collect();
        let mut all = to.clone();
        all.extend((0..sizes.len()).map(|i| (first + i as Var, fresh[i])));
        let inner = self.renamed(inner, &all)?;
        Ok((fresh, inner))
    }

    /// The largest or the smallest value for all values of a variable, of elements of a dtype.
    pub(crate) fn folded(
        &mut self,
        is_max: bool,
        dtype: Dtype,
        var: Var,
        body: Expr,
    ) -> Result<Expr, Stop> {
        if let Some(Atom::Lattice(meets)) = self.as_atom(body).cloned() {
            let meets: Vec<Vec<Expr>> = meets.iter().cloned().collect();
            // The largest of several is the largest of the largest ones.
            let members = match (is_max, &meets[..]) {
                (true, meets) if meets.iter().all(|own| own.len() == 1) => Some(meets.concat()),
                (false, [one]) => Some(one.clone()),
                _ => None,
            };
            if let Some(members) = members {
                let mut all = None;
                for member in members {
                    let own = self.folded(is_max, dtype, var, member)?;
                    all = Some(match all {
                        None => own,
                        Some(all) => self.lattice(all, own, is_max)?,
                    });
                }
                return all.map_or_else(too_large, Ok);
            }
        }
        // A sum of integers may wrap around.
        if super::is_int(dtype) {
            return self.closed_fold_of_both(is_max, var, body);
        }
        let own = self.own(body);
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (product, ratio) in own.iter() {
            let mut is_inside = false;
            for (atom, _) in product {
                is_inside |= self.vars_of_atom(*atom).contains(&var);
            }
            match is_inside {
                true => inside.push((product.clone(), *ratio)),
                false => outside.push((product.clone(), *ratio)),
            }
        }
        if inside.is_empty() {
            return self.closed_fold_of_both(is_max, var, body);
        }
        let (inside, outside) = (self.sum(inside), self.sum(outside));
        let first = self.own(inside)[0].1;
        let inverse = first.inverse()?;
        let unit = self.scaled(inside, inverse)?;
        let own = self.closed_fold_of_both(is_max == (first.above > 0), var, unit)?;
        let own = self.scaled(own, first)?;
        self.add(own, outside)
    }

    /// The same of what may be the largest or smallest value of another variable.
    fn closed_fold_of_both(&mut self, is_max: bool, var: Var, body: Expr) -> Result<Expr, Stop> {
        match self.as_atom(body).cloned() {
            Some(Atom::Fold(own, sizes, first, inner)) if own == is_max => {
                let (mut fresh, inner) =
                    self.opened(&sizes, first, inner, &FxHashMap::default())?;
                fresh.push(var);
                self.closed_fold(is_max, &fresh, inner)
            }
            _ => self.closed_fold(is_max, &[var], body),
        }
    }

    fn closed_fold(&mut self, is_max: bool, vars: &[Var], body: Expr) -> Result<Expr, Stop> {
        let (sizes, first, own) = self.in_order(vars, body)?;
        Ok(self.atom(Atom::Fold(is_max, sizes, first, own)))
    }

    fn renamed_all(&mut self, all: &[Expr], to: &FxHashMap<Var, Var>) -> Result<Vec<Expr>, Stop> {
        all.iter().map(|own| self.renamed(*own, to)).collect()
    }
}

/// The expressions in an atom.
fn parts(atom: &Atom) -> Vec<Expr> {
    match atom {
        Atom::Leaf(..) | Atom::Special(_) | Atom::Inside(_) => Vec::new(),
        Atom::Positive(own)
        | Atom::Zero(own)
        | Atom::Inverse(own)
        | Atom::Sum(_, _, own)
        | Atom::Fold(_, _, _, own) => vec![*own],
        Atom::Lattice(meets) => meets.iter().flatten().copied().collect(),
        Atom::Call(_, _, args) | Atom::Select(args) | Atom::Pool(args) => args.clone(),
    }
}

/// All orders of a few variables.
fn orders(vars: &[Var]) -> Vec<Vec<Var>> {
    let mut all = vec![Vec::new()];
    for var in vars {
        let longer = |own: &Vec<Var>| -> Vec<Vec<Var>> {
            let at = 0..=own.len();
            let with = |at| {
                let mut own = own.clone();
                own.insert(at, *var);
                own
            };
            at.map(with).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
