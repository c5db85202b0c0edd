//! What never ends is ended by the budget, and starves nothing.

use super::{ask, load, query};
use kanshape::{AttrValue, Call, Relations, Verdict};
use std::time::{Duration, Instant};

#[test]
fn endless_left_recursion_is_unknown() {
    let r = load(
        "
Loop(x, y) :- Loop(x, z), Loop(z, y)
Deep(Tensor(sh, t), Tensor(out, t)) :- Deep(Tensor([1, ..sh], t), Tensor(out, t))
",
    );
    for name in ["Loop", "Deep"] {
        let start = Instant::now();
        let mut answers = query(&r, name, &["f32[2]", "?"])
            .budget(20_000)
            .solve()
            .unwrap();
        assert_eq!(answers.verdict(), Verdict::Unknown, "{name}");
        assert!(answers.next().is_none());
        assert!(!answers.complete());
        assert!(answers.is_stopped(), "{name}");
        assert!(start.elapsed() < Duration::from_secs(20), "{name}");
    }
}

#[test]
fn an_endless_clause_starves_no_other() {
    let r = load(
        "
P(x, y) :- P(x, y)
P(x, x)
Q(x, y) :- Q(x, z), Next(z, y)
Q(x, x)
Next(Tensor([n], t), Tensor([n + 1], t))
",
    );
    assert_eq!(ask(&r, "P", &["f32[2]", "?"], 1), ["f32[2] -> f32[2]"]);
    assert_eq!(
        ask(&r, "Q", &["f32[2]", "?"], 4),
        [
            "f32[2] -> f32[2]",
            "f32[2] -> f32[3]",
            "f32[2] -> f32[4]",
            "f32[2] -> f32[5]"
        ]
    );
}

#[test]
fn the_whole_budget_is_gone_through_in_time() {
    let r = load("Deep(Tensor(sh, t), out) :- Deep(Tensor([1, ..sh], t), out)");
    let start = Instant::now();
    let mut answers = query(&r, "Deep", &["f32[...]", "?"]).solve().unwrap();
    assert_eq!(answers.verdict(), Verdict::Unknown);
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_long_shape_is_gone_through_one_by_one() {
    let r = load(
        "
Copy([], [])
Copy([x, ..xs], [x, ..ys]) :- Copy(xs, ys)
All(Tensor(a, t), Tensor(b, t)) :- Copy(a, b)
",
    );
    let long: Vec<String> = (0..300).map(|i| i.to_string()).collect();
    let long = format!("f32[{}]", long.join(", "));
    assert_eq!(
        ask(&r, "All", &[&long, "?"], 1),
        [format!("{long} -> {long}")]
    );
}

#[test]
fn a_file_of_many_clauses() {
    let clauses: String = (0..5_000)
        .map(|i| {
            format!(
                "Step{i}(Tensor([n], t), out) :- Step{}(Tensor([n + {i}], t), out)\n",
                i + 1
            )
        })
        .collect();
    let text = format!("{clauses}Step5000(x, x)\n");
    let r = load(&text);
    let sum: u64 = (0..5_000).sum();
    assert_eq!(
        ask(&r, "Step0", &["f32[0]", "?"], 1),
        [format!("f32[0] -> f32[{sum}]")]
    );
}

/// Each of many clauses calls many more: a rule with all of them written out would be a million steps.
#[test]
fn clauses_that_call_each_other_in_many_ways() {
    let mut text = String::from("op Op [a: int] (x: T[n]) -> (y: T[n]) :- T: Float, P0(a, a)\n");
    for level in 0..12 {
        for k in 0..20 {
            text += &format!("P{level}({k}, x) :- P{}(x, x)\n", level + 1);
        }
    }
    text += "P12(3, _)\n";
    let r = load(&text);
    let operator = r.operator("Op", None).unwrap();
    let verdict = |a: i64| {
        let call = Call {
            inputs: vec![Some("f32[2]".parse().unwrap())],
            attrs: vec![("a".into(), AttrValue::Int(a))],
            ..Call::default()
        };
        operator.query(call).unwrap().solve().unwrap().verdict()
    };
    let start = Instant::now();
    assert_eq!((verdict(3), verdict(4)), (Verdict::Always, Verdict::Never));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn lists_and_trees_may_grow_without_end() {
    let r = load(
        "
List(x, y) :- Grow([x], y)
Grow(xs, y) :- Grow([Tensor([], f32), ..xs], y)
Tree(x, y) :- Tree(tuple(x), y)
Opt(x: Type, y: Type) :- Wrap([x], y)
Wrap([x, ..], y) :- Wrap([tuple(x, x)], y)
",
    );
    for name in ["List", "Tree", "Opt"] {
        let mut answers = query(&r, name, &["f32[2]", "?"]).solve().unwrap();
        assert_eq!(answers.verdict(), Verdict::Unknown, "{name}");
    }
}

#[test]
fn lists_in_lists_end_somewhere() {
    let count = 30_000;
    let clauses: String = (0..count)
        .map(|i| format!("P{i}(x) :- P{}([x])\n", i + 1))
        .collect();
    let text = format!("{clauses}P{count}(_)\n");
    let refused = Relations::load_str("deep.kan", &text).unwrap_err();
    assert_eq!(refused.code, "K0341");
}

#[test]
fn a_long_list_of_types() {
    let long = vec!["x"; 20_000].join(", ");
    let r = load(&format!(
        "Many(x, y) :- Last([{long}], y)\nLast([x], x: Type)\nLast([_, ..xs], y) :- Last(xs, y)"
    ));
    let mut answers = query(&r, "Many", &["f32[2]", "?"]).solve().unwrap();
    assert_eq!(answers.next().unwrap().to_string(), "f32[2] -> f32[2]");
}

#[test]
fn no_text_makes_the_loader_panic() {
    for text in [
        "",
        "P()",
        "P() :- P()",
        "P(x) :- x = x[x]",
        "P(x) :- x = x[0]",
        "P(x) :- [x, ..x] = x",
        "P(x) :- some(x) = x",
        "P(x, y) :- x = -9223372036854775808 * 9223372036854775807, y = x",
        "P(Tensor([9223372036854775807 * 9223372036854775807], f32))",
        "P(x) :- x in []",
        "P(x) :- x in {}",
        "P(x) :- 1 < 2 < 3, 3 > x[0] > 1",
        "P([y for x, y in [1], [f32]])",
        "P([x for x in [y for y in [z for z in [1, 2]]]])",
        "P(prod([]), min(1, 2), sum([]), len([]))",
        "P(1 // 0, 1 % 0, ceil(1/0))",
    ] {
        if let Ok(relations) = Relations::load_str("any.kan", text) {
            let _ = relations.warnings();
            let _ = relations
                .signature("P")
                .map(|p| p.query().budget(1_000).solve().map(Iterator::count));
        }
    }
}
