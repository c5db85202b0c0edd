//! [`edit`]: a model with other nodes in its graph.
//!
//! Nodes are taken out, put in, and sorted so that each comes after those that it needs. All else is
//! copied byte by byte, as in `write`. The names of a branch that replaces its node are changed (`branch`).

use crate::check::DEEPEST;
use crate::model::{GRAPH, Model};
use crate::new::{NewNode, constant, node, port};
use crate::proto::attribute::Attribute;
use crate::proto::node::ATTRIBUTE;
use crate::proto::tensor::Tensor;
use crate::proto::value::Info;
use crate::wire::{Fields, put_bytes, put_message, rewrite};
use branch::Branch;
use hashbrown::{HashMap, HashSet};
use kanshape::Type;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

mod branch;

/// The numbers of the fields of a graph that are nodes, tensors, inputs, outputs and types of values between.
const NODE: u32 = 1;
const TENSOR: u32 = 5;
const INPUT: u32 = 11;
const OUTPUT: u32 = 12;
const BETWEEN: u32 = 13;
/// The number of the field of a model that is a text about it.
const METADATA: u32 = 14;

/// What is to be other in a model's graph.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// The nodes that are taken out, by their numbers.
    pub removed: BTreeSet<usize>,
    /// Those that are put in, each where the node of this number is or was.
    pub added: Vec<(usize, NewNode)>,
    /// Values that get another name, in nodes of the graph. A value that a body takes from outside keeps its name.
    pub renamed: BTreeMap<String, String>,
    /// Texts about the model: a key and a value each.
    pub metadata: Vec<(String, String)>,
    /// Tensors that are put in: types whose sizes and contents are known.
    pub constants: Vec<(String, Type)>,
    /// `If` nodes that are replaced by what is in one of their bodies, by number: in the one that is run if the condition is
    /// true, or in the other.
    pub branches: BTreeMap<usize, bool>,
    /// Tensors that are taken out. One that is an input as well stays.
    pub dropped: BTreeSet<String>,
    /// Outputs of nodes that get another name, where nobody takes them under this one: an input has their name.
    pub made: BTreeMap<String, String>,
    /// The inputs, if they are others than before: with the type of each one that was none.
    pub inputs: Option<Vec<(String, Option<Type>)>>,
    /// The outputs, if they are others than before: likewise.
    pub outputs: Option<Vec<(String, Option<Type>)>>,
}

/// A node that is written.
struct WrittenNode {
    bytes: Vec<u8>,
    /// The number of the node, and its place among those that are put in there.
    at: (usize, usize),
    takes: Vec<String>,
    gives: Vec<String>,
}

/// Writes a model out with these changes. None if a new attribute can't be written, or if the nodes need each other.
pub fn edit(model: &Model<'_>, edit: &Edit) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(model.bytes.len());
    let mut is_written = true;
    rewrite(model.bytes, &mut out, |field, out| {
        let (GRAPH, Some(graph)) = (field.number, field.bytes()) else {
            return false;
        };
        put_message(GRAPH, out, |out| {
            is_written &= graph_with(graph, edit, out).is_some()
        });
        true
    });
    for (key, value) in &edit.metadata {
        put_message(METADATA, &mut out, |out| {
            put_bytes(1, key.as_bytes(), out);
            put_bytes(2, value.as_bytes(), out);
        });
    }
    is_written.then_some(out)
}

fn graph_with(message: &[u8], edit: &Edit, out: &mut Vec<u8>) -> Option<()> {
    let mut entries: Vec<WrittenNode> = Vec::new();
    let mut tensors: Vec<Vec<u8>> = Vec::new();
    for (name, ty) in &edit.constants {
        tensors.push(constant(name, ty)?);
    }
    for (i, (at, new)) in edit.added.iter().enumerate() {
        entries.push(WrittenNode {
            bytes: node(new)?,
            at: (*at, i + 1),
            takes: new.inputs.clone(),
            gives: new.outputs.clone(),
        });
    }
    let nodes = Fields::of(message).flatten();
    let nodes = nodes.filter(|field| field.number == NODE);
    for (i, bytes) in nodes.filter_map(|field| field.bytes()).enumerate() {
        if let Some(is_then) = edit.branches.get(&i) {
            let branch = Branch::of(bytes, *is_then, message)?;
            tensors.extend(branch.tensors);
            let nodes = branch.nodes.into_iter().enumerate();
            entries.extend(nodes.map(|(k, bytes)| {
                let mut entry = kept(&bytes, i, edit);
                entry.at.1 = edit.added.len() + 1 + k;
                entry
            }));
        } else if !edit.removed.contains(&i) {
            entries.push(kept(bytes, i, edit));
        }
    }
    entries.sort_by_key(|entry| entry.at);
    let order = sorted(&entries)?;
    let mut gives: HashSet<&str> = HashSet::new();
    for entry in &entries {
        gives.extend(entry.gives.iter().map(String::as_str));
    }
    let inputs = Fields::of(message).flatten();
    let inputs = inputs.filter(|field| field.number == INPUT);
    let inputs = inputs.filter_map(|field| Info::read(field.bytes()?).ok());
    let inputs: HashSet<&str> = inputs.map(|info| info.name).collect();
    let ports = [(INPUT, &edit.inputs), (OUTPUT, &edit.outputs)];
    let mut new: Vec<(u32, Vec<u8>)> = Vec::new();
    for (number, all) in ports {
        for (name, ty) in all.iter().flatten() {
            if let Some(ty) = ty {
                new.push((number, port(name, ty)));
            }
        }
    }
    let mut are_written = false;
    rewrite(message, out, |field, out| match field.number {
        INPUT | OUTPUT => {
            let (_, all) = ports[usize::from(field.number == OUTPUT)];
            let info = field.bytes().and_then(|bytes| Info::read(bytes).ok());
            let stays = |all: &Vec<(String, Option<Type>)>| {
                let is_it = |name: &str| all.iter().any(|one| one.0 == name && one.1.is_none());
                info.is_some_and(|info| is_it(info.name))
            };
            all.as_ref().is_some_and(|all| !stays(all))
        }
        NODE => {
            if !std::mem::replace(&mut are_written, true) {
                for at in &order {
                    put_bytes(NODE, &entries[*at].bytes, out);
                }
            }
            true
        }
        // The type of a value that is no longer there.
        BETWEEN => {
            let info = field.bytes().and_then(|bytes| Info::read(bytes).ok());
            info.is_some_and(|info| !gives.contains(info.name))
        }
        TENSOR if !edit.dropped.is_empty() => {
            let tensor = field.bytes().and_then(|bytes| Tensor::read(bytes).ok());
            tensor.is_some_and(|tensor| {
                edit.dropped.contains(tensor.name) && !inputs.contains(tensor.name)
            })
        }
        _ => false,
    });
    tensors
        .iter()
        .for_each(|tensor| put_bytes(TENSOR, tensor, out));
    new.iter()
        .for_each(|(number, port)| put_bytes(*number, port, out));
    if !are_written {
        for at in &order {
            put_bytes(NODE, &entries[*at].bytes, out);
        }
    }
    Some(())
}

