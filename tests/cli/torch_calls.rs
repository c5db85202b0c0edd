//! Calls recorded from torch, with their arguments as they are, as lines of `batch`: the catalog gives the very types, and
//! never others. Where data decide, the answer is *unknown* and no type contradicts torch's.

use crate::program::with_input;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const CALLS: &str = include_str!("../data/torch/aten_calls.jsonl");
const MORE: &str = include_str!("../data/torch/aten_more.jsonl");

/// The operators whose types depend on what is in their tensors, on which nothing is recorded, or on dtypes that kanshape has
/// not; and how many calls of each are less precise for that.
const LESS: [(&str, usize, &str); 14] = [
    ("_unique2", 1, "the values decide how many there are"),
    ("argwhere", 4, "the values decide how many there are"),
    ("bincount", 1, "the values decide how many there are"),
    ("chalf", 2, "complex numbers of halves have no dtype here"),
    ("index.Tensor", 1, "a mask decides how many there are"),
    (
        "linalg_lstsq",
        1,
        "the rank decides whether there are residuals",
    ),
    ("masked_select", 6, "a mask decides how many there are"),
    ("nonzero", 3, "the values decide how many there are"),
    ("nonzero_numpy", 4, "the values decide how many there are"),
    ("one_hot", 1, "the greatest number decides it"),
    (
        "repeat_interleave.self_Tensor",
        1,
        "a tensor says how often",
    ),
    (
        "tensor_split.tensor_indices_or_sections",
        2,
        "a tensor says where",
    ),
    (
        "unique_consecutive",
        5,
        "the values decide how many there are",
    ),
    ("unique_dim", 6, "the values decide how many there are"),
];

/// Calls that torch takes by chance, and that are refused here: where nothing is calculated it does not look at dtypes, and it takes
/// numbers that denote nothing. How many of each operator there are.
const BY_CHANCE: [(&str, usize, &str); 21] = [
    (
        "_batch_norm_with_update",
        2,
        "means that run of another size are read beyond their end",
    ),
    (
        "bmm",
        1,
        "nothing is multiplied, and dtypes are not looked at",
    ),
    ("cosine_embedding_loss", 2, "a number that is no reduction"),
    (
        "gradient.tensorarray",
        1,
        "fewer points than there are places",
    ),
    ("grid_sampler", 1, "a number that is no mode"),
    ("hinge_embedding_loss", 1, "a number that is no reduction"),
    ("huber_loss", 1, "a number that is no reduction"),
    ("l1_loss", 1, "a number that is no reduction"),
    (
        "linalg_det",
        1,
        "nothing is decomposed, and dtypes are not looked at",
    ),
    (
        "linalg_eigh",
        1,
        "nothing is decomposed, and dtypes are not looked at",
    ),
    (
        "linalg_eigvalsh",
        1,
        "nothing is decomposed, and dtypes are not looked at",
    ),
    (
        "linalg_solve_triangular",
        2,
        "nothing is solved, and dtypes are not looked at",
    ),
    ("margin_ranking_loss", 1, "a number that is no reduction"),
    ("multilabel_margin_loss", 2, "a number that is no reduction"),
    (
        "native_batch_norm",
        1,
        "means that run of another size are read beyond their end",
    ),
    ("nll_loss_nd", 1, "a number that is no reduction"),
    (
        "searchsorted.Tensor",
        1,
        "nothing is looked for, and dtypes are not looked at",
    ),
    ("soft_margin_loss", 1, "a loss of complex numbers"),
    (
        "softmax.int",
        1,
        "nothing is calculated, and dtypes are not looked at",
    ),
    ("trapezoid.x", 1, "one point broadcast to several"),
    ("trapz.x", 1, "one point broadcast to several"),
];

/// The rows of a file.
pub(crate) fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The lines out for calls, each with its row.
pub(crate) fn answers(rows: &[Value], call: impl Fn(&Value) -> Value) -> Vec<Value> {
    let line = |row: &Value| json!({"id": row["id"], "torch": call(row)}).to_string();
    let lines: Vec<String> = rows.iter().map(line).collect();
    let out = with_input(&["batch"], lines.join("\n").as_bytes()).out;
    let answers: Vec<Value> = self::rows(&out);
    assert_eq!(answers.len(), rows.len());
    answers
}

