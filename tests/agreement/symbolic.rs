//! The solutions that symbolic answers describe are exactly those of the relation: nothing lost,
//! nothing invented, no answer without a solution.

use crate::ground::{BOUNDS, holds_further_out, partly_known, query};
use crate::instance::{is_instance, search_instance};
use kanshape::tree::{Operand, Pattern};
use kanshape::{Answer, Dim, Dtype, Error, Signature, Type, Verdict};
use kanshape_testkit::brute::Relation;
use kanshape_testkit::generate;
use kanshape_testkit::ground::{Ground, Partial, PartialShape};
use kanshape_testkit::symbolic::Search;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};

fn check(text: &str, relation: &Relation, given: &Partial) -> Result<(), TestCaseError> {
    let near = |expected: &BTreeSet<Ground>| {
        let near = expected.iter().take(20).flat_map(neighbours);
        near.collect()
    };
    check_beside(text, relation, given, near)
}

/// The same, where what is no solution is one of these.
fn check_beside(
    text: &str,
    relation: &Relation,
    given: &Partial,
    others: impl Fn(&BTreeSet<Ground>) -> Vec<Ground>,
) -> Result<(), TestCaseError> {
    let signature: Signature = text.parse().unwrap();
    let expected = relation.solutions_up_to(401, BOUNDS, given);
    if expected.len() > 400 {
        return Ok(());
    }
    let mut answers = query(&signature, given)
        .max_rank(BOUNDS.max_rank as u64)
        .budget(300_000)
        .limit(300)
        .solve()
        .unwrap();
    let verdict = answers.verdict();
    let found: Vec<Answer> = answers.by_ref().collect();
    if !answers.complete() {
        prop_assert!(verdict != Verdict::Never);
        return Ok(());
    }
    for solution in &expected {
        prop_assert!(
            found.iter().any(|a| is_instance(a, solution)),
            "{} given {:?}\n lost {:?}\n answers {}",
            text,
            given,
            solution,
            list(&found)
        );
    }
    // Concrete shapes that are none. Of an answer that is not known to have a solution nothing is claimed.
    for near in others(&expected) {
        let within = verdict != Verdict::Unknown
            && given.admits(&near)
            && !expected.contains(&near)
            && in_bounds(&near);
        if within {
            prop_assert!(
                !found
                    .iter()
                    .any(|a| matches!(search_instance(a, &near), Search::Found(_)))
                    || holds_further_out(relation, &near),
                "{} given {:?}\n invented {:?}\n answers {}",
                text,
                given,
                near,
                list(&found)
            );
        }
    }
    if found.is_empty() {
        prop_assert!(expected.is_empty());
        prop_assert_eq!(verdict, Verdict::Never);
    } else {
        prop_assert!(verdict != Verdict::Never);
    }
    // What is printed is read back as it was.
    for a in &found {
        for t in a.inputs.iter().chain(&a.outputs) {
            prop_assert_eq!(&t.to_string().parse::<kanshape::Type>().unwrap(), t);
        }
        for c in &a.conditions {
            let text = c.to_string();
            let read = kanshape::tree::parse_condition(&text);
            prop_assert!(read.is_ok(), "`{}` does not parse", text);
            prop_assert_eq!(&read.unwrap().node, c, "{}", text);
        }
    }
    Ok(())
}

fn list(answers: &[Answer]) -> String {
    answers.iter().map(|a| format!("\n   {a}")).collect()
}

fn in_bounds(g: &Ground) -> bool {
    let shapes = || g.inputs.iter().chain(&g.outputs);
    shapes().all(|s| s.len() <= BOUNDS.max_rank && s.iter().all(|&d| d <= BOUNDS.max_dim))
        && g.params.values().all(|&p| p <= BOUNDS.max_dim)
}

