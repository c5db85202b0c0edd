//! Every operator of the catalog has samples, and each is what the operator answers about its inputs.

use super::{choices, input_shapes, is_concrete};
use kanshape::choice::Choose;
use kanshape::{Answer, Call, Dim, Error, Operator, Query, Type, Verdict, catalog};
use std::collections::BTreeSet;

/// Calls of each operator that are tried.
const CALLS: usize = 16;

/// The samples of an operator.
fn samples(op: &Operator, choose: &mut impl Choose) -> Vec<(Call, Answer)> {
    let mut found = Vec::new();
    for _ in 0..CALLS {
        let call = op.some_call(choose);
        // Some operands come only together.
        let Ok(query) = op.query(call.clone()) else {
            continue;
        };
        match query.sample(choose) {
            Ok(answer) => found.push((call.filled(op, &answer), answer)),
            Err(Error::Never(_) | Error::Unknown(_)) => {}
            Err(why) => panic!("{}: {call}: {why}", op.full_name()),
        }
    }
    found
}

/// The type without what is in its tensors.
fn shape_of(ty: &Type) -> Type {
    match ty.as_tensor() {
        Some(_) => ty.clone().with_contents(None),
        None => ty.map_parts(&mut |part| shape_of(part)),
    }
}

/// Does the rule leave no other size where the inputs of a call have this one, as of boxes, which have 5 numbers?
fn is_fixed(op: &Operator, call: &Call, size: u64) -> bool {
    let mut open = call.clone();
    for ty in open.inputs.iter_mut().flatten() {
        *ty = opened(ty, size);
    }
    let mut answers = op.query(open).unwrap().limit(8).solve().unwrap();
    let has_size = |answer: Answer| input_shapes(&answer).iter().flatten().any(|n| *n == size);
    let all = answers
        .by_ref()
        .all(|answer| answer.inputs.iter().all(is_concrete) && has_size(answer));
    all && answers.complete()
}

/// The type with holes where it has this size.
fn opened(ty: &Type, size: u64) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        return ty.map_parts(&mut |part| opened(part, size));
    };
    let dim = |dim: &Dim| match dim.extent() {
        Some(n) if n == size => Dim::Hole,
        _ => dim.clone(),
    };
    Type::tensor(tensor.dtype.clone(), tensor.shape.iter().map(dim))
}

#[test]
fn each_is_what_the_operator_answers() {
    let (mut none, mut all, mut computed) = (BTreeSet::new(), 0, 0);
    for op in catalog().operators() {
        // The samples of an operator do not depend on those of the others.
        let mut choose = choices();
        let samples = samples(&op, &mut choose);
        if samples.is_empty() {
            none.insert(format!("{} since {}", op.full_name(), op.since()));
        }
        for (call, sample) in samples {
            let name = op.full_name();
            all += 1;
            for ty in sample.inputs.iter().chain(&sample.outputs) {
                assert!(is_concrete(ty), "{name}: {sample}");
            }
            assert!(sample.conditions.is_empty(), "{name}: {sample}");
            for shape in input_shapes(&sample) {
                assert!(
                    shape.len() as u64 <= Query::SAMPLE_MAX_RANK,
                    "{name}: {sample}"
                );
                // A tensor with a number for each dim of another is as long as that has dims.
                let most = Query::SAMPLE_MAX_DIM.max(Query::SAMPLE_MAX_RANK);
                // The bits of an element of one dtype are those of so many of another.
                let outputs = sample.outputs.iter().map(shape_of).map(Some);
                let whole = Call {
                    outputs: Some(outputs.collect()),
                    ..call.clone()
                };
                for size in shape.into_iter().filter(|n| *n > most) {
                    let is_fixed = is_fixed(&op, &call, size) || is_fixed(&op, &whole, size);
                    assert!(is_fixed, "{name}: {sample}");
                }
            }
            // Forwards, on numbers.
            let forward = op.query(call.clone()).unwrap().one();
            let is_computed = forward.as_ref().is_ok_and(|answer| {
                answer.conditions.is_empty() && answer.outputs.iter().all(is_concrete)
            });
            if let (true, Ok(answer)) = (is_computed, forward) {
                computed += 1;
                let of = |types: &[Type]| types.iter().map(shape_of).collect::<Vec<_>>();
                assert_eq!(of(&answer.outputs), of(&sample.outputs), "{name} {call}");
                continue;
            }
            // What depends on values is among what it may be.
            let outputs = sample.outputs.iter().cloned().map(Some).collect();
            let whole = Call {
                outputs: Some(outputs),
                ..call
            };
            let verdict = op.query(whole.clone()).unwrap().solve().unwrap().verdict();
            assert_ne!(verdict, Verdict::Never, "{name} {whole}");
        }
    }
    let none = none.into_iter().collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("operators_without_samples", none);
    // Few depend on values that were not found.
    assert!(computed * 100 >= all * 90, "{computed} of {all}");
}

#[test]
fn near_misses_are_refused_for_one_change() {
    let mut none = BTreeSet::new();
    for op in catalog().operators() {
        let mut choose = choices();
        let mut found = 0;
        for _ in 0..24 {
            let call = op.some_call(&mut choose);
            let Ok(query) = op.query(call.clone()) else {
                continue;
            };
            let Ok(refused) = query.near_miss(&mut choose) else {
                continue;
            };
            found += 1;
            let call = call.filled(&op, &refused);
            let verdict = op.query(call.clone()).unwrap().solve().unwrap().verdict();
            assert_eq!(verdict, Verdict::Never, "{} {call}", op.full_name());
            if found == 4 {
                break;
            }
        }
        if found == 0 {
            none.insert(format!("{} since {}", op.full_name(), op.since()));
        }
    }
    // What takes any tensor, and what has no inputs or no samples.
    let none = none.into_iter().collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("operators_without_near_misses", none);
}
