//! `kanshape`: the command line, as a function (`run`), for the program and for the package of Python, and the page that it shows
//! ([`Server`]).
//!
//! Arguments, files, colours and exit codes live here. How anything is solved does not: every
//! command turns texts into a question for the `kanshape` crate and prints what comes back.
//!
//! Start at `args` for what can be said, at `load` for the files of `--load`, and at `question` for how arguments become
//! a query. Then
//! one module a command: `infer`, `enumerate`, `batch`, `check`, `why`, `diff`, `types`, `rule`, `rewrite`, `simplify`, `find`, `program`, `report`, `serve`, `parse`, `catalog`,
//! `repl`, `explain` and `completions`. What of an answer is printed, and its JSON, is in `kanshape-batch`,
//! how in `screen`. What is requested as JSON is answered so even if a text is wrong: `error_json`.

mod args;
mod batch;
mod catalog;
mod check;
mod completions;
mod deferred;
mod diff;
mod enumerate;
mod error_json;
mod exit;
mod explain;
mod find;
mod help;
mod infer;
mod load;
mod mistake;
mod names;
mod parse;
mod program;
mod query_text;
mod question;
mod read;
mod repl;
mod report;
mod rewrite;
mod rule;
mod screen;
mod serve;
mod simplify;
mod site;
mod types;
mod why;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use exit::{Exit, Failure};
use kanshape_batch::effort::Effort;
pub use report::report_page;
use screen::Screen;
pub use serve::{Given, Server};

/// Runs the program with these arguments, its name among them, and says what it ends with. A mistake in them, and a request for help,
/// end the process.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let colour = screen::choice_of_help(args.iter().skip(1).cloned());
    let matches = Cli::command().color(colour).get_matches_from(args);
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let screen = Screen::new(cli.color);
    let effort = Effort::from(&cli.effort);
    read::within(effort.timeout);
    let exit = match command(&cli.command, &effort, &screen) {
        Ok(exit) => exit,
        Err(failure) => error_json::write(&cli.command, &failure, &screen)
            .unwrap_or_else(|| screen.failure(&failure)),
    };
    exit.number()
}

fn command(command: &Command, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    match command {
        Command::Infer(args) => infer::run(args, effort, screen),
        Command::Enum(args) => enumerate::run(args, effort, screen),
        Command::Batch(args) => batch::run(args, effort, screen),
        Command::Types(args) => types::run(args, effort, screen),
        Command::Check(args) => check::run(args, effort, screen),
        Command::Signature(args) => check::signature(args, effort, screen),
        Command::Why(args) => why::run(args, effort, screen),
        Command::Diff(args) => diff::run(args, effort, screen),
        Command::Report(args) => report::run(args, effort, screen),
        Command::Serve(args) => serve::run(args, screen),
        Command::Rule(args) => rule::run(args, effort, screen),
        Command::Rewrite(args) => rewrite::run(args, effort, screen),
        Command::Simplify(args) => simplify::run(args, effort, screen),
        Command::Find(args) => find::run(args, effort, screen),
        Command::Program(args) => program::run(args, effort, screen),
        Command::Parse(args) => parse::run(args, screen),
        Command::Catalog(args) => catalog::run(args, effort, screen),
        Command::Repl(args) => repl::run(args, effort, screen),
        Command::Explain(args) => explain::run(args, screen),
        Command::Completions(args) => completions::run(args),
    }
}
