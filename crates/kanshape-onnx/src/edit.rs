//! [`edit`]: a model with other nodes in its graph.
//!
//! Nodes are taken out, put in, and sorted so that each comes after those that it needs. All else is
//! copied byte by byte, as in `write`.

use crate::check::DEEPEST;
use crate::model::{GRAPH, Model};
use crate::proto::attribute::Attribute;
use crate::proto::dtype;
use crate::proto::node::ATTRIBUTE;
use crate::proto::value::Info;
use crate::wire::{Fields, put_bytes, put_float, put_int, put_message, rewrite};
use hashbrown::{HashMap, HashSet};
use kanshape::{AttrValue, Content, Dim, Tensor};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The numbers of the fields of a graph that are nodes and types of values between.
const NODE: u32 = 1;
const BETWEEN: u32 = 13;
/// The number of the field of a model that is a text about it.
const METADATA: u32 = 14;

/// A node that is put in.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNode {
    /// What it is called.
    pub name: String,
    /// Its operator, and the domain of that: empty for ONNX's own.
    pub op: String,
    /// The domain of its operator.
    pub domain: String,
    /// The values that it takes; an empty name is one that is left out.
    pub inputs: Vec<String>,
    /// The values that it gives.
    pub outputs: Vec<String>,
    /// Its attributes.
    pub attrs: Vec<(Box<str>, AttrValue)>,
}

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
}

/// A node that is written.
struct Entry {
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
    let mut entries: Vec<Entry> = Vec::new();
    for (i, (at, node)) in edit.added.iter().enumerate() {
        entries.push(Entry {
            bytes: new_node(node)?,
            at: (*at, i + 1),
            takes: node.inputs.clone(),
            gives: node.outputs.clone(),
        });
    }
    let nodes = Fields::of(message).flatten();
    let nodes = nodes.filter(|field| field.number == NODE);
    for (i, bytes) in nodes.filter_map(|field| field.bytes()).enumerate() {
        if !edit.removed.contains(&i) {
            entries.push(kept(bytes, i, edit));
        }
    }
    entries.sort_by_key(|entry| entry.at);
    let order = sorted(&entries)?;
    let mut gives: HashSet<&str> = HashSet::new();
    for entry in &entries {
        gives.extend(entry.gives.iter().map(String::as_str));
    }
    let mut are_written = false;
    rewrite(message, out, |field, out| match field.number {
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
        _ => false,
    });
    if !are_written {
        for at in &order {
            put_bytes(NODE, &entries[*at].bytes, out);
        }
    }
    Some(())
}

/// A node that stays, with the new names of its values.
fn kept(bytes: &[u8], i: usize, edit: &Edit) -> Entry {
    let mut entry = Entry {
        bytes: Vec::with_capacity(bytes.len()),
        at: (i, 0),
        takes: Vec::new(),
        gives: Vec::new(),
    };
    rewrite(bytes, &mut entry.bytes, |field, out| {
        let (1 | 2, Ok(name)) = (field.number, field.text()) else {
            return false;
        };
        let name = edit.renamed.get(name).map_or(name, String::as_str);
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
fn sorted(entries: &[Entry]) -> Option<Vec<usize>> {
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
                    12 => found.extend(Info::read(bytes).ok().map(|info| info.name)),
                    _ => {}
                }
            }
        }
    }
}

fn new_node(node: &NewNode) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let inputs = node.inputs.iter();
    inputs.for_each(|name| put_bytes(1, name.as_bytes(), &mut out));
    let outputs = node.outputs.iter();
    outputs.for_each(|name| put_bytes(2, name.as_bytes(), &mut out));
    put_bytes(3, node.name.as_bytes(), &mut out);
    put_bytes(4, node.op.as_bytes(), &mut out);
    for (name, value) in &node.attrs {
        let value = attribute(name, value)?;
        put_bytes(ATTRIBUTE, &value, &mut out);
    }
    if !node.domain.is_empty() {
        put_bytes(7, node.domain.as_bytes(), &mut out);
    }
    Some(out)
}

/// An attribute as a message; none if it is nothing that a model can have.
fn attribute(name: &str, value: &AttrValue) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    put_bytes(1, name.as_bytes(), &mut out);
    let kind = match value {
        AttrValue::Float(x) => {
            put_float(2, x.get() as f32, &mut out);
            1
        }
        AttrValue::Text(text) => {
            put_bytes(4, text.as_bytes(), &mut out);
            3
        }
        AttrValue::Type(ty) => {
            put_bytes(5, &tensor(ty.as_tensor()?)?, &mut out);
            4
        }
        AttrValue::List(members) => {
            let is_float = |member: &AttrValue| matches!(member, AttrValue::Float(_));
            let is_text = |member: &AttrValue| matches!(member, AttrValue::Text(_));
            let kind = match members.first() {
                Some(first) if is_float(first) => 6,
                Some(first) if is_text(first) => 8,
                _ => 7,
            };
            for member in members {
                match (kind, member) {
                    (6, AttrValue::Float(x)) => put_float(7, x.get() as f32, &mut out),
                    (8, AttrValue::Text(text)) => put_bytes(9, text.as_bytes(), &mut out),
                    (7, member) => put_int(8, int(member)? as u64, &mut out),
                    _ => return None,
                }
            }
            kind
        }
        one => {
            put_int(3, int(one)? as u64, &mut out);
            2
        }
    };
    put_int(20, kind, &mut out);
    Some(out)
}

fn int(value: &AttrValue) -> Option<i64> {
    match value {
        AttrValue::Int(n) => Some(*n),
        AttrValue::Dim(Dim::Size(n)) => i64::try_from(*n).ok(),
        AttrValue::Bool(is) => Some(i64::from(*is)),
        AttrValue::Dtype(dtype) => i64::try_from(dtype::number(*dtype)?).ok(),
        _ => None,
    }
}

/// A tensor with all that is in it.
fn tensor(tensor: &Tensor) -> Option<Vec<u8>> {
    use kanshape::Dtype;
    let mut out = Vec::new();
    for dim in tensor.shape.iter() {
        put_int(1, dim.size()?, &mut out);
    }
    tensor.shape.rank()?;
    let dtype = tensor.dtype.known()?;
    put_int(2, dtype::number(dtype)?, &mut out);
    let mut raw = Vec::new();
    for member in tensor.contents.as_ref()?.iter() {
        match (dtype, member) {
            (Dtype::I64, Content::Int(n)) => raw.extend(n.to_le_bytes()),
            (Dtype::I32, Content::Int(n)) => raw.extend(i32::try_from(*n).ok()?.to_le_bytes()),
            (Dtype::F32, Content::Float(x)) => raw.extend((x.get() as f32).to_le_bytes()),
            (Dtype::F32, Content::Int(n)) => raw.extend((*n as f32).to_le_bytes()),
            (Dtype::F64, Content::Float(x)) => raw.extend(x.get().to_le_bytes()),
            (Dtype::Bool, Content::Bool(is)) => raw.push(u8::from(*is)),
            _ => return None,
        }
    }
    put_bytes(9, &raw, &mut out);
    Some(out)
}
