//! [`Fields`]: the fields of a protobuf message, one by one, borrowed from its bytes.

use buffa::DecodeError;
use buffa::encoding::{Tag, WireType, decode_varint, encode_varint, skip_field};
use buffa::types::{borrow_bytes, decode_fixed32, decode_fixed64, put_len_delimited_header};

/// The fields of a message that are still to come.
///
/// What is read is never copied, and what is skipped is never examined. After a mistake nothing more comes: what
/// stands behind it is not known.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

/// A field of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub number: u32,
    pub value: Value<'a>,
}

/// The value of a field, as far as the wire tells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Varint(u64),
    Fixed32(u32),
    Fixed64(u64),
    /// A text, bytes, a message, or numbers in a row.
    Bytes(&'a [u8]),
    /// A group. No message of ONNX has one.
    Group,
}

/// Bytes that are no message, and where they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broken<'a> {
    /// What stands at the mistake and behind it.
    pub rest: &'a [u8],
    pub why: Why,
}

/// What is wrong with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// They end too early.
    Cut,
    /// They are not known.
    Garbled,
    /// They are no text.
    NotText,
}

impl Why {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Why::Cut => "ends too early",
            Why::Garbled => "is garbled",
            Why::NotText => "has a name that is no text in UTF-8",
        }
    }
}

impl<'a> Fields<'a> {
    /// The fields of the message that has these bytes.
    pub(crate) fn of(message: &'a [u8]) -> Fields<'a> {
        Fields { rest: message }
    }

    /// The bytes that are not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    #[inline]
    fn read(&mut self) -> Result<Field<'a>, DecodeError> {
        // Most fields are short texts: a byte for what it is, and one for how long.
        if let [tag, len, rest @ ..] = self.rest
            && *tag < 0x80
            && tag & 7 == WireType::LengthDelimited as u8
            && *tag > 7
            && *len < 0x80
            && let Some((bytes, rest)) = rest.split_at_checked(usize::from(*len))
        {
            self.rest = rest;
            return Ok(Field {
                number: u32::from(tag >> 3),
                value: Value::Bytes(bytes),
            });
        }
        self.read_any()
    }

    fn read_any(&mut self) -> Result<Field<'a>, DecodeError> {
        let rest = &mut self.rest;
        let tag = Tag::decode(rest)?;
        let value = match tag.wire_type() {
            WireType::LengthDelimited => Value::Bytes(borrow_bytes(rest)?),
            WireType::Varint => Value::Varint(decode_varint(rest)?),
            WireType::Fixed32 => Value::Fixed32(decode_fixed32(rest)?),
            WireType::Fixed64 => Value::Fixed64(decode_fixed64(rest)?),
            _ => {
                skip_field(tag, rest)?;
                Value::Group
            }
        };
        Ok(Field {
            number: tag.field_number(),
            value,
        })
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, Broken<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let start = self.rest;
        Some(self.read().map_err(|e| {
            self.rest = &[];
            let why = match e {
                DecodeError::UnexpectedEof => Why::Cut,
                _ => Why::Garbled,
            };
            Broken { rest: start, why }
        }))
    }
}

impl<'a> Field<'a> {
    /// The number, if it is one. Numbers below 0 are written like this as well.
    pub(crate) fn int(self) -> Option<i64> {
        match self.value {
            Value::Varint(n) => Some(n as i64),
            _ => None,
        }
    }

    /// The bytes, if it has any.
    pub(crate) fn bytes(self) -> Option<&'a [u8]> {
        match self.value {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Its bytes as text; empty if it has none.
    ///
    /// # Errors
    /// If they are no UTF-8.
    #[inline]
    pub(crate) fn text(self) -> Result<&'a str, Broken<'a>> {
        let bytes = self.bytes().unwrap_or_default();
        std::str::from_utf8(bytes).map_err(|_| Broken {
            rest: bytes,
            why: Why::NotText,
        })
    }

    /// Calls `f` with its number, or with each of those that it has in a row.
    ///
    /// # Errors
    /// If the row is broken.
    pub(crate) fn ints(self, mut f: impl FnMut(i64)) -> Result<(), Broken<'a>> {
        match self.value {
            Value::Varint(n) => f(n as i64),
            Value::Bytes(mut rest) => {
                while !rest.is_empty() {
                    let start = rest;
                    let n = decode_varint(&mut rest).map_err(|_| Broken {
                        rest: start,
                        why: Why::Garbled,
                    })?;
                    f(n as i64);
                }
            }
            Value::Fixed32(_) | Value::Fixed64(_) | Value::Group => {}
        }
        Ok(())
    }

