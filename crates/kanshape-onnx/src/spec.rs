//! [`GraphSpec`]: a small graph that is described rather than read, written as the model that it is.

use crate::proto::dtype;
use crate::wire::{put_bytes, put_float, put_int, put_message};
use kanshape::{AttrValue, Content, Dtype, Tensor, Type};

/// A graph in which no weights stand: the names of its values, and its nodes.
///
/// The types of its inputs are given with [`Options::inputs`](crate::Options::inputs), where they may say more than a
/// model can.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphSpec {
    /// The names of its inputs.
    pub inputs: Vec<String>,
    /// Its nodes, in any order.
    pub nodes: Vec<NodeSpec>,
    /// The names of its outputs.
    pub outputs: Vec<String>,
    /// The version of each domain that its nodes are of.
    pub versions: Vec<(String, u64)>,
}

/// A node of such a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeSpec {
    /// What it is called; empty if it has no name.
    pub name: String,
    /// The domain of its operator.
    pub domain: String,
    /// The name of its operator.
    pub op: String,
    /// Its inputs, by the names of the values; `None` is one that is left out.
    pub inputs: Vec<Option<String>>,
    /// Its outputs, likewise.
    pub outputs: Vec<Option<String>>,
    /// Its attributes.
    pub attrs: Vec<(String, AttrValue)>,
}

/// An attribute that no model can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAttr {
    /// The place of its node.
    pub node: usize,
    /// What the attribute is called.
    pub name: String,
    /// What is wrong with it: `is not known`.
    pub why: &'static str,
}

impl GraphSpec {
    /// The bytes of a model with this graph, which [`Model::read`](crate::Model::read) reads.
    ///
    /// # Errors
    /// The first attribute that no model can have: one that is not known, or the type of a body.
    pub fn encode(&self) -> Result<Vec<u8>, BadAttr> {
        let mut graph = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let message = node.encode().map_err(|(name, why)| BadAttr {
                node: at,
                name: name.to_owned(),
                why,
            })?;
            put_bytes(1, &message, &mut graph);
        }
        for (number, names) in [(11, &self.inputs), (12, &self.outputs)] {
            for name in names {
                put_message(number, &mut graph, |out| put_bytes(1, name.as_bytes(), out));
            }
        }
        let mut model = Vec::with_capacity(graph.len() + 64);
        for (domain, version) in &self.versions {
            put_message(8, &mut model, |out| {
                put_bytes(1, domain.as_bytes(), out);
                put_int(2, *version, out);
            });
        }
        put_bytes(crate::model::GRAPH, &graph, &mut model);
        Ok(model)
    }
}

impl NodeSpec {
    fn encode(&self) -> Result<Vec<u8>, (&str, &'static str)> {
        let mut out = Vec::new();
        for (number, names) in [(1, &self.inputs), (2, &self.outputs)] {
            for name in names {
                put_bytes(number, name.as_deref().unwrap_or("").as_bytes(), &mut out);
            }
        }
        for (number, text) in [(3, &self.name), (4, &self.op), (7, &self.domain)] {
            put_bytes(number, text.as_bytes(), &mut out);
        }
        for (name, value) in &self.attrs {
            let mut message = Vec::new();
            put_bytes(1, name.as_bytes(), &mut message);
            attribute(value, &mut message).map_err(|why| (&**name, why))?;
            put_bytes(5, &message, &mut out);
        }
        Ok(out)
    }
}

/// Why an attribute is none.
type SpecError = &'static str;

const NOT_KNOWN: SpecError =
    "is no value: an attribute of a node in a graph can't be `?` or have a name in it";
const NONE_OF_THEM: SpecError = "is nothing that an attribute of a model can be";

