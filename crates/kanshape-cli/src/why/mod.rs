//! `kanshape why`: where a size of a model's value comes from.

mod json;
mod text;

use std::io::Write;

use kanshape::Diagnostic;
use kanshape_onnx::{Model, Report, Requirement, Way, why};

use crate::args::WhyArgs;
use crate::check::options::options;
use crate::effort::Effort;
use crate::exit::{Exit, Failure};
use crate::mistake;
use crate::screen::Screen;

/// What was asked, and what was found out.
struct Found<'f> {
    /// `logits:1`.
    spot: &'f str,
    ways: Vec<Way>,
    report: Report<'f>,
}

pub(crate) fn run(args: &WhyArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let options = options(&args.facts, effort, screen)?;
    let name = args.model.display().to_string();
    let bytes = std::fs::read(&args.model).map_err(|e| mistake::unreadable(&name, e))?;
    let model = Model::read(&bytes)?;
    let mut out = screen.out();
    for (i, spot) in args.spots.iter().enumerate() {
        let (ways, report) = why(&model, &options, spot)?;
        let wrong: Option<&Diagnostic> = crate::check::wrong_option(&report);
        if let Some(wrong) = wrong {
            return Err(wrong.clone().into());
        }
        let found = Found { spot, ways, report };
        let text = match args.json {
            true => json::line(&name, &found),
            false => text::text(&found, screen),
        };
        if i > 0 && !args.json {
            writeln!(out)?;
        }
        out.write_all(text.as_bytes())?;
    }
    out.flush()?;
    Ok(Exit::Solved)
}

/// The conditions on a size: those that speak of one of its names, or say what an input's size is.
fn conditions<'f>(way: &Way, report: &'f Report<'_>) -> Vec<&'f Requirement> {
    let Some(first) = way.steps.first() else {
        return Vec::new();
    };
    let Ok(size) = first.at.size.parse::<kanshape::Dim>() else {
        return Vec::new();
    };
    let mut names = Vec::new();
    match &size {
        kanshape::Dim::Name(name) => names.push(name.to_string()),
        kanshape::Dim::Expr(e) => e.for_each_name(&mut |name| names.push(name.to_owned())),
        _ => {}
    }
    let speaks_of = |one: &&Requirement| {
        let mut is = false;
        one.condition
            .for_each_name(&mut |name| is |= names.iter().any(|own| own == name));
        is
    };
    report.conditions.iter().filter(speaks_of).collect()
}
