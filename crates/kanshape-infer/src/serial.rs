//! Signatures and answers for `serde`: a signature is its text; an answer is what `batch` prints of
//! it, and reads back.

use crate::{Answer, Signature};
use kanshape_types::{Dim, Name, Type};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

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
    params: BTreeMap<String, Value>,
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
        Data {
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            params: self
                .params
                .iter()
                .map(|(name, d)| (name.to_string(), value(d)))
                .collect(),
            conditions: self.conditions.iter().map(ToString::to_string).collect(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answer, D::Error> {
        let data = Data::deserialize(deserializer)?;
        let mut params = Vec::with_capacity(data.params.len());
        for (name, value) in data.params {
            let dim = match value {
                Value::Size(size) => Dim::Size(size),
                Value::Text(text) => text.parse().map_err(D::Error::custom)?,
            };
            params.push((Name::from(name), dim));
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
        let signature: Signature = "[s] (h),(k)->((h - k)//s + 1)".parse().unwrap();
        let text = serde_json::to_string(&signature).unwrap();
        assert_eq!(text, "\"[s] (h),(k)->((h - k)//s + 1)\"");
        assert_eq!(serde_json::from_str::<Signature>(&text).unwrap(), signature);

        let inputs = ["f32[n]", "f32[3]"].map(|t| t.parse().unwrap());
        let query = signature.query().inputs(inputs).param("s", 2u64);
        let answer = query.solve().unwrap().next().unwrap();
        let text = serde_json::to_string(&answer).unwrap();
        assert_eq!(
            text,
            r#"{"inputs":["f32[n]","f32[3]"],"outputs":["f32[(n - 3)//2 + 1]"],"params":{"s":2},"where":["n >= 1"]}"#
        );
        assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
    }
}
