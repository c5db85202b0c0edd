//! What was found, as JSON.

use kanshape_rewrite::{Cost, Finding, Found, Operand};
use serde::Serialize;

use crate::answer_json::AttrJson;
use crate::model::cost::SizeJson;
use crate::type_json::Object;

/// What a search has found.
#[derive(Serialize, Debug)]
pub struct FindAnswer<'f> {
    found: Vec<FoundJson<'f>>,
    cut_off: &'f [String],
    /// What can't be read has an answer of its own.
    error: Option<()>,
}

#[derive(Debug, Serialize)]
struct FoundJson<'f> {
    op: &'f str,
    attrs: Object<'f, AttrJson<'f>>,
    inputs: Vec<InputJson<'f>>,
    /// What the call costs with those that make its inputs, if it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostJson>,
}

#[derive(Debug, Serialize)]
struct CostJson {
    elements: SizeJson,
    bytes: SizeJson,
    multiply_adds: SizeJson,
}

impl CostJson {
    fn of(cost: Cost) -> CostJson {
        CostJson {
            elements: SizeJson(cost.elements),
            bytes: SizeJson(cost.bytes),
            multiply_adds: SizeJson(cost.multiply_adds),
        }
    }
}

/// An input: its type, or what it is made by.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum InputJson<'f> {
    Type(String),
    Made(FoundJson<'f>),
}

impl<'f> FindAnswer<'f> {
    /// What is written of a search, with what each call costs if that is wanted.
    pub fn of(finding: &'f Finding, with_costs: bool) -> FindAnswer<'f> {
        let cost = |found: &Found| with_costs.then(|| CostJson::of(found.cost()));
        let found = finding.found.iter().map(|found| FoundJson {
            cost: cost(found),
            ..FoundJson::of(found)
        });
        FindAnswer {
            found: found.collect(),
            cut_off: &finding.cut_off,
            error: None,
        }
    }
}

impl<'f> FoundJson<'f> {
    fn of(found: &'f Found) -> FoundJson<'f> {
        let input = |operand: &'f Option<Operand>| match operand {
            None => InputJson::Type("-".into()),
            Some(operand) => match operand.made() {
                None => InputJson::Type(operand.ty().to_string()),
                Some(made) => InputJson::Made(FoundJson::of(made)),
            },
        };
        let attrs = found.attrs.iter();
        FoundJson {
            op: &found.op,
            attrs: Object(
                attrs
                    .map(|(name, value)| (&**name, AttrJson(value)))
                    .collect(),
            ),
            inputs: found.inputs.iter().map(input).collect(),
            cost: None,
        }
    }
}