    /// Calls `f` with its float, or with each of those that it has in a row. What is left of a row is no float.
    pub(crate) fn floats(self, mut f: impl FnMut(f32)) {
        match self.value {
            Value::Fixed32(bits) => f(f32::from_bits(bits)),
            Value::Bytes(bytes) => {
                let (floats, _) = bytes.as_chunks();
                floats.iter().for_each(|b| f(f32::from_le_bytes(*b)));
            }
            Value::Varint(_) | Value::Fixed64(_) | Value::Group => {}
        }
    }

    /// The same for floats of 64 bits.
    pub(crate) fn doubles(self, mut f: impl FnMut(f64)) {
        match self.value {
            Value::Fixed64(bits) => f(f64::from_bits(bits)),
            Value::Bytes(bytes) => {
                let (floats, _) = bytes.as_chunks();
                floats.iter().for_each(|b| f(f64::from_le_bytes(*b)));
            }
            Value::Varint(_) | Value::Fixed32(_) | Value::Group => {}
        }
    }
}

/// The number and the bytes of a field that is cut off by the end of its message.
pub(crate) fn cut(mut rest: &[u8]) -> Option<(u32, &[u8])> {
    let tag = Tag::decode(&mut rest).ok()?;
    let len = decode_varint(&mut rest).ok()?;
    let cut = tag.wire_type() == WireType::LengthDelimited && len > rest.len() as u64;
    cut.then_some((tag.field_number(), rest))
}

/// Copies a message, except for fields that `f` writes in its own way, or not at all, and returns true for. Returns
/// false if there is a mistake in it: what stands there is copied as it is.
pub(crate) fn rewrite<'a>(
    message: &'a [u8],
    out: &mut Vec<u8>,
    mut f: impl FnMut(Field<'a>, &mut Vec<u8>) -> bool,
) -> bool {
    let mut fields = Fields::of(message);
    loop {
        let start = fields.rest();
        match fields.next() {
            Some(Ok(field)) => {
                if !f(field, out) {
                    out.extend(&start[..start.len() - fields.rest().len()]);
                }
            }
            Some(Err(broken)) => {
                out.extend(broken.rest);
                return false;
            }
            None => return true,
        }
    }
}

/// Writes a field that is a message, what is in it written by `f`.
pub(crate) fn put_message(number: u32, out: &mut Vec<u8>, f: impl FnOnce(&mut Vec<u8>)) {
    Tag::new(number, WireType::LengthDelimited).encode(out);
    let start = out.len();
    f(out);
    let end = out.len();
    // The length stands in front of what it is the length of.
    encode_varint((end - start) as u64, out);
    out[start..].rotate_left(end - start);
}

/// Writes a field that has bytes.
pub(crate) fn put_bytes(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    put_len_delimited_header(number, bytes.len() as u64, out);
    out.extend(bytes);
}

/// Writes a field that is a float of 32 bits.
pub(crate) fn put_float(number: u32, x: f32, out: &mut Vec<u8>) {
    Tag::new(number, WireType::Fixed32).encode(out);
    out.extend(x.to_le_bytes());
}

/// Writes a field that is a number.
pub(crate) fn put_int(number: u32, n: u64, out: &mut Vec<u8>) {
    Tag::new(number, WireType::Varint).encode(out);
    encode_varint(n, out);
}

/// Where a part of some bytes begins in them.
pub(crate) fn offset(whole: &[u8], part: &[u8]) -> usize {
    let at = part.as_ptr().addr().wrapping_sub(whole.as_ptr().addr());
    at.min(whole.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn fields_come_one_by_one_until_a_mistake() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i', 0x1a, 0x05, b'x'];
        let mut fields = Fields::of(&bytes);
        assert_eq!(fields.next().unwrap().unwrap().int(), Some(150));
        assert_eq!(fields.next().unwrap().unwrap().text().unwrap(), "hi");
        let broken = fields.next().unwrap().unwrap_err();
        assert_eq!((offset(&bytes, broken.rest), broken.why), (7, Why::Cut));
        assert!(fields.next().is_none());
    }

    #[test]
    fn numbers_stand_alone_or_in_a_row() {
        let mut all = Vec::new();
        for field in Fields::of(&[0x08, 0x01, 0x0a, 0x02, 0x02, 0x03]) {
            field.unwrap().ints(|n| all.push(n)).unwrap();
        }
        assert_eq!(all, [1, 2, 3]);
    }
}
