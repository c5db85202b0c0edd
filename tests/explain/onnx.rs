//! A recorded call with one thing changed: where it can't be any more, the change is found and undone.

use crate::mutation::{Given, Mutation, Outcomes, check, of_attr, of_tensor};
use crate::onnx_case::{self as case, Case};
use kanshape::explain::Slot;
use kanshape::{Call, Query, Type, catalog};

/// The steps that a question may take.
const BUDGET: u64 = 2_000_000;

/// All changes of a call, one at a time.
fn mutations(case: &Case) -> Vec<Mutation> {
    let mut all = Vec::new();
    for (i, ty) in case.inputs().iter().enumerate() {
        // What it has in it belongs to its shape.
        if let Some(ty) = ty.as_ref().filter(|ty| ty.contents().is_none()) {
            all.extend(of_tensor(&Slot::Input(i), ty));
        }
    }
    for (i, ty) in case.outputs().iter().enumerate() {
        if let Some(ty) = ty {
            let ty = ty.clone().with_contents(None);
            all.extend(of_tensor(&Slot::Output(i), &ty));
        }
    }
    for (name, value) in case.attrs() {
        all.extend(of_attr(&name, &value));
    }
    all
}

fn spoiled(case: &Case, mutation: &Mutation) -> Option<Query> {
    let without_contents = |ty: &Option<Type>| ty.clone().map(|ty| ty.with_contents(None));
    let mut call = Call {
        inputs: case.inputs(),
        outputs: Some(case.outputs().iter().map(without_contents).collect()),
        attrs: case.attrs(),
        ..Call::default()
    };
    match (&mutation.slot, &mutation.new) {
        (Slot::Input(i), Given::Type(ty)) => call.inputs[*i] = Some(ty.clone()),
        (Slot::Output(i), Given::Type(ty)) => {
            call.outputs.as_mut()?[*i] = Some(ty.clone());
        }
        (Slot::Attr(name), Given::Attr(value)) => {
            let attr = call.attrs.iter_mut().find(|a| *a.0 == **name)?;
            attr.1 = value.clone();
        }
        _ => return None,
    }
    let operator = catalog().operator(&case.name(), Some(case.opset)).ok()?;
    Some(operator.query(call).ok()?.budget(BUDGET))
}

#[test]
fn a_change_is_in_the_core_and_undone_by_a_repair() {
    let (mut outcomes, mut wrong) = (Outcomes::default(), Vec::new());
    for case in case::all().iter() {
        for mutation in mutations(case) {
            let Some(query) = spoiled(case, &mutation) else {
                continue;
            };
            match check(&query, &mutation) {
                Ok(outcome) => outcomes.count(outcome),
                Err(why) => wrong.push(format!("{}: {why}", case.id)),
            }
        }
    }
    let few: Vec<&String> = wrong.iter().take(40).collect();
    assert!(wrong.is_empty(), "{} calls: {few:#?}", wrong.len());
    let known = Outcomes {
        still_fits: 797,
        unknown: 0,
        explained: 11_992,
    };
    assert_eq!(outcomes, known);
}
