//! `kanshape check` and `kanshape signature`: ONNX models, typed as whole graphs; and programs (`program`).
//!
//! `options` reads what is given of the models, `target` where models are written to; `view` writes what has been found
//! out. Models are checked on all cores, a bounded number of
//! them at a time, and written in the order in which they were named; a mistake in one file does not stop the others.

pub(crate) mod options;
mod program;
mod run;
mod stablehlo;
mod target;
pub(crate) mod view;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use kanshape::{Diagnostic, Verdict, diag::Severity};
use kanshape_onnx::{Model, Options, Report, check, code};
use rayon::prelude::*;

use crate::args::{CheckArgs, ModelArgs};
use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use crate::{mistake, read};
use kanshape_batch::effort::Effort;
use kanshape_batch::model::json;
use kanshape_batch::model::select::{NamePattern, Select};
use target::Target;
use view::diagnostics::diagnostics;
use view::summary::Tally;
use view::{Shown, View};

/// The most diagnostics of a model that are shown unless all are requested.
const DIAGNOSTICS: usize = 8;

/// The most models that are held at a time, for each core.
const AT_A_TIME: usize = 4;

/// What one model has come to.
struct Done {
    exit: Exit,
    /// None of a file that can't be read as a model.
    verdict: Option<Verdict>,
    /// What is printed.
    out: String,
    /// What is wrong with the model.
    diagnostics: Vec<Diagnostic>,
    /// Where it was written to.
    note: Option<String>,
}

impl Done {
    /// Nothing is printed of it so far.
    fn of(report: &Report<'_>) -> Done {
        let done = Done::with(report.verdict);
        Done {
            // What is given of a value that the model does not have is a mistake of the command.
            exit: match wrong_option(report) {
                Some(_) => Exit::Wrong,
                None if report.lacks_only_operators() => Exit::Missing,
                None => done.exit,
            },
            ..done
        }
    }

    /// With this verdict, and nothing printed so far.
    fn with(verdict: Verdict) -> Done {
        Done {
            exit: Exit::from(verdict),
            verdict: Some(verdict),
            out: String::new(),
            diagnostics: Vec::new(),
            note: None,
        }
    }

    fn wrong(name: &str, diagnostic: Diagnostic, is_json: bool) -> Done {
        let mut done = Done {
            exit: Exit::Wrong,
            verdict: None,
            out: String::new(),
            diagnostics: Vec::new(),
            note: None,
        };
        match is_json {
            true => done.out = json::unread(name, &diagnostic),
            false => done.diagnostics.push(diagnostic),
        }
        done
    }

    /// A program is written to this file, if there is something to write.
    fn written(&mut self, name: &str, to: Option<&Path>, text: Option<String>, is_quiet: bool) {
        let (Some(to), Some(text)) = (to, text) else {
            return;
        };
        let shown = to.display();
        match std::fs::write(to, text) {
            Err(e) => self.is_wrong([mistake::unwritable(&shown, e)]),
            Ok(()) if is_quiet => {}
            Ok(()) => self.note = Some(format!("{name} is written to {shown}")),
        }
    }

    /// The command is wrong about this model.
    fn is_wrong(&mut self, why: impl IntoIterator<Item = Diagnostic>) {
        for one in why {
            self.exit = Exit::Wrong;
            self.diagnostics.push(one);
        }
    }
}

