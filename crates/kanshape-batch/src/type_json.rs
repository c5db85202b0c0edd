//! Types as JSON: their text, or objects of a dtype and a shape. `docs/schema.json` is the schema.

use std::fmt::Display;

use kanshape::types::{Run, TypeKind};
use kanshape::{Content, Dim, DtypeTerm, Shape, Tensor, Type};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::notation::{InNotation, Notation};

/// How types are written in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum TypesAs {
    /// As they are written elsewhere: `"f32[2, n]"`
    #[default]
    Text,
    /// As objects: `{"dtype": "f32", "shape": [2, "n"]}`
    Data,
    /// As Relay writes them; the notation of a question selects it
    #[cfg_attr(feature = "clap", value(skip))]
    Relay,
}

impl Notation {
    /// How types are written in JSON, where otherwise they are written so.
    pub fn types(self, types: TypesAs) -> TypesAs {
        match self {
            Notation::Kanshape => types,
            Notation::Relay => TypesAs::Relay,
        }
    }
}

/// The texts that several things display.
pub(crate) fn texts<T: Display>(all: impl IntoIterator<Item = T>) -> Vec<String> {
    all.into_iter().map(|one| one.to_string()).collect()
}

/// An object with these names and values, in their order.
#[derive(Debug)]
pub(crate) struct Object<'a, V>(pub(crate) Vec<(&'a str, V)>);

impl<V: Serialize> Serialize for Object<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The text that something displays.
pub(crate) struct Text<'a, T>(pub(crate) &'a T);

impl<T: Display> Serialize for Text<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// Each of several types.
pub(crate) fn types(all: &[Type], form: TypesAs) -> impl Iterator<Item = TypeJson<'_>> {
    all.iter().map(move |ty| TypeJson(ty, form))
}

/// A type.
#[derive(Debug)]
pub struct TypeJson<'a>(pub(crate) &'a Type, pub(crate) TypesAs);

impl Serialize for TypeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TypeJson(ty, form) = self;
        match form {
            TypesAs::Text => return Text(ty).serialize(serializer),
            TypesAs::Relay => return Text(&InNotation(ty, Notation::Relay)).serialize(serializer),
            TypesAs::Data => {}
        }
        let mut map = serializer.serialize_map(None)?;
        match &ty.kind {
            TypeKind::Unknown => {
                map.serialize_entry("dtype", &())?;
                map.serialize_entry("shape", &())?;
            }
            TypeKind::Tensor(tensor) => tensor_entries(&mut map, tensor)?,
            TypeKind::Var(name) => map.serialize_entry("name", name.as_str())?,
            TypeKind::Tuple(parts) => {
                map.serialize_entry("tuple", &types(parts, *form).collect::<Vec<_>>())?;
            }
            // Of these the text says what they are made of, and the parts are types again.
            TypeKind::Fn(_) | TypeKind::Adt(..) | TypeKind::User(..) => {
                map.serialize_entry("type", &Text(ty))?;
                let parts = ty.parts().map(|ty| TypeJson(ty, *form));
                map.serialize_entry("parts", &parts.collect::<Vec<_>>())?;
            }
        }
        if !ty.conditions.is_empty() {
            map.serialize_entry("where", ty.conditions.as_slice())?;
        }
        map.end()
    }
}

fn tensor_entries<M: SerializeMap>(map: &mut M, tensor: &Tensor) -> Result<(), M::Error> {
    match &tensor.dtype {
        DtypeTerm::Hole => map.serialize_entry("dtype", &())?,
        dtype => map.serialize_entry("dtype", &Text(dtype))?,
    }
    map.serialize_entry("shape", &shape(&tensor.shape))?;
    match &tensor.contents {
        Some(contents) => {
            let members: Vec<_> = contents.into_iter().map(content).collect();
            map.serialize_entry("contents", &members)
        }
        None => Ok(()),
    }
}

/// A list of sizes, texts and nulls; a run among them is `"..."` or `"...name"`.
fn shape(shape: &Shape) -> Vec<Option<DimJson<'_>>> {
    fn dim(dim: &Dim) -> Option<DimJson<'_>> {
        (*dim != Dim::Hole).then_some(DimJson::Dim(dim))
    }
    let run = |run: &Run| {
        let name = run.name.as_ref().map_or("", |name| name.as_str());
        Some(DimJson::Run(format!("...{name}")))
    };
    let before = shape.before().iter().map(dim);
    let after = shape.after().iter().map(dim);
    before.chain(shape.run().map(run)).chain(after).collect()
}

#[derive(Serialize)]
#[serde(untagged)]
enum DimJson<'a> {
    Dim(&'a Dim),
    Run(String),
}

/// What is in a tensor; null is what is not known.
#[derive(Serialize)]
#[serde(untagged)]
enum ContentJson<'a> {
    Hole(()),
    Int(i64),
    Bool(bool),
    Float(FloatJson),
    Text(&'a str),
    Expr(String),
}

fn content(content: &Content) -> ContentJson<'_> {
    match content {
        Content::Hole => ContentJson::Hole(()),
        Content::Int(n) => ContentJson::Int(*n),
        Content::Bool(truth) => ContentJson::Bool(*truth),
        Content::Float(x) => ContentJson::Float(FloatJson(x.get())),
        Content::Text(text) => ContentJson::Text(text),
        Content::Name(name) => ContentJson::Text(name),
        Content::Expr(e) => ContentJson::Expr(e.to_string()),
    }
}

/// A number with a point. Those that JSON has no number for are texts: `"NaN"`, `"Infinity"`, `"-Infinity"`.
#[derive(Debug)]
pub(crate) struct FloatJson(pub(crate) f64);

impl Serialize for FloatJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.is_nan() => serializer.serialize_str("NaN"),
            f64::INFINITY => serializer.serialize_str("Infinity"),
            f64::NEG_INFINITY => serializer.serialize_str("-Infinity"),
            x => x.serialize(serializer),
        }
    }
}

/// The number that one of these texts denotes.
pub fn float_of(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}
