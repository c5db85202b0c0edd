//! `rules/everyday.kan`: each rule keeps types for all inputs, and its precondition is no stronger than that needs.

use kanshape::catalog;
use kanshape_rewrite::{Audit, Rules, Sound};

pub(crate) fn rules() -> Rules {
    let text = include_str!("../../rules/everyday.kan");
    Rules::load_str(catalog(), "everyday.kan", text).unwrap()
}

#[test]
fn each_rule_holds_always() {
    let rules = rules();
    assert!(rules.iter().len() >= 40, "{}", rules.iter().len());
    for rule in rules.iter() {
        let soundness = rule.checked().unwrap();
        assert_eq!(soundness.verdict, Sound::Always, "{rule:?}");
        assert_ne!(soundness.audit, Some(Audit::TooWeak), "{rule:?}");
    }
}
