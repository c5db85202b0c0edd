//! A line out.

use std::io::{self, Write};

use kanshape::{Answers, Diagnostic, Places};
use kanshape_onnx::Report;
use kanshape_rewrite::Soundness;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Wrong;
use super::line::Line;
use crate::check;
use crate::field::{Field, Kind};
use crate::reply::{NO_ANSWER, NO_RESULT, write_answers};
use crate::rule::json as rule_json;
use crate::types::json::write_result;
use crate::types::question::Found;

/// The place of a mistake: a field of the line in, and bytes in its text.
#[derive(Serialize)]
pub(crate) struct At {
    /// `signature`, `inputs[1]`, `params.s`; `line` for the line as a whole.
    field: String,
    /// The first byte; null if it is the field as a whole.
    start: Option<usize>,
    /// One past the last.
    end: Option<usize>,
}

impl At {
    /// The main place of a diagnostic, in this field.
    pub(super) fn of(diagnostic: &Diagnostic, field: String) -> At {
        let label = diagnostic.labels.first();
        At {
            field,
            start: label.map(|l| l.start),
            end: label.map(|l| l.end),
        }
    }
}

/// The same of a graph.
const NO_VERDICT: &str = r#""verdict":"unknown","#;
/// The same of a rule.
const NO_SOUNDNESS: &str = concat!(
    r#""verdict":"unknown","counterexample":null,"needs":null,"complete_up_to":null,"audit":null,"lost":null,"#,
    r#""refines":{"forward":null,"backward":null},"why":null,"#,
);

#[derive(Serialize)]
struct ErrorJson<'e> {
    code: &'e str,
    message: &'e str,
    at: Option<&'e At>,
}

/// Writes a line with its answers, each as soon as it is found.
pub(super) fn write_solved(
    out: &mut Vec<u8>,
    id: Option<&RawValue>,
    answers: Answers,
    places: Option<&Places>,
) -> io::Result<()> {
    write_id(out, id)?;
    write_answers(out, answers, places, false).map(drop)
}

/// Writes a line with what was found of a graph.
pub(super) fn write_report(
    out: &mut Vec<u8>,
    id: Option<&RawValue>,
    report: &Report<'_>,
) -> io::Result<()> {
    serde_json::to_writer(out, &check::json::Answer { id, report })?;
    Ok(())
}

/// Writes a line with what was found of a rewrite rule.
pub(super) fn write_soundness(
    out: &mut Vec<u8>,
    id: Option<&RawValue>,
    soundness: &Soundness,
) -> io::Result<()> {
    write_id(out, id)?;
    let text = serde_json::to_vec(&rule_json::Answer::of(soundness))?;
    // The object goes on behind the identity of the line.
    out.extend_from_slice(text.get(1..).unwrap_or_default());
    Ok(())
}

/// Writes a line with what was found of two types.
pub(super) fn write_found(
    out: &mut Vec<u8>,
    id: Option<&RawValue>,
    found: &Found,
) -> io::Result<()> {
    write_id(out, id)?;
    write_result(out, found)
}

/// Writes a line whose question could not be read, or makes none.
pub(super) fn write_error(out: &mut Vec<u8>, line: &Line<'_>, wrong: &Wrong) -> io::Result<()> {
    write_id(out, line.written(Field::Id))?;
    match line.kind() {
        Kind::Query | Kind::Call => out.write_all(NO_ANSWER.as_bytes())?,
        Kind::Graph => out.write_all(NO_VERDICT.as_bytes())?,
        Kind::Rule => out.write_all(NO_SOUNDNESS.as_bytes())?,
        Kind::Types => out.write_all(NO_RESULT.as_bytes())?,
    }
    let mut message = wrong.what.headline.clone();
    for help in &wrong.what.help {
        message.push_str("; ");
        message.push_str(help);
    }
    let error = ErrorJson {
        code: wrong.what.code,
        message: &message,
        at: wrong.at.as_ref(),
    };
    out.write_all(br#""error":"#)?;
    serde_json::to_writer(&mut *out, &error)?;
    out.write_all(b"}")
}

fn write_id(out: &mut Vec<u8>, id: Option<&RawValue>) -> io::Result<()> {
    write!(out, r#"{{"id":{},"#, id.map_or("null", RawValue::get))
}
