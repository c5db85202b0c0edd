//! `Broadcast` in text has the answers of the signature `+(),()->()`.

use super::{ground, query};
use kanshape::{Relations, Signature, Type};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn built_in(types: &[&str], max_rank: u64, max_dim: u64) -> BTreeSet<String> {
    let add: Signature = "+(),()->()".parse().unwrap();
    let mut types: Vec<Type> = types.iter().map(|t| t.parse().unwrap()).collect();
    let output = types.pop().unwrap();
    let query = add.query().inputs(types).output(0, output);
    let query = query.max_rank(max_rank).ground().max_dim(max_dim);
    query.solve().unwrap().map(|a| a.to_string()).collect()
}

fn dim() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0u64..4).prop_map(|n| n.to_string()),
        1 => Just("?".to_string()),
        1 => prop_oneof![Just("n"), Just("m")].prop_map(str::to_string),
    ]
}

fn ty() -> impl Strategy<Value = String> {
    let dims = prop::collection::vec(dim(), 0..4);
    prop_oneof![
        5 => dims.prop_map(|dims| format!("f32[{}]", dims.join(", "))),
        1 => Just("f32[...]".to_string()),
        1 => Just("f32[...r, 2]".to_string()),
        1 => Just("?".to_string()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_text_says_the_same(a in ty(), b in ty(), c in ty()) {
        let standard = Relations::standard();
        let types = [a.as_str(), b.as_str(), c.as_str()];
        let text = ground(&standard, "Broadcast", &types, 2, 3);
        let distinct: BTreeSet<String> = text.iter().cloned().collect();
        prop_assert_eq!(distinct.len(), text.len(), "an answer was given twice");
        prop_assert_eq!(distinct, built_in(&types, 2, 3));
    }
}

#[test]
fn all_of_rank_two_and_dims_up_to_two() {
    let standard = Relations::standard();
    let types = ["f32[...]", "f32[...]", "f32[...]"];
    let text: BTreeSet<String> = ground(&standard, "Broadcast", &types, 2, 2)
        .into_iter()
        .collect();
    assert_eq!(text, built_in(&types, 2, 2));
}

#[test]
fn backwards_it_lists_what_broadcasts() {
    let standard = Relations::standard();
    let found = ground(&standard, "Broadcast", &["?", "?", "f32[8, 7]"], 2, 8);
    assert_eq!(found.len(), 17);
    let mut first = query(&standard, "Broadcast", &["f32[3, 1]", "f32[4]", "?"])
        .solve()
        .unwrap();
    assert_eq!(first.next().unwrap().outputs[0].to_string(), "f32[3, 4]");
    assert!(first.next().is_none());
}
