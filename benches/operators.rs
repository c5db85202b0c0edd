//! Operators of the ONNX catalog: what a model checker solves for every node of a graph.
//!
//! `cargo bench -p kanshape --bench operators` prints a table with what is wanted, and then criterion's figures; `-- --table` the table
//! alone. All inputs and attributes are known, as they mostly are; the same question without the short way for such questions stands
//! beside it, and so does loading the catalog.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

#[path = "support/rows.rs"]
mod rows;

use criterion::{Criterion, criterion_group};
use kanshape::{AttrValue, Call, Prepared, Query, Relations, Signature, Type, Verdict, catalog};
use rows::CpuTime;
use std::hint::black_box;

/// Operator, inputs, attributes, and the output.
type Row<'a> = (&'a str, &'a [&'a str], &'a [(&'a str, AttrValue)], &'a str);

fn query((name, inputs, attrs, output): &Row<'_>) -> Query {
    let call = Call {
        inputs: inputs.iter().map(|t| Some(t.parse().unwrap())).collect(),
        outputs: None,
        attrs: attrs
            .iter()
            .map(|(n, v)| ((*n).into(), v.clone()))
            .collect(),
        ..Call::default()
    };
    let query = catalog().operator(name, None).unwrap().query(call).unwrap();
    // Both ways say what is right.
    let output: Type = output.parse().unwrap();
    for query in [query.clone(), query.clone().without_shortcut()] {
        assert_eq!(query.solve().unwrap().next().unwrap().outputs[0], output);
    }
    query
}

/// The operator, prepared with the attributes, and the inputs.
fn prepared((name, inputs, attrs, output): &Row<'_>) -> (Prepared, Vec<Type>) {
    let attrs = attrs.iter().map(|(n, v)| ((*n).into(), v.clone()));
    let call = Call {
        inputs: vec![Some(Type::UNKNOWN); inputs.len()],
        outputs: None,
        attrs: attrs.collect(),
        ..Call::default()
    };
    let prepared = catalog().operator(name, None).unwrap().prepare(call);
    let prepared = prepared.unwrap();
    let inputs: Vec<Type> = inputs.iter().map(|t| t.parse().unwrap()).collect();
    let found = prepared.infer(&inputs).ok();
    let found = found.map(|answer| answer.outputs[0].to_string());
    assert_eq!(found.as_deref().unwrap_or("never"), *output);
    (prepared, inputs)
}

fn operators(c: &mut Criterion<CpuTime>) {
    let pair = |a: i64, b: i64| [a, b].into_iter().collect::<AttrValue>();
    let conv = [
        ("strides", pair(2, 2)),
        ("pads", [3, 3, 3, 3].into_iter().collect()),
    ];
    let turn = [("perm", [2, 0, 1].into_iter().collect())];
    let rows: [Row<'_>; 6] = [
        ("Relu", &["f32[2, 3, 4]"], &[], "f32[2, 3, 4]"),
        ("Add", &["f32[8, 1, 6]", "f32[7, 1]"], &[], "f32[8, 7, 6]"),
        (
            "MatMul",
            &["f32[8, 2, 3]", "f32[3, 4]"],
            &[],
            "f32[8, 2, 4]",
        ),
        (
            "Reshape",
            &["f32[2, 3, 4]", "i64[2] = [0, -1]"],
            &[],
            "f32[2, 12]",
        ),
        ("Transpose", &["f32[2, 3, 4]"], &turn, "f32[4, 2, 3]"),
        (
            "Conv",
            &["f32[1, 3, 224, 224]", "f32[64, 3, 7, 7]"],
            &conv,
            "f32[1, 64, 112, 112]",
        ),
    ];
    let named: Row<'_> = (
        "Conv",
        &["f32[N, 3, H, W]", "f32[64, 3, 7, 7]"],
        &conv,
        "f32[N, 64, ceil(H/2), ceil(W/2)]",
    );
    let refused: Row<'_> = ("MatMul", &["f32[8, 2, 3]", "f32[4, 4]"], &[], "never");
    let mut group = c.benchmark_group("prepared");
    for row in rows.iter().chain([&named]) {
        let (operator, inputs) = prepared(row);
        let name = match std::ptr::eq(row, &named) {
            true => "Conv of names",
            false => row.0,
        };
        group.bench_function(name, |b| {
            b.iter(|| black_box(&operator).infer(black_box(&inputs)).unwrap());
        });
    }
    let (matmul, inputs) = prepared(&refused);
    group.bench_function("MatMul, refused", |b| {
        b.iter(|| black_box(&matmul).infer(black_box(&inputs)).unwrap_err());
    });
    group.finish();
    let mut group = c.benchmark_group("operators");
    for row in &rows {
        let query = query(row);
        group.bench_function(row.0, |b| {
            b.iter(|| black_box(&query).solve().unwrap().next());
        });
        let query = query.without_shortcut();
        group.bench_function(format!("{}, by the engine", row.0), |b| {
            b.iter(|| black_box(&query).solve().unwrap().next());
        });
    }
    group.finish();
    c.bench_function("loading the ONNX catalog", |b| {
        b.iter(|| Relations::load(catalog::FILES.iter().copied()).unwrap());
    });
}

