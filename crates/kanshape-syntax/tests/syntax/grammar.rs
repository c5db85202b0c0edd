//! The examples in the comments of the grammars read, and print to what reads again.

use kanshape_syntax::{parse_condition, parse_expr, parse_relations, parse_signature, parse_type};

const GRAMMARS: [&str; 2] = [
    include_str!("../../grammar/signature.lalrpop"),
    include_str!("../../grammar/relation.lalrpop"),
];

/// The canonical print of a text.
fn print(kind: &str, text: &str) -> String {
    let print = match kind {
        "signature" => parse_signature(text).map(|tree| tree.to_string()),
        "type" => parse_type(text).map(|tree| tree.to_string()),
        "condition" => parse_condition(text).map(|tree| tree.to_string()),
        "expr" => parse_expr(text).map(|tree| tree.to_string()),
        "clause" | "op" | "rule" => parse_relations(text).map(|tree| tree.to_string()),
        _ => panic!("there is no text called {kind}"),
    };
    print.unwrap_or_else(|d| panic!("{d}"))
}

#[test]
fn examples() {
    let mut count = 0;
    for line in GRAMMARS.iter().flat_map(|grammar| grammar.lines()) {
        let Some(example) = line.trim().strip_prefix("// example ") else {
            continue;
        };
        let (kind, text) = example.split_once(": ").unwrap();
        if text == "..." || kind == "TEXT" {
            continue;
        }
        let once = print(kind, text);
        assert_eq!(print(kind, &once), once, "{text}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}

/// Every rule whose name stands for something in the language shows what it reads.
#[test]
fn every_section_has_examples() {
    let sections = GRAMMARS
        .iter()
        .flat_map(|grammar| grammar.split("// -----").skip(1));
    for section in sections {
        let title = section.lines().next().unwrap().trim_matches(['-', ' ']);
        if title != "helpers" {
            assert!(section.contains("// example "), "{title}");
        }
    }
}
