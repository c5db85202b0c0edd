//! E-graphs of 100,000 e-nodes with types: what a new e-node costs, and what two classes that become one.
//!
//! `cargo bench -p kanshape-egg --bench egg` prints what merges cost beside what is wanted, and then criterion's figures; `-- --table` the
//! former alone.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

#[path = "support/rows.rs"]
mod rows;

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::{BatchSize, Criterion, Throughput, criterion_group};
use egg::{Analysis, EGraph, Id, Symbol, define_language};
use kanshape_egg::{Datum, Term, TypeAnalysis, TypedLanguage};
use rows::CpuTime;

define_language! {
    enum Lang {
        "matmul" = MatMul([Id; 2]),
        "add" = Add([Id; 2]),
        "relu" = Relu([Id; 1]),
        Sym(Symbol),
    }
}

impl TypedLanguage for Lang {
    fn term(&self) -> Term<'_> {
        match self {
            Lang::MatMul([a, b]) => Term::op("onnx::MatMul", [a, b]),
            Lang::Add([a, b]) => Term::op("onnx::Add", [a, b]),
            Lang::Relu([x]) => Term::op("onnx::Relu", [x]),
            Lang::Sym(name) => Term::Leaf(name.as_str()),
        }
    }
}

const NODES: usize = 100_000;

/// Adds layers `relu(x @ w + b)` until there are this many e-nodes. Returns the classes of the last operators.
fn grow<N: Analysis<Lang>>(egraph: &mut EGraph<Lang, N>) -> Vec<Id> {
    let leaf = |name: String| Lang::Sym(name.into());
    let [w, b] = ["w", "b"].map(|name| egraph.add(leaf(name.into())));
    let mut classes = Vec::new();
    let mut x = egraph.add(leaf("x".into()));
    while egraph.total_size() < NODES {
        let product = egraph.add(Lang::MatMul([x, w]));
        let sum = egraph.add(Lang::Add([product, b]));
        x = egraph.add(Lang::Relu([sum]));
        classes.extend([product, sum, x]);
    }
    classes
}

fn analysis() -> TypeAnalysis {
    let mut types = TypeAnalysis::new(kanshape::catalog());
    for (name, ty) in [("x", "f32[N, 64]"), ("w", "f32[64, 64]"), ("b", "f32[64]")] {
        types.leaf(name, &ty.parse().unwrap()).unwrap();
    }
    types
}

/// E-nodes that are made, with types and without: the difference is what types cost.
fn make(c: &mut Criterion<CpuTime>) {
    let mut group = c.benchmark_group("egg/make");
    group.throughput(Throughput::Elements(NODES as u64));
    group.sample_size(10);
    group.bench_function("untyped", |b| {
        b.iter_batched(
            EGraph::<Lang, ()>::default,
            |mut egraph| {
                grow(&mut egraph);
                egraph
            },
            BatchSize::PerIteration,
        );
    });
    group.bench_function("typed", |b| {
        b.iter_batched(
            || EGraph::new(analysis()),
            |mut egraph| {
                grow(&mut egraph);
                egraph
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

/// Two data that are merged in an e-graph of that size.
fn merge(c: &mut Criterion<CpuTime>) {
    let mut egraph = EGraph::new(analysis());
    let classes = grow(&mut egraph);
    let data: Vec<Datum> = classes.iter().map(|id| egraph[*id].data).collect();
    let mut group = c.benchmark_group("egg/merge");
    group.bench_function("same type", |b| {
        let mut i = 0;
        b.iter(|| {
            i = (i + 1) % (data.len() - 1);
            let mut one = data[i];
            black_box(merged(&mut egraph.analysis, &mut one, data[i + 1]))
        });
    });
    for (what, other, _) in LEARNT {
        let mut leaves = 0;
        group.bench_function(format!("learns, {what}"), |b| {
            b.iter_custom(|times| merges(&mut egraph, &data, (what, other), &mut leaves, times));
        });
    }
    assert!(egraph.analysis.conflicts().is_empty());
    group.finish();
}

/// What a class learns from another one: a name, the type of that one, and how many microseconds that may take.
const LEARNT: [(&str, &str, f64); 3] = [
    ("a size", "f32[?, 64]", 2.0),
    ("sizes and dtype", "?[?, ?]", 5.0),
    ("all", "?", 5.0),
];

/// So many merges, each with another leaf: after the first time they are the same.
fn merges(
    egraph: &mut EGraph<Lang, TypeAnalysis>,
    data: &[Datum],
    (what, other): (&str, &str),
    leaves: &mut u64,
    times: u64,
) -> Duration {
    let mut others: Vec<Datum> = Vec::new();
    for _ in 0..times {
        *leaves += 1;
        let name = format!("leaf{leaves}_{}", what.replace(' ', "_"));
        let leaf = egraph.analysis.leaf(&name, &other.parse().unwrap());
        leaf.unwrap();
        let id = egraph.add(Lang::Sym(name.into()));
        others.push(egraph[id].data);
    }
    let start = ThreadTime::now();
    for (i, other) in others.into_iter().enumerate() {
        let mut one = data[i % data.len()];
        black_box(merged(&mut egraph.analysis, &mut one, other));
    }
    start.elapsed()
}

/// What is wanted of merges, beside what is measured: the least of five rounds.
fn table() {
    const TIMES: u64 = 2_000;
    rows::heading();
    for (what, other, wanted) in LEARNT {
        let rounds = (0..5).map(|_| {
            let mut egraph = EGraph::new(analysis());
            let classes = grow(&mut egraph);
            let data: Vec<Datum> = classes.iter().map(|id| egraph[*id].data).collect();
            let taken = merges(&mut egraph, &data, (what, other), &mut 0, TIMES);
            taken.as_secs_f64() * 1e6 / TIMES as f64
        });
        let least = rounds.fold(f64::INFINITY, f64::min);
        rows::row(&format!("a merge that learns {what}"), least, Some(wanted));
    }
    println!();
}

fn main() {
    rows::run(table, benches);
}

fn merged(types: &mut TypeAnalysis, one: &mut Datum, other: Datum) -> bool {
    let did = <TypeAnalysis as Analysis<Lang>>::merge(types, one, other);
    did.0
}

criterion_group! {
    name = benches;
    config = rows::criterion();
    targets = make, merge
}
