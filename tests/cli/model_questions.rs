//! `why`, `diff`, and what `check` says of declared types.

use crate::encode::{self, Dim, graph, input, message, model as encoded, node, value};
use crate::made::{F32, made, small};
use crate::program::kanshape;

#[test]
fn a_size_is_followed_to_the_inputs() {
    let shown = kanshape(&["why", &small(), "y:1"]).solved();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "y:1 = 144*N");
    assert!(
        lines[1].starts_with("  computed by flat (Reshape, node 3) from c:0 = N, "),
        "{shown}"
    );
    let from = "from x:0, an input; through conv_2 (Conv, node 2), relu_1 (Relu, node 1), conv_1 (Conv, node 0)";
    assert!(shown.contains(&format!("c:0 = N\n  {from}")), "{shown}");
    // A size without names is made of sizes without names.
    let shown = kanshape(&["why", &small(), "a:2"]).solved();
    assert!(
        shown.starts_with("a:2 = 6\n  computed by conv_1 (Conv, node 0) from x:2 = 8, w1:2 = 3\n"),
        "{shown}"
    );
    assert!(shown.contains("x:2 = 8\n  an input\n"), "{shown}");
    assert!(
        shown.contains("w1:2 = 3\n  a constant of the model\n"),
        "{shown}"
    );
}

#[test]
fn all_dims_and_the_last_one() {
    let all = kanshape(&["why", &small(), "y"]).solved();
    assert!(
        all.starts_with("y:0 = 2\n  from shape[0], a constant of the model; through flat"),
        "{all}"
    );
    assert!(all.contains("\n\ny:1 = 144*N\n"), "{all}");
    let last = kanshape(&["why", &small(), "y:-1"]).solved();
    assert!(last.starts_with("y:1 = 144*N\n"), "{last}");
}

#[test]
fn a_size_in_a_computed_shape_is_followed() {
    let nodes = [
        node("Shape", &["x"], &["s"]).text(3, "shape"),
        node("Reshape", &["z", "s"], &["y"]).text(3, "like_x"),
    ];
    let x = input("x", F32, &["N".into(), "M".into()]);
    let z = input("z", F32, &["K".into()]);
    let path = made(
        "shaped.onnx",
        &encoded(&graph(&nodes, &[x, z], &[value("y", None)]), 17),
    );
    let shown = kanshape(&["why", &path, "y:1"]).solved();
    let from = "from x:1, an input; through like_x (Reshape, node 1), shape (Shape, node 0)";
    assert!(
        shown.starts_with(&format!("y:1 = M\n  {from}\n")),
        "{shown}"
    );
    assert!(shown.contains("\nwhere "), "{shown}");
}

#[test]
fn what_is_queried_has_to_be_there() {
    for (spot, help) in [
        ("z", ""),
        ("y:2", "has no dim 2"),
        ("shap:0", "did you mean `shape`?"),
        ("y:-3", "no dim -3"),
    ] {
        let run = kanshape(&["why", &small(), spot]);
        assert_eq!((run.code, &*run.out), (Some(2), ""));
        assert!(
            run.err.contains("K0614") && run.err.contains(help),
            "{}",
            run.err
        );
    }
    let run = kanshape(&["why", &small(), "y:1", "--dim", "none:0=N"]);
    assert_eq!(run.code, Some(2), "{}", run.out);
}

#[test]
fn why_in_json() {
    let line = kanshape(&["why", &small(), "a:0", "--json"]).solved();
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["value"], "a:0");
    assert_eq!(
        line["dims"],
        serde_json::json!([{"axis": 0, "size": "N", "complete": true, "where": [], "steps": [{
            "value": "a", "axis": 0, "size": "N", "kind": "handed_on",
            "nodes": [{"name": "conv_1", "op": "Conv", "index": 0}],
            "from": [{"value": "x", "axis": 0, "size": "N"}],
            "end": {"kind": "input"},
        }]}])
    );
}

/// `y` is a reshape of `x` to this many rows.
fn rows(name: &str, rows: i64, declared: Option<[Dim; 2]>) -> String {
    let shape = message()
        .int(1, 2)
        .int(2, 7)
        .text(8, "shape")
        .bytes(9, &[rows, 8].map(i64::to_le_bytes).concat());
    let nodes = [node("Reshape", &["x", "shape"], &["y"]).text(3, "rows")];
    let x = input("x", F32, &["N".into(), 8.into()]);
    let ty = declared.map(|dims| encode::tensor_type(F32, Some(&dims)));
    let graph = graph(&nodes, &[x], &[value("y", ty.as_ref())]).message(5, &shape);
    made(name, &encoded(&graph, 17))
}

