//! Integers in the store: forms, their bounds, and equality.

use super::constraint::{self, Constraint, Function};
use super::{Cell, State, bounds};
use crate::budget::{Stop, checkpoint};
use crate::control::work;
use crate::domain::Domain;
use crate::int::{INF, Int, NEG_INF};
use crate::limits::{MANY_TERMS, MAX_SUBSTITUTED};
use crate::linear::{Linear, Var};
use smallvec::SmallVec;
use std::sync::Arc;

impl State {
    /// `l` over variables that are open.
    pub fn resolve(&self, l: &Linear) -> Result<Linear, Stop> {
        match l.terms() {
            [] => return Ok(l.clone()),
            &[(v, c)] => match self.cell(v) {
                Cell::Int(_) => return Ok(l.clone()),
                Cell::Number(n) => {
                    let n = n.checked_mul(c).and_then(|n| n.checked_add(l.offset()));
                    return n.map(Linear::constant).ok_or(Stop::Overflow);
                }
                _ => {}
            },
            terms => {
                if terms.iter().all(|t| matches!(self.cell(t.0), Cell::Int(_))) {
                    return Ok(l.clone());
                }
            }
        }
        let mut sum = Linear::constant(l.offset());
        // The first ones come first, so that each goes behind the others.
        let mut todo: SmallVec<[(Var, Int); 8]> = l.terms().iter().rev().copied().collect();
        // Forms that share parts could be written out over and over again.
        let (mut written_out, mut longest) = (0, l.terms().len());
        work(todo.len());
        let mut count = 0_usize;
        while let Some((v, c)) = todo.pop() {
            count += 1;
            if count.is_multiple_of(MANY_TERMS) {
                checkpoint()?;
            }
            match self.cell(v) {
                Cell::Int(_) => sum.add_term(v, c)?,
                Cell::Number(n) => sum.add_constant(n.checked_mul(c).ok_or(Stop::Overflow)?)?,
                Cell::Alias(w) => todo.push((*w, c)),
                Cell::Linear(e) => {
                    work(e.terms().len());
                    written_out += e.terms().len();
                    longest = longest.max(e.terms().len());
                    if written_out > MAX_SUBSTITUTED + 8 * longest {
                        return Err(Stop::Overflow);
                    }
                    sum.add_constant(e.offset().checked_mul(c).ok_or(Stop::Overflow)?)?;
                    for &(w, d) in e.terms().iter().rev() {
                        todo.push((w, d.checked_mul(c).ok_or(Stop::Overflow)?));
                    }
                }
                _ => return Err(Stop::Conflict),
            }
        }
        Ok(sum)
    }

    /// What is known of an open integer variable or a number.
    pub fn domain(&self, v: Var) -> Domain {
        match self.cell(v) {
            Cell::Int(d) => d.clone(),
            Cell::Number(n) => Domain::interval(*n, *n),
            Cell::Alias(w) => self.domain(self.root(*w)),
            Cell::Linear(l) => {
                let (lo, hi) = self.bounds(l);
                Domain::interval(lo, hi)
            }
            _ => Domain::ALL,
        }
    }

    /// Bounds of `l`. Sound for unresolved forms too, tighter for resolved ones.
    pub fn bounds(&self, l: &Linear) -> (Int, Int) {
        bounds::of_linear(self, l)
    }

    /// The bounds of the domain of an open variable, without copying its list.
    pub(crate) fn var_bounds(&self, v: Var) -> (Int, Int) {
        match self.cell(v) {
            Cell::Int(d) => (d.lo(), d.hi()),
            Cell::Number(n) => (*n, *n),
            Cell::Alias(w) => self.var_bounds(self.root(*w)),
            Cell::Linear(l) => self.bounds(l),
            _ => (NEG_INF, INF),
        }
    }

    /// Is a resolved form never negative: by the bounds of its variables, by what they are values of, or since a constraint
    /// says so?
    pub fn is_never_negative(&self, l: &Linear) -> bool {
        bounds::is_natural(self, l) || self.is_posted_natural(l)
    }

    /// Does a posted constraint say that the resolved form `l` is never negative?
    pub(crate) fn is_posted_natural(&self, l: &Linear) -> bool {
        self.is_posted(l, |constraint| match constraint {
            Constraint::NonNegative(own) => {
                let more = self.resolve(own).and_then(|own| Ok(l.minus(&own)?));
                more.is_ok_and(|more| self.bounds(&more).0 >= 0)
            }
            _ => false,
        })
    }

