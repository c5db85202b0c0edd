//! What `check` shows of a model, and of which parts of it.

use crate::encode::{body, graph, input, model as encoded, node, value};
use crate::made::{F32, made, small};
use crate::program::{Run, kanshape};

fn light(name: &str) -> String {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/models/");
    format!("{tests}light_{name}.onnx")
}

#[test]
fn a_model_of_many_values_is_a_screenful() {
    for name in ["densenet121", "inception_v2", "resnet50", "shufflenet"] {
        let shown = kanshape(&["check", &light(name)]).solved();
        let lines = shown.lines().count();
        assert!(lines <= 24, "{name}: {lines} lines\n{shown}");
        assert!(shown.contains(" nodes, "), "{shown}");
    }
}

#[test]
fn by_default_inputs_outputs_and_conditions() {
    let path = small();
    let shown = kanshape(&["check", &path]).solved();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(
        lines,
        [
            &format!("{path}: 4 nodes, 8 values, all typed; always") as &str,
            "input  x: f32[N, 3, 8, 8]",
            "output y: f32[2, 144*N]",
        ]
    );
}

#[test]
fn values_are_shown_without_long_contents() {
    let shown = kanshape(&["check", &small(), "--values"]).solved();
    assert!(shown.contains("\n  w1     f32[4, 3, 3, 3]\n"), "{shown}");
    assert!(shown.contains("\n  shape  i64[2] = [2, -1]\n"), "{shown}");
    let shown = kanshape(&["check", &light("resnet50"), "--values"]).solved();
    let longest = shown.lines().map(str::len).max().unwrap();
    assert!(longest < 160, "{longest}");
}

#[test]
fn nodes_are_a_table() {
    let shown = kanshape(&["check", &small(), "--nodes"]).solved();
    let table: Vec<&str> = shown.lines().skip(3).collect();
    assert_eq!(
        table,
        [
            "node  name    operator  attributes  inputs -> outputs",
            "   0  conv_1  Conv                  x: f32[N, 3, 8, 8], w1: f32[4, 3, 3, 3] -> a: f32[N, 4, 6, 6]",
            "   1  relu_1  Relu                  a: f32[N, 4, 6, 6] -> b: f32[N, 4, 6, 6]",
            "   2  conv_2  Conv                  b: f32[N, 4, 6, 6], w2: f32[8, 4, 1, 1] -> c: f32[N, 8, 6, 6]",
            "   3  flat    Reshape               c: f32[N, 8, 6, 6], shape: i64[2] = [2, -1] -> y: f32[2, 144*N]",
        ]
    );
    // Those of an operator, and no summary.
    let shown = kanshape(&["check", &small(), "--op", "Co*"]).solved();
    assert_eq!(shown.lines().count(), 3, "{shown}");
    assert!(shown.starts_with("node"), "{shown}");
}

#[test]
fn a_node_and_a_value_are_shown_by_name() {
    let by_name = kanshape(&["check", &small(), "--node", "conv_2"]).solved();
    assert_eq!(
        by_name,
        "conv_2 (Conv, node 2)\n  input  b: f32[N, 4, 6, 6]\n  input  w2: f32[8, 4, 1, 1]\n  output c: f32[N, 8, 6, 6]\n"
    );
    assert_eq!(
        kanshape(&["check", &small(), "--node", "2"]).solved(),
        by_name
    );
    let value = kanshape(&["check", &small(), "--value", "c"]).solved();
    assert_eq!(
        value,
        "c: f32[N, 8, 6, 6]\n  from conv_2 (Conv, node 2)\n  to flat (Reshape, node 3)\n"
    );
    let values = kanshape(&["check", &small(), "--value", "w*"]).solved();
    assert!(values.contains("w1: f32[4, 3, 3, 3]\n  an initializer\n  to conv_1"));
}

#[test]
fn a_name_that_there_is_not_is_an_error() {
    for (args, help) in [
        (["--value", "shap"], "did you mean `shape`?"),
        (["--node", "conv_3"], "did you mean `conv_1`?"),
        (["--op", "Cnv"], "did you mean `Conv`?"),
    ] {
        let run = kanshape(&[&["check", &small()][..], &args].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains("K0614"), "{}", run.err);
        assert!(run.err.contains(help), "{}", run.err);
    }
}

#[test]
fn only_one_part() {
    let vgg = light("vgg19");
    let named = ["--dim", "data_0:0=N"];
    let only = |part: &str| kanshape(&[&["check", &vgg, "--only", part][..], &named].concat());
    let shown = only("conditions").solved();
    assert!(
        shown.starts_with("where N == 1\n      required by "),
        "{shown}"
    );
    assert_eq!(only("errors").solved(), "");
    assert_eq!(only("open").solved(), "");
    assert_eq!(only("errors").code, Some(0));
}

