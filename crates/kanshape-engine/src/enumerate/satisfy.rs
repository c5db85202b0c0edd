//! Whether there is a solution at all.
//!
//! Which of the solutions is found does not matter here, so what the others follow from is chosen first: arguments
//! before the values of their applications, and what has few values before what has many.

use super::atoms;
use super::groups::{Group, groups, open_vars};
use super::walk::Solutions;
use crate::budget::{Budget, Stop};
use crate::int::Int;
use crate::limits::{SMALL_DOMAIN, STEPS_PER_VARIABLE};
use crate::linear::Var;
use crate::store::State;
use crate::store::constraint::{Constraint, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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
    if smallest_is_one(state, group, budget)? {
        return Some(true);
    }
    let (mut smallest, are_all) = Solutions::smallest_first(state, group, budget).ok()?;
    match smallest.next(budget).ok()? {
        Some(_) => Some(true),
        None => (are_all && !smallest.is_undecided()).then_some(false),
    }
}

/// Is it a solution that each variable is as small as it can be, or what an application of such makes it? It is evaluated, which costs
/// much less than to propagate each choice.
fn smallest_is_one(state: &State, group: &Group, budget: &mut Budget) -> Option<bool> {
    budget.spend(1 + group.constraints.len() as u64 / 4).ok()?;
    let mut values: FxHashMap<Var, Int> = FxHashMap::default();
    for &v in &group.shown {
        let domain = state.domain(v);
        let value = match state.definition(v) {
            Some((function, args)) => {
                let at = |v: Var| state.value_with(v, &|v| values.get(&v).copied());
                let args = args.iter().map(|arg| arg.at(&at));
                let args: Option<SmallVec<[Int; 4]>> = args.collect();
                args.and_then(|args| match function.value(&args) {
                    Value::Is(n) => Some(n),
                    Value::None | Value::TooLarge => None,
                })
            }
            None => Some(domain.lo().max(0)),
        };
        match value {
            Some(value) if domain.contains(value) => values.insert(v, value),
            _ => return Some(false),
        };
    }
    let value = |v: Var| state.value_with(v, &|v| values.get(&v).copied());
    let holds = |place: &u32| {
        let constraint = state.constraint(*place);
        let holds = |c: &Constraint| {
            c.holds(&value)
                .unwrap_or_else(|| c.holds_of_empty(state, &value))
        };
        constraint.is_some_and(holds)
    };
    Some(group.constraints.iter().all(holds))
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