#[test]
fn strict_refuses_what_is_fixed_or_bounded() {
    let path = rows("four.onnx", 4, None);
    assert_eq!(kanshape(&["check", &path]).code, Some(0));
    let run = kanshape(&["check", &path, "--strict"]);
    assert_eq!(run.code, Some(1));
    let text = "error[K0616]: dim 0 of `x` is declared as `N`, and has to be 4\n --> rows (Reshape, node 0)";
    assert!(run.err.starts_with(text), "{}", run.err);
    // A size that is given is no free dim, and one that may be any is free.
    let open = rows("open.onnx", -1, None);
    for args in [&[&path as &str, "--set", "N=4"][..], &[&open]] {
        kanshape(&[&["check", "--strict", "--quiet"][..], args].concat()).solved();
    }
    let relu = made(
        "conv.onnx",
        &encoded(
            &graph(
                &[node("MaxPool", &["x"], &["y"]).message(5, &kernel(3))],
                &[input("x", F32, &[1.into(), 1.into(), "W".into()])],
                &[value("y", None)],
            ),
            17,
        ),
    );
    let run = kanshape(&["check", &relu, "--strict", "-q"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err
            .contains("dim 2 of `x` is declared as `W`, and it is required that W >= "),
        "{}",
        run.err
    );
}

fn kernel(size: i64) -> encode::Message {
    message().text(1, "kernel_shape").int(8, size).int(20, 7)
}

#[test]
fn a_contradicted_declaration_is_refused_by_strict() {
    let wrong = rows("wrong.onnx", 4, Some([5.into(), 8.into()]));
    let lenient = kanshape(&["check", &wrong]);
    assert_eq!(lenient.code, Some(0));
    assert!(lenient.err.starts_with("warning[K0612]"), "{}", lenient.err);
    let strict = kanshape(&["check", &wrong, "--strict", "--set", "N=4"]);
    assert_eq!(strict.code, Some(1));
    assert!(strict.err.starts_with("error[K0612]"), "{}", strict.err);
}

#[test]
fn declared_types_are_compared() {
    for (name, rows_of, declared, word) in [
        ("same.onnx", 4, [4.into(), 8.into()], "same"),
        ("less.onnx", 4, ["rows".into(), 8.into()], "says less"),
        ("contra.onnx", 4, [5.into(), 8.into()], "contradicted"),
    ] {
        let path = rows(name, rows_of, Some(declared));
        let run = kanshape(&["check", &path, "--declared", "--json"]);
        let line: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(line["declared"][0]["agreement"], word, "{}", run.out);
        let text = kanshape(&["check", &path, "--declared"]).out;
        assert!(
            text.contains(&format!("\n1 declared type: 1 {word}\n")),
            "{text}"
        );
        assert_eq!(text.contains("  value  declared"), word != "same", "{text}");
    }
}

#[test]
fn two_models_are_compared() {
    let (four, open) = (rows("four.onnx", 4, None), rows("open.onnx", -1, None));
    let same = kanshape(&["diff", &four, &four]).solved();
    assert!(same.ends_with(": the same nodes and types\n"), "{same}");
    let run = kanshape(&["diff", &open, &four]);
    assert_eq!((run.code, &*run.err), (Some(1), ""));
    assert!(
        run.out.contains("value y\n- f32[N, 8]\n+ f32[4, 8]\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("where\n+ N == 4\n"), "{}", run.out);
    assert!(run.out.ends_with(": 3 values differ\n"), "{}", run.out);
    let json = kanshape(&["diff", &open, &small(), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["same"], false);
    assert_eq!(json["nodes"][0]["b"]["text"], "Reshape(c, shape) -> (y)");
    let run = kanshape(&["diff", &four, "no/such/file"]);
    assert_eq!(run.code, Some(2));
}

#[test]
fn memory_and_multiplications_are_in_names() {
    let run = kanshape(&["check", &small(), "--bytes", "--json"]).solved();
    let line: serde_json::Value = serde_json::from_str(&run).unwrap();
    let bytes = &line["bytes"];
    // 4*3*3*3 and 8*4 floats, and two integers.
    assert_eq!(bytes["weights"], 4 * 108 + 4 * 32 + 16);
    assert_eq!(bytes["values"]["x"], "768*N");
    assert_eq!(bytes["values"]["c"], "1152*N");
    // The second convolution takes 4 channels of 6 by 6, and gives 8, beside the input of 3 channels of 8 by 8; the reshape
    // holds its input and its output.
    assert_eq!(bytes["peak"]["bytes"], "3072*N");
    assert_eq!(bytes["peak"]["node"]["name"], "flat");
    let nodes = bytes["nodes"].as_array().unwrap();
    let counts: Vec<&serde_json::Value> = nodes.iter().map(|n| &n["multiply_adds"]).collect();
    assert_eq!(counts, ["3888*N", "1152*N"]);
    assert_eq!(bytes["multiply_adds"], "5040*N");

    let set = kanshape(&["check", &small(), "--bytes", "--set", "N=2"]).solved();
    assert!(set.contains("\nmultiply-adds: 10080 in 2 nodes\n"), "{set}");
    assert!(
        set.contains("6144 B (6.0 KiB) at flat (Reshape, node 3)\n"),
        "{set}"
    );
}

#[test]
fn a_known_model_has_its_known_count() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/models/light_resnet50.onnx"
    );
    let shown = kanshape(&["check", path, "--bytes"]).solved();
    assert!(
        shown.contains("multiply-adds: 4089184256 in 54 nodes"),
        "{shown}"
    );
}

#[test]
fn inputs_are_given_for_all_or_by_their_types() {
    let nodes = [node("Add", &["x", "z"], &["y"])];
    let x = input("x", F32, &[1.into(), 3.into()]);
    let z = input("z", F32, &[1.into(), 1.into()]);
    let other = input("k", F32, &[3.into()]);
    let graph = graph(&nodes, &[x, z, other], &[value("y", None)]);
    let path = made("batch.onnx", &encoded(&graph, 17));
    let first = |args: &[&str]| {
        let shown = kanshape(&[&["check", &path][..], args].concat()).solved();
        let lines = shown.lines().skip(1).take(4);
        let types = lines.map(|line| line.split_once(": ").unwrap().1.to_owned());
        types.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        first(&["--batch", "N"]),
        "f32[N, 3] f32[N, 1] f32[3] f32[N, 3]"
    );
    assert_eq!(
        first(&["--dim", "*:1=3"]),
        "f32[1, 3] f32[1, 3] f32[3] f32[1, 3]"
    );
    assert_eq!(
        first(&["--input", "x=?[N,M]"]),
        "f32[N, M] f32[1, 1] f32[3] f32[N, M]"
    );
    assert_eq!(
        first(&["--dim", "*:0=N", "--dim", "k:0=3"]),
        "f32[N, 3] f32[N, 1] f32[3] f32[N, 3]"
    );
    for (args, code) in [
        (["--batch", "N,M"], "K0516"),
        (["--input", "x"], "K0516"),
        (["--input", "v=f32[2]"], "K0614"),
    ] {
        let run = kanshape(&[&["check", &path][..], &args].concat());
        assert_eq!(run.code, Some(2), "{}", run.out);
        assert!(run.err.contains(code), "{}", run.err);
    }
}

#[test]
fn declared_expressions_are_checked() {
    let nodes = [node("MaxPool", &["x"], &["y"]).message(5, &kernel(2))];
    for (text, word) in [
        ("W - 1", "same"),
        ("floor(W/2) + 1", "says other"),
        ("W + 1", "contradicted"),
    ] {
        let x = input("x", F32, &[1.into(), 1.into(), "W".into()]);
        let ty = encode::tensor_type(F32, Some(&[1.into(), 1.into(), text.into()]));
        let graph = graph(&nodes, &[x], &[value("y", Some(&ty))]);
        let path = made(&format!("{word}_expression.onnx"), &encoded(&graph, 17));
        let run = kanshape(&["check", &path, "--declared"]);
        assert!(
            run.out.contains(&format!("1 declared type: 1 {word}\n")),
            "{}{}",
            run.out,
            run.err
        );
    }
}

/// PyTorch writes `ceil(W/2)` with `floor`.
#[test]
fn a_declared_size_may_be_written_in_another_way() {
    let strides = encode::ints_attr("strides", [2]);
    let pool = node("MaxPool", &["x"], &["y"])
        .message(5, &kernel(1))
        .message(5, &strides);
    for (text, said) in [
        ("floor(W/2 - 1/2) + 1", "1 same"),
        ("floor((W + 1)/2)", "1 same"),
        ("floor(W/2)", "1 says other"),
    ] {
        let x = input("x", F32, &[1.into(), 1.into(), "W".into()]);
        let ty = encode::tensor_type(F32, Some(&[1.into(), 1.into(), text.into()]));
        let graph = graph(std::slice::from_ref(&pool), &[x], &[value("y", Some(&ty))]);
        let path = made("floor.onnx", &encoded(&graph, 17));
        let run = kanshape(&["check", &path, "--declared"]);
        let line = format!("1 declared type: {said}\n");
        assert!(run.out.contains(&line), "{text}: {}{}", run.out, run.err);
    }
}

/// A window takes 6 off `H`, and a reshape leaves one element of the rest: only the two together make it 7.
#[test]
fn a_size_is_fixed_by_the_node_that_leaves_nothing_open() {
    let window = encode::ints_attr("kernel_shape", [7, 7]);
    let nodes = [
        node("AveragePool", &["x"], &["p"])
            .text(3, "pool")
            .message(5, &window),
        node("Reshape", &["p", "s"], &["y"]).text(3, "rows"),
    ];
    let x = input("x", F32, &["N".into(), 8.into(), "H".into(), "W".into()]);
    let graph = graph(&nodes, &[x], &[value("y", None)]);
    let graph = graph.message(5, &encode::ints("s", &[2], &[1, 8]));
    let path = made("window.onnx", &encoded(&graph, 17));
    for (at, size) in [("x:0", 1), ("x:2", 7), ("x:3", 7)] {
        let shown = kanshape(&["why", &path, at]).solved();
        let line = "an input, which rows (Reshape, node 1) requires to be so";
        assert_eq!(shown, format!("{at} = {size}\n  {line}\n"));
    }
    let shown = kanshape(&["check", &path]).out;
    assert!(
        shown.contains("where H == 7\n      required by rows (Reshape, node 1)"),
        "{shown}"
    );
}

#[test]
fn what_holds_between_inner_sizes_is_in_the_signature() {
    let nodes = [
        node("Add", &["x", "m"], &["s"]).text(3, "add"),
        node("ReduceSum", &["s"], &["y"])
            .text(3, "sum")
            .message(5, &message().text(1, "keepdims").int(3, 0).int(20, 2)),
    ];
    let x = input("x", F32, &["N".into()]);
    let m = input("m", F32, &["M".into()]);
    let bytes = encoded(&graph(&nodes, &[x, m], &[value("y", None)]), 17);
    let shown = kanshape(&["signature", &made("inner.onnx", &bytes)]).solved();
    assert_eq!(
        shown.trim(),
        "f32[N], f32[M] -> f32[] where d0 == broadcast(N, M)"
    );
}

/// `ceil(H/2)` added to `2*ceil(H/4)`, as in a pyramid of features.
fn pyramid() -> String {
    let pool = |from: &str, to: &str| {
        let pool = node("MaxPool", &[from], &[to]).text(3, to);
        let pool = pool.message(5, &message().text(1, "kernel_shape").int(8, 2).int(20, 7));
        let pool = pool.message(5, &message().text(1, "strides").int(8, 2).int(20, 7));
        pool.message(5, &message().text(1, "ceil_mode").int(3, 1).int(20, 2))
    };
    let join = node("Concat", &["q", "q"], &["u"]).text(3, "up");
    let nodes = [
        pool("x", "p"),
        pool("p", "q"),
        join.message(5, &message().text(1, "axis").int(3, 2).int(20, 2)),
        node("Add", &["p", "u"], &["y"]).text(3, "add"),
    ];
    let x = input("x", F32, &["N".into(), 3.into(), "H".into()]);
    let bytes = encoded(&graph(&nodes, &[x], &[value("y", None)]), 17);
    made("pyramid.onnx", &bytes)
}

#[test]
fn sizes_that_repeat_are_listed() {
    let path = pyramid();
    let shown = kanshape(&["check", &path]).solved();
    let line = "so H is one of 0..4, 7..8, 11..12, ... (every 4)";
    assert!(shown.contains(line), "{shown}");
    let is_listed = |h: u64| h <= 4 || matches!(h % 4, 0 | 3);
    for h in 0..24 {
        let set = format!("H={h}");
        let run = kanshape(&["check", &path, "--quiet", "--set", &set]);
        assert_eq!(run.code == Some(0), is_listed(h), "{h}");
    }
}

#[test]
fn sizes_may_be_taken_for_more_than_0() {
    let pool = node("AveragePool", &["x"], &["y"]).text(3, "pool");
    let pool = pool.message(5, &message().text(1, "kernel_shape").int(8, 7).int(20, 7));
    let x = input("x", F32, &["N".into(), 3.into(), "H".into()]);
    let bytes = encoded(&graph(&[pool], &[x], &[value("y", None)]), 17);
    let path = made("pooled.onnx", &bytes);
    let signature = |more: &[&str]| {
        let args: Vec<&str> = ["signature", &path]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        kanshape(&args).solved().trim().to_owned()
    };
    assert_eq!(
        signature(&[]),
        "f32[N, 3, H] -> f32[N, 3, H - 6] where H >= 6"
    );
    assert_eq!(
        signature(&["--assume-nonempty"]),
        "f32[N, 3, H] -> f32[N, 3, H - 6] where H >= 7 (no size is 0)"
    );
    let shown = kanshape(&["check", &path, "--assume-nonempty"]).solved();
    assert!(shown.contains("; depends, if no size is 0\n"), "{shown}");
    // Nothing is left to require.
    let shown = kanshape(&["check", &path, "--assume-nonempty", "--dim", "x:2=H + 7"]).solved();
    assert!(shown.contains("; always, if no size is 0\n"), "{shown}");
}
