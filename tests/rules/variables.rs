//! Rules with variables in attributes and constants: what they need, and what is found of goals about variables.

use kanshape::catalog;
use kanshape_rewrite::{Audit, Bounds, Rule, Sound, Soundness};

fn checked(text: &str) -> Soundness {
    let rule = Rule::read(catalog(), text, []).unwrap();
    let bounds = Bounds {
        max_rank: 3,
        max_dim: 3,
    };
    rule.bounds(bounds).checked().unwrap()
}

fn values(attrs: &[(Box<str>, String)]) -> Vec<(&str, &str)> {
    attrs
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect()
}

/// What a rule needs may be about variables. With it the rule is sound for all their values, and no sound case is excluded.
#[test]
fn needs_about_variables() {
    for (text, needs) in [
        (
            "Transpose[perm = p](X) => X",
            "[shape(X)[j] for j in p] = shape(X)",
        ),
        (
            "Transpose[perm = p](Add(A, B)) => Add(Transpose[perm = p](A), Transpose[perm = p](B))",
            "rank(A) = rank(B)",
        ),
        (
            "Split[axis = a, num_outputs = 2](Concat[axis = a](A, B)) => A, B",
            "shape(B)[a] <= shape(A)[a], shape(A)[a] <= shape(B)[a] + 1",
        ),
        ("ReduceSum[keepdims = 1](X, [a]) => X", "shape(X)[a] = 1"),
        (
            "Gather(Shape(X), [s]) => Gather(Shape(X), [0])",
            "shape(X)[s] = shape(X)[0]",
        ),
    ] {
        let found = checked(text);
        assert_eq!(found.verdict, Sound::Depends, "{text}");
        assert_eq!(found.needs.unwrap().join(", "), needs, "{text}");
        let pasted = checked(&format!("{text} :- {needs}"));
        let exact = (Sound::Always, Some(Audit::Exact));
        assert_eq!((pasted.verdict, pasted.audit), exact, "{text}");
    }
}

/// Values for which the left side has no type take no time, so that those for which it has one are tried.
#[test]
fn values_without_a_type() {
    let found = checked("Transpose[perm = p](Transpose[perm = q](X)) => X");
    assert_eq!(found.verdict, Sound::Depends);
    let case = found.counterexample.unwrap();
    assert_eq!(values(&case.attrs), [("p", "[0, 1]"), ("q", "[1, 0]")]);
}

/// Goals about variables alone exclude values, and with them cases that may be sound.
#[test]
fn goals_about_variables_are_audited() {
    let found = checked("Squeeze(Unsqueeze(X, [a]), [b]) => X :- a = b");
    assert_eq!(found.verdict, Sound::Always);
    assert_eq!(found.audit, Some(Audit::TooStrong));
    let lost = found.lost.unwrap();
    assert_eq!(values(&lost.attrs), [("a", "0"), ("b", "-1")]);
    assert_eq!(lost.leaves[0].1.to_string(), "f32[]");
}

/// Values that goals fix or bound are tried, however large they are.
#[test]
fn values_that_goals_give() {
    for (text, verdict) in [
        ("Shape[end = a](X) => Shape(X) :- a = 1000", Sound::Always),
        (
            "Shape[start = a](X) => Shape(X) :- a = -1000",
            Sound::Always,
        ),
        (
            "Shape[start = a](X) => Shape(X) :- 1000 <= a",
            Sound::Depends,
        ),
        ("Slice(X, [0], [n]) => X :- n = 7", Sound::Depends),
        (
            "Tile(X, [n]) => Expand(X, [n]) :- 5 <= n, n <= 6",
            Sound::Depends,
        ),
        (
            "Slice(X, [a], [b], [0]) => Slice(X, [a], [c], [0]) :- a = 1000, b = a + 1, c = b + 1",
            Sound::Depends,
        ),
        (
            "Transpose[perm = p](X) => X :- p = [0, 1, 2, 3, 4]",
            Sound::Always,
        ),
    ] {
        let found = checked(text);
        assert_eq!(found.verdict, verdict, "{text}: {:?}", found.why);
    }
}

/// Dims together that a variable cuts off.
#[test]
fn needs_about_products() {
    let text = "Flatten[axis = a](X) => X";
    let needs = checked(text).needs.unwrap().join(", ");
    assert_eq!(
        needs,
        "rank(X) = 2, prod(shape(X)[:a]) = shape(X)[0], prod(shape(X)[a:]) = shape(X)[1]"
    );
    let pasted = checked(&format!("{text} :- {needs}"));
    let exact = (Sound::Always, Some(Audit::Exact));
    assert_eq!((pasted.verdict, pasted.audit), exact, "{needs}");
}

/// The same under a precondition.
#[test]
fn needs_about_a_variable_place() {
    let rule = "Slice(Shape[start = s](X), [0], [1]) => Slice(Shape(X), [0], [1])";
    let found = checked(&format!("{rule} :- 0 <= s, s < rank(X)"));
    assert_eq!(found.needs.unwrap(), ["shape(X)[s] = shape(X)[0]"]);
}