/// The type of a recorded tensor; `?` of what is none, or not dense.
pub(crate) fn ty(tensor: &Value) -> String {
    let Some(dims) = tensor.get("shape").and_then(Value::as_array) else {
        return "?".into();
    };
    let dims: Vec<String> = dims.iter().map(Value::to_string).collect();
    format!("{}[{}]", tensor["dtype"].as_str().unwrap(), dims.join(", "))
}

/// The types of what a call gives, those of lists one by one.
fn flat(out: &Value, all: &mut Vec<String>) {
    match out {
        Value::Array(members) => members.iter().for_each(|member| flat(member, all)),
        Value::Object(object) if object.contains_key("tensor") => {
            all.push(ty(&object["tensor"]));
        }
        _ => all.push("?".into()),
    }
}

/// May types with `?` in them be these?
pub(crate) fn may_all_be(types: &[String], recorded: &[String]) -> bool {
    let mut pairs = types.iter().zip(recorded);
    types.len() == recorded.len() && pairs.all(|(ty, recorded)| may_be(ty, recorded))
}

fn may_be(ty: &str, recorded: &str) -> bool {
    let parts = |ty: &str| -> Option<(String, Vec<String>)> {
        let (dtype, dims) = ty.strip_suffix(']')?.split_once('[')?;
        let dims = dims
            .split(", ")
            .filter(|dim| !dim.is_empty())
            .map(str::to_owned);
        Some((dtype.to_owned(), dims.collect()))
    };
    let (Some((dtype, dims)), Some((own, sizes))) = (parts(ty), parts(recorded)) else {
        return ty == "?" || recorded == "?";
    };
    let same = |a: &str, b: &str| a == "?" || a == b;
    same(&dtype, &own)
        && dims.len() == sizes.len()
        && dims.iter().zip(&sizes).all(|(d, s)| same(d, s))
}

