//! The value of an attribute. A number, a truth value, a text and a list are what they are in the format, a hole is its
//! null; whatever else says what it is: `{"dtype": "f32"}`. In a format that does not say what a value is, every value does: [`Plain`].

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

/// A value in a format that does not say what there is.
#[derive(Serialize, Deserialize)]
enum Plain {
    Hole,
    Absent,
    Unknown,
    Int(i64),
    Float(f64),
    Text(String),
    Bool(bool),
    List(Vec<AttrValue>),
    Dim(Dim),
    Dtype(Dtype),
    Type(Type),
}

impl From<&AttrValue> for Plain {
    fn from(value: &AttrValue) -> Plain {
        match value {
            AttrValue::Hole => Plain::Hole,
            AttrValue::Absent => Plain::Absent,
            AttrValue::Unknown => Plain::Unknown,
            AttrValue::Int(n) => Plain::Int(*n),
            AttrValue::Float(x) => Plain::Float(x.get()),
            AttrValue::Text(text) => Plain::Text(text.to_string()),
            AttrValue::Bool(truth) => Plain::Bool(*truth),
            AttrValue::List(members) => Plain::List(members.clone()),
            AttrValue::Dim(dim) => Plain::Dim(dim.clone()),
            AttrValue::Dtype(dtype) => Plain::Dtype(*dtype),
            AttrValue::Type(ty) => Plain::Type(ty.clone()),
        }
    }
}

impl From<Plain> for AttrValue {
    fn from(value: Plain) -> AttrValue {
        match value {
            Plain::Hole => AttrValue::Hole,
            Plain::Absent => AttrValue::Absent,
            Plain::Unknown => AttrValue::Unknown,
            Plain::Int(n) => AttrValue::Int(n),
            Plain::Float(x) => AttrValue::Float(Float::new(x)),
            Plain::Text(text) => AttrValue::Text(text.into()),
            Plain::Bool(truth) => AttrValue::Bool(truth),
            Plain::List(members) => AttrValue::List(members),
            Plain::Dim(dim) => AttrValue::Dim(dim),
            Plain::Dtype(dtype) => AttrValue::Dtype(dtype),
            Plain::Type(ty) => AttrValue::Type(ty),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Given {
    No,
    Unknown,
}

impl Serialize for AttrValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return Plain::from(self).serialize(serializer);
        }
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
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(Read),
            false => Plain::deserialize(deserializer).map(AttrValue::from),
        }
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
