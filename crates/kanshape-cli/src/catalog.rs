//! `kanshape catalog`: the operators that have a name.

use std::io::{self, Write};

use kanshape::catalog::{Catalog, Entry};
use kanshape::{Diagnostic, Signature, Verdict};

use crate::args::CatalogArgs;
use crate::exit::{Exit, Failure};
use crate::mistake;
use crate::question::Question;
use crate::screen::Screen;

/// The answers that are shown of each example.
const LIMIT: usize = 3;

pub(crate) fn run(args: &CatalogArgs, screen: &Screen) -> Result<Exit, Failure> {
    let mut out = screen.out();
    match &args.name {
        None => list(&mut out, screen)?,
        Some(name) => show(&mut out, screen, entry(name)?)?,
    }
    out.flush()?;
    Ok(Exit::Solved)
}

/// The signature of an operator, by its name.
pub(crate) fn signature(name: &str) -> Result<Signature, Diagnostic> {
    of_entry(entry(name)?)
}

fn entry(name: &str) -> Result<&'static Entry, Diagnostic> {
    let catalog = Catalog::builtin();
    let missing = || mistake::not_in_catalog(name, catalog.suggest(name));
    catalog.get(name).ok_or_else(missing)
}

fn of_entry(entry: &Entry) -> Result<Signature, Diagnostic> {
    Signature::from_tree(entry.signature()?.clone()).map_err(|d| entry.place(d))
}

/// All operators, a file a theme.
fn list(out: &mut impl Write, screen: &Screen) -> io::Result<()> {
    let entries = Catalog::builtin().iter();
    let width = entries
        .clone()
        .map(|e| e.name().chars().count())
        .max()
        .unwrap_or(0);
    let mut theme = "";
    for entry in entries {
        if entry.file() != theme {
            if !theme.is_empty() {
                writeln!(out)?;
            }
            theme = entry.file();
            let title = theme.strip_suffix(".kan").unwrap_or(theme);
            writeln!(out, "{}", screen.bold(title))?;
        }
        // A long signature is broken where it is written, but not in a list.
        let words: Vec<&str> = entry.signature_text().split_whitespace().collect();
        writeln!(out, "  {:width$}  {}", entry.name(), words.join(" "))?;
    }
    Ok(())
}

/// One operator, with its examples answered now.
fn show(out: &mut impl Write, screen: &Screen, entry: &Entry) -> Result<(), Failure> {
    writeln!(out, "{}", screen.bold(entry.name()))?;
    let aliases: Vec<&str> = entry.aliases().collect();
    if !aliases.is_empty() {
        writeln!(out, "also called {}", aliases.join(", "))?;
    }
    let signature = of_entry(entry)?;
    writeln!(out, "\n  {signature}\n\n{}", entry.doc())?;
    writeln!(out, "From {}.", entry.from())?;
    for example in entry.examples() {
        writeln!(out, "\n  {}", example.query())?;
        let mut question = Question::of_example(signature.clone(), example.question())?;
        question.limit = Some(LIMIT);
        let mut answers = question.query()?.solve()?;
        for answer in &mut answers {
            writeln!(out, "  => {answer}")?;
        }
        match answers.verdict() {
            verdict @ (Verdict::Never | Verdict::Unknown) => writeln!(out, "  => {verdict}")?,
            Verdict::Always | Verdict::Depends if !answers.complete() => writeln!(out, "  => ...")?,
            Verdict::Always | Verdict::Depends => {}
        }
    }
    Ok(())
}
