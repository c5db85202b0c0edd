//! Goals that are made once values are known, and a few words for goals.

use std::rc::Rc;

use canrun::constraints::{Constraint, ResolveFn, resolve_1};
use canrun::goals::{All, Custom};
use canrun::{Fail, Goal, LVarList, State, Succeed, Unify, Value, custom, unify};

use crate::shape::{Shape, Size, fresh, list};

/// Makes a goal of many values as soon as all of them are known: `project_1` for any number.
///
/// It watches one variable at a time, because canrun forgets to clean up after a constraint that
/// watched two.
pub(crate) fn project_all<T: Unify>(
    values: Vec<Value<T>>,
    then: impl Fn(&[Rc<T>]) -> Box<dyn Goal> + 'static,
) -> Custom {
    let projection = Rc::new(ProjectAll { values, then });
    custom(move |state| state.constrain(projection.clone()))
}

struct ProjectAll<T: Unify, F> {
    values: Vec<Value<T>>,
    then: F,
}

impl<T, F> Constraint for ProjectAll<T, F>
where
    T: Unify,
    F: Fn(&[Rc<T>]) -> Box<dyn Goal> + 'static,
{
    fn attempt(&self, state: &State) -> Result<ResolveFn, LVarList> {
        let known: Result<Vec<Rc<T>>, LVarList> = self
            .values
            .iter()
            .map(|value| resolve_1(value, state))
            .collect();
        let goal = (self.then)(&known?);
        Ok(Box::new(move |state| goal.apply(state)))
    }
}

/// Makes a goal of the cells of shapes as soon as all ranks are known.
pub(crate) fn with_cells(
    shapes: Vec<Shape>,
    then: impl Fn(&[Vec<Size>]) -> Box<dyn Goal> + 'static,
) -> Custom {
    project_all(shapes, move |lists| {
        let cells: Vec<Vec<Size>> = lists.iter().map(|list| fresh(list.len())).collect();
        let mut goals: Vec<Box<dyn Goal>> = Vec::new();
        for (resolved, cells) in lists.iter().zip(&cells) {
            goals.push(Box::new(unify(
                Value::Resolved(resolved.clone()),
                list(cells),
            )));
        }
        goals.push(then(&cells));
        all_of(goals)
    })
}

/// All goals of a list hold.
pub(crate) fn all_of(goals: Vec<Box<dyn Goal>>) -> Box<dyn Goal> {
    Box::new(All::from(goals))
}

/// Succeeds or fails.
pub(crate) fn truth(holds: bool) -> Box<dyn Goal> {
    if holds {
        Box::new(Succeed)
    } else {
        Box::new(Fail)
    }
}
