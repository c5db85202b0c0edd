//! Garbage is garbage, and near enough to the language to be worth reading.

use kanshape_syntax::parse_signature;
use kanshape_testkit::generate::{garbage, signature_texts, spoilt};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn readable(texts: impl Strategy<Value = String>) -> usize {
    let mut runner = TestRunner::deterministic();
    (0..500)
        .filter(|_| {
            let text = texts.new_tree(&mut runner).unwrap().current();
            parse_signature(&text).is_ok()
        })
        .count()
}

#[test]
fn few_spoilt_texts_are_still_signatures() {
    assert_eq!(readable(signature_texts()), 500);
    let spoilt = readable(spoilt(signature_texts()));
    assert!(
        (5..150).contains(&spoilt),
        "{spoilt} of 500 spoilt texts are read"
    );
    let garbage = readable(garbage());
    assert!(garbage < 100, "{garbage} of 500 garbage texts are read");
}
