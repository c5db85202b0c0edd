//! Models before and after.

use std::path::{Path, PathBuf};

use kanshape::catalog;
use kanshape::tree::parse_conditions;
use kanshape_onnx::{Model, Options, check};
use kanshape_rewrite::{Held, Net, NetNode, Rewritten, Rules, rewrite};

use crate::encode::{Dim, Message, graph, input, ints_attr, model, node, value};
use crate::everyday::rules;

const F32: i64 = 1;

/// A model of these nodes from `x` to `y`, with an input `b` that has one dim.
fn of_nodes(nodes: &[Message]) -> Vec<u8> {
    let dims: [Dim; 2] = ["N".into(), "M".into()];
    let x = input("x", F32, &dims);
    let b = input("b", F32, &["N".into()]);
    model(&graph(nodes, &[x, b], &[value("y", None)]), 21)
}

fn applied(rewritten: &Rewritten) -> Vec<&str> {
    let places = rewritten.applied.iter();
    places.map(|place| &*place.rule).collect()
}

/// The operators of a model.
fn ops(bytes: &[u8]) -> Vec<String> {
    let model = Model::read(bytes).unwrap();
    model.each_node().map(|node| node.place.op).collect()
}

fn of_texts(texts: &str) -> Rules {
    Rules::load_str(catalog(), "own.kan", texts).unwrap()
}

/// The types of the outputs, as text.
fn outputs(bytes: &[u8]) -> Vec<String> {
    let model = Model::read(bytes).unwrap();
    let report = check(&model, &Options::default());
    assert!(!report.has_errors(), "{:?}", report.problems);
    let outputs = report.outputs.iter();
    outputs.map(|(name, ty)| format!("{name}: {ty}")).collect()
}

#[test]
fn what_does_nothing_is_taken_away() {
    let bytes = of_nodes(&[
        node("Identity", &["x"], &["a"]),
        node("Relu", &["a"], &["r"]),
        node("Relu", &["r"], &["s"]),
        node("Transpose", &["s"], &["t"]).message(5, &ints_attr("perm", [1, 0])),
        node("Transpose", &["t"], &["u"]).message(5, &ints_attr("perm", [1, 0])),
        node("Identity", &["u"], &["y"]),
    ]);
    let once = rewrite(&bytes, &rules(), &[], &Options::default()).unwrap();
    assert_eq!(ops(&once.bytes), ["Relu"]);
    assert_eq!(outputs(&once.bytes), outputs(&bytes));
    let twice = rewrite(&once.bytes, &rules(), &[], &Options::default()).unwrap();
    assert_eq!(twice.bytes, once.bytes);
    assert_eq!(twice.applied, []);
}

#[test]
fn what_is_needed_elsewhere_stays() {
    let nodes = [
        node("MatMul", &["x", "w"], &["p"]),
        node("Add", &["p", "c"], &["s"]),
        node("Mul", &["p", "s"], &["y"]),
    ];
    let x = input("x", F32, &["N".into(), 4.into()]);
    let w = input("w", F32, &[4.into(), 5.into()]);
    let c = input("c", F32, &[5.into()]);
    let all = [x, w, c];
    let bytes = model(&graph(&nodes, &all, &[value("y", None)]), 21);
    let rewritten = rewrite(&bytes, &rules(), &[], &Options::default()).unwrap();
    assert_eq!(rewritten.bytes, bytes);
    let fused = model(&graph(&nodes[..2], &all, &[value("s", None)]), 21);
    let rewritten = rewrite(&fused, &rules(), &[], &Options::default()).unwrap();
    assert_eq!(applied(&rewritten), ["gemm"]);
    assert_eq!(ops(&rewritten.bytes), ["Gemm"]);
    assert_eq!(outputs(&rewritten.bytes), ["s: f32[N, 5]"]);
}

#[test]
fn a_condition_is_reported_and_can_be_assumed() {
    let bytes = of_nodes(&[node("Flatten", &["x"], &["y"])]);
    let rules = of_texts("rule first: Flatten(X) => Reshape(X, [0, -1]) :- shape(X)[0] >= 1");
    let options = Options::default();
    let rewritten = rewrite(&bytes, &rules, &[], &options).unwrap();
    assert_eq!(rewritten.applied, []);
    assert_eq!(rewritten.bytes, bytes);
    let [(place, held)] = &rewritten.left[..] else {
        panic!("{:?}", rewritten.left);
    };
    assert_eq!(place.value, "y");
    assert!(matches!(held, Held::Depends(_)), "{held:?}");
    let assumed = parse_conditions("N >= 1").unwrap();
    let assumed: Vec<_> = assumed.into_iter().map(|one| one.node).collect();
    let rewritten = rewrite(&bytes, &rules, &assumed, &options).unwrap();
    assert_eq!(applied(&rewritten), ["first"]);
    let text = String::from_utf8_lossy(&rewritten.bytes).into_owned();
    assert!(text.contains("kanshape.assumed"));
}

