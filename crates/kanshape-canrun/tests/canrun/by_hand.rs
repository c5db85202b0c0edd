//! Written by hand or from a signature: the same answers.

use std::collections::BTreeMap;

use canrun::Query;
use kanshape_canrun::by_hand::{pairs, product, second_factor, sum};
use kanshape_canrun::{Bounds, Known, Misuse, SignatureGoals, known};
use kanshape_syntax::parse_signature;

fn goals(text: &str) -> SignatureGoals {
    SignatureGoals::new(&parse_signature(text).unwrap()).unwrap()
}

fn sizes(shape: &[u64]) -> Known {
    Some(shape.iter().copied().map(Some).collect())
}

#[test]
fn forwards() {
    let none = BTreeMap::new();
    let bounds = Bounds::new(4, 8);
    let given = [sizes(&[2, 3]), sizes(&[3, 4])];
    let found = goals("(m,n),(n,p)->(m,p)").solutions(&given, &[None], &none, bounds);
    let (_, product) = product("f32", &[2, 3], &[3, 4]).unwrap();
    assert_eq!(found.unwrap()[0].1, [product]);

    let given = [sizes(&[8, 1, 6, 1]), sizes(&[7, 1, 5])];
    let found = goals("+(),()->()").solutions(&given, &[None], &none, bounds);
    assert_eq!(
        found.unwrap()[0].1,
        [sum(&[8, 1, 6, 1], &[7, 1, 5]).unwrap()]
    );
}

#[test]
fn backwards() {
    let rank_4 = Some(vec![None; 4]);
    let found = goals("+(),()->()").solutions(
        &[rank_4.clone(), rank_4],
        &[sizes(&[8, 7, 6, 5])],
        &BTreeMap::new(),
        Bounds::new(4, 8),
    );
    let found = found.unwrap().into_iter();
    let found: Vec<_> = found
        .map(|(inputs, _, _)| (inputs[0].clone(), inputs[1].clone()))
        .collect();
    let mut by_hand = pairs(&[8, 7, 6, 5]);
    by_hand.sort();
    assert_eq!(found, by_hand);
    assert_eq!(second_factor("f32", 3, &[2, 4]), None);
}

#[test]
fn the_states_of_a_signature_are_ready_for_query() {
    let (a, b) = (canrun::Value::var(), canrun::Value::var());
    let signature = goals("+(m?,n),(n,p?)->(m?,p?) where n % 2 == 0").goal(
        &[a.clone(), b.clone()],
        &[known(&[3])],
        &[],
        Bounds::new(2, 3),
    );
    let found: Vec<(Vec<u64>, Vec<u64>)> = signature.unwrap().query((a, b)).collect();
    assert!(found.contains(&(vec![3, 2], vec![2])));
    assert!(found.contains(&(vec![2], vec![2, 3])));
    // The first factor is a vector or the second is; `n` is 0 or 2.
    assert_eq!(found.len(), 4);
}

#[test]
fn misuse_is_refused() {
    let goals = goals("[stride: s] (n)->(n//s)");
    let bounds = Bounds::new(1, 1);
    let wanted = Misuse::Operands {
        wanted: (1, 1),
        given: (0, 1),
    };
    assert_eq!(
        goals.goal(&[], &[known(&[1])], &[], bounds).unwrap_err(),
        wanted
    );
    let shapes = [known(&[1])];
    let typo = goals.goal(&shapes, &shapes, &[("strife", 1.into())], bounds);
    assert_eq!(typo.unwrap_err(), Misuse::Parameter("strife".to_owned()));
}
