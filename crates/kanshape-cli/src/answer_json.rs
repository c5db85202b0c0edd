//! Answers as JSON, in the form of `kanshape batch`.

use std::fmt::Display;

use kanshape::{Answer, Dim};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// `{"inputs":[..],"outputs":[..],"params":{..},"where":[..]}`.
pub(crate) struct AnswerJson<'a>(pub(crate) &'a Answer);

impl Serialize for AnswerJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = self.0;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("inputs", &Texts(&answer.inputs))?;
        map.serialize_entry("outputs", &Texts(&answer.outputs))?;
        map.serialize_entry("params", &Params(answer))?;
        map.serialize_entry("where", &Texts(answer.conditions.as_slice()))?;
        map.end()
    }
}

/// A list of what displays.
pub(crate) struct Texts<'a, T>(pub(crate) &'a [T]);

impl<T: Display> Serialize for Texts<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for item in self.0 {
            seq.serialize_element(&Text(item))?;
        }
        seq.end()
    }
}

/// The text that something displays.
pub(crate) struct Text<'a, T>(pub(crate) &'a T);

impl<T: Display> Serialize for Text<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

struct Params<'a>(&'a Answer);

impl Serialize for Params<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let params = &self.0.params;
        let mut map = serializer.serialize_map(Some(params.len()))?;
        for (name, value) in params {
            map.serialize_key(name.as_str())?;
            match value {
                Dim::Size(size) => map.serialize_value(size)?,
                open => map.serialize_value(&Text(open))?,
            }
        }
        map.end()
    }
}
