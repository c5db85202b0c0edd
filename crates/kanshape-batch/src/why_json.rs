//! Why there is no answer, as JSON.

use kanshape::diag::json::At;
use kanshape::explain::{Conflict, Edit, Fact, Repair, Slot};
use kanshape::{AttrValue, Condition, Type};
use serde::Serialize;

use crate::answer_json::{AttrJson, ValueJson};

/// Why there is no answer.
#[derive(Serialize)]
pub(crate) struct WhyJson<'a> {
    code: &'static str,
    message: &'a str,
    at: Option<At<'a>>,
    core: Vec<FactJson<'a>>,
    repairs: Vec<RepairJson<'a>>,
}

#[derive(Serialize)]
struct FactJson<'a> {
    /// `inputs[0]`
    slot: String,
    axis: Option<usize>,
    about: &'static str,
    says: &'a str,
    start: Option<usize>,
    end: Option<usize>,
}

/// `{"slot":"inputs[1]","type":".."}`, `{"attr":"axis","value":1}`, `{"param":"s","value":2}`.
#[derive(Serialize)]
struct RepairJson<'a> {
    #[serde(flatten)]
    of: OfJson<'a>,
    #[serde(flatten)]
    change: ChangeJson<'a>,
    #[serde(rename = "where", skip_serializing_if = "<[_]>::is_empty")]
    conditions: &'a [Condition],
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum OfJson<'a> {
    Attr(&'a str),
    Param(&'a str),
    Slot(String),
}

#[derive(Serialize)]
enum ChangeJson<'a> {
    #[serde(rename = "type")]
    Type(&'a Type),
    #[serde(rename = "value")]
    Value(ValueJson<'a>),
    /// An attribute is left out, or the change is newer than this page.
    #[serde(rename = "value")]
    Text(String),
}

impl<'a> WhyJson<'a> {
    pub(crate) fn of(conflict: &'a Conflict) -> WhyJson<'a> {
        WhyJson {
            code: conflict.code(),
            message: conflict.message(),
            at: conflict.diagnostic.at(),
            core: conflict.facts.iter().map(FactJson::of).collect(),
            repairs: conflict.repairs.iter().map(RepairJson::of).collect(),
        }
    }
}

impl<'a> FactJson<'a> {
    fn of(fact: &'a Fact) -> FactJson<'a> {
        FactJson {
            slot: fact.slot.to_string(),
            axis: fact.axis(),
            about: fact.about.name(),
            says: &fact.says,
            start: fact.span.as_ref().map(|span| span.start),
            end: fact.span.as_ref().map(|span| span.end),
        }
    }
}

impl<'a> RepairJson<'a> {
    fn of(repair: &'a Repair) -> RepairJson<'a> {
        RepairJson {
            of: match &repair.slot {
                Slot::Attr(name) => OfJson::Attr(name),
                Slot::Param(name) => OfJson::Param(name),
                slot => OfJson::Slot(slot.to_string()),
            },
            change: match &repair.change {
                Edit::Type(ty) => ChangeJson::Type(ty),
                Edit::Param(dim) => ChangeJson::Value(ValueJson::Param(dim)),
                Edit::Attr(AttrValue::Absent) => ChangeJson::Text("-".into()),
                Edit::Attr(value) => ChangeJson::Value(ValueJson::Attr(AttrJson(value))),
                other => ChangeJson::Text(format!("{other:?}")),
            },
            conditions: repair.conditions.as_slice(),
        }
    }
}
