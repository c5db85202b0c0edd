//! The memory that the values of a model take, and the multiplications that its nodes do.

use std::cmp::Reverse;
use std::fmt::Write;

use kanshape::Dim;
use kanshape_onnx::{ASSUMED_SIZE, cost};

use super::nodes::place;
use super::{View, count};

/// The most values and nodes that are shown, the largest ones, unless all are requested.
const LARGEST: usize = 8;

impl View<'_, '_> {
    /// Memory, then multiplications: the largest, or all if all values or all nodes are requested.
    pub(super) fn bytes(&self, text: &mut String) {
        let cost = cost(self.model, self.report);
        let weights = self.model.initializers().count();
        let _ = writeln!(
            text,
            "memory: {} in {}",
            size(&cost.weights, "B"),
            count(weights, "weight")
        );
        if let Some(peak) = &cost.peak {
            let assumed = match peak.is_assumed {
                true => format!(", the most where every open size is {ASSUMED_SIZE}"),
                false => String::new(),
            };
            let peak_at = place(&peak.node);
            let bytes = size(&peak.bytes, "B");
            let _ = writeln!(
                text,
                "  peak of the other values: {bytes} at {peak_at}{assumed}"
            );
        }
        if cost.unknown > 0 {
            let unknown = count(cost.unknown, "value");
            let _ = writeln!(text, "  not counted: {unknown} whose size is not known");
        }
        let values = cost
            .values
            .iter()
            .map(|(name, bytes)| (name.clone(), bytes));
        self.largest(values.collect(), "B", self.select.values, text);
        let total = size(&cost.multiply_adds, "");
        let nodes = count(cost.nodes.len(), "node");
        let _ = writeln!(text, "multiply-adds: {total} in {nodes}");
        let nodes = cost.nodes.iter().map(|(node, n)| (place(node), n));
        self.largest(nodes.collect(), "", self.select.nodes, text);
    }

    fn largest(&self, mut all: Vec<(String, &Dim)>, unit: &str, is_all: bool, text: &mut String) {
        let most = match is_all {
            true => all.len(),
            false => {
                all.sort_by_key(|(_, n)| Reverse(n.at(&|_| Some(ASSUMED_SIZE))));
                LARGEST
            }
        };
        let shown = &all[..most.min(all.len())];
        let width = shown.iter().map(|(name, _)| name.chars().count()).max();
        let width = width.unwrap_or(0);
        for (name, n) in shown {
            let _ = writeln!(
                text,
                "  {name:width$}  {}",
                self.screen.green(size(n, unit))
            );
        }
    }
}

/// `4096 B (4.0 KiB)`, `4*N B`.
fn size(n: &Dim, unit: &str) -> String {
    let space = if unit.is_empty() { "" } else { " " };
    match n.size() {
        Some(bytes) if unit == "B" && bytes >= 1024 => {
            let powers = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
            let mut short = bytes as f64 / 1024.0;
            let mut power = 0;
            while short >= 1024.0 && power + 1 < powers.len() {
                short /= 1024.0;
                power += 1;
            }
            format!("{bytes} B ({short:.1} {})", powers[power])
        }
        _ => format!("{n}{space}{unit}"),
    }
}
