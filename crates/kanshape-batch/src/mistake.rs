//! The mistakes in a line, one function each. Those in signatures and types are found, and worded, by the crates that
//! read them.

use std::fmt::Display;

use kanshape::diag::suggest;
use kanshape::{Diagnostic, code};

use crate::field::LineKind;

kanshape::diag::codes! {
    NOT_JSON "K0501" "a line that is no JSON object"
    UNKNOWN_FIELD "K0502" "a field that a line of a batch does not have"
    WRONG_KIND "K0503" "a field whose value is of the wrong kind"
    LINE_TOO_LONG "K0504" "a line longer than the longest allowed"
    NOT_UTF8 "K0505" "a line that is not UTF-8"
    NO_QUESTION "K0506" "a line without a question"
    FIELD_TWICE "K0507" "a field given twice"
    NO_TYPE "K0512" "a question about types without one of the two"
    UNKNOWN_TYPES "K0513" "a word that is no question about types"
    ONLY_ONE_HAS "K0514" "something that only a signature has, or only an operator, given to the other"
    BAD_VALUE "K0515" "an attribute whose value is none that an attribute can have"
    NO_MODEL "K0518" "a line about a model that was not given"
    INTERNAL "K0599" "a fault of kanshape itself"
}

pub(crate) fn not_json(why: impl Display, at: usize) -> Diagnostic {
    Diagnostic::new(NOT_JSON, format!("this is no JSON object: {why}")).with_label(at..at + 1, "")
}

pub(crate) fn unknown_field(name: &str, kind: LineKind) -> Diagnostic {
    let headline = format!("{} has no field `{name}`", kind.called());
    let d = Diagnostic::new(UNKNOWN_FIELD, headline);
    // A misspelt field may be the one that says what the line is about.
    let other = LineKind::ALL.into_iter().filter(|k| *k != kind);
    let all = kind.fields().chain(other.flat_map(LineKind::fields));
    match suggest(name, all) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help(format!("its fields are {}", quoted(kind.fields()))),
    }
}

pub(crate) fn foreign_field(name: &str, kind: LineKind) -> Diagnostic {
    let headline = format!("{} has no field `{name}`", kind.called());
    Diagnostic::new(UNKNOWN_FIELD, headline).with_help(match kind {
        LineKind::Query => {
            "a line has a `signature`, an `op`, a `graph`, or `types` with `a` and `b`, but no two of them"
        }
        LineKind::Call => {
            "a line has an `op` with `attrs`, or a `signature` with `params`, but not both"
        }
        LineKind::Graph => {
            "a line has a `graph` with `opset`, `where`, `given` and `assume_nonempty`, or a `signature`, or an `op`"
        }
        LineKind::Model => {
            "a line has a `model` with `dims`, `inputs`, `set`, `given`, `from`, `to` and `parts`, or a `signature`, or an `op`"
        }
        LineKind::Program => "a line has a `program` with `entry` and `notation`",
        LineKind::Equations => "a line has `equations` and `relations` with `notation`",
        LineKind::OfType => "a line has a `kind_of` with `adts` and `notation`",
        LineKind::Match => "a line has a `match` with `adts` and `notation`",
        LineKind::Stablehlo => "a line has a `stablehlo`, `inputs`, a `where` and `declared`",
        LineKind::Find => "a line has a `find` with `inputs`, `output`, `depth` and `ops`, a `cost` and an `opset`",
        LineKind::Torch => "a line has a `torch` with a `where`, or a `signature`, or an `op`",
        LineKind::Parse => "a line has a `parse` with `as` and `attrs`, or a `signature`, or an `op`",
        LineKind::Catalog => "a line has a `catalog` with `opset`, or a `signature`, or an `op`",
        LineKind::Rule => "a line has a `rule` with `leaves`, `opset`, `max_rank` and `max_dim`",
        LineKind::Types => "that is a field of a query, which has a `signature` or an `op`",
    })
}

/// A member that an object within a field does not have.
pub(crate) fn unknown_member(place: &str, name: &str, known: &[&str]) -> Diagnostic {
    let headline = format!("`{place}` has no field `{name}`");
    let d = Diagnostic::new(UNKNOWN_FIELD, headline);
    match suggest(name, known.iter().copied()) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help(format!("its fields are {}", quoted(known.iter().copied()))),
    }
}

/// Conditions of a graph of which no types are given.
pub(crate) fn no_names() -> Diagnostic {
    let headline = "no type is given, so there is nothing that `where` could hold of";
    Diagnostic::new(code::NOT_IN_QUERY, headline)
}

fn quoted<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    format!("`{}`", names.join("`, `"))
}

