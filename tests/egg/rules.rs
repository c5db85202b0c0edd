//! Right sides that are typed before they are added, and conditions on types.

use egg::{Runner, rewrite};
use kanshape_egg::{rank, same_type, typed, types};

use super::{Rule, analysis, expr, run, ty};

/// Why rules are refused on a term: the name of the rule and the reason.
fn refused(leaves: &[(&str, &str)], start: &str, rules: &[Rule]) -> Vec<String> {
    let (egraph, _) = run(leaves, start, rules);
    assert!(egraph.analysis.conflicts().is_empty());
    assert!(egraph.analysis.ill_typed().is_empty());
    assert!(egraph.analysis.assumed().is_empty());
    let refused = egraph.analysis.refused().iter();
    refused
        .map(|own| format!("{}: {}", own.rule, own.why))
        .collect()
}

#[test]
fn a_right_side_that_does_not_hold_is_refused() {
    let swap: Rule = rewrite!("swap"; "(matmul ?a ?b)" => { typed("(matmul ?b ?a)").unwrap() });
    let drop: Rule = rewrite!("drop"; "(add ?a ?b)" => { typed("?a").unwrap() });
    let rules = [swap, drop];
    let one = |leaves: &[(&str, &str)], start: &str| refused(leaves, start, &rules).join("\n");
    let all = [
        one(&[("a", "f32[2, 3]"), ("b", "f32[3, 4]")], "(matmul a b)"),
        one(&[("a", "f32[2, 3]"), ("b", "f32[3, 2]")], "(matmul a b)"),
        one(&[("a", "f32[N, 3]"), ("b", "f32[3, M]")], "(matmul a b)"),
        one(&[("a", "f32[N, N]"), ("b", "f32[N, N]")], "(matmul a b)"),
        one(&[("a", "f32[3]"), ("b", "f32[2, 3]")], "(add a b)"),
        one(&[("a", "f32[N]"), ("b", "f32[M]")], "(add a b)"),
        one(&[("a", "f32[N]"), ("b", "f32[]")], "(add a b)"),
        one(&[("a", "f32[?]"), ("b", "f32[3]")], "(add a b)"),
    ];
    assert_eq!(
        all,
        [
            "swap: the right side has no type: dim 1 of input 0 (`A`) and dim 0 of input 1 (`B`) don't fit together",
            "swap: the right side has another type: what is `f32[2, 2]` here can't be `f32[3, 3]`",
            "swap: needs M == 3, N == 3",
            "",
            "drop: the right side has another type: what is `f32[2, 3]` here can't be `f32[3]`",
            "drop: needs M in {1, N}",
            "",
            "drop: needs f32[d0] is f32[3]",
        ]
    );
}

#[test]
fn a_refused_right_side_leaves_nothing_behind() {
    let wide: Rule = rewrite!("wide"; "(neg ?a)" => { typed("(add (neg (neg ?a)) (matmul ?a other))").unwrap() });
    let leaves = [("a", "f32[N, 3]"), ("b", "f32[3, 4]")];
    let (egraph, _) = run(&leaves, "(neg (matmul a b))", &[wide]);
    let alone = run(&leaves, "(neg (matmul a b))", &[]).0;
    assert!(!egraph.analysis.refused().is_empty());
    assert_eq!(
        egraph.total_number_of_nodes(),
        alone.total_number_of_nodes()
    );
    let count = |egraph: &super::Types| egraph.analysis.graph().node_count();
    assert_eq!(count(&egraph), count(&alone));
}

#[test]
fn typed_rules_saturate_with_explanations_as_well() {
    let rules: [Rule; 2] = [
        rewrite!("left"; "(matmul (matmul ?a ?b) ?c)" => { typed("(matmul ?a (matmul ?b ?c))").unwrap() }),
        rewrite!("right"; "(matmul ?a (matmul ?b ?c))" => { typed("(matmul (matmul ?a ?b) ?c)").unwrap() }),
    ];
    let leaves = [
        ("a", "f32[N, 3]"),
        ("b", "f32[3, 4]"),
        ("c", "f32[4, 5]"),
        ("d", "f32[5, M]"),
    ];
    let start = expr("(matmul (matmul (matmul a b) c) d)");
    let end = expr("(matmul a (matmul b (matmul c d)))");
    let runner = Runner::<_, _, ()>::new(analysis(&leaves)).with_explanations_enabled();
    let mut egraph = runner.with_expr(&start).run(&rules).egraph;
    let id = egraph.lookup_expr(&end).unwrap();
    assert_eq!(ty(&mut egraph, id), "f32[N, M]");
    assert!(egraph.analysis.refused().is_empty());
    let explanation = egraph.explain_equivalence(&start, &end).get_flat_string();
    assert!(explanation.contains("left"), "{explanation}");
}

#[test]
fn conditions_are_about_types() {
    let catalog = kanshape::catalog();
    let rules: [Rule; 4] = [
        rewrite!("rank"; "(neg ?a)" => "is-matrix" if rank("?a", 2).unwrap()),
        rewrite!("same"; "(add ?a ?b)" => "are-same" if same_type("?a", "?b").unwrap()),
        rewrite!("square"; "(matmul ?a ?b)" => "is-square" if types(catalog, "a: T[m, m], b: T[m, m]").unwrap()),
        rewrite!("wide"; "(matmul ?a ?b)" => "is-wide" if types(catalog, "a: T[m, k], b: T[k, n] :- n >= m").unwrap()),
    ];
    let fired = |leaves: &[(&str, &str)], start: &str| -> Vec<&str> {
        let (egraph, _) = run(leaves, start, &rules);
        let marks = ["is-matrix", "are-same", "is-square", "is-wide"];
        let mut marks = marks.to_vec();
        marks.retain(|mark| egraph.lookup_expr(&expr(mark)).is_some());
        marks
    };
    assert_eq!(fired(&[("a", "f32[N, 3]")], "(neg a)"), ["is-matrix"]);
    assert!(fired(&[("a", "f32[...]")], "(neg a)").is_empty());
    assert_eq!(
        fired(&[("a", "f32[N]"), ("b", "f32[N]")], "(add a b)"),
        ["are-same"]
    );
    assert!(fired(&[("a", "f32[N]"), ("b", "f32[M]")], "(add a b)").is_empty());
    assert!(fired(&[("a", "f32[?]"), ("b", "f32[?]")], "(add a b)").is_empty());
    let of = |a: &str, b: &str| fired(&[("a", a), ("b", b)], "(matmul a b)");
    assert_eq!(of("f32[N, N]", "f32[N, N]"), ["is-square", "is-wide"]);
    assert_eq!(of("f32[2, N]", "f32[N, 3]"), ["is-wide"]);
    assert!(of("f32[N, 2]", "f32[2, M]").is_empty());
    assert!(of("f32[3, 2]", "f32[2, 2]").is_empty());
    assert!(types(catalog, "a: T[m :- ").is_err());
    assert!(rank("", 2).is_err());
}
