//! Whether there is a solution at all.
//!
//! Which of the solutions is found does not matter here, so what the others follow from is chosen first: arguments
//! before the values of their applications, and what has few values before what has many.

use super::atoms;
use super::groups::{Group, groups, open_vars};
use super::walk::Solutions;
use crate::budget::{Budget, Stop};
use crate::limits::{SMALL_DOMAIN, STEPS_PER_VARIABLE};
use crate::store::State;

/// Is there a solution of all that is open in `state`?
///
/// # Errors
/// [`Stop::Budget`] or [`Stop::Overflow`] if that could not be found out.
pub fn satisfiable(state: &State, budget: &mut Budget) -> Result<bool, Stop> {
    let mut undecided = is_undecided(state);
    if !atoms::are_there(state, budget)? {
        return Ok(false);
    }
    for group in groups(state, &[]) {
        if group.constraints.is_empty() {
            continue;
        }
        let group = in_order(state, group.all_shown());
        let mut first_look = budget.share(STEPS_PER_VARIABLE * group.shown.len() as u64);
        let found = first_of(state, &group, &mut first_look);
        budget.settle(&first_look);
        match found {
            Some(true) => continue,
            Some(false) => return Ok(false),
            None => {}
        }
        let mut solutions = Solutions::new(state, group);
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

/// Does a first look at a group find a solution? None if it does not tell.
fn first_of(state: &State, group: &Group, budget: &mut Budget) -> Option<bool> {
    let (mut smallest, are_all) = Solutions::smallest_first(state, group, budget).ok()?;
    match smallest.next(budget).ok()? {
        Some(_) => Some(true),
        None => (are_all && !smallest.is_undecided()).then_some(false),
    }
}

/// The group with its variables in the order in which they are best chosen.
fn in_order(state: &State, mut group: Group) -> Group {
    group.shown.sort_by_cached_key(|v| {
        let values = state.domain(*v).len().unwrap_or(u128::MAX);
        (state.definition(*v).is_some(), values.max(SMALL_DOMAIN))
    });
    group
}

/// Is there a caller's relation that waits, though no number that it has examined is open?
pub(super) fn is_undecided(state: &State) -> bool {
    let mut relations = state.open_constraints().filter(|c| c.is_custom());
    relations.any(|c| open_vars(state, c).is_empty())
}
