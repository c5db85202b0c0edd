//! Changes that are tried and taken back.

use super::Model;

#[test]
fn a_clone_is_a_snapshot() {
    let mut m = Model::new();
    let x = m.value("f32[N, 4]");
    let y = m.node("onnx::Relu", &[x], &[]);
    let mut tried = m.clone();
    tried
        .graph
        .assume(y, &"f32[8, 4]".parse().unwrap())
        .unwrap();
    let w = tried.value("f32[4, 2]");
    let z = tried.node("onnx::MatMul", &[y, w], &[]);
    assert_eq!(tried.ty(z), "f32[8, 2]");
    assert_eq!(m.ty(y), "f32[N, 4]");
    // The first goes its own way.
    m.graph.assume(x, &"f32[9, 4]".parse().unwrap()).unwrap();
    assert_eq!(m.ty(y), "f32[9, 4]");
    assert_eq!(tried.ty(x), "f32[8, 4]");
}

#[test]
fn what_cannot_be_assumed_changes_nothing() {
    let mut m = Model::new();
    let x = m.value("f32[N, 4]");
    let y = m.node("onnx::Relu", &[x], &[]);
    assert!(!m.graph.admits(y, &"f32[2, 5]".parse().unwrap()));
    assert!(m.graph.admits(y, &"f32[2, 4]".parse().unwrap()));
    let error = m.graph.assume(y, &"i64[2, 4]".parse().unwrap());
    assert_eq!(
        error.unwrap_err().diagnostic.headline,
        "what is `f32[N, 4]` here can't be `i64[2, 4]`"
    );
    assert_eq!(m.ty(x), "f32[N, 4]");
    assert_eq!(m.graph.problems().len(), 0);
}

#[test]
fn two_values_can_be_made_the_same() {
    let mut m = Model::new();
    let (x, y) = (m.value("f32[N, 4]"), m.value("f32[3, M]"));
    m.graph.equate(x, y).unwrap();
    assert_eq!(m.ty(x), "f32[3, 4]");
    assert_eq!(m.ty(y), "f32[3, 4]");
}