/// Writes the value of an attribute, and of what kind it is.
fn attribute(value: &AttrValue, out: &mut Vec<u8>) -> Result<(), SpecError> {
    let kind = match value {
        AttrValue::Float(x) => {
            put_float(2, x.get() as f32, out);
            1
        }
        AttrValue::Int(n) => {
            put_int(3, *n as u64, out);
            2
        }
        AttrValue::Bool(truth) => {
            put_int(3, u64::from(*truth), out);
            2
        }
        AttrValue::Text(text) => {
            put_bytes(4, text.as_bytes(), out);
            3
        }
        AttrValue::Dtype(own) => {
            put_int(3, dtype::number(*own).ok_or(NONE_OF_THEM)?, out);
            2
        }
        AttrValue::Type(ty) => {
            put_bytes(5, &tensor(ty)?, out);
            4
        }
        AttrValue::List(members) => list(members, out)?,
        AttrValue::Hole | AttrValue::Unknown | AttrValue::Absent | AttrValue::Dim(_) => {
            return Err(NOT_KNOWN);
        }
        _ => return Err(NONE_OF_THEM),
    };
    put_int(20, kind, out);
    Ok(())
}

/// Writes the members of a list, and returns of what kind it is. One of numbers is of floats if one of them is.
fn list(members: &[AttrValue], out: &mut Vec<u8>) -> Result<u64, SpecError> {
    let is_float = members.iter().any(|m| matches!(m, AttrValue::Float(_)));
    let mut kind = if is_float { 6 } else { 7 };
    for member in members {
        match member {
            AttrValue::Float(x) => put_float(7, x.get() as f32, out),
            AttrValue::Int(n) if is_float => put_float(7, *n as f32, out),
            AttrValue::Int(n) => put_int(8, *n as u64, out),
            AttrValue::Text(text) => {
                kind = 8;
                put_bytes(9, text.as_bytes(), out);
            }
            AttrValue::Type(ty) => {
                kind = 9;
                put_bytes(10, &tensor(ty)?, out);
            }
            AttrValue::Hole | AttrValue::Unknown | AttrValue::Dim(_) => return Err(NOT_KNOWN),
            _ => return Err(NONE_OF_THEM),
        }
    }
    Ok(kind)
}

/// A tensor with what is in it.
fn tensor(ty: &Type) -> Result<Vec<u8>, SpecError> {
    let tensor = ty.as_tensor().ok_or(NONE_OF_THEM)?;
    let dtype = tensor.dtype.known().ok_or(NOT_KNOWN)?;
    let members = tensor.contents.as_ref().ok_or(NOT_KNOWN)?;
    let mut out = Vec::new();
    for size in sizes(tensor)? {
        put_int(1, size, &mut out);
    }
    put_int(2, dtype::number(dtype).ok_or(NONE_OF_THEM)?, &mut out);
    let mut raw = Vec::new();
    for member in members.iter() {
        match member {
            Content::Text(text) => put_bytes(6, text.as_bytes(), &mut out),
            member => raw.extend(bytes(member, &dtype)?),
        }
    }
    if dtype != Dtype::Str {
        put_bytes(9, &raw, &mut out);
    }
    Ok(out)
}

fn sizes(tensor: &Tensor) -> Result<Vec<u64>, SpecError> {
    let sizes = tensor.shape.iter().map(|dim| dim.size().ok_or(NOT_KNOWN));
    match tensor.shape.run() {
        None => sizes.collect(),
        Some(_) => Err(NOT_KNOWN),
    }
}

/// A number as it lies in memory.
fn bytes(member: &Content, dtype: &Dtype) -> Result<Vec<u8>, SpecError> {
    let (int, float) = match member {
        Content::Int(n) => (*n, *n as f64),
        Content::Bool(truth) => (i64::from(*truth), f64::from(u8::from(*truth))),
        Content::Float(x) => (x.get() as i64, x.get()),
        _ => return Err(NOT_KNOWN),
    };
    let whole = int.to_le_bytes();
    Ok(match *dtype {
        Dtype::F32 => (float as f32).to_le_bytes().to_vec(),
        Dtype::F64 => float.to_le_bytes().to_vec(),
        Dtype::I64 | Dtype::U64 => whole.to_vec(),
        Dtype::I32 | Dtype::U32 => whole[..4].to_vec(),
        Dtype::I16 | Dtype::U16 => whole[..2].to_vec(),
        Dtype::I8 | Dtype::U8 | Dtype::Bool => whole[..1].to_vec(),
        _ => return Err("has `data` of a dtype that is written in no common way"),
    })
}
