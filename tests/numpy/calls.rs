//! Random calls of NumPy's functions, each with its arguments: what NumPy gave is what the operator of that name answers, and
//! what it refused never holds.

use kanshape::{Answer, AttrValue, Call, Operator, Type, Verdict, catalog};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A row of `numpy_calls.jsonl`.
#[derive(Deserialize)]
struct Row {
    op: String,
    inputs: Vec<String>,
    attrs: BTreeMap<String, Value>,
    /// None where NumPy raised an error.
    outputs: Option<Vec<String>>,
}

/// Functions of which the values decide how long the result is, or of which dtype.
const BY_VALUE: [&str; 19] = [
    "argwhere",
    "bincount",
    "compress",
    "eigvals",
    "extract",
    "flatnonzero",
    "intersect1d",
    "ix_",
    "linalg.eig",
    "lstsq",
    "nonzero",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
];

/// Functions that refuse some values: weights that sum to 0, a condition that is true beyond the end.
const REFUSE_VALUES: [&str; 3] = ["average", "compress", "extract"];

fn rows() -> Vec<Row> {
    let lines = include_str!("../data/numpy/numpy_calls.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn attribute(value: &Value) -> AttrValue {
    match value {
        Value::Bool(truth) => (*truth).into(),
        Value::Number(number) => number.as_i64().unwrap().into(),
        Value::String(text) => text.as_str().into(),
        Value::Array(members) => members.iter().map(attribute).collect(),
        other => panic!("{other} is no attribute"),
    }
}

fn types(texts: &[String]) -> Vec<Option<Type>> {
    texts
        .iter()
        .map(|text| Some(text.parse().unwrap()))
        .collect()
}

fn operator(row: &Row) -> Operator {
    let name = format!("numpy::{}", row.op);
    catalog().operator(&name, None).unwrap()
}

fn call(row: &Row) -> Call {
    let attrs = row.attrs.iter();
    Call {
        inputs: types(&row.inputs),
        attrs: attrs
            .map(|(name, value)| (name.as_str().into(), attribute(value)))
            .collect(),
        ..Call::default()
    }
}

/// What is wrong with the answers to a call; nothing if all is well.
fn wrong(row: &Row) -> Option<String> {
    let by_value = BY_VALUE.contains(&&*row.op);
    let mut answers = operator(row).query(call(row)).unwrap().solve().unwrap();
    let verdict = answers.verdict();
    let found: Vec<Answer> = answers.by_ref().take(2).collect();
    let Some(outputs) = &row.outputs else {
        let may_hold = REFUSE_VALUES.contains(&&*row.op);
        return (verdict != Verdict::Never && !may_hold).then(|| "accepted".to_owned());
    };
    let [answer] = &found[..] else {
        return Some(format!("{verdict}, {} answers", found.len()));
    };
    if by_value {
        let call = Call {
            outputs: Some(types(outputs)),
            ..call(row)
        };
        let verdict = operator(row)
            .query(call)
            .unwrap()
            .solve()
            .unwrap()
            .verdict();
        return (verdict != Verdict::Always).then(|| format!("with the outputs it is {verdict}"));
    }
    let shown: Vec<String> = answer.outputs.iter().map(Type::to_string).collect();
    (shown != *outputs).then(|| shown.join(", "))
}

#[test]
fn operators_answer_what_numpy_gives() {
    let wrong: Vec<String> = rows()
        .iter()
        .filter_map(|row| {
            let found = wrong(row)?;
            let (op, inputs, attrs) = (&row.op, &row.inputs, &row.attrs);
            Some(format!(
                "{op} {attrs:?} {inputs:?}: NumPy {:?}, here {found}",
                row.outputs
            ))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} calls:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A function that is not in the file is not compared.
#[test]
fn every_function_is_called() {
    let rows = rows();
    let called: BTreeSet<&str> = rows.iter().map(|row| &*row.op).collect();
    let refused = rows.iter().filter(|row| row.outputs.is_none()).count();
    assert_eq!((rows.len(), called.len(), refused), (4997, 334, 655));
}
