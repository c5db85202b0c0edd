//! The nodes of a model as data.

use kanshape_onnx::{Body, BodyNode, Model, ModelNode, NodeAttr, Place};
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

/// A body of a node, or of the function that it calls, as JSON.
#[derive(Serialize)]
pub(super) struct BodyJson {
    name: String,
    op: String,
    index: usize,
    body: String,
    function: bool,
    inputs: Vec<Option<String>>,
    outputs: Vec<Option<String>>,
    nodes: Vec<NodeJson>,
}

/// All bodies, an outer one before those in it.
pub(super) fn bodies(model: &Model<'_>) -> Vec<BodyJson> {
    let one = |body: Body<'_>| BodyJson {
        name: body.node.node,
        op: body.node.op,
        index: body.node.index,
        body: body.name.to_owned(),
        function: body.is_function,
        inputs: names(body.inputs),
        outputs: names(body.outputs),
        nodes: body.nodes.into_iter().map(of_body).collect(),
    };
    model.bodies().into_iter().map(one).collect()
}

fn of_body(node: BodyNode<'_>) -> NodeJson {
    json(node.place, &node.attrs, node.inputs, node.outputs)
}

fn node(node: ModelNode<'_>) -> NodeJson {
    let attrs = node.attrs();
    json(node.place, &attrs, node.inputs, node.outputs)
}

fn json<N: Into<String>>(
    place: Place,
    attrs: &[(&str, NodeAttr<'_>)],
    inputs: Vec<N>,
    outputs: Vec<N>,
) -> NodeJson {
    NodeJson {
        attrs: texts(attrs),
        name: place.node,
        op: place.op,
        index: place.index,
        inputs: names(inputs),
        outputs: names(outputs),
    }
}

fn texts(attrs: &[(&str, NodeAttr<'_>)]) -> BTreeMap<String, String> {
    let attrs = attrs.iter();
    attrs
        .map(|(name, value)| ((*name).to_owned(), attr(value)))
        .collect()
}

fn names<N: Into<String>>(all: Vec<N>) -> Vec<Option<String>> {
    let all = all.into_iter().map(Into::into);
    all.map(|name: String| (!name.is_empty()).then_some(name))
        .collect()
}
