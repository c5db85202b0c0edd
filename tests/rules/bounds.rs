//! How far a rule is checked, and the verdict where that is not far enough.

use kanshape::catalog;
use kanshape_rewrite::{Bounds, Rule, Sound, Soundness};

fn checked(text: &str, max_rank: u64) -> Soundness {
    let rule = Rule::read(catalog(), text, []).unwrap();
    let bounds = Bounds {
        max_rank,
        max_dim: 3,
    };
    rule.bounds(bounds).checked().unwrap()
}

/// Sixteen sizes are too many to try all of them. A case in which one of them is not 1 is found all the same.
#[test]
fn many_dims() {
    for text in [
        "Add(Add(A, B), Add(C, D)) => Add(Add(A, B), C) :- rank(A) = 4, rank(B) = 4, rank(C) = 4, rank(D) = 4",
        "Sum(A, B, C, D) => Sum(A, B, C) :- rank(A) = 4, rank(B) = 4, rank(C) = 4, rank(D) = 4",
    ] {
        let found = checked(text, 4);
        assert_eq!(found.verdict, Sound::Depends, "{text}");
    }
}

/// Nothing of a grouped convolution has been tried where its sizes are beyond the bound.
#[test]
fn what_was_not_tried_is_not_sound() {
    let found = checked("Conv[group = 8](X, W, b) => Conv[group = 4](X, W, b)", 4);
    assert_ne!(found.verdict, Sound::Always);
}

#[test]
fn sizes_that_are_written() {
    for text in [
        "Slice(X, [0], [100]) => X",
        "Slice(X, [0], [400]) => Slice(X, [0], [401])",
    ] {
        assert_eq!(checked(text, 4).verdict, Sound::Depends, "{text}");
    }
    let from_the_end = "Gather(X, [-7]) => Slice(X, [0], [1], [0])";
    assert_eq!(checked(from_the_end, 4).verdict, Sound::Always);
}

/// A left side without a type within the bound may have one beyond it.
#[test]
fn more_dims_than_the_bound() {
    let text = "Transpose[perm = [0, 1, 2, 3, 4]](X) => X";
    assert_eq!(checked(text, 4).verdict, Sound::Always);
    assert_eq!(checked("Not(Relu(X)) => X", 4).verdict, Sound::Never);
}

/// The verdict *never* covers all dtypes.
#[test]
fn other_dtypes_than_f32() {
    let found = checked("Cast[to = i64](X) => X", 4);
    assert_eq!(found.verdict, Sound::Depends);
    assert_eq!(found.needs.unwrap(), ["dtype(X) = i64"]);
    assert_eq!(checked("Relu(X) => Max(X, 0)", 4).verdict, Sound::Depends);
    assert_eq!(checked("Relu(X) => Not(X)", 4).verdict, Sound::Never);
}
