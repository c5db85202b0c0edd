//! Two models against each other. Those of one system are compared node by node; of different ones (`systems`), it is compared which
//! sizes the second one still has.

mod systems;

use crate::model::Model;
use crate::nodes::{ModelNode, NodeAttr};
use crate::problem::Place;
use crate::report::Report;
use hashbrown::{HashMap, HashSet};
use kanshape::{Dim, Type};
use std::fmt;

/// What is other in a second model than in a first one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Values with other types, or that only one model has: the name, and the types in both.
    pub values: Vec<(String, Option<Type>, Option<Type>)>,
    /// The names of inputs and outputs in both, if these are not the same in the same order.
    pub ports: Option<[Ports; 2]>,
    /// Nodes that are written otherwise, or that only one model has.
    pub nodes: Vec<(Option<NodeText>, Option<NodeText>)>,
    /// Conditions that only the first model has, and those that only the second one has.
    pub conditions: [Vec<String>; 2],
    /// Sizes that are other ones, where the models are of different systems: nodes and names of values are not compared then.
    pub sizes: Vec<OtherSize>,
    /// The models are of different systems.
    pub across: bool,
}

/// A size that is another one in a second model, which is of another system.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherSize {
    /// The value, as the first model calls it.
    pub value: String,
    /// Which dim of it, from 0.
    pub axis: usize,
    /// The size in the first model, in words of the second one.
    pub first: Dim,
    /// The size in the second model.
    pub second: Dim,
    /// What has become of it.
    pub change: Change,
}

/// What has become of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is a number.
    Fixed,
    /// It is no longer known which one it is.
    Lost,
    /// It is the same as another one.
    Same,
    /// It may be any, and was a number.
    Open,
    /// It is another one.
    Other,
}

impl Change {
    /// It in a word: `fixed`, `lost`, `same`, `open`, `other`.
    pub fn word(self) -> &'static str {
        match self {
            Change::Fixed => "fixed",
            Change::Lost => "lost",
            Change::Same => "same",
            Change::Open => "open",
            Change::Other => "other",
        }
    }
}

impl fmt::Display for OtherSize {
    /// `dim 1 of mask: s27 is fixed to 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherSize {
            value,
            axis,
            first,
            second,
            change,
        } = self;
        write!(f, "dim {axis} of {value}: ")?;
        match change {
            Change::Fixed => write!(f, "{first} is fixed to {second}"),
            Change::Lost => write!(f, "{first} is lost, and any {second}"),
            Change::Same => write!(f, "{first} is the same size as others, {second}"),
            Change::Open => write!(f, "{first} may be any {second}"),
            Change::Other => write!(f, "{first} is {second}"),
        }
    }
}

/// The names of inputs and outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// The inputs.
    pub inputs: Vec<String>,
    /// The outputs.
    pub outputs: Vec<String>,
}

/// A node as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeText {
    /// Which node it is.
    pub place: Place,
    /// What it calls, with what: `Conv(x, w) -> (y) strides=[2, 2]`.
    pub text: String,
}

impl Difference {
    /// Is nothing other?
    pub fn is_none(&self) -> bool {
        let same = Difference {
            across: self.across,
            ..Difference::default()
        };
        *self == same
    }
}

/// What is other in a second model than in a first one. Names that nobody has given, such as `d0`, may be others. Of models that have no
/// domain of operators in common, it is compared which sizes they have.
pub fn diff(first: (&Model<'_>, &Report<'_>), second: (&Model<'_>, &Report<'_>)) -> Difference {
    if systems::are_different(first.0, second.0) {
        return systems::diff(first.1, second.1);
    }
    let mut names = Renaming::of(first.1, second.1);
    let types: [HashMap<&str, &Type>; 2] = [first.1, second.1].map(|report| {
        let values = report.values.iter().chain(&report.outputs);
        values.map(|(name, ty)| (&**name, &**ty)).collect()
    });
    let mut values = Vec::new();
    let mut met = HashSet::new();
    for (name, ty) in &first.1.values {
        if !met.insert(&**name) {
            continue;
        }
        let other = types[1].get(&**name);
        let is_same =
            other.is_some_and(|other| names.are_same(&ty.to_string(), &other.to_string()));
        if !is_same {
            let other = other.map(|other| (*other).clone());
            values.push((name.to_string(), Some((**ty).clone()), other));
        }
    }
    for (name, ty) in &second.1.values {
        if !types[0].contains_key(&**name) && met.insert(&**name) {
            values.push((name.to_string(), None, Some((**ty).clone())));
        }
    }
    let ports = [first.1, second.1].map(Ports::of);
    Difference {
        values,
        ports: (ports[0] != ports[1]).then_some(ports),
        nodes: nodes(first.0, second.0),
        conditions: conditions(first.1, second.1, &mut names),
        sizes: Vec::new(),
        across: false,
    }
}

