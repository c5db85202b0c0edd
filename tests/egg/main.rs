//! E-graphs whose classes have types.
#![allow(clippy::unwrap_used)]

mod conflicts;
mod law;
mod rules;

use egg::{EGraph, Id, RecExpr, Runner, Symbol, define_language};
use kanshape_egg::{Term, TypeAnalysis, TypedLanguage};

define_language! {
    enum Lang {
        "matmul" = MatMul([Id; 2]),
        "add" = Add([Id; 2]),
        "neg" = Neg([Id; 1]),
        "transpose" = Transpose([Id; 2]),
        "reshape" = Reshape([Id; 2]),
        "concat" = Concat([Id; 3]),
        "shape" = Shape([Id; 1]),
        "split0" = Split0([Id; 1]),
        "split1" = Split1([Id; 1]),
        "nothing" = Nothing([Id; 1]),
        "black-box" = BlackBox([Id; 1]),
        "list" = List(Box<[Id]>),
        Num(i64),
        Sym(Symbol),
    }
}

impl TypedLanguage for Lang {
    fn term(&self) -> Term<'_> {
        match self {
            Lang::MatMul([a, b]) => Term::op("onnx::MatMul", [a, b]),
            Lang::Add([a, b]) => Term::op("onnx::Add", [a, b]),
            Lang::Neg([a]) => Term::op("onnx::Neg", [a]),
            Lang::Transpose([perm, x]) => Term::op("onnx::Transpose", [x]).attr("perm", perm),
            Lang::Reshape([shape, x]) => Term::op("onnx::Reshape", [x, shape]),
            Lang::Concat([axis, a, b]) => Term::op("onnx::Concat", [a, b]).attr("axis", axis),
            Lang::Shape([x]) => Term::op("onnx::Shape", [x]),
            Lang::Split0([x]) => split(*x).output(0, 2),
            Lang::Split1([x]) => split(*x).output(1, 2),
            Lang::Nothing([x]) => Term::op("onnx::Nothing", [x]),
            Lang::BlackBox(_) => Term::Opaque,
            Lang::List(all) => Term::List(all),
            Lang::Num(n) => Term::constant(*n),
            Lang::Sym(name) => Term::Leaf(name.as_str()),
        }
    }
}

fn split(x: Id) -> Term<'static> {
    let call = Term::op("onnx::Split", [x]).attr_value("axis", 0);
    call.attr_value("num_outputs", 2)
}

type Types = EGraph<Lang, TypeAnalysis>;
type Rule = egg::Rewrite<Lang, TypeAnalysis>;

fn analysis(leaves: &[(&str, &str)]) -> TypeAnalysis {
    let mut types = TypeAnalysis::new(kanshape::catalog());
    for (name, ty) in leaves {
        types.leaf(name, &ty.parse().unwrap()).unwrap();
    }
    types
}

fn expr(text: &str) -> RecExpr<Lang> {
    text.parse().unwrap()
}

fn graph_of(leaves: &[(&str, &str)]) -> Types {
    EGraph::new(analysis(leaves))
}

/// The e-graph of a term, saturated.
fn run(leaves: &[(&str, &str)], text: &str, rules: &[Rule]) -> (Types, Id) {
    let runner = Runner::<_, _, ()>::new(analysis(leaves));
    let runner = runner.with_expr(&expr(text)).with_node_limit(2_000);
    let runner = runner.run(rules);
    (runner.egraph, runner.roots[0])
}

/// The type of a class as text.
fn ty(egraph: &mut Types, id: Id) -> String {
    let datum = egraph[id].data;
    let ty = egraph.analysis.ty(&datum);
    ty.map_or("none".into(), |ty| ty.to_string())
}

#[track_caller]
fn check_type(leaves: &[(&str, &str)], text: &str, expected: &str) {
    let mut egraph = graph_of(leaves);
    let id = egraph.add_expr(&expr(text));
    assert_eq!(ty(&mut egraph, id), expected, "{text}");
}

#[test]
fn terms_have_types() {
    let leaves = [("x", "f32[N, 4]"), ("w", "f32[4, 8]"), ("v", "f32[8]")];
    check_type(&leaves, "(matmul x w)", "f32[N, 8]");
    check_type(&leaves, "(add (matmul x w) v)", "f32[N, 8]");
    check_type(&leaves, "(transpose (list 1 0) x)", "f32[4, N]");
    check_type(&leaves, "(reshape (list -1 2) x)", "f32[2*N, 2]");
    check_type(&leaves, "(concat 0 x x)", "f32[2*N, 4]");
    check_type(&leaves, "(shape w)", "i64[2] = [4, 8]");
    check_type(&leaves, "(reshape (shape w) x)", "f32[4, 8]");
    check_type(&[("x", "f32[5, 3]")], "(split0 x)", "f32[3, 3]");
    check_type(&[("x", "f32[5, 3]")], "(split1 x)", "f32[2, 3]");
    check_type(&leaves, "(add x (black-box x))", "f32[...]");
    check_type(&leaves, "(add 1 (list 1 2))", "i64[2] = [2, 3]");
}

#[test]
fn what_is_learned_of_one_class_is_known_of_all() {
    let mut egraph = graph_of(&[("x", "f32[?, 4]"), ("w", "?")]);
    let product = egraph.add_expr(&expr("(matmul x w)"));
    let wanted = egraph.add_expr(&expr("wanted"));
    egraph
        .analysis
        .leaf("wanted", &"f32[8, 10]".parse().unwrap())
        .unwrap();
    egraph.union(product, wanted);
    egraph.rebuild();
    let w = egraph.lookup_expr(&expr("w")).unwrap();
    assert_eq!(ty(&mut egraph, w), "f32[4, 10]");
    assert!(egraph.analysis.conflicts().is_empty());
}

#[test]
fn a_class_that_is_found_to_be_a_constant_can_be_an_attribute() {
    let mut egraph = graph_of(&[("x", "f32[2, 3]")]);
    let root = egraph.add_expr(&expr("(transpose perm x)"));
    let perm = egraph.lookup_expr(&expr("perm")).unwrap();
    assert_eq!(ty(&mut egraph, root), "?");
    let found = egraph.add_expr(&expr("(list 1 0)"));
    egraph.union(perm, found);
    egraph.rebuild();
    assert_eq!(ty(&mut egraph, root), "f32[3, 2]");
}

#[test]
fn what_no_catalog_has_is_unknown_and_said() {
    let mut egraph = graph_of(&[("x", "f32[2, 3]")]);
    let root = egraph.add_expr(&expr("(neg (nothing x))"));
    egraph.add_expr(&expr("(nothing (neg x))"));
    egraph.add_expr(&expr("(concat x x x)"));
    assert!(!ty(&mut egraph, root).starts_with("none"));
    let mistakes: Vec<&str> = egraph
        .analysis
        .mistakes()
        .iter()
        .map(|d| &*d.headline)
        .collect();
    assert_eq!(
        mistakes,
        [
            "there is no operator `onnx::Nothing`",
            "`axis` of `onnx::Concat` is no constant"
        ]
    );
}
