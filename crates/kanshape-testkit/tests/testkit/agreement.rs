//! The three ways of brute force agree, on signatures nobody thought of.

use kanshape_syntax::parse_signature;
use kanshape_testkit::brute::Relation;
use kanshape_testkit::generate::{Style, parts_of, signatures, signatures_in};
use kanshape_testkit::ground::{Bounds, Holds, Partial};
use kanshape_testkit::text::text_of;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Trying all shapes finds what trying all numbers finds.
    #[test]
    fn naive_and_flat_solutions_are_equal(
        signature in signatures_in(Style { max_inputs: 2, max_outputs: 1, ..Style::default() })
    ) {
        let relation = Relation::new(&signature).unwrap();
        let (inputs, outputs) = relation.arity();
        let bounds = Bounds::new(2, 2);
        let given = Partial::nothing(inputs, outputs);
        prop_assert_eq!(
            relation.naive_solutions(bounds, &given),
            relation.solutions(bounds, &given),
            "{}", text_of(&signature)
        );
    }

    /// Whatever part of a solution is given, it is found again, and nothing else is found.
    #[test]
    fn parts_of_a_solution_lead_back_to_it(
        (signature, ground, given) in signatures().prop_flat_map(|signature| {
            let relation = Relation::new(&signature).unwrap();
            let (inputs, outputs) = relation.arity();
            let all = relation.solutions(Bounds::new(2, 2), &Partial::nothing(inputs, outputs));
            let all: Vec<_> = all.into_iter().collect();
            if all.is_empty() {
                return Just((signature, None, None)).boxed();
            }
            select(all)
                .prop_flat_map(move |ground| {
                    let part = parts_of(&ground).prop_map(Some);
                    (Just(signature.clone()), Just(Some(ground)), part)
                })
                .boxed()
        })
    ) {
        if let (Some(ground), Some(given)) = (ground, given) {
            let relation = Relation::new(&signature).unwrap();
            let bounds = Bounds::new(2, 2);
            let found = relation.solutions(bounds, &given);
            let text = text_of(&signature);
            prop_assert!(given.admits(&ground));
            prop_assert!(found.contains(&ground), "{}", text);
            for ground in &found {
                prop_assert!(given.admits(ground), "{}", text);
                let holds = relation.holds(&ground.inputs, &ground.outputs, &ground.params);
                prop_assert_eq!(holds, Holds::Yes, "{}", text);
            }
        }
    }

    /// What is written is what is read.
    #[test]
    fn texts_parse_to_their_trees(
        signature in signatures_in(Style { dtypes: true, ..Style::default() })
    ) {
        let text = text_of(&signature);
        let read = parse_signature(&text);
        prop_assert!(read.is_ok(), "{}: {:?}", text, read);
        prop_assert_eq!(read.unwrap(), signature, "{}", text);
    }
}

/// Most generated signatures have solutions within small bounds.
#[test]
fn most_signatures_have_solutions() {
    let mut runner = TestRunner::deterministic();
    let bounds = Bounds::new(3, 3);
    let satisfiable = (0..200)
        .filter(|_| {
            let signature = signatures().new_tree(&mut runner).unwrap().current();
            let relation = Relation::new(&signature).unwrap();
            let (inputs, outputs) = relation.arity();
            let given = Partial::nothing(inputs, outputs);
            !relation.solutions_up_to(1, bounds, &given).is_empty()
        })
        .count();
    assert_eq!(satisfiable, 194, "of 200");
}
