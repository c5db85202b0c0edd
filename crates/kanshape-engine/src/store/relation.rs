//! Relations of a caller's own, with the same standing as the built-in constraints.

use crate::budget::{Budget, Stop};
use crate::control::note_assumption;
use crate::linear::Var;
use crate::store::State;
use crate::store::constraint::{AfterRun, Constraint};
use crate::store::sequence::Seq;
use crate::store::term::Term;
use std::fmt::Debug;
use std::sync::Arc;

/// A relation between variables that is stated in Rust.
///
/// It is run when one of its variables has changed, with whatever is known then, and may refine any
/// of them: it has no inputs and outputs. It must only say what follows, and say the same whichever
/// order things become known in.
pub trait Relation: Debug + Send + Sync {
    /// The variables it is about. Those that it does not name are none of its business: they are looked for
    /// without it.
    fn vars(&self) -> Vec<Var>;

    /// Those without which it can't go on, as far as it is known which: where nothing else is left to do, search
    /// goes through what they can be, if that is not much.
    fn waits_for(&self) -> Vec<Var> {
        self.vars()
    }

    /// Refines what is known.
    ///
    /// # Errors
    /// [`Stop::Conflict`] if what is known can't hold together with it.
    fn refine(&self, view: &mut View<'_>) -> Result<Refined, Stop>;

    /// True if the constraint is implied by others: a state may be reported while it is still suspended.
    fn is_redundant(&self) -> bool {
        false
    }
}

/// What is left of a [`Relation`] after a run.
#[derive(Clone, Debug)]
pub enum Refined {
    /// It waits for more.
    Open,
    /// It waits for more in another form: its variables are others.
    Become(Arc<dyn Relation>),
    /// It holds, whatever else becomes known.
    Settled,
}

impl From<Refined> for AfterRun {
    fn from(refined: Refined) -> AfterRun {
        match refined {
            Refined::Open => AfterRun::Keep,
            Refined::Become(next) => AfterRun::Become(Constraint::Custom(next)),
            Refined::Settled => AfterRun::Done,
        }
    }
}

/// The store as a relation sees it: everything can be read, and refined.
pub struct View<'a> {
    state: &'a mut State,
    budget: &'a mut Budget,
}

impl<'a> View<'a> {
    /// A state, to be refined within a budget.
    pub fn new(state: &'a mut State, budget: &'a mut Budget) -> View<'a> {
        View { state, budget }
    }

    /// Notes that what is required now is more than has to hold: what contradicts it may hold all the same, which a state that is
    /// [exact](State::be_exact) can tell.
    pub fn note_assumption(&mut self) {
        note_assumption();
        self.state.note_assuming();
    }

    /// From now on the two terms are the same.
    ///
    /// # Errors
    /// As [`State::unify`].
    pub fn unify(&mut self, a: &Term, b: &Term) -> Result<(), Stop> {
        self.state.unify(a, b, self.budget)
    }

    /// Turns the runs in `seq` whose lengths are numbers into their members.
    ///
    /// # Errors
    /// As [`State::spell_out`].
    pub fn spell_out(&mut self, seq: &Seq) -> Result<(), Stop> {
        self.state.spell_out(seq, self.budget)
    }

    /// The same view, for a shorter time.
    pub fn reborrow(&mut self) -> View<'_> {
        View::new(self.state, self.budget)
    }

    /// The steps left; work that grows with the input should be paid for.
    pub fn budget(&mut self) -> &mut Budget {
        self.budget
    }
}

impl std::ops::Deref for View<'_> {
    type Target = State;
    fn deref(&self) -> &State {
        self.state
    }
}

impl std::ops::DerefMut for View<'_> {
    fn deref_mut(&mut self) -> &mut State {
        self.state
    }
}
