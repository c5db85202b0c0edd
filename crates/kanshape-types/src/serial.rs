//! With the feature `serde`: types, dtypes and promotion tables as their text.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use kanshape_diag::Diagnostic;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{Dtype, Promotion, Type};

macro_rules! as_text {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text(PhantomData))
            }
        }
    )*};
}

as_text! { Type Dtype Promotion }

/// Reads a `T` from its text.
struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err = Diagnostic>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse()
            .map_err(|diagnostic: Diagnostic| E::custom(diagnostic.headline))
    }
}
