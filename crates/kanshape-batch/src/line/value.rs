//! The values of fields, read. What is wrong with one is reported with the name of its field.

use std::borrow::Cow;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::LineError;
use super::fields::Line;
use crate::field::Field;
use crate::mistake;

/// A text. `place` says where it stands, as in `inputs[1]`: in the field itself, or in a list there.
pub(super) fn text<'l>(
    raw: &'l RawValue,
    field: Field,
    place: impl Fn() -> String,
) -> Result<Cow<'l, str>, LineError> {
    // The everyday text has no escapes, and is used where it stands.
    if let Ok(text) = serde_json::from_str::<&str>(raw.get()) {
        return Ok(Cow::Borrowed(text));
    }
    match serde_json::from_str::<String>(raw.get()) {
        Ok(text) => Ok(Cow::Owned(text)),
        Err(_) => {
            let wanted = if place() == field.name() {
                "a text"
            } else {
                "a list of texts"
            };
            Err(LineError::new(
                mistake::wrong_kind(field.name(), wanted),
                place(),
            ))
        }
    }
}

/// A text that is the whole value of a field.
pub(super) fn whole_text(raw: &RawValue, field: Field) -> Result<Cow<'_, str>, LineError> {
    text(raw, field, || field.name().into())
}

/// A natural number.
pub(super) fn number(line: &Line<'_>, field: Field) -> Result<Option<u64>, LineError> {
    let Some(raw) = line.value(field) else {
        return Ok(None);
    };
    match raw.get().parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(LineError::new(
            mistake::wrong_kind(field.name(), "a natural number of at most 64 bits"),
            field.name(),
        )),
    }
}

/// Yes or no; no if the field is missing.
pub(super) fn yes(line: &Line<'_>, field: Field) -> Result<bool, LineError> {
    match line.value(field).map(RawValue::get) {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(LineError::new(
            mistake::wrong_kind(field.name(), "true or false"),
            field.name(),
        )),
    }
}

/// The members of a list.
pub(super) fn list<'l>(
    line: &Line<'l>,
    field: Field,
    wanted: &str,
) -> Result<Option<Vec<&'l RawValue>>, LineError> {
    let Some(raw) = line.value(field) else {
        return Ok(None);
    };
    match serde_json::from_str(raw.get()) {
        Ok(list) => Ok(Some(list)),
        Err(_) => Err(LineError::new(
            mistake::wrong_kind(field.name(), wanted),
            field.name(),
        )),
    }
}

/// The members of an object, in order.
pub(super) fn members<'l>(
    raw: &'l RawValue,
    field: Field,
    wanted: &str,
) -> Result<Vec<(Cow<'l, str>, &'l RawValue)>, LineError> {
    object(raw).ok_or_else(|| {
        let name = field.name();
        LineError::new(mistake::wrong_kind(name, wanted), name)
    })
}

/// The members of an object, in order; none if it is none.
pub(super) fn object(raw: &RawValue) -> Option<Vec<(Cow<'_, str>, &RawValue)>> {
    let read = serde_json::from_str::<Object<'_>>(raw.get());
    read.ok().map(|object| object.0)
}

struct Object<'l>(Vec<(Cow<'l, str>, &'l RawValue)>);

impl<'l> serde::Deserialize<'l> for Object<'l> {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'l> Visitor<'l> for MembersVisitor {
            type Value = Object<'l>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Object<'l>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Object(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}
