//! The same questions, put to kanshape, to canrun and to a function written by hand for just that
//! question: answers checked equal first, then timed side by side in one run.
//!
//! `cargo bench -p kanshape --bench inference` prints a table of ratios and then criterion's
//! figures for each.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod support;

use criterion::{Criterion, criterion_group};
use kanshape::tree::parse_signature;
use kanshape::{
    Answer, Dim, Query, Signature, Type,
    shorthand::{any, f32s},
};
use kanshape_canrun::by_hand;
use std::hint::black_box;
use support::rows::{self, CpuTime, micros};
use support::{descent, floor};

/// One question, and who answers it.
struct Work {
    name: &'static str,
    /// At most this many times the floor is what we want.
    target: f64,
    kanshape: Box<dyn Fn()>,
    floor: Box<dyn Fn()>,
    canrun: Option<Box<dyn Fn()>>,
}

fn sizes(ty: &Type) -> Vec<Option<u64>> {
    let dims = ty.as_tensor().unwrap().shape.known_dims();
    dims.iter().map(kanshape::Dim::size).collect()
}

fn known(ty: &Type) -> Vec<u64> {
    sizes(ty).into_iter().map(Option::unwrap).collect()
}

fn work() -> Vec<Work> {
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let add: Signature = "+(),()->()".parse().unwrap();
    vec![
        forward(&matmul),
        outputs(&matmul),
        reverse(&matmul),
        addition(&add),
        pairs(&add),
        parsing(),
    ]
}

fn forward(matmul: &Signature) -> Work {
    let inputs = [f32s([2, 3]), f32s([3, 4])];
    let answer = matmul.infer(&inputs).unwrap();
    let by_floor = floor::matmul(("f32", &[2, 3]), ("f32", &[3, 4]));
    assert_eq!(Some(("f32", known(&answer.outputs[0]))), by_floor);
    assert_eq!(
        by_hand::product("f32", &[2, 3], &[3, 4]),
        Some(("f32", vec![2, 4]))
    );
    let matmul = matmul.clone();
    Work {
        name: "matmul, forwards",
        target: 6.0,
        kanshape: Box::new(move || drop(black_box(matmul.infer(black_box(&inputs)).unwrap()))),
        floor: Box::new(|| {
            let (a, b) = (("f32", &[2, 3][..]), ("f32", &[3, 4][..]));
            drop(black_box(floor::matmul(black_box(a), black_box(b))));
        }),
        canrun: Some(Box::new(|| {
            black_box(by_hand::product(
                "f32",
                black_box(&[2, 3]),
                black_box(&[3, 4]),
            ));
        })),
    }
}

fn outputs(matmul: &Signature) -> Work {
    let inputs = [f32s([2, 3]), f32s([3, 4])];
    let whole = forward(matmul);
    let found = matmul.outputs(&inputs).unwrap();
    assert_eq!(found, matmul.infer(&inputs).unwrap().outputs);
    let matmul = matmul.clone();
    Work {
        name: "matmul, forwards, the output alone",
        target: 4.0,
        kanshape: Box::new(move || drop(black_box(matmul.outputs(black_box(&inputs)).unwrap()))),
        ..whole
    }
}

fn reverse(matmul: &Signature) -> Work {
    let inputs: [Type; 2] = ["f32[2, ?]".parse().unwrap(), Type::UNKNOWN];
    let outputs = [f32s([2, 4])];
    let answer = matmul.solve(&inputs, &outputs).unwrap();
    let by_floor = floor::second_factor(("f32", &[Some(2), None]), ("f32", &[2, 4]));
    let expected = by_floor.map(|f| f.1);
    assert_eq!(Some(sizes(&answer.inputs[1])), expected);
    assert_eq!(
        by_hand::second_factor("f32", 2, &[2, 4]).map(|f| f.1.to_vec()),
        expected
    );
    let matmul = matmul.clone();
    Work {
        name: "matmul, backwards",
        target: 6.0,
        kanshape: Box::new(move || {
            drop(black_box(
                matmul
                    .solve(black_box(&inputs), black_box(&outputs))
                    .unwrap(),
            ));
        }),
        floor: Box::new(|| {
            let (a, out) = (("f32", &[Some(2), None][..]), ("f32", &[2, 4][..]));
            drop(black_box(floor::second_factor(
                black_box(a),
                black_box(out),
            )));
        }),
        canrun: Some(Box::new(|| {
            black_box(by_hand::second_factor("f32", 2, black_box(&[2, 4])));
        })),
    }
}

