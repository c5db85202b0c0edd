//! `docs/relations.md` and `docs/operators.md` show what reads, without a warning.

use kanshape_syntax::{parse_relations, relation};

const RELATIONS: &str = include_str!("../../../../../docs/relations.md");
const OPERATORS: &str = include_str!("../../../../../docs/operators.md");

#[test]
fn blocks_read() {
    for page in [RELATIONS, OPERATORS] {
        let blocks: Vec<&str> = page.split("```kan\n").skip(1).collect();
        assert!(blocks.len() > 4);
        for block in blocks {
            let text = block.split("```").next().unwrap();
            let file = parse_relations(text).unwrap_or_else(|d| panic!("{d}"));
            assert_eq!(parse_relations(&file.to_string()).unwrap(), file);
            let warnings = relation::warnings(&file, text, |name| name.starts_with('f'));
            assert_eq!(warnings, [], "{text}");
        }
    }
}

/// What the table of a section writes between backquotes on the left.
fn written(page: &'static str, title: &str) -> Vec<&'static str> {
    let after = page.split(title).nth(1).unwrap();
    let rows = after.split("\n## ").next().unwrap().lines();
    let rows = rows.filter(|line| line.starts_with("| `"));
    rows.map(|row| row.split(" | ").next().unwrap())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

/// What the tables write on the left reads as a goal, or as a term.
#[test]
fn tables_read() {
    for goal in written(RELATIONS, "\n## Goals") {
        if matches!(goal, "<=" | ">" | ">=") {
            continue;
        }
        let goal = goal
            .replace("a, b", "A(), B()")
            .replace("a ; b", "A() ; B()");
        let goal = goal.replace(", c", ", C()");
        parse_relations(&format!("A() :- {goal}")).unwrap_or_else(|d| panic!("{d}"));
    }
    for term in written(RELATIONS, "\n## Terms") {
        parse_relations(&format!("A({term})")).unwrap_or_else(|d| panic!("{d}"));
    }
}

/// What the tables write on the left reads where it belongs in an operator.
#[test]
fn tables_of_operators_read() {
    let read = |text: &str| {
        let file = parse_relations(text).unwrap_or_else(|d| panic!("{d}"));
        assert_eq!(file.ops.len(), 1, "{text}");
    };
    read(&written(OPERATORS, "\n## The parts of an operator").join("\n"));
    for attr in written(OPERATORS, "\n## Attributes") {
        read(&format!("op F [{attr}] () -> ()"));
    }
    for operand in written(OPERATORS, "\n## Inputs and outputs") {
        read(&format!("op F({operand}) -> ()"));
        read(&format!("op F() -> ({operand})"));
    }
    for goal in written(OPERATORS, "\n## Contents") {
        read(&format!("op F(s) -> () :- {goal}"));
    }
}
