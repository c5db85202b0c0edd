//! Attributes as values of a run.

use super::Stop;
use super::plan::int;
use super::store::{Store, Val};
use crate::AttrValue;
use crate::relation::{Kind, Words, float};
use kanshape_types::Dim;
use smallvec::SmallVec;

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

    /// Puts an attribute of this kind into the store.
    ///
    /// # Errors
    /// [`Stop::Leave`] if it is asked for, or no such value.
    pub(super) fn load(
        &mut self,
        kind: &Kind,
        value: &AttrValue,
        store: &mut Store<'_>,
    ) -> Result<Val, Stop> {
        Ok(match (kind, value) {
            (Kind::Option(_), AttrValue::Absent) => Val::None,
            (Kind::Option(of), value) => {
                let of = self.load(of, value, store)?;
                store.push_some(of)?
            }
            (Kind::Text, AttrValue::Text(text)) => Val::Int(self.text(text).ok_or(Stop::Leave)?),
            (Kind::Type, AttrValue::Type(ty)) => store.load_type(ty, &self.words.labels)?,
            (Kind::Dtype, AttrValue::Dtype(dtype)) => Val::Dtype(*dtype),
            (Kind::List(of), AttrValue::List(members)) => {
                let mut vals: SmallVec<[Val; 8]> = SmallVec::new();
                for member in members {
                    vals.push(self.load(of, member, store)?);
                }
                match of.is_number() {
                    true => {
                        let numbers = vals.iter().map(|val| val.int());
                        let numbers: SmallVec<[i64; 8]> = numbers.collect::<Result<_, Stop>>()?;
                        Val::Numbers(store.push_numbers(&numbers)?)
                    }
                    false => Val::List(store.push_cells(&vals)?),
                }
            }
            // It is still to be read.
            (kind, AttrValue::Text(text)) => {
                let read = AttrValue::read(kind, text).ok_or(Stop::Leave)?;
                self.load(kind, &read, store)?
            }
            (kind, value) => Val::Int(number(kind, value).ok_or(Stop::Leave)?),
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