#[test]
fn recorded_calls_have_the_types_that_torch_gives_them() {
    let rows = rows(CALLS);
    let answers = answers(
        &rows,
        |row| json!({"op": row["op"], "args": row["args"], "kwargs": row["kwargs"]}),
    );
    let mut less: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut same, mut wrong) = (0, Vec::new());
    for (row, answer) in rows.iter().zip(&answers) {
        let mut recorded = Vec::new();
        flat(&row["out"], &mut recorded);
        let op = row["op"].as_str().unwrap().strip_prefix("aten::").unwrap();
        let found: Option<Vec<String>> = serde_json::from_value(answer["outputs"].clone()).unwrap();
        match (&found, answer["verdict"].as_str()) {
            (Some(types), Some("always")) if *types == recorded => same += 1,
            // Nothing is recorded of what is no dense tensor.
            (Some(types), _) if *types == recorded && recorded == ["?"] => same += 1,
            (Some(types), Some("unknown")) if may_all_be(types, &recorded) => {
                *less.entry(op).or_default() += 1;
            }
            (None, Some("unknown")) if answer["error"].is_null() => {
                *less.entry(op).or_default() += 1
            }
            _ => wrong.push(format!(
                "{}\n  recorded {recorded:?}\n  answer   {answer}",
                row["id"]
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
    assert_eq!(same + less.values().sum::<usize>(), 3298);
}

/// What is recorded of calls with other dtypes, sizes and arguments than samples have: no type is another one, and nearly all of what
/// torch refuses is refused, but for what its data decide.
#[test]
fn changed_calls_have_the_types_that_torch_gives_them() {
    let rows = rows(MORE);
    let answers = answers(
        &rows,
        |row| json!({"op": row["op"], "args": row["args"], "kwargs": row["kwargs"]}),
    );
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut same, mut less, mut wrong) = (0, 0, Vec::new());
    let (mut errors, mut accepted) = (0, 0);
    for (row, answer) in rows.iter().zip(&answers) {
        let op = row["op"].as_str().unwrap().strip_prefix("aten::").unwrap();
        let is_never = !answer["error"].is_null() || answer["verdict"] == "never";
        if row.get("error").is_some() {
            errors += 1;
            accepted += usize::from(!is_never);
            continue;
        }
        let mut recorded = Vec::new();
        flat(&row["out"], &mut recorded);
        let found: Option<Vec<String>> = serde_json::from_value(answer["outputs"].clone()).unwrap();
        match (&found, answer["verdict"].as_str()) {
            _ if is_never => *refused.entry(op).or_default() += 1,
            (Some(types), Some("always")) if *types == recorded => same += 1,
            (Some(types), Some("unknown")) if may_all_be(types, &recorded) => less += 1,
            (None, Some("unknown")) => less += 1,
            _ => wrong.push(format!("{row}\n  answer   {answer}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let listed: BTreeMap<&str, usize> = BY_CHANCE.iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(refused, listed);
    let calls = rows.len() - errors;
    assert!(
        same * 100 >= calls * 97,
        "{same} of {calls}, {less} are less precise"
    );
    assert!(
        accepted * 10 <= errors,
        "{accepted} of {errors} are accepted"
    );
}

/// What a call can be refused for, and what it says then.
#[test]
fn arguments_are_those_that_the_operator_has() {
    let error = |call: Value| {
        let line = json!({"torch": call}).to_string();
        let out = with_input(&["batch"], line.as_bytes()).out;
        let answer: Value = serde_json::from_str(&out).unwrap();
        answer["error"]["message"].as_str().map(str::to_owned)
    };
    let x = json!({"tensor": {"dtype": "f32", "shape": [2, 3]}});
    for (call, message) in [
        (
            json!({"op": "aten::softmax.int", "args": [x]}),
            "`aten::softmax.int` needs its argument `dim`",
        ),
        (
            json!({"op": "aten::softmax.int", "args": [x, 0], "kwargs": {"dim": 1}}),
            "given its argument `dim` twice",
        ),
        (
            json!({"op": "aten::softmax.int", "args": [x], "kwargs": {"dims": 1}}),
            "did you mean `dim`?",
        ),
        (
            json!({"op": "aten::sum", "args": [x], "kwargs": {"dtype": [1]}}),
            "`dtype`",
        ),
        (
            json!({"op": "aten::add.Tensor", "args": [x, "x"]}),
            "it has to be a tensor or a number",
        ),
        (json!({"op": "aten::no.Tensor", "args": [x]}), "no operator"),
        (
            json!({"op": "onnx::Add", "args": [x]}),
            "is no operator of torch",
        ),
        (json!({"args": [x]}), "`torch` must be an object"),
        (
            json!({"op": "aten::add.Tensor", "args": [{"tensor": {"dtype": "f32", "shape": [-1]}}]}),
            "no size",
        ),
    ] {
        let found = error(call.clone()).unwrap_or_default();
        assert!(found.contains(message), "{call}: {found}");
    }
}

/// Names of sizes are kept: a size is a text, and what holds for it is in `where`.
#[test]
fn sizes_may_be_names() {
    let line = json!({"torch": {
        "op": "aten::conv2d",
        "args": [{"tensor": {"dtype": "f32", "shape": ["N", 3, "h", "w"]}}, {"tensor": "f32[8, 3, 3, 3]"}],
        "kwargs": {"padding": [1, 0]},
    }});
    let out = with_input(&["batch"], line.to_string().as_bytes()).out;
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["outputs"], json!(["f32[N, 8, h, w - 2]"]));
    assert_eq!(answer["verdict"], "depends");
    assert_eq!(answer["where"], json!(["h >= 1", "w >= 3"]));
    let line = json!({"torch": {
        "op": "aten::view",
        "args": [{"tensor": "f32[b, 4, 6]"}, [{"size": "b"}, -1]],
    }, "where": ["b >= 1"]});
    let out = with_input(&["batch"], line.to_string().as_bytes()).out;
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["outputs"], json!(["f32[b, 24]"]), "{answer}");
}
