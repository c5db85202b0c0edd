//! The nodes of a model: a table, or some with all that is known of them.

use std::fmt::Write;

use kanshape::Type;
use kanshape_onnx::{ModelNode, Place};

use kanshape_batch::model::select::NamePattern;
use kanshape_batch::model::short::{attr, cut, short};

use super::{Shown, View};
use crate::mistake;
use crate::screen;

/// Longer names are cut in the table.
const NAME: usize = 36;
/// Longer attributes likewise.
const ATTRS: usize = 60;

/// The cells of a row but the last one.
struct NodeRow {
    index: String,
    name: String,
    op: String,
    attrs: String,
    io: String,
}

impl View<'_, '_> {
    /// The nodes that were named, with all that is known of them, and those of operators that were named, as a table.
    pub(super) fn node_parts(&self, all: &[ModelNode<'_>], shown: &mut Shown) {
        for pattern in &self.select.node {
            let is_it = |node: &&ModelNode<'_>| pattern.fits_node(&node.place);
            let mut found = all.iter().filter(is_it).peekable();
            if found.peek().is_none() {
                let names = all.iter().map(|node| &*node.place.node);
                shown
                    .missing
                    .push(mistake::not_in_model("node", &pattern.0, names));
            }
            for node in found {
                self.node(node, &mut shown.text);
            }
        }
        let of_op = |pattern: &NamePattern, node: &ModelNode<'_>| pattern.fits(&node.place.op);
        for pattern in &self.select.op {
            if !all.iter().any(|node| of_op(pattern, node)) {
                let ops = all.iter().map(|node| &*node.place.op);
                shown
                    .missing
                    .push(mistake::not_in_model("node of", &pattern.0, ops));
            }
        }
        let ops = &self.select.op;
        let rows = all
            .iter()
            .filter(|node| ops.iter().any(|pattern| of_op(pattern, node)));
        let rows: Vec<&ModelNode<'_>> = rows.collect();
        if !rows.is_empty() {
            self.node_table(&rows, &mut shown.text);
        }
    }

    /// A row for each node. Where a row is too long for the screen, what goes in and out has a line of its own.
    pub(super) fn node_table(&self, nodes: &[&ModelNode<'_>], text: &mut String) {
        let head = NodeRow {
            index: "node".into(),
            name: "name".into(),
            op: "operator".into(),
            attrs: "attributes".into(),
            io: "inputs -> outputs".into(),
        };
        let rows = nodes.iter().map(|node| self.row(node));
        let rows: Vec<NodeRow> = std::iter::once(head).chain(rows).collect();
        let width = |cell: fn(&NodeRow) -> &str| {
            let widths = rows.iter().map(|row| cell(row).chars().count());
            widths.max().unwrap_or(0)
        };
        let [index, name, op] = [
            width(|row| &row.index),
            width(|row| &row.name),
            width(|row| &row.op),
        ];
        let attrs = width(|row| &row.attrs);
        let screen = self.screen.is_watched().then(screen::width);
        for (i, row) in rows.iter().enumerate() {
            let mut line = format!(
                "{:>index$}  {:name$}  {:op$}  {:attrs$}",
                row.index, row.name, row.op, row.attrs
            );
            let long = line.chars().count() + 2 + row.io.chars().count();
            match screen {
                Some(most) if long > most => {
                    line.truncate(line.trim_end().len());
                    let _ = write!(line, "\n{:index$}    {}", "", row.io);
                }
                _ => {
                    let _ = write!(line, "  {}", row.io);
                }
            }
            let _ = match i {
                0 => writeln!(text, "{}", self.screen.grey(line)),
                _ => writeln!(text, "{line}"),
            };
        }
    }

    fn row(&self, node: &ModelNode<'_>) -> NodeRow {
        let io = |names: &[&str]| {
            let each = names.iter().map(|name| self.operand(name, false));
            each.collect::<Vec<_>>().join(", ")
        };
        NodeRow {
            index: node.place.index.to_string(),
            name: cut(&node.place.node, NAME).into_owned(),
            op: node.place.op.clone(),
            attrs: cut(&attrs(node), ATTRS).into_owned(),
            io: format!("{} -> {}", io(&node.inputs), io(&node.outputs)),
        }
    }

    /// A node with all that is known of it.
    fn node(&self, node: &ModelNode<'_>, text: &mut String) {
        let _ = writeln!(text, "{}", self.screen.bold(place(&node.place)));
        for (name, value) in node.attrs() {
            let _ = writeln!(text, "  {name} = {}", attr(&value));
        }
        for (side, names) in [("input", &node.inputs), ("output", &node.outputs)] {
            for name in names {
                let _ = writeln!(text, "  {side:6} {}", self.operand(name, true));
            }
        }
        let own = |place: &Place| *place == node.place;
        for one in &self.report.conditions {
            if one.node.as_ref().is_some_and(own) || one.others.iter().any(own) {
                let under: String = one.under.iter().map(|under| format!(" {under}")).collect();
                let _ = writeln!(text, "  where {}{under}", one.condition);
            }
        }
    }

    /// `x: f32[2, 3]`, in colours where its width does not matter.
    fn operand(&self, name: &str, in_colours: bool) -> String {
        if name.is_empty() {
            return "-".to_owned();
        }
        let ty = self.ty(name).map_or_else(|| "?".to_owned(), short);
        match in_colours {
            true => format!("{name}: {}", self.screen.green(ty)),
            false => format!("{name}: {ty}"),
        }
    }

    /// The type of a value of the model's graph.
    fn ty(&self, name: &str) -> Option<&Type> {
        let types = self.types.get_or_init(|| {
            let values = self.report.values.iter();
            values.map(|(name, ty)| (&**name, &**ty)).collect()
        });
        types.get(name).copied()
    }
}

/// `kernel_shape=[3, 3] strides=[2, 2]`.
fn attrs(node: &ModelNode<'_>) -> String {
    let all = node.attrs().into_iter();
    let all = all.map(|(name, value)| format!("{name}={}", attr(&value)));
    all.collect::<Vec<_>>().join(" ")
}

/// `Conv_3 (Conv, node 12)`.
pub(crate) fn place(place: &Place) -> String {
    place_of(place, str::to_owned)
}

/// The same, with the path of the node written in some way.
pub(crate) fn place_of(place: &Place, path: impl Fn(&str) -> String) -> String {
    format!("{} ({}, node {})", path(&place.node), place.op, place.index)
}
