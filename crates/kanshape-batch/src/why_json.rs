//! Why there is no answer, as JSON.

use kanshape::explain::Conflict;
use kanshape::explain::{Edit, Fact, Repair};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::answer_json::AttrJson;
use crate::type_json::{DimJson, Text, Texts};

/// `{"code","message","at":{..},"core":[..],"repairs":[..]}`.
pub(crate) struct WhyJson<'a>(pub(crate) &'a Conflict);

impl Serialize for WhyJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let conflict = self.0;
        let core: Vec<FactJson<'_>> = conflict.facts.iter().map(FactJson).collect();
        let repairs: Vec<RepairJson<'_>> = conflict.repairs.iter().map(RepairJson).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", conflict.code())?;
        map.serialize_entry("message", conflict.message())?;
        map.serialize_entry("at", &conflict.diagnostic.at())?;
        map.serialize_entry("core", &core)?;
        map.serialize_entry("repairs", &repairs)?;
        map.end()
    }
}

/// `{"slot":"inputs[0]","axis":1,"about":"dim","says":"..","start":3,"end":4}`.
struct FactJson<'a>(&'a Fact);

impl Serialize for FactJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fact = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("slot", &Text(&fact.slot))?;
        map.serialize_entry("axis", &fact.axis())?;
        map.serialize_entry("about", fact.about.name())?;
        map.serialize_entry("says", &fact.says)?;
        map.serialize_entry("start", &fact.span.as_ref().map(|span| span.start))?;
        map.serialize_entry("end", &fact.span.as_ref().map(|span| span.end))?;
        map.end()
    }
}

/// `{"slot":"inputs[1]","type":".."}`, `{"attr":"axis","value":1}`, `{"param":"s","value":2}`.
struct RepairJson<'a>(&'a Repair);

impl Serialize for RepairJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use kanshape::explain::Slot;
        let repair = self.0;
        let mut map = serializer.serialize_map(None)?;
        match &repair.slot {
            Slot::Attr(name) => map.serialize_entry("attr", name.as_str())?,
            Slot::Param(name) => map.serialize_entry("param", name.as_str())?,
            slot => map.serialize_entry("slot", &Text(slot))?,
        }
        match &repair.change {
            Edit::Type(ty) => map.serialize_entry("type", &Text(ty))?,
            Edit::Param(dim) => map.serialize_entry("value", &DimJson(dim))?,
            Edit::Attr(kanshape::AttrValue::Absent) => map.serialize_entry("value", "-")?,
            Edit::Attr(value) => map.serialize_entry("value", &AttrJson(value))?,
            other => map.serialize_entry("value", &format!("{other:?}"))?,
        }
        if !repair.conditions.is_empty() {
            map.serialize_entry("where", &Texts(repair.conditions.as_slice()))?;
        }
        map.end()
    }
}
