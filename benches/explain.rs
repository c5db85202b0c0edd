//! What an explanation costs: of one operator that does not fit, and of one at the end of a long chain.
//!
//! `cargo bench -p kanshape --bench explain`. A question that fits pays nothing for it, so there is nothing to
//! measure there.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/rows.rs"]
mod rows;

use criterion::{Criterion, criterion_group, criterion_main};
use kanshape::graph::Graph;
use kanshape::{Call, Query, Signature, catalog};
use rows::CpuTime;
use std::hint::black_box;

/// The operators of the chain.
const NODES: usize = 10_000;

fn operator(name: &str, inputs: &[&str], outputs: &[&str], attrs: &[(&str, &str)]) -> Query {
    let operator = catalog().operator(name, None).unwrap();
    let types = |texts: &[&str]| {
        let texts = texts.iter();
        texts.map(|text| Some(text.parse().unwrap())).collect()
    };
    let value = |name: &str, text: &str| operator.attribute(name).unwrap().read(text).unwrap();
    let call = Call {
        inputs: types(inputs),
        outputs: (!outputs.is_empty()).then(|| types(outputs)),
        attrs: attrs
            .iter()
            .map(|(name, text)| ((*name).into(), value(name, text)))
            .collect(),
        ..Call::default()
    };
    operator.query(call).unwrap()
}

fn one_operator(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("explain");
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let types = ["f32[2, 3]".parse().unwrap(), "f32[4, 5]".parse().unwrap()];
    let matmul = matmul.query().inputs(types);
    let image = "f32[1, 3, 224, 224]";
    let rows = [
        ("signature", matmul),
        (
            "MatMul",
            operator("MatMul", &["f32[2, 3]", "f32[4, 5]"], &[], &[]),
        ),
        (
            "Add",
            operator("Add", &["f32[2, 3]", "f32[4, 5]"], &[], &[]),
        ),
        (
            "Gemm",
            operator("Gemm", &["f32[3, 4]", "f32[5, 4]"], &[], &[]),
        ),
        (
            "Concat",
            operator("Concat", &["f32[3, 4]", "f32[5, 4]"], &[], &[("axis", "1")]),
        ),
        (
            "Reshape",
            operator("Reshape", &["f32[2, 3]", "i64[2] = [4, -1]"], &[], &[]),
        ),
        (
            "Conv, channels",
            operator("Conv", &[image, "f32[64, 4, 7, 7]"], &[], &[]),
        ),
        (
            "Conv, output",
            operator(
                "Conv",
                &[image, "f32[64, 3, 7, 7]"],
                &["f32[1, 64, 112, 112]"],
                &[("strides", "[2, 2]")],
            ),
        ),
        (
            "MaxPool, output",
            operator(
                "MaxPool",
                &["f32[1, 3, 32, 32]"],
                &["f32[1, 3, 31, 31]"],
                &[("kernel_shape", "[5, 5]"), ("strides", "[3, 3]")],
            ),
        ),
    ];
    for (name, query) in rows {
        assert!(
            query.explain().is_some_and(|c| !c.facts.is_empty()),
            "{name}"
        );
        group.bench_function(name, |b| b.iter(|| black_box(&query).explain()));
    }
    group.finish();
}

/// A chain of Relu with a MatMul at its end that does not fit.
fn chain(c: &mut Criterion<CpuTime>) {
    let mut graph = Graph::new(catalog());
    let relu = catalog().operator("Relu", None).unwrap();
    let relu = graph.call(&relu, vec![], &[true], &[true]).unwrap();
    let mut x = graph.value(&"f32[N, 3]".parse().unwrap()).unwrap();
    for _ in 1..NODES {
        x = graph.add(relu, &[x]).1.get(0).unwrap();
    }
    let w = graph.value(&"f32[4, 5]".parse().unwrap()).unwrap();
    let matmul = catalog().operator("MatMul", None).unwrap();
    let matmul = graph.call(&matmul, vec![], &[true, true], &[true]).unwrap();
    c.bench_function("explain/chain of 10,000", |b| {
        b.iter(|| {
            let mut graph = graph.clone();
            graph.add(matmul, &[x, w]);
            let problem = graph.problems().next().unwrap().clone();
            let traces = graph.traces(&problem);
            assert_eq!(traces[0].1.through.len(), NODES - 1);
            traces
        });
    });
}

criterion_group! {
    name = benches;
    config = rows::criterion();
    targets = one_operator, chain
}
criterion_main!(benches);
