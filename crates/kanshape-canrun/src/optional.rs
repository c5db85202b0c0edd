//! Which optional dims an input drops, as NumPy decides it from the ranks of the inputs.

use std::collections::BTreeSet;

use canrun::goals::Custom;

use crate::project::{project_all, truth};
use crate::reading::{Element, Reading};
use crate::shape::Shape;
use crate::uses::RunKey;

/// Every choice of optional dims that could be absent.
pub(crate) fn choices(reading: &Reading) -> Vec<BTreeSet<String>> {
    reading
        .optional()
        .into_iter()
        .fold(vec![BTreeSet::new()], |choices, key| {
            let with = choices.iter().cloned().map(|mut choice| {
                choice.insert(key.clone());
                choice
            });
            with.chain(choices.iter().cloned()).collect()
        })
}

/// The ranks of the inputs are such that exactly these optional dims are dropped.
pub(crate) fn ranks_drop(reading: &Reading, inputs: &[Shape], absent: &BTreeSet<String>) -> Custom {
    let (operands, absent) = (reading.inputs.clone(), absent.clone());
    project_all(inputs.to_vec(), move |shapes| {
        let ranks = shapes.iter().map(|shape| shape.len());
        truth(dropped(&operands, ranks).as_ref() == Some(&absent))
    })
}

fn dropped(
    inputs: &[Vec<Element>],
    ranks: impl Iterator<Item = usize>,
) -> Option<BTreeSet<String>> {
    let mut absent = BTreeSet::new();
    for (input, rank) in inputs.iter().zip(ranks) {
        let mut candidates = input.iter().filter_map(|element| match element {
            Element::Optional(key, _) => Some(key),
            _ => None,
        });
        while required(input, &absent) > rank as u64 {
            absent.insert(candidates.next()?.clone());
        }
    }
    Some(absent)
}

/// How many dims an input has at least.
fn required(input: &[Element], absent: &BTreeSet<String>) -> u64 {
    input.iter().fold(0, |count, element| {
        let dims = match element {
            Element::Dim(_) | Element::OrOne(_) => 1,
            Element::Optional(key, _) => u64::from(!absent.contains(key)),
            Element::Run(RunKey::Skip(length, _)) => *length,
            Element::Run(_) => 0,
        };
        count.saturating_add(dims)
    })
}
