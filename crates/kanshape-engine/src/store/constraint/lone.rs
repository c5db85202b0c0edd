//! [`Lone`]: a variable that is in one constraint and nowhere else.

use crate::domain::Domain;
use crate::int::Int;
use crate::linear::{Linear, Var};
use crate::store::State;

/// A variable that is in one constraint and nowhere else, so that any of its values may meet it.
pub struct Lone<'a> {
    pub(in crate::store) var: Var,
    pub(super) domain: Domain,
    far: Int,
    is_lone: &'a dyn Fn(Var) -> bool,
}

impl<'a> Lone<'a> {
    /// A variable, with what other variables are nowhere else either. Upper bounds from `far` on say nothing: they are limits of
    /// the caller's.
    pub fn new(state: &State, var: Var, far: Int, is_lone: &'a dyn Fn(Var) -> bool) -> Lone<'a> {
        Lone {
            var,
            domain: state.domain(var),
            far,
            is_lone,
        }
    }

    /// Is the form this variable?
    pub(super) fn is(&self, l: &Linear) -> bool {
        l.as_var() == Some(self.var)
    }

    /// Is it an upper bound that says nothing?
    pub(super) fn is_far(&self, most: Int) -> bool {
        most >= self.far
    }

    /// Are its values listed, or some left out?
    pub(super) fn is_listed(&self) -> bool {
        self.domain.only().is_some() || !self.domain.except().is_empty()
    }

    /// Is it bounded by nothing from above?
    pub(super) fn is_unbounded(&self) -> bool {
        !self.is_listed() && self.is_far(self.domain.hi())
    }

    /// Can it be any natural number?
    pub(super) fn is_natural(&self) -> bool {
        self.is_unbounded() && self.domain.lo() <= 0
    }

    /// May a form be 1, whatever else has to hold?
    pub(super) fn may_be_one(&self, state: &State, l: &Linear) -> bool {
        let is_free = |v| (self.is_lone)(v) && state.domain(v).contains(1);
        l.as_constant() == Some(1) || l.as_var().is_some_and(is_free)
    }
}
