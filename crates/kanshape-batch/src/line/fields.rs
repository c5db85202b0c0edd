//! [`Line`]: the fields of a line, each as it is written.

use std::borrow::Cow;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::LineError;
use crate::field::{Field, LineKind};
use crate::mistake;

/// The values of the fields. Reading goes on behind a field that is wrong, so that the `id` is found
/// wherever it stands.
pub(super) struct Line<'l> {
    values: [Option<&'l RawValue>; Field::COUNT],
    /// The first field that should not be there.
    stray: Option<Stray<'l>>,
}

impl Default for Line<'_> {
    fn default() -> Self {
        Line {
            values: [None; Field::COUNT],
            stray: None,
        }
    }
}

/// A field that should not be there.
enum Stray<'l> {
    Unknown(Cow<'l, str>),
    Twice(Field),
}

impl<'l> Line<'l> {
    /// Splits the line into its fields. What could be read before a mistake is kept.
    pub(super) fn read(&mut self, bytes: &'l [u8]) -> Result<(), LineError> {
        let (text, cut) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let good = error.valid_up_to();
                let text = std::str::from_utf8(&bytes[..good]).unwrap_or_default();
                (text, Some(good))
            }
        };
        let mut json = serde_json::Deserializer::from_str(text);
        let read = FieldsVisitor(self)
            .deserialize(&mut json)
            .and_then(|()| json.end());
        if let Some(at) = cut {
            return Err(LineError::new(mistake::not_utf8(at), "line"));
        }
        if let Err(error) = read {
            let why = error.to_string();
            // The message ends with the place, which is printed separately.
            let why = why.rsplit_once(" at line ").map_or(&*why, |(why, _)| why);
            let at = error.column().saturating_sub(1);
            return Err(LineError::new(mistake::not_json(why, at), "line"));
        }
        self.has_its_fields_only()
    }

    /// The value of a field as it is written, `null` included.
    pub(super) fn written(&self, field: Field) -> Option<&'l RawValue> {
        self.values[field as usize]
    }

    /// The value of a field. One that is null says as much as one that is not there.
    pub(super) fn value(&self, field: Field) -> Option<&'l RawValue> {
        self.written(field).filter(|raw| raw.get() != "null")
    }

    /// The kind of its question: a query with a signature, a call with an operator; otherwise that of the first of the other
    /// fields that is there.
    pub(super) fn kind(&self) -> LineKind {
        const OTHERS: [(Field, LineKind); 13] = [
            (Field::Graph, LineKind::Graph),
            (Field::Rule, LineKind::Rule),
            (Field::Model, LineKind::Model),
            (Field::Catalog, LineKind::Catalog),
            (Field::Program, LineKind::Program),
            (Field::Equations, LineKind::Equations),
            (Field::Relations, LineKind::Equations),
            (Field::KindOf, LineKind::OfType),
            (Field::Match, LineKind::Match),
            (Field::Find, LineKind::Find),
            (Field::Torch, LineKind::Torch),
            (Field::Stablehlo, LineKind::Stablehlo),
            (Field::Parse, LineKind::Parse),
        ];
        let is_there = |field| self.written(field).is_some();
        if !is_there(Field::Signature)
            && !is_there(Field::Op)
            && let Some((_, kind)) = OTHERS.into_iter().find(|(field, _)| is_there(*field))
        {
            return kind;
        }
        let of_types = [Field::Types, Field::A, Field::B].into_iter().any(is_there);
        match (is_there(Field::Signature), is_there(Field::Op), of_types) {
            (false, true, _) => LineKind::Call,
            (false, false, true) => LineKind::Types,
            _ => LineKind::Query,
        }
    }

    fn has_its_fields_only(&self) -> Result<(), LineError> {
        let kind = self.kind();
        match &self.stray {
            Some(Stray::Unknown(name)) => {
                return Err(LineError::new(mistake::unknown_field(name, kind), &**name));
            }
            Some(Stray::Twice(field)) => {
                let name = field.name();
                return Err(LineError::new(mistake::field_twice(name), name));
            }
            None => {}
        }
        match Field::foreign_to(kind).find(|field| self.written(*field).is_some()) {
            Some(field) => {
                let name = field.name();
                Err(LineError::new(mistake::foreign_field(name, kind), name))
            }
            None => Ok(()),
        }
    }
}

/// Fills in a line from an object.
struct FieldsVisitor<'f, 'l>(&'f mut Line<'l>);

impl<'l> DeserializeSeed<'l> for FieldsVisitor<'_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'l> Visitor<'l> for FieldsVisitor<'_, 'l> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        let line = self.0;
        while let Some(name) = map.next_key::<Cow<'l, str>>()? {
            let value: &'l RawValue = map.next_value()?;
            let stray = match Field::named(&name) {
                None => Stray::Unknown(name),
                Some(field) => match &mut line.values[field as usize] {
                    Some(_) => Stray::Twice(field),
                    place => {
                        *place = Some(value);
                        continue;
                    }
                },
            };
            line.stray.get_or_insert(stray);
        }
        Ok(())
    }
}