/// A program has no global of this name.
pub(crate) fn no_global<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let d = Diagnostic::new(
        kanshape_relay::code::SCOPE,
        format!("the program has no global `@{name}`"),
    );
    match suggest(name, known) {
        Some(near) => d.with_help(format!("did you mean `@{near}`?")),
        None => d,
    }
}

pub(crate) fn wrong_kind(field: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(WRONG_KIND, format!("`{field}` must be {wanted}"))
}

pub(crate) fn line_too_long(most: usize) -> Diagnostic {
    let headline = format!("the line is longer than {most} bytes");
    Diagnostic::new(LINE_TOO_LONG, headline)
}

/// A byte that is no part of a text.
pub fn not_utf8(at: usize) -> Diagnostic {
    Diagnostic::new(NOT_UTF8, format!("byte {at} of the line is not UTF-8"))
        .with_label(at..at + 1, "")
}

pub(crate) fn no_question() -> Diagnostic {
    Diagnostic::new(
        NO_QUESTION,
        "the query has no `signature`, no `op` and no `graph`",
    )
    .with_help("a question about two types has `types`, `a` and `b`")
}

pub(crate) fn no_types(known: &[&'static str]) -> Diagnostic {
    Diagnostic::new(NO_QUESTION, "the line has no question about `a` and `b`").with_help(format!(
        "`types` is one of {}",
        quoted(known.iter().copied())
    ))
}

pub(crate) fn unknown_types(name: &str, known: &[&'static str]) -> Diagnostic {
    let d = Diagnostic::new(
        UNKNOWN_TYPES,
        format!("there is no question `{name}` about types"),
    );
    match suggest(name, known.iter().copied()) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help(format!("they are {}", quoted(known.iter().copied()))),
    }
}

pub(crate) fn no_type(name: &str, is_null: bool) -> Diagnostic {
    let headline = if is_null {
        format!("`{name}` is null, and no type")
    } else {
        format!("there is no `{name}`: a question about types is about two")
    };
    Diagnostic::new(NO_TYPE, headline).with_help("write `?` for a type of which nothing is known")
}

pub(crate) fn field_twice(name: &str) -> Diagnostic {
    Diagnostic::new(FIELD_TWICE, format!("the field `{name}` is given twice"))
}

/// Attributes and versions are of operators.
pub(crate) fn only_of_operators(option: &str) -> Diagnostic {
    let headline = format!("`{option}` is of an operator, and this is a signature");
    Diagnostic::new(ONLY_ONE_HAS, headline).with_help("a signature has parameters: `--param s=2`")
}

/// An operator has attributes.
pub(crate) fn no_params(operator: &str, name: &str) -> Diagnostic {
    let headline = format!("`{operator}` is an operator, and has attributes, but no parameters");
    Diagnostic::new(ONLY_ONE_HAS, headline).with_help(format!(
        "if `{name}` is an attribute, write `--attr {name}=VALUE`"
    ))
}

/// Where a signature has to be.
pub(crate) fn no_signature(operator: &str) -> Diagnostic {
    let headline = format!("`{operator}` is an operator, and no signature");
    Diagnostic::new(ONLY_ONE_HAS, headline)
        .with_help(format!("`kanshape catalog {operator}` shows its rule"))
}

pub(crate) fn bad_value(place: &str, why: &str) -> Diagnostic {
    Diagnostic::new(BAD_VALUE, format!("`{place}` {why}"))
}

pub(crate) fn operand_count(what: &str, wanted: usize, given: usize) -> Diagnostic {
    let plural = if wanted == 1 { "" } else { "s" };
    let headline = format!("the signature has {wanted} {what}{plural}, the query gives {given}");
    Diagnostic::new(code::OPERAND_COUNT, headline).with_help(format!(
        "write null for an {what} of which nothing is known"
    ))
}

/// An operator has fewer bodies.
pub(crate) fn too_many_regions(operator: &str, given: usize) -> Diagnostic {
    let headline = format!("`{operator}` has no place for {given} bodies");
    Diagnostic::new(BAD_VALUE, headline).with_help(
        "each of `regions` is an attribute that is a type and that `attrs` does not give",
    )
}

/// A fault of kanshape itself.
pub fn internal() -> Diagnostic {
    Diagnostic::new(
        INTERNAL,
        "kanshape failed on this query: please report the line",
    )
}

/// A line can be about the models that were given, and no others.
pub(crate) fn no_model<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let d = Diagnostic::new(NO_MODEL, format!("no model `{name}` was given"));
    match (suggest(name, known.iter().copied()), &known[..]) {
        (Some(near), _) => d.with_help(format!("did you mean `{near}`?")),
        (None, []) => d.with_help("models are given as `kanshape batch --model FILE`"),
        (None, known) => d.with_help(format!("given are {}", quoted(known.iter().copied()))),
    }
}
