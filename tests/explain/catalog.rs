//! An example of the catalog with one thing changed: where it can't be any more, the change is found and undone.

use crate::mutation::{Given, Outcomes, check, of_tensor};
use kanshape::explain::Slot;
use kanshape::{
    Operator, Query, catalog,
    operator::{Example, Expected},
};

/// The steps that a question may take.
const BUDGET: u64 = 200_000;

/// What is found of a question with one thing changed, and what is wrong with it.
fn spoil(operator: &Operator, example: &Example, outcomes: &mut Outcomes, wrong: &mut Vec<String>) {
    let query = example.query(operator).unwrap();
    let inputs = example.inputs.iter().flatten().cloned().enumerate();
    let outputs = example.outputs.iter().flatten().cloned().enumerate();
    let slots = inputs.map(|(i, ty)| (Slot::Input(i), ty));
    let slots = slots.chain(outputs.map(|(i, ty)| (Slot::Output(i), ty)));
    let mutations = slots.flat_map(|(slot, ty)| of_tensor(&slot, &ty));
    for mutation in mutations {
        let Given::Type(new) = &mutation.new else {
            continue;
        };
        let spoiled: Query = match mutation.slot {
            Slot::Input(i) => query.clone().input(i, new.clone()),
            Slot::Output(i) => query.clone().output(i, new.clone()),
            _ => continue,
        };
        match check(&spoiled.budget(BUDGET), &mutation) {
            Ok(outcome) => outcomes.count(outcome),
            Err(why) => wrong.push(format!("{operator:?}: {why}")),
        }
    }
}

#[test]
fn a_change_is_in_the_core_and_undone_by_a_repair() {
    let (mut outcomes, mut wrong) = (Outcomes::default(), Vec::new());
    for operator in catalog()
        .operators()
        .filter(|op| op.file().starts_with("ops/"))
    {
        let examples = operator
            .examples()
            .map(|e| Example::read(&operator, &e).unwrap());
        for example in examples.filter(|e| e.answers != Some(Expected::Never)) {
            spoil(&operator, &example, &mut outcomes, &mut wrong);
        }
    }
    let few: Vec<&String> = wrong.iter().take(3).collect();
    assert!(
        wrong.is_empty(),
        "{} of {outcomes:?}: {few:#?}",
        wrong.len()
    );
    let known = Outcomes {
        still_fits: 1_982,
        unknown: 0,
        explained: 3_075,
    };
    assert_eq!(outcomes, known);
}
