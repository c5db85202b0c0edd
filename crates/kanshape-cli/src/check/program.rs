//! `kanshape check` of programs in Relay's text format.

use std::path::Path;

use kanshape::diag::Severity;
use kanshape::{Diagnostic, Relations, Verdict};
use kanshape_relay::{Program, Typing};

use super::Done;
use crate::exit::Exit;
use kanshape_batch::program_json::ProgramJson;
use serde::Serialize;

/// A program counts as this many questions.
pub(super) const PARTS: u64 = 1000;

/// Is this a program, by the name of its file, or by what it begins with? No model begins like that.
pub(super) fn is_program(path: &Path, bytes: &[u8]) -> bool {
    const FIRST: [&[u8]; 5] = [b"#[version", b"def @", b"type ", b"data ", b"extern type "];
    let is_named = path
        .extension()
        .is_some_and(|end| end == "relay" || end == "rly");
    let start = bytes.trim_ascii_start();
    is_named || FIRST.iter().any(|first| start.starts_with(first))
}

/// Checks a program; with `write` the text of the program with all annotations is given back as well.
pub(super) fn check(
    name: &str,
    bytes: &[u8],
    is_json: bool,
    is_quiet: bool,
    write: bool,
    relations: &Relations,
) -> Result<(Done, Option<String>), Diagnostic> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| kanshape_batch::mistake::not_utf8(e.valid_up_to()))?;
    let program = match Program::parse(name, text) {
        Ok(program) => program,
        Err(problem) if problem.is_limit() => {
            let done = Done {
                exit: Exit::Unknown,
                verdict: Some(Verdict::Unknown),
                ..Done::wrong(name, problem.diagnostic, is_json)
            };
            return Ok((done, None));
        }
        Err(problem) => return Err(problem.diagnostic),
    };
    let typing = program.check(relations);
    let entry = typing.entry();
    let verdict = typing.verdict(entry);
    let mut done = Done::with(verdict);
    if is_json {
        #[derive(Serialize)]
        struct NamedProgram<'a> {
            program: &'a str,
            #[serde(flatten)]
            found: ProgramJson<'a>,
        }
        let line = NamedProgram {
            program: name,
            found: ProgramJson::of(&typing, entry, None),
        };
        done.out = serde_json::to_string(&line).unwrap_or_default() + "\n";
    } else {
        if !is_quiet {
            done.out = shown(&typing);
        }
        let all = typing
            .problems
            .iter()
            .map(|problem| problem.diagnostic.clone());
        done.diagnostics = all.chain(typing.warnings.iter().cloned()).collect();
    }
    let is_well = done
        .diagnostics
        .iter()
        .all(|d| d.severity != Severity::Error);
    let written = (write && is_well && typing.problems.is_empty())
        .then(|| program.annotated(relations).to_string());
    Ok((done, written))
}

/// The globals with their types, a line each, and what has to hold.
fn shown(typing: &Typing) -> String {
    let mut out = String::new();
    for global in &typing.globals {
        out.push_str(&format!("@{} : {}\n", global.name, global.ty));
        if !global.conditions.is_empty() {
            out.push_str(&format!("  where {}\n", global.conditions.join(", ")));
        }
    }
    for gap in &typing.gaps {
        let at = gap.at.map(|at| format!(" at {}:{}", at.line, at.column));
        out.push_str(&format!("_{} : {}\n", at.unwrap_or_default(), gap.ty));
    }
    out
}
