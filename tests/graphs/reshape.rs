//! What a 0 in the shape of a `Reshape` does.

use super::text::model;
use kanshape::Verdict;

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
