//! What a model is made of: who wrote it, for which versions, and its operators by count.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::View;
use kanshape_batch::model::summary::operators;

/// The most operators that a line has.
const A_LINE: usize = 6;

impl View<'_, '_> {
    /// `producer pytorch 2.15`, `versions ai.onnx 17`, and how often it has which operator, those that are not loaded marked.
    pub(super) fn operators(&self, text: &mut String) {
        if let Some(producer) = self.model.producer() {
            let _ = writeln!(text, "producer {producer}");
        }
        let versions = self.model.versions().map(|(domain, version)| match domain {
            "" => format!("ai.onnx {version}"),
            domain => format!("{domain} {version}"),
        });
        let versions: Vec<String> = versions.collect();
        if !versions.is_empty() {
            let _ = writeln!(text, "versions {}", versions.join(", "));
        }
        let missing = self.report.untyped.iter().filter(|one| one.is_missing);
        let missing: BTreeSet<&str> = missing.map(|one| one.place.op.as_str()).collect();
        let counts = operators(self.model);
        let entries = counts
            .iter()
            .map(|(op, count)| match missing.contains(&**op) {
                true => format!("{count} {op} (not loaded)"),
                false => format!("{count} {op}"),
            });
        let entries: Vec<String> = entries.collect();
        for (i, some) in entries.chunks(A_LINE).enumerate() {
            let head = if i == 0 { "operators" } else { "         " };
            let end = if (i + 1) * A_LINE < entries.len() {
                ","
            } else {
                ""
            };
            let _ = writeln!(text, "{head} {}{end}", some.join(", "));
        }
    }
}
