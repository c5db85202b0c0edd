//! `kanshape why`: where a size of a model's value comes from.

mod text;

use std::io::Write;

use kanshape::Diagnostic;
use kanshape_batch::model::way::{self, WayAnswer};
use kanshape_onnx::{Model, why};

use crate::args::WhyArgs;
use crate::check::options::{beside, options};
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use crate::{mistake, read};
use kanshape_batch::effort::Effort;

pub(crate) fn run(args: &WhyArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let options = beside(&options(&args.facts, effort, screen)?, &args.model);
    let name = args.model.display().to_string();
    let bytes = read::bytes(&args.model).map_err(|e| mistake::unreadable(&name, e))?;
    let program = read::model(&name, bytes, &options)?;
    let model = Model::read(&program.model)?;
    let options = program.known(&options);
    let mut out = screen.out();
    for (i, spot) in args.spots.iter().enumerate() {
        let (ways, report) = why(&model, &options, spot)?;
        let wrong: Option<&Diagnostic> = crate::check::wrong_option(&report);
        if let Some(wrong) = wrong {
            return Err(wrong.clone().into());
        }
        let found = WayAnswer { spot, ways, report };
        let text = match args.json {
            true => way::line(&name, &found),
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
