//! After saturation each class has the type that each of its e-nodes has as a term of its own.

use egg::{AstSize, Extractor, Language};
use kanshape_egg::typed;
use proptest::prelude::*;

use super::{Rule, analysis, expr, graph_of, run, ty};

const LEAVES: [(&str, &str); 6] = [
    ("a", "f32[2, 3]"),
    ("b", "f32[3, 2]"),
    ("n", "f32[N, 3]"),
    ("m", "f32[3, N]"),
    ("v", "f32[3]"),
    ("s", "f32[]"),
];

/// Rules of which some hold everywhere and some do not.
fn rules() -> Vec<Rule> {
    let rule = |name: &str, left: &str, right: &str| -> Rule {
        let left: egg::Pattern<_> = left.parse().unwrap();
        egg::Rewrite::new(name, left, typed(right).unwrap()).unwrap()
    };
    vec![
        rule("commute", "(add ?a ?b)", "(add ?b ?a)"),
        rule("associate", "(add (add ?a ?b) ?c)", "(add ?a (add ?b ?c))"),
        rule(
            "left",
            "(matmul (matmul ?a ?b) ?c)",
            "(matmul ?a (matmul ?b ?c))",
        ),
        rule(
            "right",
            "(matmul ?a (matmul ?b ?c))",
            "(matmul (matmul ?a ?b) ?c)",
        ),
        rule(
            "factor",
            "(add (matmul ?a ?b) (matmul ?a ?c))",
            "(matmul ?a (add ?b ?c))",
        ),
        rule(
            "expand",
            "(matmul ?a (add ?b ?c))",
            "(add (matmul ?a ?b) (matmul ?a ?c))",
        ),
        rule(
            "twice",
            "(transpose (list 1 0) (transpose (list 1 0) ?a))",
            "?a",
        ),
        rule(
            "product",
            "(transpose (list 1 0) (matmul ?a ?b))",
            "(matmul (transpose (list 1 0) ?b) (transpose (list 1 0) ?a))",
        ),
        rule(
            "inward",
            "(transpose ?p (add ?a ?b))",
            "(add (transpose ?p ?a) (transpose ?p ?b))",
        ),
        rule("negate", "(neg (add ?a ?b))", "(add (neg ?a) (neg ?b))"),
        rule(
            "concat",
            "(neg (concat ?i ?a ?b))",
            "(concat ?i (neg ?a) (neg ?b))",
        ),
        rule("reshape", "(reshape ?s (reshape ?r ?a))", "(reshape ?s ?a)"),
        rule("swap", "(matmul ?a ?b)", "(matmul ?b ?a)"),
        rule("drop", "(add ?a ?b)", "?a"),
    ]
}

fn term() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(LEAVES.to_vec()).prop_map(|(name, _)| name.to_owned());
    leaf.prop_recursive(4, 12, 2, |of| {
        let list = prop::sample::select(vec!["1 0", "0 1"]);
        let shape = prop::sample::select(vec!["-1", "6 -1", "-1 3", "0 -1", "3 2"]);
        prop_oneof![
            (of.clone(), of.clone()).prop_map(|(a, b)| format!("(add {a} {b})")),
            (of.clone(), of.clone()).prop_map(|(a, b)| format!("(matmul {a} {b})")),
            (0..2, of.clone(), of.clone()).prop_map(|(i, a, b)| format!("(concat {i} {a} {b})")),
            of.clone().prop_map(|a| format!("(neg {a})")),
            (list, of.clone()).prop_map(|(p, a)| format!("(transpose (list {p}) {a})")),
            (shape, of).prop_map(|(s, a)| format!("(reshape (list {s}) {a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn each_e_node_has_the_type_of_its_class(start in term()) {
        // What the term itself requires of `N` would be missing of its parts.
        let mut alone = graph_of(&LEAVES);
        alone.add_expr(&expr(&start));
        let is_typed = alone.analysis.ill_typed().is_empty();
        let leaf = alone.add_expr(&expr("n"));
        prop_assume!(is_typed && ty(&mut alone, leaf) == "f32[N, 3]");

        let (mut egraph, _) = run(&LEAVES, &start, &rules());
        prop_assert!(egraph.analysis.conflicts().is_empty());
        prop_assert!(egraph.analysis.ill_typed().is_empty());
        prop_assert!(egraph.analysis.assumed().is_empty());
        let mut terms = Vec::new();
        {
            let extractor = Extractor::new(&egraph, AstSize);
            for class in egraph.classes() {
                for node in &class.nodes {
                    let best = node.join_recexprs(|id| extractor.find_best(id).1);
                    terms.push((class.id, best));
                }
            }
        }
        prop_assert!(!terms.is_empty());
        for (id, term) in terms {
            // The term itself may require something of `N` that says more of this one.
            let mut alone = egg::EGraph::new(analysis(&LEAVES));
            alone.add_expr(&expr(&start));
            let own = alone.add_expr(&term);
            if alone.analysis.constant(&alone[own].data).is_some() {
                continue;
            }
            prop_assert_eq!(ty(&mut egraph, id), ty(&mut alone, own), "{} in {}", term, start);
        }
    }
}
