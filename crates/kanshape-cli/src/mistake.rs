//! The mistakes in a command or a batch line, one function each. Those in signatures and types are
//! found, and worded, by the crates that read them.

use std::fmt::Display;

use kanshape::{Diagnostic, suggest};

macro_rules! codes {
    ($($name:ident $code:literal $meaning:literal)*) => {
        $(#[doc = $meaning] pub(crate) const $name: &str = $code;)*

        /// Every code with its meaning, in order.
        pub(crate) const ALL: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    NOT_JSON "K0501" "a line that is no JSON object"
    UNKNOWN_FIELD "K0502" "a field that a query line does not have"
    WRONG_KIND "K0503" "a field whose value is of the wrong kind"
    LINE_TOO_LONG "K0504" "a line longer than the longest allowed"
    NOT_UTF8 "K0505" "a line that is not UTF-8"
    NO_SIGNATURE "K0506" "a query line without a signature"
    FIELD_TWICE "K0507" "a field given twice"
    BAD_PARAM "K0508" "a parameter without a value"
    NOT_IN_CATALOG "K0509" "a name that the catalog does not have"
    UNREADABLE "K0510" "a file that cannot be read"
    UNKNOWN_CODE "K0511" "a code that no diagnostic has"
    INTERNAL "K0599" "a fault of kanshape itself"
}

pub(crate) fn not_json(why: impl Display, at: usize) -> Diagnostic {
    Diagnostic::new(NOT_JSON, format!("this is no JSON object: {why}")).with_label(at..at + 1, "")
}

pub(crate) fn unknown_field(name: &str, known: &[&'static str]) -> Diagnostic {
    let d = Diagnostic::new(UNKNOWN_FIELD, format!("a query has no field `{name}`"));
    match suggest(name, known.iter().copied()) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help(format!("its fields are `{}`", known.join("`, `"))),
    }
}

pub(crate) fn wrong_kind(field: &str, wanted: &str) -> Diagnostic {
    Diagnostic::new(WRONG_KIND, format!("`{field}` must be {wanted}"))
}

pub(crate) fn line_too_long(most: usize) -> Diagnostic {
    let headline = format!("the line is longer than {most} bytes");
    Diagnostic::new(LINE_TOO_LONG, headline)
}

pub(crate) fn not_utf8(at: usize) -> Diagnostic {
    Diagnostic::new(NOT_UTF8, format!("byte {at} of the line is not UTF-8"))
        .with_label(at..at + 1, "")
}

pub(crate) fn no_signature() -> Diagnostic {
    Diagnostic::new(NO_SIGNATURE, "the query has no `signature`")
}

pub(crate) fn field_twice(name: &str) -> Diagnostic {
    Diagnostic::new(FIELD_TWICE, format!("the field `{name}` is given twice"))
}

pub(crate) fn bad_param(text: &str, sign: char) -> Diagnostic {
    let space = if sign == ':' { " " } else { "" };
    Diagnostic::new(
        BAD_PARAM,
        format!("a parameter is given as `NAME{sign}{space}VALUE`"),
    )
    .with_label(0..text.len(), "no value")
    .with_source("param", text)
    .with_help(format!("to ask for it, write `{text}{sign}{space}?`"))
}

pub(crate) fn not_in_catalog(name: &str, near: Option<&str>) -> Diagnostic {
    let d = Diagnostic::new(
        NOT_IN_CATALOG,
        format!("the catalog has no operator `{name}`"),
    );
    match near {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help("`kanshape catalog` lists them; a signature has an arrow, `(n)->()`"),
    }
}

pub(crate) fn unreadable(file: &str, why: impl Display) -> Diagnostic {
    Diagnostic::new(UNREADABLE, format!("`{file}` cannot be read: {why}"))
}

pub(crate) fn unknown_code(code: &str) -> Diagnostic {
    Diagnostic::new(UNKNOWN_CODE, format!("no diagnostic has the code `{code}`"))
        .with_help("`kanshape explain` lists all codes")
}

pub(crate) fn operand_count(what: &str, wanted: usize, given: usize) -> Diagnostic {
    let plural = if wanted == 1 { "" } else { "s" };
    let headline = format!("the signature has {wanted} {what}{plural}, the query gives {given}");
    Diagnostic::new("K0310", headline).with_help(format!(
        "write null for an {what} of which nothing is known"
    ))
}

pub(crate) fn internal() -> Diagnostic {
    Diagnostic::new(
        INTERNAL,
        "kanshape failed on this query: please report the line",
    )
}
