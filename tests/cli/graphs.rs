//! Lines with small graphs.

use crate::program::with_input;
use serde_json::{Value, json};

/// The answer to a line.
fn answer(line: &Value) -> Value {
    let out = with_input(&["batch"], format!("{line}\n").as_bytes()).solved();
    assert_eq!(out.lines().count(), 1, "{out}");
    serde_json::from_str(&out).unwrap()
}

/// Two nodes in a row, the second one first.
fn mlp(w: &str) -> Value {
    json!({
        "inputs": {"x": "f32[N,8]", "w": w},
        "nodes": [
            {"op": "onnx::Relu", "inputs": ["y"], "outputs": ["z"], "name": "act"},
            {"op": "onnx::MatMul", "inputs": ["x", "w"], "outputs": ["y"]},
        ],
        "outputs": ["z"],
    })
}

#[test]
fn a_graph_is_typed_as_a_model_is() {
    let found = answer(&json!({"id": [1], "graph": mlp("f32[8,4]")}));
    assert_eq!(found["id"], json!([1]));
    assert_eq!(found["verdict"], "always");
    assert_eq!(found["inputs"], json!({"x": "f32[N, 8]", "w": "f32[8, 4]"}));
    assert_eq!(found["outputs"], json!({"z": "f32[N, 4]"}));
    assert_eq!(found["values"]["y"], "f32[N, 4]");
    assert_eq!(found["problems"], json!([]));
    assert_eq!(found.get("model"), None);
}

#[test]
fn an_error_names_its_node() {
    let found = answer(&json!({"id": 1, "graph": mlp("f32[7,4]")}));
    assert_eq!(found["verdict"], "never");
    assert_eq!(found["problems"][0]["op"], "MatMul");
    assert_eq!(found["problems"][0]["code"], "K0101");
}

#[test]
fn types_of_outputs_and_conditions_are_given() {
    let graph = mlp("f32[8,4]");
    let found = answer(&json!({"graph": graph, "given": {"z": "f32[3,?]"}}));
    assert_eq!(found["where"], json!(["N == 3"]));
    assert_eq!(found["inputs"]["x"], "f32[3, 8]");
    let found = answer(&json!({"graph": graph, "where": ["N = 3"]}));
    assert_eq!(found["values"]["z"], "f32[3, 4]");
    let found = answer(&json!({"graph": graph, "given": {"z": "f32[3,5]"}}));
    assert_eq!(found["verdict"], "never");
}

#[test]
fn attributes_contents_and_operands_that_are_left_out() {
    let graph = json!({
        "inputs": {"x": "f32[1,3,H,9]", "w": "f32[4,3,3,3]", "s": "i64[2] = [0, -1]"},
        "nodes": [
            {"op": "Conv", "inputs": ["x", "w", null], "outputs": ["c"], "attrs": {"strides": [2, 2]}},
            {"op": "onnx::Reshape", "inputs": ["c", "s"], "outputs": ["r"]},
            {"op": "onnx::Dropout", "inputs": ["r"], "outputs": [null, "mask"]},
            {"op": "Constant", "outputs": ["k"],
             "attrs": {"value": {"dtype": "f32", "shape": [1], "data": [1.5]}}},
            {"op": "torch::max_pool1d", "inputs": ["r2"], "outputs": ["p"],
             "attrs": {"kernel_size": 3, "stride": 2}},
            {"op": "numpy::matrix_transpose", "inputs": ["r"], "outputs": ["r2"]},
        ],
        "outputs": ["mask", "p"],
    });
    let found = answer(&json!({"graph": graph, "where": ["H = 7"]}));
    let values = &found["values"];
    assert_eq!(values["c"], "f32[1, 4, 3, 4]", "{found}");
    assert_eq!(values["r"], "f32[1, 48]");
    assert_eq!(values["mask"], "bool[1, 48]");
    assert_eq!(values["k"], "f32[1] = [1.5]");
    assert_eq!(values["r2"], "f32[48, 1]");
    // A window of three on an axis of one.
    assert_eq!(found["problems"][0]["op"], "aten::max_pool1d");
}

#[test]
fn versions_of_the_operator_set() {
    let graph = |opset: u64| {
        let gelu = json!({"op": "onnx::Gelu", "inputs": ["x"], "outputs": ["y"]});
        json!({"opset": opset, "graph": {"inputs": {"x": "f32[8]"}, "nodes": [gelu]}})
    };
    assert_eq!(answer(&graph(20))["verdict"], "always");
    let old = answer(&graph(19));
    assert_eq!(old["error"]["code"], "K0318");
    assert_eq!(old["error"]["at"]["field"], "graph.nodes[0].op");
}

