//! The expressions of a clause, which are those of signatures: their names are places of values.

use crate::lower::{Identities, Scope, Trouble};
use kanshape_engine::{Linear, Seq, State, Stop, Term, Var};

/// The names of an expression: the places of values.
pub(super) struct Leaves<'a> {
    pub values: &'a [Term],
    pub identities: &'a Identities,
}

impl Leaves<'_> {
    fn value(&self, name: &str) -> Option<&Term> {
        self.values.get(name.parse::<usize>().ok()?)
    }
}

impl Scope for Leaves<'_> {
    fn size(&mut self, _: &mut State, name: &str) -> Result<Linear, Trouble> {
        match self.value(name) {
            Some(Term::Int(l)) => Ok(l.clone()),
            _ => Err(Stop::Conflict.into()),
        }
    }

    fn run(&mut self, _: &mut State, name: Option<&str>) -> Result<Seq, Trouble> {
        match name.and_then(|n| self.value(n)) {
            Some(Term::Seq(seq)) => Ok(seq.clone()),
            _ => Err(Stop::Conflict.into()),
        }
    }

    fn dtype(&mut self, _: &mut State, _: &str) -> Result<Option<Var>, Trouble> {
        Ok(None)
    }

    fn identities(&self) -> &Identities {
        self.identities
    }

    fn is_dtype(&self, _: &str) -> bool {
        false
    }
}
