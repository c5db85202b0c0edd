//! What a rule needs as a function of Python, executed on shapes and compared with the verdict on the same shapes.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use kanshape::catalog;
use kanshape_rewrite::{Language, Rule, Sound};

/// Rules with and without a precondition of their own, by the names of their leaves.
const RULES: [(&str, &[&str], &str); 9] = [
    (
        "gemm",
        &["A", "B", "C"],
        "Add(MatMul(A, B), C) => Gemm(A, B, C)",
    ),
    (
        "declared",
        &["A", "B", "C"],
        "(A: T[m, k], B: T[k, n], C: T[..c]): Add(MatMul(A, B), C) => Gemm(A, B, C) :- BroadcastShapes(c, [m, n], [m, n])",
    ),
    ("zero", &["A", "c"], "Add(A, c) => A"),
    (
        "either",
        &["A", "B", "C", "D"],
        "Add(Concat[axis = 0](A, B), Concat[axis = 0](C, D)) => Add(Concat[axis = 0](C, B), Concat[axis = 0](A, D))",
    ),
    (
        "defined",
        &["A", "B"],
        "Add(A, B) => Add(B, A) :- BroadcastShapes(shape(A), shape(B), s), BroadcastShapes(s, [3], s), rank(A) <= rank(B) + 1",
    ),
    (
        "dims",
        &["X"],
        "(X: f32[n, .., n]): Relu(X) => X :- n != 2, prod(shape(X)) >= 1 ; shape(X)[0] = shape(X)[-1]",
    ),
    (
        "rest",
        &["X", "Y"],
        "(X: f32[a, ..r], Y: {f32, f64}[..r, b]): Add(X, Y) => Add(Y, X) :- a < 3, len(r) <= 1",
    ),
    ("swap", &["A", "B"], "Add(A, B) => Add(B, A)"),
    (
        "never",
        &["A", "B"],
        "MatMul(Unsqueeze(A, [0]), B) => Unsqueeze(Unsqueeze(MatMul(A, B), [0]), [0])",
    ),
];

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// A shape that is often like the one before it.
    fn shape(&mut self, before: &[u64]) -> Vec<u64> {
        if self.below(3) == 0 {
            return before.to_vec();
        }
        if self.below(4) == 0 && before.len() == 2 {
            return vec![before[1], self.below(4)];
        }
        let rank = self.below(4);
        (0..rank)
            .map(|_| [1, 2, 3, 0, 1, 2][self.below(6) as usize])
            .collect()
    }
}

/// The rule with leaves of these shapes: is it sound, and does its left side have a type?
fn verdict(rule: &str, leaves: &[(&str, String)]) -> (bool, bool) {
    let leaves = leaves.iter().map(|(name, ty)| (*name, &**ty));
    let soundness = Rule::read(catalog(), rule, leaves).unwrap().check();
    let is_sound = soundness.verdict == Sound::Always;
    (is_sound, is_sound || soundness.counterexample.is_some())
}

/// The rule without what its author says of it.
fn bare(rule: &str) -> &str {
    let rule = rule.split(" :- ").next().unwrap();
    rule.rsplit("): ")
        .next()
        .filter(|_| rule.starts_with('('))
        .unwrap_or(rule)
}

/// The rule with what is declared of its leaves as goals: the types of a question take the place of those declared.
fn as_goals(rule: &str) -> String {
    let Some((leaves, rest)) = rule
        .strip_prefix('(')
        .and_then(|rule| rule.split_once("): "))
    else {
        return rule.to_owned();
    };
    let (sides, goals) = rest.split_once(" :- ").unwrap();
    // A goal has no set of dtypes, and all leaves here are f32.
    let leaves = leaves.replace("{f32, f64}", "f32");
    format!("{sides} :- {leaves}, ({goals})")
}

#[test]
fn python_says_what_the_verdict_is() {
    let mut script = Language::Python.prelude().to_owned();
    let mut expected = Vec::new();
    let mut numbers = Numbers(20);
    let mut calls = String::new();
    for (name, leaves, text) in RULES {
        let rule = Rule::read(catalog(), &named(name, text), []).unwrap();
        let soundness = rule.check();
        let predicate = rule.predicate(&soundness, Language::Python);
        let predicate = predicate.unwrap_or_else(|why| panic!("{name}: {why}: {soundness:?}"));
        script.push_str(&format!("\n\n{predicate}"));
        let (mut yes, mut no) = (0, 0);
        for _ in 0..400 {
            if yes >= 12 && no >= 12 {
                break;
            }
            let mut shapes: Vec<Vec<u64>> = Vec::new();
            for _ in leaves {
                let before = shapes.last().cloned().unwrap_or_else(|| vec![2, 3]);
                shapes.push(numbers.shape(&before));
            }
            let typed: Vec<(&str, String)> = leaves
                .iter()
                .zip(&shapes)
                .map(|(leaf, shape)| (*leaf, format!("f32{shape:?}")))
                .collect();
            let (_, has_left) = verdict(bare(text), &typed);
            if !has_left {
                continue;
            }
            let is_sound = verdict(&as_goals(text), &typed).0;
            let count = if is_sound { &mut yes } else { &mut no };
            if *count >= 12 {
                continue;
            }
            *count += 1;
            let args = shapes.iter().map(|shape| format!("{shape:?}, \"f32\""));
            let args: Vec<String> = args.collect();
            let _ = writeln!(calls, "print({name}({}))", args.join(", "));
            expected.push((format!("{name} {typed:?}"), is_sound));
        }
        let wanted = match name {
            "swap" => yes == 12,
            "never" => no >= 4 && yes == 0,
            "dims" => yes + no >= 6,
            _ => yes >= 3 && no >= 3,
        };
        assert!(wanted, "{name}: {yes} {no}: {soundness:?}");
    }
    script.push_str(&format!("\n\n{calls}"));
    let mut python = Command::new("python3")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed for this test");
    python
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success(), "{script}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let found: Vec<bool> = printed.lines().map(|line| line == "True").collect();
    assert_eq!(found.len(), expected.len());
    for (found, (what, is_sound)) in found.iter().zip(&expected) {
        assert_eq!(found, is_sound, "{what}\n{script}");
    }
}

#[test]
fn as_cpp() {
    let mut all = String::new();
    for (name, _, text) in RULES {
        let rule = Rule::read(catalog(), &named(name, text), []).unwrap();
        let predicate = rule.predicate(&rule.check(), Language::Cpp);
        all += &format!("{}\n", predicate.unwrap_or_else(|why| why));
    }
    insta::assert_snapshot!(all);
}

/// What is about more than shapes has no predicate, and says so.
#[test]
fn what_is_no_shape() {
    for (text, why) in [
        (
            "rule a (X: T[..] = v): Neg(X) => X :- v = [0]",
            "is about more than a shape",
        ),
        (
            "rule a (X: T[..]): Neg(X) => X :- T: Float",
            "is about more than shapes",
        ),
        (
            // The sizes are not known.
            "rule a: Transpose(NonZero(X)) => NonZero(X)",
            "it is not known whether it holds",
        ),
    ] {
        let rule = Rule::read(catalog(), text, []).unwrap();
        let found = rule.predicate(&rule.check(), Language::Python);
        assert!(
            found.as_ref().is_err_and(|own| own.contains(why)),
            "{text}: {found:?}"
        );
    }
}

/// The rule of a name.
fn named(name: &str, text: &str) -> String {
    let head = if text.starts_with('(') { " " } else { ": " };
    format!("rule {name}{head}{text}")
}
