//! Signatures, answers and the values of attributes for `serde`.
//!
//! A signature is its text. An answer is what `batch` prints of it, and reads back as it was: the values of attributes
//! that are no plain numbers, truth values, texts or lists say what they are.

mod attr;
mod members;

use crate::{Answer, AttrValue, Signature};
use kanshape_types::{Dim, Type};
use members::Members;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Signature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Signature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Signature, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

/// An answer as data.
#[derive(Serialize, Deserialize)]
struct Data {
    inputs: Vec<Type>,
    outputs: Vec<Type>,
    params: Members<Value>,
    #[serde(default, skip_serializing_if = "Members::is_empty")]
    attrs: Members<AttrValue>,
    #[serde(rename = "where")]
    conditions: Vec<String>,
}

/// A parameter: a size, or the text of an expression.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Value {
    Size(u64),
    Text(String),
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |d: &Dim| match d.size() {
            Some(size) => Value::Size(size),
            None => Value::Text(d.to_string()),
        };
        let params = self.params.iter();
        Data {
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            params: Members(params.map(|(name, d)| (name.clone(), value(d))).collect()),
            attrs: Members(self.attrs.clone()),
            conditions: self.conditions.iter().map(ToString::to_string).collect(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answer, D::Error> {
        let data = Data::deserialize(deserializer)?;
        let mut params = Vec::with_capacity(data.params.0.len());
        for (name, value) in data.params.0 {
            let dim = match value {
                Value::Size(size) => Dim::Size(size),
                Value::Text(text) => text.parse().map_err(D::Error::custom)?,
            };
            params.push((name, dim));
        }
        let mut conditions = Vec::with_capacity(data.conditions.len());
        for text in &data.conditions {
            let condition = kanshape_syntax::parse_condition(text).map_err(D::Error::custom)?;
            conditions.push(condition.node);
        }
        Ok(Answer {
            inputs: data.inputs,
            outputs: data.outputs,
            params,
            attrs: data.attrs.0,
            conditions: conditions.into_iter().collect(),
        })
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
        let query = signature.query().inputs(inputs).param("s", 2u64);
        let answer = query.solve().unwrap().next().unwrap();
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(
            text,
            r#"{"inputs":["f32[n]","f32[3]"],"outputs":["f32[2*n + 3]"],"params":{"s":2},"where":["n >= 1"]}"#
        );
        assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
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
            .map(|name| (name.into(), Dim::Size(2)))
            .to_vec();
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
    }
}
