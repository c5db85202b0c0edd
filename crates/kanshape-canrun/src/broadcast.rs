//! Broadcasting as a relation.

use std::rc::Rc;

use canrun::goals::assert_1;
use canrun::{Goal, Value, any, both, unify};

use crate::project::{all_of, with_cells};
use crate::shape::{Shape, Size, fresh, list};

/// What shapes broadcast to, aligned on the right; of none at all, the scalar.
pub fn broadcast(shapes: Vec<Shape>, to: &Shape) -> Rc<dyn Goal> {
    let to = to.clone();
    Rc::new(with_cells(shapes, move |shapes| {
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let out = fresh(rank);
        let mut goals: Vec<Box<dyn Goal>> = vec![Box::new(unify(to.clone(), list(&out)))];
        for (place, size) in out.iter().enumerate() {
            let dims: Vec<&Size> = shapes
                .iter()
                .filter_map(|shape| shape.get((place + shape.len()).checked_sub(rank)?))
                .collect();
            goals.push(broadcast_dims(&dims, size));
        }
        all_of(goals)
    }))
}

/// What dims broadcast to.
pub(crate) fn broadcast_dims(dims: &[&Size], to: &Size) -> Box<dyn Goal> {
    match dims {
        [] => Box::new(unify(to, 1)),
        [only] => Box::new(unify(*only, to)),
        [a, b] => Box::new(broadcast_dim(a, b, to)),
        [a, b, rest @ ..] => {
            let between = Value::var();
            let others: Vec<&Size> = std::iter::once(&between)
                .chain(rest.iter().copied())
                .collect();
            let first = broadcast_dim(a, b, &between);
            all_of(vec![Box::new(first), broadcast_dims(&others, to)])
        }
    }
}

/// What two dims broadcast to: three ways, of which no two can be true at once.
pub fn broadcast_dim(a: &Size, b: &Size, to: &Size) -> impl Goal + use<> {
    any![
        both(unify(a, b), unify(a, to)),
        both(unify(a, 1), both(unify(b, to), is_not_one(b))),
        both(unify(b, 1), both(unify(a, to), is_not_one(a))),
    ]
}

pub(crate) fn is_not_one(size: &Size) -> impl Goal + use<> {
    assert_1(size, |size| *size != 1)
}
