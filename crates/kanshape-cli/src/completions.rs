//! `kanshape completions`: what a shell needs to complete the command line.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Exit, Failure};

pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kanshape", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Solved)
}
