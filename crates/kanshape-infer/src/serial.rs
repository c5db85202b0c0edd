//! Signatures, calls, answers, verdicts, sizes and the values of attributes for `serde`.
//!
//! A signature is its text. An answer has the form that `batch` prints, and each answer that `batch` prints is read as one: `"-"` is
//! an operand that is left out. It reads back as it was: the values of attributes that are no plain numbers, truth values,
//! texts or lists say what they are.
//!
//! Explanations and checks derive theirs where they stand. A conflict, its repairs and what `order::filter` finds are
//! written and not read: a repair belongs to the query that it repairs. A query has none; its call, or its signature and
//! types, have.

mod members;
mod operand;

use crate::explain::Sizes;
use crate::{Answer, AttrValue, Call, Signature, Verdict};
use kanshape_syntax::tree::Condition;
use kanshape_types::{Dim, Name, Type};
use members::Members;
use operand::{Operand, present};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Signature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// `{"n": 3}`
impl Serialize for Sizes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, size)| (name, size)))
    }
}

impl<'de> Deserialize<'de> for Signature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Signature, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

/// An answer in a format that does not say what a value is: all fields, in their order.
type PlainAnswer = (
    Vec<Option<Type>>,
    Vec<Type>,
    Vec<(Name, Dim)>,
    Vec<(Name, AttrValue)>,
    Vec<Condition>,
);

/// The same of a call.
type PlainCall = (
    Vec<Option<Type>>,
    Option<Vec<Option<Type>>>,
    Vec<(Name, AttrValue)>,
    Vec<usize>,
);

/// An answer as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    inputs: Vec<Operand>,
    #[serde(deserialize_with = "present")]
    outputs: Vec<Type>,
    #[serde(default)]
    params: Members<Dim>,
    #[serde(default, skip_serializing_if = "Members::is_empty")]
    attrs: Members<AttrValue>,
    #[serde(rename = "where")]
    conditions: Vec<Condition>,
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let inputs = self.inputs.iter().enumerate();
        let is_there = |i: &usize| !self.absent.contains(i);
        let data = Data {
            inputs: inputs
                .map(|(i, ty)| Operand(is_there(&i).then(|| ty.clone())))
                .collect(),
            outputs: self.outputs.clone(),
            params: Members(self.params.clone()),
            attrs: Members(self.attrs.clone()),
            conditions: self.conditions.iter().cloned().collect(),
        };
        match serializer.is_human_readable() {
            true => data.serialize(serializer),
            false => {
                let Data {
                    inputs,
                    outputs,
                    params,
                    attrs,
                    conditions,
                } = data;
                let inputs = inputs.into_iter().map(|own| own.0).collect();
                let plain: PlainAnswer = (inputs, outputs, params.0, attrs.0, conditions);
                plain.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answer, D::Error> {
        let data = match deserializer.is_human_readable() {
            true => Data::deserialize(deserializer)?,
            false => {
                let (inputs, outputs, params, attrs, conditions) =
                    PlainAnswer::deserialize(deserializer)?;
                Data {
                    inputs: inputs.into_iter().map(Operand).collect(),
                    outputs,
                    params: Members(params),
                    attrs: Members(attrs),
                    conditions,
                }
            }
        };
        let inputs = data.inputs.iter().enumerate();
        Ok(Answer {
            absent: inputs
                .filter(|(_, own)| own.0.is_none())
                .map(|(i, _)| i)
                .collect(),
            inputs: data
                .inputs
                .into_iter()
                .map(|own| own.0.unwrap_or_default())
                .collect(),
            outputs: data.outputs,
            params: data.params.0,
            attrs: data.attrs.0,
            conditions: data.conditions.into_iter().collect(),
        })
    }
}

/// A call as data: an operand that is left out is nothing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CallData {
    inputs: Vec<Operand>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outputs: Option<Vec<Operand>>,
    #[serde(default, skip_serializing_if = "Members::is_empty")]
    attrs: Members<AttrValue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    may_be_absent: Vec<usize>,
}

