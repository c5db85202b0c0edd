//! Relations in text, solved forwards, backwards and sideways.
#![allow(clippy::unwrap_used, missing_docs)]

mod attributes;
mod broadcast;
mod directions;
mod extremes;
mod goals;
mod limits;
mod lists;
mod mistakes;
mod own_types;
mod page;
mod polynomials;
mod rust;

use kanshape::{Answers, Query, Relations, Type};

/// The relations of a text, which has no mistakes in it.
pub fn load(text: &str) -> Relations {
    let relations = Relations::load_str("test.kan", text).unwrap_or_else(|d| panic!("{d}"));
    let warnings: Vec<String> = relations.warnings().map(|d| d.to_string()).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
    relations
}

/// A relation of these types, the last of which is the output.
pub fn query(relations: &Relations, name: &str, types: &[&str]) -> Query {
    let signature = relations.signature(name).unwrap_or_else(|d| panic!("{d}"));
    let mut types: Vec<Type> = types.iter().map(|t| t.parse().unwrap()).collect();
    let output = types.pop().unwrap();
    signature.query().inputs(types).output(0, output)
}

/// At most this many answers, as they are printed.
pub fn ask(relations: &Relations, name: &str, types: &[&str], most: usize) -> Vec<String> {
    let answers: Answers = query(relations, name, types).limit(most).solve().unwrap();
    answers.map(|a| a.to_string()).collect()
}

/// All answers: the search has to come to its end.
pub fn all(relations: &Relations, name: &str, types: &[&str]) -> Vec<String> {
    let mut answers = query(relations, name, types).solve().unwrap();
    let found: Vec<String> = answers.by_ref().map(|a| a.to_string()).collect();
    assert!(answers.complete(), "{name}{types:?}: {found:#?}");
    found
}

/// All ground answers within bounds.
pub fn ground(
    relations: &Relations,
    name: &str,
    types: &[&str],
    max_rank: u64,
    max_dim: u64,
) -> Vec<String> {
    let query = query(relations, name, types)
        .max_rank(max_rank)
        .ground()
        .max_dim(max_dim);
    let mut answers = query.solve().unwrap();
    let found: Vec<String> = answers.by_ref().map(|a| a.to_string()).collect();
    assert!(answers.complete(), "{name}{types:?}: {found:#?}");
    found
}
