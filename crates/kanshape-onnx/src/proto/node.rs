//! [`Node`]: a call of an operator. [`Label`]: what a person sees of it.

use super::attribute::Attribute;
use crate::symbols::{OperatorNo, Symbol, Symbols};
use crate::wire::{Broken, Fields, offset};
use smallvec::SmallVec;

/// A call of an operator, as it stands in a graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    pub name: &'a str,
    /// The operator.
    pub kind: OperatorNo,
    /// The bytes from its first attribute to its last, with what stands between them.
    pub attrs: &'a [u8],
    /// Where its inputs begin among the operands of its graph, its outputs, and those of the next.
    pub inputs: u32,
    pub outputs: u32,
    pub end: u32,
}

/// The number of the field that attributes are.
pub(crate) const ATTRIBUTE: u32 = 5;

impl<'a> Node<'a> {
    /// Reads a node; its operands are added to those of its graph. What has been read up to a mistake is kept.
    #[inline]
    pub(crate) fn read(
        message: &'a [u8],
        symbols: &mut Symbols<'_, 'a>,
        operands: &mut Vec<Symbol>,
    ) -> (Node<'a>, Result<(), Broken<'a>>) {
        let mut node = Node {
            name: "",
            kind: OperatorNo::default(),
            attrs: &[],
            inputs: operands.len() as u32,
            outputs: 0,
            end: 0,
        };
        let mut outputs = SmallVec::<[Symbol; 8]>::new();
        let (mut op, mut domain, mut overload) = ("", "", "");
        let mut attrs: Option<(&'a [u8], usize)> = None;
        let mut read = || {
            let mut fields = Fields::of(message);
            loop {
                let start = fields.rest();
                let Some(field) = fields.next() else {
                    return Ok(());
                };
                let field = field?;
                match field.number {
                    1 => operands.push(symbols.of(field.text()?)),
                    2 => outputs.push(symbols.of(field.text()?)),
                    3 => node.name = field.text()?,
                    4 => op = field.text()?,
                    ATTRIBUTE => {
                        let (first, _) = *attrs.get_or_insert((start, 0));
                        attrs = Some((first, offset(first, fields.rest())));
                    }
                    7 => domain = field.text()?,
                    8 => overload = field.text()?,
                    _ => {}
                }
            }
        };
        let done = read();
        node.kind = symbols.kind(op, domain, overload);
        node.attrs = attrs.map_or(&[], |(first, len)| &first[..len.min(first.len())]);
        node.outputs = operands.len() as u32;
        operands.extend(outputs);
        node.end = operands.len() as u32;
        (node, done)
    }

    /// Its attributes, each a message.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        attributes(self.attrs)
    }
}

/// The attributes in a part of a node, each a message.
pub(crate) fn attributes<'a>(part: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + use<'a> {
    let attributes = Fields::of(part).flatten();
    attributes
        .filter(|field| field.number == ATTRIBUTE)
        .filter_map(|field| field.bytes())
}

/// What a node is called, without a number for its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label<'a> {
    pub name: &'a str,
    pub op: &'a str,
    pub has_bodies: bool,
}

impl<'a> Label<'a> {
    /// Reads it, up to a mistake if there is one; the names of its outputs are added to `outputs`.
    pub(crate) fn read(message: &'a [u8], outputs: &mut Vec<&'a str>) -> Label<'a> {
        let mut label = Label {
            name: "",
            op: "",
            has_bodies: false,
        };
        for field in Fields::of(message).map_while(Result::ok) {
            match (field.number, field.text()) {
                (2, Ok(name)) => outputs.push(name),
                (3, Ok(name)) => label.name = name,
                (4, Ok(op)) => label.op = op,
                (1..=4 | 7 | 8, Err(_)) => break,
                (ATTRIBUTE, _) => {
                    label.has_bodies |= field.bytes().is_some_and(Attribute::is_body);
                }
                _ => {}
            }
        }
        label
    }
}
