//! Bodies and functions: too many of them, and some that don't fit.

use crate::broken::beside;
use crate::encode::{
    Message, body, function, graph, input, int_attr, message, model, model_with, node, value,
};
use crate::survive::survive;

/// `If` in `If`, this many times.
fn nested(levels: usize) -> Message {
    let mut inner = graph(&[node("Relu", &["x"], &["y"])], &[], &[value("y", None)]);
    let other = graph(&[node("Tanh", &["x"], &["y"])], &[], &[value("y", None)]);
    for _ in 0..levels {
        let choice = node("If", &["c"], &["y"])
            .message(5, &body("then_branch", &inner))
            .message(5, &body("else_branch", &other));
        inner = graph(&[choice], &[], &[value("y", None)]);
    }
    inner
}

#[test]
fn bodies_in_bodies() {
    let choice = |levels: usize| {
        node("If", &["c"], &["r"])
            .message(5, &body("then_branch", &nested(levels)))
            .message(5, &body("else_branch", &nested(0)))
    };
    let c = [input("c", 9, &[])];
    let shallow = beside(&[choice(10)], &c);
    survive(&model(&shallow, 18), |_, report| {
        assert_eq!(report.value("r").unwrap().to_string(), "f32[n, 3]");
        assert_eq!(report.problems, []);
    })
    .unwrap();
    let deep = beside(&[choice(10_000)], &c);
    survive(&model(&deep, 18), |_, report| {
        assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        assert_eq!(report.problems[0].diagnostic.code, "K0608");
        assert!(
            report.problems[0]
                .node
                .as_ref()
                .unwrap()
                .node
                .starts_with("If#0/then_branch/If#0/")
        );
    })
    .unwrap();
}

/// Loops in loops, each of which carries what grows.
fn loops(levels: usize) -> Message {
    let turn = |nodes: &[Message]| {
        let inputs = ["i", "go", "v"].map(|name| value(name, None));
        let nodes = [nodes, &[node("Identity", &["go"], &["on"])]].concat();
        graph(&nodes, &inputs, &["on", "w"].map(|name| value(name, None)))
    };
    let grow = node("Concat", &["v", "v"], &["w"]).message(5, &int_attr("axis", 0));
    let mut inner = turn(&[grow]);
    for _ in 0..levels {
        let outer = node("Loop", &["", "go", "v"], &["w"]).message(5, &body("body", &inner));
        inner = turn(&[outer]);
    }
    inner
}

#[test]
fn loops_in_loops() {
    for levels in [3, 20, 60] {
        let outer = node("Loop", &["", "c", "x"], &["r"]).message(5, &body("body", &loops(levels)));
        let graph = beside(&[outer], &[input("c", 9, &[])]);
        survive(&model(&graph, 18), |_, report| {
            assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        })
        .unwrap();
    }
}

#[test]
fn functions_without_end() {
    let opsets = [("", 18), ("own", 1)];
    let call = |name: &str, x: &str, y: &str| node(name, &[x], &[y]).text(7, "own");
    let own = function("f", &["a"], &["b"], &[call("f", "a", "b")]);
    let graph = beside(&[call("f", "x", "y")], &[]);
    survive(&model_with(&graph, &[own], &opsets), |_, report| {
        assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        assert_eq!(report.problems[0].diagnostic.code, "K0608");
    })
    .unwrap();
    // Each calls the next one ten times.
    let names: Vec<String> = (0..30).map(|i| format!("f{i}")).collect();
    let mut functions = vec![function(
        "f30",
        &["v0"],
        &["v1"],
        &[node("Relu", &["v0"], &["v1"])],
    )];
    for (i, name) in names.iter().enumerate() {
        let next = format!("f{}", i + 1);
        let values: Vec<String> = (0..=10).map(|i| format!("v{i}")).collect();
        let calls = values.windows(2).map(|v| call(&next, &v[0], &v[1]));
        functions.push(function(
            name,
            &["v0"],
            &["v10"],
            &calls.collect::<Vec<_>>(),
        ));
    }
    let graph = beside(&[call("f0", "x", "y")], &[]);
    survive(&model_with(&graph, &functions, &opsets), |_, report| {
        assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        assert!(report.problems.iter().any(|p| p.diagnostic.code == "K0609"));
    })
    .unwrap();
}

#[test]
fn functions_that_do_not_fit() {
    let opsets = [("", 18), ("own", 1)];
    let referring = node("Concat", &["a", "a"], &["b"])
        .message(5, &message().text(1, "axis").text(21, "nothing").int(20, 2));
    let functions = [
        function("few", &["a"], &["nothing"], &[]),
        function("refers", &["a"], &["b"], &[referring]),
    ];
    let calls = [
        node("few", &["x", "x", "x"], &["a"]).text(7, "own"),
        node("few", &["x"], &["b", "c", "d"]).text(7, "own"),
        node("few", &[], &["e"]).text(7, "own"),
        node("refers", &["x"], &["f"]).text(7, "own"),
        node("missing", &["x"], &["h"]).text(7, "own"),
    ];
    let graph = beside(&calls, &[]);
    survive(&model_with(&graph, &functions, &opsets), |_, report| {
        assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        let untyped: Vec<&str> = report
            .untyped
            .iter()
            .map(|u| u.place.node.as_str())
            .collect();
        assert!(
            untyped.contains(&"few#0") && untyped.contains(&"missing#4"),
            "{untyped:?}"
        );
    })
    .unwrap();
}

#[test]
fn bodies_that_do_not_fit() {
    let branch = |inputs: &[&str], outputs: &[&str]| {
        let inputs: Vec<Message> = inputs.iter().map(|name| value(name, None)).collect();
        let outputs: Vec<Message> = outputs.iter().map(|name| value(name, None)).collect();
        graph(&[node("Relu", &["x"], &["y"])], &inputs, &outputs)
    };
    let good = branch(&[], &["y"]);
    let attrs: [&[(&str, &Message)]; 7] = [
        &[],
        &[("then_branch", &good)],
        &[("then_branch", &good), ("then_branch", &good)],
        &[("then_branch", &good), ("other_branch", &good)],
        &[
            ("then_branch", &good),
            ("else_branch", &branch(&["i"], &["y"])),
        ],
        &[("then_branch", &good), ("else_branch", &branch(&[], &[]))],
        &[
            ("then_branch", &good),
            ("else_branch", &branch(&[], &["y", "y"])),
        ],
    ];
    for op in ["If", "Loop", "Scan", "SequenceMap"] {
        for attrs in &attrs {
            let bodies = attrs.iter().map(|(name, graph)| body(name, graph));
            let own = attrs.iter().map(|(_, graph)| body("body", graph));
            let bodies: Vec<Message> = bodies.chain(own).collect();
            let node = node(op, &["c", "c", "x"], &["r", "s"]).messages(5, &bodies);
            let graph = beside(&[node], &[input("c", 9, &[])]);
            survive(&model(&graph, 18), |_, report| {
                assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
                let is_reported = !report.untyped.is_empty() || report.has_errors();
                assert!(is_reported, "{op} {attrs:?}");
            })
            .unwrap();
        }
    }
}
