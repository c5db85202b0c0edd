//! The rules of the data.

use std::path::Path;
use std::sync::OnceLock;
use std::thread;

use kanshape::catalog;
use kanshape_rewrite::{Bounds, Rule, Soundness};
use serde_json::Value;

/// A row of the data.
pub(crate) struct Row {
    at: usize,
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

    /// The rule, and what is found out of it; none if it has no text, or can't be checked. Each is checked once for all tests.
    pub(crate) fn checked(&self, bare: bool) -> Option<(Rule, &'static Soundness)> {
        static CHECKED: [OnceLock<Vec<Option<Soundness>>>; 2] = [OnceLock::new(), OnceLock::new()];
        let all = CHECKED[usize::from(bare)].get_or_init(|| checked(bare));
        Some((self.read(bare)?, all[self.at].as_ref()?))
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
    let row = |(at, line): (usize, &str)| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |field: &str| row[field].as_str().map(String::from);
        Row {
            at,
            name: text("name").unwrap(),
            rule: text("rule").map(|rule| [rule, text("bare").unwrap()]),
            reason: text("reason"),
            bounded: text("bounded"),
            max_rank: row["max_rank"].as_u64().unwrap_or(3),
        }
    };
    text.lines().enumerate().map(row).collect()
}

fn checked(bare: bool) -> Vec<Option<Soundness>> {
    let rows = rows();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let check = |row: &Row| row.read(bare)?.checked().ok();
    thread::scope(|scope| {
        let parts = rows.chunks(rows.len().div_ceil(threads));
        let parts = parts.map(|part| scope.spawn(|| part.iter().map(check).collect::<Vec<_>>()));
        let parts: Vec<_> = parts.collect();
        let parts = parts.into_iter().map(|part| part.join().unwrap());
        parts.flatten().collect()
    })
}
