//! What Relay says of the types of its operators, recorded, and what the catalog says of the same in Relay's notation: the
//! recorded type or a more precise one, no solution where Relay has an error, and backwards an answer for every input that is
//! hidden. `docs/deviations.md` lists the rows where Relay is not followed.

use crate::program::with_input;
use crate::relay_type::{Names, RelayType};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const FACTS: &str = include_str!("../data/relay/ops.jsonl");
const PAGE: &str = include_str!("../../docs/deviations.md");

/// The rows where the answer is not Relay's.
const DEVIATIONS: [&str; 2] = ["add-11", "stack-11"];

/// The answers among which the recorded type of a hidden input has to be. A tuple that is hidden may have any number of fields.
const LIMIT: usize = 40;

struct Fact {
    /// Without the `op-` in front.
    id: String,
    op: String,
    attrs: Value,
    inputs: Vec<String>,
    output: String,
    /// The field of the result that the fact is about.
    field: Option<usize>,
    inferred: Vec<(usize, String)>,
}

fn facts() -> Vec<Fact> {
    let facts = FACTS.lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let inferred = row.get("inferred_inputs").and_then(Value::as_object);
        let inferred = inferred.into_iter().flatten();
        Fact {
            id: row["id"].as_str().unwrap().replacen("op-", "", 1),
            op: text(&row["op"]),
            attrs: row["attrs"].clone(),
            inputs: row["inputs"].as_array().unwrap().iter().map(text).collect(),
            output: text(&row["output"]),
            field: row
                .get("output_index")
                .map(|at| at.as_u64().unwrap() as usize),
            inferred: inferred
                .map(|(at, ty)| (at.parse().unwrap(), text(ty)))
                .collect(),
        }
    });
    facts.collect()
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

fn question(fact: &Fact, inputs: &[String]) -> Value {
    let op = format!("relay::{}", fact.op);
    json!({"op": op, "attrs": fact.attrs, "inputs": inputs, "notation": "relay"})
}

/// What an answer has of an operand.
fn operand<'a>(answer: &'a Value, of: &str, at: usize) -> &'a str {
    answer[of][at].as_str().unwrap()
}

/// The first answer's output, or the field of it that the fact is about.
fn output(fact: &Fact, reply: &Value) -> Option<RelayType> {
    let first = reply["answers"].get(0)?;
    let whole = RelayType::read(operand(first, "outputs", 0));
    Some(match fact.field {
        None => whole,
        Some(at) => whole.field(at)?,
    })
}

/// Is the fact followed?
fn agrees(fact: &Fact, reply: &Value) -> bool {
    let verdict = reply["verdict"].as_str().unwrap();
    if fact.output == "error" {
        return verdict == "never";
    }
    let recorded = RelayType::read(&fact.output);
    let names = Names::of(fact.inputs.iter().map(String::as_str));
    let says = output(fact, reply).is_some_and(|own| own.is_as_precise_as(&recorded, &names));
    let infers = fact.inferred.iter().all(|(at, ty)| {
        let first = reply["answers"].get(0);
        first.is_some_and(|answer| operand(answer, "inputs", *at) == ty)
    });
    says && infers
}

#[test]
fn forwards_the_catalog_says_what_relay_says_or_more() {
    let facts = facts();
    assert_eq!(facts.len(), 489);
    let ops: BTreeSet<&str> = facts.iter().map(|f| f.op.as_str()).collect();
    assert_eq!(ops.len(), 168);
    let questions: Vec<Value> = facts.iter().map(|f| question(f, &f.inputs)).collect();
    let replies = batch(&questions);
    let others: Vec<&str> = facts
        .iter()
        .zip(&replies)
        .filter(|(fact, reply)| !agrees(fact, reply))
        .map(|(fact, _)| fact.id.as_str())
        .collect();
    assert_eq!(others, DEVIATIONS);
    for id in DEVIATIONS {
        assert!(
            PAGE.contains(&format!("| `{id}` |")),
            "{id} is not on the page"
        );
    }
}

#[test]
fn backwards_the_recorded_input_is_among_the_answers() {
    let facts = facts();
    let solved: Vec<&Fact> = facts
        .iter()
        .filter(|f| f.output != "error" && !DEVIATIONS.contains(&f.id.as_str()))
        .collect();
    // Where the fact is about a field, the other fields are those of the answer forwards.
    let forwards: Vec<Value> = solved.iter().map(|f| question(f, &f.inputs)).collect();
    let forwards = batch(&forwards);
    let (mut questions, mut of) = (Vec::new(), Vec::new());
    for (fact, forward) in solved.iter().zip(&forwards) {
        let output = match fact.field {
            Some(_) => operand(&forward["answers"][0], "outputs", 0),
            None => &fact.output,
        };
        for at in 0..fact.inputs.len() {
            let mut inputs = fact.inputs.clone();
            inputs[at] = "_".into();
            let mut question = question(fact, &inputs);
            question["outputs"] = json!([output]);
            question["limit"] = json!(LIMIT);
            questions.push(question);
            of.push((*fact, at));
        }
    }
    let replies = batch(&questions);
    let mut missing = Vec::new();
    for ((fact, at), reply) in of.iter().zip(&replies) {
        let recorded = RelayType::read(&fact.inputs[*at]);
        let answers = reply["answers"].as_array().unwrap();
        let has_it = answers
            .iter()
            .any(|answer| RelayType::read(operand(answer, "inputs", *at)).may_be(&recorded));
        let inferred = fact.inferred.iter().find(|(place, _)| place == at);
        let infers = inferred.is_none_or(|(_, ty)| operand(&answers[0], "inputs", *at) == ty);
        if !has_it || !infers {
            missing.push(format!("{} input {at}: {reply}", fact.id));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(replies.len() > 700, "{}", replies.len());
}
