//! A line of JSON in, a line of JSON out.
//!
//! [`fields`] splits a line into the fields that [`Field`] lists. Its question is read by `query`, about a graph by
//! `graph`, about a model by `model`, about a rule by `rule`, about two types by `pair`, and about a text by `parse`, with the values that `value`
//! knows, and `attr` those of attributes; `reply` writes the line out.

mod attr;
mod catalog;
mod fields;
mod find;
mod graph;
mod holes;
mod model;
mod pair;
mod parse;
mod program;
mod query;
mod reply;
mod rule;
mod stablehlo;
mod subjects;
mod torch;
mod type_data;
mod value;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kanshape::Diagnostic;
use kanshape_onnx::{Exported, Model};

use crate::effort::Effort;
use crate::field::{Field, LineKind};
use crate::find_json;
use crate::loaded::Loaded;
use crate::mistake;
use crate::model::json::GraphJson;
use crate::type_json::TypesAs;
use crate::types::json::TypesJson;
use fields::Line;
use reply::{At, ReplyHead};
pub use subjects::Subjects;
use value::yes;

/// The most answers of a line without a `limit`. Ground ones are not limited.
const LIMIT: usize = 1000;

/// What all lines share.
#[derive(Debug)]
pub struct Batch {
    loaded: Arc<Loaded>,
    effort: Effort,
    types: TypesAs,
    models: Vec<(String, Result<Exported, Diagnostic>)>,
}

impl Batch {
    /// Lines about these operators, each with this effort unless it says otherwise.
    pub fn new(loaded: Loaded, effort: Effort, types: TypesAs) -> Batch {
        Batch {
            loaded: Arc::new(loaded),
            effort,
            types,
            models: Vec::new(),
        }
    }

    /// Gives a model that lines can be about, in place of another one of that name: one of ONNX, the archive of a program that torch
    /// has exported, or a module of StableHLO.
    pub fn set_model(&mut self, name: &str, bytes: Vec<u8>) {
        self.remove_model(name);
        let read = crate::model::read(name, bytes, kanshape::catalog());
        self.models.push((name.to_owned(), read));
    }

    /// Forgets the model of this name.
    pub fn remove_model(&mut self, name: &str) {
        self.models.retain(|(own, _)| own != name);
    }

    fn model(&self, name: &str) -> Result<&Exported, Diagnostic> {
        let found = self.models.iter().find(|(own, _)| own == name);
        let (_, read) = found
            .ok_or_else(|| mistake::no_model(name, self.models.iter().map(|(name, _)| &**name)))?;
        read.as_ref().map_err(Diagnostic::clone)
    }

    /// What one thread that answers lines keeps between them.
    pub fn subjects(&self) -> Subjects {
        Subjects::new(Arc::clone(&self.loaded))
    }

    /// The line out for a line in, without its end. `number` is that of the line, from 1.
    pub fn answer(&self, line: &[u8], number: usize, subjects: &mut Subjects) -> Vec<u8> {
        let mut reply = Vec::new();
        let written = self.write(line, number, subjects, &mut reply);
        debug_assert!(written.is_ok(), "memory can be written to");
        reply
    }

    /// The line out for a line in that has more than this many bytes.
    pub fn too_long(&self, most: usize, number: usize) -> Vec<u8> {
        let mut reply = Vec::new();
        let wrong = LineError::from(mistake::line_too_long(most));
        let written = reply::write_error(&mut reply, number, &Line::default(), &wrong);
        debug_assert!(written.is_ok(), "memory can be written to");
        reply
    }

    /// The model that a line is about, with the types of all of its values written into it.
    ///
    /// # Errors
    /// With the line out if the line is wrong.
    pub fn typed(&self, line: &[u8], subjects: &mut Subjects) -> Result<Vec<u8>, Vec<u8>> {
        let mut fields = Line::default();
        let typed = fields.read(line).and_then(|()| {
            let question = model::question(&fields, subjects, self.effort)?;
            let program = self.model(&question.name);
            let program = program.map_err(|d| LineError::new(d, "model"))?;
            let model = Model::read(&program.model).map_err(|d| LineError::new(d, "model"))?;
            let report = kanshape_onnx::check(&model, &program.known(&question.options));
            Ok(kanshape_onnx::write(&model, &report))
        });
        typed.map_err(|wrong| {
            let mut reply = Vec::new();
            let written = reply::write_error(&mut reply, 1, &fields, &wrong);
            debug_assert!(written.is_ok(), "memory can be written to");
            reply
        })
    }