criterion_group! {
    name = benches;
    config = rows::criterion();
    targets = operators
}

/// A question as it is asked once, with all that is answered: types, conditions, the verdict.
fn whole(query: &Query) -> Verdict {
    let mut answers = query.solve().unwrap();
    black_box(answers.next().unwrap().conditions.len());
    answers.verdict()
}

/// What is wanted, beside what is measured.
fn table() {
    rows::heading();
    let pair = |a: i64, b: i64| [a, b].into_iter().collect::<AttrValue>();
    let conv = [
        ("strides", pair(2, 2)),
        ("pads", [3, 3, 3, 3].into_iter().collect()),
    ];
    let image: &[&str] = &["f32[1, 3, 224, 224]", "f32[64, 3, 7, 7]"];
    let product: &[&str] = &["f32[8, 2, 3]", "f32[3, 4]"];
    let all: [(Row<'_>, f64); 3] = [
        (("Relu", &["f32[2, 3, 4]"], &[], "f32[2, 3, 4]"), 0.12),
        (("MatMul", product, &[], "f32[8, 2, 4]"), 0.14),
        (("Conv", image, &conv, "f32[1, 64, 112, 112]"), 0.35),
    ];
    for (row, wanted) in &all {
        let (operator, inputs) = prepared(row);
        let run = &mut || drop(black_box(&operator).infer(black_box(&inputs)).unwrap());
        let name = format!("prepared {}", row.0);
        rows::row(&name, rows::micros(run), Some(*wanted));
    }
    let names: &[&str] = &["f32[N, 3, H, W]", "f32[64, 3, 7, 7]"];
    let outputs = [
        "f32[N, 64, ceil(H/2), ceil(W/2)]",
        "f32[N, 64, H - 6, W - 6]",
    ];
    let ways: [(&str, &[_]); 2] = [("strides, pads", &conv), ("conditions", &[])];
    for ((name, attrs), output) in ways.into_iter().zip(outputs) {
        let query = query(&("Conv", names, attrs, output));
        let name = format!("Conv of N, H, W with its verdict, {name}");
        rows::row(&name, rows::micros(&mut || _ = whole(&query)), Some(15.0));
    }
    let sum: Signature = "+(),()->()".parse().unwrap();
    let inputs = ["f32[n, 1]", "f32[3, m]"].map(|ty| ty.parse::<Type>().unwrap());
    let query = sum.query().inputs(inputs);
    let run = &mut || _ = whole(&query);
    rows::row(
        "+(),()->() of f32[n, 1], f32[3, m]",
        rows::micros(run),
        Some(5.0),
    );
    println!();
}

fn main() {
    rows::run(table, benches);
}
