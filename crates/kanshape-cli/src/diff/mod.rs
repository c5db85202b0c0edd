//! `kanshape diff`: what is other in a second ONNX model than in a first one.

mod text;

use std::io::Write;
use std::path::Path;

use kanshape::Diagnostic;
use kanshape_batch::model::diff::line;
use kanshape_onnx::{Model, Options, Report, check, diff};

use crate::args::DiffArgs;
use crate::check::options::{beside, options};
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use crate::{mistake, read};
use kanshape_batch::effort::Effort;

pub(crate) fn run(args: &DiffArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let options = options(&args.facts, effort, screen)?;
    let bytes = [read(&args.first)?, read(&args.second)?];
    let (first, second) = (Model::read(&bytes[0])?, Model::read(&bytes[1])?);
    let own = typed(&first, &beside(&options, &args.first))?;
    let other = typed(&second, &beside(&options, &args.second))?;
    let found = diff((&first, &own), (&second, &other));
    let names = [&args.first, &args.second].map(|path| path.display().to_string());
    let mut out = screen.out();
    let text = match args.json {
        true => line(&names, &found),
        false => text::text(&names, &found, screen),
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(match found.is_none() {
        true => Exit::Solved,
        false => Exit::Never,
    })
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let name = path.display().to_string();
    read::bytes(path).map_err(|e| mistake::unreadable(&name, e))
}

fn typed<'a>(model: &Model<'a>, options: &Options) -> Result<Report<'a>, Diagnostic> {
    let report = check(model, options);
    match crate::check::wrong_option(&report) {
        Some(wrong) => Err(wrong.clone()),
        None => Ok(report),
    }
}
