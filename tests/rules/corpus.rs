//! The rules of the data.

use std::path::Path;

use kanshape::catalog;
use kanshape_rewrite::{Bounds, Rule};
use serde_json::Value;

/// A row of the data.
pub(crate) struct Row {
    pub(crate) name: String,
    /// The rule with what its source says has to hold, and without.
    pub(crate) rule: Option<[String; 2]>,
    /// Why it has no text.
    pub(crate) reason: Option<String>,
    /// What brute force over small shapes has found without a precondition: `holds` or `fails`.
    pub(crate) bounded: Option<String>,
    max_rank: u64,
}

impl Row {
    /// The rule with its precondition, or without.
    pub(crate) fn read(&self, bare: bool) -> Option<Rule> {
        self.rule.as_ref()?;
        Some(self.of_text(self.text(bare)))
    }

    /// The text of the rule with its precondition, or without.
    pub(crate) fn text(&self, bare: bool) -> &str {
        self.rule
            .as_ref()
            .map_or("", |rule| &rule[usize::from(bare)])
    }

    /// Another rule with the same bounds.
    pub(crate) fn of_text(&self, text: &str) -> Rule {
        let rule = Rule::read(catalog(), text, []);
        let rule = rule.unwrap_or_else(|why| panic!("{}: {text}: {why}", self.name));
        rule.bounds(Bounds {
            max_rank: self.max_rank,
            max_dim: 3,
        })
    }
}

pub(crate) fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/rewrite_rules.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |field: &str| row[field].as_str().map(String::from);
        Row {
            name: text("name").unwrap(),
            rule: text("rule").map(|rule| [rule, text("bare").unwrap()]),
            reason: text("reason"),
            bounded: text("bounded"),
            max_rank: row["max_rank"].as_u64().unwrap_or(3),
        }
    };
    text.lines().map(row).collect()
}
