//! A line as a query.

use std::borrow::Cow;

use kanshape::syntax::parse_conditions;
use kanshape::{Dim, Type};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::field::Field;
use super::line::Line;
use super::signatures::Signatures;
use super::value::{list, number, text, whole_text, yes};
use super::{LIMIT, Wrong};
use crate::mistake;
use crate::question::Question;

/// The question that a line asks about its signature.
pub(super) fn question(line: &Line<'_>, signatures: &mut Signatures) -> Result<Question, Wrong> {
    let Some(signature) = line.value(Field::Signature) else {
        return Err(Wrong::from(mistake::asks_nothing()));
    };
    let signature = whole_text(signature, Field::Signature)?;
    let signature = signatures
        .get(&signature)
        .map_err(|d| Wrong::new(d, "signature"))?;
    let mut question = Question::new(signature);
    question.inputs = types(line, Field::Inputs, question.signature.input_count())?;
    question.outputs = types(line, Field::Outputs, question.signature.output_count())?;
    question.params = params(line)?;
    let wanted = "a list of conditions, each a text";
    for (i, raw) in list(line, Field::Where, wanted)?
        .into_iter()
        .flatten()
        .enumerate()
    {
        let place = || format!("where[{i}]");
        let written = text(raw, Field::Where, place)?;
        let read = parse_conditions(&written).map_err(|d| Wrong::new(d, place()))?;
        question.conditions.extend(read.into_iter().map(|c| c.node));
    }
    if let Some(raw) = line.value(Field::Promotion) {
        let table = whole_text(raw, Field::Promotion)?;
        question.promotion = table.parse().map_err(|d| Wrong::new(d, "promotion"))?;
    }
    question.max_rank = number(line, Field::MaxRank)?;
    question.max_dim = number(line, Field::MaxDim)?;
    question.plain_sizes = yes(line, Field::PlainSizes)?;
    question.ground = question.max_dim.is_some();
    if let Some(budget) = number(line, Field::Budget)? {
        question.budget = budget;
    }
    let limit = number(line, Field::Limit)?.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    question.limit = limit.or((!question.ground).then_some(LIMIT));
    Ok(question)
}

/// The types of all inputs or outputs: of none of them anything is known if the field is missing.
fn types(line: &Line<'_>, field: Field, count: usize) -> Result<Vec<Type>, Wrong> {
    let name = field.name();
    let wanted = "a list of types, each a text or null";
    let Some(list) = list(line, field, wanted)? else {
        return Ok(Vec::new());
    };
    if list.len() != count {
        let what = name.trim_end_matches('s');
        return Err(Wrong::new(
            mistake::operand_count(what, count, list.len()),
            name,
        ));
    }
    let mut types = Vec::with_capacity(list.len());
    for (i, raw) in list.into_iter().enumerate() {
        let place = || format!("{name}[{i}]");
        types.push(if raw.get() == "null" {
            Type::UNKNOWN
        } else {
            let ty = text(raw, field, place)?;
            ty.parse().map_err(|d| Wrong::new(d, place()))?
        });
    }
    Ok(types)
}

fn params(line: &Line<'_>) -> Result<Vec<(Box<str>, Dim)>, Wrong> {
    let Some(raw) = line.value(Field::Params) else {
        return Ok(Vec::new());
    };
    let wanted = "an object of sizes by name";
    let Ok(given) = serde_json::from_str::<Params<'_>>(raw.get()) else {
        return Err(Wrong::new(mistake::wrong_kind("params", wanted), "params"));
    };
    let mut params = Vec::with_capacity(given.0.len());
    for (name, raw) in given.0 {
        let place = || format!("params.{name}");
        let value = if let Ok(size) = raw.get().parse() {
            Dim::Size(size)
        } else if raw.get() == "null" {
            Dim::Hole
        } else if raw.get().starts_with('"') {
            let dim = text(raw, Field::Params, place)?;
            dim.parse().map_err(|d| Wrong::new(d, place()))?
        } else {
            let wanted = "a natural number, or a dim as text";
            return Err(Wrong::new(mistake::wrong_kind(&place(), wanted), place()));
        };
        params.push((name.as_ref().into(), value));
    }
    Ok(params)
}

/// The members of an object, in order.
struct Params<'l>(Vec<(Cow<'l, str>, &'l RawValue)>);

impl<'l> serde::Deserialize<'l> for Params<'l> {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'l> Visitor<'l> for Members {
            type Value = Params<'l>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Params<'l>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Params(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}
