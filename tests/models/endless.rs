//! Sizes, lists and types that are larger than anybody means.

use crate::broken::beside;
use crate::encode::{Dim, input, int_attr, ints, ints_attr, message, model, node};
use crate::survive::survive;

const F32: i64 = 1;

#[test]
fn sizes_without_end() {
    let most = i64::MAX;
    let y = || input("y", F32, &[most.into(), 2.into()]);
    let n = |name: &str, all: &[i64]| ints(name, &[all.len() as i64], all);
    let cases = [
        (node("Flatten", &["y"], &["a"]), n("s", &[])),
        (node("Size", &["y"], &["a"]), n("s", &[])),
        (node("Reshape", &["y", "s"], &["a"]), n("s", &[-1])),
        (
            node("Reshape", &["x", "s"], &["a"]),
            n("s", &[most, most, -1]),
        ),
        (node("Reshape", &["x", "s"], &["a"]), n("s", &[i64::MIN, 3])),
        (
            node("Expand", &["x", "s"], &["a"]),
            n("s", &[most, most, 1, 1]),
        ),
        (node("Tile", &["y", "s"], &["a"]), n("s", &[most, most])),
        (
            node("Pad", &["y", "s"], &["a"]),
            n("s", &[most, most, most, most]),
        ),
        (
            node("Pad", &["x", "s"], &["a"]),
            n("s", &[i64::MIN, i64::MIN, 0, 0]),
        ),
        (
            node("ConstantOfShape", &["s"], &["a"]),
            n("s", &[most, most, most]),
        ),
        (
            node("Slice", &["y", "s", "s", "s", "s"], &["a"]),
            n("s", &[i64::MIN]),
        ),
        (
            node("Slice", &["y", "s", "s"], &["a"]),
            n("s", &[i64::MIN, most]),
        ),
        (node("Unsqueeze", &["y", "s"], &["a"]), n("s", &[most])),
        (node("Squeeze", &["y", "s"], &["a"]), n("s", &[i64::MIN])),
        (
            node("Gather", &["y", "s"], &["a"]).message(5, &int_attr("axis", i64::MIN)),
            n("s", &[most]),
        ),
        (
            node("Concat", &["y", "y"], &["a"]).message(5, &int_attr("axis", 0)),
            n("s", &[]),
        ),
        (
            node("Concat", &["y", "y"], &["a"]).message(5, &int_attr("axis", i64::MIN)),
            n("s", &[]),
        ),
        (
            node("Split", &["y"], &["a"]).message(5, &int_attr("num_outputs", most)),
            n("s", &[]),
        ),
        (
            node("Transpose", &["y"], &["a"]).message(5, &ints_attr("perm", [i64::MIN, most])),
            n("s", &[]),
        ),
        (
            node("ReduceSum", &["y", "s"], &["a"]),
            n("s", &[i64::MIN, most]),
        ),
        (
            node("DepthToSpace", &["y"], &["a"]).message(5, &int_attr("blocksize", i64::MIN)),
            n("s", &[]),
        ),
        (node("Range", &["lo", "hi", "by"], &["a"]), n("s", &[])),
        (
            node("OneHot", &["s", "hi", "s"], &["a"]).message(5, &int_attr("axis", i64::MIN)),
            n("s", &[1, 2]),
        ),
        (
            node("EyeLike", &["y"], &["a"]).message(5, &int_attr("dtype", i64::MIN)),
            n("s", &[]),
        ),
        (
            node("Cast", &["y"], &["a"]).message(5, &int_attr("to", most)),
            n("s", &[]),
        ),
    ];
    for (node, s) in cases {
        let scalar = |name: &str, n: i64| ints(name, &[], &[n]);
        let scalars = [scalar("lo", i64::MIN), scalar("hi", most), scalar("by", 1)];
        let graph = beside(&[node], &[y()]).message(5, &s).messages(5, &scalars);
        survive(&model(&graph, 18), |_, report| {
            assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        })
        .unwrap();
    }
    // Windows.
    let attrs = |strides: i64, pads: i64, dilations: i64, kernel: i64| {
        [
            ints_attr("strides", [strides, strides]),
            ints_attr("pads", [pads; 4]),
            ints_attr("dilations", [dilations, dilations]),
            ints_attr("kernel_shape", [kernel, kernel]),
        ]
    };
    for attrs in [
        attrs(most, most, most, most),
        attrs(0, 0, 0, 0),
        attrs(-1, -1, -1, -1),
        attrs(i64::MIN, i64::MIN, i64::MIN, i64::MIN),
        attrs(1, most, 1, 3),
        attrs(1, 0, most, 3),
    ] {
        let image = input("image", F32, &[1.into(), 3.into(), 224.into(), Dim::Open]);
        for op in ["MaxPool", "AveragePool", "LpPool", "Conv", "ConvTranspose"] {
            let inputs = &["image", "image"][..if op.starts_with("Conv") { 2 } else { 1 }];
            let node = node(op, inputs, &["a"]).messages(5, &attrs);
            survive(
                &model(&beside(&[node], std::slice::from_ref(&image)), 18),
                |_, report| {
                    assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
                },
            )
            .unwrap();
        }
    }
}

