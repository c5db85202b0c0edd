//! `kanshape explain`: what the codes of diagnostics mean.

use std::io::Write;

use kanshape::{catalog, code as types, syntax};

use crate::args::ExplainArgs;
use crate::exit::{Exit, Failure};
use crate::mistake;
use crate::screen::Screen;

/// The codes of the questions themselves, which no table of another crate lists.
const QUESTIONS: &[(&str, &str)] = &[
    (
        "K0101",
        "no shapes and dtypes satisfy the signature together with what is given",
    ),
    ("K0102", "nothing is a value of both of two types"),
    ("K0301", "a relation that nobody has defined"),
    ("K0302", "a relation with too few operands"),
    (
        "K0303",
        "something optional that is neither a name nor a number",
    ),
    ("K0310", "more or fewer operands than the signature has"),
    ("K0311", "a parameter that the signature does not have"),
    ("K0312", "a name used for two different kinds of things"),
    ("K0313", "a number too large to be a size"),
    (
        "K0314",
        "a condition about something that the query does not have",
    ),
];

pub(crate) fn run(args: &ExplainArgs, screen: &Screen) -> Result<Exit, Failure> {
    let all = [
        syntax::code::ALL,
        QUESTIONS,
        types::ALL,
        catalog::code::ALL,
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
