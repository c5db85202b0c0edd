//! An operand that may be left out.

use kanshape_types::Type;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The text of one that is left out.
const ABSENT: &str = "-";

/// A type; nothing where the operand is left out. `null` is a type of which nothing is known, as in the questions of `batch`.
pub(super) struct Operand(pub(super) Option<Type>);

impl Serialize for Operand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(ty) => ty.serialize(serializer),
            None => serializer.serialize_str(ABSENT),
        }
    }
}

impl<'de> Deserialize<'de> for Operand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Operand, D::Error> {
        match Option::<String>::deserialize(deserializer)?.as_deref() {
            None => Ok(Operand(Some(Type::UNKNOWN))),
            Some(ABSENT) => Ok(Operand(None)),
            Some(text) => {
                let ty: Type = text
                    .parse()
                    .map_err(|wrong: kanshape_diag::Diagnostic| D::Error::custom(wrong.headline))?;
                Ok(Operand(Some(ty)))
            }
        }
    }
}

/// The types of those that are not left out.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Type>, D::Error> {
    let all: Vec<Operand> = Vec::deserialize(deserializer)?;
    Ok(all.into_iter().filter_map(|own| own.0).collect())
}
