//! What a 0 in the shape of a `Reshape` does.

use super::text::model;
use kanshape::{Verdict, catalog};

/// A size in the shape of a reshape that has to be 0 copies the dim in its place, which is not 0.
#[test]
fn a_size_that_has_to_be_0_copies() {
    let text = "
        like: f32[M]
        x: f32[1, 0]
        s = Shape(like)
        y = Reshape(x, s)
    ";
    let (mut m, _) = model(text);
    assert_eq!(m.graph.read().verdict(), Verdict::Never);
    let (mut m, _) = model(&text.replace("x: f32[1, 0]", "x: f32[0, 1]"));
    assert_eq!(m.graph.read().verdict(), Verdict::Depends);
}

/// Only an `allowzero` of 1 takes a 0 for itself.
#[test]
fn other_numbers_than_1_copy() {
    for (allows, ty) in [(0, "f32[2, 0]"), (1, "f32[0, 0]"), (2, "f32[2, 0]")] {
        let text = format!("x: f32[2, 0]\ny = Reshape(x, i64[2] = [0, 0]) allowzero={allows}");
        let (mut m, values) = model(&text);
        assert_eq!(m.graph.ty(values["y"]).to_string(), ty);
    }
}

/// A number of which the parity is known is never 0, and may still be -1, which denotes the size that is left.
#[test]
fn an_odd_number_may_denote_the_rest() {
    let text = "
        x: f32[0, 2]
        axes: i64[2] = [0, ?]
        least = ReduceMax(x, axes)
        empty: f32[0]
        y = Reshape(empty, axes)
    ";
    for last in [-1, 1] {
        let (mut m, values) = model(text);
        let axes = format!("i64[2] = [0, {last}]").parse().unwrap();
        m.graph.assume(values["axes"], &axes).unwrap();
        assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[0, 1]");
    }
}

/// Where the shape of the input is not known, a size that may be 0 is no dim of the result yet: it may copy one.
#[test]
fn a_size_may_copy_a_dim_that_is_not_known() {
    let text = "
        x: ?
        like: f32[M, K]
        s = Shape(like)
        y = Reshape(x, s)
    ";
    let facts = [("x", "f32[4, 6]"), ("like", "f32[0, 6]")];
    for order in [[0, 1], [1, 0]] {
        let (mut m, values) = model(text);
        for i in order {
            let (name, ty) = facts[i];
            m.graph.assume(values[name], &ty.parse().unwrap()).unwrap();
        }
        assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[4, 6]");
        assert_eq!(m.graph.read().verdict(), Verdict::Always);
    }
    // Backwards it is one or the other.
    let reshape = catalog().operator("onnx::Reshape", None).unwrap();
    let call = "f32[4, ?], i64[2] = [M, K] -> f32[4, 6]".parse().unwrap();
    let answers = reshape.query(call).unwrap().solve().unwrap();
    let answers: Vec<String> = answers.map(|answer| answer.to_string()).collect();
    let both = "f32[4, 6], i64[2] = [M, K] -> f32[4, 6] where M in {0, 4}, K in {0, 6}";
    assert_eq!(answers, [both]);
    let call = "[allowzero = 1] ?, i64[2] = [M, K] -> f32[4, 6]";
    let mut answers = reshape
        .query(call.parse().unwrap())
        .unwrap()
        .solve()
        .unwrap();
    let first = answers.next().unwrap().to_string();
    assert_eq!(
        first,
        "f32[24], i64[2] = [4, 6] -> f32[4, 6] where M == 4, K == 6"
    );
}

/// What a size in the shape of a `Reshape` means, if it is 0 or -1, is not known of one that may be either: whatever name
/// what it is made of has been given.
#[test]
fn a_size_of_unknown_sign_is_not_decided() {
    let reshape = catalog().operator("onnx::Reshape", None).unwrap();
    for (data, size) in [
        ("M", "M - 1"),
        ("M*M", "M*M - 1"),
        ("M*K", "M*K - 1"),
        ("M*M*K", "M*M*K - 1"),
        ("M//3", "M//3 - 1"),
    ] {
        let types = [format!("f32[{data}]"), format!("i64[2] = [{size}, 2]")];
        let call = kanshape::Call {
            inputs: types.iter().map(|ty| ty.parse().ok()).collect(),
            ..kanshape::Call::default()
        };
        let mut answers = reshape.query(call).unwrap().solve().unwrap();
        assert_eq!(answers.verdict(), Verdict::Unknown, "{types:?}");
    }
}
