//! The store: what is known of every variable, and the constraints that wait.
//!
//! A [`State`] is persistent: a clone costs next to nothing and shares all that neither side has
//! changed since. It is indexed by variable number; a binding is written in place while nobody
//! shares its page.

pub(crate) mod bounds;
pub(crate) mod choice;
pub(crate) mod constraint;
mod envelope;
pub(crate) mod goal;
mod integers;
mod posted;
pub(crate) mod relation;
mod replaced;
pub(crate) mod sequence;
mod suspended;
pub(crate) mod term;
mod worklist;

use crate::budget::Stop;
use crate::control::work;
use crate::domain::Domain;
use crate::int::Int;
use crate::limits::{NEW, PAGE};
use crate::linear::{Linear, Var};
use crate::persistent::{HashMap, OrdSet, Vector, since};
use crate::store::constraint::{Constraint, Function};
use crate::store::replaced::Replaced;
use crate::store::sequence::Seq;
use crate::store::suspended::Choices;
use crate::store::term::Term;
use crate::store::worklist::{WatchList, Worklist};
use smallvec::SmallVec;
use std::sync::Arc;

/// What a variable is. Cells are copied by the page, so that what is large stands elsewhere.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// An integer, still open.
    Int(Domain),
    /// A number.
    Number(Int),
    /// An integer that a linear form over other variables gives.
    Linear(Arc<Linear>),
    /// One of a finite set of at most 64 atoms: those whose bits are set are still possible.
    Atom(u64),
    /// A sequence, still open, with its length, and of what.
    Run(Arc<Linear>, Elements),
    /// A sequence of parts.
    Seq(Seq),
    /// Anything, still open.
    Any,
    /// A term.
    Term(Arc<Term>),
    /// The same as an older variable, of the same kind.
    Alias(Var),
}

/// What the members of a run can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    /// What the members of sequences are ([`State::with_members`]).
    Members,
    /// Any integer.
    Any,
}

#[derive(Clone, Debug)]
struct Slot {
    cell: Cell,
    /// The constraints to run again when the cell changes.
    watch: WatchList,
    /// The first origin that learned something of it after it was made; 0 for none.
    origin: u32,
    /// An application was posted whose value it is. Without this mark, none is searched for among its constraints.
    is_value: bool,
}

#[derive(Clone, Debug)]
struct Posted {
    /// None once it says nothing any more: most of what is posted soon does, and is large.
    constraint: Option<Arc<Constraint>>,
    origin: u32,
}

/// A function and its arguments.
type Application = (Function, SmallVec<[Linear; 2]>);

/// Something, and the constraint that says so.
type By<T> = Arc<(T, u32)>;

/// What is known at one point of the search. A write to a persistent map copies a node with its entries, so large keys and values are behind
/// an `Arc`.
#[derive(Clone, Debug, Default)]
pub struct State {
    slots: Vector<Slot>,
    posted: Vector<Posted>,
    /// Those that still say something, as bits: most of them soon say nothing any more.
    alive: Vector<u64>,
    /// Applications that are known, so that equal arguments give the same result, each with the constraint that says so.
    known: HashMap<Arc<Application>, By<Linear>>,
    /// The factors of the variables that denote monomials, each with the constraint that says so.
    monomials: HashMap<Var, By<SmallVec<[Linear; 2]>>>,
    /// The constraints that replace others about products, by constraint.
    replaced: Replaced,
    /// What callers keep of variables.
    described: HashMap<Var, Linear>,
    /// The domain of the members of sequences.
    members: Option<Arc<Domain>>,
    /// Are there sequences of other integers as well?
    has_integers: bool,
    /// A caller has stated a bound that is far out.
    far_bounds: bool,
    /// Relations require nothing that need not hold.
    exact: bool,
    /// The origins of the relations that have required more than has to hold.
    assuming: OrdSet<u32>,
    /// The unknown terms that have been bound to a sequence or to another unknown, in that order, if a caller needs them.
    bound: Option<Arc<Vector<Var>>>,
    worklist: Worklist,
    /// Whoever states what is being stated.
    origin: u32,
    /// The constraint that is being run.
    running: u32,
    /// The choices among the constraints.
    pub(crate) choices: Choices,
    /// The pages of slots that have been written since they were last counted, as bits.
    changed: SmallVec<[u64; 2]>,
}

impl State {
    /// Nothing known.
    pub fn new() -> State {
        State::default()
    }

    /// Nothing known, and every member of a sequence will be in `members`.
    pub fn with_members(members: Domain) -> State {
        State {
            members: Some(Arc::new(members)),
            ..State::default()
        }
    }

