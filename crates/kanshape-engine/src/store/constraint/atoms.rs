//! A function of two atoms by table, as a relation of three sets.

use super::{AfterRun, Constraint};
use crate::budget::Stop;
use crate::linear::Var;
use crate::store::State;
use std::fmt::Debug;

/// `table[left, right] = out` for atoms 0 to 63. Not every pair needs to have a value.
pub trait AtomTable: Debug + Send + Sync {
    /// The parts of three sets of atoms (as bits) that have a match in the two others.
    fn refine(&self, left: u64, right: u64, out: u64) -> (u64, u64, u64);

    /// Are these atoms nothing that a caller has a word for, but what several arguments have come to so far? Then what
    /// they are is only written as the arguments of the application that they go into, which is kept for that.
    fn is_partial(&self, _atoms: u64) -> bool {
        false
    }

    /// Does the result say nothing but that the two others are related? Then a caller has no word for it.
    fn is_relation(&self) -> bool {
        false
    }
}

pub(super) fn run(
    state: &mut State,
    table: &dyn AtomTable,
    left: Var,
    right: Var,
    out: Var,
) -> Result<AfterRun, Stop> {
    let (left, right, out) = (state.root(left), state.root(right), state.root(out));
    let after = if left == right || left == out || right == out {
        let (after, idempotent) = refine_shared(state, table, left, right, out);
        if idempotent {
            state.restrict_atom(left, after.0)?;
            state.equate_atoms(left, out)?;
            return Ok(AfterRun::Done);
        }
        after
    } else {
        table.refine(state.mask(left), state.mask(right), state.mask(out))
    };
    state.restrict_atom(left, after.0)?;
    state.restrict_atom(right, after.1)?;
    state.restrict_atom(out, after.2)?;
    let is_written = table.is_partial(after.0) && state.is_atom_of_others(left);
    Ok(if are_known(state, [left, right, out]) && !is_written {
        AfterRun::Done
    } else {
        AfterRun::Keep
    })
}

/// Are two of the three known? Then the third is in its set whatever else holds.
pub(super) fn are_known(state: &State, all: [Var; 3]) -> bool {
    let known = all.into_iter().filter(|v| state.mask(*v).is_power_of_two());
    known.count() >= 2
}

impl State {
    /// Is an atom the value of an application that still says something?
    fn is_atom_of_others(&self, v: Var) -> bool {
        self.watching(v)
            .any(|c| matches!(c, Constraint::Atoms { out, .. } if self.root(*out) == self.root(v)))
    }
}

/// The three sets where one variable stands in several places, which is the same atom in each of them; and whether the value
/// is that atom in any case.
fn refine_shared(
    state: &State,
    table: &dyn AtomTable,
    left: Var,
    right: Var,
    out: Var,
) -> ((u64, u64, u64), bool) {
    let shared = if left == right { left } else { out };
    let mut sets = (0, 0, 0);
    let mut idempotent = left == right;
    let mut atoms = state.mask(shared);
    while atoms != 0 {
        let atom = atoms & atoms.wrapping_neg();
        atoms ^= atom;
        let mask = |v: Var| if v == shared { atom } else { state.mask(v) };
        let (x, y, z) = table.refine(mask(left), mask(right), mask(out));
        if x == 0 || y == 0 || z == 0 {
            continue;
        }
        idempotent &= z == atom;
        sets = (sets.0 | x, sets.1 | y, sets.2 | z);
    }
    (sets, idempotent && sets.0 != 0)
}
