//! Ground answers: values that are still unknown at the end are tried one after the other.

use std::rc::Rc;

use canrun::{Goal, State, StateIter, Unify, Value, custom};

use crate::shape::Size;

/// Applies a goal once the forks that wait already have been taken.
///
/// canrun takes forks in the order in which they were stated. Enumerating sizes before a shape has
/// its rank would be endless work for nothing, so enumeration goes to the end of the queue.
pub(crate) fn afterwards(goal: Box<dyn Goal>) -> impl Goal {
    let goal: Rc<dyn Goal> = Rc::from(goal);
    custom(move |state| {
        let goal = goal.clone();
        state.fork(move |state: &State| -> StateIter {
            Box::new(goal.apply(state.clone()).into_iter())
        })
    })
}

/// A value is one of the candidates. Costs nothing to speak of where it is known.
pub(crate) fn one_of<T>(value: &Value<T>, candidates: impl Candidates<T>) -> impl Goal
where
    T: Unify,
{
    let value = value.clone();
    custom(move |state| {
        let (value, candidates) = (value.clone(), candidates.clone());
        state.fork(move |state: &State| -> StateIter {
            match state.resolve(&value) {
                Value::Resolved(known) => {
                    let allowed = candidates.contains(&known);
                    Box::new(allowed.then(|| state.clone()).into_iter())
                }
                open @ Value::Var(_) => {
                    let state = state.clone();
                    let try_one =
                        move |candidate| state.clone().unify(&open, &Value::new(candidate));
                    Box::new(candidates.clone().all().filter_map(try_one))
                }
            }
        })
    })
}

/// Some values to try.
pub(crate) trait Candidates<T>: Clone + 'static {
    fn contains(&self, value: &T) -> bool;
    fn all(self) -> impl Iterator<Item = T> + 'static;
}

/// The sizes from 0 to a greatest one.
#[derive(Clone, Copy)]
pub(crate) struct UpTo(pub(crate) u64);

impl Candidates<u64> for UpTo {
    fn contains(&self, value: &u64) -> bool {
        *value <= self.0
    }

    fn all(self) -> impl Iterator<Item = u64> + 'static {
        0..=self.0
    }
}

impl<T: Clone + PartialEq + 'static> Candidates<T> for Rc<[T]> {
    fn contains(&self, value: &T) -> bool {
        self.as_ref().contains(value)
    }

    fn all(self) -> impl Iterator<Item = T> + 'static {
        (0..self.len()).map(move |at| self[at].clone())
    }
}

/// There are values for these sizes, from 0 to `max`: the first that fit are taken, since nobody
/// sees them.
pub(crate) fn some_values(sizes: Vec<Size>, max: u64) -> impl Goal {
    let sizes: Rc<[Size]> = sizes.into();
    custom(move |state| {
        let sizes = sizes.clone();
        state.fork(move |state: &State| -> StateIter {
            Box::new(first_fit(&sizes, max, state.clone()).into_iter())
        })
    })
}

fn first_fit(sizes: &[Size], max: u64, state: State) -> Option<State> {
    let Some((size, rest)) = sizes.split_first() else {
        return Some(state);
    };
    match state.resolve(size) {
        Value::Resolved(_) => first_fit(rest, max, state),
        open @ Value::Var(_) => (0..=max).find_map(|value| {
            let state = state.clone().unify(&open, &Value::new(value))?;
            first_fit(rest, max, state)
        }),
    }
}
