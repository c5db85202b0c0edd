//! The short way for operators: rules run on values, where everything that goes in is known.
//!
//! The engine solves a rule whatever is known. Mostly all inputs and attributes are, and then a rule is a
//! calculation: its steps are taken as soon as they can be (`step`), terms are values (`value`, `eval`) or
//! patterns to take values apart by (`take_apart`), and a relation is called with what is known of its
//! arguments and says the rest (`call`). Whatever this way has no certain answer to - two clauses that hold,
//! a step that never becomes possible, a member that is not known - is left to the engine, so deleting this
//! folder changes no answer. Tests compare the two.

mod attribute;
mod call;
mod eval;
mod given;
mod guard;
mod prepared;
mod signature;
mod step;
mod take_apart;
mod types;
mod value;

pub(crate) use call::say;
pub(crate) use given::of_query;
pub(crate) use prepared::Prepared;
pub(crate) use value::{Numbers, Value};

use super::Library;
use kanshape_types::Promotion;

/// Why a rule has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It does not hold.
    Fail,
    /// The engine has to look at it.
    Leave,
}

/// What a run turns on beside the rules.
struct Ground<'a> {
    library: &'a Library,
    promotion: Promotion,
    /// The steps left.
    left: u32,
    /// How many bodies are inside of each other.
    depth: u32,
    /// Nothing more will be said, so what waits for it may be dropped.
    dropping: bool,
}

/// More steps than this are not worth it: the engine counts better.
const STEPS: u32 = 3_000;
/// Relations that call each other more deeply than this are left to the engine.
const DEEPEST: u32 = 64;

impl Ground<'_> {
    #[inline]
    fn spend(&mut self, steps: u32) -> Result<(), Stop> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Stop::Leave),
        }
    }
}

/// What the slots of a clause stand for so far.
type Frame = Vec<Option<Value>>;
