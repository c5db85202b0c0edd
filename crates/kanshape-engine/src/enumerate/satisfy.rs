//! Whether there is a solution at all.

use super::groups::{groups, open_vars};
use super::walk::Solutions;
use crate::budget::{Budget, Stop};
use crate::store::State;

/// Is there a solution of all that is open in `state`?
///
/// # Errors
/// [`Stop::Budget`] or [`Stop::Overflow`] if that could not be found out.
pub fn satisfiable(state: &State, budget: &mut Budget) -> Result<bool, Stop> {
    let mut undecided = is_undecided(state);
    for group in groups(state, &[]) {
        let mut solutions = Solutions::new(state, group.all_shown());
        if solutions.next(budget)?.is_none() {
            match solutions.is_undecided() {
                true => undecided = true,
                false => return Ok(false),
            }
        }
    }
    match undecided {
        true => Err(Stop::Overflow),
        false => Ok(true),
    }
}

/// Is there a caller's relation that waits, though no number that it has looked at is open?
pub(super) fn is_undecided(state: &State) -> bool {
    let mut relations = state.open_constraints().filter(|c| c.is_custom());
    relations.any(|c| open_vars(state, c).is_empty())
}