    /// A new member of a sequence.
    pub(crate) fn member(&mut self, of: Elements) -> Linear {
        let domain = self.domain_of(of);
        Linear::var(self.int(domain))
    }

    /// What a member of a sequence can be.
    pub(crate) fn domain_of(&self, of: Elements) -> Domain {
        match (of, self.members.as_deref()) {
            (Elements::Members, Some(members)) => members.clone(),
            _ => Domain::ALL,
        }
    }

    /// From now on the open run `v` has nothing but members.
    pub(crate) fn require_members(&mut self, v: Var) {
        let v = self.root(v);
        if let Cell::Run(_, of) = &mut self.slot_mut(v).cell {
            *of = Elements::Members;
        }
    }

    fn fresh(&mut self, cell: Cell) -> Var {
        let v = Var(self.slots.len() as u32);
        work(NEW);
        self.note_page(v);
        self.slots.push_back(Slot {
            cell,
            watch: WatchList::default(),
            origin: 0,
            is_value: false,
        });
        v
    }

    /// A new integer variable.
    pub fn int(&mut self, domain: Domain) -> Var {
        match domain.single() {
            Some(n) => self.fresh(Cell::Number(n)),
            None => self.fresh(Cell::Int(domain)),
        }
    }

    /// A new variable over atoms: one of the bits of `mask`, which has at least one.
    pub fn atom(&mut self, mask: u64) -> Var {
        self.fresh(Cell::Atom(mask))
    }

    /// A new sequence of unknown length. Its length becomes a variable of its own.
    pub fn run(&mut self, length: Domain) -> Var {
        let length = Linear::var(self.int(length));
        self.run_of_length(length)
    }

    /// A new sequence whose length is `length`.
    pub fn run_of_length(&mut self, length: Linear) -> Var {
        self.fresh(Cell::Run(length.into(), Elements::Members))
    }

    /// A new sequence of any integers, whose length is `length`.
    pub fn run_of_integers(&mut self, length: Linear) -> Var {
        self.has_integers = true;
        self.fresh(Cell::Run(length.into(), Elements::Any))
    }

    /// From now on sequences may have other integers in them than members.
    pub fn allow_integers(&mut self) {
        self.has_integers = true;
    }

    /// Notes that a bound was stated that is as far out as those that the limits of what is representable come to. The
    /// engine makes nothing of it: it is for whoever writes down what the store knows.
    pub fn note_far_bound(&mut self) {
        self.far_bounds = true;
    }

    /// Has such a bound been stated?
    pub fn has_far_bound(&self) -> bool {
        self.far_bounds
    }

    /// From now on relations require nothing but what has to hold, and say less where they can't say that.
    pub fn be_exact(&mut self) {
        self.exact = true;
    }

    /// Has to hold all that is required?
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Notes that what is being stated requires more than has to hold.
    pub(crate) fn note_assuming(&mut self) {
        self.assuming.insert(self.origin);
    }

    /// Has something with this origin required [more than has to hold](crate::View::note_assumption)?
    pub fn assumes(&self, origin: u32) -> bool {
        self.assuming.contains(&origin)
    }

    /// From now on it is noted which unknown terms come to be a sequence, or the same as another one.
    pub fn note_bound(&mut self) {
        self.bound.get_or_insert_default();
    }

    /// How many have been noted.
    pub fn bound_count(&self) -> usize {
        self.bound.as_ref().map_or(0, |bound| bound.len())
    }

