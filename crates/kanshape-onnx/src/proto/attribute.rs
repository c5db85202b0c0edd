//! [`Attribute`]: a named attribute of a node, and its value.

use super::tensor::{self, Tensor};
use super::ty;
use crate::dims::Dims;
use crate::wire::{Broken, Fields};
use kanshape::{AttrValue, Type};

/// An attribute of a node.
#[derive(Clone, Debug)]
pub(crate) struct Attribute<'a> {
    pub name: &'a str,
    pub value: AttributeValue<'a>,
}

/// What an attribute is given as.
#[derive(Clone, Debug)]
pub(crate) enum AttributeValue<'a> {
    Value(AttrValue),
    /// The body of a function.
    Graph(&'a [u8]),
    /// In a function: what the function is given by this name.
    Reference(&'a str),
    /// Something that no operator takes: several bodies, and the like.
    Other,
}

/// The kinds of attributes by their numbers.
mod kind {
    pub(super) const FLOAT: i64 = 1;
    pub(super) const INT: i64 = 2;
    pub(super) const STRING: i64 = 3;
    pub(super) const TENSOR: i64 = 4;
    pub(super) const GRAPH: i64 = 5;
    pub(super) const FLOATS: i64 = 6;
    pub(super) const INTS: i64 = 7;
    pub(super) const STRINGS: i64 = 8;
    pub(super) const TENSORS: i64 = 9;
    pub(super) const SPARSE: i64 = 11;
    pub(super) const TYPE: i64 = 13;
    pub(super) const TYPES: i64 = 14;
}

impl<'a> Attribute<'a> {
    /// The number of the field that a body is.
    pub(crate) const GRAPH: u32 = 6;

    /// Is it a body?
    pub(crate) fn is_body(message: &[u8]) -> bool {
        let mut fields = Fields::of(message).flatten();
        fields.any(|field| field.number == Attribute::GRAPH)
    }

    /// What it is called; empty if that can't be read.
    pub(crate) fn name_of(message: &'a [u8]) -> &'a str {
        let fields = Fields::of(message).flatten();
        let name = fields.filter(|field| field.number == 1).last();
        name.and_then(|name| name.text().ok()).unwrap_or_default()
    }

    pub(crate) fn read(
        message: &'a [u8],
        dims: &mut Dims<'a>,
    ) -> Result<Attribute<'a>, Broken<'a>> {
        Attribute::read_up_to(usize::MAX, message, dims)
    }

    /// The same, of a list no more than so many members: it is a list of the same kind.
    pub(crate) fn read_up_to(
        most: usize,
        message: &'a [u8],
        dims: &mut Dims<'a>,
    ) -> Result<Attribute<'a>, Broken<'a>> {
        let mut name = "";
        let mut reference = None;
        let mut declared = 0;
        let mut found = 0;
        let (mut int, mut float, mut text) = (0, 0.0, &b""[..]);
        let (mut ints, mut floats, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut types = Vec::new();
        let mut graph = &b""[..];
        for field in Fields::of(message) {
            let field = field?;
            let bytes = field.bytes().unwrap_or_default();
            // Old models don't say of what kind an attribute is: it is of the kind that it has a value of.
            found = match field.number {
                1 => {
                    name = field.text()?;
                    continue;
                }
                2 => {
                    field.floats(|x| float = x);
                    kind::FLOAT
                }
                3 => {
                    int = field.int().unwrap_or(0);
                    kind::INT
                }
                4 => {
                    text = bytes;
                    kind::STRING
                }
                5 => {
                    types = vec![tensor(Tensor::read(bytes)?)];
                    kind::TENSOR
                }
                Attribute::GRAPH => {
                    graph = bytes;
                    kind::GRAPH
                }
                7 => {
                    field.floats(|x| {
                        if floats.len() < most {
                            floats.push(x);
                        }
                    });
                    kind::FLOATS
                }
                8 => {
                    field.ints(|n| {
                        if ints.len() < most {
                            ints.push(n);
                        }
                    })?;
                    kind::INTS
                }
                9 => {
                    if texts.len() < most {
                        texts.push(bytes);
                    }
                    kind::STRINGS
                }
                10 => {
                    types.push(tensor(Tensor::read(bytes)?));
                    kind::TENSORS
                }
                14 => {
                    types = vec![ty::read(bytes, dims)?.ty];
                    kind::TYPE
                }
                15 => {
                    types.push(ty::read(bytes, dims)?.ty);
                    kind::TYPES
                }
                20 => {
                    declared = field.int().unwrap_or(0);
                    continue;
                }
                21 => {
                    reference = Some(field.text()?).filter(|name| !name.is_empty());
                    continue;
                }
                22 => {
                    types = vec![tensor(tensor::sparse(bytes)?)];
                    kind::SPARSE
                }
                _ => continue,
            };
        }
        let kind = if declared == 0 { found } else { declared };
        let value = match (reference, kind) {
            (Some(name), _) => AttributeValue::Reference(name),
            (None, kind::GRAPH) => AttributeValue::Graph(graph),
            (None, kind) => match kind {
                kind::FLOAT => AttributeValue::Value(f64::from(float).into()),
                kind::INT => AttributeValue::Value(int.into()),
                kind::STRING => AttributeValue::Value(words(text)),
                kind::TENSOR | kind::SPARSE | kind::TYPE => match types.pop() {
                    Some(ty) => AttributeValue::Value(ty.into()),
                    None => AttributeValue::Other,
                },
                kind::FLOATS => AttributeValue::Value(floats.into_iter().map(f64::from).collect()),
                kind::INTS => AttributeValue::Value(ints.into_iter().collect()),
                kind::STRINGS => {
                    AttributeValue::Value(AttrValue::List(texts.into_iter().map(words).collect()))
                }
                kind::TENSORS | kind::TYPES => AttributeValue::Value(types.into_iter().collect()),
                _ => AttributeValue::Other,
            },
        };
        Ok(Attribute { name, value })
    }
}

fn tensor(tensor: Tensor<'_>) -> Type {
    tensor.known().map_or(Type::UNKNOWN, |known| known.ty())
}

/// A text. Models write bytes; what is no text in UTF-8 among them decides about no type.
fn words(bytes: &[u8]) -> AttrValue {
    AttrValue::Text(String::from_utf8_lossy(bytes).into())
}
