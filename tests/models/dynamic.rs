//! What models of products do with sizes that are not known.

use crate::encode::{Dim, Message, graph, input, int_attr, ints, ints_attr, model, node, value};
use crate::survive::survive;
use kanshape_onnx::Report;

const F32: i64 = 1;
const I32: i64 = 6;

fn conditions(report: &Report<'_>) -> Vec<String> {
    let all = report.conditions.iter();
    all.map(|c| c.condition.to_string()).collect()
}

/// Checks that a model of these nodes with the input `x` has this type of `y` and these conditions.
#[track_caller]
fn assert_gives(nodes: &[Message], x: &[Dim], tensors: &[Message], y: &str, wanted: &[&str]) {
    let x = input("x", F32, x);
    let graph = graph(nodes, &[x], &[value("y", None)]).messages(5, tensors);
    survive(&model(&graph, 13), |_, report| {
        assert_eq!(report.problems, []);
        assert_eq!(report.outputs[0].1.to_string(), y);
        assert_eq!(conditions(report), wanted);
    })
    .unwrap();
}

#[test]
fn shapes_calculated_in_32_bits() {
    let to = |dtype: i64| int_attr("to", dtype);
    let nodes = [
        node("Shape", &["x"], &["s"]),
        node("Cast", &["s"], &["s32"]).message(5, &to(I32)),
        node("Gather", &["s32", "first"], &["n"]).message(5, &int_attr("axis", 0)),
        node("Cast", &["n"], &["n64"]).message(5, &to(7)),
        node("Concat", &["n64", "rest"], &["to"]).message(5, &int_attr("axis", 0)),
        node("Reshape", &["x", "to"], &["y"]),
    ];
    let tensors = [ints("first", &[1], &[0]), ints("rest", &[1], &[-1])];
    let x = ["n".into(), 3.into(), 4.into()];
    assert_gives(&nodes, &x, &tensors, "f32[n, 12]", &[]);
}

#[test]
fn halves_of_halves() {
    // Twice made smaller and made larger again, beside what it was.
    let halve = |from: &str, to: &str| {
        let attrs = [
            ints_attr("kernel_shape", [1, 1]),
            ints_attr("strides", [2, 2]),
        ];
        node("MaxPool", &[from], &[to]).messages(5, &attrs)
    };
    let twice = |from: &str, to: &str| {
        let attrs = [
            ints_attr("kernel_shape", [2, 2]),
            ints_attr("strides", [2, 2]),
        ];
        node("ConvTranspose", &[from, "w"], &[to]).messages(5, &attrs)
    };
    let w = input("w", F32, &[3.into(), 3.into(), 2.into(), 2.into()]);
    let nodes = [
        halve("x", "a"),
        halve("a", "b"),
        twice("b", "c"),
        node("Concat", &["a", "c"], &["d"]).message(5, &int_attr("axis", 1)),
    ];
    let x = input("x", F32, &[1.into(), 3.into(), "h".into(), 32.into()]);
    let graph = graph(&nodes, &[x, w], &[value("b", None), value("d", None)]);
    survive(&model(&graph, 13), |_, report| {
        assert_eq!(report.problems, []);
        let types = report.outputs.iter().map(|(_, ty)| ty.to_string());
        let types: Vec<String> = types.collect();
        assert_eq!(
            types,
            ["f32[1, 3, ceil(h/4), 8]", "f32[1, 6, 2*ceil(h/4), 16]"]
        );
        assert_eq!(conditions(report), ["ceil(h/2) % 2 == 0"]);
    })
    .unwrap();
}

/// What two nodes require of one size is one condition: both are named.
#[test]
fn a_condition_that_two_nodes_require() {
    let nodes = [
        node("Reshape", &["x", "three"], &["rows"]).text(3, "threes"),
        node("Relu", &["x"], &["r"]),
        node("Reshape", &["r", "two"], &["y"]).text(3, "pairs"),
    ];
    let tensors = [ints("three", &[2], &[3, -1]), ints("two", &[2], &[2, -1])];
    let x = input("x", F32, &["n".into()]);
    let graph = graph(&nodes, &[x], &[value("y", None)]).messages(5, &tensors);
    survive(&model(&graph, 13), |_, report| {
        assert_eq!(conditions(report), ["n % 6 == 0"]);
        let condition = &report.conditions[0];
        let nodes = condition.node.iter().chain(&condition.others);
        let nodes: Vec<&str> = nodes.map(|place| &*place.node).collect();
        assert_eq!(nodes, ["threes", "pairs"]);
    })
    .unwrap();
}
