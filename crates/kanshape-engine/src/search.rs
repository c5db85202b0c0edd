//! Search: a fair stream of the states in which a goal holds.
//!
//! Everything that can go only one way is done first. What is left to choose is put off, and the
//! choice with the fewest ways is split; the branches queue up, so that an endless one starves no
//! other.

use crate::budget::{Budget, Stop};
use crate::enumerate::{Chooser, pick};
use crate::int::Int;
use crate::limits::{MAX_BRANCHES, MAX_HELD, MAX_LABELLED, TURN};
use crate::linear::{Linear, Var};
use crate::store::State;
use crate::store::choice::{Decided, OneOf, Pending};
use crate::store::constraint::Constraint;
use crate::store::goal::{Goal, Later};
use crate::store::relation::View;
use crate::store::term::Term;
use std::collections::VecDeque;
use std::sync::Arc;

/// A branch: what is known in it, and what is still to be chosen or made.
#[derive(Clone, Debug)]
struct Branch {
    state: State,
    /// Goals not yet examined, the next one last.
    todo: Vec<Goal>,
}

impl Branch {
    /// Everything in it has been examined.
    fn settled(state: State) -> Branch {
        Branch {
            state,
            todo: Vec::new(),
        }
    }
}

/// The states in which a goal holds, one by one, in fair order.
///
/// In each of them every constraint has been run, and no sequence of unknown length keeps another
/// from being known; numbers may be open, under the constraints that are left
/// ([`State::open_constraints`]).
#[derive(Clone, Debug)]
pub struct Stream {
    branches: VecDeque<Branch>,
    /// The runs in these must be split until their lengths are numbers.
    measured: Vec<Term>,
    /// How many of the children of a node with this label are measured.
    measured_children: fn(u32) -> usize,
    overflowed: bool,
    /// What was known where the search forked first, if it did.
    whole: Option<State>,
    /// The bytes that the branches do not share.
    held: usize,
    /// Where branches are chosen: how many at the end of the queue come from one split, for each split that is not
    /// worked off, the latest last.
    splits: Vec<usize>,
}

impl Stream {
    /// The states in which `goal` holds beside what `state` knows.
    pub fn new(mut state: State, goal: Goal) -> Stream {
        state.count_pages_from_here();
        Stream {
            held: 0,
            branches: VecDeque::from([Branch {
                state,
                todo: vec![goal],
            }]),
            measured: Vec::new(),
            measured_children: |_| usize::MAX,
            overflowed: false,
            whole: None,
            splits: Vec::new(),
        }
    }

    /// Splits the runs in these terms too until their lengths are numbers: of a node with this label, those in this many
    /// of its first children.
    pub fn measuring(
        mut self,
        terms: impl IntoIterator<Item = Term>,
        children: fn(u32) -> usize,
    ) -> Stream {
        self.measured.extend(terms);
        self.measured_children = children;
        self
    }

    /// Was a branch given up because a number grew too large? Then there may be states that were
    /// not shown.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Has there been more than one branch so far?
    pub fn forked(&self) -> bool {
        self.whole.is_some()
    }

    /// What was known where the search forked first, if it did: all states that are shown are cases of it.
    pub fn whole(&self) -> Option<&State> {
        self.whole.as_ref()
    }

    fn fork(&mut self, state: &State) {
        if self.whole.is_none() {
            self.whole = Some(state.clone());
        }
    }

    /// The next state, or `None` if there are no more.
    ///
    /// # Errors
    /// [`Stop::Budget`] if the steps ran out; the stream can be carried on with new ones.
    pub fn next(&mut self, budget: &mut Budget) -> Result<Option<State>, Stop> {
        while let Some(branch) = self.branches.pop_front() {
            if self.held > MAX_HELD {
                self.branches.push_front(branch);
                return Err(Stop::Budget);
            }
            if let Err(stop) = budget.spend(1) {
                self.branches.push_front(branch);
                return Err(stop);
            }
            self.held = self.held.saturating_sub(branch.state.own_bytes());
            branch.state.count_copy();
            let copy = (budget.left() < 1 << 16).then(|| branch.clone());
            match self.step(branch, budget) {
                Ok(Some(state)) => return Ok(Some(state)),
                Ok(None) | Err(Stop::Conflict) => {}
                Err(Stop::Overflow) => self.overflowed = true,
                Err(Stop::Budget) => {
                    copy.into_iter().for_each(|branch| self.put(branch));
                    return Err(Stop::Budget);
                }
            }
        }
        Ok(None)
    }

