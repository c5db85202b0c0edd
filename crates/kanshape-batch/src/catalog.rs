//! The catalog as JSON: all operators, and one with its rule and its examples answered now.

use kanshape::operator::Example;
use kanshape::tree::relation;
use kanshape::{Answer, Diagnostic, Operator, Verdict};
use serde_json::{Value, json};

use crate::answer_text::AnswerText;
use crate::loaded::{Loaded, Subject};
use crate::question::Question;

/// The answers that are shown of each example.
const LIMIT: usize = 3;

/// The first sentence of what is written about it.
pub fn summary(operator: &Operator) -> String {
    let lines = operator.doc().map(str::trim);
    let lines = lines.skip_while(|line| line.is_empty());
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let text = lines.join(" ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}

/// An operator in a list of them.
pub fn row(operator: &Operator) -> Value {
    json!({
        "name": operator.full_name(),
        "domain": operator.domain(),
        "since": operator.since(),
        "signature": operator.signature().map(ToString::to_string),
        "summary": summary(operator),
    })
}

/// The newest version of each operator, where the newest of several stands first.
pub fn rows(operators: &[Operator]) -> Value {
    let mut rows = Vec::new();
    let mut last = None;
    for operator in operators {
        let name = operator.full_name();
        if last.as_ref() != Some(&name) {
            rows.push(row(operator));
            last = Some(name);
        }
    }
    json!({ "operators": rows })
}

/// What is answered now to an example.
///
/// # Errors
/// If it can't be read.
pub fn answers(
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

/// An operator as an object.
///
/// # Errors
/// If an example of it can't be read.
pub fn operator(loaded: &Loaded, operator: &Operator) -> Result<Value, Diagnostic> {
    let versions: Vec<u64> = loaded
        .versions(operator)
        .iter()
        .map(Operator::since)
        .collect();
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
    pub fn of_call(operator: &Operator, call: kanshape::Call) -> Question {
        let mut question = Question::new(Subject::Operator(operator.clone()));
        question.inputs = Some(call.inputs);
        question.outputs = call.outputs;
        question.attrs = call.attrs;
        question
    }
}
