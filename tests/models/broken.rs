//! Models that are wrong in one way: it is said, with the place, and what has nothing to do with it is typed.

use crate::encode::{
    Dim, Message, body, graph, input, int_attr, ints, message, model, node, sequence_type,
    tensor_type, value,
};
use crate::survive::survive;
use kanshape::Verdict;
use kanshape_onnx::Report;

const F32: i64 = 1;

/// The problems of a model: codes, and the nodes they are about.
fn found(report: &Report<'_>) -> Vec<(String, String)> {
    let problems = report.problems.iter().map(|p| {
        let node = p.node.as_ref().map_or("", |place| place.node.as_str());
        (p.diagnostic.code.to_owned(), node.to_owned())
    });
    problems.collect()
}

/// A model with `nodes` beside a node that has nothing to do with them: `good = Relu(x)`, with `x: f32[n, 3]`.
pub(crate) fn beside(nodes: &[Message], inputs: &[Message]) -> Message {
    let nodes = [nodes, &[node("Relu", &["x"], &["good"])]].concat();
    let x = input("x", F32, &["n".into(), 3.into()]);
    let inputs = [&[x], inputs].concat();
    graph(&nodes, &inputs, &[value("good", None)])
}

/// Checks a model of which something is wrong: this is reported, and all else is typed.
#[track_caller]
fn assert_tells(graph: &Message, codes: &[(&str, &str)]) {
    let found = survive(&model(graph, 18), |_, report| {
        assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        found(report)
    });
    let codes = codes
        .iter()
        .map(|(code, node)| (code.to_string(), node.to_string()));
    assert_eq!(found.unwrap(), codes.collect::<Vec<_>>());
}

#[test]
fn what_is_no_model() {
    let zeros = [0; 1000];
    let ones = [0xff; 1000];
    for bytes in [
        &b""[..],
        b"\0",
        b"{\"model\": \"yes\"}",
        b"ir_version: 8\ngraph { node { op_type: \"Relu\" } }\n",
        b"PK\x03\x04\x14\0\x08\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        &zeros,
        &ones,
    ] {
        assert_eq!(survive(bytes, |_, _| ()), None, "{bytes:?}");
    }
    // An empty graph is one.
    assert_eq!(
        survive(&model(&message(), 18), |_, r| r.verdict),
        Some(Verdict::Always)
    );
}

#[test]
fn nodes_that_need_each_other() {
    let nodes = [
        node("Relu", &["b"], &["a"]),
        node("Relu", &["a"], &["b"]),
        node("Relu", &["b"], &["c"]),
    ];
    assert_tells(&beside(&nodes, &[]), &[("K0605", "Relu#0")]);
    let own = node("Add", &["a", "x"], &["a"]).text(3, "itself");
    assert_tells(&beside(&[own], &[]), &[("K0605", "itself")]);
}

/// What a report says, whole.
fn messages(graph: &Message) -> Vec<String> {
    let messages = survive(&model(graph, 18), |_, report| {
        let problems = report.problems.iter().map(|p| p.diagnostic.to_string());
        let untyped = report.untyped.iter().map(|one| one.why.clone());
        problems.chain(untyped).collect::<Vec<_>>()
    });
    messages.unwrap()
}

/// A cycle is shown as its own nodes, without those in front of it and behind it.
#[test]
fn a_cycle_is_its_own_nodes() {
    let nodes = [
        node("Relu", &["c"], &["d"]),
        node("Relu", &["d"], &["e"]),
        node("Add", &["x", "c"], &["a"]),
        node("Relu", &["a"], &["b"]),
        node("Relu", &["b"], &["c"]),
    ];
    let all = messages(&beside(&nodes, &[]));
    assert_eq!(
        all,
        ["error[K0605]: 3 nodes need each other's outputs\n  \
          = note: Add#2 (Add) takes `c` of Relu#4 (Relu)\n  \
          = note: Relu#3 (Relu) takes `a` of Add#2 (Add)\n  \
          = note: Relu#4 (Relu) takes `b` of Relu#3 (Relu)\n  \
          = help: a graph has no cycles: let one of them take another value; what repeats is a `Loop`"]
    );
}

