//! The engine, canrun's goals and brute force, each written apart from the others, find the same
//! ground answers, with every slot hidden in turn.

use crate::ground::{ground, query};
use kanshape::Signature;
use kanshape_canrun::SignatureGoals;
use kanshape_testkit::brute::Relation;
use kanshape_testkit::generate;
use kanshape_testkit::ground::{Bounds, Ground, Partial};
use proptest::prelude::*;
use std::collections::BTreeSet;

const SMALL: Bounds = Bounds {
    max_rank: 2,
    max_dim: 2,
};

fn by_engine(signature: &Signature, given: &Partial) -> Option<BTreeSet<Ground>> {
    let mut answers = query(signature, given)
        .max_rank(SMALL.max_rank as u64)
        .max_dim(SMALL.max_dim)
        .budget(300_000)
        .solve()
        .unwrap();
    let found = answers.by_ref().map(|a| ground(&a)).collect();
    answers.complete().then_some(found)
}

fn by_canrun(goals: &SignatureGoals, given: &Partial) -> BTreeSet<Ground> {
    let bounds = kanshape_canrun::Bounds::new(SMALL.max_rank, SMALL.max_dim);
    let found = goals.solutions(&given.inputs, &given.outputs, &given.params, bounds);
    found
        .unwrap()
        .into_iter()
        .map(|(inputs, outputs, params)| Ground {
            inputs,
            outputs,
            params,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases()))]

    #[test]
    fn agree(
        tree in generate::signatures_in(generate::Style {
            max_inputs: 2,
            max_outputs: 1,
            ..generate::Style::default()
        }),
        seed in any::<prop::sample::Index>(),
    ) {
        let text = kanshape_testkit::text::text_of(&tree);
        let signature: Signature = text.parse().unwrap();
        let relation = Relation::new(&tree).unwrap();
        let goals = SignatureGoals::new(&tree).unwrap();
        let (inputs, outputs) = relation.arity();
        let nothing = Partial::nothing(inputs, outputs);
        let all: Vec<Ground> = relation
            .solutions_up_to(100, SMALL, &nothing)
            .into_iter()
            .collect();
        let Some(one) = all.get(seed.index(all.len().max(1))) else {
            return Ok(());
        };
        for given in Partial::everything(one).each_hidden() {
            let expected = relation.solutions(SMALL, &given);
            if expected.len() > 300 {
                continue;
            }
            prop_assert_eq!(&by_canrun(&goals, &given), &expected, "canrun: {} {:?}", text, given);
            if let Some(found) = by_engine(&signature, &given) {
                prop_assert_eq!(&found, &expected, "engine: {} {:?}", text, given);
            }
        }
    }
}
