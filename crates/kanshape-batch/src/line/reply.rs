//! A line out.

use std::io::{self, Write};

use kanshape::{Answers, Diagnostic, operator::Places};
use serde::Serialize;
use serde_json::value::RawValue;

use super::LineError;
use super::fields::Line;
use crate::field::{Field, LineKind};
use crate::reply::{NO_ANSWER, NO_RESULT, write_answers};
use crate::type_json::TypesAs;

/// The place of a mistake: a field of the line in, and bytes in its text.
#[derive(Serialize)]
pub(super) struct At {
    /// `signature`, `inputs[1]`, `params.s`; `line` for the line as a whole.
    field: String,
    /// The first byte; null if it is the field as a whole.
    start: Option<usize>,
    /// One past the last.
    end: Option<usize>,
}

impl At {
    /// A field as a whole.
    pub(super) fn whole(field: &str) -> At {
        At {
            field: field.into(),
            start: None,
            end: None,
        }
    }

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

/// The same of a call of torch.
const NO_OUTPUTS: &str = r#""verdict":"unknown","outputs":null,"where":[],"#;
/// The same of a graph.
const NO_VERDICT: &str = r#""verdict":"unknown","#;
/// The same of a rule.
const NO_SOUNDNESS: &str = concat!(
    r#""verdict":"unknown","counterexample":null,"needs":null,"complete_up_to":null,"audit":null,"lost":null,"#,
    r#""refines":{"forward":null,"backward":null},"why":null,"#,
);

/// The same of a search for operators.
const NO_FINDING: &str = r#""found":[],"cut_off":[],"#;

#[derive(Serialize)]
struct ErrorJson<'e> {
    code: &'e str,
    message: &'e str,
    at: Option<&'e At>,
}

/// Writes a line with its answers, each as soon as it is found.
pub(super) fn write_solved(
    out: &mut Vec<u8>,
    head: ReplyHead<'_>,
    answers: Answers,
    places: Option<&Places>,
    types: TypesAs,
) -> io::Result<()> {
    head.write(out)?;
    write_answers(out, answers, places, types, false).map(drop)
}

/// Writes a line with the members of an object.
pub(super) fn write_object(
    out: &mut Vec<u8>,
    head: ReplyHead<'_>,
    object: &impl Serialize,
) -> io::Result<()> {
    head.write(out)?;
    let text = serde_json::to_vec(object)?;
    // The object goes on behind the identity of the line.
    out.extend_from_slice(text.get(1..).unwrap_or_default());
    Ok(())
}

/// Writes a line whose question could not be read, or makes none.
pub(super) fn write_error(
    out: &mut Vec<u8>,
    number: usize,
    line: &Line<'_>,
    wrong: &LineError,
) -> io::Result<()> {
    let id = line.written(Field::Id);
    ReplyHead { id, line: number }.write(out)?;
    match line.kind() {
        LineKind::Query | LineKind::Call => out.write_all(NO_ANSWER.as_bytes())?,
        LineKind::Graph | LineKind::Model => out.write_all(NO_VERDICT.as_bytes())?,
        LineKind::Catalog | LineKind::Parse => {}
        LineKind::Torch => out.write_all(NO_OUTPUTS.as_bytes())?,
        LineKind::Rule => out.write_all(NO_SOUNDNESS.as_bytes())?,
        LineKind::Find => out.write_all(NO_FINDING.as_bytes())?,
        LineKind::Types => out.write_all(NO_RESULT.as_bytes())?,
        LineKind::Program | LineKind::Equations | LineKind::Stablehlo => {
            out.write_all(NO_VERDICT.as_bytes())?
        }
        LineKind::OfType => out.write_all(br#""kind":null,"#)?,
        LineKind::Match => out.write_all(br#""missing":null,"#)?,
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

/// What every line out begins with.
#[derive(Clone, Copy)]
pub(super) struct ReplyHead<'l> {
    pub(super) id: Option<&'l RawValue>,
    /// The number of the line in.
    pub(super) line: usize,
}

impl ReplyHead<'_> {
    pub(super) fn write(self, out: &mut Vec<u8>) -> io::Result<()> {
        let id = self.id.map_or("null", RawValue::get);
        write!(out, r#"{{"id":{id},"line":{},"#, self.line)
    }
}
