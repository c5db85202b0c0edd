//! The values that are left of a variable, listed where there are few.

use super::groups::groups;
use super::walk::try_all;
use crate::budget::{Budget, Stop};
use crate::domain::Domain;
use crate::int::Int;
use crate::limits::MAX_LISTED_SOLUTIONS;
use crate::limits::MAX_TRIED;
use crate::linear::Linear;
use crate::store::State;

/// Where few values are left for the variables of a group of constraints: lists for each those that
/// some solution has.
///
/// # Errors
/// [`Stop::Conflict`] if there is no solution.
pub fn list_few(state: &mut State, budget: &mut Budget) -> Result<(), Stop> {
    for group in groups(state, &[]) {
        let combinations = group.hidden.iter().try_fold(1u128, |n, &v| {
            n.checked_mul(state.domain(v).len()?)
                .filter(|&n| n <= MAX_TRIED)
        });
        if combinations.is_none() || group.constraints.is_empty() {
            continue;
        }
        let vars = group.hidden.clone();
        let all = group.all_shown();
        budget.spend(16)?;
        let Some(solutions) = try_all(state, &all) else {
            continue;
        };
        for (i, v) in vars.into_iter().enumerate() {
            let mut values: Vec<Int> = solutions.iter().map(|s| s[i]).collect();
            values.sort_unstable();
            values.dedup();
            if values.len() <= MAX_LISTED_SOLUTIONS {
                state.restrict(&Linear::var(v), &Domain::of(values))?;
            }
        }
    }
    state.propagate(budget)
}
