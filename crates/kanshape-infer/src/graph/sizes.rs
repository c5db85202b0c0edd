//! [`Sizes`]: which variable of the store each generator of a form denotes, and each dtype that is not known.
//!
//! Types are calculated as forms ([`Forms`]), conditions are solved in the store. A form reaches the store when a
//! condition or a rule needs it there; what the store then finds out of its variables is substituted back into the
//! forms of types.

use super::log::Log;
use crate::limits::{MAX_DEFINED_DEPTH, MAX_DEFINED_PARTS};
use kanshape_engine::{
    Beyond, Domain, Form, FormTerm, Forms, Function, HashMap, INF, Linear, Node, Num, State, Stop,
    Var, Vector,
};
use kanshape_rules::encode::dtypes;
use kanshape_rules::eval::{ElementType, OpenDtype};
use smallvec::SmallVec;

/// The forms of a graph as variables of its store, and back.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    /// The variable of each generator that the store has and that is no atom.
    vars: HashMap<Form, Var>,
    /// The atoms by their numbers, each with its variable.
    atoms: Log<(Form, Var)>,
    /// The number that is calculated with for a variable, by its place: a generator.
    nums: Log<Option<Num>>,
    /// The variables that are calculated with as the atom of another one.
    others: Vector<Var>,
    /// The variables whose definitions are being followed, and whether each was met in its own.
    followed: Vec<(Var, bool)>,
    /// The variable of each dtype that is calculated with as an atom.
    dtypes: Vector<Var>,
    /// The atom of a variable.
    dtype_atoms: HashMap<Var, u32>,
}

/// Kinds of atoms: any integer, a natural number, and one that is not 0.
const KINDS: u32 = 3;

/// Reads numbers from the store.
pub(super) struct Reader<'g> {
    pub sizes: &'g mut Sizes,
    pub state: &'g State,
    pub forms: &'g mut Forms,
}

/// Writes numbers into the store.
pub(super) struct Writer<'g> {
    pub sizes: &'g mut Sizes,
    pub state: &'g mut State,
    pub forms: &'g mut Forms,
}

/// Is a generator what some sizes broadcast to?
pub(super) fn is_broadcast(forms: &Forms, generator: Form) -> bool {
    matches!(forms.node(generator), Node::Broadcast(_))
}

impl Sizes {
    /// The variable of a generator, if the store has it.
    pub(super) fn var(&self, forms: &Forms, generator: Form) -> Option<Var> {
        match forms.node(generator) {
            Node::Atom(number) => {
                let own = self.atoms.get((number / KINDS) as usize);
                own.filter(|own| own.0 == generator).map(|own| own.1)
            }
            _ => self.vars.get(&generator).copied(),
        }
    }

    /// The number that is calculated with for a variable.
    fn num(&self, v: Var) -> Option<Num> {
        self.nums.get(v.index()).copied().flatten()
    }

    fn set_num(&mut self, v: Var, n: Num) {
        while self.nums.len() <= v.index() {
            self.nums.push(None);
        }
        self.nums.set(v.index(), Some(n));
    }

    /// How many atoms there are.
    pub(super) fn atom_count(&self) -> u32 {
        self.atoms.len() as u32
    }

    /// Takes back which atoms variables are calculated with, of those that were made since there were this many: the store
    /// knows more of them now, and nobody has used them yet.
    pub(super) fn forget_atoms_since(&mut self, count: u32, forms: &Forms) {
        let own: Vec<Var> = (count as usize..self.atoms.len())
            .map(|i| self.atoms[i].1)
            .collect();
        let is_new = |n: Num| match n.form().map(|form| forms.node(form)) {
            Some(Node::Atom(number)) => number / KINDS >= count,
            _ => false,
        };
        let others = std::mem::take(&mut self.others);
        for v in own.into_iter().chain(others.iter().copied()) {
            if self.num(v).is_some_and(is_new) {
                self.nums.set(v.index(), None);
            }
        }
        let left = others.iter().filter(|v| self.num(**v).is_some());
        self.others = left.copied().collect();
    }