    /// Retires the constraints that say of a form with the first variable of the resolved form `l` that it is never negative, where that
    /// follows from `l >= 0` and the bounds of the variables: of sums that grow, only the last one is watched.
    pub(crate) fn retire_weaker(&mut self, l: &Linear) {
        let Some(first) = l.vars().next() else { return };
        let is_weaker = |id: &u32| match self.constraint(*id) {
            Some(Constraint::NonNegative(own)) => {
                let own = self.resolve(own).ok();
                let own = own.filter(|own| own.vars().next() == Some(first));
                let more = own.and_then(|own| own.minus(l).ok());
                more.is_some_and(|more| self.bounds(&more).0 >= 0)
            }
            _ => false,
        };
        let weaker: SmallVec<[u32; 4]> = self.watchers(first).filter(is_weaker).collect();
        weaker.into_iter().for_each(|id| self.retire(id));
    }

    /// Does a posted constraint say this, which is about the first variable of the resolved form `l`?
    pub(crate) fn is_posted(&self, l: &Linear, says: impl Fn(&Constraint) -> bool) -> bool {
        let Some(v) = l.vars().next() else {
            return false;
        };
        self.watching(v).any(says)
    }

    /// The constraints that are suspended on a variable.
    pub(crate) fn watching(&self, v: Var) -> impl Iterator<Item = &Constraint> {
        self.watchers(v).filter_map(|id| self.constraint(id))
    }

    /// Their numbers, and those of some that say nothing any more.
    fn watchers(&self, v: Var) -> impl Iterator<Item = u32> {
        let watch = &self.slots[v.index()].watch;
        work(watch.len() / 4);
        watch.iter()
    }

    /// Can `l` have the value `x`, as far as its variables show one by one?
    pub fn may_be(&self, l: &Linear, x: Int) -> bool {
        if let [(v, c)] = l.terms() {
            let Some(rest) = x.checked_sub(l.offset()) else {
                return false;
            };
            return rest % c == 0
                && match self.cell(*v) {
                    Cell::Int(d) => d.contains(rest / c),
                    _ => {
                        let (lo, hi) = self.bounds(l);
                        lo <= x && x <= hi
                    }
                };
        }
        let (lo, hi) = self.bounds(l);
        lo <= x && x <= hi
    }

    /// Cuts the domain of an open variable down to what is also in `with`.
    pub(crate) fn narrow(&mut self, v: Var, with: &Domain) -> Result<(), Stop> {
        let v = self.root(v);
        let Cell::Int(domain) = self.cell(v) else {
            let form = self.resolve(&Linear::var(v))?;
            return self.restrict(&form, with);
        };
        let met = domain.meet(with);
        if met == *domain {
            return Ok(());
        }
        if met.is_empty() {
            return Err(Stop::Conflict);
        }
        let cell = match met.single() {
            Some(n) => Cell::Number(n),
            None => Cell::Int(met),
        };
        self.slot_mut(v).cell = cell;
        self.note_origin(v);
        self.wake(v);
        Ok(())
    }

    /// From now on `l` is in `domain`.
    pub fn restrict(&mut self, l: &Linear, domain: &Domain) -> Result<(), Stop> {
        bounds::restrict(self, l, domain)
    }

    /// From now on `a = b`.
    pub fn equate(&mut self, a: &Linear, b: &Linear) -> Result<(), Stop> {
        let difference = self.resolve(&a.minus(b)?)?;
        self.zero(difference)
    }

    /// From now on the resolved form `l` is 0: solved for the newest variable that has the coefficient 1 or -1 -
    /// but rather for one without bounds than for the value of an application -, kept as a constraint
    /// if none has.
    pub(crate) fn zero(&mut self, l: Linear) -> Result<(), Stop> {
        if let Some(n) = l.as_constant() {
            return if n == 0 { Ok(()) } else { Err(Stop::Conflict) };
        }
        let content = l.content();
        if l.offset() % content != 0 {
            return Err(Stop::Conflict);
        }
        let l = if content == 1 { l } else { l.divided(content) };
        let (lo, hi) = self.bounds(&l);
        if lo > 0 || hi < 0 {
            return Err(Stop::Conflict);
        }
        let mut solvable = l.terms().iter().rev().filter(|t| t.1 == 1 || t.1 == -1);
        let newest = solvable.next().map(|newest| {
            let Some((_, args)) = self.definition(newest.0) else {
                return newest;
            };
            if let Some(own) = self.beside_products(&l) {
                return own;
            }
            let mut others = solvable.filter(|t| self.is_unbounded(t.0));
            // An argument of an application is not solved for the value of it: it would be part of what it is.
            let is_arg = |v: Var| args.iter().any(|arg| arg.coefficient(v) != 0);
            let unknown = others.find(|t| {
                self.definition(t.0).is_none() && !is_arg(t.0) && !self.is_factor(t.0, &l)
            });
            unknown.unwrap_or(newest)
        });
        match newest {
            Some(&(v, c)) => {
                let value = l.without(v).scaled(-c)?;
                self.bind_int(v, value)
            }
            None => self.post(Constraint::Zero(l)),
        }
    }

