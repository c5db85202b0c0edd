//! Which node of a second model is which of a first one: by structure, since names are often others.

use crate::model::Model;
use crate::nodes::{ModelNode, NodeAttr};
use crate::report::Report;
use hashbrown::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The nodes of a model, and how they hang together.
pub(crate) struct Side<'a> {
    pub nodes: Vec<ModelNode<'a>>,
    /// Their attributes, as text.
    pub attrs: Vec<String>,
    inputs: Vec<&'a str>,
    /// The node that gives a value, and as which output.
    makers: HashMap<&'a str, (usize, usize)>,
    /// The nodes that take a value, and as which input.
    takers: HashMap<&'a str, Vec<(usize, usize)>>,
    /// What each node is made of, down to the inputs, as a number.
    labels: Vec<u64>,
}

impl<'a> Side<'a> {
    pub(crate) fn of(model: &Model<'a>, report: &Report<'_>) -> Side<'a> {
        let nodes: Vec<ModelNode<'a>> = model.each_node().collect();
        let attrs: Vec<String> = nodes.iter().map(attrs).collect();
        let mut makers = HashMap::new();
        let mut takers: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        for (i, node) in nodes.iter().enumerate() {
            makers.extend(named(&node.outputs).map(|(place, name)| (name, (i, place))));
            for (place, name) in named(&node.inputs) {
                takers.entry(name).or_default().push((i, place));
            }
        }
        // A value that no node gives is what its type says: a weight is like another one of the same size.
        let types = report.values.iter().map(|(name, ty)| (&**name, ty));
        let types: HashMap<&str, _> = types.collect();
        let mut values: HashMap<&str, u64> = HashMap::new();
        let mut labels = vec![0; nodes.len()];
        for i in model.graph.in_order() {
            let i = i as usize;
            let Some(node) = nodes.get(i) else { continue };
            let mut own = DefaultHasher::new();
            (&node.place.op, &attrs[i]).hash(&mut own);
            for name in &node.inputs {
                match values.get(name) {
                    Some(label) => label.hash(&mut own),
                    None => types.get(name).map(|ty| ty.to_string()).hash(&mut own),
                }
            }
            labels[i] = own.finish();
            for (place, name) in node.outputs.iter().enumerate() {
                place.hash(&mut own);
                values.insert(name, own.finish());
            }
        }
        // Old models have their weights among the inputs.
        let weights: HashSet<&str> = model.initializers().collect();
        let inputs = model.graph.inputs.iter();
        let inputs = inputs.map(|input| model.symbols.name(input.symbol));
        let inputs = inputs.filter(|name| !weights.contains(name));
        Side {
            inputs: inputs.collect(),
            nodes,
            attrs,
            makers,
            takers,
            labels,
        }
    }
}

/// The operands that are there, with their places.
fn named<'n, 'a>(names: &'n [&'a str]) -> impl Iterator<Item = (usize, &'a str)> + use<'n, 'a> {
    let all = names.iter().copied().enumerate();
    all.filter(|(_, name)| !name.is_empty())
}

/// `kernel_shape=[3, 3] strides=[2, 2]`, in the order of their names.
fn attrs(node: &ModelNode<'_>) -> String {
    let mut attrs: Vec<String> = node.attrs().iter().map(attr).collect();
    attrs.sort_unstable();
    attrs.join(" ")
}

