//! How far a rule is checked, and the verdict where that is not far enough.

use kanshape::catalog;
use kanshape_rewrite::{Audit, Bounds, Rule, Sound, Soundness};

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

/// Sides that broadcast the same leaves have the same shapes, whatever the ranks are; other ones are tried.
#[test]
fn what_broadcasts_the_same() {
    let bound = |text: &str| {
        let found = checked(text, 3);
        (found.verdict, found.complete_up_to.is_none())
    };
    let all = (Sound::Always, true);
    for text in [
        "Add(Mul(A, B), Mul(A, C)) => Mul(A, Add(B, C))",
        "Add(Where(c, A, B), Where(c, D, E)) => Where(c, Add(A, D), Add(B, E))",
        "Where(Not(c), A, B) => Where(c, B, A) :- rank(c) = 2",
        "Div(Mul(A, B), 2.0) => Mul(Div(A, 2.0), B)",
    ] {
        assert_eq!(bound(text), all, "{text}");
    }
    for text in [
        "Sub(Add(A, B), B) => A",
        "Mul(A, [1.0, 2.0]) => A",
        "Add(A, B) => Cast[to = f64](Add(A, B))",
        "Less(A, B) => Add(A, B)",
    ] {
        assert_ne!(bound(text).0, Sound::Always, "{text}");
    }
}

/// What a rule needs is true of more dims than the bound has: an axis is not the last one because no more were tried.
#[test]
fn needs_of_more_dims() {
    for (text, needs) in [
        ("ReduceSum[keepdims = 1](X, [2]) => X", "shape(X)[2] = 1"),
        ("Slice(X, [0], [1], [3]) => X", "shape(X)[3] <= 1"),
        (
            "Gather(Shape(Transpose(X)), 1) => Gather(Shape(X), 1)",
            "shape(X)[1] = shape(X)[-2]",
        ),
    ] {
        assert_eq!(checked(text, 3).needs.unwrap(), [needs], "{text}");
    }
}

/// Too many cases for goals about dims: the definitions of the operators say what has to hold.
#[test]
fn needs_by_definition() {
    let text = "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))";
    let needs = checked(text, 3).needs.unwrap().join(", ");
    assert_eq!(
        needs,
        "Product(shape(A), shape(B), v3_y), Product(v3_y, shape(C), v4_y), \
         Product(shape(B), shape(C), v5_y), Product(shape(A), v5_y, v4_y)"
    );
    let pasted = checked(&format!("{text} :- {needs}"), 4);
    assert_eq!(pasted.verdict, Sound::Always);
    assert_eq!(pasted.audit, Some(Audit::Exact));
}

#[test]
fn the_smallest_counterexample() {
    let leaves = |text: &str| {
        let case = checked(text, 3).counterexample.unwrap();
        let leaves = case.leaves.iter().map(|(name, ty)| format!("{name} {ty}"));
        leaves.collect::<Vec<_>>().join(", ")
    };
    // A size of the rule itself, 3, is tried before 2.
    let text = "Gather[axis = 3](X, 0) => Squeeze(X, [3])";
    assert_eq!(leaves(text), "X f32[0, 0, 0, 2]");
    let text = "MatMul(MatMul(A, MatMul(B, C)), B) => MatMul(MatMul(A, B), MatMul(C, B))";
    assert_eq!(leaves(text), "A f32[0], B f32[0], C f32[0, 0, 0]");
}

#[test]
fn constants_with_more_dims() {
    let text = "MatMul(X, [[1.0, 0.0], [0.0, 1.0]]) => X";
    assert_eq!(checked(text, 3).verdict, Sound::Always);
    let text = "Add(X, [[1.0, 2.0]]) => X";
    assert_eq!(
        checked(text, 3).needs.unwrap(),
        ["shape(X)[-1] >= 2", "rank(X) >= 2"]
    );
    let ragged = Rule::read(catalog(), "Add(X, [[1.0], [1.0, 2.0]]) => X", []).unwrap();
    assert!(ragged.checked().is_err());
}

/// With other dtypes a rule is tried on what is sound with the first ones: `shape(X)[0] = 2` is enough for most dtypes, and not for those
/// that `Concat` does not take.
#[test]
fn needs_of_dtypes() {
    let found = checked("Pad(X, [1, 1]) => Concat[axis = 0](X, X)", 3);
    let needs = found.needs.unwrap().join(", ");
    for dtype in ["f16", "f64", "c64"] {
        let text = format!("(X: {dtype}[2]): Pad(X, [1, 1]) => Concat[axis = 0](X, X) :- {needs}");
        let rule = Rule::read(catalog(), &format!("rule a {text}"), []).unwrap();
        assert_eq!(rule.check().verdict, Sound::Always, "{text}");
    }
}

