//! [`ModelNode`]: the nodes of a model as they are written, for whoever shows them.

use crate::dims::Dims;
use crate::edit::taken_by_bodies;
use crate::model::Model;
use crate::problem::Place;
use crate::proto::attribute::{Attribute, AttributeValue};
use crate::proto::node;
use crate::symbols::Symbol;
use kanshape::AttrValue;

/// A node of a model's graph, as it is written.
#[derive(Clone, Debug)]
pub struct ModelNode<'a> {
    /// Which node it is.
    pub place: Place,
    attrs: &'a [u8],
    /// The values it takes; empty names are operands that are left out.
    pub inputs: Vec<&'a str>,
    /// The values it gives; empty names are operands that are left out.
    pub outputs: Vec<&'a str>,
}

impl<'a> ModelNode<'a> {
    /// Its attributes, in the order of the model: they are read each time. One that can't be read is left out.
    pub fn attrs(&self) -> Vec<(&'a str, NodeAttr<'a>)> {
        // Names of dims in the types of attributes are not those of the report: they are shown as they are written.
        let mut dims = Dims::default();
        let attrs = node::attributes(self.attrs);
        let attrs = attrs.filter_map(|message| Attribute::read(message, &mut dims).ok());
        attrs.map(|a| (a.name, NodeAttr::from(a.value))).collect()
    }
}

/// The value of an attribute, as it is written.
#[derive(Clone, Debug)]
pub enum NodeAttr<'a> {
    /// A number, a text, a tensor, or a list of these.
    Value(AttrValue),
    /// A body.
    Body,
    /// What the function that the node is in is given by this name.
    Reference(&'a str),
    /// None of these.
    Other,
}

impl<'a> Model<'a> {
    /// The nodes of its graph, in the order of the model; those of bodies and functions are left out.
    pub fn each_node(&self) -> impl Iterator<Item = ModelNode<'a>> + '_ {
        let graph = &self.graph;
        let name = |symbol: &Symbol| match *symbol {
            Symbol::NONE => "",
            symbol => self.symbols.name(symbol),
        };
        graph
            .nodes
            .iter()
            .zip(0..)
            .map(move |(node, index)| ModelNode {
                place: graph.place("", index, &self.symbols),
                attrs: node.attrs,
                inputs: graph.inputs_of(node).iter().map(name).collect(),
                outputs: graph.outputs_of(node).iter().map(name).collect(),
            })
    }

    /// The names that bodies of its nodes speak of: those of the values that they take from outside, and of their own.
    pub fn names_in_bodies(&self) -> impl Iterator<Item = &'a str> + '_ {
        let attributes = self.graph.nodes.iter().map(|node| node.attrs);
        attributes.flat_map(|attrs| {
            let mut found = Vec::new();
            taken_by_bodies(attrs, 0, &mut found);
            found
        })
    }

    /// The same of the bodies of one node of its graph, by its number.
    pub fn names_in_bodies_of(&self, node: usize) -> Vec<&'a str> {
        let mut found = Vec::new();
        if let Some(node) = self.graph.nodes.get(node) {
            taken_by_bodies(node.attrs, 0, &mut found);
        }
        found
    }

    /// The names of the initializers of its graph.
    pub fn initializers(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.graph
            .initializers
            .iter()
            .map(|(_, tensor)| tensor.name)
    }
}

impl<'a> From<AttributeValue<'a>> for NodeAttr<'a> {
    fn from(given: AttributeValue<'a>) -> NodeAttr<'a> {
        match given {
            AttributeValue::Value(value) => NodeAttr::Value(value),
            AttributeValue::Graph(_) => NodeAttr::Body,
            AttributeValue::Reference(name) => NodeAttr::Reference(name),
            AttributeValue::Other => NodeAttr::Other,
        }
    }
}