/// A node that stays, with the new names of its values.
fn kept(bytes: &[u8], i: usize, edit: &Edit) -> WrittenNode {
    let mut entry = WrittenNode {
        bytes: Vec::with_capacity(bytes.len()),
        at: (i, 0),
        takes: Vec::new(),
        gives: Vec::new(),
    };
    rewrite(bytes, &mut entry.bytes, |field, out| {
        let (1 | 2, Ok(name)) = (field.number, field.text()) else {
            return false;
        };
        let name = match edit.made.get(name) {
            Some(other) if field.number == 2 => other,
            _ => edit.renamed.get(name).map_or(name, String::as_str),
        };
        let list = match field.number {
            1 => &mut entry.takes,
            _ => &mut entry.gives,
        };
        list.push(name.to_owned());
        put_bytes(field.number, name.as_bytes(), out);
        true
    });
    let mut taken = Vec::new();
    taken_by_bodies(bytes, 0, &mut taken);
    entry.takes.extend(taken.into_iter().map(str::to_owned));
    entry
}

/// The order in which nodes stand behind those that they need, and otherwise as they are.
fn sorted(entries: &[WrittenNode]) -> Option<Vec<usize>> {
    let mut makers: HashMap<&str, usize> = HashMap::new();
    for (i, entry) in entries.iter().enumerate() {
        for name in entry.gives.iter().filter(|name| !name.is_empty()) {
            makers.insert(name, i);
        }
    }
    let mut waits = vec![0; entries.len()];
    let mut takers: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    for (i, entry) in entries.iter().enumerate() {
        let makers = entry.takes.iter().filter_map(|name| makers.get(&**name));
        let makers: BTreeSet<usize> = makers.copied().collect();
        waits[i] = makers.len();
        makers.into_iter().for_each(|maker| takers[maker].push(i));
    }
    let ready = (0..entries.len()).filter(|i| waits[*i] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = ready.map(Reverse).collect();
    let mut order = Vec::with_capacity(entries.len());
    while let Some(Reverse(i)) = ready.pop() {
        order.push(i);
        for taker in &takers[i] {
            waits[*taker] -= 1;
            if waits[*taker] == 0 {
                ready.push(Reverse(*taker));
            }
        }
    }
    (order.len() == entries.len()).then_some(order)
}

/// The names that the bodies of a node speak of, those of values of their own among them.
pub(crate) fn taken_by_bodies<'a>(node: &'a [u8], depth: usize, found: &mut Vec<&'a str>) {
    if depth > DEEPEST {
        return;
    }
    let fields = Fields::of(node).flatten();
    let attributes = fields.filter(|field| field.number == ATTRIBUTE);
    for attribute in attributes.filter_map(|field| field.bytes()) {
        let bodies = Fields::of(attribute).flatten();
        let bodies = bodies.filter(|field| matches!(field.number, Attribute::GRAPH | 11));
        for body in bodies.filter_map(|field| field.bytes()) {
            for field in Fields::of(body).flatten() {
                let Some(bytes) = field.bytes() else {
                    continue;
                };
                match field.number {
                    NODE => {
                        let inputs = Fields::of(bytes).flatten();
                        let inputs = inputs.filter(|field| field.number == 1);
                        found.extend(inputs.filter_map(|field| field.text().ok()));
                        taken_by_bodies(bytes, depth + 1, found);
                    }
                    OUTPUT => found.extend(Info::read(bytes).ok().map(|info| info.name)),
                    _ => {}
                }
            }
        }
    }
}
