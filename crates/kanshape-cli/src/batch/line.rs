//! [`Line`]: a query as it stands in a line.

use std::borrow::Cow;

use kanshape::syntax::parse_conditions;
use kanshape::{Dim, Type};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::signatures::Signatures;
use super::{LIMIT, Wrong};
use crate::mistake;
use crate::question::Question;

/// The names of all fields.
const FIELDS: [&str; 11] = [
    "id",
    "signature",
    "inputs",
    "outputs",
    "params",
    "where",
    "limit",
    "max_rank",
    "max_dim",
    "promotion",
    "budget",
];

/// The values of the fields, each as it is written. Reading goes on behind a field that is wrong,
/// so that the `id` is found wherever it stands.
#[derive(Default)]
pub(super) struct Line<'l> {
    pub(super) id: Option<&'l RawValue>,
    signature: Option<&'l RawValue>,
    inputs: Option<&'l RawValue>,
    outputs: Option<&'l RawValue>,
    params: Option<&'l RawValue>,
    conditions: Option<&'l RawValue>,
    limit: Option<&'l RawValue>,
    max_rank: Option<&'l RawValue>,
    max_dim: Option<&'l RawValue>,
    promotion: Option<&'l RawValue>,
    budget: Option<&'l RawValue>,
    /// The first field that should not be there.
    wrong: Option<Wrong>,
}

impl<'l> Line<'l> {
    /// Takes the line apart. What could be read before a mistake is kept.
    pub(super) fn read(&mut self, bytes: &'l [u8]) -> Result<(), Wrong> {
        let (text, cut) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let good = error.valid_up_to();
                let text = std::str::from_utf8(&bytes[..good]).unwrap_or_default();
                (text, Some(good))
            }
        };
        let mut json = serde_json::Deserializer::from_str(text);
        let read = Fields(self)
            .deserialize(&mut json)
            .and_then(|()| json.end());
        if let Some(at) = cut {
            return Err(Wrong::new(mistake::not_utf8(at), "line"));
        }
        if let Err(error) = read {
            let why = error.to_string();
            // The message ends with the place, which is told apart.
            let why = why.rsplit_once(" at line ").map_or(&*why, |(why, _)| why);
            let at = error.column().saturating_sub(1);
            return Err(Wrong::new(mistake::not_json(why, at), "line"));
        }
        self.wrong.take().map_or(Ok(()), Err)
    }

    /// The question that the line asks.
    pub(super) fn question(&self, signatures: &mut Signatures) -> Result<Question, Wrong> {
        let signature =
            present(self.signature).ok_or_else(|| Wrong::from(mistake::no_signature()))?;
        let line = text(signature, "signature", || "signature".into())?;
        let signature = signatures
            .get(&line)
            .map_err(|d| Wrong::new(d, "signature"))?;
        let mut question = Question::new(signature);
        question.inputs = types(self.inputs, "inputs", question.signature.input_count())?;
        question.outputs = types(self.outputs, "outputs", question.signature.output_count())?;
        question.params = params(self.params)?;
        if let Some(list) = list(
            self.conditions,
            "where",
            "a list of conditions, each a text",
        )? {
            for (i, raw) in list.into_iter().enumerate() {
                let field = || format!("where[{i}]");
                let written = text(raw, "where", field)?;
                let read = parse_conditions(&written).map_err(|d| Wrong::new(d, field()))?;
                question.conditions.extend(read.into_iter().map(|c| c.node));
            }
        }
        if let Some(raw) = present(self.promotion) {
            let table = text(raw, "promotion", || "promotion".into())?;
            question.promotion = table.parse().map_err(|d| Wrong::new(d, "promotion"))?;
        }
        question.max_rank = number(self.max_rank, "max_rank")?;
        question.max_dim = number(self.max_dim, "max_dim")?;
        question.ground = question.max_dim.is_some();
        if let Some(budget) = number(self.budget, "budget")? {
            question.budget = budget;
        }
        let limit = number(self.limit, "limit")?.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        question.limit = limit.or((!question.ground).then_some(LIMIT));
        Ok(question)
    }

    fn field(&mut self, name: &str) -> Option<&mut Option<&'l RawValue>> {
        Some(match name {
            "id" => &mut self.id,
            "signature" => &mut self.signature,
            "inputs" => &mut self.inputs,
            "outputs" => &mut self.outputs,
            "params" => &mut self.params,
            "where" => &mut self.conditions,
            "limit" => &mut self.limit,
            "max_rank" => &mut self.max_rank,
            "max_dim" => &mut self.max_dim,
            "promotion" => &mut self.promotion,
            "budget" => &mut self.budget,
            _ => return None,
        })
    }
}

