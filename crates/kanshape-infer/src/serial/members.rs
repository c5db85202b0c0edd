//! Values by name, in their order.

use kanshape_types::Name;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A map whose members stay in their order.
pub(super) struct Members<V>(pub(super) Vec<(Name, V)>);

impl<V> Members<V> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V> Default for Members<V> {
    fn default() -> Self {
        Members(Vec::new())
    }
}

impl<V: Serialize> Serialize for Members<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name.as_str(), value)))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Members<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Read(PhantomData))
    }
}

struct Read<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Read<V> {
    type Value = Members<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("values by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<V>, A::Error> {
        let mut members = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, V>()? {
            let name = Name::new(&name).map_err(|wrong| A::Error::custom(wrong.headline))?;
            members.push((name, value));
        }
        Ok(Members(members))
    }
}
