//! [`Branch`]: what is in a body of an `If` node, as nodes of the graph that the node is in.

use super::{NODE, OUTPUT, TENSOR};
use crate::check::DEEPEST;
use crate::proto::attribute::Attribute;
use crate::proto::node::ATTRIBUTE;
use crate::proto::tensor::Tensor;
use crate::proto::value::Info;
use crate::wire::{Fields, put_bytes, rewrite};
use hashbrown::{HashMap, HashSet};

/// The number of the field of a graph that is a sparse tensor.
const SPARSE: u32 = 15;
/// The number of the field of an attribute that is a list of graphs.
const GRAPHS: u32 = 11;

/// What is in a body, with names that are of their own in the graph around it.
pub(super) struct Branch {
    pub nodes: Vec<Vec<u8>>,
    pub tensors: Vec<Vec<u8>>,
}

impl Branch {
    /// The body of a node that is run if its condition is true, or the other one. None if it can't be taken out.
    pub(super) fn of(node: &[u8], is_then: bool, graph: &[u8]) -> Option<Branch> {
        let own = if is_then {
            "then_branch"
        } else {
            "else_branch"
        };
        let body = body(node, own)?;
        let outputs: Vec<&str> = texts(node, 2);
        let first = outputs.iter().find(|name| !name.is_empty())?;
        let prefix = format!("{first}/{own}/");

        let (mut nodes, mut tensors, mut results) = (Vec::new(), Vec::new(), Vec::new());
        let mut made: Vec<&str> = Vec::new();
        for field in Fields::of(body) {
            let field = field.ok()?;
            match (field.number, field.bytes()) {
                (NODE, Some(bytes)) => {
                    made.extend(texts(bytes, 2));
                    nodes.push(bytes);
                }
                (TENSOR, Some(bytes)) => tensors.push((Tensor::read(bytes).ok()?.name, bytes)),
                (OUTPUT, Some(bytes)) => results.push(Info::read(bytes).ok()?.name),
                (SPARSE, _) => return None,
                _ => {}
            }
        }
        if results.len() < outputs.len() {
            return None;
        }
        let mut names: HashMap<&str, String> = HashMap::new();
        let own = made.iter().copied().chain(tensors.iter().map(|t| t.0));
        for name in own.filter(|name| !name.is_empty()) {
            if names.insert(name, format!("{prefix}{name}")).is_some() {
                return None;
            }
        }
        // What a node of the body gives is given by it under the name that it has outside; all else is passed on.
        let mut passed = Vec::new();
        let made: HashSet<&str> = made.into_iter().collect();
        let mut taken: HashSet<&str> = HashSet::new();
        for (result, output) in results.iter().zip(&outputs) {
            if output.is_empty() {
                continue;
            }
            match made.contains(result) && taken.insert(result) {
                true => {
                    names.insert(result, (*output).to_owned());
                }
                false => passed.push((*result, *output)),
            }
        }
        let is_free = |name: &String| !is_named(graph, name) || outputs.contains(&name.as_str());
        if !names.values().all(is_free) {
            return None;
        }
        let mut branch = Branch {
            nodes: Vec::new(),
            tensors: Vec::new(),
        };
        for bytes in nodes {
            let mut out = Vec::with_capacity(bytes.len());
            rename_node(bytes, &names, 0, &mut out)?;
            branch.nodes.push(out);
        }
        for (result, output) in passed {
            let result = names.get(result).map_or(result, String::as_str);
            branch.nodes.push(identity(result, output));
        }
        for (name, bytes) in tensors {
            let new = names.get(name)?;
            let mut out = Vec::with_capacity(bytes.len());
            rewrite(bytes, &mut out, |field, out| {
                let is_name = field.number == 8;
                if is_name {
                    put_bytes(8, new.as_bytes(), out);
                }
                is_name
            });
            branch.tensors.push(out);
        }
        Some(branch)
    }
}

/// The body of a node by the name of its attribute.
fn body<'a>(node: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let attributes = Fields::of(node).flatten();
    let attributes = attributes.filter(|field| field.number == ATTRIBUTE);
    attributes
        .filter_map(|field| field.bytes())
        .find_map(|attribute| {
            let (mut own, mut body) = ("", None);
            for field in Fields::of(attribute).flatten() {
                match field.number {
                    1 => own = field.text().ok()?,
                    Attribute::GRAPH => body = field.bytes(),
                    _ => {}
                }
            }
            body.filter(|_| own == name)
        })
}