#[test]
fn names_that_are_nearly_right() {
    let relu = || node("Relu", &["x"], &["conv_output"]);
    for (wrong, meant) in [
        (
            node("Relu", &["conv_outptu"], &["y"]),
            "did you mean `conv_output`?",
        ),
        (
            node("Mulz", &["x", "x"], &["y"]),
            "did you mean `onnx::Mul`?",
        ),
        (
            node("Softmax", &["x"], &["y"]).message(5, &int_attr("axs", 1)),
            "did you mean `axis`?",
        ),
    ] {
        let all = messages(&beside(&[relu(), wrong], &[]));
        assert!(all.len() == 1 && all[0].contains(meant), "{all:?}");
    }
}

/// Of what is in an empty sequence nothing is known but the dtype.
#[test]
fn another_dtype_put_into_an_empty_sequence() {
    let empty = node("SequenceEmpty", &[], &["e"]).message(5, &int_attr("dtype", 7));
    let put = node("SequenceInsert", &["e", "x"], &["s"]).text(3, "put");
    assert_tells(&beside(&[empty, put], &[]), &[("K0101", "put")]);
}

#[test]
fn names_that_nothing_has() {
    let nodes = [
        node("Add", &["nothing", "x"], &["a"]),
        node("Relu", &["a"], &["b"]),
    ];
    assert_tells(&beside(&nodes, &[]), &[("K0604", "Add#0")]);
    let graph = beside(&[], &[]).message(12, &value("nothing", None));
    assert_tells(&graph, &[("K0604", "")]);
    // In a body.
    let branch = crate::encode::graph(
        &[node("Relu", &["nothing"], &["y"])],
        &[],
        &[value("y", None)],
    );
    let choice = node("If", &["c"], &["r"])
        .message(5, &body("then_branch", &branch))
        .message(5, &body("else_branch", &branch));
    let graph = beside(&[choice], &[input("c", 9, &[])]);
    let places = [
        ("K0604", "If#0/then_branch/Relu#0"),
        ("K0604", "If#0/else_branch/Relu#0"),
    ];
    assert_tells(&graph, &places);
}

#[test]
fn names_that_two_values_have() {
    let nodes = [node("Relu", &["x"], &["a"]), node("Shape", &["x"], &["a"])];
    assert_tells(&beside(&nodes, &[]), &[("K0603", "Shape#1")]);
    let twice = [input("y", F32, &[1.into()]), input("y", F32, &[2.into()])];
    assert_tells(&beside(&[], &twice), &[("K0603", "")]);
    let graph = beside(&[], &[]).messages(5, &[ints("w", &[1], &[1]), ints("w", &[2], &[1, 2])]);
    assert_tells(&graph, &[("K0603", "")]);
    let of_input = [node("Shape", &["good"], &["x"])];
    assert_tells(&beside(&of_input, &[]), &[("K0603", "Shape#0")]);
}

#[test]
fn types_that_are_none() {
    for dtype in [-1, 29, 999, i64::MAX, i64::MIN] {
        let nodes = [node("Relu", &["y"], &["a"])];
        let y = input("y", dtype, &[2.into()]);
        assert_tells(&beside(&nodes, &[y]), &[("K0606", "")]);
        let tensor = message().int(1, 2).int(2, dtype).text(8, "w");
        assert_tells(&beside(&[], &[]).message(5, &tensor), &[("K0607", "")]);
    }
    for size in [-2, i64::MIN] {
        let y = input("y", F32, &[size.into()]);
        assert_tells(
            &beside(&[node("Relu", &["y"], &["a"])], &[y]),
            &[("K0606", "")],
        );
        let tensor = message().int(1, size).int(2, F32).text(8, "w");
        assert_tells(&beside(&[], &[]).message(5, &tensor), &[("K0607", "")]);
    }
    // More elements than there are numbers.
    let y = input("y", F32, &[i64::MAX.into(), i64::MAX.into()]);
    assert_tells(
        &beside(&[node("Relu", &["y"], &["a"])], &[y]),
        &[("K0606", "")],
    );
    let mut deep = tensor_type(F32, None);
    for _ in 0..10_000 {
        deep = sequence_type(&deep);
    }
    assert_tells(&beside(&[], &[value("y", Some(&deep))]), &[("K0606", "")]);
}

#[test]
fn versions_that_are_none() {
    for version in [i64::MIN, -1, 0, 1, 1000, i64::MAX] {
        survive(&model(&beside(&[], &[]), version), |_, report| {
            assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        })
        .unwrap();
    }
    let none = message().message(7, &beside(&[], &[])).0;
    survive(&none, |_, report| {
        assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        assert_eq!(report.problems[0].diagnostic.code, "K0610");
    })
    .unwrap();
}

