//! The store: what is known of every variable, and the constraints that wait.
//!
//! A [`State`] is persistent: a clone costs next to nothing and shares all that neither side has
//! changed since. It is indexed by variable number; a binding is written in place while nobody
//! shares its page.

use crate::budget::{Budget, Stop};
use crate::choice::Choices;
use crate::constraint::{Constraint, Function, Outcome};
use crate::domain::Domain;
use crate::int::{INF, Int, NEG_INF};
use crate::linear::Linear;
use crate::persistent::{HashMap, Vector};
use crate::sequence::Seq;
use crate::term::Term;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::Arc;

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

/// So many terms are written out for a form, and some more if one of those that it stands for is longer.
/// What needs more is beyond the engine, and that is said.
const MOST_TERMS: usize = 2048;
/// A list of constraints of this length or more is no longer searched for repetitions at every turn.
const FEW: usize = 16;

/// What a variable is.
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
    Run(Linear, Of),
    /// A sequence of parts.
    Seq(Seq),
    /// Anything, still open.
    Any,
    /// A term.
    Term(Term),
    /// The same as an older variable, of the same kind.
    Alias(Var),
}

/// What the members of a run can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// What the members of sequences are ([`State::with_members`]).
    Members,
    /// Any integer.
    Integers,
}

#[derive(Clone, Debug)]
struct Slot {
    cell: Cell,
    /// The constraints to run again when the cell changes.
    watch: SmallVec<[u32; 4]>,
    /// The first origin that learned something of it after it was made; 0 for none.
    origin: u32,
}

#[derive(Clone, Debug)]
struct Posted {
    constraint: Arc<Constraint>,
    alive: bool,
    origin: u32,
}

/// What is known at one point of the search.
#[derive(Clone, Debug, Default)]
pub struct State {
    slots: Vector<Slot>,
    posted: Vector<Posted>,
    /// Applications that are known, so that equal arguments give the same result.
    known: HashMap<(Function, SmallVec<[Linear; 2]>), Linear>,
    /// The factors of the variables that stand for monomials.
    monomials: HashMap<Var, SmallVec<[Linear; 2]>>,
    /// What callers keep of variables.
    described: HashMap<Var, Linear>,
    /// The domain of the members of sequences.
    members: Option<Arc<Domain>>,
    /// Are there sequences of other integers as well?
    free_runs: bool,
    /// A caller has stated a bound that is far out.
    far_bounds: bool,
    queue: VecDeque<u32>,
    queued: Vec<u64>,
    /// Whoever states what is being stated.
    origin: u32,
    /// The choices among the constraints.
    pub(crate) choices: Choices,
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
    pub(crate) fn member(&mut self, of: Of) -> Linear {
        let domain = self.domain_of(of);
        Linear::var(self.int(domain))
    }

    /// What a member of a sequence can be.
    pub(crate) fn domain_of(&self, of: Of) -> Domain {
        match (of, self.members.as_deref()) {
            (Of::Members, Some(members)) => members.clone(),
            _ => Domain::ALL,
        }
    }

    /// From now on the open run `v` has nothing but members.
    pub(crate) fn bound_run(&mut self, v: Var) {
        let v = self.root(v);
        if let Cell::Run(_, of) = &mut self.slots[v.index()].cell {
            *of = Of::Members;
        }
    }

