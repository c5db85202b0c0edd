//! Types as JSON: their text, or objects of a dtype and a shape. `docs/schema.json` is the schema.

use std::fmt::Display;

use kanshape::{Content, Contents, Dim, DtypeTerm, Shape, Tensor, Type, types::TypeKind};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

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

/// A list of what displays.
pub struct Texts<'a, T>(pub(crate) &'a [T]);

impl<T: Display> Serialize for Texts<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Text))
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
pub struct Text<'a, T>(pub(crate) &'a T);

impl<T: Display> Serialize for Text<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// A number where it is one, else a text.
pub struct DimJson<'a>(pub(crate) &'a Dim);

impl Serialize for DimJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Dim::Size(size) => size.serialize(serializer),
            open => Text(open).serialize(serializer),
        }
    }
}

/// A list of types.
pub struct Types<'a>(pub(crate) &'a [Type], pub(crate) TypesAs);

impl Serialize for Types<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|ty| TypeJson(ty, self.1)))
    }
}

/// A type.
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
            TypeKind::Tuple(parts) => map.serialize_entry("tuple", &Types(parts, *form))?,
            // Of these the text says what they are made of, and the parts are types again.
            TypeKind::Fn(_) | TypeKind::Adt(..) | TypeKind::User(..) => {
                map.serialize_entry("type", &Text(ty))?;
                let parts: Vec<Type> = ty.parts().cloned().collect();
                map.serialize_entry("parts", &Types(&parts, *form))?;
            }
        }
        if !ty.conditions.is_empty() {
            map.serialize_entry("where", &Texts(ty.conditions.as_slice()))?;
        }
        map.end()
    }
}

fn tensor_entries<M: SerializeMap>(map: &mut M, tensor: &Tensor) -> Result<(), M::Error> {
    match &tensor.dtype {
        DtypeTerm::Hole => map.serialize_entry("dtype", &())?,
        dtype => map.serialize_entry("dtype", &Text(dtype))?,
    }
    map.serialize_entry("shape", &ShapeJson(&tensor.shape))?;
    match &tensor.contents {
        Some(contents) => map.serialize_entry("contents", &ContentsJson(contents)),
        None => Ok(()),
    }
}

/// A list of sizes, texts and nulls; a run among them is `"..."` or `"...name"`.
struct ShapeJson<'a>(&'a Shape);

impl Serialize for ShapeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = self.0;
        let mut seq = serializer.serialize_seq(None)?;
        for dim in shape.before() {
            seq.serialize_element(&OpenDim(dim))?;
        }
        if let Some(run) = shape.run() {
            let name = run.name.as_ref().map_or("", |name| name.as_str());
            seq.serialize_element(&format_args!("...{name}"))?;
        }
        for dim in shape.after() {
            seq.serialize_element(&OpenDim(dim))?;
        }
        seq.end()
    }
}

struct OpenDim<'a>(&'a Dim);

impl Serialize for OpenDim<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Dim::Hole => serializer.serialize_none(),
            dim => DimJson(dim).serialize(serializer),
        }
    }
}

struct ContentsJson<'a>(&'a Contents);

impl Serialize for ContentsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.into_iter().map(ContentJson))
    }
}

struct ContentJson<'a>(&'a Content);

impl Serialize for ContentJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Content::Hole => serializer.serialize_none(),
            Content::Int(n) => n.serialize(serializer),
            Content::Bool(truth) => truth.serialize(serializer),
            Content::Float(x) => FloatJson(x.get()).serialize(serializer),
            Content::Text(text) => text.serialize(serializer),
            Content::Name(name) => serializer.serialize_str(name.as_str()),
            Content::Expr(e) => Text(&**e).serialize(serializer),
        }
    }
}

/// A number with a point. Those that JSON has no number for are texts: `"NaN"`, `"Infinity"`, `"-Infinity"`.
pub struct FloatJson(pub(crate) f64);

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