/// The texts of a message's fields of a number.
fn texts(message: &[u8], number: u32) -> Vec<&str> {
    let fields = Fields::of(message).flatten();
    let fields = fields.filter(|field| field.number == number);
    fields.filter_map(|field| field.text().ok()).collect()
}

/// Is there a value of this name in a graph, those in bodies of its nodes aside?
fn is_named(graph: &[u8], name: &str) -> bool {
    Fields::of(graph).flatten().any(|field| {
        let Some(bytes) = field.bytes() else {
            return false;
        };
        match field.number {
            NODE => texts(bytes, 2).contains(&name),
            TENSOR => Tensor::read(bytes).is_ok_and(|tensor| tensor.name == name),
            super::INPUT => Info::read(bytes).is_ok_and(|info| info.name == name),
            _ => false,
        }
    })
}

/// A node that passes a value on.
fn identity(input: &str, output: &str) -> Vec<u8> {
    let mut out = Vec::new();
    put_bytes(1, input.as_bytes(), &mut out);
    put_bytes(2, output.as_bytes(), &mut out);
    put_bytes(4, b"Identity", &mut out);
    out
}

/// Writes a node with other names for some values, those in its bodies as well. None if a body has a value of its own of such a name.
fn rename_node(
    node: &[u8],
    names: &HashMap<&str, String>,
    depth: usize,
    out: &mut Vec<u8>,
) -> Option<()> {
    if depth > DEEPEST {
        return None;
    }
    let mut is_written = true;
    rewrite(node, out, |field, out| {
        match (field.number, field.bytes()) {
            (1 | 2, Some(bytes)) => rename(field.number, bytes, names, out),
            (ATTRIBUTE, Some(attribute)) => {
                let mut own = Vec::with_capacity(attribute.len());
                rewrite(attribute, &mut own, |field, out| {
                    match (field.number, field.bytes()) {
                        (Attribute::GRAPH | GRAPHS, Some(body)) => {
                            let mut renamed = Vec::with_capacity(body.len());
                            is_written &=
                                rename_body(body, names, depth + 1, &mut renamed).is_some();
                            put_bytes(field.number, &renamed, out);
                            true
                        }
                        _ => false,
                    }
                });
                put_bytes(ATTRIBUTE, &own, out);
                true
            }
            _ => false,
        }
    });
    is_written.then_some(())
}

fn rename_body(
    body: &[u8],
    names: &HashMap<&str, String>,
    depth: usize,
    out: &mut Vec<u8>,
) -> Option<()> {
    let mut is_written = true;
    rewrite(body, out, |field, out| {
        match (field.number, field.bytes()) {
            (NODE, Some(node)) => {
                is_written &= !texts(node, 2).iter().any(|name| names.contains_key(name));
                let mut own = Vec::with_capacity(node.len());
                is_written &= rename_node(node, names, depth, &mut own).is_some();
                put_bytes(NODE, &own, out);
                true
            }
            (OUTPUT, Some(info)) => {
                let mut own = Vec::with_capacity(info.len());
                rewrite(info, &mut own, |field, out| {
                    match (field.number, field.bytes()) {
                        (1, Some(bytes)) => rename(1, bytes, names, out),
                        _ => false,
                    }
                });
                put_bytes(OUTPUT, &own, out);
                true
            }
            (super::INPUT, Some(info)) => {
                let own = Info::read(info);
                is_written &= own.is_ok_and(|info| !names.contains_key(info.name));
                false
            }
            (TENSOR, Some(tensor)) => {
                let own = Tensor::read(tensor);
                is_written &= own.is_ok_and(|tensor| !names.contains_key(tensor.name));
                false
            }
            _ => false,
        }
    });
    is_written.then_some(())
}

/// Writes a name, if there is another one for it.
fn rename(number: u32, name: &[u8], names: &HashMap<&str, String>, out: &mut Vec<u8>) -> bool {
    let new = std::str::from_utf8(name)
        .ok()
        .and_then(|name| names.get(name));
    if let Some(new) = new {
        put_bytes(number, new.as_bytes(), out);
    }
    new.is_some()
}