/// Fills in a line from an object.
struct Fields<'f, 'l>(&'f mut Line<'l>);

impl<'l> DeserializeSeed<'l> for Fields<'_, 'l> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'l> Visitor<'l> for Fields<'_, 'l> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<(), A::Error> {
        let line = self.0;
        while let Some(name) = map.next_key::<Cow<'l, str>>()? {
            let value: &'l RawValue = map.next_value()?;
            let wrong = match line.field(&name) {
                None => mistake::unknown_field(&name, &FIELDS),
                Some(Some(_)) => mistake::field_twice(&name),
                Some(place @ None) => {
                    *place = Some(value);
                    continue;
                }
            };
            line.wrong.get_or_insert_with(|| Wrong::new(wrong, name));
        }
        Ok(())
    }
}

/// A field that is null says as much as one that is not there.
fn present(raw: Option<&RawValue>) -> Option<&RawValue> {
    raw.filter(|raw| raw.get() != "null")
}

fn text<'l>(
    raw: &'l RawValue,
    name: &str,
    field: impl Fn() -> String,
) -> Result<Cow<'l, str>, Wrong> {
    // The everyday text has no escapes, and is used where it stands.
    if let Ok(text) = serde_json::from_str::<&str>(raw.get()) {
        return Ok(Cow::Borrowed(text));
    }
    match serde_json::from_str::<String>(raw.get()) {
        Ok(text) => Ok(Cow::Owned(text)),
        Err(_) => {
            let wanted = if field() == name {
                "a text"
            } else {
                "a list of texts"
            };
            Err(Wrong::new(mistake::wrong_kind(name, wanted), field()))
        }
    }
}

fn number(raw: Option<&RawValue>, name: &str) -> Result<Option<u64>, Wrong> {
    let Some(raw) = present(raw) else {
        return Ok(None);
    };
    match raw.get().parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(Wrong::new(
            mistake::wrong_kind(name, "a natural number of at most 64 bits"),
            name,
        )),
    }
}

fn list<'l>(
    raw: Option<&'l RawValue>,
    name: &str,
    wanted: &str,
) -> Result<Option<Vec<&'l RawValue>>, Wrong> {
    let Some(raw) = present(raw) else {
        return Ok(None);
    };
    match serde_json::from_str(raw.get()) {
        Ok(list) => Ok(Some(list)),
        Err(_) => Err(Wrong::new(mistake::wrong_kind(name, wanted), name)),
    }
}

/// The types of all inputs or outputs: of none of them anything is known if the field is missing.
fn types(raw: Option<&RawValue>, name: &str, count: usize) -> Result<Vec<Type>, Wrong> {
    let wanted = "a list of types, each a text or null";
    let Some(list) = list(raw, name, wanted)? else {
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
        let field = || format!("{name}[{i}]");
        types.push(if raw.get() == "null" {
            Type::UNKNOWN
        } else {
            let ty = text(raw, name, field)?;
            ty.parse().map_err(|d| Wrong::new(d, field()))?
        });
    }
    Ok(types)
}

fn params(raw: Option<&RawValue>) -> Result<Vec<(Box<str>, Dim)>, Wrong> {
    let Some(raw) = present(raw) else {
        return Ok(Vec::new());
    };
    let wanted = "an object of sizes by name";
    let Ok(given) = serde_json::from_str::<Params<'_>>(raw.get()) else {
        return Err(Wrong::new(mistake::wrong_kind("params", wanted), "params"));
    };
    let mut params = Vec::with_capacity(given.0.len());
    for (name, raw) in given.0 {
        let field = || format!("params.{name}");
        let value = if let Ok(size) = raw.get().parse() {
            Dim::Size(size)
        } else if raw.get() == "null" {
            Dim::Hole
        } else if raw.get().starts_with('"') {
            let dim = text(raw, "params", field)?;
            dim.parse().map_err(|d| Wrong::new(d, field()))?
        } else {
            let wanted = "a natural number, or a dim as text";
            return Err(Wrong::new(mistake::wrong_kind(&field(), wanted), field()));
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
