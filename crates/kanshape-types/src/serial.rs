//! With the feature `serde`: types and their parts as their text, and a size as a number where the format says what a value is.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use kanshape_diag::Diagnostic;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::{Conditions, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Name, Promotion, Shape, Type};

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

as_text! { Type Shape Contents Conditions Dtype DtypeSet DtypeTerm Promotion }

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

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text(PhantomData))
    }
}

/// A size is a number, any other dim its text. In a format that does not say which of them there is, both are texts.
impl Serialize for Dim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Dim::Size(size) if serializer.is_human_readable() => serializer.serialize_u64(*size),
            dim => serializer.collect_str(dim),
        }
    }
}

impl<'de> Deserialize<'de> for Dim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(SizeOrText),
            false => deserializer.deserialize_str(Text(PhantomData)),
        }
    }
}

struct SizeOrText;

impl Visitor<'_> for SizeOrText {
    type Value = Dim;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a size or the text of a dim")
    }

    fn visit_u64<E: Error>(self, size: u64) -> Result<Dim, E> {
        of_number(size.into())
    }

    fn visit_i64<E: Error>(self, size: i64) -> Result<Dim, E> {
        of_number(size.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Dim, E> {
        Text(PhantomData).visit_str(text)
    }
}

fn of_number<E: Error>(number: i128) -> Result<Dim, E> {
    Dim::try_from(number).map_err(|diagnostic| E::custom(diagnostic.headline))
}