/// The same with one dim or parameter changed by one, or one dim more or less.
fn neighbours(g: &Ground) -> Vec<Ground> {
    let mut all = Vec::new();
    let count = g.inputs.len() + g.outputs.len();
    for i in 0..count {
        let shape = if i < g.inputs.len() {
            &g.inputs[i]
        } else {
            &g.outputs[i - g.inputs.len()]
        };
        let mut changed: Vec<Vec<u64>> = Vec::new();
        for j in 0..shape.len() {
            for d in [shape[j].wrapping_sub(1), shape[j] + 1] {
                if d <= BOUNDS.max_dim {
                    let mut s = shape.clone();
                    s[j] = d;
                    changed.push(s);
                }
            }
            let mut s = shape.clone();
            s.remove(j);
            changed.push(s);
        }
        let mut s = shape.clone();
        s.insert(0, 2);
        changed.push(s);
        for s in changed {
            let mut h = g.clone();
            let n = h.inputs.len();
            if i < n {
                h.inputs[i] = s;
            } else {
                h.outputs[i - n] = s;
            }
            all.push(h);
        }
    }
    for (label, &value) in &g.params {
        for v in [value.wrapping_sub(1), value + 1] {
            if v <= BOUNDS.max_dim {
                let mut h = g.clone();
                h.params.insert(label.clone(), v);
                all.push(h);
            }
        }
    }
    all
}

/// All shapes with these many dims.
fn all_of_ranks(inputs: &[usize], outputs: &[usize]) -> Vec<Ground> {
    let count: usize = inputs.iter().chain(outputs).sum();
    let base = BOUNDS.max_dim + 1;
    let all = (0..base.pow(count as u32)).map(|code| {
        let mut rest = code;
        let mut shapes = |ranks: &[usize]| -> Vec<Vec<u64>> {
            let mut shape = |rank: &usize| -> Vec<u64> {
                let dims = (0..*rank).map(|_| {
                    let dim = rest % base;
                    rest /= base;
                    dim
                });
                dims.collect()
            };
            ranks.iter().map(&mut shape).collect()
        };
        Ground {
            inputs: shapes(inputs),
            outputs: shapes(outputs),
            ..Ground::default()
        }
    });
    all.collect()
}

/// A signature without runs: what an answer without any number says of all small sizes.
fn check_all_sizes(text: &str) -> Result<(), TestCaseError> {
    let tree = kanshape::tree::parse_signature(text).unwrap();
    let relation = Relation::new(&tree).unwrap().searching_to(24);
    let ranks = |operands: &[Operand]| -> Vec<usize> {
        let rank = |operand: &Operand| match &operand.pattern {
            Pattern::Shape(items) => items.len(),
            Pattern::Type(_) => 0,
        };
        operands.iter().map(rank).collect()
    };
    let (inputs, outputs) = (ranks(&tree.inputs), ranks(&tree.outputs));
    let open = |ranks: &[usize]| ranks.iter().map(|rank| Some(vec![None; *rank])).collect();
    let given = Partial {
        inputs: open(&inputs),
        outputs: open(&outputs),
        ..Partial::default()
    };
    check_beside(text, &relation, &given, |_| all_of_ranks(&inputs, &outputs))
}

