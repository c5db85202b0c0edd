//! What a stranger to the crate writes first.

use kanshape::graph::Graph;
use kanshape::prelude::*;
use kanshape::tree::{Expr, MulOp, Sign};
use kanshape::{AttrValue, Control, Error, Outcome};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[test]
fn a_scalar_is_written_like_any_other_tensor() {
    assert_eq!(f32s([]).to_string(), "f32[]");
    let answer = infer("(n),()->(n)", [f32s([2]), f32s([])]).unwrap();
    assert_eq!(answer.outputs[0], f32s([2]));
}

#[test]
fn dims_are_all_there_are_or_none() {
    let known: Shape = "[2, n]".parse().unwrap();
    let open: Shape = "[2, ...]".parse().unwrap();
    assert_eq!(known.dims().map(<[Dim]>::len), Some(2));
    assert_eq!((open.dims(), open.known_dims().len()), (None, 1));
}

#[test]
fn a_text_that_is_no_dim_is_an_error() {
    assert_eq!(Dim::try_from("2*k"), "2*k".parse());
    assert!(Dim::try_from("2*").is_err());
    assert!(Dim::try_from(-1i64).is_err());
}

#[test]
fn types_that_somebody_holds_are_borrowed() {
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let (x, w) = (f32s([2, 3]), f32s([3, 4]));
    let answer = matmul.infer([&x, &w]).unwrap();
    assert_eq!(matmul.infer(&[x.clone(), w.clone()]).unwrap(), answer);
    assert_eq!(matmul.infer(vec![&x, &w]).unwrap(), answer);
    let parsed = matmul.infer(&["f32[2, 3]".parse().unwrap(), "f32[3, 4]".parse().unwrap()]);
    assert_eq!(parsed.unwrap(), answer);
    let operator = catalog().operator("onnx::MatMul", None).unwrap();
    let prepared = operator.call([Type::UNKNOWN; 2]).prepare().unwrap();
    assert_eq!(prepared.infer([&x, &w]).unwrap().outputs[0], f32s([2, 4]));
}

#[test]
fn why_it_is_unknown_is_said() {
    let cubes: Signature = "(a,b,c)->() where a*a*a + b*b*b == c*c*c, a >= 1, b >= 1"
        .parse()
        .unwrap();
    let query = cubes.query().ground();
    let why = |query: kanshape::Query| match query.one() {
        Err(Error::Unknown(outcome)) => outcome,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(query.clone().budget(1_000)), Outcome::OutOfBudget);
    let query = query.budget(u64::MAX);
    let late = Control::default().timeout(Duration::from_millis(20));
    assert_eq!(why(query.clone().control(late)), Outcome::TimedOut);
    let set = Control::default().cancel(Arc::new(AtomicBool::new(true)));
    assert_eq!(why(query.control(set)), Outcome::Cancelled);
}

#[test]
fn a_node_is_a_call_on_values() {
    let mut graph = Graph::new(catalog());
    let values = ["f32[N, 4]", "f32[4]"].map(|ty| graph.value(&ty.parse().unwrap()).unwrap());
    let concat = catalog().operator("onnx::Concat", None).unwrap();
    // Attributes as an IR has them.
    let attributes: Vec<(String, AttrValue)> = vec![("axis".into(), 0.into())];
    let call = concat.call([Type::UNKNOWN; 2]).attrs(attributes);
    let (_, outputs) = graph.push(call, &[values[0], values[0]]).unwrap();
    assert_eq!(graph.ty(outputs.get(0).unwrap()).to_string(), "f32[2*N, 4]");
    // An optional input that is left out, and a type that a value has to have.
    let gemm = catalog().operator("onnx::Gemm", None).unwrap();
    let call = gemm.call([
        Some(&"f32[8, 4]".parse().unwrap()),
        Some(&Type::UNKNOWN),
        None,
    ]);
    let weights = graph.value(&"f32[4, M]".parse().unwrap()).unwrap();
    let (_, product) = graph.push(call, &[values[0], weights]).unwrap();
    assert_eq!(graph.ty(product.get(0).unwrap()).to_string(), "f32[8, M]");
    // More values than inputs.
    let relu = catalog().operator("onnx::Relu", None).unwrap();
    let before = graph.node_count();
    assert!(graph.push(relu.call([Type::UNKNOWN]), &values).is_err());
    assert_eq!(graph.node_count(), before);
}

#[test]
fn a_graph_says_which_node_refuses_a_type() {
    let mut graph = Graph::new(catalog());
    let values = ["f32[N, 8]", "f32[B]"].map(|ty| graph.value(&ty.parse().unwrap()).unwrap());
    let add = catalog().operator("onnx::Add", None).unwrap();
    let (node, _) = graph.push(add.call([Type::UNKNOWN; 2]), &values).unwrap();
    let seven: Type = "f32[7]".parse().unwrap();
    assert!(graph.assume(values[1], &seven).is_err());
    let problem = graph.conflict(values[1], &seven).unwrap();
    assert_eq!(problem.node, node);
    assert_eq!(problem.facts.len(), 2);
}

#[test]
fn a_repair_is_a_sentence() {
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let query = matmul.query().inputs([f32s([2, 3]), f32s([4, 5])]);
    let repairs = query.explain().unwrap().repairs;
    assert_eq!(repairs[0].to_string(), "input 0 would fit as f32[2, 4]");
}

/// A compiler's own sizes, out of stable items.
#[test]
fn a_size_is_mapped() {
    #[derive(Debug, PartialEq)]
    enum Own {
        Int(u64),
        Var(String),
        Add(Vec<(bool, Own)>),
        Mul(Box<Own>, Box<Own>),
        Other,
    }
    fn own(expr: &Expr) -> Own {
        match expr {
            Expr::Int(n) => Own::Int(*n),
            Expr::Name(name) => Own::Var(name.node.to_string()),
            Expr::Sum(terms) => Own::Add(
                terms
                    .iter()
                    .map(|(sign, term)| (*sign == Sign::Plus, own(term)))
                    .collect(),
            ),
            Expr::Chain(first, rest) => {
                rest.iter().fold(own(first), |left, (op, right)| match op {
                    MulOp::Mul => Own::Mul(Box::new(left), Box::new(own(right))),
                    _ => Own::Other,
                })
            }
            _ => Own::Other,
        }
    }
    let Ok(Dim::Expr(expr)) = Dim::try_from("2*n + 1") else {
        unreachable!()
    };
    let product = Own::Mul(Box::new(Own::Int(2)), Box::new(Own::Var("n".into())));
    assert_eq!(
        own(&expr),
        Own::Add(vec![(true, product), (true, Own::Int(1))])
    );
}
