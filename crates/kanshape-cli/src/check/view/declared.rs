//! What a model declares of its values against what has been found.

use std::fmt::Write;

use kanshape_onnx::Agreement;

use kanshape_batch::model::json::agreement as word;

use super::{View, count};

/// Longer names and types push what is behind them to the right.
const WIDEST: usize = 48;

/// All there are, in the order in which they are counted.
const ALL: [Agreement; 5] = [
    Agreement::Same,
    Agreement::Found,
    Agreement::Declared,
    Agreement::Both,
    Agreement::Contradicted,
];

impl View<'_, '_> {
    /// How many declared types are like the found ones, and a row for each that is not.
    pub(super) fn declared(&self, text: &mut String) {
        let all = &self.report.declared;
        let of = |kind| all.iter().filter(|one| one.agreement == kind).count();
        let counts = ALL.map(|kind| (of(kind), word(kind)));
        let counts = counts.into_iter().filter(|(n, _)| *n > 0);
        let counts: Vec<String> = counts.map(|(n, word)| format!("{n} {word}")).collect();
        let types = count(all.len(), "declared type");
        let _ = match counts.is_empty() {
            true => writeln!(text, "{types}"),
            false => writeln!(text, "{types}: {}", counts.join(", ")),
        };
        let rows = all.iter().filter(|one| one.agreement != Agreement::Same);
        let rows: Vec<[String; 4]> = rows
            .map(|one| {
                [
                    one.name.clone(),
                    one.declared.to_string(),
                    one.found.to_string(),
                    word(one.agreement).to_owned(),
                ]
            })
            .collect();
        if rows.is_empty() {
            return;
        }
        let head = ["value", "declared", "found", ""].map(str::to_owned);
        let width = |i: usize| {
            let cells = rows.iter().chain([&head]).map(|row| row[i].chars().count());
            cells.filter(|w| *w <= WIDEST).max().unwrap_or(0)
        };
        let [a, b, c] = [width(0), width(1), width(2)];
        let line = |row: &[String; 4]| {
            let [name, declared, found, word] = row;
            let line = format!("  {name:a$}  {declared:b$}  {found:c$}  {word}");
            line.trim_end().to_owned()
        };
        let _ = writeln!(text, "{}", self.screen.grey(line(&head)));
        for row in &rows {
            let _ = writeln!(text, "{}", line(row));
        }
    }
}
