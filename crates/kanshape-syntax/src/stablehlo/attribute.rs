//! [`Attribute`]: the value of an attribute, whichever way it is written.

use super::ty::MlirType;
use super::{Entry, Mark, Piece, PieceKind, parse};
use crate::signature::mlir;

/// How deep attributes may be nested.
const MOST_NESTED: usize = 32;

/// The longest text of the contents of a constant that are read.
const MOST_CONTENTS: usize = 1 << 16;

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// `0 : i64`.
    Int(i64),
    /// `0.5 : f32`.
    Float(f64),
    /// `true`; of one that is there and no more as well.
    Bool(bool),
    /// `"x"`, `#stablehlo<precision HIGH>`, `DEFAULT`.
    Text(Box<str>),
    /// `@f`.
    Symbol(Box<str>),
    /// `[1, 2]`, `array<i64: 1, 2>`.
    List(Vec<Attribute>),
    /// `{a = 1}`, `#stablehlo.gather<offset_dims = [1]>`.
    Group(Vec<(Box<str>, Attribute)>),
    /// `dense<[1, 2]> : tensor<2xi64>`.
    Dense(Dense),
    /// Any other, as it is written.
    Other(Box<str>),
}

/// What a constant is.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// What is in it: one value for all of it, or its rows. `None` if that is not read, because it is too much. A text is bytes of a type
    /// that is not known.
    pub elements: Option<Box<Attribute>>,
    /// Its type, if that is written.
    pub ty: Option<MlirType>,
}

impl Dense {
    /// What is written in `dense<..>`.
    pub(super) fn read(text: &str, ty: Option<MlirType>, depth: usize) -> Dense {
        let inner = text.strip_prefix("dense<");
        let inner = inner.and_then(|t| t.strip_suffix('>')).unwrap_or_default();
        let elements = match inner.trim() {
            "" => Some(Attribute::List(Vec::new())),
            text if text.len() > MOST_CONTENTS => None,
            text => parse::pieces(text).map(|pieces| value(text, &pieces, depth)),
        };
        let elements = elements.filter(|e| !matches!(e, Attribute::Other(_)));
        let dense = Dense {
            elements: elements.map(Box::new),
            ty: None,
        };
        match ty {
            Some(ty) => dense.of_type(ty),
            None => dense,
        }
    }

    /// The same of this type: bytes are elements of it.
    pub(super) fn of_type(self, ty: MlirType) -> Dense {
        let elements = match self.elements.as_deref() {
            Some(Attribute::Text(bytes)) => decoded(bytes, &ty).map(Box::new),
            _ => self.elements,
        };
        Dense {
            elements,
            ty: Some(ty),
        }
    }
}

/// The elements that are written as the digits of their bytes, the lowest byte first: one for all, or rows.
fn decoded(digits: &str, ty: &MlirType) -> Option<Attribute> {
    let MlirType::Tensor {
        dims: Some(dims),
        element,
        ..
    } = ty
    else {
        return None;
    };
    let digits = digits.strip_prefix("0x")?.as_bytes();
    let pairs = digits.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |pair: &[u8]| u8::try_from(16 * digit(pair[0])? + digit(pair[1])?).ok();
    let bytes: Option<Vec<u8>> = pairs.map(byte).collect();
    let bytes = bytes?;
    let (kind, bits) = element.split_at(element.find(|c: char| c.is_ascii_digit())?);
    let bits: usize = bits.parse().ok()?;
    if !matches!(bits, 8 | 16 | 32 | 64) {
        return None;
    }
    let read = |bytes: &[u8]| -> Option<Attribute> {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        let n = u64::from_le_bytes(all);
        match (kind, bits) {
            ("ui", _) => i64::try_from(n).ok().map(Attribute::Int),
            // The sign is the highest of its bits.
            ("i" | "si", _) => Some(Attribute::Int((n << (64 - bits)) as i64 >> (64 - bits))),
            ("f", 32) => {
                let x = f32::from_bits(u32::try_from(n).ok()?);
                Some(Attribute::Float(x.into()))
            }
            ("f", 64) => Some(Attribute::Float(f64::from_bits(n))),
            _ => None,
        }
    };
    let elements: Option<Vec<Attribute>> = bytes.chunks(bits / 8).map(read).collect();
    let mut elements = elements.filter(|_| bytes.len() % (bits / 8) == 0)?;
    let mut count = Some(1_usize);
    let mut sizes = Vec::with_capacity(dims.len());
    for dim in dims {
        let size = usize::try_from((*dim)?).ok()?;
        count = count.and_then(|n| n.checked_mul(size));
        sizes.push(size);
    }
    if elements.len() == 1 {
        return elements.pop();
    }
    if count != Some(elements.len()) {
        return None;
    }
    for size in sizes.iter().skip(1).rev().filter(|size| **size > 0) {
        let rows = elements.chunks(*size);
        elements = rows.map(|row| Attribute::List(row.to_vec())).collect();
    }
    Some(Attribute::List(elements))
}

/// The attributes that are written in braces.
pub(super) fn entries(text: &str, entries: &[Entry]) -> Vec<(Box<str>, Attribute)> {
    nested_entries(text, entries, MOST_NESTED)
}