/// What is known of a name that stands only in an expression is a part of the answer.
#[test]
fn what_is_said_of_a_name_inside_an_expression_is_kept() {
    for text in [
        "(b*a,a)->() where b >= 1",
        "(b//a),(a)->() where b >= 1",
        "((b + 1)//2,min(a,b))->()",
        "(min(b,a),a)->() where b >= 3",
        "(max(b,a),b*c)->()",
        "(b*a)->() where b >= 2",
        "(b*a + 1,a)->() where b >= 2",
        "(a//b,b//c)->() where c >= 2",
        "(b*a,a)->() where b in {1, 3}",
        "(b*a,a)->() where b % 2 == 0",
        "(b*a,a)->() where b != 1",
        "(b + a,a)->() where b <= 2",
        "(b % a,a)->() where b >= 2",
        "(ceil(b/a),a)->() where b <= 3",
        "(min(b,a - 3) + 3,a)->()",
        "(max(b,a - 3),a)->() where b <= 1",
        "(a*b,b*c)->() where b >= 1, c <= 2",
    ] {
        check_all_sizes(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    for low in 0..5 {
        for high in 0..4 {
            let text = format!("(b//a),(a)->() where b >= {low}, a <= {high}");
            check_all_sizes(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        }
    }
}

/// The output says what the second operand is, which the first was found to be the same as before.
#[test]
fn a_hole_is_what_another_comes_to_be() {
    let open: Type = "f32[?]".parse().unwrap();
    let known: Type = "f32[3]".parse().unwrap();
    for (text, count) in [("(m), (m)->(m)", 2), ("(m), (m), (m)->(m), (m)", 3)] {
        let signature: Signature = text.parse().unwrap();
        let inputs = vec![open.clone(); count];
        let outputs = [open.clone(), known.clone()];
        let outputs = outputs[3 - count..].iter().cloned();
        let query = signature.query().inputs(inputs).outputs(outputs);
        let answer = query.solve().unwrap().next().unwrap();
        assert!(
            answer.inputs.iter().all(|ty| *ty == known),
            "{text}: {answer}"
        );
    }
}

/// Shapes with names and sums in the place of some sizes.
fn named(shapes: &[PartialShape]) -> Vec<Type> {
    let dim = |size: &Option<u64>| match size {
        None => Dim::Hole,
        Some(n @ (0 | 1)) => Dim::Size(*n),
        Some(2) => "n".parse().unwrap(),
        Some(3) => "2*n + 1".parse().unwrap(),
        Some(n) => format!("m//{n}").parse().unwrap(),
    };
    let ty = |shape: &PartialShape| match shape {
        None => Type::UNKNOWN,
        Some(dims) => Type::tensor(Dtype::F32, dims.iter().map(dim)),
    };
    shapes.iter().map(ty).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases()))]

    #[test]
    fn answers_describe_the_solutions(
        tree in generate::signatures(),
        seed in any::<prop::sample::Index>(),
    ) {
        let text = kanshape_testkit::text::text_of(&tree);
        let relation = Relation::new(&tree).unwrap().searching_to(16);
        let (inputs, outputs) = relation.arity();
        let all: Vec<Ground> = relation
            .solutions_up_to(200, BOUNDS, &Partial::nothing(inputs, outputs))
            .into_iter()
            .collect();
        if all.is_empty() {
            return check(&text, &relation, &Partial::nothing(inputs, outputs));
        }
        let one = &all[seed.index(all.len())];
        for given in Partial::everything(one).each_hidden() {
            check(&text, &relation, &given)?;
        }
    }

    #[test]
    fn partly_known_shapes_too(
        (tree, given) in partly_known(),
    ) {
        let text = kanshape_testkit::text::text_of(&tree);
        let relation = Relation::new(&tree).unwrap().searching_to(16);
        check(&text, &relation, &given)?;
    }

    /// Dims that are expressions over names that no operand shows alone, and conditions on these.
    #[test]
    fn expressions_of_hidden_names_too(
        tree in generate::signatures_in(generate::Style::expressions()),
    ) {
        check_all_sizes(&kanshape_testkit::text::text_of(&tree))?;
    }

    /// The first answer is calculated from the given sizes, names and sums among them. Later ones substitute these sizes into
    /// what was calculated once for all sizes.
    #[test]
    fn an_answer_is_the_same_each_time(
        (tree, given) in partly_known(),
    ) {
        let text = kanshape_testkit::text::text_of(&tree);
        let signature: Signature = text.parse().unwrap();
        let [inputs, outputs] = [&given.inputs, &given.outputs].map(|shapes| named(shapes));
        let solve = || match signature.solve(&inputs, &outputs) {
            Ok(answer) => answer.to_string(),
            Err(Error::Never(_)) => "never".into(),
            Err(error) => error.to_string(),
        };
        let first = solve();
        for _ in 0..2 {
            prop_assert_eq!(&solve(), &first, "{} given {:?}, {:?}", text, inputs, outputs);
        }
    }

    /// The shortcut for plain questions and the engine say the same.
    #[test]
    fn the_shortcut_changes_nothing(
        (tree, given) in partly_known(),
    ) {
        let text = kanshape_testkit::text::text_of(&tree);
        let signature: Signature = text.parse().unwrap();
        let question = query(&signature, &given).limit(5).budget(200_000);
        let mut short = question.solve().unwrap();
        let mut long = question.clone().without_shortcut().solve().unwrap();
        if short.verdict() != Verdict::Unknown && long.verdict() != Verdict::Unknown {
            prop_assert_eq!(short.verdict(), long.verdict());
        }
        prop_assert_eq!(short.collect::<Vec<_>>(), long.collect::<Vec<_>>(), "{}, {:?}", text, given);
        let question = query(&signature, &given).ground().max_dim(BOUNDS.max_dim).budget(50_000);
        let mut short = question.solve().unwrap();
        let mut long = question.clone().without_shortcut().solve().unwrap();
        let all: [HashSet<Answer>; 2] = [short.by_ref().collect(), long.by_ref().collect()];
        if short.complete() && long.complete() {
            prop_assert_eq!(&all[0], &all[1]);
        }
    }
}
