//! Classes that can't be one.

use egg::{Runner, rewrite};
use kanshape_egg::{Known, named};

use super::{Rule, analysis, expr, graph_of, run, ty};

#[test]
fn classes_that_become_one_have_what_is_known_of_both() {
    let mut egraph = graph_of(&[("p", "f32[?, 3]"), ("q", "f32[2, ?]"), ("r", "f32[5, 3]")]);
    let [p, q, r] = ["p", "q", "r"].map(|name| egraph.add_expr(&expr(name)));
    egraph.union(p, q);
    egraph.rebuild();
    assert_eq!(ty(&mut egraph, p), "f32[2, 3]");
    assert!(egraph.analysis.conflicts().is_empty());
    egraph.union(q, r);
    egraph.rebuild();
    let [conflict] = egraph.analysis.conflicts() else {
        panic!("one conflict");
    };
    let mut sides = [&conflict.left, &conflict.right].map(|side| side.known.to_string());
    sides.sort();
    assert_eq!(sides, ["f32[2, 3]", "f32[5, 3]"]);
    assert_eq!(conflict.rule, None);
}

/// Rules that hold of matrices, and one that does not.
fn rules(wrong: Rule) -> Vec<Rule> {
    vec![
        named(rewrite!("commute"; "(add ?a ?b)" => "(add ?b ?a)")),
        named(rewrite!("twice"; "(transpose (list 1 0) (transpose (list 1 0) ?x))" => "?x")),
        wrong,
        named(rewrite!("associate"; "(matmul (matmul ?a ?b) ?c)" => "(matmul ?a (matmul ?b ?c))")),
    ]
}

const LEAVES: [(&str, &str); 4] = [
    ("x", "f32[N, 4]"),
    ("w", "f32[4, 8]"),
    ("v", "f32[8, 2]"),
    ("bias", "f32[3, 1, 1]"),
];
const START: &str = "(neg (add (matmul (matmul x w) v) bias))";

#[test]
fn a_conflict_names_the_rule_and_both_terms() {
    let wrong = || rewrite!("drop-bias"; "(add ?a bias)" => "?a");
    let (egraph, _) = run(&LEAVES, START, &rules(named(wrong())));
    let conflicts = egraph.analysis.conflicts();
    let text = conflicts[0].in_graph(&egraph).to_string();
    assert_eq!(
        text,
        "rule `drop-bias`: `(matmul (matmul x w) v)`, which is f32[N, 2], is one with `(add (matmul (matmul x w) v) bias)`, which \
         is f32[3, N, 2],\n  nothing is both `f32[N, 2]` and `f32[3, N, 2]`\n  the first is \
         f32[N, 2]: it has 2 dims\n  the second is f32[3, N, 2]: it has 3 dims"
    );
    assert!(
        conflicts
            .iter()
            .all(|own| own.rule.is_some_and(|r| r.as_str() == "drop-bias"))
    );

    // The same of a rule without a name, with explanations.
    let runner = Runner::<_, _, ()>::new(analysis(&LEAVES)).with_explanations_enabled();
    let runner = runner.with_expr(&expr(START)).run(&rules(wrong()));
    let conflicts = runner.egraph.analysis.conflicts();
    assert_eq!(conflicts[0].rule.unwrap().as_str(), "drop-bias");
}

#[test]
fn each_wrong_rule_is_named() {
    let wrong: [(&str, Rule); 6] = [
        // The right side has no type.
        (
            "swap",
            rewrite!("swap"; "(matmul ?a ?b)" => "(matmul ?b ?a)"),
        ),
        (
            "perm",
            rewrite!("perm"; "(matmul ?a ?b)" => "(transpose (list 0 2 1) (matmul ?a ?b))"),
        ),
        // It has another one.
        ("drop", rewrite!("drop"; "(add ?a ?b)" => "?b")),
        (
            "flip",
            rewrite!("flip"; "(matmul ?a ?b)" => "(transpose (list 1 0) (matmul ?a ?b))"),
        ),
        ("cat", rewrite!("cat"; "(neg ?a)" => "(concat 0 ?a ?a)")),
        // Constants that are others.
        ("list", rewrite!("list"; "(list 1 0)" => "(list 0 1)")),
    ];
    let start = "(neg (add (transpose (list 1 0) (matmul (matmul a w) v)) bias))";
    let leaves = [("a", "f32[7, 4]"), LEAVES[1], LEAVES[2], LEAVES[3]];
    for (name, rule) in wrong {
        let (egraph, _) = run(&leaves, start, &rules(named(rule)));
        let conflicts = egraph.analysis.conflicts();
        assert!(!conflicts.is_empty(), "{name}");
        for own in conflicts {
            assert_eq!(
                own.rule.map(|rule| rule.as_str()),
                Some(name),
                "{name}: {own:?}"
            );
            assert_ne!(own.left.known, own.right.known);
        }
    }
}

#[test]
fn rules_that_hold_are_in_no_conflict() {
    let (mut egraph, root) = run(
        &LEAVES,
        START,
        &rules(rules(named(rewrite!("double"; "(neg (neg ?a))" => "?a"))).remove(2)),
    );
    assert!(egraph.analysis.conflicts().is_empty());
    assert!(egraph.analysis.ill_typed().is_empty());
    assert!(egraph.analysis.assumed().is_empty());
    assert_eq!(ty(&mut egraph, root), "f32[3, N, 2]");
}

#[test]
fn parents_of_a_conflict_name_its_rule() {
    let mut egraph = graph_of(&[("a", "f32[2]"), ("b", "f32[3]")]);
    let [a, b] = ["(neg a)", "(neg b)"].map(|text| egraph.add_expr(&expr(text)));
    egraph.rebuild();
    let rule: Rule = named(rewrite!("wrong"; "a" => "b"));
    let matches = rule.search(&egraph);
    rule.apply(&mut egraph, &matches);
    egraph.rebuild();
    assert_eq!(egraph.find(a), egraph.find(b));
    let conflicts = egraph.analysis.conflicts();
    assert_eq!(conflicts.len(), 2);
    let of_b = Known::Type("f32[3]".parse().unwrap());
    assert!(
        conflicts
            .iter()
            .all(|own| own.left.known == of_b || own.right.known == of_b)
    );
    assert!(!conflicts[0].is_congruence && conflicts[1].is_congruence);
    assert!(
        conflicts
            .iter()
            .all(|own| own.rule.unwrap().as_str() == "wrong")
    );
}

#[test]
fn what_a_rule_makes_true_of_names_is_said() {
    let leaves = [("x", "f32[N, 4]"), ("y", "f32[M, 4]")];
    let wrong = named(rewrite!("left"; "(concat 1 ?a ?b)" => "(concat 1 ?a ?a)"));
    // The term itself requires that N is M.
    let (egraph, _) = run(&leaves, "(concat 1 x y)", &[wrong]);
    assert!(egraph.analysis.assumed().is_empty());
    let wrong = named(rewrite!("left"; "(concat 0 ?a ?b)" => "(concat 0 ?b ?b)"));
    let (mut egraph, root) = run(&leaves, "(concat 0 x y)", &[wrong]);
    assert!(egraph.analysis.conflicts().is_empty());
    let [assumed] = egraph.analysis.assumed() else {
        panic!("one condition");
    };
    assert_eq!(assumed.rule.unwrap().as_str(), "left");
    assert_eq!(assumed.conditions, ["M == N"]);
    assert_eq!(ty(&mut egraph, root), "f32[2*N, 4]");
}
