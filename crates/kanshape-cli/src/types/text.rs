//! What is found of two types, as a person reads it.

use std::io::{self, Write};

use kanshape::order::Filtered;
use kanshape::{Type, Verdict};

use crate::screen::Screen;
use kanshape_batch::types::question::TypesAnswer;

/// Prints what was found: what was requested on standard output, and beside it what a person may
/// want to know.
pub(super) fn print(found: &TypesAnswer, screen: &Screen) -> io::Result<()> {
    let mut out = screen.out();
    let mut remark = None;
    match found {
        TypesAnswer::Test(verdict) => {
            writeln!(out, "{}", word(*verdict))?;
            if *verdict == Verdict::Depends {
                remark = Some("it depends on what the names stand for");
            }
        }
        TypesAnswer::Meet { ty, .. } | TypesAnswer::Join(ty) => writeln!(out, "{ty}")?,
        TypesAnswer::Filter(Filtered::Same(ty)) => {
            writeln!(out, "{ty}")?;
            remark = Some("it can stand there as it is");
        }
        TypesAnswer::Filter(Filtered::Check { ty, checks }) => {
            writeln!(out, "{}", screen.bold(ty))?;
            for check in checks {
                writeln!(out, "{check}")?;
            }
            remark = Some("it can stand there once this has been checked");
        }
        TypesAnswer::Conflict(why) | TypesAnswer::Filter(Filtered::Never(why)) => {
            screen.diagnostic(why)?
        }
        TypesAnswer::Filter(other) => writeln!(out, "{other:?}")?,
    }
    if let Some(remark) = remark.filter(|_| screen.is_watched()) {
        writeln!(out, "{}", screen.grey(remark))?;
    }
    out.flush()?;
    match found {
        TypesAnswer::Test(Verdict::Unknown) => {
            screen.note("note: unknown: the question is beyond the solver")
        }
        TypesAnswer::Meet {
            complete: false, ..
        } => screen.note("note: unknown: there may be less in common than this type says"),
        TypesAnswer::Meet { alternatives, .. } if !alternatives.is_empty() => screen.note(
            format_args!("note: exactly, it is {}", listed(alternatives)),
        ),
        _ => Ok(()),
    }
}

/// A verdict on a test.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Always => "true",
        Verdict::Never => "false",
        Verdict::Depends | Verdict::Unknown => verdict.name(),
    }
}

fn listed(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(|ty| format!("`{ty}`")).collect();
    types.join(" or ")
}
