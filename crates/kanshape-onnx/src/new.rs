//! [`NewModel`]: a model that is written from its parts, and [`NewNode`]: a node of it, or of one that is edited.

use kanshape::{AttrValue, Content, Dim, Dtype, Tensor, Type};

use crate::model::GRAPH;
use crate::proto::dtype;
use crate::proto::node::ATTRIBUTE;
use crate::wire::{put_bytes, put_float, put_int, put_message};
use crate::write::new_type;

/// A node of a model that is written, or that an edit inserts.
#[derive(Clone, Debug, PartialEq)]
pub struct NewNode {
    /// What it is called.
    pub name: String,
    /// Its operator, without the domain.
    pub op: String,
    /// The domain of its operator: empty for ONNX's own.
    pub domain: String,
    /// The values that it takes; an empty name is one that is left out.
    pub inputs: Vec<String>,
    /// The values that it gives.
    pub outputs: Vec<String>,
    /// Its attributes.
    pub attrs: Vec<(Box<str>, AttrValue)>,
}

/// A model that is written from its parts.
///
/// ```
/// use kanshape_onnx::{Model, NewModel, NewNode, Options, check};
///
/// let relu = NewNode {
///     name: String::new(),
///     op: "Relu".into(),
///     domain: String::new(),
///     inputs: vec!["x".into()],
///     outputs: vec!["y".into()],
///     attrs: Vec::new(),
/// };
/// let model = NewModel {
///     versions: vec![(String::new(), 18)],
///     inputs: vec![("x".into(), "f32[N, 4]".parse()?)],
///     nodes: vec![relu],
///     outputs: vec![("y".into(), "f32[...]".parse()?)],
///     ..NewModel::default()
/// };
/// let bytes = model.encode().expect("nothing that a model can't have");
/// let model = Model::read(&bytes)?;
/// let report = check(&model, &Options::default());
/// assert_eq!(report.outputs[0].1.to_string(), "f32[N, 4]");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NewModel {
    /// The versions of operator sets: the domain, empty for ONNX's own, and the number.
    pub versions: Vec<(String, u64)>,
    /// The inputs with their types.
    pub inputs: Vec<(String, Type)>,
    /// The constants: types whose contents are known.
    pub constants: Vec<(String, Type)>,
    /// The nodes, each after those whose outputs it takes.
    pub nodes: Vec<NewNode>,
    /// The outputs with their types.
    pub outputs: Vec<(String, Type)>,
    /// What is declared of values between inputs and outputs.
    pub between: Vec<(String, Type)>,
}

/// The versions of operator sets of ONNX that came with a new version of the format, and that version.
const FORMATS: [(u64, u64); 10] = [
    (25, 13),
    (24, 12),
    (23, 11),
    (21, 10),
    (19, 9),
    (15, 8),
    (12, 7),
    (11, 6),
    (10, 5),
    (9, 4),
];
/// The version of the format before these.
const OLDEST_FORMAT: u64 = 3;

impl NewModel {
    /// The model in ONNX's format. A type that no model can have is left out: nothing is declared of that value. None if an attribute or
    /// a constant is nothing that a model can have.
    pub fn encode(&self) -> Option<Vec<u8>> {
        let own = self.versions.iter().find(|(domain, _)| domain.is_empty());
        let own = own.map_or(0, |(_, version)| *version);
        let format = FORMATS.iter().find(|(since, _)| *since <= own);
        let mut out = Vec::new();
        put_int(
            1,
            format.map_or(OLDEST_FORMAT, |(_, format)| *format),
            &mut out,
        );
        put_bytes(2, b"kanshape", &mut out);
        for (domain, version) in &self.versions {
            put_message(8, &mut out, |out| {
                put_bytes(1, domain.as_bytes(), out);
                put_int(2, *version, out);
            });
        }
        put_bytes(GRAPH, &self.graph()?, &mut out);
        Some(out)
    }

    fn graph(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        for new in &self.nodes {
            put_bytes(1, &node(new)?, &mut out);
        }
        put_bytes(2, b"kanshape", &mut out);
        for (name, ty) in &self.constants {
            put_bytes(5, &constant(name, ty)?, &mut out);
        }
        for (number, values) in [(11, &self.inputs), (12, &self.outputs), (13, &self.between)] {
            for (name, ty) in values {
                put_bytes(number, &port(name, ty), &mut out);
            }
        }
        Some(out)
    }
}

/// A value as a message, with its type where that is one that a model can have.
pub(crate) fn port(name: &str, ty: &Type) -> Vec<u8> {
    let mut out = Vec::new();
    put_bytes(1, name.as_bytes(), &mut out);
    if let Some(ty) = new_type(ty) {
        put_bytes(2, &ty, &mut out);
    }
    out
}

/// A node as a message; none if one of its attributes can't be written.
pub(crate) fn node(node: &NewNode) -> Option<Vec<u8>> {
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

/// A tensor by its name, with all that is in it; none if that is not known.
pub(crate) fn constant(name: &str, ty: &Type) -> Option<Vec<u8>> {
    let mut constant = tensor(ty.as_tensor()?)?;
    put_bytes(8, name.as_bytes(), &mut constant);
    Some(constant)
}

/// A tensor with all that is in it.
fn tensor(tensor: &Tensor) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for dim in tensor.shape.iter() {
        put_int(1, dim.size()?, &mut out);
    }
    tensor.shape.rank()?;
    let dtype = tensor.dtype.known()?;
    put_int(2, dtype::number(dtype)?, &mut out);
    let mut raw = Vec::new();
    for member in tensor.contents.as_ref()?.iter() {
        put_member(dtype, member, &mut raw)?;
    }
    put_bytes(9, &raw, &mut out);
    Some(out)
}

/// Can a constant of this dtype be written?
pub fn is_writable(dtype: Dtype) -> bool {
    use Dtype::{Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    matches!(
        dtype,
        I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | F32 | F64 | Bool
    )
}

/// One element of a tensor as its raw bytes; none if its dtype can't have it.
fn put_member(dtype: Dtype, member: &Content, out: &mut Vec<u8>) -> Option<()> {
    match (dtype, member) {
        (Dtype::I8, Content::Int(n)) => out.extend(i8::try_from(*n).ok()?.to_le_bytes()),
        (Dtype::I16, Content::Int(n)) => out.extend(i16::try_from(*n).ok()?.to_le_bytes()),
        (Dtype::I32, Content::Int(n)) => out.extend(i32::try_from(*n).ok()?.to_le_bytes()),
        (Dtype::I64, Content::Int(n)) => out.extend(n.to_le_bytes()),
        (Dtype::U8, Content::Int(n)) => out.extend(u8::try_from(*n).ok()?.to_le_bytes()),
        (Dtype::U16, Content::Int(n)) => out.extend(u16::try_from(*n).ok()?.to_le_bytes()),
        (Dtype::U32, Content::Int(n)) => out.extend(u32::try_from(*n).ok()?.to_le_bytes()),
        (Dtype::U64, Content::Int(n)) => out.extend(u64::try_from(*n).ok()?.to_le_bytes()),
        (Dtype::F32, Content::Float(x)) => out.extend((x.get() as f32).to_le_bytes()),
        (Dtype::F32, Content::Int(n)) => out.extend((*n as f32).to_le_bytes()),
        (Dtype::F64, Content::Float(x)) => out.extend(x.get().to_le_bytes()),
        (Dtype::F64, Content::Int(n)) => out.extend((*n as f64).to_le_bytes()),
        (Dtype::Bool, Content::Bool(is)) => out.push(u8::from(*is)),
        _ => return None,
    }
    Some(())
}
