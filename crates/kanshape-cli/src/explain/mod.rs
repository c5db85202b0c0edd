//! `kanshape explain`: what the codes of diagnostics mean. Start with [`run`]; the pages are in [`page`], how one
//! looks on a screen is in [`markdown`].

mod markdown;
mod page;

use std::io::Write;

use kanshape::{code, diag::suggest};
use serde::Serialize;

use crate::args::ExplainArgs;
use crate::exit::{Exit, Failure};
use crate::mistake;
use crate::screen::Screen;

/// A code with its explanation.
#[derive(Serialize)]
struct Explained {
    code: &'static str,
    /// In one line.
    meaning: &'static str,
    /// In Markdown.
    page: &'static str,
}

pub(crate) fn run(args: &ExplainArgs, screen: &Screen) -> Result<Exit, Failure> {
    let mut codes = codes();
    if let Some(wanted) = &args.code {
        let known = codes.iter().find(|e| e.code.eq_ignore_ascii_case(wanted));
        let Some(known) = known else {
            return Err(mistake::unknown_code(wanted, near(wanted, &codes)).into());
        };
        let code = known.code;
        codes.retain(|e| e.code == code);
    }
    let mut out = screen.out();
    for explained in &codes {
        if args.json {
            let line = serde_json::to_string(explained).map_err(std::io::Error::from)?;
            writeln!(out, "{line}")?;
        } else if args.code.is_some() {
            markdown::write(&mut out, explained.page, screen)?;
        } else {
            writeln!(
                out,
                "{}: {}",
                screen.bold(explained.code),
                explained.meaning
            )?;
        }
    }
    out.flush()?;
    Ok(Exit::Solved)
}

/// What is said of a code, in Markdown; nothing of what is none.
pub(crate) fn page(code: &str) -> &'static str {
    page::of(code)
}

/// All codes, in order.
fn codes() -> Vec<Explained> {
    let tables = [
        code::ALL,
        kanshape_onnx::code::ALL,
        kanshape_rewrite::code::ALL,
        kanshape_relay::code::ALL,
        kanshape_torch::code::ALL,
        kanshape_stablehlo::code::ALL,
        mistake::ALL,
        kanshape_batch::mistake::ALL,
    ];
    let mut codes: Vec<Explained> = tables
        .into_iter()
        .flatten()
        .map(|&(code, meaning)| Explained {
            code,
            meaning,
            page: page::of(code),
        })
        .collect();
    codes.sort_unstable_by_key(|e| e.code);
    codes
}

/// The code that was probably meant: one of this number, or else one that is written much like it.
fn near(wanted: &str, codes: &[Explained]) -> Option<&'static str> {
    let known = || codes.iter().map(|e| e.code);
    let digits = wanted.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number = digits.parse().map(|n: u64| format!("K{n:04}"));
    number
        .ok()
        .and_then(|code| known().find(|known| *known == code))
        .or_else(|| suggest(wanted, known()))
}