/// A literal of a rule may be the index of a dim: leaves that have this dim and one more are tried, also beyond the bound.
#[test]
fn literals_beyond_the_bound() {
    for (text, max_rank, needs) in [
        (
            "Gather(Shape(X), [2]) => Shape[start = 2](X)",
            3,
            "rank(X) = 3",
        ),
        (
            "Gather(Shape(X), [3]) => Shape[start = 3](X)",
            4,
            "rank(X) = 4",
        ),
        (
            "Gather(Shape(Transpose(X)), 2) => Gather(Shape(X), 0)",
            3,
            "shape(X)[0] = shape(X)[-3]",
        ),
        (
            "Gather(Shape(Transpose(X)), 3) => Gather(Shape(X), 0)",
            4,
            "shape(X)[0] = shape(X)[-4]",
        ),
        (
            "Shape[start = 4](X) => Shape[start = 5](X)",
            4,
            "rank(X) <= 4",
        ),
        // Where the rank is open, the contents of neither side are known: that is no proof for all ranks.
        (
            "Gather(Shape(X), [-4]) => Gather(Shape(X), [0])",
            4,
            "shape(X)[0] = shape(X)[-4]",
        ),
    ] {
        let found = checked(text, max_rank);
        assert_eq!(found.verdict, Sound::Depends, "{text}");
        assert_eq!(found.needs.unwrap().join(", "), needs, "{text}");
        let pasted = checked(&format!("{text} :- {needs}"), 6);
        let exact = (Sound::Always, Some(Audit::Exact));
        assert_eq!((pasted.verdict, pasted.audit), exact, "{text}");
    }
    let found = checked("Gather(Shape(Transpose(X)), 2) => Gather(Shape(X), -3)", 3);
    assert_eq!(found.verdict, Sound::Always);
    assert!(found.complete_up_to.is_none_or(|bound| bound.rank >= 4));
}

/// What a rule needs may be about any two dims of a leaf, counted from either end, or about one that is larger than another one.
#[test]
fn needs_of_two_dims() {
    for (text, needs) in [
        (
            "Gather(Shape(X), [-2]) => Gather(Shape(X), [0])",
            "shape(X)[0] = shape(X)[-2]",
        ),
        (
            "ReduceSum[keepdims = 0](ReduceSum[keepdims = 0](X, [0]), [1]) => ReduceSum[keepdims = 0](X, [0, 1])",
            "shape(X)[1] = shape(X)[2]",
        ),
        ("Slice(X, [-1], [-9], [0], [-1]) => X", "shape(X)[0] <= 8"),
        (
            "Split[axis = 0, num_outputs = 2](Concat[axis = 0](A, B)) => A, B",
            "shape(B)[0] <= shape(A)[0], shape(A)[0] <= shape(B)[0] + 1",
        ),
    ] {
        assert_eq!(checked(text, 3).needs.unwrap().join(", "), needs, "{text}");
    }
}

/// A precondition of which no case is left is not too weak: it excludes all that is sound.
#[test]
fn preconditions_that_hold_nowhere() {
    for goals in ["1 = 2", "rank(X) = 1, rank(X) = 2"] {
        let found = checked(&format!("Relu(X) => X :- {goals}"), 3);
        assert_eq!(found.verdict, Sound::Never, "{goals}");
        assert_eq!(found.audit, Some(Audit::TooStrong), "{goals}");
        assert!(found.lost.is_some(), "{goals}");
        assert!(
            found
                .why
                .unwrap()
                .starts_with("the precondition holds nowhere")
        );
    }
    let untyped = checked("MatMul(X, 2.0) => X :- rank(X) = 1", 3);
    assert_eq!((untyped.verdict, untyped.audit), (Sound::Never, None));
}

