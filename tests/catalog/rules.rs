//! The files load without a warning, and the worked examples of the operators are right.

use kanshape::tree::relation;
use kanshape::{AttrValue, Call, Diagnostic, Operator, Type, catalog, operator::Example};
use std::collections::BTreeSet;

/// The operators that are a rule: those of ONNX, onnxruntime, NumPy, torch and Relay.
fn operators() -> impl Iterator<Item = Operator> {
    let folders = ["onnx/", "microsoft/", "numpy/", "aten/", "torch/", "relay/"];
    let all = catalog().operators();
    all.filter(move |op| folders.iter().any(|folder| op.file().starts_with(folder)))
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
            if !example.answers.is_empty() {
                let read = Example::read(&operator, &example).unwrap();
                let found = read
                    .answers
                    .as_ref()
                    .unwrap()
                    .of(&read.query(&operator).unwrap());
                if found.as_ref() != Ok(read.answers.as_ref().unwrap()) {
                    wrong.push(format!("{operator:?}: {text}: {found:?}"));
                }
                continue;
            }
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

#[test]
fn an_answer_reads_back_as_a_question() {
    let mut read = 0;
    for operator in operators() {
        for written in operator.examples() {
            let example = Example::read(&operator, &written).unwrap();
            // The places of operands that are left out are those of the call.
            if example
                .inputs
                .iter()
                .chain(&example.outputs)
                .any(Option::is_none)
            {
                continue;
            }
            let mut call = example.call();
            call.outputs = Some(vec![Some(Type::UNKNOWN); example.outputs.len()]);
            for (_, value) in call.attrs.iter_mut().take(1) {
                *value = AttrValue::Hole;
            }
            let answers = operator
                .query(call)
                .unwrap()
                .limit(2)
                .budget(100_000)
                .solve();
            for answer in answers.unwrap() {
                let text = answer.to_string();
                let question = relation::Example {
                    question: &text,
                    answers: vec![],
                };
                let back =
                    Example::read(&operator, &question).unwrap_or_else(|d| panic!("{text}: {d}"));
                let inputs: Vec<&Type> = back.inputs.iter().flatten().collect();
                assert_eq!(inputs, answer.inputs.iter().collect::<Vec<_>>(), "{text}");
                assert_eq!(back.attrs.len(), answer.attrs.len(), "{text}");
                for ((_, own), (_, other)) in back.attrs.iter().zip(&answer.attrs) {
                    assert_eq!(own.to_string(), other.to_string(), "{text}");
                }
                read += 1;
            }
        }
    }
    assert!(read > 300, "{read}");
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

/// An open axis of a tensor of any rank counts from either end. The search begins with the shortest run behind it, although a negative
/// axis has no least value.
#[test]
fn an_axis_that_is_open_counts_from_either_end() {
    let compress = catalog().operator("onnx::Compress", None).unwrap();
    let call = Call {
        inputs: vec![Some(Type::UNKNOWN); 2],
        attrs: vec![("axis".into(), AttrValue::Hole)],
        ..Call::default()
    };
    let answers = compress.query(call).unwrap().limit(24).solve().unwrap();
    let axes: BTreeSet<String> = answers
        .flat_map(|answer| answer.attrs)
        .map(|(_, axis)| axis.to_string())
        .collect();
    let wanted = ["-1", "-2", "-3", "0", "1", "2"];
    assert!(wanted.iter().all(|axis| axes.contains(*axis)), "{axes:?}");
    assert!(axes.iter().all(|axis| axis.len() <= 2), "{axes:?}");
}

#[test]
fn relations_that_the_manual_lists_can_be_called() {
    let manual = include_str!("../../docs/operators.md");
    let (_, part) = manual.split_once("## Relations of the catalog").unwrap();
    let part = part.split("\n## ").next().unwrap();
    let rows = part.lines().filter_map(|line| line.strip_prefix("| `"));
    let first = rows.filter_map(|row| row.split(" |").next());
    let calls: Vec<&str> = first
        .flat_map(|cell| cell.split("`, `"))
        .map(|call| call.trim_end_matches('`'))
        .collect();
    for call in &calls {
        let (_, args) = call.split_once('(').unwrap();
        let text = format!("Own({args} :- {call}");
        let loaded = kanshape::catalog().with([("own.kan", &*text)]);
        assert!(loaded.is_ok(), "{call}: {:?}", loaded.err());
    }
    assert_eq!(calls.len(), 53);
}