fn addition(add: &Signature) -> Work {
    let (a, b) = ([8, 1, 6, 1], [7, 1, 5]);
    let inputs = [f32s(a.map(Dim::Size)), f32s(b.map(Dim::Size))];
    let answer = add.infer(&inputs).unwrap();
    assert_eq!(Some(known(&answer.outputs[0])), floor::broadcast(&a, &b));
    assert_eq!(by_hand::sum(&a, &b), floor::broadcast(&a, &b));
    let add = add.clone();
    Work {
        name: "broadcasting add",
        target: 20.0,
        kanshape: Box::new(move || drop(black_box(add.infer(black_box(&inputs)).unwrap()))),
        floor: Box::new(move || {
            drop(black_box(floor::broadcast(black_box(&a), black_box(&b))));
        }),
        canrun: Some(Box::new(move || {
            drop(black_box(by_hand::sum(black_box(&a), black_box(&b))));
        })),
    }
}

fn pairs(add: &Signature) -> Work {
    let out = [8u64, 7, 6, 5];
    let open: Type = "?[?, ?, ?, ?]".parse().unwrap();
    let query: Query = add
        .query()
        .inputs([open.clone(), open])
        .outputs([any(out.map(Dim::Size))])
        .ground();
    let of = |a: &Answer| (known(&a.inputs[0]), known(&a.inputs[1]));
    let mut ours: Vec<_> = query.solve().unwrap().map(|a| of(&a)).collect();
    let mut theirs = floor::pairs(&out);
    let mut canruns = by_hand::pairs(&out);
    for list in [&mut ours, &mut theirs, &mut canruns] {
        list.sort();
        assert_eq!(list.len(), 81);
    }
    assert!(ours == theirs && ours == canruns);
    Work {
        name: "81 pairs that broadcast to f32[8, 7, 6, 5]",
        target: 4.0,
        kanshape: Box::new(move || {
            drop(black_box(query.solve().unwrap().collect::<Vec<_>>()));
        }),
        floor: Box::new(move || drop(black_box(floor::pairs(black_box(&out))))),
        canrun: Some(Box::new(move || {
            drop(black_box(by_hand::pairs(black_box(&out))));
        })),
    }
}

fn parsing() -> Work {
    let text = "(m,n),(n,p)->(m,p)";
    for t in [
        text,
        "+(m?,n),(n,p?)->(m?,p?)",
        "=2(d),(d)->()",
        "(2,n),(n,2)->(2,21)",
    ] {
        assert_eq!(parse_signature(t).ok(), descent::parse(t));
    }
    Work {
        name: "parse a signature",
        target: 10.0,
        kanshape: Box::new(|| drop(black_box(parse_signature(black_box(text)).unwrap()))),
        floor: Box::new(|| drop(black_box(descent::parse(black_box(text)).unwrap()))),
        canrun: None,
    }
}

/// The best of several rounds, in nanoseconds of CPU time.
fn time(run: &dyn Fn()) -> f64 {
    1000.0 * micros(&mut || run())
}

fn ratios() {
    println!(
        "{:<44} {:>10} {:>10} {:>7} {:>7} {:>10} {:>7}",
        "", "by hand", "kanshape", "ratio", "wanted", "canrun", "ratio"
    );
    for w in work() {
        let (floor, ours) = (time(&*w.floor), time(&*w.kanshape));
        print!(
            "{:<44} {:>7.0} ns {:>7.0} ns {:>6.1}x {:>6.0}x",
            w.name,
            floor,
            ours,
            ours / floor,
            w.target
        );
        match &w.canrun {
            Some(canrun) => {
                let theirs = time(&**canrun);
                println!(" {:>7.0} ns {:>6.0}x", theirs, theirs / floor);
            }
            None => println!(),
        }
    }
    println!();
}

fn all(c: &mut Criterion<CpuTime>) {
    for w in work() {
        let mut group = c.benchmark_group(w.name);
        group.bench_function("kanshape", |b| b.iter(|| (w.kanshape)()));
        group.bench_function("by hand", |b| b.iter(|| (w.floor)()));
        if let Some(canrun) = &w.canrun {
            group.bench_function("canrun", |b| b.iter(canrun));
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = rows::criterion();
    targets = all
}

fn main() {
    ratios();
    // `cargo test --benches` only wants to see that it runs.
    if !std::env::args().any(|a| a == "--test" || a == "--ratios") {
        benches();
        rows::criterion().configure_from_args().final_summary();
    }
}
