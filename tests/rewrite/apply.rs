//! Matches that are applied one by one, in a program that is no model.

use std::path::Path;

use kanshape::catalog;
use kanshape::graph::Graph;
use kanshape_onnx::{Model, Options, check};
use kanshape_rewrite::{Held, Net, NetNode, Rules, rewrite};

use crate::everyday::rules;

/// The operators of a program, in alphabetical order.
fn ops(net: &Net) -> Vec<&str> {
    let mut ops: Vec<&str> = net.nodes.iter().map(|node| &*node.op).collect();
    ops.sort_unstable();
    ops
}

/// Applies what holds always, one match at a time, until there is none. Returns how many there were.
fn apply_all(net: &mut Net, rules: &Rules) -> usize {
    for count in 0..1_000 {
        let all = rules.matches(net).unwrap().all;
        if !all.iter().any(|one| one.apply(net).is_ok()) {
            return count;
        }
    }
    panic!("no end");
}

fn net_of(bytes: &[u8]) -> Net {
    let model = Model::read(bytes).unwrap();
    let report = check(&model, &Options::default());
    Net::of_model(&model, &report)
}

#[test]
fn models_become_what_rewriting_them_makes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models");
    let mut rules = rules();
    // These models have nothing that does nothing.
    let own = "rule leaky: Relu(X) => LeakyRelu[alpha = 0.0](X)\nrule dropout: Dropout(X) => X";
    rules.extend(Rules::load_str(catalog(), "own.kan", own).unwrap());
    let (mut models, mut applied) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("light_") || !name.ends_with(".onnx") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let mut net = net_of(&bytes);
        let types = net.types.clone();
        applied += apply_all(&mut net, &rules);
        models += 1;
        let rewritten = rewrite(&bytes, &rules, &[], &Options::default()).unwrap();
        assert_eq!(ops(&net), ops(&net_of(&rewritten.bytes)), "{name}");
        for output in &net.outputs {
            assert_eq!(net.types[output], types[output], "{name}: {output}");
        }
        // Each node is behind those that it needs.
        let mut given: Vec<&String> = Vec::new();
        let made: Vec<&String> = net.nodes.iter().flat_map(|node| &node.outputs).collect();
        for node in &net.nodes {
            for input in &node.inputs {
                assert!(
                    given.contains(&input) || !made.contains(&input),
                    "{name}: {input}"
                );
            }
            given.extend(&node.outputs);
        }
    }
    assert_eq!(models, 9);
    assert!(applied > 100, "{applied}");
}

#[test]
fn a_graph_of_operators_is_a_program() {
    let mut graph = Graph::new(catalog());
    let [a, b] = ["f32[N, 4]", "f32[4, 8]"].map(|ty| graph.value(&ty.parse().unwrap()).unwrap());
    let c = graph.value(&"f32[M, 8]".parse().unwrap()).unwrap();
    let [product, sum] = ["onnx::MatMul", "onnx::Add"].map(|name| {
        let operator = catalog().operator(name, None).unwrap();
        graph.call(&operator, vec![], &[true; 2], &[true]).unwrap()
    });
    let p = graph.add(product, &[a, b]).1.get(0).unwrap();
    let y = graph.add(sum, &[p, c]).1.get(0).unwrap();
    let net = Net::of_graph(&mut graph, [y]);
    let rules = Rules::load_str(
        catalog(),
        "own.kan",
        "rule gemm: Add(MatMul(A, B), C) => Gemm(A, B, C)",
    );
    let found = rules.unwrap().matches(&net).unwrap().all;
    let [one] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(one.root(), Some("v4"));
    let needs = Held::Depends(vec!["M in {1, N}".into()]);
    assert_eq!(
        (&one.held, one.apply(&mut net.clone())),
        (&needs, Err(needs.clone()))
    );
}

#[test]
fn a_match_in_another_program_is_not_applied() {
    let node = |op: &str, input: &str, output: &str| NetNode {
        op: op.into(),
        inputs: vec![input.into()],
        outputs: vec![output.into()],
        ..NetNode::default()
    };
    let mut net = Net {
        nodes: vec![
            node("Neg", "x", "a"),
            node("Neg", "a", "b"),
            node("Neg", "b", "y"),
        ],
        ..Net::default()
    };
    net.types.insert("x".into(), "f32[N]".parse().unwrap());
    net.outputs.insert("y".into());
    let rules = Rules::load_str(catalog(), "own.kan", "rule twice: Neg(Neg(X)) => X").unwrap();
    let all = rules.matches(&net).unwrap().all;
    let done: Vec<bool> = all.iter().map(|one| one.apply(&mut net).is_ok()).collect();
    assert_eq!(done, [true, false]);
    assert_eq!(ops(&net), ["Neg"]);
    assert_eq!(
        (&*net.nodes[0].inputs[0], &*net.nodes[0].outputs[0]),
        ("x", "y")
    );
}

/// A value that a match takes is called otherwise once another match is applied, and the nodes are where they were.
#[test]
fn a_match_whose_values_have_other_names_is_not_applied() {
    let node = |op: &str, inputs: &[&str], output: &str| NetNode {
        op: op.into(),
        inputs: inputs.iter().map(|name| (*name).into()).collect(),
        outputs: vec![output.into()],
        ..NetNode::default()
    };
    let mut net = Net {
        nodes: vec![
            node("Relu", &["x"], "r"),
            node("MatMul", &["r", "w"], "p"),
            node("Add", &["p", "c"], "z"),
            node("Neg", &["r"], "a"),
            node("Neg", &["a"], "y"),
        ],
        ..Net::default()
    };
    for (name, ty) in [
        ("x", "f32[N, 4]"),
        ("r", "f32[N, 4]"),
        ("w", "f32[4, 8]"),
        ("c", "f32[8]"),
    ] {
        net.types.insert(name.into(), ty.parse().unwrap());
    }
    net.outputs = ["y", "z"].map(String::from).into();
    let text = "rule twice: Neg(Neg(X)) => X\nrule gemm: Add(MatMul(A, B), C) => Gemm(A, B, C)";
    let rules = Rules::load_str(catalog(), "own.kan", text).unwrap();
    let all = rules.matches(&net).unwrap().all;
    let [gemm, twice] = &all[..] else {
        panic!("{all:?}")
    };
    twice.apply(&mut net).unwrap();
    assert_eq!(&*net.nodes[1].inputs, ["y", "w"]);
    assert!(matches!(gemm.apply(&mut net), Err(Held::Unknown(_))));
    assert_eq!(apply_all(&mut net, &rules), 1);
    assert_eq!(ops(&net), ["Gemm", "Relu"]);
    assert_eq!(&*net.nodes[1].inputs, ["y", "w", "c"]);
    let given: Vec<&str> = net.types.keys().map(String::as_str).collect();
    assert_eq!(given, ["c", "w", "x", "y", "z"]);
}
