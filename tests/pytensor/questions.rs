//! Every question that the recorded calls come to, with its answers, as lines of JSON. The tests of the Python package solve the same
//! questions, and compare: one driver makes them for both.

use crate::fact::{self, Static};
use crate::steps::steps;
use kanshape::{Answer, Type};
use serde_json::json;

#[test]
fn questions() {
    let mut lines = Vec::new();
    for fact in fact::all() {
        let inputs: Vec<Type> = fact.inputs.iter().map(Static::ty).collect();
        let mut known = vec![inputs];
        for step in steps(&fact).into_iter().flatten() {
            let mut next = Vec::new();
            for inputs in &known {
                let mut answers = step.query(inputs).solve().unwrap();
                let verdict = answers.verdict().name();
                let all: Vec<Answer> = answers.by_ref().collect();
                let written: Vec<String> = all.iter().map(Answer::to_string).collect();
                let texts = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>();
                let line = json!({
                    "id": fact.id,
                    "rule": step.rule(),
                    "inputs": texts(inputs),
                    "output": step.required().to_string(),
                    "axis": step.axis().map(ToString::to_string),
                    "verdict": verdict,
                    "answers": written,
                });
                lines.push(line.to_string());
                next.extend(
                    all.into_iter()
                        .map(|answer| vec![crate::steps::output(answer)]),
                );
            }
            known = next;
        }
    }
    insta::assert_snapshot!("questions", lines.join("\n"));
}