    fn write(
        &self,
        bytes: &[u8],
        number: usize,
        subjects: &mut Subjects,
        reply: &mut Vec<u8>,
    ) -> io::Result<()> {
        let mut line = Line::default();
        let read = line.read(bytes);
        // A fault of ours on one line must not take the others with it.
        let solved = catch_unwind(AssertUnwindSafe(|| {
            read.and_then(|()| self.solve(&line, number, subjects, reply))
        }));
        let wrong = match solved {
            Ok(Ok(written)) => return written,
            Ok(Err(wrong)) => wrong,
            Err(_) => LineError::from(mistake::internal()),
        };
        reply.clear();
        reply::write_error(reply, number, &line, &wrong)
    }

    /// Answers the question of a line.
    fn solve(
        &self,
        line: &Line<'_>,
        number: usize,
        subjects: &mut Subjects,
        reply: &mut Vec<u8>,
    ) -> Result<io::Result<()>, LineError> {
        let head = ReplyHead {
            id: line.written(Field::Id),
            line: number,
        };
        let kind = line.kind();
        if let LineKind::Model = kind {
            // A model takes as long as it needs, unless the user says otherwise.
            let question = model::question(line, subjects, self.effort)?;
            return model::answer(self, &question, reply, head);
        }
        let effort = query::effort(line, self.effort)?;
        let types = self.types;
        // What is written is a part of the question: its texts can be long.
        let control = effort.control();
        let mut steps = effort.steps().saturating_mul(PARTS);
        if matches!(kind, LineKind::Program | LineKind::Stablehlo)
            && line.value(Field::Budget).is_none()
        {
            steps = steps.saturating_mul(PROGRAM_PARTS);
        }
        control.run(steps, || {
            Ok(match kind {
                LineKind::Query | LineKind::Call => {
                    let mut question = query::question(line, subjects)?;
                    // Its time is that of the line.
                    question.effort = Effort {
                        budget: Some(effort.steps()),
                        timeout: None,
                    };
                    let answers = question.query()?.solve()?;
                    let places = question.places();
                    let types = question.notation.types(types);
                    reply::write_solved(reply, head, answers, places.as_ref(), types)
                }
                LineKind::Torch => {
                    let mut question = torch::question(line, subjects)?;
                    question.effort = Effort {
                        budget: Some(effort.steps()),
                        timeout: None,
                    };
                    torch::answer(&question, reply, head, types)?
                }
                LineKind::Graph => {
                    let graph::GraphQuestion { model, options } = graph::problem(line, subjects)?;
                    let model = Model::read(&model)?;
                    let mut report = kanshape_onnx::check(&model, &options);
                    holes::write_holes(&mut report, &options);
                    reply::write_object(reply, head, &GraphJson::of(&report, types))
                }
                LineKind::Find => {
                    let mut finding = find::find(line, subjects)?.run();
                    let with_costs = yes(line, Field::Cost)?;
                    if with_costs {
                        finding.sort_by_cost();
                    }
                    let answer = find_json::FindAnswer::of(&finding, with_costs);
                    reply::write_object(reply, head, &answer)
                }
                LineKind::Catalog => catalog::answer(line, subjects, reply, head)?,
                // It has been answered.
                LineKind::Model => Ok(()),
                LineKind::Rule => rule::answer(line, subjects, reply, head)?,
                LineKind::Program => program::types(line, subjects, reply, head)?,
                LineKind::Equations => program::equations(line, subjects, reply, head)?,
                LineKind::OfType => program::kind_of(line, reply, head)?,
                LineKind::Match => program::missing(line, reply, head)?,
                LineKind::Stablehlo => stablehlo::types(line, subjects, reply, head)?,
                LineKind::Parse => parse::answer(line, subjects, reply, head)?,
                LineKind::Types => {
                    let found = pair::question(line)?.found()?;
                    reply::write_object(reply, head, &TypesJson::of(&found, types))
                }
            })
        })
    }
}

/// A line has this multiple of its steps for all parts of its answer: the answers, their verdict, and why there are none.
const PARTS: u64 = 2;

/// A program is many questions.
const PROGRAM_PARTS: u64 = 100;

/// What is wrong with a line, and where.
struct LineError {
    what: Box<Diagnostic>,
    at: Option<At>,
}

impl LineError {
    /// A text in this field is wrong.
    fn new(what: Diagnostic, field: impl Into<String>) -> LineError {
        let at = At::of(&what, field.into());
        LineError {
            what: Box::new(what),
            at: Some(at),
        }
    }
}

impl From<Diagnostic> for LineError {
    fn from(what: Diagnostic) -> LineError {
        LineError {
            what: Box::new(what),
            at: None,
        }
    }
}
