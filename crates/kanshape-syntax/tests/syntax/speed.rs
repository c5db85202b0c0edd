//! How long parsing takes. Run it with `cargo test --release --test syntax speed -- --ignored --nocapture`.

use std::hint::black_box;
use std::time::Instant;

use kanshape_syntax::{parse_relations, parse_signature, parse_type};

/// The least time that one call takes, in nanoseconds, over some runs.
fn time<T>(mut call: impl FnMut() -> T) -> f64 {
    let rounds = 20_000;
    let run = |call: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        for _ in 0..rounds {
            black_box(call());
        }
        start.elapsed().as_nanos() as f64 / f64::from(rounds)
    };
    (0..10)
        .map(|_| run(&mut call))
        .fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    for text in [
        "(m,n),(n,p)->(m,p)",
        "+(m?,n),(n,p?)->(m?,p?)",
        "(a):x,(b):y->(a+b):promote(x,y)",
        "[stride: s, pad: p] +(c,h),(o,c,k)->(o,(h + 2*p - k)//s + 1) where s >= 1",
    ] {
        let ns = time(|| parse_signature(black_box(text)).unwrap());
        println!("{ns:8.0} ns  {text}");
    }
    for text in ["f32[2, n, 2*k, ?]", "f32[8,1,6,1]", "f32[6@district, n]"] {
        let ns = time(|| parse_type(black_box(text)).unwrap());
        println!("{ns:8.0} ns  {text}");
    }
    let clause = "Flatten(Tensor(sh, bt), O) :- O = Tensor((sh[0], prod(sh[1:])), bt)\n";
    let ns = time(|| parse_relations(black_box(clause)).unwrap());
    println!("{ns:8.0} ns  {}", clause.trim_end());
    for clauses in [100, 1_000, 10_000] {
        let text = clause.repeat(clauses);
        let start = Instant::now();
        black_box(parse_relations(&text).unwrap());
        let ns = start.elapsed().as_nanos() as f64 / f64::from(clauses as u32);
        println!("{ns:8.0} ns  a clause of {clauses}");
    }
    for dims in [1_000, 10_000, 100_000] {
        let text = format!("({})->()", vec!["n"; dims].join(","));
        let start = Instant::now();
        black_box(parse_signature(&text).unwrap());
        let ns = start.elapsed().as_nanos() as f64 / text.len() as f64;
        println!("{ns:8.1} ns  a byte of {}", text.len());
    }
}
