//! Constraints in the store: those that are suspended, what wakes them, and the worklist.

use super::constraint::{Constraint, Outcome};
use super::{Cell, Posted, State};
use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::limits::{NEW, SHORT_WATCH_LIST};
use crate::linear::{Linear, Var};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::Arc;

impl State {
    /// Adds a constraint; [`State::propagate`] runs it.
    pub fn post(&mut self, constraint: Constraint) -> Result<(), Stop> {
        work(NEW);
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
        // What waits for the sign of a form is woken by what says it.
        if vars.len() > 1
            && matches!(
                *self.posted[id as usize].constraint,
                Constraint::NonNegative(_)
            )
        {
            vars.iter().for_each(|v| self.wake(self.root(*v)));
        }
        self.watch_through(vars, id);
        self.enqueue(id);
        Ok(())
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
        let watch = &mut self.slot_mut(v).watch;
        if watch.last() == Some(&id) || watch.len() < SHORT_WATCH_LIST && watch.contains(&id) {
            return;
        }
        // What is bound hands its list on to each of the variables that it is bound to: without an
        // eye on repetitions, lists would double with every binding.
        if watch.len() >= SHORT_WATCH_LIST && watch.len().is_power_of_two() {
            work(watch.len());
            watch.sort_unstable();
            watch.dedup();
        }
        watch.push(id);
    }

    pub(super) fn wake(&mut self, v: Var) {
        let watching = self.slots[v.index()].watch.len();
        work(watching);
        for i in 0..watching {
            let id = self.slots[v.index()].watch[i];
            self.enqueue(id);
        }
    }

    pub(super) fn enqueue(&mut self, id: u32) {
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
            self.choices.note_run(posted.origin);
            let origin = std::mem::replace(&mut self.origin, posted.origin);
            self.running = id;
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
        work(self.posted.len() / 4);
        let open = self.posted.iter().enumerate().filter(|(_, p)| p.alive);
        open.map(|(i, p)| (i, &*p.constraint))
            .filter(|(_, c)| says(c))
    }

    /// The origins of the redundant choices that may refuse some values of these variables ([`may_refuse`](crate::Choice::may_refuse)), and
    /// are suspended on what they determine alone.
    pub fn refusing<'s>(&'s self, of: &'s impl Fn(Var) -> bool) -> impl Iterator<Item = u32> + 's {
        work(self.choices.pending.len() / 4);
        let may_refuse = |id: u32| match self.constraint(id) {
            Some(Constraint::Choice(choice)) if choice.is_redundant() && choice.may_refuse() => {
                let mut noted = choice.noted().peekable();
                let is_of = |v| self.is_determined(v, of);
                noted.peek().is_some() && noted.all(is_of)
            }
            _ => false,
        };
        let pending = self.choices.pending.iter().copied();
        pending
            .filter(move |id| may_refuse(*id))
            .map(|id| self.origin_of(id as usize))
    }

    /// Is the variable a number that these determine?
    fn is_determined(&self, v: Var, by: &impl Fn(Var) -> bool) -> bool {
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
        let new = count..self.posted.len();
        work(new.len() / 4);
        new.filter_map(|i| self.constraint(i as u32)).filter(says)
    }

    /// Is a relation of the caller or a choice suspended that was posted since there was this number of constraints
    /// ([`State::posted_count`])? Hints count: the goal behind a guard may bind any variable that it names.
    pub fn suspends_since(&self, count: usize) -> bool {
        let new = count..self.posted.len();
        work(new.len() / 4);
        let mut alive = new.filter_map(|i| self.constraint(i as u32));
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

/// Is a constraint more than a hint?
fn says(constraint: &&Constraint) -> bool {
    match constraint {
        Constraint::Choice(choice) => !choice.is_redundant(),
        Constraint::Custom(relation) => !relation.is_redundant(),
        _ => true,
    }
}
