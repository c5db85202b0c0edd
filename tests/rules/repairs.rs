//! Other right sides for rules that do not always hold, and what both sides cost.

use kanshape::catalog;
use kanshape_rewrite::{Cheaper, Rule, Sound};

use crate::corpus::rows;

/// Each is a text that can take the place of the right side, and with what it needs the rule is sound.
#[test]
fn repairs_that_are_pasted() {
    let (mut whole, mut partial) = (0, 0);
    for row in rows() {
        let Some(rule) = row.read(true) else {
            continue;
        };
        for repair in rule.repairs().unwrap() {
            let needs = match &repair.needs[..] {
                [] => String::new(),
                needs => format!(" :- {}", needs.join(", ")),
            };
            let text = format!("{} => {}{needs}", rule.left(), repair.right);
            let verdict = row.of_text(&text).checked().unwrap().verdict;
            assert_eq!(verdict, Sound::Always, "{}: {text}", row.name);
            match repair.needs.is_empty() {
                true => whole += 1,
                false => partial += 1,
            }
        }
    }
    assert!(whole > 35, "{whole} repairs");
    assert!(partial > 10, "{partial} that need something");
}

/// What an engineer would write.
#[test]
fn known_repairs() {
    let all = [
        ("Add(A, c) => A", "Expand(A, Shape(c))"),
        (
            "Add(Expand(A, Shape(S)), B) => Add(A, B)",
            "Expand(Add(A, B), Shape(S))",
        ),
        (
            "Unsqueeze(ReduceSum[keepdims = 0](X, [1]), [1]) => ReduceSum[keepdims = 0](X, [1])",
            "ReduceSum[keepdims = 1](X, [1])",
        ),
        (
            "Transpose[perm = [0, 2, 1]](Transpose[perm = [1, 0, 2]](X)) => Transpose[perm = [2, 0, 1]](X)",
            "Transpose[perm = [1, 2, 0]](X)",
        ),
        (
            "Unsqueeze(X, [0]) => Identity(X)",
            "Unsqueeze(Identity(X), [0])",
        ),
        (
            "Where(c, A, B) => A",
            "Expand(Expand(A, Shape(c)), Shape(B))",
        ),
    ];
    for (text, right) in all {
        let rule = Rule::read(catalog(), text, []).unwrap();
        let repairs = rule.repairs().unwrap();
        let found: Vec<&str> = repairs.iter().map(|repair| &*repair.right).collect();
        assert!(found.contains(&right), "{text}: {found:?}");
    }
}

/// Which side is cheaper, and where.
#[test]
fn costs() {
    let all = [
        (
            "Add(Mul(A, B), Mul(A, C)) => Mul(A, Add(B, C))",
            [Cheaper::Always, Cheaper::Always, Cheaper::Same],
        ),
        (
            "Neg(X) => Neg(Neg(Neg(X)))",
            [Cheaper::Never, Cheaper::Never, Cheaper::Same],
        ),
        (
            "Transpose(MatMul(A, B)) => MatMul(Transpose(B), Transpose(A)) :- rank(A) = 2, rank(B) = 2",
            [
                Cheaper::Where("A_0*B_1 > A_0*A_1 + A_1*B_1".into()),
                Cheaper::Where("A_0*B_1 > A_0*A_1 + A_1*B_1".into()),
                Cheaper::Same,
            ],
        ),
    ];
    for (text, expected) in all {
        let rule = Rule::read(catalog(), text, []).unwrap();
        let cost = rule.cost().unwrap().unwrap();
        let found = [cost.elements, cost.bytes, cost.multiply_adds].map(|own| own.cheaper);
        assert_eq!(found, expected, "{text}");
    }
}

/// A rule that holds always has nothing to repair, and one that can't be repaired has no repair.
#[test]
fn no_repairs() {
    for text in ["Add(A, B) => Add(B, A)", "MatMul(A, B) => Gemm(A, B, A)"] {
        let rule = Rule::read(catalog(), text, []).unwrap();
        assert_eq!(rule.repairs().unwrap(), [], "{text}");
    }
}
