//! The questions of a rewriter about two types: does one stand for the other, and what is known if both
//! hold?
//!
//! `cargo bench -p kanshape --bench order`. The floor is a Rust function written by hand for tensors
//! of known rank; both take the same types, and are checked to answer alike first.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

#[path = "support/rows.rs"]
mod rows;

use criterion::{Criterion, criterion_group, criterion_main};
use kanshape::order::{is_super, join, meet};
use kanshape::{Dim, Type, Verdict};
use rows::CpuTime;
use std::hint::black_box;

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

/// What the question comes to where sizes and holes are all there is.
fn by_hand(a: &Type, b: &Type) -> bool {
    let (Some(a), Some(b)) = (a.as_tensor(), b.as_tensor()) else {
        return false;
    };
    let (x, y) = (a.shape.known_dims(), b.shape.known_dims());
    a.dtype == b.dtype
        && x.len() == y.len()
        && x.iter().zip(y).all(|(x, y)| *x == Dim::Hole || x == y)
}

fn order(c: &mut Criterion<CpuTime>) {
    let (known, open) = (ty("f32[8, 3, 224, 224]"), ty("f32[?, 3, ?, ?]"));
    assert_eq!(is_super(&open, &known), Verdict::Always);
    assert!(by_hand(&open, &known));
    assert_eq!(meet(&open, &known).unwrap(), known);

    let mut group = c.benchmark_group("rank 4, sizes and holes");
    group.bench_function("is_super", |b| {
        b.iter(|| is_super(black_box(&open), black_box(&known)));
    });
    group.bench_function("is_super, by hand", |b| {
        b.iter(|| by_hand(black_box(&open), black_box(&known)));
    });
    group.bench_function("meet", |b| {
        b.iter(|| meet(black_box(&open), black_box(&known)));
    });
    group.bench_function("join", |b| {
        b.iter(|| join(black_box(&open), black_box(&known)));
    });
    group.finish();

    // Names have to be solved for by the engine.
    let (a, b) = (ty("f32[n, 2*k] where n != 1"), ty("f32[m, 8] where m >= 2"));
    let mut group = c.benchmark_group("rank 2, names and conditions");
    group.bench_function("is_super", |bench| {
        bench.iter(|| is_super(black_box(&a), black_box(&b)));
    });
    group.bench_function("meet", |bench| {
        bench.iter(|| meet(black_box(&a), black_box(&b)));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = rows::criterion();
    targets = order
}
criterion_main!(benches);
