//! The canrun reading and brute force have the same solutions.

use std::collections::BTreeSet;

use kanshape_canrun::{Bounds, SignatureGoals};
use kanshape_syntax::parse_signature;
use kanshape_syntax::tree::Signature;
use kanshape_testkit::brute::Relation;
use kanshape_testkit::generate::{Style, parts_of, signatures_in};
use kanshape_testkit::ground::{self, Ground, Partial};
use kanshape_testkit::text::text_of;
use proptest::prelude::*;
use proptest::sample::Index;

/// The lines of the language, and some that meet in its corners.
const LINES: &[&str] = &[
    "(d),(d)->()",
    "(m,n),(n,p)->(m,p)",
    "(M,.k.),(J,.k.)->(J,.k.)",
    "(M,.1.),(J,.1.)->(J,.1.)",
    "(d)->()",
    "(d,...)->(...)",
    "(.1.,d,...)->(.1.,...)",
    "(.2.,d,...)->(.2.,...)",
    "(.2.,d,...,k,.1.)->(.2.,...,.1.)",
    "(2)->()",
    "(2,.2.)->()",
    "+(d)->()",
    "=(d),(d)->()",
    "+(),()->()",
    "=(),()->()",
    "=(),(),()->(3,)",
    "+2(d),(d)->()",
    "=2(d),(d)->()",
    "+(m?,n),(n,p?)->(m?,p?)",
    "(.k.)->(k):i64",
    "(m,n):t,(n,p):t->(m,p):t",
    "(n)->():i64",
    "(a):x,(b):y->(a+b):promote(x,y)",
    "(d,...r)->(d,prod(...r))",
    "(m),(n)->(min(m,n))",
    "(n,d)->(p)",
    "(n|1),(n|1)->(n)",
    "+(m?,n),(n,m?)->(m?)",
    "+(d,...),(d,...)->(...)",
    "+(.1.),(.1.)->(prod(...)), (...)",
    "+(...)->()",
    "+(n,...r),(n,...r)->(...r)",
    "(a),(b)->(a//(b - 3) + 4),(a%(b - 3) + 3)",
    "+(.k.),(.k.)->(k)",
    "(n//2)->()",
    "(3?,n)->(3?)",
    "[s] (h)->((h - 2)//s + 1) where s >= 1",
    "[k] (.k.)->()",
    "(n)->(m) where m in {1, 3}, n % 2 == 0",
    "(a),(b)->(c) where c == broadcast(a, b)",
    "(...r),(...s)->(...t) where ...t == broadcast(...r, ...s)",
    "->(n)",
    "+->(n)",
    "(n),(n)->",
    "(dim a, dim b, dtype x, dtype y) -> (Tensor((a,), x), Tensor((b,), y)) \
     -> Tensor((ConcatDim([a, b]),), PromotedDType([x, y]))",
    "forall (Lhs : Type) (Rhs : Type) (Out : Type), Broadcast(Lhs, Rhs, Out) => (Lhs, Rhs) -> Out",
];

/// The bounds, or greater ones where a signature has no solutions in them.
fn bounds_for(signature: &Signature, wanted: ground::Bounds) -> ground::Bounds {
    let relation = Relation::new(signature).unwrap();
    let (inputs, outputs) = relation.arity();
    let nothing = Partial::nothing(inputs, outputs);
    [wanted, ground::Bounds::new(2, 3), ground::Bounds::new(6, 2)]
        .into_iter()
        .find(|bounds| !relation.solutions_up_to(1, *bounds, &nothing).is_empty())
        .unwrap()
}

fn brute(signature: &Signature, bounds: ground::Bounds, given: &Partial) -> BTreeSet<Ground> {
    Relation::new(signature).unwrap().solutions(bounds, given)
}

fn canrun(signature: &Signature, bounds: ground::Bounds, given: &Partial) -> BTreeSet<Ground> {
    let goals = SignatureGoals::new(signature).unwrap();
    let bounds = Bounds::new(bounds.max_rank, bounds.max_dim);
    let found = goals.solutions(&given.inputs, &given.outputs, &given.params, bounds);
    let count = found.as_ref().unwrap().len();
    let found: BTreeSet<Ground> = found
        .unwrap()
        .into_iter()
        .map(|(inputs, outputs, params)| Ground {
            inputs,
            outputs,
            params,
        })
        .collect();
    assert_eq!(found.len(), count, "each solution comes once");
    found
}

