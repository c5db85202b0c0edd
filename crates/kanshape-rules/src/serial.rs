//! The value of an attribute. A number, a truth value, a text and a list are what they are in the format, a hole is its
//! null; whatever else says what it is: `{"dtype": "f32"}`.

use crate::AttrValue;
use kanshape_syntax::tree::Float;
use kanshape_types::{Dim, Dtype, Type};
use serde::de::{Error, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What says what it is.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Tagged {
    /// It is left out, or may be: see [`AttrValue::Unknown`].
    Given(Given),
    Dim(String),
    /// Of a size that is no integer attribute.
    Size(u64),
    /// One that has no number in many formats.
    Float(String),
    Dtype(Dtype),
    Type(Type),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Given {
    No,
    Unknown,
}

impl Serialize for AttrValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tagged = match self {
            AttrValue::Hole => return serializer.serialize_unit(),
            AttrValue::Int(n) => return n.serialize(serializer),
            AttrValue::Float(x) if x.get().is_finite() => return x.get().serialize(serializer),
            AttrValue::Text(text) => return text.serialize(serializer),
            AttrValue::Bool(truth) => return truth.serialize(serializer),
            AttrValue::List(members) => return members.serialize(serializer),
            AttrValue::Absent => Tagged::Given(Given::No),
            AttrValue::Unknown => Tagged::Given(Given::Unknown),
            AttrValue::Dim(Dim::Size(size)) => Tagged::Size(*size),
            AttrValue::Dim(dim) => Tagged::Dim(dim.to_string()),
            AttrValue::Float(x) => Tagged::Float(x.get().to_string()),
            AttrValue::Dtype(dtype) => Tagged::Dtype(*dtype),
            AttrValue::Type(ty) => Tagged::Type(ty.clone()),
        };
        tagged.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AttrValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AttrValue, D::Error> {
        deserializer.deserialize_any(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = AttrValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of an attribute")
    }

    fn visit_unit<E: Error>(self) -> Result<AttrValue, E> {
        Ok(AttrValue::Hole)
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<AttrValue, E> {
        Ok(AttrValue::Bool(truth))
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<AttrValue, E> {
        Ok(AttrValue::Int(n))
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<AttrValue, E> {
        i64::try_from(n).map(AttrValue::Int).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<AttrValue, E> {
        Ok(AttrValue::Float(Float::new(x)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<AttrValue, E> {
        Ok(AttrValue::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<AttrValue, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = seq.next_element()? {
            members.push(member);
        }
        Ok(AttrValue::List(members))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<AttrValue, A::Error> {
        Ok(
            match Tagged::deserialize(MapAccessDeserializer::new(map))? {
                Tagged::Given(Given::No) => AttrValue::Absent,
                Tagged::Given(Given::Unknown) => AttrValue::Unknown,
                Tagged::Size(size) => AttrValue::Dim(Dim::Size(size)),
                Tagged::Dim(text) => AttrValue::Dim(text.parse().map_err(A::Error::custom)?),
                Tagged::Float(text) => {
                    AttrValue::Float(Float::new(text.parse().map_err(A::Error::custom)?))
                }
                Tagged::Dtype(dtype) => AttrValue::Dtype(dtype),
                Tagged::Type(ty) => AttrValue::Type(ty),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn values_of_attributes_are_read_back() {
        let all = [
            (AttrValue::Hole, "null"),
            (AttrValue::Absent, r#"{"given":"no"}"#),
            (AttrValue::Unknown, r#"{"given":"unknown"}"#),
            (AttrValue::Dim("2*n".parse().unwrap()), r#"{"dim":"2*n"}"#),
            (AttrValue::Dim(Dim::Size(3)), r#"{"size":3}"#),
            (AttrValue::Int(-3), "-3"),
            (AttrValue::from(1.0), "1.0"),
            (AttrValue::from(f64::NEG_INFINITY), r#"{"float":"-inf"}"#),
            (AttrValue::from(f64::NAN), r#"{"float":"NaN"}"#),
            (AttrValue::from("f32"), r#""f32""#),
            (AttrValue::Dtype(Dtype::F32), r#"{"dtype":"f32"}"#),
            (
                AttrValue::Type("f32[2, n]".parse().unwrap()),
                r#"{"type":"f32[2, n]"}"#,
            ),
            (
                AttrValue::List(vec![true.into(), AttrValue::Hole]),
                "[true,null]",
            ),
        ];
        for (value, text) in all {
            assert_eq!(serde_json::to_string(&value).unwrap(), text);
            assert_eq!(serde_json::from_str::<AttrValue>(text).unwrap(), value);
        }
    }
}
