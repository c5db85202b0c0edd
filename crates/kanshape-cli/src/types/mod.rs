//! `kanshape types`: what two types say of each other, in the order between types.
//!
//! The questions and their results are in `kanshape-batch`, as is their JSON; [`text`] prints them for a person.

mod text;

use std::io::{self, Write};

use crate::args::{TypesArgs, TypesCommand};
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use kanshape::order::Filtered;
use kanshape_batch::effort::Effort;
use kanshape_batch::types::json::TypesJson;
use kanshape_batch::types::question::{About, TypesAnswer, TypesQuestion};

pub(crate) fn run(args: &TypesArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let (about, pair) = match &args.command {
        TypesCommand::Super(pair) => (About::Super, pair),
        TypesCommand::SameClass(pair) => (About::SameClass, pair),
        TypesCommand::Meet(pair) => (About::Meet, pair),
        TypesCommand::Join(pair) => (About::Join, pair),
        TypesCommand::Filter(pair) => (About::Filter, pair),
    };
    let found = TypesQuestion::from_texts(about, &pair.a, &pair.b)?.answer(effort)?;
    if pair.json {
        let mut out = screen.out();
        let answer = TypesJson::of(&found, pair.types);
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
    } else {
        text::print(&found, screen)?;
    }
    Ok(exit(&found))
}

/// How a command ends that found this.
fn exit(found: &TypesAnswer) -> Exit {
    match found {
        TypesAnswer::Test(verdict) => (*verdict).into(),
        TypesAnswer::Meet {
            complete: false, ..
        } => Exit::Unknown,
        TypesAnswer::Conflict(_) | TypesAnswer::Filter(Filtered::Never(_)) => Exit::Never,
        TypesAnswer::Meet { .. } | TypesAnswer::Join(_) | TypesAnswer::Filter(_) => Exit::Solved,
    }
}
