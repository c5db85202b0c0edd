//! Questions that leave it open whether an optional input is there: each answer says it.

use kanshape::{Call, Type, Verdict, catalog, operator::Example, order};
use std::collections::BTreeMap;

/// The answers to a question about an operator, in the text of calls.
fn answers(name: &str, call: &str) -> Vec<String> {
    let operator = catalog().operator(name, None).unwrap();
    let call: Call = call.parse().unwrap();
    let answers = operator.query(call).unwrap().limit(8).solve().unwrap();
    answers.map(|answer| answer.to_string()).collect()
}

#[test]
fn each_answer_says_whether_it_is_there() {
    assert_eq!(
        answers("onnx::Clip", "f32[2], f32[] or - -> f32[2]"),
        ["f32[2], - -> f32[2]", "f32[2], f32[] -> f32[2]"]
    );
    // It has to be there.
    assert_eq!(
        answers(
            "onnx::Split",
            "f32[5], i64[2] = [2, 3] or - -> f32[2], f32[3]"
        ),
        ["f32[5], i64[2] = [2, 3] -> f32[2], f32[3]"]
    );
    // It can't be what it would be.
    assert_eq!(
        answers(
            "onnx::Conv",
            "f32[1, 3, 8, 8], f32[4, 3, 3, 3], f32[5] or - -> ?"
        ),
        ["f32[1, 3, 8, 8], f32[4, 3, 3, 3], - -> f32[1, 4, 6, 6]"]
    );
    assert_eq!(
        answers(
            "onnx::Conv",
            "f32[1, 3, 8, 8], f32[m, 3, 3, 3], ? or - -> f32[1, 4, 6, 6]"
        ),
        [
            "f32[1, 3, 8, 8], f32[m, 3, 3, 3], - -> f32[1, 4, 6, 6] where m == 4",
            "f32[1, 3, 8, 8], f32[m, 3, 3, 3], f32[4] -> f32[1, 4, 6, 6] where m == 4",
        ]
    );
}

#[test]
fn what_there_is_any_number_of_has_to_be_counted() {
    let concat = catalog().operator("onnx::Concat", None).unwrap();
    let call: Call = "[axis = 0] f32[2], f32[3] or -".parse().unwrap();
    let refused = concat.query(call).unwrap_err();
    assert_eq!(refused.code, kanshape::code::OPERAND_COUNT);
    // An input that an operator needs is there.
    let relu = catalog().operator("onnx::Relu", None).unwrap();
    let call: Call = "f32[2] or -".parse().unwrap();
    let answer = relu.query(call).unwrap().one().unwrap();
    assert_eq!(answer.to_string(), "f32[2] -> f32[2]");
}

#[test]
fn a_query_without_answers_is_explained() {
    let conv = catalog().operator("onnx::Conv", None).unwrap();
    let call: Call = "f32[1, 3, 8, 8], f32[4, 2, 3, 3], ? or -".parse().unwrap();
    let conflict = conv.query(call).unwrap().explain().unwrap();
    let facts: Vec<String> = conflict.facts.iter().map(|f| f.slot.to_string()).collect();
    assert_eq!(facts, ["inputs[0]", "inputs[1]"]);
    assert!(
        !conflict.to_string().contains("other way round"),
        "{conflict}"
    );
    // What it would be if it were there is no reason where it may be left out.
    let call: Call = "f32[1, 3, 8, 8], f32[4, 3, 3, 3], f32[7] or - -> f32[1, 5, 6, 6]"
        .parse()
        .unwrap();
    let conflict = conv.query(call).unwrap().explain().unwrap();
    let facts: Vec<String> = conflict.facts.iter().map(|f| f.slot.to_string()).collect();
    assert_eq!(facts, ["inputs[1]", "outputs[0]"]);
}

/// Of more optional inputs there are more answers than are compared.
const MOST_OPTIONAL: usize = 6;

/// Each example of an operator with optional inputs is among the answers to the question that leaves these open; and what is
/// found with some of them is not refused where these are given as present.
#[test]
fn an_example_is_among_the_answers() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for operator in catalog().operators() {
        let formals: Vec<_> = operator.inputs().collect();
        let optional = |i: &usize| formals[*i].optional && !formals[*i].variadic;
        let may_be_absent: Vec<usize> = (0..formals.len()).filter(optional).collect();
        let is_variadic = formals.iter().any(|formal| formal.variadic);
        if may_be_absent.is_empty() || is_variadic {
            continue;
        }
        for written in operator.examples() {
            let example = Example::read(&operator, &written).unwrap();
            if example.answers.is_some() || !example.conditions.is_empty() {
                continue;
            }
            if may_be_absent.len() > MOST_OPTIONAL {
                *counts.entry("too many optional inputs").or_default() += 1;
                continue;
            }
            let mut inputs = example.inputs.clone();
            inputs.resize(formals.len(), None);
            let recorded: Vec<bool> = inputs.iter().map(Option::is_some).collect();
            for i in &may_be_absent {
                inputs[*i].get_or_insert(Type::UNKNOWN);
            }
            let call = Call {
                inputs,
                may_be_absent: may_be_absent.clone(),
                ..example.call()
            };
            let query = operator.query(call.clone()).unwrap();
            let mut answers = query.limit(64).budget(100_000).solve().unwrap();
            let mut is_found = false;
            for answer in answers.by_ref() {
                let there = call.filled(&operator, &answer);
                assert!(there.may_be_absent.is_empty());
                is_found |= there
                    .inputs
                    .iter()
                    .map(Option::is_some)
                    .eq(recorded.clone());
                let fixed = Call {
                    outputs: call.outputs.clone(),
                    ..there
                };
                let mut again = operator
                    .query(fixed)
                    .unwrap()
                    .budget(100_000)
                    .solve()
                    .unwrap();
                assert_ne!(
                    again.verdict(),
                    Verdict::Never,
                    "{} {answer}",
                    operator.name()
                );
                let places = operator.places(&call).in_answer(&answer);
                for (own, place) in call.inputs.iter().zip(places.inputs) {
                    let (Some(own), Some(place)) = (own, place) else {
                        continue;
                    };
                    assert_ne!(order::is_super(own, &answer.inputs[place]), Verdict::Never);
                }
            }
            let what = match is_found {
                true => "found",
                false if answers.is_stopped() => "out of budget",
                false => panic!("{} {}", operator.full_name(), written.question),
            };
            *counts.entry(what).or_default() += 1;
        }
    }
    let known = [("found", 331), ("too many optional inputs", 21)];
    assert_eq!(counts, BTreeMap::from(known));
}
