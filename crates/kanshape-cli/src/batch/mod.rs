//! `kanshape batch`: a query a line in, an answer a line out, in order and in bounded memory, on all cores.
//!
//! `lines` cuts the input, `in_order` hands its lines to the cores and puts their answers into order again, and `line` takes a line apart into the fields that `field` lists. What it
//! asks is read by `query`, about a graph by `graph`, about a rule by `rule`, for operators by `find`, and about two types by `pair`, with the values that `value` knows, and `attr` those of attributes;
//! `reply` writes the line out. Whatever is wrong with a line is said in its own line out; the next
//! one is answered.

mod attr;
mod find;
mod graph;
mod in_order;
mod line;
mod lines;
mod pair;
mod query;
pub(crate) mod reply;
mod rule;
mod subjects;
mod value;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use kanshape::Diagnostic;
use kanshape_onnx::Model;

use crate::args::{BatchArgs, TypesAs};
use crate::effort::Effort;
use crate::exit::{Exit, Failure};
use crate::field::{Field, Kind};
use crate::loaded::Loaded;
use crate::mistake;
use crate::screen::Screen;
use line::Line;
use lines::{Cut, Lines};
use reply::{At, Head};
use subjects::Subjects;

/// The answers a line gets unless it asks for more. Ground ones are not limited.
const LIMIT: usize = 1000;

pub(crate) fn run(args: &BatchArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let batch = Batch {
        loaded: Loaded::new(&args.load, screen)?,
        effort: *effort,
        types: args.types,
    };
    let mut inputs: Vec<Input<'_>> = Vec::new();
    for path in &args.files {
        if path == Path::new("-") {
            inputs.push(Input::Stdin);
            continue;
        }
        inputs.push(Input::File(path));
    }
    if inputs.is_empty() {
        inputs.push(Input::Stdin);
    }
    in_order::run(
        |give| inputs.iter().try_for_each(|input| read(input, give)),
        || Subjects::new(&batch.loaded),
        |subjects, asked: &Asked| batch.line(asked, subjects),
    )?;
    Ok(Exit::Solved)
}

/// What lines come from.
enum Input<'a> {
    Stdin,
    File(&'a Path),
}

/// A line in, with its number in its input.
struct Asked {
    number: usize,
    line: Result<Vec<u8>, usize>,
}

impl in_order::Weight for Asked {
    fn bytes(&self) -> usize {
        self.line.as_ref().map_or(0, Vec::len)
    }
}

/// Gives the lines of an input, one by one, for as long as they are taken.
fn read(input: &Input<'_>, give: &mut dyn FnMut(Asked) -> bool) -> Result<(), Failure> {
    match input {
        Input::Stdin => Ok(lines(io::stdin().lock(), give)?),
        Input::File(path) => {
            let unreadable = |e: io::Error| mistake::unreadable(&path.display().to_string(), e);
            let file = File::open(path).map_err(unreadable)?;
            // That a directory is none shows only when it is read.
            if file.metadata().is_ok_and(|m| m.is_dir()) {
                return Err(unreadable(io::ErrorKind::IsADirectory.into()).into());
            }
            Ok(lines(file, give)?)
        }
    }
}

fn lines(input: impl Read, give: &mut dyn FnMut(Asked) -> bool) -> io::Result<()> {
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, input));
    let mut number = 0;
    while let Some(cut) = lines.next()? {
        number += 1;
        let line = match cut {
            Cut::Blank => continue,
            Cut::TooLong(most) => Err(most),
            Cut::Line(bytes) => Ok(bytes.to_vec()),
        };
        if !give(Asked { number, line }) {
            break;
        }
    }
    Ok(())
}

/// What all lines share.
struct Batch {
    loaded: Loaded,
    effort: Effort,
    types: TypesAs,
}

impl Batch {
    /// The line out for a line in.
    fn line(&self, asked: &Asked, subjects: &mut Subjects<'_>) -> Vec<u8> {
        let mut reply = Vec::new();
        let written = match &asked.line {
            Ok(bytes) => self.answer(bytes, asked.number, subjects, &mut reply),
            Err(most) => {
                let wrong = Wrong::from(mistake::line_too_long(*most));
                reply::write_error(&mut reply, asked.number, &Line::default(), &wrong)
            }
        };
        debug_assert!(written.is_ok(), "memory can be written to");
        reply.push(b'\n');
        reply
    }

    fn answer(
        &self,
        bytes: &[u8],
        number: usize,
        subjects: &mut Subjects<'_>,
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
            Err(_) => Wrong::from(mistake::internal()),
        };
        reply.clear();
        reply::write_error(reply, number, &line, &wrong)
    }

    /// Answers what a line asks.
    fn solve(
        &self,
        line: &Line<'_>,
        number: usize,
        subjects: &mut Subjects<'_>,
        reply: &mut Vec<u8>,
    ) -> Result<io::Result<()>, Wrong> {
        let head = Head {
            id: line.written(Field::Id),
            line: number,
        };
        let effort = query::effort(line, self.effort)?;
        let types = self.types;
        // What is written is a part of the question: its texts can be long.
        let control = effort.control();
        let steps = effort.steps().saturating_mul(PARTS);
        control.run(steps, || {
            Ok(match line.kind() {
                Kind::Query | Kind::Call => {
                    let mut question = query::question(line, subjects)?;
                    // Its time is that of the line.
                    question.effort = Effort {
                        budget: Some(effort.steps()),
                        timeout: None,
                    };
                    let answers = question.query()?.solve()?;
                    let places = question.places();
                    reply::write_solved(reply, head, answers, places.as_ref(), types)
                }
                Kind::Graph => {
                    let graph::Problem { model, options } = graph::problem(line, subjects)?;
                    let model = Model::read(&model)?;
                    let report = kanshape_onnx::check(&model, &options);
                    reply::write_report(reply, head, &report, types)
                }
                Kind::Rule => {
                    let soundness = rule::rule(line, subjects)?.checked();
                    let soundness = soundness.map_err(|d| Wrong::new(d, "rule"))?;
                    reply::write_soundness(reply, head, &soundness)
                }
                Kind::Find => {
                    let finding = find::find(line, subjects)?.run();
                    reply::write_finding(reply, head, &finding)
                }
                Kind::Types => {
                    let found = pair::question(line)?.found()?;
                    reply::write_found(reply, head, &found, types)
                }
            })
        })
    }
}

/// So many times its steps a line has for all that it asks: the answers, their verdict, and why there are none.
const PARTS: u64 = 2;

/// What is wrong with a line, and where.
struct Wrong {
    what: Box<Diagnostic>,
    at: Option<At>,
}

impl Wrong {
    /// A text in this field is wrong.
    fn new(what: Diagnostic, field: impl Into<String>) -> Wrong {
        let at = At::of(&what, field.into());
        Wrong {
            what: Box::new(what),
            at: Some(at),
        }
    }
}

impl From<Diagnostic> for Wrong {
    fn from(what: Diagnostic) -> Wrong {
        Wrong {
            what: Box::new(what),
            at: None,
        }
    }
}
