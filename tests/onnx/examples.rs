//! The files load without a warning, and the worked examples of the operators are right.

use kanshape::{Diagnostic, Example, Operator, onnx};

#[test]
fn the_files_have_no_warnings() {
    let warnings: Vec<String> = onnx().warnings().map(|w| w.to_string()).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}

#[test]
fn every_operator_says_what_it_does_and_has_an_example() {
    for operator in onnx().operators() {
        assert!(operator.doc().any(|line| !line.is_empty()), "{operator:?}");
        assert!(operator.examples().next().is_some(), "{operator:?}");
    }
}

#[test]
fn the_examples_are_right() {
    let mut wrong = Vec::new();
    for operator in onnx().operators() {
        for example in operator.examples() {
            let found = answers(&operator, example);
            let is_right = match found.as_deref() {
                Ok([answer]) => outputs(answer) == outputs(example),
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{operator:?}: {example}: {found:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The answers to an example, at most a few.
fn answers(operator: &Operator, example: &str) -> Result<Vec<String>, Diagnostic> {
    let call = Example::read(operator, example)?.forwards();
    let answers = operator.query(call)?.limit(5).solve()?;
    Ok(answers.map(|answer| answer.to_string()).collect())
}

/// What an example or an answer says comes out: behind the last arrow, since that of a body stands before it.
fn outputs(text: &str) -> Option<&str> {
    text.rsplit_once("->").map(|(_, outputs)| outputs.trim())
}