    /// The newest variable of a sum with products in it that is the value of nothing, no factor of them, and is there
    /// once: it is what the sum says it is.
    fn beside_products<'l>(&self, l: &'l Linear) -> Option<&'l (Var, Int)> {
        let is_product = |v: Var| !self.factors(v).is_empty();
        if l.terms().len() < 3 || !l.vars().any(is_product) {
            return None;
        }
        l.terms()
            .iter()
            .rev()
            .filter(|t| t.1.abs() == 1 && self.var_bounds(t.0).0 >= 0)
            .find(|t| self.definition(t.0).is_none() && !self.is_factor(t.0, l))
    }

    /// Is `v` a part of a factor of a product in `l`?
    fn is_factor(&self, v: Var, l: &Linear) -> bool {
        work(l.terms().len());
        let mut factors = l.vars().flat_map(|w| self.factors(w));
        factors.any(|f| self.resolve(f).is_ok_and(|f| f.coefficient(v) != 0))
    }

    /// A new variable that is this resolved form. Its variable `v`, which has the coefficient 1 or -1, is given by that
    /// from now on.
    pub fn put_for(&mut self, v: Var, form: &Linear) -> Result<Var, Stop> {
        let (lo, hi) = self.bounds(form);
        let new = self.int(Domain::interval(lo, hi));
        let difference = form.minus(&Linear::var(new))?;
        let value = difference.without(v).scaled(-form.coefficient(v))?;
        self.bind_int(v, value)?;
        Ok(new)
    }

    /// Is it an open integer without a least or without a greatest value?
    pub(super) fn is_unbounded(&self, v: Var) -> bool {
        let (lo, hi) = self.var_bounds(v);
        lo == NEG_INF || hi == INF
    }

    /// The application that the open variable `v` is the value of, if it is known to be one.
    pub fn definition(&self, v: Var) -> Option<(Function, &[Linear])> {
        if !self.slots[v.index()].is_value {
            return None;
        }
        self.watching(v).find_map(|c| match c {
            Constraint::Apply {
                function,
                args,
                out,
            } if out.as_var() == Some(v) => Some((*function, args.as_slice())),
            _ => None,
        })
    }

    /// Binds the open variable `v` to a resolved form that it is not in.
    pub(super) fn bind_int(&mut self, v: Var, value: Linear) -> Result<(), Stop> {
        let domain = self.domain(v);
        let cell = match (value.as_constant(), value.as_var()) {
            (Some(n), _) if domain.contains(n) => Cell::Number(n),
            (Some(_), _) => return Err(Stop::Conflict),
            (_, Some(w)) => Cell::Alias(w),
            _ => Cell::Linear(Arc::new(value.clone())),
        };
        self.bind(v, cell, value.vars());
        self.restrict(&value, &domain)
    }

    /// Writes `cell` for `v`; what watched `v` now watches `vars`.
    pub(crate) fn bind(&mut self, v: Var, cell: Cell, vars: impl Iterator<Item = Var>) {
        self.wake(v);
        if let (Cell::Alias(w), Some(form)) = (&cell, self.described.get(&v)) {
            let (w, form) = (*w, form.clone());
            self.described.entry(w).or_insert(form);
            self.wake(w);
        }
        let slot = self.slot_mut(v);
        slot.cell = cell;
        let watch = std::mem::take(&mut slot.watch);
        self.note_origin(v);
        for w in vars {
            work(watch.len());
            for id in watch.iter() {
                self.watch(w, id);
            }
        }
    }

    /// The value of `function` on `args`: a known one, a number, or a new variable in `domain` that
    /// a constraint ties to them.
    pub fn apply(
        &mut self,
        function: Function,
        args: &[Linear],
        domain: Domain,
    ) -> Result<Linear, Stop> {
        constraint::apply(self, function, args, domain)
    }

    /// From now on `out = function(args)`.
    pub fn relate(
        &mut self,
        function: Function,
        args: &[Linear],
        out: &Linear,
    ) -> Result<(), Stop> {
        constraint::relate(self, function, args, out)
    }

    /// What an application is known to be worth.
    pub(crate) fn known(&self, key: &(Function, SmallVec<[Linear; 2]>)) -> Option<&Linear> {
        self.known.get(key).map(|known| &known.0)
    }

    /// The same, with the constraint that says so.
    pub(crate) fn known_by(
        &self,
        key: &(Function, SmallVec<[Linear; 2]>),
    ) -> Option<&(Linear, u32)> {
        self.known.get(key).map(|known| &**known)
    }

    pub(crate) fn factors(&self, v: Var) -> &[Linear] {
        self.monomials.get(&v).map_or(&[], |f| f.0.as_slice())
    }

    /// The constraint that says of which factors a variable is the product.
    pub(crate) fn factored_by(&self, v: Var) -> Option<u32> {
        self.monomials.get(&v).map(|f| f.1)
    }

    /// The product `l` without the factors that the product `of` has too: where `of` is not 0, both are 0, or neither.
    /// A sum is its own factor. `l` and `of` are resolved.
    pub fn without_factors_of(&mut self, l: &Linear, of: &Linear) -> Result<Linear, Stop> {
        let (Some(mut own), Some(others)) = (
            constraint::factors(self, l)?,
            constraint::factors(self, of)?,
        ) else {
            return Ok(l.clone());
        };
        let count = own.len();
        own.retain(|f| !others.contains(f));
        match own.len() == count {
            true => Ok(l.clone()),
            false => self.apply(Function::Product, &own, Domain::interval(NEG_INF, INF)),
        }
    }

    /// Is `l` a multiple of the product `of` whatever the factors are? A sum is its own factor, or each of its terms is a multiple. Both
    /// are resolved.
    pub fn is_multiple(&self, l: &Linear, of: &Linear) -> Result<bool, Stop> {
        if self.is_multiple_product(l, of)? {
            return Ok(true);
        }
        if l.terms().len() + usize::from(l.offset() != 0) < 2 {
            return Ok(false);
        }
        for (v, times) in l.terms() {
            if !self.is_multiple_product(&Linear::var(*v).scaled(*times)?, of)? {
                return Ok(false);
            }
        }
        Ok(l.offset() == 0 || self.is_multiple_product(&Linear::constant(l.offset()), of)?)
    }

    /// The same of products.
    fn is_multiple_product(&self, l: &Linear, of: &Linear) -> Result<bool, Stop> {
        let factors = |l: &Linear| match l.as_constant() {
            Some(_) => Ok(Some(SmallVec::new())),
            None => constraint::factors(self, l),
        };
        let (Some(mut own), Some(others)) = (factors(l)?, factors(of)?) else {
            return Ok(l == of);
        };
        for factor in others {
            match own.iter().position(|f| *f == factor) {
                Some(at) => drop(own.swap_remove(at)),
                None => return Ok(false),
            }
        }
        let number = |l: &Linear| l.terms().first().map_or(l.offset(), |term| term.1);
        let (times, parts) = (number(l), number(of));
        Ok(parts != 0 && times % parts == 0)
    }

    /// Notes of which factors a variable is the product, since the constraint `by` says so.
    pub(crate) fn note_factors(&mut self, v: Var, factors: SmallVec<[Linear; 2]>, by: u32) {
        self.monomials.insert(v, Arc::new((factors, by)));
    }

    /// Notes what an application is worth, since the constraint `by` says so.
    pub(crate) fn learn(&mut self, key: (Function, SmallVec<[Linear; 2]>), out: Linear, by: u32) {
        self.known.insert(Arc::new(key), Arc::new((out, by)));
    }

    /// Keeps a form for a variable, which tells a caller more of it than its value would. The engine makes nothing
    /// of it: it hands it on to the variable that this one comes to be, and wakes what watches it.
    pub fn set_attribute(&mut self, v: Var, form: Linear) {
        let v = self.root(v);
        self.described.insert(v, form);
        self.wake(v);
    }

    /// The form that is kept for a variable.
    pub fn attribute(&self, v: Var) -> Option<&Linear> {
        self.described.get(&self.root(v))
    }
}