fn nested_entries(text: &str, entries: &[Entry], depth: usize) -> Vec<(Box<str>, Attribute)> {
    let read = |entry: &Entry| {
        let key = at(text, entry.key.start, entry.key.end);
        let value = match entry.value.is_empty() {
            true => Attribute::Bool(true),
            false => value(text, &entry.value, depth),
        };
        (key.trim_matches('"').into(), value)
    };
    entries.iter().map(read).collect()
}

/// A value that is written as these pieces of a text.
pub(super) fn read(text: &str, pieces: &[Piece]) -> Attribute {
    value(text, pieces, MOST_NESTED)
}

fn value(text: &str, pieces: &[Piece], depth: usize) -> Attribute {
    let Some(first) = pieces.first() else {
        return Attribute::Other("".into());
    };
    let written = at(text, first.span.start, first.span.end);
    let Some(depth) = depth.checked_sub(1) else {
        return Attribute::Other(written.into());
    };
    match &first.kind {
        PieceKind::Number => number(written),
        PieceKind::Word => match written {
            "true" => Attribute::Bool(true),
            "false" => Attribute::Bool(false),
            word => Attribute::Text(word.into()),
        },
        PieceKind::Text => Attribute::Text(unquoted(written)),
        PieceKind::Symbol => Attribute::Symbol(symbol(written)),
        PieceKind::List(members) => Attribute::List(
            members
                .split(|piece| matches!(piece.kind, PieceKind::Mark(Mark::Comma)))
                .filter(|member| !member.is_empty())
                .map(|member| value(text, member, depth))
                .collect(),
        ),
        PieceKind::Dict(of) => Attribute::Group(nested_entries(text, of, depth)),
        PieceKind::Array => array(written),
        PieceKind::Dense => {
            let ty = pieces.get(2).filter(|_| is_colon(pieces.get(1)));
            let ty = ty.map(|ty| MlirType::read(at(text, ty.span.start, ty.span.end)));
            Attribute::Dense(Dense::read(written, ty, depth))
        }
        PieceKind::Attribute => of_dialect(written, depth),
        _ => Attribute::Other(written.into()),
    }
}

fn is_colon(piece: Option<&Piece>) -> bool {
    piece.is_some_and(|piece| matches!(piece.kind, PieceKind::Mark(Mark::Colon)))
}

fn at(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

fn number(written: &str) -> Attribute {
    if let Ok(n) = written.parse() {
        return Attribute::Int(n);
    }
    match written.parse() {
        Ok(x) if !written.starts_with("0x") => Attribute::Float(x),
        // The bits of a float, or more than 64 of them.
        _ => Attribute::Other(written.into()),
    }
}

/// `array<i64: 1, 2>`.
fn array(written: &str) -> Attribute {
    let inner = written.strip_prefix("array<");
    let inner = inner.and_then(|t| t.strip_suffix('>')).unwrap_or_default();
    let members = inner.split_once(':').map_or("", |(_, members)| members);
    let members = members.split(',').map(str::trim).filter(|m| !m.is_empty());
    Attribute::List(
        members
            .map(|member| match member {
                "true" => Attribute::Bool(true),
                "false" => Attribute::Bool(false),
                member => number(member),
            })
            .collect(),
    )
}

/// `#stablehlo<precision HIGH>`, `#stablehlo.gather<offset_dims = [1]>`, `#stablehlo.conv<..>`.
fn of_dialect(written: &str, depth: usize) -> Attribute {
    if let Some(word) = mlir::enumerant(written) {
        return Attribute::Text(word.into());
    }
    let other = || Attribute::Other(written.into());
    let Some((name, inner)) = written.split_once('<') else {
        return other();
    };
    let Some(inner) = inner.strip_suffix('>') else {
        return other();
    };
    if name.ends_with(".conv") && !inner.trim_start().starts_with("raw") {
        let pieces = parse::pieces(inner);
        let groups = pieces.and_then(|pieces| super::forms::convolution_axes(inner, &pieces));
        return groups.map_or_else(other, Attribute::Group);
    }
    // The axes of a convolution may be written with their names.
    let inner = inner.trim_start();
    let inner = inner.strip_prefix("raw").unwrap_or(inner);
    let Some(of) = parse::entries(inner) else {
        return other();
    };
    Attribute::Group(nested_entries(inner, &of, depth))
}

/// What a symbol is called: `f` of `@f`.
pub(super) fn symbol(written: &str) -> Box<str> {
    let name = written.trim_start_matches('@');
    match name.starts_with('"') {
        true => unquoted(name),
        false => name.into(),
    }
}

/// What stands between quotes. Escapes are `\n`, `\t`, `\\`, `\"`, and two digits of 16 for a byte.
fn unquoted(written: &str) -> Box<str> {
    let inner = written.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let inner = inner.unwrap_or(written);
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(high) if digit(high).is_some() => {
                let low = rest.next().and_then(digit);
                let byte = digit(high).unwrap_or(0) * 16 + low.unwrap_or(0);
                bytes.push(u8::try_from(byte).unwrap_or(b'?'));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into()
}
