//! `docs/relations.md` shows what reads, without a warning.

use kanshape_syntax::{parse_relations, relation};

const PAGE: &str = include_str!("../../../../docs/relations.md");

#[test]
fn blocks_read() {
    let blocks: Vec<&str> = PAGE.split("```kan\n").skip(1).collect();
    assert!(blocks.len() > 4);
    for block in blocks {
        let text = block.split("```").next().unwrap();
        let file = parse_relations(text).unwrap_or_else(|d| panic!("{d}"));
        assert_eq!(parse_relations(&file.to_string()).unwrap(), file);
        let warnings = relation::warnings(&file, text, |name| name.starts_with('f'));
        assert_eq!(warnings, [], "{text}");
    }
}

/// What the tables write between backquotes on the left reads as a goal, or as a term.
#[test]
fn tables_read() {
    let section = |title: &str| {
        let after = PAGE.split(title).nth(1).unwrap();
        let rows = after.split("\n## ").next().unwrap().lines();
        let rows = rows.filter(|line| line.starts_with("| `"));
        rows.map(|row| row.split(" | ").next().unwrap())
            .flat_map(|cell| cell.split('`').skip(1).step_by(2))
            .filter(|written| !matches!(*written, "<=" | ">" | ">="))
            .collect::<Vec<_>>()
    };
    for goal in section("\n## Goals") {
        let goal = goal
            .replace("a, b", "A(), B()")
            .replace("a ; b", "A() ; B()");
        let goal = goal.replace(", c", ", C()");
        parse_relations(&format!("A() :- {goal}")).unwrap_or_else(|d| panic!("{d}"));
    }
    for term in section("\n## Terms") {
        parse_relations(&format!("A({term})")).unwrap_or_else(|d| panic!("{d}"));
    }
}
