//! `kanshape batch`: a query a line in, an answer a line out, in order and in bounded memory, on all cores.
//!
//! `lines` cuts the input, `in_order` hands its lines to the cores and puts their answers into order again. The question of a
//! line and its answer are in `kanshape-batch`. Whatever is wrong with a line is said in its own line out; the next one is
//! answered.

mod in_order;
mod lines;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use kanshape_batch::Batch;
use kanshape_batch::effort::Effort;

use crate::args::BatchArgs;
use crate::exit::{Exit, Failure};
use crate::load::load;
use crate::screen::Screen;
use crate::{mistake, read};
use lines::{Cut, Lines};

pub(crate) fn run(args: &BatchArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let mut batch = Batch::new(load(&args.load, screen)?, *effort, args.types);
    for path in &args.model {
        let name = path.display().to_string();
        let bytes = read::bytes(path).map_err(|e| mistake::unreadable(&name, e))?;
        batch.set_model(&name, bytes);
    }
    let mut inputs: Vec<LineSource<'_>> = Vec::new();
    for path in &args.files {
        if path == Path::new("-") {
            inputs.push(LineSource::Stdin);
            continue;
        }
        inputs.push(LineSource::File(path));
    }
    if inputs.is_empty() {
        inputs.push(LineSource::Stdin);
    }
    in_order::run(
        |give| inputs.iter().try_for_each(|input| read(input, give)),
        || batch.subjects(),
        |subjects, one: &Numbered| {
            let mut reply = match &one.line {
                Ok(line) => batch.answer(line, one.number, subjects),
                Err(most) => batch.too_long(*most, one.number),
            };
            reply.push(b'\n');
            reply
        },
    )?;
    Ok(Exit::Solved)
}

/// What lines come from.
enum LineSource<'a> {
    Stdin,
    File(&'a Path),
}

/// A line in, with its number in its input.
struct Numbered {
    number: usize,
    line: Result<Vec<u8>, usize>,
}

impl in_order::Weight for Numbered {
    fn bytes(&self) -> usize {
        self.line.as_ref().map_or(0, Vec::len)
    }
}

/// Gives the lines of an input, one by one, for as long as they are taken.
fn read(input: &LineSource<'_>, give: &mut dyn FnMut(Numbered) -> bool) -> Result<(), Failure> {
    match input {
        LineSource::Stdin => Ok(lines(io::stdin().lock(), give)?),
        LineSource::File(path) => {
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

fn lines(input: impl Read, give: &mut dyn FnMut(Numbered) -> bool) -> io::Result<()> {
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, input));
    let mut number = 0;
    while let Some(cut) = lines.next()? {
        number += 1;
        let line = match cut {
            Cut::Blank => continue,
            Cut::TooLong(most) => Err(most),
            Cut::Line(bytes) => Ok(bytes.to_vec()),
        };
        if !give(Numbered { number, line }) {
            break;
        }
    }
    Ok(())
}
