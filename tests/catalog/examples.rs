//! Every example answers what it says; every entry has one forwards and one backwards.

use crate::ask;
use kanshape::Type;
use kanshape::catalog::{Catalog, Entry, Expected, Question};

fn wrong(entry: &Entry) -> Vec<String> {
    let signature = match ask::signature(entry) {
        Ok(signature) => signature,
        Err(mistake) => return vec![mistake.to_string()],
    };
    let check = |example: &kanshape::catalog::Example| {
        let mut answers = ask::query(&signature, example.question())
            .and_then(|query| query.solve())
            .map_err(|mistake| mistake.to_string())?;
        let most = match example.expected() {
            Expected::Answers { first, .. } => first.len(),
            Expected::Never => 0,
        };
        let found = ask::answered(&mut answers, most);
        if found == *example.expected() {
            return Ok(());
        }
        let expected = example.expected();
        Err(example
            .mistake("K0400", &format!("expected {expected:?}, found {found:?}"))
            .to_string())
    };
    entry
        .examples()
        .iter()
        .filter_map(|e| check(e).err())
        .collect()
}

#[test]
fn every_example_answers_what_it_says() {
    let wrong: Vec<String> = Catalog::builtin().iter().flat_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Is anything open that a call would give: an input or a parameter?
fn is_backwards(entry: &Entry, question: &Question) -> bool {
    let params = &entry.signature().unwrap().params;
    let given = |label: &str| question.params.iter().any(|p| p.0 == label && p.1 != "?");
    let open = |text: &String| {
        let ty: Type = text.parse().unwrap();
        !ty.as_tensor()
            .is_some_and(|tensor| tensor.shape.is_ground())
    };
    params.iter().any(|p| !given(&p.label.node)) || question.inputs.iter().any(open)
}

#[test]
fn every_entry_is_shown_forwards_and_backwards() {
    let mut lacking = Vec::new();
    for entry in Catalog::builtin() {
        let solved = entry
            .examples()
            .iter()
            .filter(|e| *e.expected() != Expected::Never);
        let (backwards, forwards): (Vec<_>, Vec<_>) =
            solved.partition(|e| is_backwards(entry, e.question()));
        if forwards.is_empty() || backwards.is_empty() {
            lacking.push(entry.name());
        }
    }
    assert!(lacking.is_empty(), "{lacking:?}");
}

#[test]
fn there_is_an_entry_for_everyday_work() {
    assert!(
        Catalog::builtin().len() >= 240,
        "{}",
        Catalog::builtin().len()
    );
}
