//! What is found of two types, in the form of `kanshape batch`.

use std::io::{self, Write};

use kanshape::order::{Check, Filtered, Test};
use kanshape::{Diagnostic, Dim, Verdict};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::question::TypesAnswer;
use crate::type_json::{Text, TypeJson, Types, TypesAs};

/// Writes what was found as an object.
pub fn write_only_found(
    out: &mut impl Write,
    found: &TypesAnswer,
    types: TypesAs,
) -> io::Result<()> {
    out.write_all(b"{")?;
    write_result(out, found, types)
}

/// Writes the member of an object that says what was found, and its end.
pub fn write_result(out: &mut impl Write, found: &TypesAnswer, types: TypesAs) -> io::Result<()> {
    out.write_all(br#""result":"#)?;
    serde_json::to_writer(&mut *out, &FoundJson(found, types))?;
    out.write_all(b"}")
}

/// What stands behind `result`.
struct FoundJson<'a>(&'a TypesAnswer, TypesAs);

impl Serialize for FoundJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let types = self.1;
        match self.0 {
            TypesAnswer::Test(Verdict::Always) => serializer.serialize_bool(true),
            TypesAnswer::Test(Verdict::Never) => serializer.serialize_bool(false),
            TypesAnswer::Test(open) => serializer.serialize_str(open.name()),
            TypesAnswer::Meet {
                ty,
                alternatives,
                complete,
            } => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("type", &TypeJson(ty, types))?;
                if !alternatives.is_empty() {
                    map.serialize_entry("alternatives", &Types(alternatives, types))?;
                }
                if !complete {
                    map.serialize_entry("complete", &false)?;
                }
                map.end()
            }
            TypesAnswer::Conflict(why) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("conflict", &ConflictJson(why))?;
                map.end()
            }
            TypesAnswer::Join(ty) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("type", &TypeJson(ty, types))?;
                map.end()
            }
            TypesAnswer::Filter(filtered) => FilteredJson(filtered, types).serialize(serializer),
        }
    }
}

struct FilteredJson<'a>(&'a Filtered, TypesAs);

impl Serialize for FilteredJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let types = self.1;
        let (kind, ty, checks, why) = match self.0 {
            Filtered::Same(ty) => ("same", Some(TypeJson(ty, types)), &[][..], None),
            Filtered::Check { ty, checks } => {
                ("check", Some(TypeJson(ty, types)), checks.as_slice(), None)
            }
            Filtered::Never(why) => ("never", None, &[][..], Some(ConflictJson(why))),
            _ => ("unknown", None, &[][..], None),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", kind)?;
        map.serialize_entry("type", &ty)?;
        map.serialize_entry("checks", &Checks(checks, types))?;
        if let Some(why) = why {
            map.serialize_entry("why", &why)?;
        }
        map.end()
    }
}

struct Checks<'a>(&'a [Check], TypesAs);

impl Serialize for Checks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for check in self.0 {
            seq.serialize_element(&CheckJson(check, self.1))?;
        }
        seq.end()
    }
}

struct CheckJson<'a>(&'a Check, TypesAs);

impl Serialize for CheckJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if !self.0.path.is_empty() {
            map.serialize_entry("path", &self.0.path)?;
        }
        match &self.0.what {
            Test::Size { axis, size } => {
                map.serialize_entry("axis", axis)?;
                match size {
                    Dim::Size(size) => map.serialize_entry("expected", size)?,
                    open => map.serialize_entry("expected", &Text(open))?,
                }
            }
            Test::Rank(rank) => map.serialize_entry("rank", rank)?,
            Test::RankAtLeast(rank) => map.serialize_entry("min_rank", rank)?,
            Test::Run {
                after,
                before,
                name,
            } => {
                map.serialize_entry("run", &format_args!("...{name}"))?;
                map.serialize_entry("from", after)?;
                // As in a slice: counted from the end, and null for the end itself.
                let end = (*before > 0).then(|| -(*before as i64));
                map.serialize_entry("to", &end)?;
            }
            Test::Dtype(dtype) => map.serialize_entry("dtype", &Text(dtype))?,
            Test::Type(ty) => map.serialize_entry("type", &TypeJson(ty, self.1))?,
            Test::Holds(condition) => map.serialize_entry("where", &Text(condition))?,
            // A kind of check that is newer than this page says what it is in words.
            other => map.serialize_entry("check", &Text(other))?,
        }
        map.end()
    }
}

/// Why nothing is a value of both types.
struct ConflictJson<'a>(&'a Diagnostic);

impl Serialize for ConflictJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("code", self.0.code)?;
        map.serialize_entry("message", &self.0.headline)?;
        map.serialize_entry("facts", &self.0.steps)?;
        map.end()
    }
}
