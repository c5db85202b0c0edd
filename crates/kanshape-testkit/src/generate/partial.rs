//! What may be known of a solution: parts of one that exists, or anything.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::ground::{Bounds, Ground, Partial, PartialShape, Shape};

/// A solution with some of its slots and some of its sizes forgotten.
pub fn parts_of(ground: &Ground) -> impl Strategy<Value = Partial> + use<> {
    let inputs: Vec<_> = ground.inputs.iter().map(part_of_shape).collect();
    let outputs: Vec<_> = ground.outputs.iter().map(part_of_shape).collect();
    let params = ground.params.clone();
    let kept = vec(any::<bool>(), params.len());
    (inputs, outputs, kept).prop_map(move |(inputs, outputs, kept)| Partial {
        inputs,
        outputs,
        params: params
            .clone()
            .into_iter()
            .zip(kept)
            .filter_map(|(param, kept)| kept.then_some(param))
            .collect(),
    })
}

fn part_of_shape(shape: &Shape) -> impl Strategy<Value = PartialShape> + use<> {
    let dims: Vec<_> = shape
        .iter()
        .map(|size| prop_oneof![2 => Just(Some(*size)), 1 => Just(None)])
        .collect();
    prop_oneof![1 => Just(None), 3 => dims.prop_map(Some)]
}

/// Anything known about this many inputs and outputs; most likely no solution has it.
pub fn partials(inputs: usize, outputs: usize, bounds: Bounds) -> impl Strategy<Value = Partial> {
    let shape = move || {
        let dim = prop_oneof![2 => (0..=bounds.max_dim).prop_map(Some), 1 => Just(None)];
        prop_oneof![1 => Just(None), 2 => vec(dim, 0..=bounds.max_rank).prop_map(Some)]
    };
    (vec(shape(), inputs), vec(shape(), outputs)).prop_map(|(inputs, outputs)| Partial {
        inputs,
        outputs,
        ..Partial::default()
    })
}
