//! `kanshape program`: programs that have a type, and what fills the gaps of one.

use std::io::{self, Write};

use kanshape_batch::effort::Effort;
use kanshape_relay::{Found, Program, Search, notation};
use serde_json::json;

use crate::args::ProgramArgs;
use crate::exit::{Exit, Failure};
use crate::load::load;
use crate::screen::Screen;
use crate::{mistake, read};

/// The steps of a search.
const STEPS: u64 = 2_000_000_000;
/// The most programs that are given unless more are wanted.
const LIMIT: usize = 20;

pub(crate) fn run(args: &ProgramArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load(&args.load, screen)?;
    let relations = loaded.relations();
    let program = match &args.file {
        None => None,
        Some(path) => {
            let name = path.display().to_string();
            let text = read::text(path).map_err(|e| mistake::unreadable(&name, e))?;
            let read = Program::parse(&name, &text);
            Some(read.map_err(|problem| problem.diagnostic)?)
        }
    };
    let search = match (&args.of, &program) {
        (Some(of), program) => {
            let ty = notation::read_program_type(of)?;
            match program {
                Some(program) => Search::of_type_with(relations, &ty, program.tree()),
                None => Search::of_type(relations, &ty),
            }
        }
        (None, Some(program)) => Search::filling(relations, program),
        (None, None) => return Ok(Exit::Wrong),
    };
    let mut search = search
        .map_err(|problem| problem.diagnostic)?
        .size(args.size);
    if !args.ops.is_empty() {
        let ops = args.ops.iter().cloned();
        search = search
            .operators(ops)
            .map_err(|problem| problem.diagnostic)?;
    }
    let limit = args.limit.unwrap_or(if args.fill { 1 } else { LIMIT });
    let steps = effort.budget.unwrap_or(STEPS);
    let mut out = screen.out();
    let mut found: Vec<Found> = Vec::new();
    let ended: Result<(), Failure> = effort.control().run(steps, || {
        for one in search.by_ref().take(limit) {
            if !args.json {
                write!(out, "{}", one.program)?;
                out.flush()?;
            }
            found.push(one);
        }
        Ok(())
    });
    ended?;
    let exit = match (found.is_empty(), search.cut_off()) {
        (false, _) => Exit::Solved,
        (true, None) => Exit::Never,
        (true, Some(_)) => Exit::Unknown,
    };
    if args.json {
        let programs = found
            .iter()
            .map(|one| json!({"size": one.size, "program": one.program.to_string()}));
        let programs: Vec<serde_json::Value> = programs.collect();
        let object = json!({"programs": programs, "cut_off": search.cut_off()});
        serde_json::to_writer(&mut out, &object).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        return Ok(exit);
    }
    if found.is_empty() {
        screen.note(format!(
            "no program of size {} or less was found",
            args.size
        ))?;
    }
    if let Some(why) = search.cut_off() {
        screen.note(format!("cut off: {why}"))?;
    }
    Ok(exit)
}
