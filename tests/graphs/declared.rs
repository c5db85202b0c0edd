//! What a program declares of the outputs of nodes that leave them open, and calls that are solved once.

use kanshape::graph::{CallId, Graph};
use kanshape::{Dtype, Relations, Type};

const OPERATORS: &str = "
op View (x: T[..s]) -> (y: T[..r]) :- prod(s) = prod(r)
op Cast (x: T[..s]) -> (y: U[..s]) :- T: Num, U: Float
op Twice (x: T[..s]) -> (y: U[..s], z: U[..s]) :- T: Num, U: Float
";

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

fn graph(operator: &str, outputs: usize) -> (Graph, CallId) {
    let relations = Relations::load_str("mine.kan", OPERATORS).unwrap();
    let mut graph = Graph::new(&relations);
    let operator = relations.operator(operator, None).unwrap();
    let call = graph.call(&operator, vec![], &[true], &vec![true; outputs]);
    (graph, call.unwrap())
}

#[test]
fn a_call_is_solved_once_for_inputs_and_outputs_of_the_same_types() {
    let (mut graph, view) = graph("View", 1);
    let x = graph.value(&ty("f32[4]")).unwrap();
    for _ in 0..5 {
        let (_, y, believed) = graph.add_declared(view, &[x], &[ty("f32[2, 2]")]);
        assert_eq!(graph.ty(y.get(0).unwrap()), ty("f32[2, 2]"));
        assert_eq!(believed.len(), 1);
        assert!(believed[0].refused.is_none());
    }
    assert_eq!(graph.solved_count(), 1);
    let (_, y, _) = graph.add_declared(view, &[x], &[ty("f32[4, 1]")]);
    assert_eq!(graph.ty(y.get(0).unwrap()), ty("f32[4, 1]"));
    // What can't be is refused each time, and is no problem of the node.
    for _ in 0..3 {
        let (_, y, believed) = graph.add_declared(view, &[x], &[ty("f32[3]")]);
        assert!(believed[0].refused.is_some());
        assert_eq!(graph.rank(y.get(0).unwrap()), None);
    }
    // Without anything declared it is open all the same.
    let (_, y) = graph.add(view, &[x]);
    assert_eq!(graph.rank(y.get(0).unwrap()), None);
    assert_eq!(graph.problems().len(), 0);
}

#[test]
fn a_dtype_that_is_left_open_is_another_one_in_each_node() {
    let (mut graph, cast) = graph("Cast", 1);
    let x = graph.value(&ty("i32[n, 3]")).unwrap();
    let (_, a) = graph.add(cast, &[x]);
    let (_, b) = graph.add(cast, &[x]);
    let (a, b) = (a.get(0).unwrap(), b.get(0).unwrap());
    assert_eq!(graph.rank(a), Some(2));
    assert_eq!(graph.dtypes(a), graph.dtypes(b));
    assert!(!graph.dtypes(a).contains(Dtype::I32));
    graph.assume(a, &ty("f16[?, ?]")).unwrap();
    assert_eq!(graph.ty(a), ty("f16[n, 3]"));
    assert_eq!(graph.dtype(b), None);
    assert!(graph.assume(b, &ty("i8[?, ?]")).is_err());
    // They are calculated.
    assert_eq!(graph.solved_count(), 0);
}

#[test]
fn only_the_dtype_is_believed_where_the_dims_follow() {
    let (mut graph, cast) = graph("Cast", 1);
    let x = graph.value(&ty("i32[n, 3]")).unwrap();
    for (declared, wanted) in [
        ("f16[7, 7]", "f16[n, 3]"),
        ("f64[?, ?]", "f64[n, 3]"),
        ("f16[7, 7]", "f16[n, 3]"),
    ] {
        let (_, y, believed) = graph.add_declared(cast, &[x], &[ty(declared)]);
        assert_eq!(graph.ty(y.get(0).unwrap()), ty(wanted));
        assert!(believed[0].refused.is_none());
    }
    for _ in 0..2 {
        let (_, y, believed) = graph.add_declared(cast, &[x], &[ty("i8[?, ?]")]);
        assert!(believed[0].refused.is_some());
        assert_eq!(graph.dtype(y.get(0).unwrap()), None);
    }
    let (_, y, believed) = graph.add_declared(cast, &[x], &[Type::UNKNOWN]);
    assert!(believed.is_empty());
    assert_eq!(graph.rank(y.get(0).unwrap()), Some(2));
}

/// Two outputs of one dtype, declared in two ways: the first is believed, and the second can't be.
#[test]
fn outputs_that_share_a_dtype_are_declared_alike() {
    let (mut graph, twice) = graph("Twice", 2);
    let x = graph.value(&ty("i32[4]")).unwrap();
    for _ in 0..2 {
        let (_, out, believed) = graph.add_declared(twice, &[x], &[ty("f16[4]"), ty("f32[4]")]);
        assert_eq!(graph.ty(out.get(0).unwrap()), ty("f16[4]"));
        assert_eq!(graph.ty(out.get(1).unwrap()), ty("f16[4]"));
        assert!(believed.iter().all(|own| own.refused.is_none()));
    }
}
