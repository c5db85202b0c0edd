//! Rules at random: what is found of each holds on leaves that are drawn.
//!
//! `KANSHAPE_SEED=7 KANSHAPE_CASES=500 cargo test -p kanshape-rewrite --test rules law` looks elsewhere.

use kanshape::catalog;
use kanshape_rewrite::{Rule, Sound};

use crate::explored::{Random, explored};

const CASES: u64 = 24;
const PERMS: [&str; 5] = ["[1, 0]", "[0, 2, 1]", "[1, 0, 2]", "[2, 0, 1]", "[0, 1]"];
const AXES: [&str; 5] = ["[0]", "[1]", "[-1]", "[0, 1]", "[2]"];
const SHAPES: [&str; 5] = ["[-1]", "[0, -1]", "[-1, 2]", "[0, 0, -1]", "[2, -1]"];

fn number(name: &str, default: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// A term of up to this many operators, one in the other.
fn term(random: &mut Random, depth: usize, leaves: &[&str]) -> String {
    if depth == 0 {
        return leaves[random.below(leaves.len())].to_owned();
    }
    let inner = term(random, depth - 1, leaves);
    let other = leaves[random.below(leaves.len())];
    let axes = AXES[random.below(AXES.len())];
    match random.below(11) {
        0 => format!(
            "Transpose[perm = {}]({inner})",
            PERMS[random.below(PERMS.len())]
        ),
        1 => format!("Unsqueeze({inner}, {axes})"),
        2 => format!("Squeeze({inner}, {axes})"),
        3 => format!("Reshape({inner}, {})", SHAPES[random.below(SHAPES.len())]),
        4 => format!("ReduceSum[keepdims = {}]({inner}, {axes})", random.below(2)),
        5 => format!("Add({inner}, {other})"),
        6 => format!("MatMul({inner}, {other})"),
        7 => format!("Concat[axis = {}]({inner}, {other})", random.below(2)),
        8 => format!(
            "Slice({inner}, [{}], [{}])",
            random.below(2),
            1 + random.below(4)
        ),
        9 => format!("Flatten({inner})"),
        _ => format!("Relu({inner})"),
    }
}

/// A rule whose right side has leaves of the left side alone.
fn rule(random: &mut Random) -> String {
    let leaves: &[&str] = if random.below(2) == 0 {
        &["A"]
    } else {
        &["A", "B"]
    };
    let depth = 1 + random.below(2);
    let left = term(random, depth, leaves);
    let used: Vec<&str> = leaves
        .iter()
        .copied()
        .filter(|own| has(&left, own))
        .collect();
    let depth = random.below(3);
    let right = term(random, depth, &used);
    format!("{left} => {right}")
}

/// Stands a leaf in a term?
fn has(term: &str, leaf: &str) -> bool {
    let is_word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    term.split(is_word).any(|word| word == leaf)
}

#[test]
fn what_is_found_of_a_rule_holds() {
    let first = number("KANSHAPE_SEED", 1);
    let (mut known, mut wrong) = (0, Vec::new());
    for seed in first..first.saturating_add(number("KANSHAPE_CASES", CASES)) {
        let text = rule(&mut Random(seed));
        if Rule::read(catalog(), &text, [])
            .and_then(|rule| rule.checked())
            .is_err()
        {
            panic!("KANSHAPE_SEED={seed}: {text} can't be read");
        }
        let (found, mistakes) = explored(&text);
        known += usize::from(found.verdict != Sound::Unknown);
        wrong.extend(
            mistakes
                .into_iter()
                .map(|one| format!("KANSHAPE_SEED={seed}: {one}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known > 0);
}

fn verdict(text: &str) -> Sound {
    Rule::read(catalog(), text, []).unwrap().check().verdict
}

/// A size that one leaf declares, the product of a number of groups and of the channels of each, or what both sides together determine: a rule
/// that holds for these alone is not one that never holds.
#[test]
fn sizes_that_a_rule_is_about() {
    // The left side has a type where `m` is 1 or 7, and both can be expanded to 7; or where `k` is 12.
    for text in [
        "rule added (A: T[n, 7], B: T[m]): Add(A, B) => Add(A, Expand(B, [7]))",
        "rule named (A: T[12], B: T[m, k]): MatMul(B, A) => MatMul(B, Mul(A, Squeeze(ReduceSum(B, [0]), [0])))",
    ] {
        assert_eq!(verdict(text), Sound::Always, "{text}");
    }
    for text in [
        "rule transposed (X: T[n, c, h], W: T[c, 2, k], S: T[4, 1]):
            Mul(ConvTranspose[group = 2](X, W), S) => ConvTranspose[group = 2](X, Mul(W, Unsqueeze(S, [2])))",
        "rule grouped (X: T[n, c, h], W: T[c, 3, k], S: T[6, 1]):
            Mul(ConvTranspose[group = 2](X, W), S) => ConvTranspose[group = 2](X, Mul(W, Unsqueeze(S, [2])))",
        "rule added (A: T[n, 7], B: T[m]): Add(A, B) => Add(A, Reshape(B, [7]))",
        "rule named (A: T[12], B: T[m, k]): MatMul(B, A) => MatMul(B, Mul(A, Squeeze(B, [0])))",
    ] {
        assert_eq!(verdict(text), Sound::Depends, "{text}");
    }
}

/// Executors refuse a -1 beside a 0 that copies a size of 0: a rule must not make a program stop.
#[test]
fn a_copied_zero_beside_what_is_left() {
    for text in [
        "Flatten(X) => Reshape(X, [0, -1])",
        "rule r (X: T[a, 1, c]): Transpose[perm = [0, 2, 1]](X) => Reshape(X, [0, -1, 1])",
    ] {
        let found = Rule::read(catalog(), text, []).unwrap().check();
        assert_eq!(found.verdict, Sound::Depends, "{text}");
        let case = found.counterexample.unwrap();
        assert_eq!(case.right, None, "{text}");
    }
    for text in [
        "Reshape(X, [0, -1]) => Flatten(Reshape(X, [0, -1]))",
        "rule r (X: T[2, 3, k]): Flatten(X) => Reshape(X, [0, -1])",
        "Relu(Reshape(X, [0, -1])) => Reshape(Relu(X), [0, -1])",
    ] {
        assert_eq!(verdict(text), Sound::Always, "{text}");
    }
}

/// The rule that is used most of all is decided, with leaves of four dims as well.
#[test]
fn batch_normalization_into_a_convolution() {
    let text = "rule bn (X: T[n, c, h, w], W: T[o, g, k, l]):
        BatchNormalization(Conv(X, W, b), s, o1, m, v)
            => Conv(X, Mul(W, Reshape(Div(s, Sqrt(v)), [-1, 1, 1, 1])), Add(o1, Mul(Div(s, Sqrt(v)), Sub(b, m))))";
    let found = Rule::read(catalog(), text, []).unwrap().check();
    assert_eq!(found.verdict, Sound::Depends);
    assert_eq!(
        found.needs.unwrap(),
        ["dtype(s) = dtype(m)", "dtype(X) = dtype(s)"]
    );
}

/// How far a precondition was compared is said, and it is exact within that alone.
#[test]
fn an_audit_says_how_far_it_goes() {
    let text = "Transpose[perm = [1, 0]](Transpose[perm = [1, 0]](X)) => X :- rank(X) = 2";
    let found = Rule::read(catalog(), text, []).unwrap().check();
    assert_eq!(found.audit, Some(kanshape_rewrite::Audit::Exact));
    assert!(found.audit_up_to.is_some_and(|bound| bound.rank >= 2));
}

/// Counterexamples are given as leaves again.
#[test]
fn leaves_with_contents() {
    let text = "Expand(X, s) => X";
    let with = |shape: &str| {
        let leaves = [("X", "f32[3]"), ("s", shape)];
        Rule::read(catalog(), text, leaves).unwrap().check().verdict
    };
    assert_eq!(with("i64[1] = [3]"), Sound::Always);
    assert_eq!(with("i64[1] = [1]"), Sound::Always);
    assert_eq!(with("i64[2] = [2, 3]"), Sound::Never);
    let wrong = Rule::read(catalog(), text, [("Y", "f32[3]")]).unwrap_err();
    assert_eq!(wrong.headline, "the rule has no leaf `Y`");
}

#[test]
fn what_is_no_rule_says_why() {
    let mistake = |text: &str| {
        Rule::read(catalog(), text, [])
            .and_then(|rule| rule.checked())
            .unwrap_err()
    };
    let split = mistake("Concat[axis = 1](Split[axis = 1, num_outputs = 2](X)) => X");
    assert_eq!(
        split.headline,
        "`Split` has several outputs, and a rule can't name one of them"
    );
    let head = mistake("(X: T[n]): Relu(Relu(X)) => Relu(X)");
    assert!(
        head.help
            .iter()
            .any(|help| help.contains("begins with its name")),
        "{head:?}"
    );
    // One part of it all is the tensor itself.
    assert_eq!(verdict("Split[num_outputs = 1](X) => X"), Sound::Always);
}
