//! What was found, as JSON.

use kanshape::AttrValue;
use kanshape_rewrite::{Finding, Found, Operand};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::answer_json::Value;

/// What a search has found.
#[derive(Serialize, Debug)]
pub struct Answer<'f> {
    found: Vec<FoundJson<'f>>,
    cut_off: &'f [String],
    /// What can't be read has an answer of its own.
    error: Option<()>,
}

#[derive(Debug, Serialize)]
struct FoundJson<'f> {
    op: &'f str,
    #[serde(serialize_with = "attrs")]
    attrs: &'f [(Box<str>, AttrValue)],
    inputs: Vec<Input<'f>>,
}

/// An input: its type, or what it is made by.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Input<'f> {
    Type(String),
    Made(FoundJson<'f>),
}

impl<'f> Answer<'f> {
    /// What is written of a search.
    pub fn of(finding: &'f Finding) -> Answer<'f> {
        Answer {
            found: finding.found.iter().map(FoundJson::of).collect(),
            cut_off: &finding.cut_off,
            error: None,
        }
    }
}

impl<'f> FoundJson<'f> {
    fn of(found: &'f Found) -> FoundJson<'f> {
        let input = |operand: &'f Option<Operand>| match operand {
            None => Input::Type("-".into()),
            Some(Operand::Given(_, ty) | Operand::Further(ty)) => Input::Type(ty.to_string()),
            Some(Operand::Made(made)) => Input::Made(FoundJson::of(made)),
        };
        FoundJson {
            op: &found.op,
            attrs: &found.attrs,
            inputs: found.inputs.iter().map(input).collect(),
        }
    }
}

fn attrs<S: Serializer>(attrs: &[(Box<str>, AttrValue)], to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(attrs.len()))?;
    for (name, value) in attrs {
        map.serialize_entry(name, &Value(value))?;
    }
    map.end()
}