#[test]
fn names_of_any_bytes() {
    let long = "n".repeat(1_000_000);
    for name in [
        &long,
        "?",
        "",
        " ",
        "\0",
        "a, b] -> f32[",
        "\u{202e}",
        "n",
        "d0",
    ] {
        let y = input("y", F32, &[name.into(), Dim::Open, "n".into()]);
        let nodes = [node(
            "Relu",
            &["y"],
            &[if name.is_empty() { "a" } else { name }],
        )];
        survive(&model(&beside(&nodes, &[y]), 18), |_, report| {
            assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
            assert_eq!(report.problems, []);
        })
        .unwrap();
    }
    let garbled = message().text(1, "x").bytes(2, b"\xff\xfe").text(4, "Relu");
    assert_tells(&beside(&[garbled], &[]), &[("K0602", "#0")]);
}

#[test]
fn groups_in_groups() {
    // A wire type that nobody uses any more, nested.
    let groups = [0x0b; 200_000];
    let mut bytes = model(&beside(&[], &[]), 18);
    bytes.extend(groups);
    survive(&bytes, |_, report| {
        assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        assert_eq!(found(report), [("K0602".to_owned(), String::new())]);
    })
    .unwrap();
}

#[test]
fn attributes_that_are_not_as_they_should_be() {
    let float = |name: &str| message().text(1, name).int(20, 1).float(2, 1.5);
    let of_no_kind = message().text(1, "axis").int(20, 77);
    let garbled = message().text(1, "axis").bytes(8, &[0x80]);
    let concat = || node("Concat", &["x", "x"], &["a"]);
    for (node, why) in [
        (concat(), "needs the attribute `axis`"),
        (
            concat().message(5, &crate::encode::int_attr("axes", 0)),
            "no attribute `axes`",
        ),
        (concat().message(5, &float("axis")), "Concat"),
        (
            concat().message(5, &garbled),
            "one of its attributes can't be read",
        ),
        (
            concat().message(5, &body("axis", &graph(&[], &[], &[]))),
            "no body `axis`",
        ),
    ] {
        survive(&model(&beside(&[node], &[]), 18), |_, report| {
            assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
            let untyped = report.untyped.iter().map(|one| one.why.as_str());
            let problems = report.problems.iter();
            let problems = problems.map(|p| p.diagnostic.headline.as_str());
            let said: Vec<&str> = untyped.chain(problems).collect();
            assert!(said.len() == 1 && said[0].contains(why), "{why}: {said:?}");
        })
        .unwrap();
    }
    // Its value is unknown, but it is there.
    let concat = concat().message(5, &of_no_kind);
    survive(&model(&beside(&[concat], &[]), 18), |_, report| {
        assert_eq!(report.value("a").unwrap().to_string(), "f32[...]");
        assert!(report.untyped.is_empty() && !report.has_errors());
    });
}

#[test]
fn a_body_of_which_its_operator_says_nothing() {
    let scores = graph(
        &[node("Tanh", &["s"], &["t"])],
        &[value("s", None)],
        &[value("t", None)],
    );
    let qkv = ["q", "k", "v"];
    let node = node("FlexAttention", &qkv, &["y"])
        .text(7, "ai.onnx.preview")
        .message(5, &body("score_mod", &scores));
    let inputs = qkv.map(|name| input(name, F32, &["b".into(), 8.into(), 16.into(), 4.into()]));
    let opsets = [("", 26), ("ai.onnx.preview", 1)];
    let bytes = crate::encode::model_with(&beside(&[node], &inputs), &[], &opsets);
    survive(&bytes, |_, report| {
        assert_eq!(report.value("y").unwrap().to_string(), "f32[b, 8, 16, 4]");
        assert!(report.value("FlexAttention#0/score_mod/t").is_some());
        // That what it is given is a tensor of floats is no condition on anything that has a name.
        assert_eq!(report.verdict, kanshape::Verdict::Unknown);
        let problems = report.problems.iter().map(|p| p.diagnostic.code);
        assert_eq!(problems.collect::<Vec<_>>(), ["K0618"]);
    })
    .unwrap();
}
