//! Calls of torch's functions by the names that programs write, recorded from torch: they have the very types that torch gives, or are
//! less precise where data decide, and what torch refuses is refused.

use crate::torch_calls::{answers, may_all_be, rows, ty};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const CASES: &str = include_str!("../data/torch/op_cases.jsonl");
const ERRORS: &str = include_str!("../data/torch/op_errors.jsonl");

/// What the samples call that is no function of torch: a product before the function, or a gradient behind it.
const OTHERS: [(&str, &str); 4] = [
    ("svd_lowrank", "of a product of matrices"),
    ("pca_lowrank", "of a product of matrices"),
    (
        "max_pool2d_with_indices_backward",
        "a pool and the gradient behind it",
    ),
    ("__getitem__", "of lists, as NumPy has them"),
];

/// Functions of which calls are less precise than torch, how many, and why.
const LESS: [(&str, usize, &str); 10] = [
    ("argwhere", 3, "the values decide how many there are"),
    ("bincount", 7, "the values decide how many there are"),
    ("chalf", 3, "complex numbers of halves have no dtype here"),
    ("masked_select", 3, "a mask decides how many there are"),
    ("nn.functional.one_hot", 1, "the greatest number decides it"),
    ("nonzero", 3, "the values decide how many there are"),
    ("repeat_interleave", 1, "a tensor says how often"),
    ("tensor_split", 2, "a tensor says where"),
    ("unique", 5, "the values decide how many there are"),
    (
        "unique_consecutive",
        4,
        "the values decide how many there are",
    ),
];

/// The calls that torch refuses and that are none here, by the function, and for what.
const ACCEPTED: [(&str, usize, &str); 4] = [
    ("as_strided_scatter", 1, "how much memory there is"),
    ("cov", 1, "values"),
    ("masked_fill", 1, "whether a number fits into a dtype"),
    ("multinomial", 7, "values"),
];

/// An argument, with the tensor that a number among the inputs denotes.
fn argument(json: &Value, inputs: &[Value]) -> Value {
    match json {
        Value::Array(members) => members.iter().map(|m| argument(m, inputs)).collect(),
        Value::Object(object) => match object.get("tensor").and_then(Value::as_u64) {
            Some(i) => {
                let tensor = &inputs[usize::try_from(i).unwrap()];
                match tensor {
                    Value::Null => Value::Null,
                    tensor => {
                        json!({"tensor": {"dtype": tensor["dtype"], "shape": tensor["shape"]}})
                    }
                }
            }
            None => json.clone(),
        },
        json => json.clone(),
    }
}

/// The name of the function that a sample calls, and its arguments as that has them: `args` begins with the sample's input, which
/// is not always its first argument.
fn call(row: &Value) -> Value {
    let inputs = row["inputs"].as_array().unwrap();
    let args = row["args"].as_array().unwrap().iter();
    let mut args: Vec<Value> = args.map(|arg| argument(arg, inputs)).collect();
    let kwargs = row["kwargs"].as_object().unwrap().iter();
    let kwargs: Map<String, Value> = kwargs
        .map(|(name, arg)| (name.clone(), argument(arg, inputs)))
        .collect();
    let op = row["op"].as_str().unwrap();
    if op == "einsum" && args.len() == 2 {
        let Value::Array(tensors) = args.remove(0) else {
            unreachable!("the operands are a list")
        };
        args.extend(tensors);
    }
    if ["nn.functional.embedding", "nn.functional.embedding_bag"].contains(&op) {
        args.swap(0, 1);
    }
    let name = match op {
        // The sample's input is the tensor of the method.
        "where" | "polygamma" => format!("Tensor.{op}"),
        _ if op.starts_with("torch.ops.") => op.to_owned(),
        _ => format!("torch.{op}"),
    };
    json!({"op": name, "args": args, "kwargs": kwargs})
}

#[test]
fn recorded_calls_of_functions_have_the_types_that_torch_gives_them() {
    let all = rows(CASES);
    let is_function = |row: &&Value| {
        let op = row["op"].as_str().unwrap();
        let of_product = op == "linalg.pinv" && row["args"].as_array().unwrap().len() > 1;
        !of_product && !OTHERS.iter().any(|other| other.0 == op)
    };
    let rows: Vec<Value> = all.iter().filter(is_function).cloned().collect();
    assert!(rows.len() * 100 >= all.len() * 99, "{}", rows.len());
    let answers = answers(&rows, call);
    let mut less: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (row, answer) in rows.iter().zip(&answers) {
        let recorded: Vec<String> = row["outputs"].as_array().unwrap().iter().map(ty).collect();
        let mut found: Option<Vec<String>> =
            serde_json::from_value(answer["outputs"].clone()).unwrap();
        if row["op"] == "linalg.lstsq" {
            // Some samples have the first two results.
            found
                .iter_mut()
                .for_each(|types| types.truncate(recorded.len()));
        }
        match &found {
            Some(types) if *types == recorded => {}
            Some(types) if answer["verdict"] == "unknown" && may_all_be(types, &recorded) => {
                *less.entry(row["op"].as_str().unwrap()).or_default() += 1;
            }
            None if answer["verdict"] == "unknown" && answer["error"].is_null() => {
                *less.entry(row["op"].as_str().unwrap()).or_default() += 1;
            }
            _ => wrong.push(format!(
                "{} {}\n  recorded {recorded:?}\n  answer   {answer}",
                row["id"],
                call(row)
            )),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let listed: BTreeMap<&str, usize> = LESS.iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(less, listed);
}

#[test]
fn what_torch_refuses_is_refused() {
    let rows = rows(ERRORS);
    let mut accepted: BTreeMap<&str, usize> = BTreeMap::new();
    for (row, answer) in rows.iter().zip(answers(&rows, call)) {
        if answer["error"].is_null() && answer["verdict"] != "never" {
            *accepted.entry(row["op"].as_str().unwrap()).or_default() += 1;
        }
    }
    let listed: BTreeMap<&str, usize> = ACCEPTED.iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(accepted, listed);
    assert!(accepted.values().sum::<usize>() * 20 <= rows.len());
}
