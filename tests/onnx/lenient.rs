//! The lenient catalog against what `onnx.reference` and onnxruntime did with calls that the specification excludes.

use kanshape::catalog::lenient_catalog;
use kanshape::{AttrValue, Call, Relations, Type, catalog};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A row of `lenient.jsonl`.
#[derive(Debug, Deserialize)]
struct Case {
    op: String,
    opset: u64,
    attrs: BTreeMap<String, Number>,
    inputs: Vec<String>,
    outputs: usize,
    reference: Option<Vec<Vec<u64>>>,
    onnxruntime: Option<Vec<Vec<u64>>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Number {
    Int(i64),
    Ints(Vec<i64>),
}

impl Case {
    /// The shapes of the outputs, if the call is possible.
    fn solved(&self, relations: &Relations) -> Option<Vec<Vec<u64>>> {
        let name = format!("onnx::{}", self.op);
        let operator = relations.operator(&name, Some(self.opset)).unwrap();
        let inputs = self.inputs.iter().map(|ty| Some(ty.parse().unwrap()));
        let attrs = self.attrs.iter().map(|(name, value)| {
            let value = match value.clone() {
                Number::Int(n) => AttrValue::Int(n),
                Number::Ints(all) => AttrValue::List(all.into_iter().map(AttrValue::Int).collect()),
            };
            (name.as_str().into(), value)
        });
        let call = Call {
            attrs: attrs.collect(),
            inputs: inputs.collect(),
            outputs: Some(vec![Some(Type::UNKNOWN); self.outputs]),
            ..Call::default()
        };
        let answer = operator.query(call).unwrap().solve().unwrap().next()?;
        let outputs = answer.outputs.iter().map(|ty| {
            let dims = ty.as_tensor().unwrap().shape.known_dims();
            dims.iter().map(|dim| dim.size().unwrap()).collect()
        });
        Some(outputs.collect())
    }
}

#[test]
fn what_executors_take_is_taken() {
    let rows = include_str!("../data/onnx/lenient.jsonl").lines();
    let (mut taken, mut refused_by_the_standard) = (0, 0);
    for row in rows {
        let case: Case = serde_json::from_str(row).unwrap();
        let (strict, lenient) = (case.solved(catalog()), case.solved(lenient_catalog()));
        let is_pool = case.op.ends_with("Pool");
        let both = case
            .reference
            .as_ref()
            .filter(|found| case.onnxruntime.as_ref() == Some(found));
        // Executors divide in different ways; a pool that gives something is onnxruntime's.
        let gives = |found: &&Vec<Vec<u64>>| !found.iter().flatten().any(|size| *size == 0);
        let runs = case.onnxruntime.as_ref().filter(gives).filter(|_| is_pool);
        if let Some(expected) = runs.or(both.filter(|found| !is_pool || gives(found))) {
            assert_eq!(lenient.as_ref(), Some(expected), "{row}");
            taken += 1;
            refused_by_the_standard += usize::from(strict.as_ref() != Some(expected));
        }
        if let Some(found) = &lenient {
            let ran = [&case.reference, &case.onnxruntime].into_iter().flatten();
            let ran: Vec<_> = ran.collect();
            assert!(ran.is_empty() || ran.contains(&found), "{found:?}: {row}");
        }
        if strict.is_some() && !is_pool {
            assert_eq!(strict, lenient, "{row}");
        }
    }
    assert_eq!((taken, refused_by_the_standard), (238, 38));
}

#[test]
fn its_examples_hold() {
    let own = lenient_catalog()
        .operators()
        .filter(|op| op.file() == "onnx/lenient.kan");
    let mut checked = 0;
    for operator in own {
        for written in operator.examples() {
            let example = kanshape::operator::Example::read(&operator, &written).unwrap();
            let query = example.query(&operator).unwrap();
            match example.answers {
                Some(expected) => assert_eq!(
                    expected.of(&query).unwrap(),
                    expected,
                    "{}",
                    written.question
                ),
                None => assert!(
                    query.solve().unwrap().next().is_some(),
                    "{}",
                    written.question
                ),
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 10);
}
