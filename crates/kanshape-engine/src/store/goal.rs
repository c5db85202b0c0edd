//! Goals: what is to be solved, before anything is known of it.

use crate::budget::Stop;
use crate::domain::Domain;
use crate::linear::Linear;
use crate::store::State;
use crate::store::choice::Choice;
use crate::store::constraint::Constraint;
use crate::store::term::Term;
use std::fmt;
use std::sync::Arc;

/// Makes a goal when the search comes to it.
pub type Later = dyn Fn(&mut State) -> Result<Goal, Stop> + Send + Sync;

/// Something to be made true.
#[derive(Clone)]
pub enum Goal {
    /// All of these.
    All(Vec<Goal>),
    /// One of these: the search tries each, fairly.
    Any(Vec<Goal>),
    /// One of the ways of a choice: those that drop out as more becomes known are never tried.
    Choice(Arc<dyn Choice>),
    /// The two terms are the same.
    Equal(Term, Term),
    /// The form is in the domain.
    In(Linear, Domain),
    /// The constraint holds.
    Holds(Constraint),
    /// A goal that is made when it is its turn: the way to write recursion, and to have new
    /// variables.
    Later(Arc<Later>),
}

impl Goal {
    /// Always true.
    pub fn succeed() -> Goal {
        Goal::All(Vec::new())
    }

    /// Never true.
    pub fn fail() -> Goal {
        Goal::Any(Vec::new())
    }

    /// All of these.
    pub fn all(goals: impl IntoIterator<Item = Goal>) -> Goal {
        Goal::All(goals.into_iter().collect())
    }

    /// One of these.
    pub fn any(goals: impl IntoIterator<Item = Goal>) -> Goal {
        Goal::Any(goals.into_iter().collect())
    }

    /// One of the ways of a choice.
    pub fn choice(choice: impl Choice + 'static) -> Goal {
        Goal::Choice(Arc::new(choice))
    }

    /// The two terms are the same.
    pub fn equal(a: impl Into<Term>, b: impl Into<Term>) -> Goal {
        Goal::Equal(a.into(), b.into())
    }

    /// A goal that is made when it is its turn.
    pub fn later(make: impl Fn(&mut State) -> Result<Goal, Stop> + Send + Sync + 'static) -> Goal {
        Goal::Later(Arc::new(make))
    }
}

impl fmt::Debug for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::All(goals) => f.debug_tuple("All").field(goals).finish(),
            Goal::Any(goals) => f.debug_tuple("Any").field(goals).finish(),
            Goal::Choice(choice) => f.debug_tuple("Choice").field(choice).finish(),
            Goal::Equal(a, b) => f.debug_tuple("Equal").field(a).field(b).finish(),
            Goal::In(l, d) => f.debug_tuple("In").field(l).field(d).finish(),
            Goal::Holds(c) => f.debug_tuple("Holds").field(c).finish(),
            Goal::Later(_) => f.write_str("Later(..)"),
        }
    }
}
