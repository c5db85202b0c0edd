//! One relation, whichever of its arguments are known.

use super::{all, ask, ground, load};
use kanshape::{Relations, Signature, Verdict};

/// As Relay's page has them.
const PAGE: &str = "
Identity(I, I) :- true
Flatten(Tensor(sh, bt), O) :- O = Tensor((sh[0], prod(sh[1:])), bt)
";

#[test]
fn identity_is_of_any_type() {
    let r = load(PAGE);
    assert_eq!(
        all(&r, "Identity", &["f32[2, n]", "?"]),
        ["f32[2, n] -> f32[2, n]"]
    );
    assert_eq!(
        all(&r, "Identity", &["?", "f32[2, n]"]),
        ["f32[2, n] -> f32[2, n]"]
    );
    assert_eq!(
        all(&r, "Identity", &["f32[2, ?]", "?[?, 3]"]),
        ["f32[2, 3] -> f32[2, 3]"]
    );
    assert_eq!(
        all(
            &r,
            "Identity",
            &["(f32[2], List[type ?])", "(?, List[i64[]])"]
        ),
        ["(f32[2], List[i64[]]) -> (f32[2], List[i64[]])"]
    );
    assert_eq!(all(&r, "Identity", &["f32[2]", "f32[3]"]), [] as [&str; 0]);
}

#[test]
fn flatten_forwards() {
    let r = load(PAGE);
    let flat = |ty: &str| all(&r, "Flatten", &[ty, "?"]);
    assert_eq!(flat("f32[2, 3, 4]"), ["f32[2, 3, 4] -> f32[2, 12]"]);
    assert_eq!(flat("f32[2]"), ["f32[2] -> f32[2, 1]"]);
    assert_eq!(flat("T[n, m, 4]"), ["T[n, m, 4] -> T[n, 4*m]"]);
    assert_eq!(flat("f32[2, 0, 4]"), ["f32[2, 0, 4] -> f32[2, 0]"]);
    assert_eq!(flat("f32[]"), [] as [&str; 0]);
    assert_eq!(flat("(f32[2], f32[3])"), [] as [&str; 0]);
}

#[test]
fn flatten_backwards_and_sideways() {
    let r = load(PAGE);
    assert_eq!(
        all(&r, "Flatten", &["f32[2, ?, 4]", "f32[2, 12]"]),
        ["f32[2, 3, 4] -> f32[2, 12]"]
    );
    assert_eq!(
        all(&r, "Flatten", &["?[?, ?, ?]", "f32[2, 12]"]),
        ["f32[2, d0, d1] -> f32[2, 12] where d0*d1 == 12"]
    );
    assert_eq!(
        all(&r, "Flatten", &["?[2, n, 4]", "f32[?, 8*k]"]),
        ["f32[2, n, 4] -> f32[2, 8*k] where n == 2*k"]
    );
    assert_eq!(
        all(&r, "Flatten", &["f32[2, 5, ?]", "f32[2, 12]"]),
        [] as [&str; 0]
    );
    assert_eq!(all(&r, "Flatten", &["?", "f32[2, 3, 4]"]), [] as [&str; 0]);
}

#[test]
fn flatten_of_unknown_rank_is_enumerated_fairly() {
    let r = load(PAGE);
    assert_eq!(
        ask(&r, "Flatten", &["?", "f32[2, 12]"], 3),
        [
            "f32[2, 12] -> f32[2, 12]",
            "f32[2, d0, d1] -> f32[2, 12] where d0*d1 == 12",
            "f32[2, d0, d1, d2] -> f32[2, 12] where d0*d1*d2 == 12",
        ]
    );
    // All factorings of 12 into at most three factors.
    assert_eq!(
        ground(&r, "Flatten", &["?", "f32[2, 12]"], 4, 12).len(),
        1 + 6 + 18
    );
    let both_unknown = ask(&r, "Flatten", &["?", "?"], 2);
    assert_eq!(
        both_unknown,
        ["t0[d0] -> t0[d0, 1]", "t0[d0, d1] -> t0[d0, d1]"]
    );
}

#[test]
fn a_relation_is_a_signature() {
    let r = load(PAGE);
    let flatten = r.signature("Flatten").unwrap();
    assert_eq!(
        flatten.to_string(),
        "forall (A : Type) (B : Type), Flatten(A, B) => A -> B"
    );
    assert_eq!((flatten.input_count(), flatten.output_count()), (1, 1));
    let answers = |input: &str| flatten.query().input(0, input.parse().unwrap());
    let verdict = |input: &str| answers(input).solve().unwrap().verdict();
    assert_eq!(verdict("f32[2, 3]"), Verdict::Always);
    assert_eq!(verdict("f32[n, 3]"), Verdict::Always);
    assert_eq!(verdict("f32[]"), Verdict::Never);
    let six = answers("f32[n, m]").output(0, "f32[n, 6]".parse().unwrap());
    assert_eq!(six.solve().unwrap().verdict(), Verdict::Depends);
}

#[test]
fn the_long_form_finds_the_standard_relations() {
    let flatten: Signature = "forall (A : Type) (B : Type), Flatten(A, B) => (A) -> B"
        .parse()
        .unwrap();
    let answer = flatten.infer(&["f32[2, 3, 4]".parse().unwrap()]).unwrap();
    assert_eq!(answer.to_string(), "f32[2, 3, 4] -> f32[2, 12]");
    // Two of them, of the same types.
    let both: Signature =
        "forall (A : Type) (B : Type) (C : Type), Flatten(A, B), Broadcast(B, B, C) => (A) -> C"
            .parse()
            .unwrap();
    let answer = both.infer(&["f32[2, 3, 4]".parse().unwrap()]).unwrap();
    assert_eq!(answer.outputs[0].to_string(), "f32[2, 12]");
    let unknown = "forall (A : Type) (B : Type), Flaten(A, B) => A -> B".parse::<Signature>();
    assert!(
        unknown
            .unwrap_err()
            .to_string()
            .contains("did you mean `Flatten`?")
    );
}

#[test]
fn the_standard_library_has_nothing_to_be_warned_of() {
    let standard = Relations::load_str("std.kan", kanshape::relation::STANDARD_RELATIONS).unwrap();
    assert_eq!(standard.warnings().count(), 0);
    assert!(Relations::standard().names().count() > 5);
    assert_eq!(Relations::standard().warnings().count(), 0);
}
