//! Rules in the engine's store: a call is a choice between its clauses, and a clause is goals.
//!
//! A look at the arguments leaves the clauses that may hold (`matching`); where that is one, the call commits to it.
//! Nothing here knows which argument is given.

mod clause;
mod destructure;
mod joined;
mod lists;
mod matching;
mod number;
mod walk;
mod ways;

pub use clause::{GivenSteps, own_goals};
pub use ways::call;
