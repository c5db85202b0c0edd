//! A signature that has a name, and its examples.

use std::io::Write;

use kanshape::catalog::{Catalog, Entry};
use kanshape::{Diagnostic, Signature, Verdict};
use serde_json::{Value, json};

use crate::exit::Failure;
use crate::mistake;
use crate::question::Question;
use crate::screen::Screen;

/// The answers that are shown of each example.
const LIMIT: usize = 3;

/// The signature of this name.
pub(crate) fn signature(name: &str) -> Result<Signature, Diagnostic> {
    let catalog = Catalog::builtin();
    let missing = || mistake::not_in_catalog(name, catalog.suggest(name));
    let entry = catalog.get(name).ok_or_else(missing)?;
    Signature::from_tree(entry.signature()?.clone()).map_err(|d| entry.place(d))
}

/// Shows a signature, and what the catalog says of it.
pub(super) fn show(
    out: &mut impl Write,
    screen: &Screen,
    name: &str,
    signature: &Signature,
    as_json: bool,
) -> Result<(), Failure> {
    let Some(entry) = Catalog::builtin().get(name.trim()) else {
        // A signature that is written out, or a relation of a file, has no more to it.
        writeln!(out, "{signature}")?;
        return Ok(());
    };
    if as_json {
        writeln!(out, "{}", json(entry, signature)?)?;
        return Ok(());
    }
    writeln!(out, "{}", screen.bold(entry.name()))?;
    let aliases: Vec<&str> = entry.aliases().collect();
    if !aliases.is_empty() {
        writeln!(out, "also called {}", aliases.join(", "))?;
    }
    writeln!(out, "\n  {signature}\n\n{}", entry.doc())?;
    writeln!(out, "From {}.", entry.from())?;
    for (query, answers) in examples(entry, signature)? {
        writeln!(out, "\n  {query}")?;
        for answer in answers {
            writeln!(out, "  => {answer}")?;
        }
    }
    Ok(())
}

/// The examples, each with what is answered now.
fn examples(
    entry: &'static Entry,
    signature: &Signature,
) -> Result<Vec<(&'static str, Vec<String>)>, Diagnostic> {
    let mut all = Vec::new();
    for example in entry.examples() {
        let mut question = Question::of_example(signature.clone(), example.question())?;
        question.limit = Some(LIMIT);
        let mut answers = question.query()?.solve()?;
        let mut shown: Vec<String> = answers.by_ref().map(|a| a.to_string()).collect();
        match answers.verdict() {
            verdict @ (Verdict::Never | Verdict::Unknown) => shown.push(verdict.to_string()),
            Verdict::Always | Verdict::Depends if !answers.complete() => shown.push("...".into()),
            Verdict::Always | Verdict::Depends => {}
        }
        all.push((example.query(), shown));
    }
    Ok(all)
}

fn json(entry: &'static Entry, signature: &Signature) -> Result<Value, Diagnostic> {
    let examples = examples(entry, signature)?.into_iter();
    Ok(json!({
        "name": entry.name(),
        "aliases": entry.aliases().collect::<Vec<_>>(),
        "signature": signature.to_string(),
        "doc": entry.doc(),
        "from": entry.from(),
        "examples": examples.map(|(query, answers)| {
            json!({ "query": query, "answers": answers })
        }).collect::<Vec<_>>(),
    }))
}
