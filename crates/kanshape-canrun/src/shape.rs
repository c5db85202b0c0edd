//! Shapes as canrun values.

use canrun::goals::{assert_1, project_1};
use canrun::lvec::LVec;
use canrun::{Goal, State, Value, unify};

/// One dim of a shape, as a canrun value.
pub type Size = Value<u64>;

/// A shape, as a canrun value: `lvec![2, n].into()`, or a variable where even the rank is unknown.
pub type Shape = Value<LVec<u64>>;

/// A shape whose sizes are known.
pub fn known(sizes: &[u64]) -> Shape {
    Value::new(sizes.iter().copied().collect::<LVec<u64>>())
}

/// A shape of known rank, with fresh variables for the sizes that are not known.
pub fn partly_known(sizes: &[Option<u64>]) -> Shape {
    let size = |known: &Option<u64>| known.map_or_else(Value::var, Value::new);
    Value::new(sizes.iter().map(size).collect::<LVec<u64>>())
}

/// The sizes of a shape in a state, if all of them are known there.
///
/// Unlike canrun's `query`, this gives an answer from states that still have constraints or forks.
pub fn read(state: &State, shape: &Shape) -> Option<Vec<u64>> {
    let resolved = state.resolve(shape);
    let cells = fresh(resolved.resolved()?.len());
    let state = state.clone().unify(&resolved, &list(&cells))?;
    cells
        .iter()
        .map(|cell| state.resolve(cell).resolved().copied())
        .collect()
}

/// A list of this many new variables.
pub(crate) fn fresh(count: usize) -> Vec<Size> {
    (0..count).map(|_| Value::var()).collect()
}

pub(crate) fn list(cells: &[Size]) -> Shape {
    Value::new(LVec::from(cells))
}

/// The rank of a shape is at most `max`.
pub(crate) fn rank_at_most(shape: &Shape, max: u64) -> impl Goal {
    assert_1(shape, move |dims: &LVec<u64>| dims.len() as u64 <= max)
}

/// The rank of a shape is a number like any other.
pub(crate) fn rank(shape: &Shape, rank: &Size) -> impl Goal {
    let rank = rank.clone();
    project_1(shape, move |dims| {
        Box::new(unify(rank.clone(), dims.len() as u64))
    })
}
