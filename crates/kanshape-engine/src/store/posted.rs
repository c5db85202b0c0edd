//! Constraints in the store: those that are suspended, what wakes them, and the worklist.

use super::choice::Pending;
use super::constraint::{AfterRun, Constraint, Function};
use super::{Cell, Posted, State};
use crate::Int;
use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::limits::{NEW, SHORT_WATCH_LIST};
use crate::linear::{Linear, Var};
use crate::persistent::Vector;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::sync::Arc;

impl State {
    /// Adds a constraint; [`State::propagate`] runs it.
    pub fn post(&mut self, constraint: Constraint) -> Result<(), Stop> {
        work(NEW);
        let id = self.posted.len() as u32;
        let mut vars: SmallVec<[Var; 8]> = SmallVec::new();
        constraint.for_each_var(&mut |v| vars.push(v));
        if let Constraint::Choice(choice) = &constraint {
            self.choices.insert(self.origin, id, choice.is_redundant());
        }
        self.note_value(&constraint);
        let is_said_at_once = constraint.is_said_at_once();
        let says_sign = vars.len() > 1 && matches!(constraint, Constraint::NonNegative(_));
        self.posted.push_back(Posted {
            constraint: Some(Arc::new(constraint)),
            origin: self.origin,
        });
        match id % 64 {
            0 => self.alive.push_back(1),
            bit => self.alive[id as usize / 64] |= 1 << bit,
        }
        if says_sign {
            vars.iter().for_each(|v| self.wake_for_sign(self.root(*v)));
        }
        if !is_said_at_once {
            self.watch_through(vars, id);
        }
        self.worklist.push(id);
        Ok(())
    }

    /// Notes which variable an application is worth.
    fn note_value(&mut self, constraint: &Constraint) {
        if let Constraint::Apply { out, .. } = constraint
            && let Some(v) = out.as_var()
            && !self.slots[v.index()].is_value
        {
            self.slot_mut(v).is_value = true;
        }
    }

    /// Watches the open variables that `vars` have come to.
    pub(super) fn watch_through(&mut self, mut vars: SmallVec<[Var; 8]>, id: u32) {
        while let Some(v) = vars.pop() {
            work(1);
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

    pub(super) fn watch(&mut self, v: Var, id: u32) {
        let v = self.root(v);
        if matches!(self.cell(v), Cell::Number(_)) {
            return;
        }
        let watch = &self.slots[v.index()].watch;
        if watch.is_last(id) || watch.len() < SHORT_WATCH_LIST && watch.has_lately(id) {
            return;
        }
        // What is bound hands its list on to each of the variables that it is bound to: without an
        // eye on repetitions, lists would double with every binding.
        if watch.len() >= SHORT_WATCH_LIST && watch.len().is_power_of_two() {
            work(watch.len());
            let mut watch = std::mem::take(&mut self.slot_mut(v).watch);
            watch.sort_and_retain(|id| self.is_alive(id));
            self.slot_mut(v).watch = watch;
        }
        self.slot_mut(v).watch.push(id);
    }

    /// What waits for the sign of a form is woken by what says it. A comparison reads what its variables can be, and what they are values
    /// of: it has nothing new to examine, but choices of its origin may be decided.
    fn wake_for_sign(&mut self, v: Var) {
        let watch = &self.slots[v.index()].watch;
        work(watch.len());
        for id in watch.iter() {
            let posted = &self.posted[id as usize];
            match posted.constraint.as_deref() {
                Some(own) if own.is_comparison() => self.choices.note_run(posted.origin),
                Some(_) => self.worklist.push(id),
                None => {}
            }
        }
    }

    pub(super) fn wake(&mut self, v: Var) {
        let watch = &self.slots[v.index()].watch;
        let watching = watch.len();
        work(watching);
        if watching < SHORT_WATCH_LIST {
            watch.iter().for_each(|id| self.worklist.push(id));
            return;
        }
        let mut settled = 0;
        for id in watch.iter() {
            match is_alive(&self.alive, id) {
                true => self.worklist.push(id),
                false => settled += 1,
            }
        }
        // What many nodes require something of would otherwise be watched by all constraints that it ever had.
        if settled > watching / 2 {
            let mut watch = std::mem::take(&mut self.slot_mut(v).watch);
            watch.retain(|id| self.is_alive(id));
            self.slot_mut(v).watch = watch;
        }
    }

    /// Runs the constraints that have something new to look at, until nothing more follows.
    pub fn propagate(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        while let Some(id) = self.worklist.pop() {
            if !self.is_alive(id) {
                continue;
            }
            let posted = &self.posted[id as usize];
            budget.spend(1)?;
            let Some(constraint) = posted.constraint.clone() else {
                continue;
            };
            self.choices.note_run(posted.origin);
            let origin = std::mem::replace(&mut self.origin, posted.origin);
            self.running = id;
            let outcome = constraint.run(self, budget);
            self.origin = origin;
            match outcome? {
                AfterRun::Keep => {}
                // What it has posted says more.
                AfterRun::Become(_) if !self.is_alive(id) => {}
                AfterRun::Done => self.retire(id),
                AfterRun::Become(next) => {
                    let mut vars: SmallVec<[Var; 8]> = SmallVec::new();
                    next.for_each_var(&mut |v| vars.push(v));
                    self.note_value(&next);
                    self.posted[id as usize].constraint = Some(Arc::new(next));
                    self.watch_through(vars, id);
                }
            }
        }
        Ok(())
    }

    /// Does a constraint still say something?
    fn is_alive(&self, id: u32) -> bool {
        is_alive(&self.alive, id)
    }

    /// A constraint, if it still says something.
    pub(crate) fn constraint(&self, id: u32) -> Option<&Constraint> {
        self.posted[id as usize].constraint.as_deref()
    }

    /// A constraint says nothing any more.
    pub(crate) fn retire(&mut self, id: u32) {
        self.alive[id as usize / 64] &= !(1 << (id % 64));
        let posted = &mut self.posted[id as usize];
        let constraint = posted.constraint.take();
        if let Some(Constraint::Choice(choice)) = constraint.as_deref() {
            let (origin, is_redundant) = (posted.origin, choice.is_redundant());
            self.choices.remove(origin, id, is_redundant);
        }
    }

    /// Those that still say something of the constraints from this place on, in the order in which they were posted.
    fn alive_from(&self, first: usize) -> impl Iterator<Item = (usize, &Constraint)> {
        let words = first / 64..self.alive.len();
        work(words.len());
        let ids = words.flat_map(|i| {
            let mut left = self.alive[i];
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                Some(64 * i + bit)
            })
        });
        let ids = ids.skip_while(move |id| *id < first);
        ids.filter_map(|id| Some((id, self.posted[id].constraint.as_deref()?)))
    }

