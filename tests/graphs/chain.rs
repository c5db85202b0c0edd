//! Shapes that are computed by the graph itself, and long graphs.

use super::Model;
use kanshape::Verdict;

#[test]
fn shapes_stay_symbolic_on_their_way() {
    let mut m = Model::new();
    let x = m.value("f32[N, T, 768]");
    let shape = m.node("onnx::Shape", &[x], &[]);
    let (first, second) = (m.value("i64[1] = [0]"), m.value("i64[1] = [1]"));
    let n = m.node("onnx::Gather", &[shape, first], &[]);
    let t = m.node("onnx::Gather", &[shape, second], &[]);
    let heads = m.value("i64[2] = [12, 64]");
    let operator = m.relations.operator("onnx::Concat", None).unwrap();
    let axis = vec![("axis".into(), kanshape::AttrValue::Int(0))];
    let call = m.graph.call(&operator, axis, &[true; 3], &[true]).unwrap();
    let to = m.graph.add(call, &[n, t, heads]).1.get(0).unwrap();
    assert_eq!(m.ty(to), "i64[4] = [N, T, 12, 64]");
    let split = m.node("onnx::Reshape", &[x, to], &[]);
    let query = m.node("onnx::Transpose", &[split], &[("perm", &[0, 2, 1, 3])]);
    let key = m.node("onnx::Transpose", &[split], &[("perm", &[0, 2, 3, 1])]);
    let scores = m.node("onnx::MatMul", &[query, key], &[]);
    assert_eq!(m.ty(scores), "f32[N, 12, T, T]");
    let mask = m.value("f32[1, 1, T, T]");
    let masked = m.node("onnx::Add", &[scores, mask], &[]);
    assert_eq!(m.ty(masked), "f32[N, 12, T, T]");
    assert_eq!(m.verdict(), Verdict::Always);
}

#[test]
fn the_rest_of_a_reshape_is_the_product() {
    let mut m = Model::new();
    let x = m.value("f32[N, 3, 4]");
    let shape = m.value("i64[2] = [0, -1]");
    let y = m.node("onnx::Reshape", &[x, shape], &[]);
    assert_eq!(m.ty(y), "f32[N, 12]");
    assert_eq!(m.verdict(), Verdict::Always);
}

/// The graph types numbers as it types names: with a number put for the name, both say the same.
#[test]
fn names_and_numbers_agree() {
    let typed = |first: &str| {
        let mut m = Model::new();
        let x = m.value(first);
        let (w, b) = (m.value("f32[16, 16]"), m.value("f32[16]"));
        let mut y = x;
        for _ in 0..40 {
            y = m.node("onnx::MatMul", &[y, w], &[]);
            y = m.node("onnx::Add", &[y, b], &[]);
            y = m.node("onnx::Relu", &[y], &[]);
        }
        let shape = m.node("onnx::Shape", &[y], &[]);
        let sum = m.node("onnx::ReduceSum", &[shape], &[]);
        (m.ty(y), m.ty(sum))
    };
    let (named, numbered) = (typed("f32[N, 16]"), typed("f32[7, 16]"));
    assert_eq!(named, ("f32[N, 16]".into(), "i64[1] = [N + 16]".into()));
    assert_eq!(numbered, ("f32[7, 16]".into(), "i64[1] = [23]".into()));
}

#[test]
fn a_graph_of_which_nothing_is_known_waits() {
    let mut m = Model::new();
    let x = m.value("?");
    let three = m.value("f32[3]");
    let y = m.node("onnx::Relu", &[x], &[]);
    let z = m.node("onnx::Add", &[y, three], &[]);
    assert_eq!(m.ty(z), "f32[...]");
    m.graph.assume(x, &"f32[2, 3]".parse().unwrap()).unwrap();
    assert_eq!(m.ty(z), "f32[2, 3]");
}
