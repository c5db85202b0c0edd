//! A bound on ranks that waits for what is not known to be a tensor.

use super::operand::TENSOR;
use kanshape_engine::{Constraint, Domain, Int, Refined, Relation, State, Stop, Term, Var, View};
use std::sync::Arc;

/// From now on no tensor in the term has more dims than this.
pub fn most_dims(state: &mut State, term: Term, most: u64) -> Result<(), Stop> {
    let mut todo = vec![term];
    while let Some(term) = todo.pop() {
        match state.walk(&term) {
            Term::Var(v) => state.post(Constraint::Custom(Arc::new(MostDims { v, most })))?,
            Term::Node(TENSOR, parts) => {
                if let [_, Term::Seq(shape), _] = &parts[..] {
                    let rank = state.length(shape)?;
                    state.restrict(&rank, &Domain::interval(0, Int::from(most)))?;
                }
            }
            Term::Node(_, parts) => todo.extend(parts.iter().cloned()),
            Term::Int(_) | Term::Atom(_) | Term::Seq(_) => {}
        }
    }
    Ok(())
}

/// What the variable comes to be has no tensor with more dims than this.
#[derive(Debug)]
struct MostDims {
    v: Var,
    most: u64,
}

impl Relation for MostDims {
    fn vars(&self) -> Vec<Var> {
        vec![self.v]
    }

    fn refine(&self, view: &mut View<'_>) -> Result<Refined, Stop> {
        match view.walk(&Term::Var(self.v)) {
            Term::Var(_) => Ok(Refined::Open),
            known => {
                most_dims(view, known, self.most)?;
                Ok(Refined::Settled)
            }
        }
    }

    /// What never comes to be anything has no dims.
    fn is_redundant(&self) -> bool {
        true
    }
}
