//! What is printed reads back as the same tree, and prints the same again.

use kanshape_syntax::{parse_relations, relation};
use proptest::prelude::*;

use super::trees;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn files(file in trees::file()) {
        let print = file.to_string();
        let again = parse_relations(&print).map_err(|d| TestCaseError::fail(d.to_string()))?;
        prop_assert_eq!(&again, &file, "{}", print);
        prop_assert_eq!(again.to_string(), &*print);
        for warning in relation::warnings(&again, &print, |_| true) {
            prop_assert!(false, "{}", warning);
        }
    }
}
