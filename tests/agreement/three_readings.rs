//! The engine, canrun's goals and brute force, each written apart from the others, find the same
//! ground answers, with every slot hidden in turn.

use crate::ground::{ground, query};
use kanshape::Signature;
use kanshape::tree::Signature as Tree;
use kanshape_canrun::SignatureGoals;
use kanshape_testkit::brute::Relation;
use kanshape_testkit::generate;
use kanshape_testkit::ground::{Bounds, Ground, Partial};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::collections::BTreeSet;

const SMALL: Bounds = Bounds {
    max_rank: 2,
    max_dim: 2,
};

fn by_engine(signature: &Signature, given: &Partial) -> Option<BTreeSet<Ground>> {
    let mut answers = query(signature, given)
        .max_rank(SMALL.max_rank as u64)
        .ground()
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

/// How often the readings were compared, and why they were not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Compared {
    all_three: u64,
    /// The engine ran out of its budget.
    without_engine: u64,
    /// There are too many solutions to list.
    too_many: u64,
    /// There are none.
    no_solutions: u64,
}

fn agree(
    tree: &Tree,
    seed: prop::sample::Index,
    tally: &Cell<Compared>,
) -> Result<(), TestCaseError> {
    let mut counts = tally.get();
    let text = kanshape_testkit::text::text_of(tree);
    let signature: Signature = text.parse().unwrap();
    let relation = Relation::new(tree).unwrap();
    let goals = SignatureGoals::new(tree).unwrap();
    let (inputs, outputs) = relation.arity();
    let nothing = Partial::nothing(inputs, outputs);
    let all: Vec<Ground> = relation
        .solutions_up_to(100, SMALL, &nothing)
        .into_iter()
        .collect();
    match all.get(seed.index(all.len().max(1))) {
        None => counts.no_solutions += 1,
        Some(one) => {
            for given in Partial::everything(one).each_hidden() {
                let expected = relation.solutions_up_to(301, SMALL, &given);
                if expected.len() > 300 {
                    counts.too_many += 1;
                    continue;
                }
                let canrun = by_canrun(&goals, &given);
                prop_assert_eq!(&canrun, &expected, "canrun: {} {:?}", text, given);
                match by_engine(&signature, &given) {
                    Some(found) => {
                        prop_assert_eq!(&found, &expected, "engine: {} {:?}", text, given);
                        counts.all_three += 1;
                    }
                    None => counts.without_engine += 1,
                }
            }
        }
    }
    tally.set(counts);
    Ok(())
}

#[test]
fn the_three_agree() {
    let style = generate::Style {
        max_inputs: 2,
        max_outputs: 1,
        ..generate::Style::default()
    };
    let strategy = (generate::signatures_in(style), any::<prop::sample::Index>());
    let tally = Cell::new(Compared::default());
    let mut runner = TestRunner::new(ProptestConfig::with_cases(crate::cases()));
    let run = runner.run(&strategy, |(tree, seed)| agree(&tree, seed, &tally));
    run.unwrap_or_else(|failed| panic!("{failed}"));
    if crate::are_usual() {
        let known = Compared {
            all_three: 159,
            without_engine: 0,
            too_many: 2,
            no_solutions: 18,
        };
        assert_eq!(tally.get(), known);
    }
}