    /// The next state where `chooser` chooses which branch of a split comes first; the others come when it has no more. So a
    /// state is found soon, but the order is not fair. A stream is used in one of the two ways.
    ///
    /// # Errors
    /// [`Stop::Budget`] if the steps ran out.
    pub fn choose(
        &mut self,
        chooser: &mut Chooser<'_>,
        budget: &mut Budget,
    ) -> Result<Option<State>, Stop> {
        loop {
            while self.splits.last() == Some(&0) {
                self.splits.pop();
            }
            let Some(split) = self.splits.last_mut() else {
                match self.branches.len() {
                    0 => return Ok(None),
                    all => self.splits.push(all),
                }
                continue;
            };
            let at = self.branches.len() - *split + pick(chooser, *split);
            *split -= 1;
            budget.spend(1)?;
            if self.held > MAX_HELD {
                return Err(Stop::Budget);
            }
            let Some(branch) = self.branches.remove(at) else {
                return Ok(None);
            };
            self.held = self.held.saturating_sub(branch.state.own_bytes());
            branch.state.count_copy();
            let others = self.branches.len();
            match self.step(branch, budget) {
                Ok(Some(state)) => return Ok(Some(state)),
                Ok(None) | Err(Stop::Conflict) => {}
                Err(Stop::Overflow) => self.overflowed = true,
                Err(Stop::Budget) => return Err(Stop::Budget),
            }
            if self.branches.len() > others {
                self.splits.push(self.branches.len() - others);
            }
        }
    }

    /// Puts a branch behind the others.
    fn put(&mut self, branch: Branch) {
        self.held += branch.state.own_bytes();
        branch.state.count_copy();
        self.branches.push_back(branch);
    }

