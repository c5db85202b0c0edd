//! `kanshape diff`: what is other in a second ONNX model than in a first one.

mod text;

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use kanshape::Diagnostic;
use kanshape_batch::model::diff::line;
use kanshape_onnx::{Exported, Model, Options, Report, check, diff};

use crate::args::DiffArgs;
use crate::check::options::{beside, options};
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use crate::{mistake, read};
use kanshape_batch::effort::Effort;

pub(crate) fn run(args: &DiffArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let options = options(&args.facts, effort, screen)?;
    let bytes = [
        program(&args.first, &options)?,
        program(&args.second, &options)?,
    ];
    let (first, second) = (Model::read(&bytes[0].model)?, Model::read(&bytes[1].model)?);
    let known = [&bytes[0], &bytes[1]].map(|bytes| bytes.known(&options));
    let own = typed(&first, &beside(&known[0], &args.first))?;
    let other = typed(&second, &beside(&known[1], &args.second))?;
    let found = diff((&first, &own), (&second, &other));
    let names = [&args.first, &args.second].map(|path| path.display().to_string());
    let mut out = screen.out();
    let text = match args.json {
        true => line(&names, &found),
        false => {
            let ports = [&own, &other].map(|report| report.inputs.iter().chain(&report.outputs));
            let ports: HashSet<&str> = ports
                .into_iter()
                .flatten()
                .map(|(name, _)| &**name)
                .collect();
            text::text(
                &names,
                &found,
                |name| ports.contains(name),
                args.all,
                screen,
            )
        }
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(match found.is_none() {
        true => Exit::Solved,
        false => Exit::Never,
    })
}

fn program(path: &Path, options: &Options) -> Result<Exported, Diagnostic> {
    let name = path.display().to_string();
    let bytes = read::bytes(path).map_err(|e| mistake::unreadable(&name, e))?;
    read::model(&name, bytes, options)
}

fn typed<'a>(model: &Model<'a>, options: &Options) -> Result<Report<'a>, Diagnostic> {
    let report = check(model, options);
    match crate::check::wrong_option(&report) {
        Some(wrong) => Err(wrong.clone()),
        None => Ok(report),
    }
}
