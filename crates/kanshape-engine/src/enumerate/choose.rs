//! One solution, whose values are chosen one after another by the caller.

use super::groups::{Group, groups};
use super::satisfy::{is_undecided, satisfiable};
use crate::budget::{Budget, Stop};
use crate::domain::Domain;
use crate::int::Int;
use crate::limits::MAX_CHOSEN_FROM;
use crate::linear::{Linear, Var};
use crate::store::State;

/// Chooses one of a number of alternatives by its index; 0 is the simplest. An index beyond the last one means the last one.
pub type Chooser<'a> = dyn FnMut(u64) -> u64 + 'a;

/// One of `n` ways. Nothing is chosen where there is one way.
pub fn pick(chooser: &mut Chooser<'_>, n: usize) -> usize {
    match n {
        0 | 1 => 0,
        n => usize::try_from(chooser(n as u64)).map_or(n - 1, |at| at.min(n - 1)),
    }
}

/// A choice that was made, and what else it can be.
struct Level {
    state: State,
    var: Var,
    /// Not tried yet, the simplest first.
    values: Vec<Int>,
}

/// The state with a chosen value for each of the variables `shown`; `None` if there are no such values. The variable with the
/// fewest values is chosen first.
///
/// # Errors
/// [`Stop::Budget`] if the steps ran out, [`Stop::Overflow`] if none of the values that were tried was one.
pub fn choose(
    state: &State,
    shown: &[Var],
    chooser: &mut Chooser<'_>,
    budget: &mut Budget,
) -> Result<Option<State>, Stop> {
    if is_undecided(state) {
        return Err(Stop::Overflow);
    }
    let mut chosen = state.clone();
    chosen.count_pages_from_here();
    // What shares no constraint is no reason to choose again.
    for group in groups(state, shown) {
        if group.shown.is_empty() {
            continue;
        }
        match of_group(chosen, &group, chooser, budget)? {
            Some(next) => chosen = next,
            None => return Ok(None),
        }
    }
    Ok(Some(chosen))
}

fn of_group(
    mut state: State,
    group: &Group,
    chooser: &mut Chooser<'_>,
    budget: &mut Budget,
) -> Result<Option<State>, Stop> {
    let mut levels: Vec<Level> = Vec::new();
    let mut are_all = true;
    loop {
        match fewest_values(&state, &group.shown) {
            Some(var) => {
                let (values, all) = simplest_first(&state.domain(var));
                are_all &= all;
                levels.push(Level { state, var, values });
            }
            None if group.hidden.is_empty() || satisfiable(&state, budget)? => {
                return Ok(Some(state));
            }
            None => {}
        }
        state = loop {
            let Some(level) = levels.last_mut() else {
                return match are_all {
                    true => Ok(None),
                    false => Err(Stop::Overflow),
                };
            };
            if level.values.is_empty() {
                levels.pop();
                continue;
            }
            let at = pick(chooser, level.values.len());
            let value = Linear::constant(level.values.remove(at));
            budget.spend(1)?;
            let mut next = level.state.clone();
            next.count_copy();
            let fits = next.equate(&Linear::var(level.var), &value);
            match fits.and_then(|()| next.propagate(budget)) {
                Ok(()) => break next,
                Err(Stop::Conflict) => {}
                Err(stop) => return Err(stop),
            }
        };
    }
}

/// The open variable with the fewest values.
fn fewest_values(state: &State, vars: &[Var]) -> Option<Var> {
    let open = vars
        .iter()
        .filter(|v| state.domain(**v).single().is_none() && state.value(**v).is_none());
    open.min_by_key(|v| state.domain(**v).len().unwrap_or(u128::MAX))
        .copied()
}

/// The values of a domain, those near 0 first, and whether they are all: of a large one only some are tried.
fn simplest_first(domain: &Domain) -> (Vec<Int>, bool) {
    let near = domain.meet(&Domain::interval(-MAX_CHOSEN_FROM / 2, MAX_CHOSEN_FROM));
    let from = if near.is_empty() { domain } else { &near };
    let mut values = Vec::new();
    let mut next = Some(from.lo());
    while let Some(x) = next
        && (values.len() as Int) < 2 * MAX_CHOSEN_FROM
    {
        values.push(x);
        next = from.next_above(x);
    }
    let are_all = domain.len() == Some(values.len() as u128);
    values.sort_by_key(|x| (x.abs(), *x < 0));
    (values, are_all)
}
