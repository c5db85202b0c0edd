//! What NumPy accepts has exactly the recorded output; what it refuses never holds.

use crate::case::{self, Case, Skip};
use kanshape::{Type, Verdict};
use std::collections::BTreeMap;

fn check(case: &Case) -> Result<(), String> {
    let signature = case.signature();
    let query = signature.query().inputs(case.given());
    // The shortcut for known shapes and the general way must agree.
    for query in [query.clone(), query.without_shortcut()] {
        let mut answers = query.solve().map_err(|e| e.to_string())?;
        let verdict = answers.verdict();
        let all: Vec<Vec<Type>> = answers.by_ref().map(|a| a.outputs.to_vec()).collect();
        let (expected, outputs) = match &case.outputs {
            Some(outputs) => (Verdict::Always, vec![case::types(outputs)]),
            None => (Verdict::Never, vec![]),
        };
        if verdict != expected || all != outputs || !answers.complete() {
            let inputs = &case.inputs;
            return Err(format!(
                "{}: {signature} on {inputs:?}: expected {expected} {outputs:?}, got {verdict} {all:?}",
                case.id
            ));
        }
    }
    Ok(())
}

#[test]
fn outputs_are_those_that_numpy_gives() {
    let wrong: Vec<String> = case::telling()
        .iter()
        .filter_map(|c| check(c).err())
        .collect();
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// How many rows are left out, and why: a change here is a change of what is tested.
#[test]
fn few_rows_are_left_out() {
    let mut skipped = BTreeMap::new();
    for skip in case::all().iter().filter_map(Case::skip) {
        *skipped.entry(skip).or_insert(0) += 1;
    }
    let expected = BTreeMap::from([
        (Skip::Hook, 55),
        (Skip::NumeralIsName, 12),
        (Skip::OutputUnknown, 1),
        (Skip::FixedSizeDropped, 1),
    ]);
    assert_eq!(skipped, expected);
}
