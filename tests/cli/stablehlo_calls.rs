//! Calls of StableHLO's own tests, and what the catalog says of them: no solution where StableHLO's verifier refuses, and nowhere else.
//! Backwards, each operand is hidden in turn. `docs/stablehlo.md` lists the calls of which something else is said.

use crate::program::with_input;
use kanshape::{Dim, Type};
use serde_json::{Value, json};

const CALLS: &str = include_str!("../data/stablehlo/calls.jsonl");
const PAGE: &str = include_str!("../../docs/stablehlo.md");

/// The calls of which StableHLO says something else.
const DIFFERENCES: [&str; 10] = [
    "shlo-50", "shlo-121", "shlo-275", "shlo-295", "shlo-64", "shlo-190", "shlo-43", "shlo-113",
    "shlo-136", "shlo-29",
];

/// The answers among which the recorded type of a hidden operand has to be.
const LIMIT: usize = 40;

fn calls() -> Vec<Value> {
    let calls = CALLS.lines().map(|l| serde_json::from_str(l).unwrap());
    let calls: Vec<Value> = calls.collect();
    assert_eq!(calls.len(), 401);
    calls
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn question(call: &Value) -> Value {
    let op = text(&call["op"]).replacen('.', "::", 1);
    json!({"id": call["id"], "op": op, "attrs": call["attrs"], "regions": call["regions"],
        "inputs": call["inputs"], "outputs": call["outputs"], "limit": 2})
}

/// The answers to these lines.
fn batch(lines: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let out = with_input(&["batch"], lines.join("\n").as_bytes()).out;
    let answers: Vec<Value> = out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(answers.len(), lines.len());
    answers
}

#[test]
fn a_call_has_no_solution_where_stablehlo_refuses_it() {
    let calls = calls();
    let questions: Vec<Value> = calls.iter().map(question).collect();
    let mut others: Vec<&str> = Vec::new();
    for (call, reply) in calls.iter().zip(&batch(&questions)) {
        let verdict = text(&reply["verdict"]);
        let agrees = match call["accepted"].as_bool().unwrap() {
            true => matches!(verdict, "always" | "depends"),
            false => verdict == "never",
        };
        if !agrees {
            others.push(text(&call["id"]));
        }
    }
    let mut listed = DIFFERENCES;
    listed.sort_unstable();
    others.sort_unstable();
    assert_eq!(others, listed);
    for id in DIFFERENCES {
        let row = format!("| `{id}` |");
        assert!(PAGE.contains(&row), "{id} is not on the page");
    }
}

/// May the recorded type be this answer, with sizes and a dtype for what is open in it?
fn may_be(answer: &str, recorded: &str) -> bool {
    let (answer, recorded): (Type, Type) = (answer.parse().unwrap(), recorded.parse().unwrap());
    if answer.is_unknown() || answer == recorded {
        return true;
    }
    let dtypes = (answer.dtype(), recorded.dtype());
    let dims = (answer.dims(), recorded.dims());
    let same_dtype = !matches!(dtypes, (Some(a), Some(b)) if a != b);
    let same_dims = match dims {
        (Some(a), Some(b)) => {
            let differ =
                |(a, b): (&Dim, &Dim)| matches!((a, b), (Dim::Size(a), Dim::Size(b)) if a != b);
            a.len() == b.len() && !a.iter().zip(b).any(differ)
        }
        _ => true,
    };
    answer.as_tensor().is_some() && same_dtype && same_dims
}

#[test]
fn backwards_the_recorded_operand_is_among_the_answers() {
    let calls = calls();
    let accepted = |call: &&Value| {
        let is = call["accepted"].as_bool().unwrap();
        is && !DIFFERENCES.contains(&text(&call["id"]))
    };
    let (mut questions, mut of) = (Vec::new(), Vec::new());
    for call in calls.iter().filter(accepted) {
        for at in 0..call["inputs"].as_array().unwrap().len() {
            let mut question = question(call);
            question["inputs"][at] = Value::Null;
            question["limit"] = json!(LIMIT);
            questions.push(question);
            of.push((call, at));
        }
    }
    assert!(questions.len() > 280, "{}", questions.len());
    let mut missing = Vec::new();
    for ((call, at), reply) in of.iter().zip(&batch(&questions)) {
        let recorded = text(&call["inputs"][at]);
        let answers = reply["answers"].as_array().unwrap();
        let has_it = answers
            .iter()
            .any(|answer| may_be(text(&answer["inputs"][at]), recorded));
        if !has_it {
            missing.push(format!("{} input {at}: {reply}", call["id"]));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
