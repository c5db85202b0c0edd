//! Ground answers are exactly the solutions that brute force finds, whatever is hidden.

use kanshape::tree::Signature as Tree;
use kanshape::{Answer, Dim, Query, Shape, Signature, Type, Verdict};
use kanshape_testkit::brute::Relation;
use kanshape_testkit::generate;
use kanshape_testkit::ground::{Bounds, Ground, Holds, Partial, PartialShape};
use proptest::prelude::*;
use std::collections::BTreeSet;

pub(crate) const BOUNDS: Bounds = Bounds {
    max_rank: 3,
    max_dim: 3,
};

pub(crate) fn ty(shape: &PartialShape) -> Type {
    match shape {
        None => Type::UNKNOWN,
        Some(dims) => Type::tensor(
            kanshape::Dtype::F32,
            dims.iter().map(|d| d.map_or(Dim::Hole, Dim::Size)),
        ),
    }
}

pub(crate) fn query(signature: &Signature, given: &Partial) -> Query {
    let mut query = signature
        .query()
        .inputs(given.inputs.iter().map(ty))
        .outputs(given.outputs.iter().map(ty));
    for (label, value) in &given.params {
        query = query.param(label, Dim::Size(*value));
    }
    query
}

fn sizes(shape: &Shape) -> Vec<u64> {
    shape.iter().map(|d| d.size().unwrap()).collect()
}

pub(crate) fn ground(answer: &Answer) -> Ground {
    let shapes = |types: &[Type]| {
        types
            .iter()
            .map(|t| sizes(&t.as_tensor().unwrap().shape))
            .collect()
    };
    Ground {
        inputs: shapes(&answer.inputs),
        outputs: shapes(&answer.outputs),
        params: answer
            .params
            .iter()
            .map(|(name, value)| (name.to_string(), value.size().unwrap()))
            .collect(),
    }
}

/// Does the relation hold after all, for a greater value of a name that no operand shows than those that
/// are tried for every solution?
pub(crate) fn holds_further_out(relation: &Relation, solution: &Ground) -> bool {
    let further = relation.clone().searching_to(400);
    let Ground {
        inputs,
        outputs,
        params,
    } = solution;
    further.holds(inputs, outputs, params) != Holds::No
}

/// Checks one signature with one thing after another hidden.
pub(crate) fn check(text: &str, relation: &Relation, given: &Partial) -> Result<(), TestCaseError> {
    let signature: Signature = text.parse().unwrap();
    let expected = relation.solutions_up_to(3_001, BOUNDS, given);
    if expected.len() > 3_000 {
        return Ok(());
    }
    let mut answers = query(&signature, given)
        .max_rank(BOUNDS.max_rank as u64)
        .ground()
        .max_dim(BOUNDS.max_dim)
        .budget(300_000)
        .solve()
        .unwrap();
    let found: Vec<Ground> = answers.by_ref().map(|a| ground(&a)).collect();
    if answers.is_stopped() {
        return Ok(());
    }
    let set: BTreeSet<Ground> = found.iter().cloned().collect();
    prop_assert_eq!(
        set.len(),
        found.len(),
        "repeated answers of {} {:?}",
        text,
        given
    );
    let missing: Vec<_> = expected.difference(&set).take(3).collect();
    let extra = set
        .difference(&expected)
        .filter(|g| !holds_further_out(relation, g));
    let invented: Vec<_> = extra.take(3).collect();
    prop_assert!(
        missing.is_empty() && invented.is_empty(),
        "{} given {:?}\n missing {:?}\n invented {:?}",
        text,
        given,
        missing,
        invented
    );
    prop_assert!(answers.complete(), "{} {:?} is not complete", text, given);
    if expected.is_empty() {
        prop_assert_eq!(answers.verdict(), Verdict::Never);
    }
    Ok(())
}

/// A signature, and shapes for its operands of which not everything is known.
pub(crate) fn partly_known() -> impl Strategy<Value = (Tree, Partial)> {
    generate::signatures().prop_flat_map(|tree| {
        let relation = Relation::new(&tree).unwrap();
        let (inputs, outputs) = relation.arity();
        (Just(tree), generate::partials(inputs, outputs, BOUNDS))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases()))]

    #[test]
    fn ground_answers_are_the_solutions(
        tree in generate::signatures(),
        seed in any::<prop::sample::Index>(),
    ) {
        let text = kanshape_testkit::text::text_of(&tree);
        let relation = Relation::new(&tree).unwrap().searching_to(12);
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
        let relation = Relation::new(&tree).unwrap().searching_to(12);
        check(&text, &relation, &given)?;
    }
}
