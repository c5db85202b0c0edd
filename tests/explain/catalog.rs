//! An example of the catalog with one thing changed: where it can't be any more, the change is found and undone.

use crate::ask;
use crate::mutation::{Given, Outcome, check, of_tensor};
use kanshape::catalog::{Catalog, Expected, Question};
use kanshape::explain::Slot;
use kanshape::{Query, Signature, Type};

/// The steps that a question may take.
const BUDGET: u64 = 200_000;

/// What was found wrong of a question, and how many changes were explained.
fn spoil(signature: &Signature, question: &Question, wrong: &mut Vec<String>) -> usize {
    let Ok(query) = ask::query(signature, question) else {
        return 0;
    };
    let types = |texts: &[String]| -> Vec<Type> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    };
    let inputs = types(&question.inputs).into_iter().enumerate();
    let outputs = types(&question.outputs).into_iter().enumerate();
    let slots = inputs.map(|(i, ty)| (Slot::Input(i), ty));
    let slots = slots.chain(outputs.map(|(i, ty)| (Slot::Output(i), ty)));
    let mutations = slots.flat_map(|(slot, ty)| of_tensor(&slot, &ty));
    let mut explained = 0;
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
            Ok(Outcome::Explained) => explained += 1,
            Ok(Outcome::StillFits) => {}
            Err(why) => wrong.push(format!("{signature}: {why}")),
        }
    }
    explained
}

#[test]
fn a_change_is_in_the_core_and_undone_by_a_repair() {
    let (mut explained, mut wrong) = (0, Vec::new());
    for entry in Catalog::builtin() {
        let signature = ask::signature(entry).unwrap();
        let examples = entry.examples().iter();
        for example in examples.filter(|e| *e.expected() != Expected::Never) {
            explained += spoil(&signature, example.question(), &mut wrong);
        }
    }
    let few: Vec<&String> = wrong.iter().take(3).collect();
    assert!(wrong.is_empty(), "{} of {explained}: {few:#?}", wrong.len());
    assert!(explained > 500, "{explained}");
}
