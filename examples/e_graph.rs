//! A language of tensors in an e-graph of egg, with the types of its classes: `cargo run -p kanshape-egg --example e_graph`.

use egg::{Id, Rewrite, Runner, Symbol, define_language, rewrite};
use kanshape_egg::{Term, TypeAnalysis, TypedLanguage, rank, same_type, typed};

define_language! {
    enum Lang {
        "matmul" = MatMul([Id; 2]),
        "add" = Add([Id; 2]),
        "transpose" = Transpose([Id; 2]), // (transpose (list 1 0) x)
        "reshape" = Reshape([Id; 2]),     // (reshape (list 0 -1) x)
        "concat" = Concat([Id; 3]),       // (concat 0 a b)
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
            Lang::Transpose([perm, x]) => Term::op("onnx::Transpose", [x]).attr("perm", perm),
            Lang::Reshape([shape, x]) => Term::op("onnx::Reshape", [x, shape]),
            Lang::Concat([axis, a, b]) => Term::op("onnx::Concat", [a, b]).attr("axis", axis),
            Lang::List(all) => Term::List(all),
            Lang::Num(n) => Term::constant(*n),
            Lang::Sym(name) => Term::Leaf(name.as_str()),
        }
    }
}

#[rustfmt::skip]
fn rules() -> Result<Vec<Rewrite<Lang, TypeAnalysis>>, Box<dyn std::error::Error>> {
    Ok(vec![
        rewrite!("assoc"; "(matmul (matmul ?a ?b) ?c)" => { typed("(matmul ?a (matmul ?b ?c))")? } if rank("?b", 2)?),
        rewrite!("commute"; "(add ?a ?b)" => { typed("(add ?b ?a)")? }),
        rewrite!("reshape"; "(reshape ?s (reshape ?r ?x))" => { typed("(reshape ?s ?x)")? }),
        rewrite!("concat"; "(matmul (concat 0 ?a ?b) ?c)" => { typed("(concat 0 (matmul ?a ?c) (matmul ?b ?c))")? }),
        rewrite!("factor"; "(add (matmul ?a ?b) (matmul ?a ?c))" => { typed("(matmul ?a (add ?b ?c))")? } if same_type("?b", "?c")?),
    ])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut types = TypeAnalysis::new(kanshape::catalog());
    for (name, ty) in [("x", "f32[N, 4]"), ("y", "f32[M, 4]"), ("w", "f32[4, 8]")] {
        types.leaf(name, &ty.parse()?)?;
    }
    let start = "(matmul (concat 0 x y) (add w w))".parse()?;
    let runner = Runner::<_, _, ()>::new(types)
        .with_expr(&start)
        .run(&rules()?);
    let mut egraph = runner.egraph;
    let root = egraph[runner.roots[0]].data;
    let ty = egraph.analysis.ty(&root).map(|ty| ty.to_string());
    assert_eq!(ty.as_deref(), Some("f32[N + M, 8]"));
    assert!(egraph.analysis.conflicts().is_empty());
    Ok(())
}
