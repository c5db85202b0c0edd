//! With the output given, the recorded inputs are among the answers.

use crate::case::{self, Case};
use crate::instance::is_instance;
use kanshape::{Query, Type};
use kanshape_testkit::ground::Ground;

/// The answers that are looked through before a row counts as lost.
const PATIENCE: usize = 500_000;

fn recorded(case: &Case) -> Ground {
    Ground {
        inputs: case.inputs.clone(),
        outputs: case.outputs.clone().unwrap_or_default(),
        params: Default::default(),
    }
}

fn among(query: &Query, case: &Case) -> Result<(), String> {
    let expected = recorded(case);
    let mut answers = query.solve().map_err(|e| e.to_string())?;
    let mut seen = 0;
    for answer in answers.by_ref().take(PATIENCE) {
        if is_instance(&answer, &expected) {
            return Ok(());
        }
        seen += 1;
    }
    Err(format!(
        "{}: {} -> {:?}: {:?} is not among {seen} answers (complete: {}, out of budget: {})",
        case.id,
        case.signature(),
        expected.outputs,
        expected.inputs,
        answers.complete(),
        answers.is_stopped(),
    ))
}

fn solved() -> Vec<Case> {
    case::telling()
        .into_iter()
        .filter(|c| c.outputs.is_some())
        .collect()
}

fn all_pass(check: impl Fn(&Case) -> Result<(), String>) {
    let wrong: Vec<String> = solved().iter().filter_map(|c| check(c).err()).collect();
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The question with the recorded outputs, and these inputs.
fn query(case: &Case, inputs: Vec<Type>) -> Query {
    let outputs = case::types(case.outputs.as_deref().unwrap_or_default());
    case.signature()
        .query()
        .inputs(inputs)
        .outputs(outputs)
        .max_rank(case.rank())
        .budget(100_000_000)
}

#[test]
fn each_input_alone_is_found() {
    all_pass(|case| {
        (0..case.inputs.len()).try_for_each(|hidden| {
            let mut inputs = case.given();
            inputs[hidden] = Type::UNKNOWN;
            among(&query(case, inputs), case)
        })
    });
}

#[test]
fn each_input_alone_is_found_among_ground_answers() {
    all_pass(|case| {
        (0..case.inputs.len()).try_for_each(|hidden| {
            let mut inputs = case.given();
            inputs[hidden] = Type::UNKNOWN;
            among(&query(case, inputs).ground().max_dim(case.size()), case)
        })
    });
}

#[test]
fn all_inputs_are_found() {
    all_pass(|case| {
        let unknown = vec![Type::UNKNOWN; case.inputs.len()];
        among(&query(case, unknown), case)
    });
}

#[test]
fn all_inputs_are_found_among_ground_answers() {
    all_pass(|case| {
        let unknown = vec![Type::UNKNOWN; case.inputs.len()];
        among(&query(case, unknown).ground().max_dim(case.size()), case)
    });
}