#[test]
fn a_wrong_line_is_an_error_with_its_place() {
    let wrong = |line: Value, code: &str, field: &str| {
        let mut line = line;
        line["id"] = json!("it");
        let found = answer(&line);
        assert_eq!(found["id"], "it");
        assert_eq!(found["verdict"], "unknown");
        assert_eq!(found["error"]["code"], code, "{found}");
        assert_eq!(found["error"]["at"]["field"], field, "{found}");
    };
    let node = |node: Value| json!({"graph": {"inputs": {"x": "f32[2]"}, "nodes": [node]}});
    wrong(json!({"graph": 5}), "K0503", "graph");
    wrong(json!({"graph": null}), "K0503", "graph");
    wrong(json!({"graph": {"input": {}}}), "K0502", "graph.input");
    wrong(json!({"graph": {"inputs": ["x"]}}), "K0503", "graph.inputs");
    wrong(
        json!({"graph": {"inputs": {"x": 3}}}),
        "K0503",
        "graph.inputs.x",
    );
    wrong(
        json!({"graph": {"inputs": {"x": "f32["}}}),
        "K0003",
        "graph.inputs.x",
    );
    wrong(json!({"graph": {"nodes": {}}}), "K0503", "graph.nodes");
    wrong(json!({"graph": {"nodes": [3]}}), "K0503", "graph.nodes[0]");
    wrong(
        json!({"graph": {"outputs": [null]}}),
        "K0503",
        "graph.outputs[0]",
    );
    wrong(
        json!({"graph": {}, "given": {"x": "f32[q"}}),
        "K0003",
        "given.x",
    );
    wrong(json!({"graph": {}, "given": 1}), "K0503", "given");
    wrong(json!({"graph": {}, "where": ["n >"]}), "K0001", "where[0]");
    wrong(json!({"graph": {}, "where": ["n > 2"]}), "K0314", "where");
    wrong(json!({"graph": {}, "opset": "x"}), "K0503", "opset");
    wrong(
        json!({"graph": {}, "signature": "(m)->(m)"}),
        "K0502",
        "graph",
    );
    wrong(json!({"graph": {}, "inputs": []}), "K0502", "inputs");
    wrong(node(json!({})), "K0503", "graph.nodes[0].op");
    wrong(node(json!({"op": "Rellu"})), "K0318", "graph.nodes[0].op");
    wrong(
        node(json!({"op": "Relu", "ins": []})),
        "K0502",
        "graph.nodes[0].ins",
    );
    wrong(
        node(json!({"op": "Relu", "inputs": "x"})),
        "K0503",
        "graph.nodes[0].inputs",
    );
    wrong(
        node(json!({"op": "Relu", "inputs": [1]})),
        "K0503",
        "graph.nodes[0].inputs[0]",
    );
    wrong(
        node(json!({"op": "Relu", "name": 1})),
        "K0503",
        "graph.nodes[0].name",
    );
    wrong(
        node(json!({"op": "Relu", "attrs": 1})),
        "K0503",
        "graph.nodes[0].attrs",
    );
    wrong(
        node(json!({"op": "Relu", "attrs": {"a": 1}})),
        "K0315",
        "graph.nodes[0].attrs.a",
    );
    wrong(
        node(json!({"op": "Softmax", "inputs": ["x"], "attrs": {"axis": null}})),
        "K0515",
        "graph.nodes[0].attrs.axis",
    );
    let twice = r#"{"id":"it","graph":{"inputs":{"x":"f32[2]","x":"f32[3]"}}}"#;
    let out = with_input(&["batch"], twice.as_bytes()).solved();
    assert!(out.contains(r#""code":"K0507""#), "{out}");
    assert!(out.contains(r#""field":"graph.inputs.x""#), "{out}");
}

#[test]
fn what_is_wrong_with_the_graph_is_a_problem_of_it() {
    let line = json!({"graph": {"inputs": {"x": "f32[2]"}, "nodes": [
        {"op": "Relu", "inputs": ["nothing"], "outputs": ["y"]},
        {"op": "Relu", "inputs": ["x"], "outputs": ["y"]},
    ], "outputs": ["y", "z"]}});
    let found = answer(&line);
    let codes: Vec<&str> = found["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["code"].as_str().unwrap())
        .collect();
    assert_eq!(found["verdict"], "unknown");
    assert!(
        codes.contains(&"K0603") && codes.contains(&"K0604"),
        "{codes:?}"
    );
}

/// Whichever input the conditions are given with, and whatever names come later.
#[test]
fn conditions_that_cannot_hold_together_are_never() {
    let inputs = [
        json!({"x": "f32[M]", "y": "f32[A,B,C]", "z": "f32[N]"}),
        json!({"z": "f32[N]", "y": "f32[A,B,C]", "x": "f32[M]"}),
        json!({"x": "f32[M]", "z": "f32[N]"}),
        json!({"z": "f32[N]", "x": "f32[M]"}),
        json!({"x": "f32[M, N]"}),
    ];
    for inputs in inputs {
        for conditions in [["N == 1", "N == 2"], ["N >= 3", "2*N <= 5"]] {
            let graph = json!({"inputs": inputs, "nodes": []});
            let found = answer(&json!({"graph": graph, "where": conditions}));
            assert_eq!(found["verdict"], "never", "{found}");
            assert_eq!(found["problems"][0]["code"], "K0101", "{found}");
        }
    }
    // What names denote is not mixed up.
    let graph = json!({"inputs": {"x": "f32[M]", "y": "f32[A,B,C]", "z": "f32[N,B]"}, "nodes": []});
    let found = answer(&json!({"graph": graph, "where": ["N == 1", "N == 2"]}));
    let values = &found["values"];
    assert_eq!(values["y"], "f32[A, B, C]", "{found}");
    assert_eq!(values["z"], "f32[N, B]", "{found}");
}
