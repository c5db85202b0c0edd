//! A line out.

use std::io::{self, Write};

use kanshape::{Answers, Diagnostic, Places, Query, Verdict};
use kanshape_onnx::Report;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Wrong;
use super::field::{Field, Kind};
use super::line::Line;
use crate::answer_json::AnswerJson;
use crate::check;
use crate::exit::{Exit, Failure};
use crate::infer::exit;
use crate::question::Question;
use crate::types::json::FoundJson;
use crate::types::question::Found;
use crate::why_json::WhyJson;

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

/// What stands before the error where a question could not be read.
pub(crate) const NO_ANSWER: &str = r#""verdict":"unknown","answers":[],"complete":false,"#;
/// The same of a graph.
const NO_VERDICT: &str = r#""verdict":"unknown","#;
/// The same of a question about types.
pub(crate) const NO_RESULT: &str = r#""result":null,"#;

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

/// Writes the same without an `id`.
pub(crate) fn write_only_solved(
    out: &mut impl Write,
    question: &Question,
) -> Result<Exit, Failure> {
    let answers = question.query()?.solve()?;
    out.write_all(b"{")?;
    let places = question.places();
    Ok(write_answers(out, answers, places.as_ref(), question.all)?)
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

/// Writes a line with what was found of two types.
pub(super) fn write_found(
    out: &mut Vec<u8>,
    id: Option<&RawValue>,
    found: &Found,
) -> io::Result<()> {
    write_id(out, id)?;
    write_result(out, found)
}

/// Writes the same without an `id`.
pub(crate) fn write_only_found(out: &mut impl Write, found: &Found) -> io::Result<()> {
    out.write_all(b"{")?;
    write_result(out, found)
}

fn write_result(out: &mut impl Write, found: &Found) -> io::Result<()> {
    out.write_all(br#""result":"#)?;
    serde_json::to_writer(&mut *out, &FoundJson(found))?;
    out.write_all(b"}")
}

fn write_answers(
    out: &mut impl Write,
    mut answers: Answers,
    places: Option<&Places>,
    all: bool,
) -> io::Result<Exit> {
    let verdict = answers.verdict();
    write!(out, r#""verdict":"{verdict}","answers":["#)?;
    let mut comma = "";
    for answer in &mut answers {
        out.write_all(comma.as_bytes())?;
        serde_json::to_writer(&mut *out, &AnswerJson::new(&answer, places))?;
        comma = ",";
    }
    let complete = answers.complete();
    write!(out, r#"],"complete":{complete},"error":null"#)?;
    if verdict == Verdict::Never {
        write_why(out, answers.query(), all)?;
    }
    out.write_all(b"}")?;
    Ok(exit(&answers, verdict))
}

/// Writes why there is no answer; if all reasons are asked for, the others as well.
fn write_why(out: &mut impl Write, query: &Query, all: bool) -> io::Result<()> {
    let mut conflicts = match all {
        true => query.explain_all(),
        false => query.explain().into_iter().collect(),
    }
    .into_iter();
    if let Some(first) = conflicts.next() {
        out.write_all(br#","why":"#)?;
        serde_json::to_writer(&mut *out, &WhyJson(&first))?;
    }
    if all {
        let others: Vec<_> = conflicts.collect();
        let others: Vec<WhyJson<'_>> = others.iter().map(WhyJson).collect();
        out.write_all(br#","also":"#)?;
        serde_json::to_writer(&mut *out, &others)?;
    }
    Ok(())
}

/// Writes a line whose question could not be read, or makes none.
pub(super) fn write_error(out: &mut Vec<u8>, line: &Line<'_>, wrong: &Wrong) -> io::Result<()> {
    write_id(out, line.written(Field::Id))?;
    match line.kind() {
        Kind::Query | Kind::Call => out.write_all(NO_ANSWER.as_bytes())?,
        Kind::Graph => out.write_all(NO_VERDICT.as_bytes())?,
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
