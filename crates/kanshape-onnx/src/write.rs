//! A model with the types of all of its values written into it.
//!
//! Nothing else of the file changes: what is not a declared type is copied byte by byte, weights and all.

use crate::dims::Dims;
use crate::graph::label;
use crate::model::{GRAPH, Model};
use crate::proto::attribute::Attribute;
use crate::proto::node::{ATTRIBUTE, Node};
use crate::proto::{ty, value::Info};
use crate::report::Report;
use crate::symbols::Symbols;
use crate::wire::{Field, Fields, Value, put_bytes};
use hashbrown::{HashMap, HashSet};
use kanshape::{Dim, Name, Shape, Tensor, Type};
use std::collections::BTreeMap;

/// How deep bodies are gone into. Deeper ones are copied as they are.
const DEEPEST: usize = 48;

/// The numbers of the fields of a graph that declare types.
const INPUT: u32 = 11;
const OUTPUT: u32 = 12;
const BETWEEN: u32 = 13;

/// Writes a model out with the type of every value of its graph and of the bodies of its operators, as far as the
/// report knows it. Where it knows less than the model declares, that stays.
///
/// A dim that is a name or an expression is written as its text, one of which nothing is known is left open. Whatever
/// else stands in the model is copied byte by byte.
pub fn write(model: &Model<'_>, report: &Report<'_>) -> Vec<u8> {
    let values = report.values.iter();
    let writer = Writer {
        types: values.map(|(name, ty)| (&**name, ty)).collect(),
        names: &report.renamed,
        made_up: report
            .dims
            .iter()
            .filter(|d| !d.named)
            .map(|d| d.name.as_str())
            .collect(),
    };
    let mut out = Vec::with_capacity(model.bytes.len() * 2);
    let mut fields = Fields::of(model.bytes);
    loop {
        let start = fields.rest();
        match fields.next() {
            Some(Ok(Field {
                number: GRAPH,
                value: Value::Bytes(graph),
            })) => put_bytes(GRAPH, &writer.graph(graph, "", 0), &mut out),
            Some(Ok(_)) => out.extend(&start[..start.len() - fields.rest().len()]),
            // Behind a mistake nothing can be told apart.
            Some(Err(broken)) => {
                out.extend(broken.rest);
                break;
            }
            None => break,
        }
    }
    out
}

struct Writer<'w> {
    /// By name; in bodies with what is around them.
    types: HashMap<&'w str, &'w Type>,
    /// Words that stand for another text.
    names: &'w BTreeMap<Name, String>,
    /// Names of dims that nobody has given.
    made_up: HashSet<&'w str>,
}

