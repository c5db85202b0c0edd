//! An operator: its rule as it is written, and its examples.

use std::io::Write;

use kanshape::unstable::syntax::relation;
use kanshape::{Answer, Diagnostic, Operator, Verdict, operator::Example};
use serde_json::{Value, json};

use super::paint;
use crate::answer_text::AnswerText;
use crate::exit::Failure;
use crate::loaded::{Loaded, Subject};
use crate::question::Question;
use crate::screen::Screen;

/// The answers that are shown of each example.
const LIMIT: usize = 3;

/// The first sentence of what is written about it.
pub(super) fn summary(operator: &Operator) -> String {
    let lines = operator.doc().map(str::trim);
    let lines = lines.skip_while(|line| line.is_empty());
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let text = lines.join(" ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}

/// Shows an operator with its examples answered now.
pub(super) fn show(
    out: &mut impl Write,
    screen: &Screen,
    loaded: &Loaded,
    operator: &Operator,
    as_json: bool,
) -> Result<(), Failure> {
    let versions: Vec<u64> = loaded
        .versions(operator)
        .iter()
        .map(Operator::since)
        .collect();
    if as_json {
        writeln!(out, "{}", json(operator, &versions)?)?;
        return Ok(());
    }
    let since: Vec<String> = versions.iter().map(u64::to_string).collect();
    let since = format!("since {}", since.join(", "));
    writeln!(
        out,
        "{}  {}",
        screen.bold(operator.full_name()),
        screen.grey(since)
    )?;
    if versions.last() != Some(&operator.since()) {
        let shown = format!("shown is the one since {}", operator.since());
        writeln!(out, "{}", screen.grey(shown))?;
    }
    let aliases: Vec<&str> = operator.aliases().collect();
    if !aliases.is_empty() {
        writeln!(out, "also called {}", aliases.join(", "))?;
    }
    let doc: Vec<&str> = operator.doc().collect();
    let doc = doc.join("\n");
    if !doc.trim().is_empty() {
        writeln!(out, "\n{}", doc.trim())?;
    }
    writeln!(out)?;
    for line in operator.text().lines() {
        writeln!(out, "  {}", paint::line(screen, line))?;
    }
    writeln!(out, "\nWritten in {}.", operator.file())?;
    for example in operator.examples() {
        writeln!(out, "\n  {}", example.question)?;
        // A mistake in one example hides none of the others.
        let answers = answers(operator, &example).unwrap_or_else(|mistake| vec![mistake.headline]);
        for answer in answers {
            writeln!(out, "  => {answer}")?;
        }
    }
    Ok(())
}

/// What is answered now to an example.
fn answers(
    operator: &Operator,
    written: &relation::Example<'_>,
) -> Result<Vec<String>, Diagnostic> {
    let example = Example::read(operator, written)?;
    let mut answers = example.query(operator)?.limit(LIMIT).solve()?;
    let text = AnswerText::new(&Question::of_call(operator, example.forwards()));
    // What stands below a question is a whole answer.
    let line = |a: &Answer| match example.answers {
        Some(_) => a.to_string(),
        None => text.line(a),
    };
    let mut shown: Vec<String> = answers.by_ref().map(|a| line(&a)).collect();
    match answers.verdict() {
        verdict @ (Verdict::Never | Verdict::Unknown) => shown.push(verdict.to_string()),
        Verdict::Always | Verdict::Depends if !answers.complete() => shown.push("...".into()),
        Verdict::Always | Verdict::Depends => {}
    }
    Ok(shown)
}

fn json(operator: &Operator, versions: &[u64]) -> Result<Value, Diagnostic> {
    let formals = |all: &mut dyn Iterator<Item = kanshape::operator::Formal<'_>>| {
        let rows =
            all.map(|f| json!({ "name": f.name, "optional": f.optional, "variadic": f.variadic }));
        rows.collect::<Vec<Value>>()
    };
    let attrs = operator.attributes().map(|a| {
        json!({
            "name": a.name,
            "kind": a.kind(),
            "optional": a.optional,
            "default": a.default.map(ToString::to_string),
        })
    });
    let mut examples = Vec::new();
    for example in operator.examples() {
        let answers = answers(operator, &example)?;
        examples.push(json!({ "text": example.question, "answers": answers }));
    }
    Ok(json!({
        "name": operator.full_name(),
        "aliases": operator.aliases().collect::<Vec<_>>(),
        "domain": operator.domain(),
        "since": operator.since(),
        "versions": versions,
        "doc": operator.doc().collect::<Vec<_>>().join("\n").trim(),
        "rule": operator.text(),
        "file": operator.file(),
        "attributes": attrs.collect::<Vec<Value>>(),
        "inputs": formals(&mut operator.inputs()),
        "outputs": formals(&mut operator.outputs()),
        "examples": examples,
    }))
}

impl Question {
    /// A question about a call of an operator.
    pub(super) fn of_call(operator: &Operator, call: kanshape::Call) -> Question {
        let mut question = Question::new(Subject::Operator(operator.clone()));
        question.inputs = Some(call.inputs);
        question.outputs = call.outputs;
        question.attrs = call.attrs;
        question
    }
}
