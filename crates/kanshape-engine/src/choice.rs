//! Choices: several ways to go on, looked at again whenever something that they turn on is learned.
//!
//! A choice stands among the constraints and is run like one. With no way left, the state is in
//! conflict; with one, it is taken at once, in this state and without a copy; with several, the choice
//! waits, and only search splits it.

use crate::budget::{Budget, Stop};
use crate::constraint::{Constraint, Outcome};
use crate::goal::Goal;
use crate::linear::Linear;
use crate::relation::View;
use crate::sequence::{Part, Seq};
use crate::store::{State, Var};
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
    /// The ways that may still be open, in the order in which search takes them. It is asked again
    /// when something that it has noted in `look` has changed, and only then.
    ///
    /// # Errors
    /// [`Stop`] if the look itself can't be carried on.
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop>;

    /// What has to hold where this way is gone.
    ///
    /// # Errors
    /// [`Stop::Conflict`] if it can't hold.
    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop>;
}

/// The store while a choice is looked at: to be read, with a note of what the outcome turns on.
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

    /// The ways turn on this variable.
    pub fn note(&mut self, v: Var) {
        if self.noted.last() != Some(&v) {
            self.noted.push(v);
        }
    }

    /// The ways turn on the value of this form.
    pub fn note_form(&mut self, l: &Linear) {
        l.vars().for_each(|v| self.note(v));
    }

    /// The ways turn on what the runs of this sequence are.
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
    /// What it was the last time to turn on; those among it that are not watched yet.
    noted: SmallVec<[Var; 8]>,
    new: SmallVec<[Var; 8]>,
}

impl Pending {
    /// A choice that nobody has looked at.
    pub fn new(choice: Arc<dyn Choice>) -> Pending {
        Pending {
            choice,
            ways: Ways::new(),
            noted: SmallVec::new(),
            new: SmallVec::new(),
        }
    }

    pub(crate) fn choice(&self) -> &Arc<dyn Choice> {
        &self.choice
    }

    /// The ways that the last look has left.
    pub(crate) fn ways(&self) -> &[usize] {
        &self.ways
    }

    /// The variables that have to be watched from now on.
    pub(crate) fn watched(&self) -> impl Iterator<Item = Var> + '_ {
        self.new.iter().copied()
    }

    pub(crate) fn run(&self, state: &mut State, budget: &mut Budget) -> Result<Outcome, Stop> {
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
                state.decide(Arc::clone(&self.choice), way);
                Ok(Outcome::Done)
            }
            _ => {
                let known = |v: &Var| !self.noted.contains(v);
                let new = noted.iter().copied().filter(known).collect();
                Ok(Outcome::Become(Constraint::Choice(Pending {
                    choice: Arc::clone(&self.choice),
                    ways,
                    noted,
                    new,
                })))
            }
        }
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