    fn fresh(&mut self, cell: Cell) -> Var {
        let v = Var(self.slots.len() as u32);
        self.slots.push_back(Slot {
            cell,
            watch: SmallVec::new(),
            origin: 0,
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
        self.fresh(Cell::Run(length, Of::Members))
    }

    /// A new sequence of any integers, whose length is `length`.
    pub fn free_run(&mut self, length: Linear) -> Var {
        self.free_runs = true;
        self.fresh(Cell::Run(length, Of::Integers))
    }

    /// From now on sequences may have other integers in them than members.
    pub fn allow_free_runs(&mut self) {
        self.free_runs = true;
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

    pub(crate) fn has_free_runs(&self) -> bool {
        self.free_runs
    }

    pub(crate) fn run_like(&mut self, length: Linear, of: Of) -> Var {
        self.fresh(Cell::Run(length, of))
    }

    /// A new variable for any term.
    pub fn any(&mut self) -> Var {
        self.fresh(Cell::Any)
    }

    /// A variable that stands for a term. A node whose children are such variables is shallow, however much is
    /// in it.
    pub fn standing_for(&mut self, term: Term) -> Var {
        self.fresh(Cell::Term(term))
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

    // Integers

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
            _ => {}
        }
        let mut sum = Linear::constant(l.offset());
        // The first ones come first, so that each goes behind the others.
        let mut todo: SmallVec<[(Var, Int); 8]> = l.terms().iter().rev().copied().collect();
        // Forms that share what they stand for could be written out over and over again.
        let (mut written_out, mut longest) = (0, l.terms().len());
        while let Some((v, c)) = todo.pop() {
            match self.cell(v) {
                Cell::Int(_) => sum.add_term(v, c)?,
                Cell::Number(n) => sum.add_constant(n.checked_mul(c).ok_or(Stop::Overflow)?)?,
                Cell::Alias(w) => todo.push((*w, c)),
                Cell::Linear(e) => {
                    written_out += e.terms().len();
                    longest = longest.max(e.terms().len());
                    if written_out > MOST_TERMS + 8 * longest {
                        return Err(Stop::Overflow);
                    }
                    sum.add_constant(e.offset().checked_mul(c).ok_or(Stop::Overflow)?)?;
                    for &(w, d) in e.terms() {
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
        crate::bounds::of_linear(self, l)
    }

    /// The bounds of the domain of an open variable, without copying its list.
    pub(crate) fn var_bounds(&self, v: Var) -> (Int, Int) {
        match self.cell(v) {
            Cell::Int(d) => (d.lo(), d.hi()),
            Cell::Number(n) => (*n, *n),
            Cell::Alias(w) => self.var_bounds(self.root(*w)),
            Cell::Linear(l) => self.bounds(l),
            _ => (crate::int::NEG_INF, crate::int::INF),
        }
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
        self.slots[v.index()].cell = cell;
        self.note_origin(v);
        self.wake(v);
        Ok(())
    }

    /// From now on `l` is in `domain`.
    pub fn restrict(&mut self, l: &Linear, domain: &Domain) -> Result<(), Stop> {
        crate::bounds::restrict(self, l, domain)
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
            if self.definition(newest.0).is_none() {
                return newest;
            }
            let mut others = solvable.filter(|t| self.is_unbounded(t.0));
            let unknown = others.find(|t| self.definition(t.0).is_none());
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
    fn is_unbounded(&self, v: Var) -> bool {
        let (lo, hi) = self.var_bounds(v);
        lo == NEG_INF || hi == INF
    }

    /// The application that the open variable `v` is the value of, if it is known to be one.
    pub(crate) fn definition(&self, v: Var) -> Option<(Function, &[Linear])> {
        let watching = self.slots[v.index()].watch.iter();
        let mut posted = watching.filter_map(|&id| self.constraint(id));
        posted.find_map(|c| match c {
            Constraint::Apply {
                function,
                args,
                out,
            } if out.as_var() == Some(v) => Some((*function, args.as_slice())),
            _ => None,
        })
    }

    /// Binds the open variable `v` to a resolved form that it is not in.
    fn bind_int(&mut self, v: Var, value: Linear) -> Result<(), Stop> {
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
        let slot = &mut self.slots[v.index()];
        slot.cell = cell;
        let watch = std::mem::take(&mut slot.watch);
        self.note_origin(v);
        for w in vars {
            for &id in &watch {
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
        crate::constraint::apply(self, function, args, domain)
    }

    /// From now on `out = function(args)`.
    pub fn relate(
        &mut self,
        function: Function,
        args: &[Linear],
        out: &Linear,
    ) -> Result<(), Stop> {
        crate::constraint::relate(self, function, args, out)
    }

    pub(crate) fn known(&self, key: &(Function, SmallVec<[Linear; 2]>)) -> Option<&Linear> {
        self.known.get(key)
    }

    pub(crate) fn factors(&self, v: Var) -> &[Linear] {
        self.monomials.get(&v).map_or(&[], |f| f.as_slice())
    }

    pub(crate) fn note_factors(&mut self, v: Var, factors: SmallVec<[Linear; 2]>) {
        self.monomials.insert(v, factors);
    }

    pub(crate) fn learn(&mut self, key: (Function, SmallVec<[Linear; 2]>), out: Linear) {
        self.known.insert(key, out);
    }

    /// Keeps a form for a variable, which tells a caller more of it than its value would. The engine makes nothing
    /// of it: it hands it on to the variable that this one comes to be, and wakes what watches it.
    pub fn describe(&mut self, v: Var, form: Linear) {
        let v = self.root(v);
        self.described.insert(v, form);
        self.wake(v);
    }

    /// The form that is kept for a variable.
    pub fn description(&self, v: Var) -> Option<&Linear> {
        self.described.get(&self.root(v))
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
            self.slots[v.index()].cell = Cell::Atom(new);
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

    // Constraints

    /// Adds a constraint; [`State::propagate`] runs it.
    pub fn post(&mut self, constraint: Constraint) -> Result<(), Stop> {
        let id = self.posted.len() as u32;
        let mut vars: SmallVec<[Var; 8]> = SmallVec::new();
        constraint.for_each_var(&mut |v| vars.push(v));
        if let Constraint::Choice(_) = constraint {
            self.choices.pending.push(id);
        }
        self.posted.push_back(Posted {
            constraint: Arc::new(constraint),
            alive: true,
            origin: self.origin,
        });
        self.watch_through(vars, id);
        self.enqueue(id);
        Ok(())
    }

    /// Watches the open variables that `vars` have come to.
    fn watch_through(&mut self, mut vars: SmallVec<[Var; 8]>, id: u32) {
        while let Some(v) = vars.pop() {
            match self.cell(v) {
                Cell::Number(_) => {}
                Cell::Alias(w) => vars.push(*w),
                Cell::Linear(l) => vars.extend(l.vars()),
                Cell::Seq(s) => s.for_each_var(&mut |w| vars.push(w)),
                Cell::Run(length, _) => {
                    vars.extend(length.vars());
                    self.watch(v, id);
                }
                Cell::Int(_) | Cell::Atom(_) | Cell::Any | Cell::Term(_) => self.watch(v, id),
            }
        }
    }

    fn watch(&mut self, v: Var, id: u32) {
        let v = self.root(v);
        if matches!(self.cell(v), Cell::Number(_)) {
            return;
        }
        let watch = &mut self.slots[v.index()].watch;
        if watch.last() == Some(&id) || watch.len() < FEW && watch.contains(&id) {
            return;
        }
        // What is bound hands its list on to each of the variables that it is bound to: without an
        // eye on repetitions, lists would double with every binding.
        if watch.len() >= FEW && watch.len().is_power_of_two() {
            watch.sort_unstable();
            watch.dedup();
        }
        watch.push(id);
    }

    fn wake(&mut self, v: Var) {
        for i in 0..self.slots[v.index()].watch.len() {
            let id = self.slots[v.index()].watch[i];
            self.enqueue(id);
        }
    }

    fn enqueue(&mut self, id: u32) {
        let (word, bit) = (id as usize / 64, 1 << (id % 64));
        if self.queued.len() <= word {
            self.queued.resize(word + 1, 0);
        }
        if self.queued[word] & bit == 0 {
            self.queued[word] |= bit;
            self.queue.push_back(id);
        }
    }

    /// Runs the constraints that have something new to look at, until nothing more follows.
    pub fn propagate(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        while let Some(id) = self.queue.pop_front() {
            self.queued[id as usize / 64] &= !(1 << (id % 64));
            let posted = &self.posted[id as usize];
            if !posted.alive {
                continue;
            }
            budget.spend(1)?;
            let constraint = Arc::clone(&posted.constraint);
            let origin = std::mem::replace(&mut self.origin, posted.origin);
            let outcome = constraint.run(self, budget);
            self.origin = origin;
            match outcome? {
                Outcome::Keep => {}
                Outcome::Done => self.posted[id as usize].alive = false,
                Outcome::Become(next) => {
                    let mut vars: SmallVec<[Var; 8]> = SmallVec::new();
                    next.for_each_var(&mut |v| vars.push(v));
                    self.posted[id as usize].constraint = Arc::new(next);
                    self.watch_through(vars, id);
                }
            }
        }
        Ok(())
    }

    /// A constraint, if it still says something.
    pub(crate) fn constraint(&self, id: u32) -> Option<&Constraint> {
        let posted = &self.posted[id as usize];
        posted.alive.then_some(&*posted.constraint)
    }

    /// A constraint says nothing any more.
    pub(crate) fn retire(&mut self, id: u32) {
        self.posted[id as usize].alive = false;
    }

    /// The constraints that still say something, in the order in which they were posted: a hint says
    /// nothing yet.
    pub fn open_constraints(&self) -> impl Iterator<Item = &Constraint> {
        self.open_constraints_by_place().map(|(_, c)| c)
    }

    /// The same, each with its place among all that were posted.
    pub fn open_constraints_by_place(&self) -> impl Iterator<Item = (usize, &Constraint)> {
        let open = self.posted.iter().enumerate().filter(|(_, p)| p.alive);
        open.map(|(i, p)| (i, &*p.constraint))
            .filter(|(_, c)| match c {
                Constraint::Choice(choice) => !choice.is_redundant(),
                Constraint::Custom(relation) => !relation.is_redundant(),
                _ => true,
            })
    }

    /// Is the variable an integer of which no value and no form is known?
    pub fn is_open(&self, v: Var) -> bool {
        matches!(self.cell(v), Cell::Int(_))
    }

    /// Is the variable an integer, whatever is known of it?
    pub fn is_int(&self, v: Var) -> bool {
        matches!(
            self.cell(self.root(v)),
            Cell::Int(_) | Cell::Number(_) | Cell::Linear(_)
        )
    }

    /// Is a constraint suspended on the variable?
    pub fn is_watched(&self, v: Var) -> bool {
        let mut watching = self.slots[self.root(v).index()].watch.iter();
        watching.any(|&id| self.constraint(id).is_some())
    }

    /// From now on whatever is stated has this origin: a number of the caller's, 0 for none. What follows from a
    /// constraint has the origin of that. Returns the origin before.
    pub fn set_origin(&mut self, origin: u32) -> u32 {
        std::mem::replace(&mut self.origin, origin)
    }

    /// Whoever states what is being stated.
    pub(crate) fn origin(&self) -> u32 {
        self.origin
    }

    /// The origin of the constraint that was posted at this place.
    pub fn origin_of(&self, place: usize) -> u32 {
        self.posted[place].origin
    }

    /// The first origin that learned something of a variable, other than what it was made with; 0 for none.
    pub fn origin_of_var(&self, v: Var) -> u32 {
        self.slots[v.index()].origin
    }

    fn note_origin(&mut self, v: Var) {
        let slot = &mut self.slots[v.index()];
        if slot.origin == 0 {
            slot.origin = self.origin;
        }
    }

    /// How many constraints have been posted so far: a mark between those before and those after.
    pub fn posted_count(&self) -> usize {
        self.posted.len()
    }
}