    /// The constraints that still say something, in the order in which they were posted: a hint says
    /// nothing yet.
    pub fn open_constraints(&self) -> impl Iterator<Item = &Constraint> {
        self.open_constraints_by_place().map(|(_, c)| c)
    }

    /// The same, each with its place among all that were posted.
    pub fn open_constraints_by_place(&self) -> impl Iterator<Item = (usize, &Constraint)> {
        self.alive_from(0).filter(|(_, c)| says(c))
    }

    /// The applications that say what these variables are, what those are that they are made of, and so on; each with its place
    /// among all that were posted, in that order. Also returns all of these variables.
    pub fn definitions_of(
        &self,
        vars: impl IntoIterator<Item = Var>,
    ) -> (Vec<(usize, &Constraint)>, FxHashSet<Var>) {
        let mut todo: Vec<Var> = vars.into_iter().collect();
        let mut seen: FxHashSet<Var> = FxHashSet::default();
        let mut found: BTreeSet<u32> = BTreeSet::new();
        while let Some(v) = todo.pop() {
            let v = self.root(v);
            if !seen.insert(v) {
                continue;
            }
            work(1);
            if let Cell::Linear(l) = self.cell(v) {
                todo.extend(l.vars());
                continue;
            }
            let watch = &self.slots[v.index()].watch;
            work(watch.len() / 4);
            for id in watch.iter() {
                let Some(Constraint::Apply { args, out, .. }) = self.constraint(id) else {
                    continue;
                };
                // What it was stated with may have come to be made of others.
                let is_in = |out: Linear| out.coefficient(v) != 0;
                if self.resolve(out).is_ok_and(is_in) && found.insert(id) {
                    todo.extend(out.vars().chain(args.iter().flat_map(Linear::vars)));
                }
            }
        }
        let all = found.into_iter();
        let all = all.filter_map(|id| Some((id as usize, self.constraint(id)?)));
        (all.collect(), seen)
    }

    /// The origins of the redundant choices that may refuse some values of these variables ([`may_refuse`](crate::Choice::may_refuse)), and
    /// are suspended on what they determine alone.
    pub fn refusing<'s>(&'s self, of: &'s impl Fn(Var) -> bool) -> impl Iterator<Item = u32> + 's {
        let is_one = move |choice: &Pending| choice.may_refuse() && self.waits_for(choice, of);
        self.suspended(is_one)
    }