#[test]
fn what_is_assumed_makes_types_the_same() {
    let bytes = of_nodes(&[
        node("Add", &["x", "b"], &["s"]),
        node("Relu", &["s"], &["y"]),
    ]);
    let rules =
        of_texts("rule drop: Add(A, c) => A :- BroadcastShapes(shape(c), shape(A), shape(A))");
    for (text, applies) in [("N == 1", true), ("M == N", true), ("M == 1", false)] {
        let assumed = parse_conditions(text).unwrap();
        let assumed: Vec<_> = assumed.into_iter().map(|one| one.node).collect();
        let rewritten = rewrite(&bytes, &rules, &assumed, &Options::default()).unwrap();
        let expected: &[&str] = if applies { &["drop"] } else { &[] };
        assert_eq!(
            applied(&rewritten),
            expected,
            "{text}: {:?}",
            rewritten.left
        );
    }
}

#[test]
fn rules_that_go_round_are_stopped() {
    let bytes = of_nodes(&[node("Relu", &["x"], &["r"]), node("Neg", &["r"], &["y"])]);
    let rules =
        of_texts("rule there: Neg(Relu(X)) => Neg(Abs(X))\nrule back: Neg(Abs(X)) => Neg(Relu(X))");
    let rewritten = rewrite(&bytes, &rules, &[], &Options::default()).unwrap();
    assert_eq!(rewritten.looped, ["back"]);
    assert_eq!(applied(&rewritten), ["there"]);
}

#[test]
fn a_search_that_is_cut_off_is_said() {
    let rules = of_texts("rule pair: Neg(X), Relu(X) => Relu(X), Neg(X)");
    let net = |count: usize| {
        let node = |op: &str, input: &str, output: String| NetNode {
            op: op.into(),
            inputs: vec![input.into()],
            outputs: vec![output],
            ..NetNode::default()
        };
        let mut net = Net::default();
        net.types.insert("x".into(), "f32[N]".parse().unwrap());
        net.nodes.push(node("Relu", "x", "r".into()));
        let negs = (0..count).map(|i| node("Neg", "x", format!("n{i}")));
        net.nodes.extend(negs);
        net
    };
    let few = rules.matches(&net(20)).unwrap();
    assert_eq!((few.all.len(), few.cut_off.len()), (20, 0));
    let many = rules.matches(&net(1_999)).unwrap();
    assert!(many.all.len() < 1_999 && !many.all.is_empty());
    assert_eq!(many.cut_off.into_iter().collect::<Vec<_>>(), ["pair"]);
}

#[test]
fn a_rule_of_another_type_is_not_applied() {
    let bytes = of_nodes(&[
        node("Transpose", &["x"], &["t"]).message(5, &ints_attr("perm", [1, 0])),
        node("Relu", &["t"], &["y"]),
    ]);
    let rules = of_texts("rule wrong: Transpose[perm = [1, 0]](X) => X");
    let rewritten = rewrite(&bytes, &rules, &[], &Options::default()).unwrap();
    assert_eq!(rewritten.bytes, bytes);
    assert_eq!(rewritten.left.len(), 1);
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "onnx") {
            found.push(path);
        }
    }
}

/// The everyday rules, and some that match in most models, keep the outputs of every model of the tests, and a second time
/// they do nothing.
#[test]
fn all_models() {
    let mut all = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models");
    files(&folder, &mut all);
    assert!(all.len() > 60, "{}", all.len());
    let mut rules = rules();
    // Few models have something to take away.
    rules.extend(of_texts(include_str!("common.kan")));
    let options = Options::default();
    let mut count = 0;
    for path in all {
        let bytes = std::fs::read(&path).unwrap();
        let once = rewrite(&bytes, &rules, &[], &options).unwrap();
        if once.applied.is_empty() {
            assert_eq!(once.bytes, bytes, "{path:?}");
            continue;
        }
        count += once.applied.len();
        let of = |bytes: &[u8]| {
            let model = Model::read(bytes).unwrap();
            let report = check(&model, &options);
            let outputs = report.outputs.iter();
            let outputs = outputs.map(|(name, ty)| format!("{name}: {ty}"));
            (outputs.collect::<Vec<_>>(), report.verdict)
        };
        assert_eq!(of(&once.bytes), of(&bytes), "{path:?}");
        let twice = rewrite(&once.bytes, &rules, &[], &options).unwrap();
        assert_eq!(twice.applied, [], "{path:?}");
        assert_eq!(twice.bytes, once.bytes, "{path:?}");
    }
    assert!(count > 100, "{count} rewrites");
}
