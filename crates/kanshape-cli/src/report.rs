//! `kanshape report`: what is known of a model, as one file for a browser.

use std::io::Write;

use kanshape::Diagnostic;
use kanshape_batch::effort::Effort;
use kanshape_batch::model::json;
use kanshape_batch::model::select::Select;
use kanshape_onnx::{Model, Options, Report, check};

use crate::args::ReportArgs;
use crate::check::options::{beside, inputs};
use crate::check::wrong_option;
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use crate::site::Site;
use crate::{mistake, read};

/// The page of the site that is a report.
const PAGE: &str = "report.html";
/// The text in the page that the report replaces.
const PLACE: &str = r#"<script id="data" type="application/json">null</script>"#;

/// What is known of a model, as a page.
///
/// # Errors
/// If the model can't be read.
pub fn report_page(name: &str, model: &[u8], options: &Options) -> Result<String, Diagnostic> {
    let model = Model::read(model)?;
    let report = check(&model, options);
    page(&Site::Own, name, &model, &report)
}

/// The same of a report that is there.
fn page(site: &Site, name: &str, model: &Model<'_>, report: &Report) -> Result<String, Diagnostic> {
    let page = site.page(PAGE).filter(|page| page.contains(PLACE));
    let page = page.ok_or_else(|| mistake::no_site(&site.folder().display()))?;
    let select = Select {
        nodes: true,
        bodies: true,
        type_data: true,
        names: true,
        bytes: true,
        summary: true,
        signature: true,
        ..Select::default()
    };
    // Nothing in it may end the element that holds it.
    let data = json::report(name, model, report, &select, None).replace('<', "\\u003c");
    Ok(page.replacen(PLACE, &PLACE.replace("null", data.trim_end()), 1))
}

pub(crate) fn run(args: &ReportArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let site = Site::of(args.site.as_deref())?;
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
    let short = args.model.file_name().unwrap_or_default().to_string_lossy();
    let page = page(&site, &short, &model, &report)?;
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
