//! Answers as JSON, in the form of `kanshape batch`.

use kanshape::{Answer, AttrValue, Type, operator::Places};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::type_json::{DimJson, FloatJson, Object, Text, Texts, TypeJson, Types, TypesAs};

/// `{"inputs":[..],"outputs":[..],"params":{..},"where":[..]}`; of an operator `"attrs":{..}` in place of `params`,
/// if some were requested, and `"-"` for operands that are left out.
pub struct AnswerJson<'a> {
    answer: &'a Answer,
    places: Option<&'a Places>,
    types: TypesAs,
}

impl<'a> AnswerJson<'a> {
    /// The answer to a question with these places, none if it is about a signature.
    pub fn new(answer: &'a Answer, places: Option<&'a Places>, types: TypesAs) -> AnswerJson<'a> {
        AnswerJson {
            answer,
            places,
            types,
        }
    }
}

impl Serialize for AnswerJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (answer, types) = (self.answer, self.types);
        let mut map = serializer.serialize_map(None)?;
        match self.places {
            None => {
                map.serialize_entry("inputs", &Types(&answer.inputs, types))?;
                map.serialize_entry("outputs", &Types(&answer.outputs, types))?;
                let params = answer.params.iter();
                let params = params.map(|(name, value)| (name.as_str(), DimJson(value)));
                map.serialize_entry("params", &Object(params.collect()))?;
            }
            Some(places) => {
                let places = &places.in_answer(answer);
                let more = if places.open { usize::MAX } else { 0 };
                let inputs = PlacedTypes(&places.inputs, &answer.inputs, 0, types);
                map.serialize_entry("inputs", &inputs)?;
                let outputs = PlacedTypes(&places.outputs, &answer.outputs, more, types);
                map.serialize_entry("outputs", &outputs)?;
                if !answer.attrs.is_empty() || !answer.params.is_empty() {
                    map.serialize_entry("attrs", &Attrs(answer))?;
                }
            }
        }
        map.serialize_entry("where", &Texts(answer.conditions.as_slice()))?;
        map.end()
    }
}

/// Types in the places of a question, and at most this many that it has no place for.
struct PlacedTypes<'a>(&'a [Option<usize>], &'a [Type], usize, TypesAs);

impl Serialize for PlacedTypes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PlacedTypes(places, types, more, form) = self;
        let mut seq = serializer.serialize_seq(None)?;
        for place in *places {
            match place.and_then(|at| types.get(at)) {
                Some(ty) => seq.serialize_element(&TypeJson(ty, *form))?,
                None => seq.serialize_element("-")?,
            }
        }
        for ty in types.iter().skip(places.len()).take(*more) {
            seq.serialize_element(&TypeJson(ty, *form))?;
        }
        seq.end()
    }
}

struct Attrs<'a>(&'a Answer);

impl Serialize for Attrs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { attrs, params, .. } = self.0;
        let mut map = serializer.serialize_map(Some(attrs.len() + params.len()))?;
        for (name, value) in attrs {
            map.serialize_entry(name.as_str(), &AttrJson(value))?;
        }
        // Of an operator that is written as a signature.
        for (name, value) in params {
            map.serialize_entry(name.as_str(), &DimJson(value))?;
        }
        map.end()
    }
}

/// The value of an attribute.
#[derive(Debug)]
pub struct AttrJson<'a>(pub(crate) &'a AttrValue);

impl Serialize for AttrJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AttrValue::Dim(dim) => DimJson(dim).serialize(serializer),
            AttrValue::Int(n) => n.serialize(serializer),
            AttrValue::Float(x) => FloatJson(x.get()).serialize(serializer),
            AttrValue::Bool(truth) => truth.serialize(serializer),
            AttrValue::Text(text) => text.serialize(serializer),
            AttrValue::List(members) => serializer.collect_seq(members.iter().map(AttrJson)),
            other => Text(other).serialize(serializer),
        }
    }
}
