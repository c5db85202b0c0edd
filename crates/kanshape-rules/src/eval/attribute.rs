//! Attributes as values of a run.

use super::number::int;
use super::store::Val;
use super::{Evaluator, Stop};
use crate::AttrValue;
use crate::encode::{Kind, Words, float, is_left_out};
use kanshape_engine::Num;
use kanshape_types::Dim;
use smallvec::SmallVec;

/// Reads the attributes of one call.
pub(super) struct Attributes<'a> {
    words: &'a Words,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(words: &'a Words) -> Attributes<'a> {
        Attributes { words }
    }

    /// Puts an attribute of this kind into the store.
    ///
    /// # Errors
    /// [`Stop::Leave`] if it is queried, or no such value.
    pub(super) fn load(
        &self,
        kind: &Kind,
        value: &AttrValue,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Val, Stop> {
        Ok(match (kind, value) {
            (Kind::Option(_), AttrValue::Absent) => Val::None,
            (Kind::Option(of), AttrValue::Text(text)) if is_left_out(of, text) => Val::None,
            (Kind::Option(of), value) => {
                let of = self.load(of, value, evaluator)?;
                evaluator.store.push_some(of)?
            }
            (Kind::Text, AttrValue::Text(text)) => {
                Val::Int(self.text(text, evaluator).ok_or(Stop::Leave)?)
            }
            (Kind::Type, AttrValue::Type(ty)) => evaluator.load_type(ty, &self.words.labels)?,
            (Kind::Dtype, AttrValue::Dtype(dtype)) => Val::Dtype((*dtype).into()),
            (Kind::IntOrLists, AttrValue::List(lists))
                if lists.iter().any(|list| matches!(list, AttrValue::List(_))) =>
            {
                // It is left to the solver.
                return Err(Stop::Leave);
            }
            (Kind::IntOrInts | Kind::IntOrLists, AttrValue::List(_)) => {
                let none = Val::Numbers(evaluator.store.push_numbers(&[])?);
                let list = self.load(&Kind::Int.list(), value, evaluator)?;
                Val::List(evaluator.store.push_cells(&[none, list])?)
            }
            (Kind::IntOrInts | Kind::IntOrLists, AttrValue::Int(_) | AttrValue::Dim(_)) => {
                let n = self.load(&Kind::Int, value, evaluator)?.num()?;
                let one = Val::Numbers(evaluator.store.push_numbers(&[n])?);
                Val::List(evaluator.store.push_cells(&[one])?)
            }
            (Kind::List(of), AttrValue::List(members)) => {
                let mut vals: SmallVec<[Val; 8]> = SmallVec::new();
                for member in members {
                    vals.push(self.load(of, member, evaluator)?);
                }
                match of.is_number() {
                    true => {
                        let numbers = vals.iter().map(|val| val.num());
                        let numbers: SmallVec<[Num; 8]> = numbers.collect::<Result<_, Stop>>()?;
                        Val::Numbers(evaluator.store.push_numbers(&numbers)?)
                    }
                    false => Val::List(evaluator.store.push_cells(&vals)?),
                }
            }
            // It is still to be read.
            (kind, AttrValue::Text(text)) => {
                let read = AttrValue::read(kind, text).ok_or(Stop::Leave)?;
                self.load(kind, &read, evaluator)?
            }
            (kind, value) => Val::Int(number(kind, value).ok_or(Stop::Leave)?),
        })
    }

    /// The number of a text: those of texts that the library does not have come behind its own ones.
    fn text(&self, text: &str, evaluator: &mut Evaluator<'_>) -> Option<Num> {
        if let Some(number) = self.words.find_text(text) {
            return int(number).ok();
        }
        let texts = &mut evaluator.texts;
        let known = texts.iter().position(|t| **t == *text);
        let place = known.unwrap_or_else(|| {
            texts.push(text.into());
            texts.len() - 1
        });
        int((self.words.text_count() + place) as i128).ok()
    }
}

/// The number that denotes a value of this kind.
fn number(kind: &Kind, value: &AttrValue) -> Option<Num> {
    match (kind, value) {
        (Kind::Int, AttrValue::Int(n)) => int((*n).into()).ok(),
        (Kind::Int, AttrValue::Dim(Dim::Size(n))) if *n <= Dim::MAX_SIZE => int((*n).into()).ok(),
        (Kind::Float, AttrValue::Float(x)) => int(float::code(x.get())).ok(),
        (Kind::Float, AttrValue::Int(n)) => int(float::code(*n as f64)).ok(),
        (Kind::Int | Kind::Bool, AttrValue::Bool(truth)) => Some(Num::from(u32::from(*truth))),
        (Kind::Bool, AttrValue::Int(n @ (0 | 1))) => int((*n).into()).ok(),
        _ => None,
    }
}
