//! Answers that a person would give.

use kanshape::order::{Filtered, filter, in_same_class, is_super, join, meet, meet_all};
use kanshape::{Type, Verdict};

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

#[test]
fn above() {
    for (a, b, verdict) in [
        ("f32[?, 3]", "f32[n, 3]", Verdict::Always),
        ("f32[n]", "f32[n]", Verdict::Always),
        ("f32[n]", "f32[?]", Verdict::Never),
        ("f32[n]", "f32[m]", Verdict::Depends),
        ("f32[n, n]", "f32[3, 3]", Verdict::Depends),
        ("f32[n, n]", "f32[3, 4]", Verdict::Never),
        ("f32[?]", "f32[...]", Verdict::Never),
        ("f32[...]", "f32[n, ...r]", Verdict::Always),
        ("f32[?, ...]", "f32[..., ?]", Verdict::Always),
        ("f32[2*n + 2]", "f32[2*(n + 1)]", Verdict::Always),
        ("?", "(f32[2], i64[])", Verdict::Always),
        ("(f32[?], ?)", "(f32[2], i64[])", Verdict::Always),
        ("(f32[n], f32[n])", "(f32[3], f32[4])", Verdict::Never),
        (
            "fn(f32[2]) -> f32[?]",
            "fn(f32[?]) -> f32[2]",
            Verdict::Always,
        ),
        (
            "fn(f32[?]) -> f32[2]",
            "fn(f32[2]) -> f32[?]",
            Verdict::Never,
        ),
        (
            "f32[n] where n != 1",
            "f32[n] where n >= 2",
            Verdict::Always,
        ),
        ("f32[n] where n != 1", "f32[n]", Verdict::Depends),
        ("f32[3]", "f32[n] where n == 3", Verdict::Always),
        ("f32[3]", "f32[n] where n == 4", Verdict::Never),
        ("f32[5]", "f32[n] where n == 3, n == 4", Verdict::Always),
        ("{f32, f64}[2]", "f32[2]", Verdict::Always),
        ("T[2] where T in {f32, f64}", "i64[2]", Verdict::Never),
        ("List[f32[?]]", "List[f32[2]]", Verdict::Always),
        ("A", "A", Verdict::Always),
        ("A", "f32[2]", Verdict::Depends),
        ("A", "?", Verdict::Never),
        ("(A, A)", "(f32[2], f32[3])", Verdict::Never),
        ("f32[2]", "(f32[2], f32[2])", Verdict::Never),
    ] {
        assert_eq!(is_super(&ty(a), &ty(b)), verdict, "{a} above {b}");
    }
}

#[test]
fn met() {
    for (a, b, expected) in [
        ("f32[?, 3]", "f32[2, ?]", "f32[2, 3]"),
        ("f32[n, 3]", "f32[2, ?]", "f32[2, 3] where n == 2"),
        ("f32[...]", "f32[?, ?]", "f32[?, ?]"),
        ("f32[3, ...]", "f32[..., 4]", "f32[3, ..., 4]"),
        (
            "f32[n] where n != 1",
            "f32[n] where n <= 2",
            "f32[n] where n in {0, 2}",
        ),
        ("?[2]", "{f32, f64}[?]", "{f32, f64}[2]"),
        ("{f32, f64, i64}[2]", "{f32, f64, i32}[2]", "{f32, f64}[2]"),
        ("f32[n]", "f32[m]", "f32[n] where m == n"),
        ("?", "List[f32[2]]", "List[f32[2]]"),
        (
            "(f32[n], f32[n])",
            "(f32[3], ?)",
            "(f32[3], f32[3]) where n == 3",
        ),
        (
            "fn(f32[2]) -> f32[?]",
            "fn(f32[3]) -> f32[2]",
            "fn(f32[?]) -> f32[2]",
        ),
    ] {
        assert_eq!(
            meet(&ty(a), &ty(b)).unwrap().to_string(),
            expected,
            "{a} and {b}"
        );
    }
    let two = meet_all(&ty("f32[3, ...]"), &ty("f32[..., 3]")).unwrap();
    let two: Vec<String> = two.types.iter().map(Type::to_string).collect();
    assert_eq!(two, ["f32[3]", "f32[3, ..., 3]"]);
}

