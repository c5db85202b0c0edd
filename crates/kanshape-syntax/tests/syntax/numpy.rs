//! What NumPy accepts as a signature, and what is accepted beyond it.

use kanshape_syntax::parse_signature;

const RECORDED: &str = include_str!("../data/numpy_signatures.tsv");

/// The recorded strings, and whether NumPy accepts them.
fn recorded() -> impl Iterator<Item = (bool, String)> {
    RECORDED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (accepted, text) = line.split_once('\t').unwrap();
            (accepted == "yes", text.replace("\\t", "\t"))
        })
}

#[test]
fn what_numpy_accepts_reads() {
    let mut count = 0;
    for (_, text) in recorded().filter(|(accepted, _)| *accepted) {
        parse_signature(&text).unwrap_or_else(|d| panic!("{d}"));
        count += 1;
    }
    assert!(count > 60, "{count}");
}

#[test]
fn what_is_accepted_beyond_numpy() {
    let beyond: Vec<String> = recorded()
        .filter(|(accepted, text)| !accepted && parse_signature(text).is_ok())
        .map(|(_, text)| text)
        .collect();
    insta::assert_snapshot!(beyond.join("\n"));
}