fn attr((name, value): &(&str, NodeAttr<'_>)) -> String {
    match value {
        NodeAttr::Value(value) => format!("{name}={value}"),
        NodeAttr::Body => format!("{name}={{body}}"),
        NodeAttr::Reference(other) => format!("{name}=@{other}"),
        NodeAttr::Other => format!("{name}=?"),
    }
}

/// Which node of a second model is which of a first one.
pub(crate) struct Pairs<'s, 'a> {
    sides: [&'s Side<'a>; 2],
    /// For each node of the first model, the one of the second.
    pub forth: Vec<Option<usize>>,
    pub back: Vec<Option<usize>>,
}

impl<'s, 'a> Pairs<'s, 'a> {
    /// First nodes that are made of the same, then those that have the same name, then their neighbours.
    pub(crate) fn of(sides: [&'s Side<'a>; 2]) -> Pairs<'s, 'a> {
        let mut pairs = Pairs {
            sides,
            forth: vec![None; sides[0].nodes.len()],
            back: vec![None; sides[1].nodes.len()],
        };
        pairs.by_name(|[own, other], [i, j]| own.labels[i] == other.labels[j]);
        pairs.by_label();
        // A constant is what it is, and its name says little.
        pairs.by_name(|[own, other], [i, j]| {
            let op = &own.nodes[i].place.op;
            *op == other.nodes[j].place.op && op != "Constant"
        });
        pairs.by_neighbour();
        pairs
    }

    fn put(&mut self, i: usize, j: usize) {
        self.forth[i] = Some(j);
        self.back[j] = Some(i);
    }

    /// Nodes that give a value of the same name.
    fn by_name(&mut self, are_same: impl Fn([&Side<'a>; 2], [usize; 2]) -> bool) {
        for i in 0..self.forth.len() {
            let name = self.sides[0].nodes[i].outputs.first();
            let other = name.and_then(|name| self.sides[1].makers.get(name));
            let Some(&(j, 0)) = other else { continue };
            if self.are_free(i, j) && are_same(self.sides, [i, j]) {
                self.put(i, j);
            }
        }
    }

    fn are_free(&self, i: usize, j: usize) -> bool {
        self.forth[i].is_none() && self.back[j].is_none()
    }

    /// Nodes that are made of the same, in the order in which they stand.
    fn by_label(&mut self) {
        let mut free: HashMap<u64, Vec<usize>> = HashMap::new();
        // The first is taken first.
        for j in (0..self.back.len()).rev() {
            if self.back[j].is_none() {
                free.entry(self.sides[1].labels[j]).or_default().push(j);
            }
        }
        for i in 0..self.forth.len() {
            if self.forth[i].is_none()
                && let Some(all) = free.get_mut(&self.sides[0].labels[i])
                && let Some(j) = all.pop()
            {
                self.put(i, j);
            }
        }
    }

    /// Nodes of one operator that give what two nodes take in the same place that are the same, or that take what these give.
    fn by_neighbour(&mut self) {
        let [own, other] = self.sides;
        let pairs = self.forth.iter().enumerate();
        let mut todo: Vec<(usize, usize)> = pairs.filter_map(|(i, j)| Some((i, (*j)?))).collect();
        let inputs = own.inputs.iter().filter(|name| other.inputs.contains(name));
        let mut found = Vec::new();
        for name in inputs {
            self.takers_of(name, name, &mut found);
        }
        loop {
            for (i, j) in found.drain(..) {
                if self.are_free(i, j) {
                    self.put(i, j);
                    todo.push((i, j));
                }
            }
            // Each pair is examined once.
            let Some((i, j)) = todo.pop() else { return };
            let [one, two] = [&own.nodes[i], &other.nodes[j]];
            for (a, b) in one.inputs.iter().zip(&two.inputs) {
                if let (Some(&(x, p)), Some(&(y, q))) = (own.makers.get(a), other.makers.get(b))
                    && p == q
                    && own.nodes[x].place.op == other.nodes[y].place.op
                {
                    found.push((x, y));
                }
            }
            for (a, b) in one.outputs.iter().zip(&two.outputs) {
                self.takers_of(a, b, &mut found);
            }
        }
    }

    /// Nodes of one operator that take two values in the same place, none of them in a pair.
    fn takers_of(&self, a: &str, b: &str, found: &mut Vec<(usize, usize)>) {
        let [own, other] = self.sides;
        let (Some(some), Some(others)) = (own.takers.get(a), other.takers.get(b)) else {
            return;
        };
        let mut others: Vec<_> = others
            .iter()
            .filter(|(j, _)| self.back[*j].is_none())
            .collect();
        others.truncate(MOST_TAKERS);
        for (i, p) in some.iter().filter(|(i, _)| self.forth[*i].is_none()) {
            let op = &own.nodes[*i].place.op;
            let is_like = |(j, q): &(usize, usize)| q == p && other.nodes[*j].place.op == *op;
            let Some(at) = others.iter().position(|own| is_like(own)) else {
                continue;
            };
            found.push((*i, others.remove(at).0));
        }
    }

    /// Which value of the second model is which of the first: what nodes give that are the same, and what these take that no node
    /// gives.
    pub(crate) fn values(&self) -> HashMap<&'a str, &'a str> {
        let [own, other] = self.sides;
        let pairs = self.forth.iter().enumerate();
        let pairs: Vec<_> = pairs
            .filter_map(|(i, j)| Some((&own.nodes[i], &other.nodes[(*j)?])))
            .collect();
        let mut values = HashMap::new();
        for (one, two) in &pairs {
            let outputs = one.outputs.iter().copied().zip(two.outputs.iter().copied());
            values.extend(outputs.filter(|(a, b)| !a.is_empty() && !b.is_empty()));
        }
        let is_input = |side: &Side<'_>, name: &str| side.inputs.contains(&name);
        for (one, two) in pairs {
            for (a, b) in one.inputs.iter().copied().zip(two.inputs.iter().copied()) {
                let is_made = own.makers.contains_key(a) || other.makers.contains_key(b);
                let are_named = !a.is_empty() && !b.is_empty();
                // What a user gives has the name that it has.
                let is_given = is_input(own, a) || is_input(other, b);
                if are_named && !is_made && !is_given {
                    values.entry(a).or_insert(b);
                }
            }
        }
        values
    }
}

/// So many nodes that take one value are compared with those that take another.
const MOST_TAKERS: usize = 64;
