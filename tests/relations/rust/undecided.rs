//! What a relation in Rust has not said at the end.

use super::super::query;
use super::{Stated, load, stated};
use kanshape::{
    Answers, Verdict,
    relation::{Impossible, Progress},
};

/// Says nothing before the number is known; then, that it is odd.
fn odd(is_redundant: bool) -> Stated {
    let odd = stated("Odd", &["int"], |args| {
        let [n] = args.all();
        match args.value(&n) {
            None => Ok(Progress::Waiting),
            Some(n) if n % 2 == 1 => Ok(Progress::Done),
            Some(_) => Err(Impossible),
        }
    });
    Stated {
        is_redundant,
        ..odd
    }
}

fn ask(is_redundant: bool, input: &str) -> Answers {
    let r = load(
        [odd(is_redundant)],
        "P(Tensor([n], T), Tensor([n], T)) :- Odd(n)",
    );
    query(&r, "P", &[input, "?"]).solve().unwrap()
}

#[test]
fn it_makes_the_verdict_unknown() {
    for input in ["f32[n]", "f32[?]", "?"] {
        let mut answers = ask(false, input);
        assert_eq!(answers.verdict(), Verdict::Unknown, "{input}");
    }
    assert_eq!(ask(false, "f32[3]").verdict(), Verdict::Always);
    assert_eq!(ask(false, "f32[4]").verdict(), Verdict::Never);
}

#[test]
fn a_hint_is_of_no_account() {
    assert_eq!(ask(true, "f32[n]").verdict(), Verdict::Always);
    assert_eq!(ask(true, "f32[3]").verdict(), Verdict::Always);
    // What it does say counts.
    assert_eq!(ask(true, "f32[4]").verdict(), Verdict::Never);
}

#[test]
fn few_values_are_tried() {
    let r = load(
        [odd(false)],
        "P(Tensor([n], T), Tensor([n], T)) :- Odd(n), 2 <= n <= 8",
    );
    let mut answers = query(&r, "P", &["f32[n]", "?"]).solve().unwrap();
    assert_eq!(answers.verdict(), Verdict::Depends);
    let answers: Vec<String> = answers.map(|a| a.to_string()).collect();
    assert_eq!(
        answers,
        [
            "f32[n] -> f32[3] where n == 3",
            "f32[n] -> f32[5] where n == 5",
            "f32[n] -> f32[7] where n == 7",
        ]
    );
}

#[test]
fn ground_answers_are_those_that_were_decided() {
    // Never decided for numbers above 3.
    let lazy = stated("Lazy", &["int"], |args| {
        let [n] = args.all();
        match args.value(&n) {
            Some(..=3) => Ok(Progress::Done),
            _ => Ok(Progress::Waiting),
        }
    });
    let r = load([lazy], "P(Tensor([n], T), Tensor([n], T)) :- Lazy(n)");
    let ask = |most: u64| {
        let query = query(&r, "P", &["f32[?]", "?"]);
        query.max_dim(most).solve().unwrap()
    };
    let mut answers = ask(5);
    assert_eq!(answers.by_ref().count(), 4);
    assert!(!answers.complete());
    let mut answers = ask(3);
    assert_eq!(answers.by_ref().count(), 4);
    assert!(answers.complete());
}

#[test]
fn what_it_has_looked_at_is_watched() {
    // Its second argument is looked at only when the first is known, and the other way round.
    let chain = stated("Chain", &["int", "int", "int"], |args| {
        let [a, b, c] = args.all();
        let Some(x) = args.value(&a) else {
            return Ok(Progress::Waiting);
        };
        let Some(y) = args.value(&b) else {
            return Ok(Progress::Waiting);
        };
        args.set(&c, 10 * x + y)?;
        Ok(Progress::Done)
    });
    let r = load(
        [chain],
        "P(Tensor([n], T), Tensor([m], T)) :- Chain(c, 1, m), Chain(1, 2, k), c = k - n",
    );
    let mut answers = query(&r, "P", &["f32[10]", "?"]).solve().unwrap();
    assert_eq!(answers.next().unwrap().to_string(), "f32[10] -> f32[21]");
    assert_eq!(answers.verdict(), Verdict::Always);
    let r = load(
        [odd(false)],
        "P(Tensor([n, ..r], T), Tensor([n, ..r], T)) :- Odd(m), m = n + len(r)",
    );
    let verdict = |input| query(&r, "P", &[input, "?"]).solve().unwrap().verdict();
    assert_eq!(verdict("f32[2, 9]"), Verdict::Always);
    assert_eq!(verdict("f32[2, 9, 9]"), Verdict::Never);
    assert_eq!(verdict("f32[2, ...]"), Verdict::Always);
}
