//! A function of two atoms by table, as a relation of three sets.

use super::Outcome;
use crate::budget::Stop;
use crate::linear::Var;
use crate::store::State;
use std::fmt::Debug;

/// `table[left, right] = out` for atoms 0 to 63. Not every pair needs to have a value.
pub trait AtomTable: Debug + Send + Sync {
    /// The parts of three sets of atoms (as bits) that have a match in the two others.
    fn refine(&self, left: u64, right: u64, out: u64) -> (u64, u64, u64);
}

pub(super) fn run(
    state: &mut State,
    table: &dyn AtomTable,
    left: Var,
    right: Var,
    out: Var,
) -> Result<Outcome, Stop> {
    let before = (state.mask(left), state.mask(right), state.mask(out));
    let after = table.refine(before.0, before.1, before.2);
    state.restrict_atom(left, after.0)?;
    state.restrict_atom(right, after.1)?;
    state.restrict_atom(out, after.2)?;
    let known = |mask: u64| mask.is_power_of_two();
    // With two of them known, the third is in its set whatever else holds.
    let count = [after.0, after.1, after.2]
        .into_iter()
        .filter(|m| known(*m))
        .count();
    Ok(if count >= 2 {
        Outcome::Done
    } else {
        Outcome::Keep
    })
}
