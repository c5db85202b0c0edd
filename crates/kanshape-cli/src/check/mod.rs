//! `kanshape check` and `kanshape signature`: ONNX models, typed as whole graphs.
//!
//! `options` reads what is said of the models, `target` where they are to be written to, `text` and `json` write what has
//! been found out. Models are checked on
//! all cores, a bounded number of them at a time, and written in the order in which they were named; what is wrong with
//! one file is said of it, and the next one is checked.

pub(crate) mod json;
mod options;
mod target;
pub(crate) mod text;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use kanshape::{Diagnostic, Severity, Verdict};
use kanshape_onnx::{Model, check};
use rayon::prelude::*;

use crate::args::{CheckArgs, ModelArgs};
use crate::exit::{Exit, Failure};
use crate::mistake;
use crate::screen::Screen;
use target::Target;

/// So many models are held at a time, for each core.
const AT_A_TIME: usize = 4;

/// What one model has come to.
struct Done {
    exit: Exit,
    /// What is printed.
    out: String,
    /// What is said beside it.
    said: Vec<Diagnostic>,
}

impl Done {
    fn wrong(name: &str, diagnostic: Diagnostic, is_json: bool) -> Done {
        let out = match is_json {
            true => json::unread(name, &diagnostic),
            false => String::new(),
        };
        Done {
            exit: Exit::Wrong,
            out,
            said: if is_json {
                Vec::new()
            } else {
                vec![diagnostic]
            },
        }
    }
}

pub(crate) fn run(args: &CheckArgs, screen: &Screen) -> Result<Exit, Failure> {
    let CheckArgs { models, write } = args;
    let options = options::options(models, screen)?;
    let target = Target::of(write.as_deref(), &models.files)?;
    all(models, screen, |path, name, bytes| {
        let model = Model::read(bytes)?;
        let report = check(&model, &options);
        let mut done = Done {
            exit: match report.has_errors() {
                true => Exit::Never,
                false => Exit::from(report.verdict),
            },
            out: match models.json {
                true => json::report(name, &report),
                false => text::report(name, &report, screen),
            },
            said: Vec::new(),
        };
        if let Some(to) = target.path(path)
            && let Err(e) = std::fs::write(&to, kanshape_onnx::write(&model, &report))
        {
            done.exit = Exit::Wrong;
            done.said.push(mistake::unwritable(&to.display(), e));
        }
        Ok(done)
    })
}

/// The whole model as one line.
pub(crate) fn signature(args: &ModelArgs, screen: &Screen) -> Result<Exit, Failure> {
    let options = options::options(args, screen)?;
    all(args, screen, |_, name, bytes| {
        let model = Model::read(bytes)?;
        let report = check(&model, &options);
        let line = kanshape_onnx::signature(&report);
        let wrong = report.problems.iter().map(|p| p.diagnostic.clone());
        let said = wrong.filter(|d| d.severity == Severity::Error).collect();
        Ok(Done {
            exit: Exit::from(report.verdict),
            out: match (args.json, args.files.len()) {
                (true, _) => json::signature(name, &line, &report),
                (false, 1) => format!("{line}\n"),
                (false, _) => format!("{name}: {line}\n"),
            },
            said,
        })
    })
}

/// Does something with each model, on all cores, and writes what comes of it in their order.
fn all(
    args: &ModelArgs,
    screen: &Screen,
    of_one: impl Fn(&Path, &str, &[u8]) -> Result<Done, Diagnostic> + Sync,
) -> Result<Exit, Failure> {
    let mut out = screen.out();
    let mut worst = Exit::Solved;
    let bar = progress(args.files.len());
    let of_file = |path: &Path| {
        let name = path.display().to_string();
        let done = std::fs::read(path)
            .map_err(|e| mistake::unreadable(&name, e))
            .and_then(|bytes| {
                // A fault of ours on one model must not take the others with it.
                catch_unwind(AssertUnwindSafe(|| of_one(path, &name, &bytes)))
                    .unwrap_or_else(|_| Err(mistake::internal()))
            });
        bar.inc(1);
        done.unwrap_or_else(|wrong| Done::wrong(&name, wrong, args.json))
    };
    for some in args.files.chunks(AT_A_TIME * rayon::current_num_threads()) {
        let done: Vec<Done> = some.par_iter().map(|path| of_file(path)).collect();
        for (done, path) in done.into_iter().zip(some) {
            bar.suspend(|| -> Result<(), Failure> {
                out.write_all(done.out.as_bytes())?;
                out.flush()?;
                for mut diagnostic in done.said {
                    if args.files.len() > 1 {
                        diagnostic.headline =
                            format!("{}: {}", path.display(), diagnostic.headline);
                    }
                    screen.diagnostic(&diagnostic)?;
                }
                Ok(())
            })?;
            worst = worse(worst, done.exit);
        }
    }
    bar.finish_and_clear();
    Ok(worst)
}

/// Drawn where somebody looks, and there are many.
fn progress(count: usize) -> ProgressBar {
    if count < 2 {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} models, {elapsed}");
    ProgressBar::new(count as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A file that can't be read is worse than a model that can't be, and that is worse than not to know.
fn worse(a: Exit, b: Exit) -> Exit {
    let rank = |exit: Exit| match exit {
        Exit::Solved => 0,
        Exit::Unknown => 1,
        Exit::Never => 2,
        Exit::Wrong => 3,
    };
    match rank(b) > rank(a) {
        true => b,
        false => a,
    }
}

/// A verdict in a word.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Always => "always",
        Verdict::Depends => "depends",
        Verdict::Never => "never",
        Verdict::Unknown => "unknown",
    }
}
