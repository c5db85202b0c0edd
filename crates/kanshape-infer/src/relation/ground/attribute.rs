//! Attributes as values.

use super::plan::int;
use super::value::{Numbers, Value};
use crate::AttrValue;
use crate::relation::{Kind, Words, float};
use kanshape_types::Dim;
use std::sync::Arc;

/// Reads the attributes of one call.
pub(super) struct Attributes<'a> {
    words: &'a Words,
    /// The texts that the library does not have: their numbers come behind those of the library.
    texts: Vec<Box<str>>,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(words: &'a Words) -> Attributes<'a> {
        Attributes {
            words,
            texts: Vec::new(),
        }
    }

    /// An attribute of this kind that is known; `None` if it is asked for, or no such value.
    pub(super) fn value(&mut self, kind: &Kind, value: &AttrValue) -> Option<Value> {
        Some(match (kind, value) {
            (Kind::Option(_), AttrValue::Absent) => Value::None,
            (Kind::Option(of), value) => Value::Some(Arc::new(self.value(of, value)?)),
            (Kind::Text, AttrValue::Text(text)) => Value::Int(self.text(text)?),
            (Kind::Type, AttrValue::Type(ty)) => Value::of_type(ty, &self.words.labels)?,
            (Kind::Dtype, AttrValue::Dtype(dtype)) => Value::Dtype(*dtype),
            (Kind::List(of), AttrValue::List(members)) if of.is_number() => {
                let members = members.iter().map(|m| match self.value(of, m)? {
                    Value::Int(n) => Some(n),
                    _ => None,
                });
                Value::Numbers(members.collect::<Option<Numbers>>()?)
            }
            (Kind::List(of), AttrValue::List(members)) => {
                let members = members.iter().map(|m| self.value(of, m));
                Value::List(members.collect::<Option<_>>()?)
            }
            // It is still to be read.
            (kind, AttrValue::Text(text)) => {
                let read = AttrValue::read(kind, text)?;
                self.value(kind, &read)?
            }
            (kind, value) => Value::Int(number(kind, value)?),
        })
    }

    fn text(&mut self, text: &str) -> Option<i64> {
        if let Some(number) = self.words.find_text(text) {
            return int(number);
        }
        let known = self.texts.iter().position(|t| **t == *text);
        let place = known.unwrap_or_else(|| {
            self.texts.push(text.into());
            self.texts.len() - 1
        });
        i64::try_from(self.words.text_count() + place).ok()
    }
}

/// The number that stands for a value of this kind.
fn number(kind: &Kind, value: &AttrValue) -> Option<i64> {
    match (kind, value) {
        (Kind::Int, AttrValue::Int(n)) => Some(*n),
        (Kind::Int, AttrValue::Dim(Dim::Size(n))) if *n <= Dim::MAX_SIZE => Some(*n as i64),
        (Kind::Float, AttrValue::Float(x)) => int(float::code(x.get())),
        (Kind::Float, AttrValue::Int(n)) => int(float::code(*n as f64)),
        (Kind::Int | Kind::Bool, AttrValue::Bool(truth)) => Some(i64::from(*truth)),
        (Kind::Bool, AttrValue::Int(n @ (0 | 1))) => Some(*n),
        _ => None,
    }
}
