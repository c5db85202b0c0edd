//! What is printed reads back as the same tree, and prints the same again.

use crate::trees;

use std::fmt::{Debug, Display};

use kanshape_diag::Diagnostic;
use kanshape_syntax::{parse_condition, parse_conditions, parse_expr, parse_signature, parse_type};
use proptest::prelude::*;

fn identity<T: Display + Debug + PartialEq>(
    tree: &T,
    parse: impl Fn(&str) -> Result<T, Diagnostic>,
) -> Result<(), TestCaseError> {
    let print = tree.to_string();
    let again = parse(&print).map_err(|d| TestCaseError::fail(d.to_string()))?;
    prop_assert_eq!(&again, tree, "{}", print);
    prop_assert_eq!(again.to_string(), print);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn signatures(tree in trees::signature()) {
        identity(&tree, parse_signature)?;
    }

    #[test]
    fn types(tree in trees::type_text()) {
        identity(&tree, parse_type)?;
    }

    #[test]
    fn conditions(tree in trees::condition()) {
        identity(&tree, parse_condition)?;
    }

    #[test]
    fn lists_of_conditions(trees in prop::collection::vec(trees::condition(), 1..4)) {
        let print: Vec<String> = trees.iter().map(ToString::to_string).collect();
        prop_assert_eq!(&parse_conditions(&print.join(", ")).unwrap(), &trees);
        prop_assert_eq!(&parse_conditions(&print.join(" and ")).unwrap(), &trees);
    }

    #[test]
    fn exprs(tree in trees::whole_expr()) {
        identity(&tree, parse_expr)?;
    }
}
