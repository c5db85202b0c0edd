//! Rewriting in a program of 1,000 nodes, and rules that are checked.

#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/rows.rs"]
mod rows;

use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, SamplingMode, criterion_group, criterion_main};
use kanshape::catalog;
use kanshape::graph::Graph;
use kanshape_rewrite::{Bounds, Net, NetNode, Rule, Rules, Sound};
use rows::CpuTime;
use serde_json::Value;

const NODES: usize = 1_000;
const GEMM: &str = "rule gemm: Add(MatMul(A, B), C) => Gemm(A, B, C) \
    :- A: T[m, k], B: T[k, n], BroadcastShapes(shape(C), [m, n], [m, n])";

/// Layers `relu(x @ w + b)`.
fn layers() -> Net {
    let mut net = Net::default();
    let types = [("v0", "f32[N, 64]"), ("w", "f32[64, 64]"), ("b", "f32[64]")];
    for (name, ty) in types {
        net.types.insert(name.into(), ty.parse().unwrap());
    }
    let names: Vec<String> = (0..=NODES).map(|i| format!("v{i}")).collect();
    for (i, pair) in names.windows(2).enumerate() {
        let (op, other) = [("MatMul", Some("w")), ("Add", Some("b")), ("Relu", None)][i % 3];
        let inputs = [Some(&*pair[0]), other];
        net.nodes.push(NetNode {
            op: op.into(),
            inputs: inputs.into_iter().flatten().map(str::to_owned).collect(),
            outputs: vec![pair[1].clone()],
            ..NetNode::default()
        });
        net.types
            .insert(pair[1].clone(), "f32[N, 64]".parse().unwrap());
    }
    net.outputs.insert(names[NODES].clone());
    net
}

/// One rewrite in the middle: the new node typed in the graph as it stands, and the whole change of a program.
fn one_rewrite(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("rewrite");
    let rules = Rules::load_str(catalog(), "gemm.kan", GEMM).unwrap();
    let net = layers();
    let matches = rules.matches(&net).unwrap().all;
    assert_eq!(matches.len(), NODES / 3);
    let middle = &matches[matches.len() / 2];
    group.bench_function("a match applied, 1,000 nodes", |b| {
        let apply = |mut net: Net| {
            middle.apply(&mut net).unwrap();
            net
        };
        b.iter_batched(|| net.clone(), apply, BatchSize::LargeInput);
    });

    let mut graph = Graph::new(catalog());
    let call = |graph: &mut Graph, op: &str, inputs: usize| {
        let operator = catalog().operator(op, None).unwrap();
        graph
            .call(&operator, Vec::new(), &vec![true; inputs], &[true])
            .unwrap()
    };
    let [matmul, add, relu, gemm] = [("MatMul", 2), ("Add", 2), ("Relu", 1), ("Gemm", 3)]
        .map(|(op, inputs)| call(&mut graph, &format!("onnx::{op}"), inputs));
    let leaf = |graph: &mut Graph, ty: &str| graph.value(&ty.parse().unwrap()).unwrap();
    let [mut x, w, b] = ["f32[N, 64]", "f32[64, 64]", "f32[64]"].map(|ty| leaf(&mut graph, ty));
    let mut middle = x;
    for i in 0..NODES / 3 {
        if i == NODES / 6 {
            middle = x;
        }
        for (call, inputs) in [(matmul, vec![w]), (add, vec![b]), (relu, vec![])] {
            let inputs: Vec<_> = [x].into_iter().chain(inputs).collect();
            let (_, outputs) = graph.add(call, &inputs);
            x = outputs.iter().next().unwrap();
        }
    }
    let old = graph.ty(x);
    group.bench_function("a node typed, graph of 1,000 nodes", |b_| {
        b_.iter(|| {
            let mut graph = graph.clone();
            let (_, outputs) = graph.add(gemm, &[middle, w, b]);
            let ty = graph.ty(outputs.iter().next().unwrap());
            assert!(ty == old);
            black_box(ty)
        });
    });
    group.finish();
}

/// Rules that are checked, each with what is found out of others forgotten.
fn check(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("rewrite/check");
    group.sample_size(10);
    let rules = [
        ("transposes", "Transpose(Transpose(X)) => X"),
        (
            "sum of products",
            "Add(MatMul(A, B), MatMul(A, C)) => MatMul(A, Add(B, C)) :- rank(A) = 2, rank(B) = 2, shape(B) = shape(C)",
        ),
        (
            "concat",
            "Concat[axis = 0](A, Concat[axis = 0](B, C)) => Concat[axis = 0](A, B, C)",
        ),
        ("gemm", "Add(MatMul(A, B), C) => Gemm(A, B, C)"),
    ];
    for (name, text) in rules {
        group.bench_function(name, |b| {
            b.iter(|| {
                let rule = Rule::read(catalog(), text, []).unwrap();
                let verdict = rule.check().verdict;
                assert_ne!(verdict, Sound::Unknown);
                verdict
            });
        });
    }
    group.finish();
}

/// All rules of the data, with what their sources say has to hold and without.
fn check_all(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("rewrite/check all");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/rewrite_rules.jsonl");
    let rows = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Value> = rows
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for field in ["rule", "bare"] {
        let rule = |row: &Value| {
            let rule = Rule::read(catalog(), row[field].as_str()?, []).unwrap();
            Some(rule.bounds(Bounds {
                max_rank: row["max_rank"].as_u64().unwrap_or(3),
                max_dim: 3,
            }))
        };
        group.bench_function(field, |b| {
            b.iter(|| {
                let rules = rows.iter().filter_map(rule);
                rules.filter_map(|rule| rule.checked().ok()).count()
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = rows::criterion();
    targets = one_rewrite, check, check_all
}
criterion_main!(benches);