fn check(signature: &Signature, bounds: ground::Bounds, given: &Partial) -> BTreeSet<Ground> {
    let expected = brute(signature, bounds, given);
    let found = canrun(signature, bounds, given);
    assert_eq!(found, expected, "{} given {given:?}", text_of(signature));
    found
}

/// Some of a list, spread over it.
fn some_of<T>(all: impl IntoIterator<Item = T>, count: usize) -> Vec<T> {
    let all: Vec<T> = all.into_iter().collect();
    let step = (all.len() / count).max(1);
    all.into_iter().step_by(step).take(count).collect()
}

#[test]
fn all_solutions_of_the_lines() {
    for line in LINES {
        let signature = parse_signature(line).unwrap();
        let (inputs, outputs) = Relation::new(&signature).unwrap().arity();
        let bounds = bounds_for(&signature, ground::Bounds::new(2, 2));
        check(&signature, bounds, &Partial::nothing(inputs, outputs));
    }
}

#[test]
fn every_slot_of_the_lines_hidden_in_turn() {
    for line in LINES {
        let signature = parse_signature(line).unwrap();
        let (inputs, outputs) = Relation::new(&signature).unwrap().arity();
        let bounds = bounds_for(&signature, ground::Bounds::new(3, 3));
        let nothing = Partial::nothing(inputs, outputs);
        let all = Relation::new(&signature)
            .unwrap()
            .solutions_up_to(2000, bounds, &nothing);
        for ground in some_of(all, 3) {
            let everything = Partial::everything(&ground);
            let mut hidden = everything.each_hidden();
            // All of them hidden is the other test.
            hidden.pop();
            for given in hidden {
                let found = check(&signature, bounds, &given);
                assert!(found.contains(&ground), "{line} given {given:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_solutions_of_generated_signatures(signature in signatures_in(Style::default())) {
        let (inputs, outputs) = Relation::new(&signature).unwrap().arity();
        check(&signature, ground::Bounds::new(2, 2), &Partial::nothing(inputs, outputs));
    }

    #[test]
    fn every_slot_of_generated_signatures_hidden_in_turn(
        (signature, ground, given) in signatures_in(Style::default()).prop_flat_map(some_part_of_it)
    ) {
        let bounds = ground::Bounds::new(3, 3);
        let mut all_given = vec![given];
        if let Some(ground) = &ground {
            let everything = Partial::everything(ground);
            all_given.extend(everything.each_hidden());
            all_given.pop();
        }
        for given in all_given {
            check(&signature, bounds, &given);
        }
    }
}

/// A signature, a solution of it if there is one, and something that is known of that.
fn some_part_of_it(
    signature: Signature,
) -> impl Strategy<Value = (Signature, Option<Ground>, Partial)> {
    let relation = Relation::new(&signature).unwrap();
    let (inputs, outputs) = relation.arity();
    let nothing = Partial::nothing(inputs, outputs);
    let all = relation.solutions_up_to(400, ground::Bounds::new(3, 3), &nothing);
    let all: Vec<Ground> = all.into_iter().collect();
    any::<Index>().prop_flat_map(move |at| {
        if all.is_empty() {
            let scalars = Partial {
                inputs: vec![Some(Vec::new()); inputs],
                ..Partial::nothing(inputs, outputs)
            };
            return Just((signature.clone(), None, scalars)).boxed();
        }
        let ground = at.get(&all).clone();
        let signature = signature.clone();
        parts_of(&ground)
            .prop_map(move |part| (signature.clone(), Some(ground.clone()), part))
            .boxed()
    })
}

/// Both readings are about shapes of numbers, and say so of whatever is more.
#[test]
fn what_is_more_than_a_shape_is_refused() {
    for line in [
        "(6@district)->()",
        "(n)->() where n != 6@district",
        "A->A",
        "(n),t[n]->()",
    ] {
        let signature = parse_signature(line).unwrap();
        assert!(SignatureGoals::new(&signature).is_err(), "{line}");
        assert!(Relation::new(&signature).is_err(), "{line}");
    }
}
