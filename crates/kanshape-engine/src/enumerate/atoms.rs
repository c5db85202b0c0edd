//! Atoms for the functions of atoms that are left.
//!
//! Each function leaves its three sets nothing that has no match in the two others. Functions that are tied to each other
//! like the branches of a tree then have a solution; in a circle, as `promote(y, i8, y)` is one, atoms have to be tried.

use crate::budget::{Budget, Stop};
use crate::linear::Var;
use crate::sets::Sets;
use crate::store::State;
use crate::store::constraint::Constraint;

/// Are there atoms with which the functions of atoms hold that are left?
pub(super) fn are_there(state: &State, budget: &mut Budget) -> Result<bool, Stop> {
    let open = open_in_circles(state);
    if open.is_empty() {
        return Ok(true);
    }
    let next = |state: &State, from: usize| {
        let mut left = open.iter().enumerate().skip(from);
        left.find(|(_, v)| !is_one(state.mask(**v)))
            .map(|(at, _)| at)
    };
    let Some(first) = next(state, 0) else {
        return Ok(true);
    };
    // A state, the place of the variable that is chosen next, and the atoms that are left to try for it.
    let mut stack = vec![(state.clone(), first, state.mask(open[first]))];
    while let Some((state, at, left)) = stack.last_mut() {
        budget.spend(1)?;
        if *left == 0 {
            stack.pop();
            continue;
        }
        let atom = *left & left.wrapping_neg();
        *left ^= atom;
        let mut chosen = state.clone();
        let (v, from) = (open[*at], *at + 1);
        let stated = chosen.restrict_atom(v, atom);
        match stated.and_then(|()| chosen.propagate(budget)) {
            Ok(()) => match next(&chosen, from) {
                Some(at) => {
                    let left = chosen.mask(open[at]);
                    stack.push((chosen, at, left));
                }
                None => return Ok(true),
            },
            Err(Stop::Conflict) => {}
            Err(stop) => return Err(stop),
        }
    }
    Ok(false)
}

fn is_one(mask: u64) -> bool {
    mask.is_power_of_two()
}

/// The atoms that are open and in functions which are tied to each other in a circle; oldest first.
fn open_in_circles(state: &State) -> Vec<Var> {
    let mut functions: Vec<Vec<Var>> = Vec::new();
    for c in state.open_constraints() {
        if let Constraint::Atoms {
            left, right, out, ..
        } = c
        {
            let mut vars = [left, right, out].map(|v| state.root(*v)).to_vec();
            vars.retain(|v| !is_one(state.mask(*v)));
            vars.sort_unstable();
            vars.dedup();
            functions.push(vars);
        }
    }
    if functions.len() < 2 {
        return Vec::new();
    }
    let mut sets = Sets::new(state.var_count());
    let mut in_circles: Vec<Var> = Vec::new();
    for vars in &functions {
        for pair in vars.windows(2) {
            match sets.least(pair[0].index()) == sets.least(pair[1].index()) {
                true => in_circles.push(pair[0]),
                false => sets.join(pair[0].index(), pair[1].index()),
            }
        }
    }
    let mut is_circle = vec![false; state.var_count()];
    for v in in_circles {
        is_circle[sets.least(v.index())] = true;
    }
    let mut open: Vec<Var> = functions.into_iter().flatten().collect();
    open.retain(|v| is_circle[sets.least(v.index())]);
    open.sort_unstable();
    open.dedup();
    open
}
