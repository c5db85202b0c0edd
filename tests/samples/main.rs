//! Samples: answers without unknowns, chosen at random. What is chosen is compared with what the rule answers about it.

#![allow(clippy::unwrap_used, clippy::result_large_err, missing_docs)]

mod catalog;
mod choices;
mod strategies;

use kanshape::{Answer, Type, types::TypeKind};
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Random choices, the same in each run.
fn choices() -> TestRng {
    TestRng::deterministic_rng(RngAlgorithm::ChaCha)
}

/// The tensors in a type, as dims.
fn shapes(ty: &Type, found: &mut Vec<Vec<u64>>) {
    if let TypeKind::Tensor(t) = &ty.kind {
        found.push(t.shape.iter().map(|dim| dim.extent().unwrap()).collect());
    }
    ty.parts().for_each(|part| shapes(part, found));
}

/// The shapes in the inputs of an answer.
fn input_shapes(answer: &Answer) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    answer.inputs.iter().for_each(|ty| shapes(ty, &mut found));
    found
}

/// Has a type no unknowns, but for what is in its tensors?
fn is_concrete(ty: &Type) -> bool {
    let own = match &ty.kind {
        TypeKind::Unknown | TypeKind::Var(_) => false,
        TypeKind::Tensor(t) => {
            t.dtype.set().single().is_some()
                && t.shape.rank().is_some()
                && t.shape.iter().all(|dim| dim.extent().is_some())
        }
        _ => true,
    };
    own && ty.conditions.is_empty() && ty.parts().all(is_concrete)
}
