//! `kanshape batch`: a query a line in, an answer a line out, in constant memory.
//!
//! `lines` cuts the input, and `line` takes a line apart into the fields that `field` lists. What it
//! asks is read by `query`, about a graph by `graph`, about a rule by `rule`, and about two types by `pair`, with the values that `value` knows, and `attr` those of attributes;
//! `reply` writes the line out. Whatever is wrong with a line is said in its own line out; the next
//! one is answered.

mod attr;
mod graph;
mod line;
mod lines;
mod pair;
mod query;
pub(crate) mod reply;
mod rule;
mod subjects;
mod value;

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use kanshape::Diagnostic;
use kanshape_onnx::Model;

use crate::args::BatchArgs;
use crate::exit::{Exit, Failure};
use crate::field::{Field, Kind};
use crate::loaded::Loaded;
use crate::mistake;
use crate::screen::Screen;
use line::Line;
use lines::{Cut, Lines};
use reply::At;
use subjects::Subjects;

/// The answers a line gets unless it asks for more. Ground ones are not limited.
const LIMIT: usize = 1000;

pub(crate) fn run(args: &BatchArgs, screen: &Screen) -> Result<Exit, Failure> {
    let mut batch = Batch {
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
        reply: Vec::new(),
        subjects: Subjects::new(Loaded::new(&args.load.files, screen)?),
        watched: io::stdout().is_terminal(),
    };
    if args.files.is_empty() {
        batch.answer_all(io::stdin().lock())?;
    }
    for path in &args.files {
        if path == Path::new("-") {
            batch.answer_all(io::stdin().lock())?;
            continue;
        }
        let unreadable = |e: io::Error| mistake::unreadable(&path.display().to_string(), e);
        let file = File::open(path).map_err(unreadable)?;
        // That a directory is none shows only when it is read.
        let is_dir = file.metadata().is_ok_and(|m| m.is_dir());
        if is_dir {
            return Err(unreadable(io::ErrorKind::IsADirectory.into()).into());
        }
        batch.answer_all(file)?;
    }
    batch.out.flush()?;
    Ok(Exit::Solved)
}

struct Batch<W: Write> {
    out: BufWriter<W>,
    /// The line that is being written.
    reply: Vec<u8>,
    subjects: Subjects,
    watched: bool,
}

impl<W: Write> Batch<W> {
    fn answer_all(&mut self, input: impl Read) -> io::Result<()> {
        let mut lines = Lines::new(BufReader::with_capacity(1 << 16, input));
        while let Some(cut) = lines.next()? {
            self.reply.clear();
            match cut {
                Cut::Blank => continue,
                Cut::TooLong(most) => {
                    let wrong = Wrong::from(mistake::line_too_long(most));
                    reply::write_error(&mut self.reply, &Line::default(), &wrong)?;
                }
                Cut::Line(bytes) => self.answer(bytes)?,
            }
            self.reply.push(b'\n');
            self.out.write_all(&self.reply)?;
            // Somebody who waits for this answer before he asks on is not kept waiting.
            if self.watched || lines.has_to_wait() {
                self.out.flush()?;
            }
        }
        self.out.flush()
    }

    fn answer(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut line = Line::default();
        let read = line.read(bytes);
        // A fault of ours on one line must not take the others with it.
        let (reply, subjects) = (&mut self.reply, &mut self.subjects);
        let solved = catch_unwind(AssertUnwindSafe(|| {
            read.and_then(|()| solve(&line, subjects, reply))
        }));
        let wrong = match solved {
            Ok(Ok(written)) => return written,
            Ok(Err(wrong)) => wrong,
            Err(_) => Wrong::from(mistake::internal()),
        };
        self.reply.clear();
        reply::write_error(&mut self.reply, &line, &wrong)
    }
}

/// Answers what a line asks.
fn solve(
    line: &Line<'_>,
    subjects: &mut Subjects,
    reply: &mut Vec<u8>,
) -> Result<io::Result<()>, Wrong> {
    let id = line.written(Field::Id);
    Ok(match line.kind() {
        Kind::Query | Kind::Call => {
            let question = query::question(line, subjects)?;
            let answers = question.query()?.solve()?;
            reply::write_solved(reply, id, answers, question.places().as_ref())
        }
        Kind::Graph => {
            let graph::Problem { model, options } = graph::problem(line, subjects)?;
            let model = Model::read(&model)?;
            reply::write_report(reply, id, &kanshape_onnx::check(&model, &options))
        }
        Kind::Rule => {
            let soundness = rule::rule(line, subjects)?.checked();
            reply::write_soundness(reply, id, &soundness.map_err(|d| Wrong::new(d, "rule"))?)
        }
        Kind::Types => reply::write_found(reply, id, &pair::question(line)?.answer()?),
    })
}

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
