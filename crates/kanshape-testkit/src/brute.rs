//! The reading of a signature by definition: try everything.
//!
//! Three ways to the same relation, each simple enough to be believed, and tested equal:
//! [`Relation::holds`] cuts given shapes into pieces; [`Relation::naive_solutions`] checks that for
//! every combination of shapes; [`Relation::solutions`] tries numbers for names and runs instead,
//! and computes the shapes.

mod dtype;
mod eval;
mod flat;
mod holds;
mod layout;
mod naive;
mod names;
mod plan;
mod presence;
mod solutions;

pub use dtype::{DtypeRelation, DtypeTable};
pub use naive::shapes;
pub use plan::Malformed;

use kanshape_syntax::tree::Signature;
use plan::Plan;

/// A signature as a relation over concrete shapes.
#[derive(Clone, Debug)]
pub struct Relation {
    plan: Plan,
    hidden: u64,
}

impl Relation {
    /// The relation that a signature is, over shapes; dtypes are a relation of their own
    /// ([`DtypeRelation`]).
    pub fn new(signature: &Signature) -> Result<Self, Malformed> {
        Ok(Relation {
            plan: Plan::new(signature)?,
            hidden: 24,
        })
    }

    /// The same, with names that no operand shows tried from 0 to `bound`: 24 unless set.
    ///
    /// Such a name (`n` in `(n//2)->()`) may be any number, so the search for one is only as
    /// complete as this bound is great.
    #[must_use]
    pub fn searching_to(mut self, bound: u64) -> Self {
        self.hidden = bound;
        self
    }

    /// How many operands there are left and right of the arrow.
    pub fn arity(&self) -> (usize, usize) {
        (self.plan.inputs.len(), self.plan.outputs.len())
    }

    /// The labels of what an answer reports: declared parameters, then lengths of runs.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.plan.reported.iter().map(|(label, _)| label.as_str())
    }
}