    /// Goes on with a state that was shown: in one branch the run is as short as it can be, in
    /// another it is longer.
    ///
    /// # Errors
    /// [`Stop`] if the state can't be carried on.
    pub fn split(&mut self, state: State, run: Var) -> Result<(), Stop> {
        self.fork(&state);
        for shortest in [true, false] {
            let mut state = state.clone();
            match state.split_run(run, shortest) {
                Ok(()) => self.put(Branch::settled(state)),
                Err(Stop::Conflict) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Goes on with a state that was shown, in one branch for each value of an open variable.
    ///
    /// # Errors
    /// [`Stop`] if the state can't be carried on.
    pub fn split_values(&mut self, state: &State, v: Var) -> Result<(), Stop> {
        self.fork(state);
        let domain = state.domain(v);
        let mut next = Some(domain.lo());
        while let Some(x) = next {
            let mut state = state.clone();
            match state.equate(&Linear::var(v), &Linear::constant(x)) {
                Ok(()) => self.put(Branch::settled(state)),
                Err(Stop::Conflict) => {}
                Err(stop) => return Err(stop),
            }
            next = domain.next_above(x);
        }
        Ok(())
    }

    /// Carries one branch on to a state that can be shown, or splits it.
    fn step(&mut self, mut b: Branch, budget: &mut Budget) -> Result<Option<State>, Stop> {
        let mut made = false;
        let mut turn = TURN;
        loop {
            while let Some(goal) = b.todo.pop() {
                budget.spend(1)?;
                if let Some(make) = b.state.take_on(goal, &mut b.todo, budget)? {
                    if made {
                        // One at a turn: recursion goes to the back of the queue.
                        b.todo.push(Goal::Later(make));
                        b.state.propagate(budget)?;
                        self.put(b);
                        return Ok(None);
                    }
                    made = true;
                    let goal = make(&mut b.state)?;
                    b.todo.push(goal);
                }
            }
            b.state.propagate(budget)?;
            if !b.state.has_decided() {
                break;
            }
            if turn == 0 {
                self.put(b);
                return Ok(None);
            }
            turn -= 1;
            if let Some(Decided {
                choice,
                way,
                origin,
            }) = b.state.next_decided()
            {
                b.state.set_origin(origin);
                let goal = choice.take(way, &mut View::new(&mut b.state, budget))?;
                b.todo.push(goal);
            }
        }
        if let Some(fork) = b.state.fewest_ways(budget)? {
            self.fork(&b.state);
            for way in fork.ways {
                let mut next = b.clone();
                next.state
                    .decide(Arc::clone(&fork.choice), way, fork.origin);
                self.put(next);
            }
            return Ok(None);
        }
        if let Some(run) = self.stuck(&b.state, budget)? {
            self.split(b.state, run)?;
            return Ok(None);
        }
        match few_values(&b.state) {
            Some(Few::Values(v)) => self.split_values(&b.state, v)?,
            Some(Few::Atoms(v)) => self.split_atoms(&b.state, v)?,
            None => return Ok(Some(b.state)),
        }
        Ok(None)
    }

    /// Goes on with a state in one branch for each atom that `v` can be.
    fn split_atoms(&mut self, state: &State, v: Var) -> Result<(), Stop> {
        self.fork(state);
        let mut left = state.mask(v);
        while left != 0 {
            let atom = left & left.wrapping_neg();
            left ^= atom;
            let mut state = state.clone();
            state.restrict_atom(v, atom)?;
            self.put(Branch::settled(state));
        }
        Ok(())
    }

    /// The run to split: the one with the fewest lengths among those that something waits for.
    fn stuck(&self, state: &State, budget: &mut Budget) -> Result<Option<Var>, Stop> {
        let mut best: Option<(Int, Var)> = None;
        let mut consider = |v: Var| -> Result<(), Stop> {
            let length = state.length_of_run(v)?;
            if length.as_constant().is_none() {
                let most = state.bounds(&length).1;
                if best.is_none_or(|(least, _)| most < least) {
                    best = Some((most, v));
                }
            }
            Ok(())
        };
        for constraint in state.open_constraints() {
            if constraint.is_structural() || constraint.is_custom() {
                budget.spend(constraint.size() / 2)?;
                if let Some(v) = state.stuck_on(constraint) {
                    consider(v)?;
                }
            }
        }
        let mut todo: Vec<Term> = self.measured.clone();
        while let Some(term) = todo.pop() {
            match state.walk(&term) {
                Term::Seq(seq) => state
                    .open_runs(&seq)
                    .into_iter()
                    .try_for_each(&mut consider)?,
                Term::Node(label, children) => {
                    budget.spend(1)?;
                    let measured = (self.measured_children)(label);
                    todo.extend(children.iter().take(measured).cloned());
                }
                Term::Var(_) | Term::Int(_) | Term::Atom(_) => {}
            }
        }
        Ok(best.map(|(_, v)| v))
    }
}

impl State {
    /// Takes on a goal: what it says at once is said, its parts go on top of `todo`. Returns what makes a goal
    /// later, for the caller to choose the time.
    fn take_on(
        &mut self,
        goal: Goal,
        todo: &mut Vec<Goal>,
        budget: &mut Budget,
    ) -> Result<Option<Arc<Later>>, Stop> {
        match goal {
            Goal::All(goals) => todo.extend(goals.into_iter().rev()),
            Goal::Any(mut ways) => match ways.len() {
                0 => return Err(Stop::Conflict),
                1 => todo.append(&mut ways),
                _ => {
                    let choice = Pending::new(Arc::new(OneOf(ways)));
                    self.post(Constraint::Choice(choice))?;
                }
            },
            Goal::Choice(choice) => self.post(Constraint::Choice(Pending::new(choice)))?,
            Goal::Equal(x, y) => self.unify(&x, &y, budget)?,
            Goal::In(form, domain) => self.restrict(&form, &domain)?,
            Goal::Holds(constraint) => self.post(constraint)?,
            Goal::Later(make) => return Ok(Some(make)),
        }
        Ok(None)
    }

    /// Makes a goal hold as far as that can go only one way, and whatever follows from it. What can go several ways
    /// waits among the constraints, and goes on when more becomes known.
    ///
    /// # Errors
    /// [`Stop`] if it can't hold, or if that was too much. The state is then of no use any more.
    pub fn settle(&mut self, goal: Goal, budget: &mut Budget) -> Result<(), Stop> {
        let before = self.origin();
        let mut todo = vec![goal];
        loop {
            while let Some(goal) = todo.pop() {
                budget.spend(1)?;
                if let Some(make) = self.take_on(goal, &mut todo, budget)? {
                    let goal = make(self)?;
                    todo.push(goal);
                }
            }
            self.propagate(budget)?;
            match self.next_decided() {
                Some(Decided {
                    choice,
                    way,
                    origin,
                }) => {
                    self.set_origin(origin);
                    todo.push(choice.take(way, &mut View::new(self, budget))?);
                }
                None => {
                    self.set_origin(before);
                    return Ok(());
                }
            }
        }
    }
}

impl State {
    /// Commits to the choices of each origin of which one combination of ways remains ([`State::commit`]): of origins with a
    /// constraint that has run since the last time, or of all. It is repeated while one of them commits, since that may
    /// decide another. Each origin has `steps`, and all of them together `times` as many.
    ///
    /// # Errors
    /// The origin whose choices can't be made, with [`Stop::Conflict`].
    pub fn commit_choices(&mut self, all: bool, steps: u64, times: u64) -> Result<(), (u32, Stop)> {
        let mut left = steps.saturating_mul(times);
        let mut has_committed = all;
        loop {
            let run = self.choices.take_run();
            let origins = match has_committed {
                true => self.choices.open_origins(),
                false => {
                    let run = run.iter().copied();
                    run.filter(|own| self.choices.is_open(*own)).collect()
                }
            };
            if origins.is_empty() {
                return Ok(());
            }
            has_committed = false;
            for origin in origins {
                let given = steps.min(left);
                let mut budget = Budget::new(given);
                has_committed |= self
                    .commit(origin, &mut budget)
                    .map_err(|stop| (origin, stop))?;
                left -= given - budget.left();
            }
            if !has_committed {
                self.choices.take_run();
                return Ok(());
            }
        }
    }

    /// Removes the choices of an origin. The others are not committed to before one of their constraints runs again.
    pub fn drop_choices(&mut self, origin: u32) {
        for id in self.choices.take_of(origin) {
            self.retire(id);
        }
        self.choices.take_run();
    }

    /// The state in which no choices but those of this origin are suspended.
    pub fn with_choices_of(&self, origin: u32) -> State {
        let mut own = self.clone();
        own.choices.set_aside_others(origin);
        own
    }

    /// Are there choices, open or redundant?
    pub fn has_choices(&self) -> bool {
        !self.choices.is_empty()
    }

    /// Commits to the ways of the choices of an origin, if exactly one combination of them is left: one way of a choice
    /// alone may be refuted only by what follows from it together with a way of another. `false` if several are left, or
    /// that is too much to find out: see [`State::undecided_choices`].
    ///
    /// # Errors
    /// [`Stop::Conflict`] if none is left.
    pub fn commit(&mut self, origin: u32, budget: &mut Budget) -> Result<bool, Stop> {
        if !self.choices.is_open(origin) {
            self.choices.note_undecided(origin, false);
            return Ok(false);
        }
        let left = match budget.spend(self.choices.count_of(origin) as u64 / 8) {
            Ok(()) => self.combinations(origin, budget),
            Err(_) => Combinations::Unknown,
        };
        self.choices
            .note_undecided(origin, matches!(left, Combinations::Unknown));
        match left {
            Combinations::None => Err(Stop::Conflict),
            Combinations::One(mut only) => {
                only.choices.note_undecided(origin, false);
                only.choices.put_back();
                *self = *only;
                Ok(true)
            }
            Combinations::Several | Combinations::Unknown => Ok(false),
        }
    }

    /// The origins of suspended choices of which it was too much to find out whether they can be made: whether the state has
    /// a solution is not known then.
    pub fn undecided_choices(&self) -> Vec<u32> {
        self.choices.undecided()
    }

    /// Which combinations of the ways of the choices of an origin are left.
    fn combinations(&self, origin: u32, budget: &mut Budget) -> Combinations {
        let mut first = self.clone();
        first.choices.set_aside_others(origin);
        let mut branches = VecDeque::from([first]);
        let mut found: Option<State> = None;
        let mut count = 0;
        while let Some(mut branch) = branches.pop_front() {
            count += 1;
            if count > MAX_BRANCHES {
                return Combinations::Unknown;
            }
            match branch.settle(Goal::succeed(), budget) {
                Ok(()) => {}
                Err(Stop::Conflict) => continue,
                Err(Stop::Overflow | Stop::Budget) => return Combinations::Unknown,
            }
            match branch.fewest_ways(budget) {
                Ok(Some(fork)) => {
                    for way in fork.ways {
                        let mut next = branch.clone();
                        next.decide(Arc::clone(&fork.choice), way, fork.origin);
                        branches.push_back(next);
                    }
                }
                Ok(None) if found.is_some() => return Combinations::Several,
                Ok(None) => found = Some(branch),
                Err(_) => return Combinations::Unknown,
            }
        }
        match found {
            Some(only) => Combinations::One(Box::new(only)),
            None => Combinations::None,
        }
    }
}

/// The combinations of the ways of some choices that are left.
enum Combinations {
    None,
    /// The state after it.
    One(Box<State>),
    /// Two of them at least.
    Several,
    /// It was too much to find two, or to find out that there are fewer. Where one alone is left, what it requires is not stated.
    Unknown,
}

/// A variable that a caller's relation waits for, of which few values are left.
enum Few {
    Values(Var),
    Atoms(Var),
}

/// The one with the fewest values. What a caller's relation says of it shows only when it is known: there is no
/// other way to write the relation down.
fn few_values(state: &State) -> Option<Few> {
    let mut best: Option<(u128, Few)> = None;
    for constraint in state.open_constraints().filter(|c| c.is_custom()) {
        let mut consider = |count: u128, few: Few| {
            if (2..=MAX_LABELLED).contains(&count) && best.as_ref().is_none_or(|b| count < b.0) {
                best = Some((count, few));
            }
        };
        let Constraint::Custom(relation) = constraint else {
            continue;
        };
        for v in relation.waits_for() {
            let atoms = state.mask(v).count_ones();
            if atoms > 0 {
                consider(atoms.into(), Few::Atoms(v));
            }
            for v in state.open_vars_of(&Linear::var(v)) {
                if let Some(count) = state.domain(v).len() {
                    consider(count, Few::Values(v));
                }
            }
        }
    }
    best.map(|b| b.1)
}
