//! The files load without a warning, and the worked examples of the operators are right.

use kanshape::syntax::relation;
use kanshape::{Diagnostic, Example, Operator, catalog};

/// The operators of ONNX.
fn operators() -> impl Iterator<Item = Operator> {
    catalog()
        .operators()
        .filter(|op| op.file().starts_with("onnx/"))
}

#[test]
fn the_files_have_no_warnings() {
    let warnings: Vec<String> = catalog().warnings().map(|w| w.to_string()).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}

#[test]
fn every_operator_says_what_it_does_and_has_an_example() {
    for operator in operators() {
        assert!(operator.doc().any(|line| !line.is_empty()), "{operator:?}");
        assert!(operator.examples().next().is_some(), "{operator:?}");
    }
}

#[test]
fn the_examples_are_right() {
    let mut wrong = Vec::new();
    for operator in operators() {
        for example in operator.examples() {
            let text = example.question;
            let found = answers(&operator, &example);
            let is_right = match found.as_deref() {
                Ok([answer]) => outputs(answer) == outputs(text),
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{operator:?}: {text}: {found:?}"));
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
fn answers(
    operator: &Operator,
    example: &relation::Example<'_>,
) -> Result<Vec<String>, Diagnostic> {
    let call = Example::read(operator, example)?.forwards();
    let answers = operator.query(call)?.limit(5).solve()?;
    Ok(answers.map(|answer| answer.to_string()).collect())
}

/// What an example or an answer says comes out: behind the last arrow, since that of a body stands before it.
fn outputs(text: &str) -> Option<&str> {
    text.rsplit_once("->").map(|(_, outputs)| outputs.trim())
}