    /// Those that were noted since there was this number of them ([`State::bound_count`]). A caller that waits for what some are
    /// made of looks at these alone.
    pub fn bound_since(&self, count: usize) -> impl Iterator<Item = Var> + '_ {
        let bound = self.bound.iter();
        bound.flat_map(move |bound| since(bound, count).copied())
    }

    pub(crate) fn note_binding(&mut self, v: Var) {
        if let Some(bound) = &mut self.bound {
            Arc::make_mut(bound).push_back(v);
        }
    }

    pub(crate) fn has_free_runs(&self) -> bool {
        self.has_integers
    }

    pub(crate) fn run_like(&mut self, length: Linear, of: Elements) -> Var {
        self.fresh(Cell::Run(length.into(), of))
    }

    /// A new variable for any term.
    pub fn any(&mut self) -> Var {
        self.fresh(Cell::Any)
    }

    /// A variable that denotes a term. A node whose children are such variables is shallow, however much is
    /// in it.
    pub fn standing_for(&mut self, term: Term) -> Var {
        self.fresh(Cell::Term(term.into()))
    }

    /// What is known of a variable, to be changed. A page that this state has not changed yet is copied.
    fn slot_mut(&mut self, v: Var) -> &mut Slot {
        self.note_page(v);
        &mut self.slots[v.index()]
    }

    fn note_page(&mut self, v: Var) {
        let page = v.index() / PAGE;
        let (word, bit) = (page / 64, 1 << (page % 64));
        if self.changed.len() <= word {
            self.changed.resize(word + 1, 0);
        }
        if self.changed[word] & bit == 0 {
            self.changed[word] |= bit;
            work(PAGE);
        }
    }

    /// From now on the pages are counted that this state and its clones have of their own.
    pub(crate) fn count_pages_from_here(&mut self) {
        self.changed.clear();
    }

    /// Counts a copy of it.
    pub(crate) fn count_copy(&self) {
        let lists = self.worklist.size() + self.choices.decided.len();
        work(8 + lists / 8);
    }

    /// The bytes that it does not share with the state from which they are counted, or a few more.
    pub(crate) fn own_bytes(&self) -> usize {
        let pages: u32 = self.changed.iter().map(|w| w.count_ones()).sum();
        let lists = self.worklist.size() * 8 + self.choices.len() * 8;
        pages as usize * PAGE * size_of::<Slot>() + lists + size_of::<State>()
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn cell(&self, v: Var) -> &Cell {
        &self.slots[v.index()].cell
    }

    /// The oldest variable that is known to be the same as `v`.
    pub fn root(&self, mut v: Var) -> Var {
        while let Cell::Alias(w) = self.cell(v) {
            v = *w;
        }
        v
    }

    // Atoms

    /// The atoms that `v` can still be.
    pub fn mask(&self, v: Var) -> u64 {
        match self.cell(self.root(v)) {
            Cell::Atom(mask) => *mask,
            _ => 0,
        }
    }

    /// From now on `v` is one of `mask`.
    pub fn restrict_atom(&mut self, v: Var, mask: u64) -> Result<(), Stop> {
        let v = self.root(v);
        let Cell::Atom(old) = self.cell(v) else {
            return Err(Stop::Conflict);
        };
        let (old, new) = (*old, old & mask);
        if new == 0 {
            return Err(Stop::Conflict);
        }
        if new != old {
            self.slot_mut(v).cell = Cell::Atom(new);
            self.wake(v);
        }
        Ok(())
    }

    /// From now on the atoms `a` and `b` are the same.
    pub fn equate_atoms(&mut self, a: Var, b: Var) -> Result<(), Stop> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        let (older, newer) = (a.min(b), a.max(b));
        let mask = self.mask(newer);
        self.restrict_atom(older, mask)?;
        self.bind(newer, Cell::Alias(older), std::iter::once(older));
        self.wake(older);
        Ok(())
    }

    /// Collects the open integer variables that `v` has come to.
    pub(crate) fn open_ints(&self, v: Var, into: &mut Vec<Var>) {
        let mut todo: SmallVec<[Var; 8]> = SmallVec::from_slice(&[v]);
        while let Some(v) = todo.pop() {
            match self.cell(v) {
                Cell::Int(_) => into.push(v),
                Cell::Alias(w) => todo.push(*w),
                Cell::Linear(l) => todo.extend(l.vars()),
                Cell::Run(length, _) => todo.extend(length.vars()),
                Cell::Seq(s) => s.for_each_var(&mut |w| todo.push(w)),
                _ => {}
            }
        }
    }

    /// The open variables of a form.
    pub fn open_vars_of(&self, l: &Linear) -> Vec<Var> {
        let mut vars = Vec::new();
        for v in l.vars() {
            self.open_ints(v, &mut vars);
        }
        work(vars.len());
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// The number that `v` is known to be.
    pub fn value(&self, v: Var) -> Option<Int> {
        self.resolve(&Linear::var(v)).ok()?.as_constant()
    }

    /// The value of `v` where `open` gives the values of open variables (0 where it gives none).
    pub(crate) fn value_with(&self, v: Var, open: &dyn Fn(Var) -> Option<Int>) -> Int {
        match self.cell(v) {
            Cell::Int(_) => open(v).unwrap_or(0),
            Cell::Number(n) => *n,
            _ => match self.resolve(&Linear::var(v)) {
                Ok(l) => l.terms().iter().fold(l.offset(), |sum, &(w, c)| {
                    sum.saturating_add(c.saturating_mul(open(w).unwrap_or(0)))
                }),
                Err(_) => 0,
            },
        }
    }
}
