//! The nodes of a model as data.

use kanshape_onnx::{Model, ModelNode};
use serde::Serialize;
use std::collections::BTreeMap;

use super::select::Select;
use super::short::attr;

/// A node of the model as JSON.
#[derive(Serialize)]
pub(super) struct NodeJson {
    name: String,
    op: String,
    index: usize,
    /// As text.
    attrs: BTreeMap<String, String>,
    /// The names of values; null for one that is left out.
    inputs: Vec<Option<String>>,
    outputs: Vec<Option<String>>,
}

/// The nodes that were requested.
pub(super) fn nodes(model: &Model<'_>, select: &Select) -> Vec<NodeJson> {
    let nodes = model.each_node();
    let nodes = nodes.filter(|node| select.is_node(node));
    nodes.map(node).collect()
}

fn node(node: ModelNode<'_>) -> NodeJson {
    let names = |all: Vec<&str>| {
        let names = all.into_iter();
        let name = |name: &str| (!name.is_empty()).then(|| name.to_owned());
        names.map(name).collect()
    };
    let attrs = node.attrs.iter();
    NodeJson {
        attrs: attrs
            .map(|(name, value)| ((*name).to_owned(), attr(value)))
            .collect(),
        name: node.place.node,
        op: node.place.op,
        index: node.place.index,
        inputs: names(node.inputs),
        outputs: names(node.outputs),
    }
}
