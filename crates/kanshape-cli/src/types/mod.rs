//! `kanshape types`: what two types say of each other, in the order between types.
//!
//! [`question`] is what can be asked and what is found; [`text`] prints it for a person, [`json`]
//! for a program. A line of a batch that is about types takes the same way.

pub(crate) mod json;
pub(crate) mod question;
mod text;

use std::io::Write;

use crate::args::{TypesArgs, TypesCommand};
use crate::effort::Effort;
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use question::{About, TypesQuestion};

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
        json::write_only_found(&mut out, &found, pair.types)?;
        writeln!(out)?;
        out.flush()?;
    } else {
        text::print(&found, screen)?;
    }
    Ok(found.exit())
}
