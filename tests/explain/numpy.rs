//! A recorded call with one thing changed: where it can't be any more, the change is found and undone.

use crate::mutation::{Given, Mutation, Outcomes, check, mistake, of_tensor};
use crate::numpy_case as case;
use kanshape::Type;
use kanshape::explain::Slot;

#[test]
fn a_change_is_in_the_core_and_undone_by_a_repair() {
    let (mut outcomes, mut wrong) = (Outcomes::default(), Vec::new());
    for case in case::telling() {
        let Some(outputs) = &case.outputs else {
            continue;
        };
        let (inputs, outputs) = (case.given(), case::types(outputs));
        let mut mutations: Vec<Mutation> = Vec::new();
        for (i, ty) in inputs.iter().enumerate() {
            mutations.extend(of_tensor(&Slot::Input(i), ty));
        }
        for (i, ty) in outputs.iter().enumerate() {
            mutations.extend(of_tensor(&Slot::Output(i), ty));
        }
        for mutation in mutations {
            let (mut inputs, mut outputs) = (inputs.clone(), outputs.clone());
            put(&mut inputs, &mut outputs, &mutation);
            let query = case.signature().query().inputs(inputs).outputs(outputs);
            match check(&query, &mutation) {
                Ok(outcome) => outcomes.count(outcome),
                Err(why) => wrong.push(format!("{}: {why}", case.id)),
            }
        }
    }
    let few: Vec<&String> = wrong.iter().take(3).collect();
    assert!(wrong.is_empty(), "{} rows: {few:#?}", wrong.len());
    let known = Outcomes {
        still_fits: 541,
        unknown: 0,
        explained: 10_289,
    };
    assert_eq!(outcomes, known);
}

/// What NumPy refuses is explained by facts.
#[test]
fn refused_calls_have_a_core() {
    let refused = case::telling();
    let refused = refused.iter().filter(|case| case.outputs.is_none());
    assert_eq!(refused.clone().count(), 372);
    for case in refused {
        let query = case.signature().query().inputs(case.given());
        let conflict = query.explain().unwrap();
        assert!(!conflict.facts.is_empty(), "{case:?}");
        assert_eq!(mistake(&query, &conflict), None, "{case:?}");
    }
}

fn put(inputs: &mut [Type], outputs: &mut [Type], mutation: &Mutation) {
    let Given::Type(new) = &mutation.new else {
        return;
    };
    match mutation.slot {
        Slot::Input(i) => inputs[i] = new.clone(),
        Slot::Output(i) => outputs[i] = new.clone(),
        _ => {}
    }
}