impl Ports {
    fn of(report: &Report<'_>) -> Ports {
        let names = |all: &[(std::borrow::Cow<'_, str>, std::sync::Arc<Type>)]| {
            all.iter().map(|(name, _)| name.to_string()).collect()
        };
        Ports {
            inputs: names(&report.inputs),
            outputs: names(&report.outputs),
        }
    }
}

fn conditions(first: &Report<'_>, second: &Report<'_>, names: &mut Renaming) -> [Vec<String>; 2] {
    let texts = |report: &Report<'_>| -> Vec<String> {
        let all = report.conditions.iter();
        all.map(|one| one.condition.to_string()).collect()
    };
    let (mut own, mut other) = (texts(first), texts(second));
    own.retain(|one| {
        let same = other.iter().position(|two| names.are_same(one, two));
        same.map(|at| other.remove(at)).is_none()
    });
    [own, other]
}

/// Nodes are the same node if they have the same name, or give the same first value.
fn nodes(first: &Model<'_>, second: &Model<'_>) -> Vec<(Option<NodeText>, Option<NodeText>)> {
    let key = |node: &ModelNode<'_>| node.outputs.first().map(|name| (*name).to_owned());
    let others: Vec<ModelNode<'_>> = second.each_node().collect();
    let mut by_output: HashMap<String, usize> = HashMap::new();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (i, node) in others.iter().enumerate() {
        by_output.extend(key(node).map(|key| (key, i)));
        by_name.insert(&node.place.node, i);
    }
    let mut is_met = vec![false; others.len()];
    let mut found = Vec::new();
    for node in first.each_node() {
        let other = key(&node).and_then(|key| by_output.get(&key));
        let other = other.or_else(|| by_name.get(&*node.place.node));
        let other = other.filter(|i| !is_met[**i]).copied();
        match other {
            Some(i) => {
                is_met[i] = true;
                let (own, other) = (NodeText::of(&node), NodeText::of(&others[i]));
                if own.text != other.text {
                    found.push((Some(own), Some(other)));
                }
            }
            None => found.push((Some(NodeText::of(&node)), None)),
        }
    }
    let new = others.iter().zip(is_met).filter(|(_, is_met)| !is_met);
    found.extend(new.map(|(node, _)| (None, Some(NodeText::of(node)))));
    found
}

impl NodeText {
    fn of(node: &ModelNode<'_>) -> NodeText {
        let mut text = format!(
            "{}({}) -> ({})",
            node.place.op,
            node.inputs.join(", "),
            node.outputs.join(", ")
        );
        let mut attrs: Vec<String> = node.attrs.iter().map(attr).collect();
        attrs.sort_unstable();
        for attr in attrs {
            text.push(' ');
            text.push_str(&attr);
        }
        NodeText {
            place: node.place.clone(),
            text,
        }
    }
}

fn attr((name, value): &(&str, NodeAttr<'_>)) -> String {
    match value {
        NodeAttr::Value(value) => format!("{name}={value}"),
        NodeAttr::Body => format!("{name}={{body}}"),
        NodeAttr::Reference(other) => format!("{name}=@{other}"),
        NodeAttr::Other => format!("{name}=?"),
    }
}

/// Which made-up name of a second report is which of a first one: `d0` of one model may be `d3` of another.
#[derive(Clone, Debug)]
pub struct Renaming {
    made_up: [HashSet<String>; 2],
    forth: HashMap<String, String>,
    back: HashMap<String, String>,
}

impl Renaming {
    /// The names that were made up in two reports, none of which is another one so far.
    pub fn of(first: &Report<'_>, second: &Report<'_>) -> Renaming {
        let made_up = |report: &Report<'_>| -> HashSet<String> {
            let dims = report.dims.iter().filter(|dim| !dim.named);
            dims.map(|dim| dim.name.to_string()).collect()
        };
        Renaming {
            made_up: [made_up(first), made_up(second)],
            forth: HashMap::new(),
            back: HashMap::new(),
        }
    }

    /// Are two texts the same but for names that were made up? If so, these are the same from now on.
    pub fn are_same(&mut self, first: &str, second: &str) -> bool {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        let (mut own, mut other) = (words(first), words(second));
        loop {
            match (own.next(), other.next()) {
                (None, None) => break,
                (Some(a), Some(b))
                    if self.made_up[0].contains(a) && self.made_up[1].contains(b) =>
                {
                    pairs.push((a, b));
                }
                (Some(a), Some(b)) if a == b => {}
                _ => return false,
            }
        }
        let before = (self.forth.clone(), self.back.clone());
        for (a, b) in pairs {
            let forth = self
                .forth
                .entry(a.to_owned())
                .or_insert_with(|| b.to_owned());
            let back = self
                .back
                .entry(b.to_owned())
                .or_insert_with(|| a.to_owned());
            if forth != b || back != a {
                (self.forth, self.back) = before;
                return false;
            }
        }
        true
    }
}

/// The words of a text, and what is between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let other = |c: char| is_word(c) != is_word(first);
        let (word, behind) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
        rest = behind;
        Some(word)
    })
}