/// Other dtypes are tried where the precondition holds, whatever it says of sizes, and however it says it.
#[test]
fn dtypes_under_a_precondition() {
    for goals in [
        "shape(X)[0] >= 2",
        "shape(X)[0] >= 5",
        "prod(shape(X)) > 40",
        "(rank(X) = 1 ; shape(X)[1] = 2)",
    ] {
        let text = format!("Relu(X) => Max(X, 0.0) :- {goals}");
        let found = checked(&text, 2);
        assert_eq!(found.verdict, Sound::Depends, "{text}");
        assert_eq!(found.needs.unwrap(), ["dtype(X) = f32"], "{text}");
    }
    let text = "ReduceMean(X, [2, 3]) => GlobalAveragePool(X) :- (rank(X) = 4 ; shape(X)[-1] = 1)";
    assert_eq!(checked(text, 4).verdict, Sound::Depends);
}

/// Of a step that takes many leaves, few choices of ranks are left once one of them is known.
#[test]
fn many_leaves_of_one_rank() {
    let names = "A, B, C, D, E, F, G, H, I";
    let parts = "Concat[axis = 0](A, B, C), Concat[axis = 0](D, E, F), Concat[axis = 0](G, H, I)";
    let text = format!("Concat[axis = 0]({names}) => Concat[axis = 0]({parts})");
    assert_eq!(checked(&text, 3).verdict, Sound::Always);
}

/// A side without leaves is evaluated.
#[test]
fn no_leaves() {
    let text = "ConstantOfShape([2, 3]) => Expand(0.0, [2, 3])";
    assert_eq!(checked(text, 3).verdict, Sound::Always);
    let wrong = checked("ConstantOfShape([2, 3]) => Expand(0.0, [3, 2])", 3);
    assert_eq!(wrong.verdict, Sound::Never);
    assert!(wrong.counterexample.unwrap().leaves.is_empty());
}

/// The numbers of a permutation are no sizes: where with them there are too many instances, those of the small sizes are enough.
#[test]
fn needs_of_layouts() {
    let sum = "Add(Transpose[perm = [0, 3, 1, 2]](A), B)";
    let text = format!(
        "Transpose[perm = [0, 2, 3, 1]]({sum}) => Add(A, Transpose[perm = [0, 2, 3, 1]](B))"
    );
    let found = checked(&text, 4);
    assert_eq!(found.needs.unwrap(), ["rank(A) = rank(B)"]);
    assert_eq!(found.complete_up_to.map(|bound| bound.rank), Some(4));
}

/// Where the contents of both sides are known, what the rule needs is that they are the same.
#[test]
fn needs_about_contents() {
    for text in ["Shape(Reshape(X, s)) => s", "Shape(Expand(X, s)) => s"] {
        let needs = checked(text, 3).needs.unwrap().join(", ");
        let pasted = checked(&format!("{text} :- {needs}"), 3);
        let exact = (Sound::Always, Some(Audit::Exact));
        assert_eq!((pasted.verdict, pasted.audit), exact, "{text}");
    }
}

/// What holds of the sizes that were enumerated by chance fails for the next larger ones: with a kernel of 2 the bias may be as long as
/// the output.
#[test]
fn needs_of_larger_sizes() {
    let text = "Add(Conv(X, W), b) => Conv(X, W, b)";
    let needs = checked(text, 3).needs.unwrap().join(", ");
    let text = format!("{text} :- {needs}");
    let sound = [
        ("X", "f32[1, 1, 3]"),
        ("W", "f32[2, 1, 2]"),
        ("b", "f32[2]"),
    ];
    let rule = Rule::read(catalog(), &text, sound).unwrap();
    assert_eq!(rule.check().verdict, Sound::Always, "{text}");
}

/// Of goals that say the same the shortest is taken.
#[test]
fn needs_are_short() {
    for (text, needs) in [
        (
            "Slice(Concat[axis = 0](A, B), [0], [1], [0]) => Slice(A, [0], [1], [0])",
            "(shape(A)[0] >= 1 ; shape(B)[0] = 0)",
        ),
        (
            "Max(Min(X, hi), lo) => Clip(X, lo, hi)",
            "rank(lo) = 0, rank(hi) = 0",
        ),
        (
            "Resize(X, none, [2.0, 2.0]) => X",
            "shape(X)[0] = 0, shape(X)[1] = 0",
        ),
    ] {
        assert_eq!(checked(text, 3).needs.unwrap().join(", "), needs, "{text}");
    }
}

/// Goals that are falsified by larger sizes are searched again with these, until none falsifies them.
#[test]
fn needs_of_products_that_are_split() {
    let products = "MatMul(X, Q), MatMul(X, K), MatMul(X, V)";
    let together = "MatMul(X, Concat[axis = -1](Q, K, V))";
    let text = format!("{products} => Split[axis = -1, num_outputs = 3]({together})");
    let needs = checked(&text, 3).needs.unwrap().join(", ");
    let pasted = checked(&format!("{text} :- {needs}"), 3);
    let exact = (Sound::Always, Some(Audit::Exact));
    assert_eq!((pasted.verdict, pasted.audit), exact, "{needs}");
}

