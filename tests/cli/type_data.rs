//! Types as data are read as they are printed.

use serde_json::{Value, json};

use crate::program::with_input;

fn answers(lines: &[Value]) -> Vec<Value> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let out = with_input(&["batch", "--types", "data"], input.as_bytes()).solved();
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const TYPES: [&str; 17] = [
    "?",
    "f32[]",
    "f32[2, n, 2*n + 1]",
    "?[2, ?]",
    "T[n]",
    "Float[3]",
    "{f32, i64}[3]",
    "f32[...]",
    "f32[2, ...r, n]",
    "i64[3] = [n, ?, -1]",
    "f32[2] = [0.5, 3.0]",
    "bool[1] = [true]",
    "str[2] = [\"a, b\", \"n\"]",
    "(f32[2], (i64[], ?))",
    "Sequence[f32[?, 3]]",
    "A",
    "f32[n, m] where n > 2, m == 2*n",
];

/// The meet of a type with what may be anything is the type.
#[test]
fn what_is_printed_is_read() {
    let meet = |ty: &Value| json!({"types": "meet", "a": ty, "b": "?"});
    let texts: Vec<Value> = TYPES.iter().map(|ty| meet(&json!(ty))).collect();
    let printed = answers(&texts);
    let again: Vec<Value> = printed
        .iter()
        .map(|own| meet(&own["result"]["type"]))
        .collect();
    for ((ty, own), again) in TYPES.iter().zip(&printed).zip(answers(&again)) {
        assert!(own["result"]["type"].is_object(), "{ty}: {own}");
        assert_eq!(own["result"], again["result"], "{ty}");
    }
}

#[test]
fn in_every_kind_of_line() {
    let x = json!({"dtype": "f32", "shape": [2, "n"]});
    let lines = [
        json!({"signature": "(m,n)->(n,m)", "inputs": [x]}),
        json!({"op": "onnx::Transpose", "inputs": [x]}),
        json!({"graph": {"inputs": {"x": x}, "nodes": [{"op": "onnx::Transpose", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]}}),
        json!({"find": {"inputs": [x], "output": {"dtype": "f32", "shape": ["n", 2]}, "ops": ["onnx::Transpose"]}}),
    ];
    let found = answers(&lines);
    let turned = json!({"dtype": "f32", "shape": ["n", 2]});
    assert_eq!(found[0]["answers"][0]["outputs"][0], turned);
    assert_eq!(found[1]["answers"][0]["outputs"][0], turned);
    assert_eq!(found[2]["outputs"]["y"], turned);
    assert_eq!(found[3]["found"][0]["op"], "onnx::Transpose");
}

#[test]
fn what_is_none_is_refused_with_its_place() {
    let wrong = [
        (json!({"dtype": "f32", "shape": [-1]}), "inputs[0].shape[0]"),
        (
            json!({"dtype": "f32", "shape": ["n]"]}),
            "inputs[0].shape[0]",
        ),
        (
            json!({"dtype": "f32", "shape": ["n, m"]}),
            "inputs[0].shape[0]",
        ),
        (
            json!({"dtype": "f32", "shape": ["...", "..."]}),
            "inputs[0].shape[1]",
        ),
        (
            json!({"dtype": "f32[2], x", "shape": []}),
            "inputs[0].dtype",
        ),
        (
            json!({"dtype": "f32[2] ->", "shape": []}),
            "inputs[0].dtype",
        ),
        (json!({"dtype": 3, "shape": []}), "inputs[0].dtype"),
        (json!({"dtype": "f32", "shape": 3}), "inputs[0].shape"),
        (
            json!({"dtype": "f32", "shape": [2], "contents": [1]}),
            "inputs[0].contents",
        ),
        (json!({"dtype": "f32", "shap": [2]}), "inputs[0].shap"),
        (json!({"tuple": [3]}), "inputs[0].tuple[0]"),
        (
            json!({"dtype": "f32", "shape": ["n"], "where": ["n >"]}),
            "inputs[0].where[0]",
        ),
        (json!({"type": "f32["}), "inputs[0].type"),
    ];
    let lines: Vec<Value> = wrong
        .iter()
        .map(|(ty, _)| json!({"signature": "()->()", "inputs": [ty]}))
        .collect();
    for ((ty, place), found) in wrong.iter().zip(answers(&lines)) {
        assert_eq!(found["error"]["at"]["field"], *place, "{ty}: {found}");
    }
}
