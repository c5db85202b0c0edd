//! A mistake in a text, where JSON is requested.

use std::io::{self, Write};

use kanshape::Diagnostic;

use crate::args::{Command, RuleCommand, TypesCommand};
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use kanshape_batch::reply::{NO_ANSWER, NO_RESULT};

/// Prints what is wrong as the field `error` of the object that the command prints; none if it prints no JSON, or if
/// nothing can be printed any more.
pub(crate) fn write(command: &Command, failure: &Failure, screen: &Screen) -> Option<Exit> {
    let Failure::Text(diagnostic) = failure else {
        return None;
    };
    write_object(before(command)?, diagnostic, screen).ok()?;
    Some(Exit::Wrong)
}

fn write_object(before: &str, diagnostic: &Diagnostic, screen: &Screen) -> io::Result<()> {
    let mut out = screen.out();
    write!(out, "{{{before}\"error\":")?;
    serde_json::to_writer(&mut out, diagnostic)?;
    writeln!(out, "}}")?;
    out.flush()
}

/// What stands before the error; none where JSON is not requested.
fn before(command: &Command) -> Option<&'static str> {
    let (json, before) = match command {
        Command::Infer(args) => (args.json, NO_ANSWER),
        Command::Enum(args) => (args.query.json, NO_ANSWER),
        Command::Types(args) => {
            let (TypesCommand::Super(pair)
            | TypesCommand::SameClass(pair)
            | TypesCommand::Meet(pair)
            | TypesCommand::Join(pair)
            | TypesCommand::Filter(pair)) = &args.command;
            (pair.json, NO_RESULT)
        }
        Command::Check(args) => (args.models.json, ""),
        Command::Signature(args) => (args.json, ""),
        Command::Why(args) => (args.json, ""),
        Command::Diff(args) => (args.json, ""),
        Command::Rule(args) => match &args.command {
            RuleCommand::Check(args) => (args.json, ""),
            RuleCommand::Enum(args) => (args.json, ""),
        },
        Command::Rewrite(args) => (args.json, ""),
        Command::Simplify(args) => (args.json, ""),
        Command::Find(args) => (args.json, ""),
        Command::Program(args) => (args.json, ""),
        Command::Parse(args) => (args.json, ""),
        Command::Catalog(args) => (args.json, ""),
        Command::Explain(args) => (args.json, ""),
        Command::Batch(_)
        | Command::Report(_)
        | Command::Serve(_)
        | Command::Repl(_)
        | Command::Completions(_) => (false, ""),
    };
    json.then_some(before)
}