#[test]
fn types_in_types_in_types() {
    // What is optional is made optional again, thousands of times. ONNX has no such type.
    for op in [
        "Optional",
        "SequenceConstruct",
        "OptionalGetElement",
        "Identity",
    ] {
        let names: Vec<String> = (0..=3_000).map(|i| format!("v{i}")).collect();
        let mut nodes = vec![node("Identity", &["x"], &["v0"])];
        nodes.extend(
            names
                .windows(2)
                .map(|v| node(op, &[v[0].as_str()], &[v[1].as_str()])),
        );
        survive(&model(&beside(&nodes, &[]), 18), |_, report| {
            assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        })
        .unwrap();
    }
}

#[test]
fn lists_without_end() {
    let long = || 0..200_000;
    let many: Vec<&str> = long().map(|_| "x").collect();
    let names: Vec<String> = long().map(|i| format!("v{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let dims: Vec<Dim> = long().take(20_000).map(|_| 2.into()).collect();
    let wide = input("wide", F32, &dims);
    let equation = |text: &str| message().text(1, "equation").int(20, 3).text(4, text);
    let nodes = [
        node("Transpose", &["x"], &["a"]).message(5, &ints_attr("perm", long())),
        node("MaxPool", &["x"], &["a"]).message(5, &ints_attr("kernel_shape", long())),
        node("Concat", &many, &["a"]).message(5, &int_attr("axis", 0)),
        node("Max", &many, &["a"]),
        node("Relu", &many, &["a"]),
        node("Split", &["x"], &names).message(5, &int_attr("num_outputs", 200_000)),
        node("Relu", &["x"], &names),
        node("Unsqueeze", &["x", "s"], &["a"]),
        node("Reshape", &["x", "s"], &["a"]),
        node("Einsum", &["x"], &["a"]).message(5, &equation(&"ij".repeat(100_000))),
        node("Einsum", &["x"], &["a"]).message(5, &equation(&"ij,".repeat(100_000))),
        node("Add", &["wide", "wide"], &["a"]),
        node("MatMul", &["wide", "wide"], &["a"]),
        node("Transpose", &["wide"], &["a"]),
        node("Flatten", &["wide"], &["a"]),
        node("Shape", &["wide"], &["a"]),
        node("Concat", &["wide", "wide"], &["a"]).message(5, &int_attr("axis", -1)),
        node(&"Relu".repeat(100_000), &["x"], &["a"]),
    ];
    for node in nodes {
        let all: Vec<i64> = long().collect();
        let s = ints("s", &[all.len() as i64], &all);
        let graph = beside(&[node], std::slice::from_ref(&wide)).message(5, &s);
        survive(&model(&graph, 18), |_, report| {
            assert_eq!(report.value("good").unwrap().to_string(), "f32[n, 3]");
        })
        .unwrap();
    }
}

#[test]
fn an_equation_without_end() {
    for equation in [
        "ij,jk->ik".to_owned() + &"i".repeat(1 << 20),
        "ij".repeat(1 << 20) + ",jk->ik",
    ] {
        let einsum = node("Einsum", &["x", "x"], &["a"]);
        let attr = message().text(1, "equation").text(4, &equation).int(20, 3);
        let nodes = [einsum.message(5, &attr)];
        let graph = crate::encode::graph(&nodes, &[input("x", F32, &["N".into(), 3.into()])], &[]);
        survive(&model(&graph, 17), |_, report| {
            assert_eq!(report.verdict, kanshape::Verdict::Unknown);
        })
        .unwrap();
    }
}