    /// Has the store found out nothing of what is in a number?
    pub(super) fn is_settled(&self, state: &State, forms: &Forms, n: Num) -> bool {
        forms.all_generators(n, &mut |g| {
            self.var(forms, g).is_none_or(|v| state.is_open(v))
        })
    }

    /// The variable of a dtype that is not known. Every atom was made for a variable.
    pub(super) fn dtype_var(&self, dtype: OpenDtype) -> Option<Var> {
        self.dtypes.get(dtype.atom as usize).copied()
    }

    /// Has the store found out nothing of a dtype?
    pub(super) fn is_settled_dtype(&self, state: &State, dtype: ElementType) -> bool {
        let ElementType::Open(open) = dtype else {
            return true;
        };
        self.dtype_var(open)
            .is_none_or(|v| state.root(v) == v && dtypes(state.mask(v)) == open.set)
    }

    /// The variables of a number that are open: those of its atoms.
    pub(super) fn open_vars(&self, state: &State, forms: &Forms, n: Num, into: &mut Vec<Var>) {
        forms.all_generators(n, &mut |g| {
            if matches!(forms.node(g), Node::Atom(_))
                && let Some(v) = self.var(forms, g)
            {
                into.extend(state.open_vars_of(&Linear::var(v)));
            }
            true
        });
    }
}