#[test]
fn clashes_have_a_place() {
    for (a, b, expected) in [
        (
            "f32[2, 3]",
            "f32[2, 4]",
            "the first is f32[2, 3]: its dim 1 is 3\nthe second is f32[2, 4]: its dim 1 is 4",
        ),
        (
            "f32[2]",
            "f64[2]",
            "the first is f32[2]: its dtype is f32\nthe second is f64[2]: its dtype is f64",
        ),
        (
            "f32[2]",
            "f32[2, 2]",
            "the first is f32[2]: it has 1 dim\nthe second is f32[2, 2]: it has 2 dims",
        ),
    ] {
        let conflict = meet(&ty(a), &ty(b)).unwrap_err();
        assert_eq!(conflict.code, "K0102");
        assert_eq!(conflict.steps.join("\n"), expected, "{a} and {b}");
    }
}

#[test]
fn joined() {
    for (a, b, expected) in [
        ("f32[2, 3]", "f32[2, 4]", "f32[2, ?]"),
        ("f32[n, 3]", "f32[n, 3]", "f32[n, 3]"),
        ("f32[n]", "f32[3]", "f32[?]"),
        ("f32[n] where n == 3", "f32[3]", "f32[3]"),
        ("f32[2]", "f64[2]", "{f32, f64}[2]"),
        ("f32[2, 3]", "f32[3]", "f32[..., 3]"),
        ("f32[2, 3]", "f32[2]", "f32[2, ...]"),
        ("f32[]", "f32[2]", "f32[...]"),
        (
            "f32[n] where n != 1, n <= 9",
            "f32[n] where n >= 2",
            "f32[n] where n != 1",
        ),
        ("(f32[2], i64[])", "(f32[3], i64[])", "(f32[?], i64[])"),
        ("(f32[2], i64[])", "f32[2]", "?"),
        (
            "fn(f32[2, ?]) -> f32[2]",
            "fn(f32[?, 3]) -> f32[3]",
            "fn(f32[2, 3]) -> f32[?]",
        ),
    ] {
        assert_eq!(join(&ty(a), &ty(b)).to_string(), expected, "{a} or {b}");
    }
}

#[test]
fn filtered() {
    let checks = |required: &str, given: &str| match filter(&ty(required), &ty(given)) {
        Filtered::Same(ty) => format!("same {ty}"),
        Filtered::Never(why) => format!("never {}", why.code),
        Filtered::Check { ty, checks } => {
            let checks: Vec<String> = checks.iter().map(ToString::to_string).collect();
            format!("{ty}: {}", checks.join("; "))
        }
        other => unreachable!("{other:?}"),
    };
    for (required, given, expected) in [
        ("f32[2, 3]", "f32[2, 3]", "same f32[2, 3]"),
        ("f32[2, 3]", "f32[?, 3]", "f32[2, 3]: dim 0 is 2"),
        (
            "f32[n, n]",
            "f32[?, ?]",
            "f32[n, n]: dim 0 is n; dim 1 is n",
        ),
        (
            "f32[n, n]",
            "f32[n, m]",
            "f32[n, n] where m == n: dim 1 is n",
        ),
        (
            "f32[2, 3]",
            "f32[...]",
            "f32[2, 3]: the rank is 2; dim 0 is 2; dim 1 is 3",
        ),
        (
            "f32[..., 3]",
            "f32[...]",
            "f32[..., 3]: the rank is 1 or more; dim -1 is 3",
        ),
        ("f32[2]", "?[2]", "f32[2]: the dtype is f32"),
        (
            "f32[n] where n != 1",
            "f32[n]",
            "f32[n] where n != 1: n != 1",
        ),
        (
            "(f32[2], i64[])",
            "(f32[?], ?)",
            "(f32[2], i64[]): in field 0, dim 0 is 2; field 1 is i64[]",
        ),
        ("f32[2]", "f32[3]", "never K0102"),
        (
            "f32[4]",
            "f32[n] where n % 2 == 0",
            "f32[4] where n == 4: dim 0 is 4",
        ),
    ] {
        assert_eq!(
            checks(required, given),
            expected,
            "{required} required, {given} given"
        );
    }
}

#[test]
fn classes() {
    for (a, b, verdict) in [
        ("f32[1, ?]", "f32[1, 5]", Verdict::Always),
        ("f32[1, ?]", "f32[1, 1]", Verdict::Never),
        ("f32[n, ?] where n == 1", "f32[1, 5]", Verdict::Always),
        ("f32[...]", "f32[1]", Verdict::Depends),
        ("?[2]", "f32[2]", Verdict::Depends),
        ("(f32[1], f32[2])", "(f32[1], f32[3])", Verdict::Always),
    ] {
        assert_eq!(in_same_class(&ty(a), &ty(b)), verdict, "{a} and {b}");
    }
}
