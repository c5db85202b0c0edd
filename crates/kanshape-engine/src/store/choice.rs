//! Choices: several ways to go on, re-examined whenever something that they depend on is learned.
//!
//! A choice stands among the constraints and is run like one. With no way left, the state is in
//! conflict; with one, it is taken at once, in this state and without a copy; with several, the choice
//! waits, and only search splits it.

use crate::budget::{Budget, Stop};
use crate::linear::{Linear, Var};
use crate::store::State;
use crate::store::constraint::{AfterRun, Constraint};
use crate::store::goal::Goal;
use crate::store::relation::View;
use crate::store::sequence::{Part, Seq};
use smallvec::SmallVec;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// Ways to go on, by number.
pub type Ways = SmallVec<[usize; 4]>;

/// Something that can go several ways.
///
/// A look is cheap and binds nothing: it may let a way stand that leads nowhere, but never drop one
/// that leads somewhere. As more becomes known, ways may only drop out.
pub trait Choice: Debug + Send + Sync {
    /// The ways that may still be open, in the order in which search takes them. It is queried again
    /// when something that it has noted in `look` has changed, and only then.
    ///
    /// # Errors
    /// [`Stop`] if the look itself can't be carried on.
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop>;

    /// What has to hold where this alternative is taken.
    ///
    /// # Errors
    /// [`Stop::Conflict`] if it can't hold.
    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop>;

    /// True if it is implied by others: search does not split it, and a state may be reported while it is still suspended.
    /// It only propagates once one alternative is left.
    fn is_redundant(&self) -> bool {
        false
    }

    /// Of a redundant choice: may it still refuse some of the values of the numbers that it waits for? Then a state in
    /// which it is suspended is not decided for all of these values.
    fn may_refuse(&self) -> bool {
        false
    }
}

/// The store while a choice is examined: to be read, with a note of what the outcome depends on.
pub struct Look<'a> {
    state: &'a State,
    budget: &'a mut Budget,
    noted: SmallVec<[Var; 8]>,
}

impl Look<'_> {
    /// The steps left; work that grows with the input should be paid for.
    pub fn budget(&mut self) -> &mut Budget {
        self.budget
    }

    /// The ways depend on this variable.
    pub fn note(&mut self, v: Var) {
        if self.noted.last() != Some(&v) {
            self.noted.push(v);
        }
    }

    /// The ways depend on the value of this form.
    pub fn note_form(&mut self, l: &Linear) {
        l.vars().for_each(|v| self.note(v));
    }

    /// The ways depend on what the runs of this sequence are.
    pub fn note_runs(&mut self, seq: &Seq) {
        for part in seq.parts() {
            if let Part::Run(v) = part {
                self.note(*v);
            }
        }
    }
}

impl std::ops::Deref for Look<'_> {
    type Target = State;
    fn deref(&self) -> &State {
        self.state
    }
}

/// A choice that is not made yet, with what the last look has come to.
#[derive(Clone)]
pub struct Pending {
    choice: Arc<dyn Choice>,
    ways: Ways,
    /// What it depended on the last time; those among it that are not watched yet.
    noted: SmallVec<[Var; 8]>,
    new: SmallVec<[Var; 8]>,
}

impl Pending {
    /// A choice that nobody has examined.
    pub fn new(choice: Arc<dyn Choice>) -> Pending {
        Pending {
            choice,
            ways: Ways::new(),
            noted: SmallVec::new(),
            new: SmallVec::new(),
        }
    }

    /// Whether it says nothing as long as it is not decided ([`Choice::is_redundant`]).
    pub fn is_redundant(&self) -> bool {
        self.choice.is_redundant()
    }

    /// See [`Choice::may_refuse`].
    pub fn may_refuse(&self) -> bool {
        self.choice.may_refuse()
    }

    /// The variables that it depends on.
    pub fn noted(&self) -> impl Iterator<Item = Var> + '_ {
        self.noted.iter().copied()
    }

    /// The variables that have to be watched from now on.
    pub(crate) fn watched(&self) -> impl Iterator<Item = Var> + '_ {
        self.new.iter().copied()
    }

    pub(crate) fn run(&self, state: &mut State, budget: &mut Budget) -> Result<AfterRun, Stop> {
        let mut look = Look {
            state,
            budget,
            noted: SmallVec::new(),
        };
        let ways = self.choice.ways(&mut look)?;
        let noted = look.noted;
        budget.spend(noted.len() as u64)?;
        match ways.as_slice() {
            [] => Err(Stop::Conflict),
            &[way] => {
                let origin = state.origin();
                state.decide(Arc::clone(&self.choice), way, origin);
                Ok(AfterRun::Done)
            }
            _ => {
                let known = |v: &Var| !self.noted.contains(v);
                let new = noted.iter().copied().filter(known).collect();
                Ok(AfterRun::Become(Constraint::Choice(Pending {
                    choice: Arc::clone(&self.choice),
                    ways,
                    noted,
                    new,
                })))
            }
        }
    }
}

/// An alternative of a choice that is to be taken.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    pub choice: Arc<dyn Choice>,
    pub way: usize,
    /// Whoever stated the choice.
    pub origin: u32,
}

/// A choice that search has to split.
pub(crate) struct Fork {
    pub choice: Arc<dyn Choice>,
    pub ways: Ways,
    /// Whoever stated the choice.
    pub origin: u32,
}

impl State {
    /// A choice of this origin commits to a way.
    pub(crate) fn decide(&mut self, choice: Arc<dyn Choice>, way: usize, origin: u32) {
        self.choices.decided.push_back(Decided {
            choice,
            way,
            origin,
        });
    }

    /// Is there an alternative to be taken?
    pub(crate) fn has_decided(&self) -> bool {
        !self.choices.decided.is_empty()
    }

    /// The alternative to be taken next.
    pub(crate) fn next_decided(&mut self) -> Option<Decided> {
        self.choices.decided.pop_front()
    }

    /// Takes the choice with the fewest ways, the oldest of several, out of the constraints.
    pub(crate) fn fewest_ways(&mut self, budget: &mut Budget) -> Result<Option<Fork>, Stop> {
        budget.spend(self.choices.len() as u64 / 4)?;
        let ways = |id: u32| match self.constraint(id) {
            Some(Constraint::Choice(choice)) => Some((choice.ways.len(), id)),
            _ => None,
        };
        let open = self.choices.open();
        let Some((_, id)) = open.filter_map(|(_, id)| ways(id)).min() else {
            return Ok(None);
        };
        let fork = match self.constraint(id) {
            Some(Constraint::Choice(pending)) => Some(Fork {
                choice: Arc::clone(&pending.choice),
                ways: pending.ways.clone(),
                origin: self.origin_of(id as usize),
            }),
            _ => None,
        };
        self.retire(id);
        Ok(fork)
    }
}

impl Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Choice").field(&self.choice).finish()
    }
}

/// Goals one of which holds. Nothing shows which before it is tried.
#[derive(Debug)]
pub(crate) struct OneOf(pub Vec<Goal>);

impl Choice for OneOf {
    fn ways(&self, _: &mut Look<'_>) -> Result<Ways, Stop> {
        Ok((0..self.0.len()).collect())
    }

    fn take(&self, way: usize, _: &mut View<'_>) -> Result<Goal, Stop> {
        Ok(self.0.get(way).cloned().unwrap_or_else(Goal::fail))
    }
}