pub(crate) fn run(args: &CheckArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let CheckArgs { models, write, .. } = args;
    let mut options = options::options(&models.facts, effort, screen)?;
    options.declared = args.declared;
    let relations = options.relations.clone();
    let relations = relations.as_ref().unwrap_or(kanshape::catalog());
    let target = Target::of(write.as_deref(), &models.files)?;
    let select = selected(args);
    let has_tally = !(models.json || args.quiet || args.only.is_some() || select.is_of_parts());
    let is_line = is_line(args, &select);
    all(models, screen, has_tally, |path, name, bytes| {
        let is_other = read::is_module(path, &bytes) || program::is_program(path, &bytes);
        if args.run && is_other {
            return Err(mistake::not_onnx(name));
        }
        if read::is_module(path, &bytes) && (is_line || write.is_some()) {
            let to = target.path(path);
            let steps = effort.steps().saturating_mul(program::PARTS);
            let (mut done, text) = effort.deadline().run(steps, || {
                stablehlo::check(name, &bytes, args, to.is_some(), relations)
            })?;
            done.written(name, to.as_deref(), text, models.json || args.quiet);
            return Ok(done);
        }
        if program::is_program(path, &bytes) {
            let to = target.path(path);
            let steps = effort.steps().saturating_mul(program::PARTS);
            let (mut done, text) = effort.deadline().run(steps, || {
                program::check(
                    name,
                    &bytes,
                    models.json,
                    args.quiet,
                    to.is_some(),
                    relations,
                )
            })?;
            done.written(name, to.as_deref(), text, models.json || args.quiet);
            return Ok(done);
        }
        let program = read::model(name, bytes, &options)?;
        if args.run && !program.inputs.is_empty() {
            return Err(mistake::not_onnx(name));
        }
        let is_whole = !args.quiet && args.only.is_none() && (models.json || !select.is_of_parts());
        let assumed = match is_whole {
            true => program.assumed(&options),
            false => Vec::new(),
        };
        let options = program.known(&options);
        let model = Model::read(&program.model)?;
        let mut report = check(&model, &options::beside(&options, path));
        report.assumed = assumed;
        let is_refused = args.strict && report.make_strict();
        let mut done = Done::of(&report);
        if is_refused {
            done.exit = worse(done.exit, Exit::Never);
        }
        let view = View {
            name,
            model: &model,
            report: &report,
            select: &select,
            screen,
            is_one_of_many: models.files.len() > 1,
            types: Default::default(),
            names: Default::default(),
        };
        let (runs, not_run) = match args.run.then(|| run::run(name, path, &report, &options)) {
            Some(Err(why)) => (None, Some(why)),
            Some(Ok(runs)) => (Some(runs), None),
            None => (None, None),
        };
        if runs
            .as_ref()
            .is_some_and(|runs| !runs.differences.is_empty())
        {
            done.exit = worse(done.exit, Exit::Never);
        }
        if models.json {
            done.out = json::report(name, &model, &report, &select, runs.as_ref());
        } else {
            let Shown { mut text, missing } = view.shown();
            if view.may_be_shorter(&options) {
                let nonempty = Options {
                    assume_nonempty: true,
                    ..options.clone()
                };
                view.without_empty(&check(&model, &options::beside(&nonempty, path)), &mut text);
            }
            if let Some(runs) = &runs {
                run::shown(runs, &mut text);
            }
            done.out = text;
            if args.only.is_none() {
                done.diagnostics = few(diagnostics(&report));
            }
            done.is_wrong(missing);
        }
        done.is_wrong(not_run);
        if let Some(to) = target.path(path) {
            let shown = to.display();
            match std::fs::write(&to, kanshape_onnx::write(&model, &report)) {
                Err(e) => done.is_wrong([mistake::unwritable(&shown, e)]),
                Ok(()) if models.json || args.quiet => {}
                Ok(()) if to == path => done.note = Some(format!("{shown} is written over")),
                Ok(()) => done.note = Some(written(name, &model, path, &to)),
            }
        }
        Ok(done)
    })
}

/// Where a model has been written to, and what has to go there with it.
fn written(name: &str, model: &Model<'_>, from: &Path, to: &Path) -> String {
    let note = format!("{name} is written to {}", to.display());
    let data = Vec::from_iter(model.data_files());
    match data.is_empty() || from.parent() == to.parent() {
        true => note,
        false => format!(
            "{note}; its data stay where they are: copy {} there",
            data.join(", ")
        ),
    }
}

/// The whole model as one line.
pub(crate) fn signature(
    args: &ModelArgs,
    effort: &Effort,
    screen: &Screen,
) -> Result<Exit, Failure> {
    let options = options::options(&args.facts, effort, screen)?;
    all(args, screen, false, |path, name, bytes| {
        let program = read::model(name, bytes, &options)?;
        let options = program.known(&options);
        let model = Model::read(&program.model)?;
        let report = check(&model, &options::beside(&options, path));
        let line = kanshape_onnx::signature(&report);
        let mut done = Done::of(&report);
        done.out = match (args.json, args.files.len()) {
            (true, _) => json::signature(name, &line, &report, args.types),
            (false, 1) => format!("{line}\n"),
            (false, _) => format!("{name}: {line}\n"),
        };
        if !args.json {
            let why = diagnostics(&report).into_iter();
            // A declared type that is none is no reason for the line to be what it is.
            let why = why.filter(|d| d.severity == Severity::Error || d.code == code::UNTYPED);
            done.diagnostics = few(why.collect());
        }
        Ok(done)
    })
}