impl Writer<'_> {
    /// A graph with its types. `path` is the names of the nodes and bodies around it.
    fn graph(&self, message: &[u8], path: &str, depth: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(message.len() * 2);
        let mut declared: HashSet<&str> = HashSet::new();
        let mut values: Vec<&str> = Vec::new();
        let mut hints: HashMap<&str, (&[u8], Option<&[u8]>)> = HashMap::new();
        let mut nodes = 0;
        let mut scratch = (Symbols::default(), Vec::new());
        let mut fields = Fields::of(message);
        loop {
            let start = fields.rest();
            let Some(field) = fields.next() else { break };
            let field = match field {
                Ok(field) => field,
                Err(broken) => {
                    out.extend(broken.rest);
                    return out;
                }
            };
            let written = &start[..start.len() - fields.rest().len()];
            let bytes = field.bytes().unwrap_or_default();
            match field.number {
                1 => {
                    let (symbols, operands) = &mut scratch;
                    operands.clear();
                    let (node, _) = Node::read(bytes, symbols, operands);
                    let outputs = &operands[node.outputs as usize - node.inputs as usize..];
                    values.extend(outputs.iter().map(|s| symbols.name(*s)));
                    match node.attributes().any(is_body) && depth < DEEPEST {
                        true => {
                            let label = label(node.name, symbols.op(node.kind), nodes);
                            let node = self.node(bytes, &format!("{path}{label}/"), depth);
                            put_bytes(1, &node, &mut out);
                        }
                        false => out.extend(written),
                    }
                    nodes += 1;
                }
                INPUT | OUTPUT => {
                    let Ok(info) = Info::read(bytes) else {
                        out.extend(written);
                        continue;
                    };
                    declared.insert(info.name);
                    match self.type_of(path, info.name, info.ty) {
                        Some(ty) => put_bytes(field.number, &with_type(bytes, &ty), &mut out),
                        None => out.extend(written),
                    }
                }
                BETWEEN => {
                    if let Ok(info) = Info::read(bytes) {
                        hints.insert(info.name, (bytes, info.ty));
                    }
                }
                _ => out.extend(written),
            }
        }
        for name in values {
            if name.is_empty() || !declared.insert(name) {
                continue;
            }
            let (hint, declared) = hints.get(name).copied().unzip();
            match (self.type_of(path, name, declared.flatten()), hint) {
                (Some(ty), Some(hint)) => put_bytes(BETWEEN, &with_type(hint, &ty), &mut out),
                (Some(ty), None) => {
                    let mut info = Vec::new();
                    put_bytes(1, name.as_bytes(), &mut info);
                    put_bytes(BETWEEN, &with_type(&info, &ty), &mut out);
                }
                (None, Some(hint)) => put_bytes(BETWEEN, hint, &mut out),
                (None, None) => {}
            }
        }
        out
    }

    /// A node with its bodies.
    fn node(&self, message: &[u8], path: &str, depth: usize) -> Vec<u8> {
        rewritten(message, |field, out| {
            if field.number != ATTRIBUTE {
                return false;
            }
            let attribute = field.bytes().unwrap_or_default();
            if !is_body(attribute) {
                return false;
            }
            let path = format!("{path}{}/", Attribute::name_of(attribute));
            let attribute = rewritten(attribute, |field, out| {
                match (field.number, field.bytes()) {
                    (Attribute::GRAPH, Some(graph)) => {
                        put_bytes(Attribute::GRAPH, &self.graph(graph, &path, depth + 1), out);
                        true
                    }
                    _ => false,
                }
            });
            put_bytes(ATTRIBUTE, &attribute, out);
            true
        })
    }

    /// The type of a value as a message, if there is something to say.
    fn type_of(&self, path: &str, name: &str, declared: Option<&[u8]>) -> Option<Vec<u8>> {
        let ty = match path {
            "" => self.types.get(name),
            path => self.types.get(format!("{path}{name}").as_str()),
        };
        let mut dims = Dims::default();
        let declared = declared.and_then(|message| ty::read(message, &mut dims).ok());
        let ty = match declared {
            Some(declared) => self.with_more(ty?, &declared.ty)?,
            None => (*ty?).clone(),
        };
        ty::write(&ty, &|name| {
            let known = self.names.get(name).map(String::as_str);
            known.or_else(|| dims.renamed().get(name).copied())
        })
    }

    /// A type with what is declared and has not been found; none if the declared one says more as a whole.
    fn with_more(&self, found: &Type, declared: &Type) -> Option<Type> {
        let (Some(tensor), Some(other)) = (found.as_tensor(), declared.as_tensor()) else {
            return Some(found.clone());
        };
        if tensor.dtype.known().is_none()
            || tensor.shape.run().is_some() && other.shape.run().is_none()
        {
            return None;
        }
        if tensor.shape.rank() != other.shape.rank() {
            return Some(found.clone());
        }
        let dims = tensor
            .shape
            .iter()
            .zip(other.shape.iter())
            .map(|(dim, other)| {
                let is_open = match dim {
                    Dim::Hole => true,
                    Dim::Name(name) => self.made_up.contains(name.as_str()),
                    _ => false,
                };
                match is_open && *other != Dim::Hole {
                    true => other.clone(),
                    false => dim.clone(),
                }
            });
        let shape = Shape::known(dims.collect::<Vec<Dim>>());
        Some(Tensor::new(tensor.dtype.clone(), shape).into())
    }
}

/// Is an attribute a body?
fn is_body(attribute: &[u8]) -> bool {
    let mut fields = Fields::of(attribute).flatten();
    fields.any(|field| field.number == Attribute::GRAPH)
}

/// A declared value with this type in place of its own.
fn with_type(info: &[u8], ty: &[u8]) -> Vec<u8> {
    let mut out = rewritten(info, |field, _| field.number == Info::TYPE);
    put_bytes(Info::TYPE, ty, &mut out);
    out
}

/// A message whose fields `f` may write in its own way; those that it returns false for are copied.
fn rewritten(message: &[u8], mut f: impl FnMut(Field<'_>, &mut Vec<u8>) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(message.len());
    let mut fields = Fields::of(message);
    loop {
        let start = fields.rest();
        match fields.next() {
            Some(Ok(field)) => {
                if !f(field, &mut out) {
                    out.extend(&start[..start.len() - fields.rest().len()]);
                }
            }
            Some(Err(broken)) => {
                out.extend(broken.rest);
                return out;
            }
            None => return out,
        }
    }
}
