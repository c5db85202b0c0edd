//! The values of a model with their types: all of them, or some with where they come from and who takes them.

use std::collections::HashSet;
use std::fmt::Write;

use kanshape_onnx::ModelNode;

use super::nodes::place;
use super::{Shown, View, count};
use crate::mistake;
use kanshape_batch::model::short::short;

/// Names longer than this push their type to the right.
const WIDEST: usize = 40;
/// The most nodes that take a value that are named.
const TAKERS: usize = 6;

impl View<'_, '_> {
    /// Each value and its type.
    pub(super) fn values(&self, text: &mut String) {
        let width = self.report.values.iter().map(|(n, _)| n.chars().count());
        let width = width.filter(|w| *w <= WIDEST).max().unwrap_or(0);
        for (name, ty) in &self.report.values {
            let _ = writeln!(text, "  {name:width$}  {}", self.screen.green(short(ty)));
        }
    }

    /// The values that were named.
    pub(super) fn value_parts(&self, nodes: &[ModelNode<'_>], shown: &mut Shown) {
        let initializers: HashSet<&str> = match self.select.value.is_empty() {
            true => return,
            false => self.model.initializers().collect(),
        };
        for pattern in &self.select.value {
            let values = self.report.values.iter().zip(0..);
            let mut found = false;
            for ((name, ty), i) in values.filter(|((name, _), _)| pattern.fits(name)) {
                found = true;
                let text = &mut shown.text;
                let _ = writeln!(text, "{name}: {}", self.screen.green(short(ty)));
                let from = match i < self.report.inputs.len() {
                    true => Some("an input".to_owned()),
                    false if initializers.contains(&**name) => Some("an initializer".to_owned()),
                    false => nodes
                        .iter()
                        .find(|node| node.outputs.contains(&&**name))
                        .map(|node| format!("from {}", place(&node.place))),
                };
                let is_output = self.report.outputs.iter().any(|(own, _)| own == name);
                let output = is_output.then(|| "an output".to_owned());
                for line in from.into_iter().chain(output).chain(takers(name, nodes)) {
                    let _ = writeln!(text, "  {}", self.screen.grey(line));
                }
            }
            if !found {
                let names = self.report.values.iter().map(|(name, _)| &**name);
                shown
                    .missing
                    .push(mistake::not_in_model("value", &pattern.0, names));
            }
        }
    }
}

/// `to Relu_3 (Relu, node 3)`.
fn takers(name: &str, nodes: &[ModelNode<'_>]) -> Option<String> {
    let takers = nodes.iter().filter(|node| node.inputs.contains(&name));
    let takers: Vec<String> = takers.map(|node| place(&node.place)).collect();
    let mut line = match takers.len() {
        0 => return None,
        n => format!("to {}", takers[..n.min(TAKERS)].join(", ")),
    };
    if takers.len() > TAKERS {
        let more = count(takers.len() - TAKERS, "more node");
        let _ = write!(line, " and {more}");
    }
    Some(line)
}