impl Serialize for Call {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let attrs = self.attrs.iter();
        let operands = |all: &[Option<Type>]| all.iter().cloned().map(Operand).collect();
        let data = CallData {
            inputs: operands(&self.inputs),
            outputs: self.outputs.as_deref().map(operands),
            attrs: Members(
                attrs
                    .map(|(name, value)| (Name::word(&**name), value.clone()))
                    .collect(),
            ),
            may_be_absent: self.may_be_absent.clone(),
        };
        match serializer.is_human_readable() {
            true => data.serialize(serializer),
            false => {
                let (inputs, outputs) = (self.inputs.clone(), self.outputs.clone());
                let plain: PlainCall = (inputs, outputs, data.attrs.0, data.may_be_absent);
                plain.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Call {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Call, D::Error> {
        let data = match deserializer.is_human_readable() {
            true => CallData::deserialize(deserializer)?,
            false => {
                let (inputs, outputs, attrs, may_be_absent) = PlainCall::deserialize(deserializer)?;
                let operands = |all: Vec<Option<Type>>| all.into_iter().map(Operand).collect();
                CallData {
                    inputs: operands(inputs),
                    outputs: outputs.map(operands),
                    attrs: Members(attrs),
                    may_be_absent,
                }
            }
        };
        let attrs = data.attrs.0.into_iter();
        let types = |all: Vec<Operand>| all.into_iter().map(|own| own.0).collect();
        Ok(Call {
            inputs: types(data.inputs),
            outputs: data.outputs.map(types),
            attrs: attrs
                .map(|(name, value)| (name.as_str().into(), value))
                .collect(),
            may_be_absent: data.may_be_absent,
        })
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Verdict, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let signature: Signature = "[s] (h),(k)->(s*h + k) where h >= 1".parse().unwrap();
        let text = serde_json::to_string(&signature).unwrap();
        assert_eq!(text, "\"[s] (h),(k)->(s*h + k) where h >= 1\"");
        assert_eq!(serde_json::from_str::<Signature>(&text).unwrap(), signature);

        let inputs = ["f32[n]", "f32[3]"].map(|t| t.parse().unwrap());
        let query = signature.query().inputs(inputs).param("s", 2);
        let answer = query.solve().unwrap().next().unwrap();
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(
            text,
            r#"{"inputs":["f32[n]","f32[3]"],"outputs":["f32[2*n + 3]"],"params":{"s":2},"where":["n >= 1"]}"#
        );
        assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
    }

    #[test]
    fn calls_and_verdicts_are_read_back() {
        let call: Call = "[axis = 1, perm = [1, ?]] f32[2, n], - -> ?"
            .parse()
            .unwrap();
        let text = serde_json::to_string(&call).unwrap();
        assert_eq!(
            text,
            r#"{"inputs":["f32[2, n]","-"],"outputs":["?"],"attrs":{"axis":1,"perm":[1,null]}}"#
        );
        assert_eq!(serde_json::from_str::<Call>(&text).unwrap(), call);
        let null = text.replace("\"-\"", "null");
        let unknown = serde_json::from_str::<Call>(&null).unwrap();
        assert_eq!(unknown.inputs[1], Some(Type::UNKNOWN));
        let call: Call = "f32[2], ? or -".parse().unwrap();
        let text = serde_json::to_string(&call).unwrap();
        assert_eq!(text, r#"{"inputs":["f32[2]","?"],"may_be_absent":[1]}"#);
        assert_eq!(serde_json::from_str::<Call>(&text).unwrap(), call);
        let text = serde_json::to_string(&Verdict::Depends).unwrap();
        assert_eq!(text, "\"depends\"");
        assert_eq!(
            serde_json::from_str::<Verdict>(&text).unwrap(),
            Verdict::Depends
        );
    }

    /// A query is no data: its call is, and makes the same query when it is read back.
    #[test]
    fn a_call_asks_the_same_when_it_is_read_back() {
        let rule = "op Bias (x: T[..r, n], b: T[n]?) -> (y: T[..r, n])";
        let relations = crate::Relations::load_str("bias.kan", rule).unwrap();
        let bias = relations.operator("Bias", None).unwrap();
        let answers = |call: Call| bias.query(call).unwrap().solve().unwrap();
        let call: Call = "f32[2, 3], ? or - -> ?".parse().unwrap();
        let text = serde_json::to_string(&call).unwrap();
        let read: Call = serde_json::from_str(&text).unwrap();
        let found: Vec<Answer> = answers(read).collect();
        assert_eq!(found, answers(call).collect::<Vec<Answer>>());
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        let expected = [
            "f32[2, 3], - -> f32[2, 3]",
            "f32[2, 3], f32[3] -> f32[2, 3]",
        ];
        assert_eq!(texts, expected);
        for answer in found {
            let text = serde_json::to_string(&answer).unwrap();
            assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
            assert_eq!(answer.to_string().parse::<Answer>().unwrap(), answer);
        }
    }

    /// No size is below 0, and a name has to be one.
    #[test]
    fn what_no_text_says_is_not_read() {
        assert!(serde_json::from_str::<Dim>("\"-1\"").is_err());
        let text = r#"{"inputs":[],"outputs":[],"params":{"s":1},"where":[]}"#;
        assert!(serde_json::from_str::<Answer>(text).is_ok());
        for (old, new) in [("\"s\"", "\"a b\""), (":1", ":\"-1\"")] {
            let wrong = text.replace(old, new);
            assert!(serde_json::from_str::<Answer>(&wrong).is_err(), "{wrong}");
        }
    }

    /// The members of an answer stay in their order, and the attributes are there.
    #[test]
    fn an_answer_keeps_its_attributes() {
        let rule = "op Moved [perm: ints] (X: T[a, b]) -> (Y: T[b, a]) :- perm = [1, 0]";
        let relations = crate::Relations::load_str("moved.kan", rule).unwrap();
        let call = crate::Call {
            inputs: vec![Some("f32[2, n]".parse().unwrap())],
            attrs: vec![("perm".into(), AttrValue::Hole)],
            ..Default::default()
        };
        let moved = relations.operator("Moved", None).unwrap();
        let mut answers = moved.query(call).unwrap().solve().unwrap();
        let mut answer = answers.next().unwrap();
        let text = serde_json::to_string(&answer).unwrap();
        let expected = r#"{"inputs":["f32[2, n]"],"outputs":["f32[n, 2]"],"params":{},"attrs":{"perm":[1,0]},"where":[]}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);

        answer.params = ["t", "s", "u"]
            .map(|name| (Name::word(name), Dim::Size(2)))
            .to_vec();
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
    }

    #[test]
    fn explanations_and_checks_are_data() {
        use crate::order::{Check, Filtered, filter};
        let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
        let inputs = ["f32[2, 3]", "f32[5, 4]"].map(|t| t.parse().unwrap());
        let conflict = matmul.query().inputs(inputs).explain().unwrap();
        let data = serde_json::to_value(&conflict).unwrap();
        assert_eq!(data["diagnostic"]["code"], "K0101");
        assert_eq!(
            data["facts"][0],
            serde_json::json!({"slot": {"input": 0}, "part": [], "about": {"dim": 1}, "says": "input 0 is f32[2, 3]: its dim 1 is 3",
                "span": {"start": 3, "end": 4}})
        );
        assert_eq!(
            data["repairs"][0]["change"],
            serde_json::json!({"type": "f32[2, 5]"})
        );
        assert_eq!(data["repairs"][0]["how"], serde_json::json!({"dim": 1}));
        let facts: Vec<crate::explain::Fact> =
            serde_json::from_value(data["facts"].clone()).unwrap();
        assert_eq!(facts, conflict.facts);

        let found = filter(
            &"(f32[..., 3], ?[n])".parse().unwrap(),
            &"(f32[2, ?], f32[...s])".parse().unwrap(),
        );
        let data = serde_json::to_value(&found).unwrap();
        let Filtered::Check { checks, .. } = found else {
            unreachable!("{data}")
        };
        let read: Vec<Check> = serde_json::from_value(data["check"]["checks"].clone()).unwrap();
        assert_eq!(read, checks);
        assert!(!checks.is_empty());
    }
}