/// Of leaves that the precondition makes alike there are few: more dims are tried, and what the rule needs is true of them.
#[test]
fn needs_under_a_precondition() {
    let products = "MatMul(X, Q), MatMul(X, K), MatMul(X, V)";
    let together = "MatMul(X, Concat[axis = -1](Q, K, V))";
    let text = format!(
        "{products} => Split[axis = -1, num_outputs = 3]({together}) :- shape(Q) = shape(K), shape(K) = shape(V)"
    );
    let found = checked(&text, 3);
    assert_eq!(found.complete_up_to.map(|bound| bound.rank), Some(3));
    let text = format!("{text}, {}", found.needs.unwrap().join(", "));
    for (x, q) in [("f32[1, 2, 0]", "f32[1, 0, 2]"), ("f32[2, 3]", "f32[3, 1]")] {
        let leaves = [("X", x), ("Q", q), ("K", q), ("V", q)];
        let rule = Rule::read(catalog(), &text, leaves).unwrap();
        assert_eq!(rule.check().verdict, Sound::Always, "{text}");
    }
}

/// What a rule needs holds of more dims than were enumerated, if goals that say so are found: a part of a shape, and no places in it.
#[test]
fn needs_of_parts() {
    for (text, needs) in [
        (
            "GlobalAveragePool(X) => ReduceMean(X, [2, 3])",
            "prod(shape(X)[4:]) = 1",
        ),
        (
            "ReduceSum[keepdims = 0](X, [0]) => ReduceSum[keepdims = 0](X, [-1])",
            "shape(X)[1:] = shape(X)[:-1]",
        ),
        ("Transpose(X) => X", "Reverse(shape(X), shape(X))"),
        (
            "Conv(X, W) => X",
            "shape(X)[1] = shape(W)[0], prod(shape(W)[2:]) = 1",
        ),
    ] {
        assert_eq!(checked(text, 3).needs.unwrap().join(", "), needs, "{text}");
        let pasted = checked(&format!("{text} :- {needs}"), 6);
        let exact = (Sound::Always, Some(Audit::Exact));
        assert_eq!((pasted.verdict, pasted.audit), exact, "{text}");
    }
}

/// A rule that is wrong up to the bound may hold of leaves that have the dims of which its literals speak.
#[test]
fn what_holds_beyond_the_bound() {
    let found = checked("GlobalMaxPool(X) => ReduceMax(X, [2, 3])", 3);
    assert_eq!(found.verdict, Sound::Depends);
    let found = checked("Concat[axis = 3](A, B) => Concat[axis = 4](A, B)", 3);
    assert_eq!(found.verdict, Sound::Depends);
    let found = checked("Gather(X, [7]) => Unsqueeze(Gather(X, [7]), [0])", 3);
    assert_eq!(found.verdict, Sound::Never);
}

/// The instances of few dims of many leaves take no time from those of more dims, and not all sizes of many leaves can be tried: some are
/// drawn before a rule is called wrong everywhere.
#[test]
fn many_leaves_of_a_wrong_rule() {
    let left = "Concat[axis = 0](A, B, C, D, E, F, G, H, I)";
    for right in [
        "Concat[axis = 1](A, B, C, D, E, F, G, H, I)",
        "Concat[axis = 0](A, B, C, D, E, F, G, H)",
        "Concat[axis = 0](A, B, C, D, E, F, G, H, A) :- shape(I)[0] >= 2",
    ] {
        let found = checked(&format!("{left} => {right}"), 3);
        assert_eq!(found.verdict, Sound::Depends, "{right}");
        assert!(found.counterexample.is_some(), "{right}");
    }
}

/// A part of a shape that ends before it begins is none.
#[test]
fn parts_from_behind() {
    for (shape, verdict) in [
        ("f32[3]", Sound::Never),
        ("f32[3, 3]", Sound::Never),
        ("f32[3, 3, 2]", Sound::Always),
    ] {
        let text = "Relu(X) => X :- prod(shape(X)[2:-1]) = 1";
        let rule = Rule::read(catalog(), text, [("X", shape)]).unwrap();
        assert_eq!(rule.check().verdict, verdict, "{shape}");
    }
}
