//! Answers as JSON, in the form of `kanshape batch`.

use kanshape::{Answer, AttrValue, Condition, Dim, Type, operator::Places};
use serde::{Serialize, Serializer};

use crate::type_json::{FloatJson, Object, Text, TypeJson, TypesAs, types};

/// `{"inputs":[..],"outputs":[..],"params":{..},"where":[..]}`; of an operator `"attrs":{..}` in place of `params`,
/// if some were requested, and `"-"` for operands that are left out.
#[derive(Debug, Serialize)]
pub struct AnswerJson<'a> {
    inputs: Vec<OperandJson<'a>>,
    outputs: Vec<OperandJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Object<'a, ValueJson<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attrs: Option<Object<'a, ValueJson<'a>>>,
    #[serde(rename = "where")]
    conditions: &'a [Condition],
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum OperandJson<'a> {
    Type(TypeJson<'a>),
    Absent(&'static str),
}

/// The value of a parameter or an attribute.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ValueJson<'a> {
    Attr(AttrJson<'a>),
    Param(&'a Dim),
}

impl<'a> AnswerJson<'a> {
    /// The answer to a question with these places, none if it is about a signature.
    pub fn new(answer: &'a Answer, places: Option<&Places>, form: TypesAs) -> AnswerJson<'a> {
        let conditions = answer.conditions.as_slice();
        let params = answer.params.iter();
        let params = params.map(|(name, value)| (name.as_str(), ValueJson::Param(value)));
        let Some(places) = places.map(|places| places.in_answer(answer)) else {
            let all = |all| types(all, form).map(OperandJson::Type).collect();
            return AnswerJson {
                inputs: all(&answer.inputs),
                outputs: all(&answer.outputs),
                params: Some(Object(params.collect())),
                attrs: None,
                conditions,
            };
        };
        let more = if places.open { usize::MAX } else { 0 };
        let attrs = answer.attrs.iter();
        let attrs = attrs.map(|(name, value)| (name.as_str(), ValueJson::Attr(AttrJson(value))));
        // An operator that is written as a signature has parameters.
        let attrs: Vec<_> = attrs.chain(params).collect();
        AnswerJson {
            inputs: placed(&places.inputs, &answer.inputs, 0, form),
            outputs: placed(&places.outputs, &answer.outputs, more, form),
            params: None,
            attrs: (!attrs.is_empty()).then_some(Object(attrs)),
            conditions,
        }
    }
}

/// Types in the places of a question, and at most this many that it has no place for.
fn placed<'a>(
    places: &[Option<usize>],
    all: &'a [Type],
    more: usize,
    form: TypesAs,
) -> Vec<OperandJson<'a>> {
    let operand = |place: &Option<usize>| match place.and_then(|at| all.get(at)) {
        Some(ty) => OperandJson::Type(TypeJson(ty, form)),
        None => OperandJson::Absent("-"),
    };
    let more = types(all, form).skip(places.len()).take(more);
    let operands = places.iter().map(operand);
    operands.chain(more.map(OperandJson::Type)).collect()
}

/// The value of an attribute.
#[derive(Debug)]
pub struct AttrJson<'a>(pub(crate) &'a AttrValue);

impl Serialize for AttrJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AttrValue::Dim(dim) => dim.serialize(serializer),
            AttrValue::Int(n) => n.serialize(serializer),
            AttrValue::Float(x) => FloatJson(x.get()).serialize(serializer),
            AttrValue::Bool(truth) => truth.serialize(serializer),
            AttrValue::Text(text) => text.serialize(serializer),
            AttrValue::List(members) => serializer.collect_seq(members.iter().map(AttrJson)),
            other => Text(other).serialize(serializer),
        }
    }
}