    /// The origins of all redundant choices that are suspended on what these variables determine alone.
    pub fn waiting_for<'s>(
        &'s self,
        of: &'s impl Fn(Var) -> bool,
    ) -> impl Iterator<Item = u32> + 's {
        self.suspended(move |choice: &Pending| self.waits_for(choice, of))
    }

    /// The origins of the choices that search may split and that depend on an open size that these variables determine.
    pub fn choices_on(&self, of: &impl Fn(Var) -> bool) -> Vec<u32> {
        work(self.choices.len() / 4);
        let is_one = |v: Var| self.is_open(v) && self.is_determined(v, of);
        let depends = |id: u32| matches!(self.constraint(id), Some(Constraint::Choice(choice)) if choice.noted().any(is_one));
        let open = self.choices.open().filter(|(_, id)| depends(*id));
        let mut origins: Vec<u32> = open.map(|(origin, _)| origin).collect();
        origins.dedup();
        origins
    }

    /// The origins of the redundant choices that are suspended and of which `is_one` is true.
    fn suspended<'s>(
        &'s self,
        is_one: impl Fn(&Pending) -> bool + 's,
    ) -> impl Iterator<Item = u32> + 's {
        work(self.choices.len() / 4);
        let is_one = move |id: u32| matches!(self.constraint(id), Some(Constraint::Choice(choice)) if is_one(choice));
        let redundant = self.choices.redundant();
        redundant
            .filter(move |(_, id)| is_one(*id))
            .map(|(origin, _)| origin)
    }

    /// Does a choice wait for what these variables determine, and for nothing else?
    fn waits_for(&self, choice: &Pending, of: &impl Fn(Var) -> bool) -> bool {
        let mut noted = choice.noted().peekable();
        noted.peek().is_some() && noted.all(|v| self.is_determined(v, of))
    }

    /// Is the variable a number that these determine?
    pub fn is_determined(&self, v: Var, by: &impl Fn(Var) -> bool) -> bool {
        let mut seen: FxHashSet<Var> = FxHashSet::default();
        let mut todo = vec![v];
        while let Some(v) = todo.pop() {
            let v = self.root(v);
            if !seen.insert(v) {
                continue;
            }
            work(1);
            match self.cell(v) {
                Cell::Number(_) => {}
                Cell::Int(_) if by(v) => {}
                Cell::Linear(l) => todo.extend(l.vars()),
                Cell::Int(_) => match self.application_with(v) {
                    Some((args, out)) => {
                        todo.extend(args.iter().chain([out]).flat_map(Linear::vars));
                    }
                    None => return false,
                },
                _ => return false,
            }
        }
        true
    }

    /// The number and the integer of which an open variable is the quotient, rounded down: `h` and 4 of `h//4`.
    pub fn quotient_of(&self, v: Var) -> Option<(Linear, Int)> {
        let v = self.root(v);
        self.watching(v).find_map(|c| match c {
            Constraint::Apply {
                function: Function::FloorDiv,
                args,
                out,
            } => {
                let [dividend, divisor] = &args[..] else {
                    return None;
                };
                let is_it = self.resolve(out).ok()?.as_var() == Some(v);
                let divisor = self.resolve(divisor).ok()?.as_constant()?;
                is_it.then_some((self.resolve(dividend).ok()?, divisor))
            }
            _ => None,
        })
    }

    /// An application in whose value the open variable `v` is: of `2*d == n*n`, `n` determines `d`.
    fn application_with(&self, v: Var) -> Option<(&[Linear], &Linear)> {
        self.watching(v).find_map(|c| match c {
            Constraint::Apply { args, out, .. } => {
                // What it was stated with may have come to be made of others.
                let out_now = self.resolve(out).ok()?;
                (out_now.coefficient(v) != 0).then_some((args.as_slice(), out))
            }
            _ => None,
        })
    }

    /// The constraints that are not entailed yet, of those that were posted since there was this number of them
    /// ([`State::posted_count`]).
    pub fn open_constraints_since(&self, count: usize) -> impl Iterator<Item = &Constraint> {
        self.alive_from(count).map(|(_, c)| c).filter(says)
    }

    /// Is a relation of the caller or a choice suspended that was posted since there was this number of constraints
    /// ([`State::posted_count`])? Hints count: the goal behind a guard may bind any variable that it names.
    pub fn suspends_since(&self, count: usize) -> bool {
        let mut alive = self.alive_from(count).map(|(_, c)| c);
        alive.any(|c| matches!(c, Constraint::Custom(_) | Constraint::Choice(_)))
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
        watching.any(|id| self.is_alive(id))
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

    pub(super) fn note_origin(&mut self, v: Var) {
        let origin = self.origin;
        let slot = self.slot_mut(v);
        if slot.origin == 0 {
            slot.origin = origin;
        }
    }

    /// How many constraints have been posted so far: a mark between those before and those after.
    pub fn posted_count(&self) -> usize {
        self.posted.len()
    }
}

fn is_alive(alive: &Vector<u64>, id: u32) -> bool {
    let word = alive.get(id as usize / 64);
    word.is_some_and(|word| word >> (id % 64) & 1 != 0)
}

/// Is a constraint more than a hint?
fn says(constraint: &&Constraint) -> bool {
    match constraint {
        Constraint::Choice(choice) => !choice.is_redundant(),
        Constraint::Custom(relation) => !relation.is_redundant(),
        _ => true,
    }
}
