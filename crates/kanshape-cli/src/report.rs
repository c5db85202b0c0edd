//! `kanshape report`: what is known of a model, as one file for a browser.

use std::io::Write;

use kanshape_batch::effort::Effort;
use kanshape_batch::model::json;
use kanshape_batch::model::select::Select;
use kanshape_onnx::{Model, check};

use crate::args::ReportArgs;
use crate::check::options::{beside, inputs};
use crate::check::wrong_option;
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use crate::site::Site;
use crate::{mistake, read};

/// The text in the page that the report replaces.
const PLACE: &str = r#"<script id="data" type="application/json">null</script>"#;

pub(crate) fn run(args: &ReportArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let site = Site::of(args.site.as_deref())?;
    let page = site.page("report.html").filter(|page| page.contains(PLACE));
    let page = page.ok_or_else(|| mistake::no_site(None))?;
    let options = beside(&inputs(&args.facts, effort, screen)?, &args.model);
    let name = args.model.display().to_string();
    let bytes = read::bytes(&args.model).map_err(|e| mistake::unreadable(&name, e))?;
    let program = read::model(&name, bytes, &options)?;
    let model = Model::read(&program.model)?;
    let options = program.known(&options);
    let report = check(&model, &options);
    if let Some(wrong) = wrong_option(&report) {
        return Err(wrong.clone().into());
    }
    let select = Select {
        nodes: true,
        bodies: true,
        type_data: true,
        bytes: true,
        signature: true,
        ..Select::default()
    };
    let short = args.model.file_name().unwrap_or_default().to_string_lossy();
    // Nothing in it may end the element that holds it.
    let data = json::report(&short, &model, &report, &select).replace('<', "\\u003c");
    let page = page.replacen(PLACE, &PLACE.replace("null", data.trim_end()), 1);
    match &args.output {
        Some(path) => {
            let written = std::fs::write(path, page);
            written.map_err(|e| mistake::unwritable(&path.display(), e))?;
        }
        None => {
            let mut out = screen.out();
            out.write_all(page.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(Exit::from(report.verdict))
}