/// An addition of tensors that do not fit.
fn broken() -> String {
    let nodes = [node("Add", &["x", "z"], &["y"]).text(3, "add")];
    let x = input("x", F32, &[2.into(), 3.into()]);
    let z = input("z", F32, &[4.into()]);
    made(
        "broken.onnx",
        &encoded(&graph(&nodes, &[x, z], &[value("y", None)]), 17),
    )
}

#[test]
fn diagnostics_go_to_standard_error_unless_they_are_requested() {
    let run = kanshape(&["check", &broken()]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains(", 1 error; never\n"), "{}", run.out);
    assert!(!run.out.contains("K0101"), "{}", run.out);
    assert!(run.err.starts_with("error[K0101]"), "{}", run.err);
    assert!(
        run.err.contains("\n --> add (Add, node 0)\n"),
        "{}",
        run.err
    );

    let only = kanshape(&["check", &broken(), "--only", "errors"]);
    assert_eq!((only.code, &*only.err), (Some(1), ""));
    assert_eq!(only.out, run.err);

    let quiet = kanshape(&["check", &broken(), "--quiet"]);
    assert_eq!((quiet.code, &*quiet.out), (Some(1), ""));
    assert_eq!(quiet.err, run.err);
    let quiet = kanshape(&["check", &small(), "-q"]);
    assert_eq!((quiet.code, &*quiet.out, &*quiet.err), (Some(0), "", ""));

    // The signature says it in the same words.
    let line = kanshape(&["signature", &broken()]);
    assert_eq!((line.code, line.err), (run.code, run.err));
}

#[test]
fn the_exit_code_is_that_of_the_verdict() {
    // What nobody gives is not known.
    let nodes = [node("Add", &["x", "z"], &["y"])];
    let x = input("x", F32, &[2.into(), 3.into()]);
    let graph = graph(&nodes, &[x], &[value("y", None)]);
    let dangling = made("dangling.onnx", &encoded(&graph, 17));
    for (path, code) in [(&small(), 0), (&broken(), 1), (&dangling, 3)] {
        for command in ["check", "signature"] {
            assert_eq!(kanshape(&[command, path]).code, Some(code), "{path}");
            assert_eq!(kanshape(&[command, path, "--json"]).code, Some(code));
        }
    }
}

#[test]
fn nodes_of_which_nothing_is_known_are_told_once_a_reason() {
    let own = |from: &str, to: &str| node("Own", &[from], &[to]).text(7, "own");
    let nodes = [own("x", "a"), own("a", "b"), own("b", "y")];
    let x = input("x", F32, &[2.into()]);
    let graph = graph(&nodes, &[x], &[value("y", None)]);
    let path = made("own.onnx", &encoded(&graph, 17));
    for command in ["check", "signature"] {
        let run: Run = kanshape(&[command, &path]);
        assert_eq!(run.code, Some(4));
        assert_eq!(run.err.matches("warning[K0615]").count(), 1, "{}", run.err);
        assert!(
            run.err.contains("so it is with Own#1, Own#2"),
            "{}",
            run.err
        );
    }
}

#[test]
fn of_many_models_the_last_line_counts() {
    let run = kanshape(&["check", &small(), &broken(), "no/such/file"]);
    assert_eq!(run.code, Some(2));
    let last = run.out.lines().last().unwrap();
    assert_eq!(last, "3 models: 1 always, 1 never, 1 unreadable");
    let json = kanshape(&["check", &small(), &broken(), "--json"]);
    assert_eq!(json.out.lines().count(), 2);
}

#[test]
fn json_has_the_parts_that_are_requested() {
    let json = |args: &[&str]| -> serde_json::Value {
        let run = kanshape(&[&["check", &small(), "--json"][..], args].concat());
        serde_json::from_str(&run.solved()).unwrap()
    };
    let some = json(&["--value", "w*", "--op", "Relu"]);
    assert_eq!(some["values"].as_object().unwrap().len(), 2);
    assert_eq!(
        some["nodes"],
        serde_json::json!([{"name": "relu_1", "op": "Relu", "index": 1, "attrs": {}, "inputs": ["a"], "outputs": ["b"]}])
    );
    assert!(json(&[])["nodes"].is_null());
    let only = json(&["--only", "conditions"]);
    let fields: Vec<&String> = only.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["conditions", "model", "verdict", "where"]);
}

#[test]
fn a_body_is_an_attribute() {
    let inner = graph(&[node("Relu", &["x"], &["z"])], &[], &[value("z", None)]);
    let branch = node("If", &["c"], &["y"])
        .message(5, &body("then_branch", &inner))
        .message(5, &body("else_branch", &inner));
    let inputs = [input("c", 9, &[]), input("x", F32, &[2.into()])];
    let path = made(
        "if.onnx",
        &encoded(&graph(&[branch], &inputs, &[value("y", None)]), 17),
    );
    let shown = kanshape(&["check", &path, "--node", "0"]).solved();
    assert!(shown.contains("then_branch = {body}"), "{shown}");
}