/// What the command gives of a value that the model does not have.
pub(crate) fn wrong_option<'r>(report: &'r Report<'_>) -> Option<&'r Diagnostic> {
    let mut problems = report.problems.iter().map(|p| &p.diagnostic);
    problems.find(|d| d.code == code::NO_SUCH_VALUE)
}

/// The first of many, and how many more there are.
fn few(mut all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if all.len() > DIAGNOSTICS {
        let more = all.len() - DIAGNOSTICS;
        all.truncate(DIAGNOSTICS);
        if let Some(last) = all.last_mut() {
            let note = format!("{more} more follow: `kanshape check --only errors` shows all");
            last.help.push(note);
        }
    }
    all
}

/// Does something with each model, on all cores, and writes what comes of it in their order.
fn all(
    args: &ModelArgs,
    screen: &Screen,
    has_tally: bool,
    of_one: impl Fn(&Path, &str, Vec<u8>) -> Result<Done, Diagnostic> + Sync,
) -> Result<Exit, Failure> {
    let mut out = screen.out();
    let mut worst = Exit::Solved;
    let mut tally = Tally::default();
    let bar = progress(args.files.len());
    let of_file = |path: &Path| {
        let name = path.display().to_string();
        let done = read::bytes(path)
            .map_err(|e| mistake::unreadable(&name, e))
            .and_then(|bytes| {
                // A fault of ours on one model must not take the others with it.
                catch_unwind(AssertUnwindSafe(|| of_one(path, &name, bytes)))
                    .unwrap_or_else(|_| Err(kanshape_batch::mistake::internal()))
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
                for mut diagnostic in done.diagnostics {
                    if args.files.len() > 1 {
                        diagnostic.headline =
                            format!("{}: {}", path.display(), diagnostic.headline);
                    }
                    screen.diagnostic(&diagnostic)?;
                }
                if let Some(note) = done.note {
                    screen.note(note)?;
                }
                Ok(())
            })?;
            worst = worse(worst, done.exit);
            tally.add(done.verdict);
        }
    }
    bar.finish_and_clear();
    if has_tally && args.files.len() > 1 {
        writeln!(out, "{}", screen.bold(tally.line()))?;
        out.flush()?;
    }
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
        Exit::Missing => 1,
        Exit::Unknown => 2,
        Exit::Never => 3,
        Exit::Wrong => 4,
    };
    match rank(b) > rank(a) {
        true => b,
        false => a,
    }
}

/// Whether a module of StableHLO is one line: nothing is asked for that only the report of a model has.
fn is_line(args: &CheckArgs, select: &Select) -> bool {
    let facts = &args.models.facts;
    let inputs = &facts.inputs;
    let is_of_model = !facts.outputs.is_empty()
        || !facts.cuts.is_empty()
        || inputs.batch.is_some()
        || inputs.trust_annotations
        || inputs.assume_nonempty;
    let has_parts = select.is_of_parts() || args.only.is_some() || args.all || args.declared;
    !(is_of_model || has_parts || args.values || args.nodes || args.bytes || args.summary)
}

/// Which parts of a report are shown.
fn selected(args: &CheckArgs) -> Select {
    let patterns = |texts: &[String]| texts.iter().map(|text| NamePattern(text.clone())).collect();
    Select {
        bodies: false,
        type_data: false,
        values: args.values,
        nodes: args.nodes,
        bytes: args.bytes,
        summary: args.summary,
        all: args.all,
        declared: args.declared,
        value: patterns(&args.value),
        node: patterns(&args.node),
        op: patterns(&args.op),
        only: args.only,
        quiet: args.quiet,
        types: args.models.types,
        // In JSON alone, and there it is a command of its own.
        names: false,
        signature: false,
    }
}