impl Reader<'_> {
    /// A number that a resolved form of the store is.
    ///
    /// # Errors
    /// [`Beyond`] where its numbers are too large.
    pub(super) fn num(&mut self, l: &Linear) -> Result<Num, Beyond> {
        self.num_within(l, MAX_DEFINED_DEPTH)
    }

    fn num_within(&mut self, l: &Linear, depth: usize) -> Result<Num, Beyond> {
        let small = |n| i64::try_from(n).map_err(|_| Beyond);
        let mut all: SmallVec<[(Num, i64); 4]> = SmallVec::new();
        for &(v, c) in l.terms() {
            all.push((self.num_of(v, depth)?, small(c)?));
        }
        all.push((Num::new(small(l.offset())?)?, 1));
        self.forms.combine(&all)
    }

    /// The number of an open variable: the generator that it is the value of, as long as nothing else is known of what
    /// that is made of; or what a rule that has been stated says that it is; or else an atom.
    fn num_of(&mut self, v: Var, depth: usize) -> Result<Num, Beyond> {
        if let Some(n) = self.sizes.num(v)
            && self.sizes.is_settled(self.state, self.forms, n)
        {
            return Ok(n);
        }
        let depth = depth.checked_sub(1).ok_or(Beyond)?;
        // What is defined by itself is no more than a name.
        if let Some(own) = self.sizes.followed.iter_mut().find(|own| own.0 == v) {
            own.1 = true;
            return Ok(self.atom_of(v));
        }
        self.sizes.followed.push((v, false));
        let found = self.defined(v, depth);
        let is_own = self.sizes.followed.pop().is_some_and(|own| own.1);
        match found {
            _ if is_own => Ok(self.sizes.num(v).ok_or(Beyond)?),
            Some(n) => {
                if matches!(
                    n.form().map(|form| self.forms.node(form)),
                    Some(Node::Atom(_))
                ) {
                    self.sizes.others.push_back(v);
                }
                self.sizes.set_num(v, n);
                Ok(n)
            }
            None => Ok(self.atom_of(v)),
        }
    }

    /// The form of what a variable is the value of. It is that form only where the form shows as well that it is no negative
    /// number.
    fn defined(&mut self, v: Var, depth: usize) -> Option<Num> {
        let (function, args) = self.state.definition(v)?;
        // What sizes broadcast to has a name, and a condition defines it.
        if function == Function::Broadcast {
            return None;
        }
        let args: SmallVec<[Linear; 2]> = args.iter().cloned().collect();
        let mut nums: SmallVec<[Num; 2]> = SmallVec::new();
        for arg in &args {
            let arg = self.state.resolve(arg).ok()?;
            nums.push(self.num_within(&arg, depth).ok()?);
        }
        let n = match (function, &nums[..]) {
            (Function::Product, nums) => nums
                .iter()
                .try_fold(Num::ONE, |product, n| self.forms.mul(product, *n)),
            (Function::Min, nums) => self.forms.min(nums),
            (Function::Max, nums) => self.forms.max(nums),
            (Function::FloorDiv, &[a, b]) => self.forms.floor_div(a, b),
            (Function::CeilDiv, &[a, b]) => self.forms.ceil_div(a, b),
            // By a size, it would be that size less a product with it in its factors.
            (Function::Mod, &[a, b]) if b.int().is_some() => self.forms.modulo(a, b),
            _ => Err(Beyond),
        };
        let n = n.ok()?;
        let mut parts = 0;
        let is_short = self.forms.all_generators(n, &mut |_| {
            parts += 1;
            parts <= MAX_DEFINED_PARTS
        });
        let is_natural = self.state.domain(v).lo() >= 0;
        (is_short && (!is_natural || self.forms.is_natural(n))).then_some(n)
    }

    fn atom_of(&mut self, v: Var) -> Num {
        // Atoms of other bounds have other numbers, so that an atom is the same in all graphs.
        let (kind, least) = match self.state.domain(v).lo() {
            1.. => (2, 1),
            0 => (1, 0),
            _ => (0, i64::MIN),
        };
        let n = self
            .forms
            .atom_from(KINDS * self.sizes.atom_count() + kind, least);
        if let Some(form) = n.form() {
            self.sizes.atoms.push((form, v));
        }
        self.sizes.set_num(v, n);
        n
    }

    /// What is known of a dtype of the store.
    pub(super) fn dtype(&mut self, v: Var) -> ElementType {
        let v = self.state.root(v);
        let set = dtypes(self.state.mask(v));
        if let Some(dtype) = set.single() {
            return dtype.into();
        }
        let atom = match self.sizes.dtype_atoms.get(&v) {
            Some(atom) => *atom,
            None => {
                // The same atom in all graphs, so that they share what is calculated.
                let atom = self.sizes.dtypes.len() as u32;
                self.sizes.dtypes.push_back(v);
                self.sizes.dtype_atoms.insert(v, atom);
                atom
            }
        };
        ElementType::Open(OpenDtype { atom, set })
    }

    /// A dtype with all that the store knows of it.
    pub(super) fn refreshed_dtype(&mut self, dtype: ElementType) -> ElementType {
        match dtype {
            ElementType::Open(open) => match self.sizes.dtype_var(open) {
                Some(v) => self.dtype(v),
                None => dtype,
            },
            ElementType::Known(_) => dtype,
        }
    }

    /// A number with all that the store knows of it.
    pub(super) fn refreshed(&mut self, n: Num) -> Result<Num, Stop> {
        if n.form().is_none() || self.sizes.is_settled(self.state, self.forms, n) {
            return Ok(n);
        }
        let (sizes, state) = (&mut *self.sizes, self.state);
        let found = self.forms.replace(n, &mut |forms, g| {
            let Some(v) = sizes.var(forms, g).filter(|v| !state.is_open(*v)) else {
                return Ok(None);
            };
            let now = state.resolve(&Linear::var(v)).map_err(|_| Beyond)?;
            let mut reader = Reader {
                sizes,
                state,
                forms,
            };
            reader.num(&now).map(Some)
        });
        found.map_err(|Beyond| Stop::Overflow)
    }
}

