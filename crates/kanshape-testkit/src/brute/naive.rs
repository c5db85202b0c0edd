//! All solutions within bounds by testing every combination of shapes. Slow, and obvious.

use std::collections::{BTreeMap, BTreeSet};

use super::Relation;
use crate::ground::{Bounds, Ground, Holds, Partial, PartialShape, Shape};

impl Relation {
    /// What [`Relation::solutions`] gives, by [`Relation::holds`] on every combination of shapes
    /// and parameters within the bounds. Only for the smallest bounds.
    pub fn naive_solutions(&self, bounds: Bounds, given: &Partial) -> BTreeSet<Ground> {
        let mut solutions = BTreeSet::new();
        if !self.fits(given) {
            return solutions;
        }
        let slots: Vec<Vec<Shape>> = given
            .inputs
            .iter()
            .chain(&given.outputs)
            .map(|known| shapes(bounds, known))
            .collect();
        let all_params = self.all_params(bounds, given);
        each_combination(&slots, &mut Vec::new(), &mut |shapes| {
            let (inputs, outputs) = shapes.split_at(given.inputs.len());
            for params in &all_params {
                if self.holds(inputs, outputs, params) == Holds::Yes {
                    solutions.insert(Ground {
                        inputs: inputs.to_vec(),
                        outputs: outputs.to_vec(),
                        params: params.clone(),
                    });
                }
            }
        });
        solutions
    }

    fn all_params(&self, bounds: Bounds, given: &Partial) -> Vec<BTreeMap<String, u64>> {
        let mut all = vec![BTreeMap::new()];
        for (label, name) in &self.plan.reported {
            let max = if self.plan.declared.contains(name) {
                bounds.max_dim
            } else {
                bounds.max_rank as u64
            };
            let values: Vec<u64> = match given.params.get(label) {
                Some(value) if *value > max => Vec::new(),
                Some(value) => vec![*value],
                None => (0..=max).collect(),
            };
            all = all
                .iter()
                .flat_map(|params| {
                    values.iter().map(move |value| {
                        let mut params = params.clone();
                        params.insert(label.clone(), *value);
                        params
                    })
                })
                .collect();
        }
        all
    }
}

/// All shapes within bounds that are instances of what is known.
pub fn shapes(bounds: Bounds, known: &PartialShape) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for rank in 0..=bounds.max_rank {
        let dims = match known {
            None => vec![None; rank],
            Some(dims) if dims.len() == rank => dims.clone(),
            Some(_) => continue,
        };
        let mut of_rank = vec![Vec::new()];
        for dim in dims {
            let sizes: Vec<u64> = (0..=bounds.max_dim)
                .filter(|size| dim.is_none_or(|dim| dim == *size))
                .collect();
            of_rank = of_rank
                .iter()
                .flat_map(|shape: &Shape| {
                    sizes.iter().map(move |size| {
                        let mut shape = shape.clone();
                        shape.push(*size);
                        shape
                    })
                })
                .collect();
        }
        shapes.extend(of_rank);
    }
    shapes
}

fn each_combination(slots: &[Vec<Shape>], chosen: &mut Vec<Shape>, see: &mut impl FnMut(&[Shape])) {
    let Some(slot) = slots.get(chosen.len()) else {
        return see(chosen);
    };
    for shape in slot {
        chosen.push(shape.clone());
        each_combination(slots, chosen, see);
        chosen.pop();
    }
}
