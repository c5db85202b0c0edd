//! kanshape reads every signature that NumPy reads, and those beyond are the ones that
//! `docs/beyond-numpy.md` lists.

use kanshape::Signature;
use serde::Deserialize;
use std::collections::BTreeSet;

/// A row of `numpy_signature_parse.jsonl`.
#[derive(Deserialize)]
struct Row {
    signature: String,
    accepted: bool,
}

fn rows() -> Vec<Row> {
    include_str!("../data/numpy/numpy_signature_parse.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The page's list items that are signatures: `` - `(n,)->()` ``.
fn listed() -> BTreeSet<&'static str> {
    include_str!("../../docs/beyond-numpy.md")
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.strip_suffix('`'))
        .collect()
}

#[test]
fn what_numpy_reads_is_read() {
    let refused: Vec<String> = rows()
        .into_iter()
        .filter(|row| row.accepted)
        .filter_map(|row| row.signature.parse::<Signature>().err())
        .map(|e| e.to_string())
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
}

#[test]
fn what_is_read_beyond_is_on_the_page() {
    let rows = rows();
    let beyond: BTreeSet<&str> = rows
        .iter()
        .filter(|row| !row.accepted && row.signature.parse::<Signature>().is_ok())
        .map(|row| row.signature.as_str())
        .collect();
    assert_eq!(beyond, listed());
}
