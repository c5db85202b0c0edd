//! `kanshape explain`: what the codes of diagnostics mean.

use std::io::Write;

use kanshape::{catalog, code as types, syntax};

use crate::args::ExplainArgs;
use crate::exit::{Exit, Failure};
use crate::mistake;
use crate::screen::Screen;

pub(crate) fn run(args: &ExplainArgs, screen: &Screen) -> Result<Exit, Failure> {
    let all = [
        syntax::code::ALL,
        kanshape::question::ALL,
        types::ALL,
        catalog::code::ALL,
        kanshape_onnx::code::ALL,
        mistake::ALL,
    ];
    let mut all: Vec<(&str, &str)> = all.into_iter().flatten().copied().collect();
    all.sort_unstable();
    if let Some(code) = &args.code {
        all.retain(|(known, _)| known.eq_ignore_ascii_case(code));
        if all.is_empty() {
            return Err(mistake::unknown_code(code).into());
        }
    }
    let mut out = screen.out();
    for (code, meaning) in all {
        writeln!(out, "{}: {meaning}", screen.bold(code))?;
    }
    out.flush()?;
    Ok(Exit::Solved)
}