impl Writer<'_> {
    /// A number as a form of the store.
    ///
    /// # Errors
    /// [`Stop`] as the store has it.
    pub(super) fn linear(&mut self, n: Num) -> Result<Linear, Stop> {
        let Some(form) = n.form() else {
            return Ok(Linear::constant(n.int().unwrap_or(0).into()));
        };
        let Node::Sum(terms, constant) = self.forms.node(form).clone() else {
            return self.generator(form);
        };
        if terms.iter().any(|t| t.0.len() > 1) {
            // A product of sums says more than the sum of products that it comes to.
            let (times, factors) = self.forms.factors(n);
            if factors.len() > 1 {
                let factors: Result<Vec<Linear>, Stop> =
                    factors.into_iter().map(|n| self.linear(n)).collect();
                return Ok(self.product(&factors?)?.scaled(times.into())?);
            }
        }
        self.sum(&terms, constant)
    }

    fn sum(&mut self, terms: &[FormTerm], constant: i64) -> Result<Linear, Stop> {
        let mut sum = Linear::constant(constant.into());
        for (monomial, times) in &self.forms.sorted_terms(terms) {
            let factors: Result<Vec<Linear>, Stop> =
                monomial.iter().map(|g| self.generator(*g)).collect();
            let product = self.product(&factors?)?;
            sum.add_assign_scaled(&product, (*times).into())?;
        }
        Ok(sum)
    }

    fn product(&mut self, factors: &[Linear]) -> Result<Linear, Stop> {
        match factors {
            [only] => Ok(only.clone()),
            factors => self.apply(Function::Product, factors),
        }
    }

    fn apply(&mut self, function: Function, args: &[Linear]) -> Result<Linear, Stop> {
        // What is broadcast are dims, whether or not it is known already that they are not negative.
        let are_natural =
            function == Function::Broadcast || args.iter().all(|l| self.state.bounds(l).0 >= 0);
        let domain = match are_natural {
            true => Domain::interval(0, INF),
            false => Domain::ALL,
        };
        self.state.apply(function, args, domain)
    }

    fn generator(&mut self, form: Form) -> Result<Linear, Stop> {
        if let Some(v) = self.sizes.var(self.forms, form) {
            return Ok(Linear::var(v));
        }
        let sorted = |all: &[Num]| {
            let mut all = SmallVec::<[Num; 4]>::from_slice(all);
            all.sort_by(|a, b| self.forms.order(*a, *b));
            all
        };
        let (function, args): (Function, SmallVec<[Num; 4]>) = match self.forms.node(form) {
            Node::Floor(a, b) => (Function::FloorDiv, SmallVec::from_slice(&[*a, *b])),
            Node::Min(all) => (Function::Min, sorted(all)),
            Node::Max(all) => (Function::Max, sorted(all)),
            Node::Broadcast(all) => (Function::Broadcast, sorted(all)),
            // Every atom was made for a variable.
            Node::Atom(_) | Node::Sum(..) => return Err(Stop::Overflow),
        };
        let args: Result<Vec<Linear>, Stop> = args.into_iter().map(|n| self.linear(n)).collect();
        let value = self.apply(function, &args?)?;
        let value = self.state.resolve(&value)?;
        if let Some(v) = value.as_var() {
            self.sizes.vars.insert(form, v);
            // What sizes broadcast to has a name in types, and a condition defines it.
            if function != Function::Broadcast && self.sizes.num(v).is_none() {
                self.sizes.set_num(v, form.into());
            }
        }
        Ok(value)
    }

    /// A number with an atom for whatever sizes broadcast to in it.
    pub(super) fn without_broadcasts(&mut self, n: Num) -> Result<Num, Stop> {
        let mut all: SmallVec<[(Form, Num); 2]> = SmallVec::new();
        let mut found: SmallVec<[Form; 2]> = SmallVec::new();
        self.forms.all_generators(n, &mut |g| {
            if is_broadcast(self.forms, g) {
                found.push(g);
            }
            true
        });
        // Those inside of others come last.
        for g in found.into_iter().rev() {
            let value = self.generator(g)?;
            let mut reader = Reader {
                sizes: self.sizes,
                state: self.state,
                forms: self.forms,
            };
            let n = reader.num(&value).map_err(|Beyond| Stop::Overflow)?;
            all.push((g, n));
        }
        if all.is_empty() {
            return Ok(n);
        }
        let replaced = self.forms.replace(n, &mut |_, g| {
            Ok(all.iter().find(|own| own.0 == g).map(|own| own.1))
        });
        replaced.map_err(|Beyond| Stop::Overflow)
    }
}
