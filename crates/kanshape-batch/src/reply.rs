//! The answers to a question as JSON.

use std::io::{self, Write};

use kanshape::{Answers, Query, Verdict, operator::Places};

use crate::answer_json::AnswerJson;
use crate::type_json::TypesAs;
use crate::why_json::WhyJson;

/// What stands before the error where a question could not be read.
pub const NO_ANSWER: &str = r#""verdict":"unknown","answers":[],"complete":false,"#;
/// The same of a question about types.
pub const NO_RESULT: &str = r#""result":null,"#;

/// Writes the members of an object that say what the answers are, and its end.
pub fn write_answers(
    out: &mut impl Write,
    mut answers: Answers,
    places: Option<&Places>,
    types: TypesAs,
    all: bool,
) -> io::Result<Verdict> {
    let verdict = answers.verdict();
    write!(out, r#""verdict":"{verdict}","answers":["#)?;
    let mut comma = "";
    for answer in &mut answers {
        out.write_all(comma.as_bytes())?;
        serde_json::to_writer(&mut *out, &AnswerJson::new(&answer, places, types))?;
        comma = ",";
    }
    let complete = answers.complete();
    write!(out, r#"],"complete":{complete},"error":null"#)?;
    if verdict == Verdict::Never {
        write_why(out, answers.query(), all)?;
    }
    out.write_all(b"}")?;
    Ok(ended(&answers, verdict))
}

/// Writes why there is no answer; if all reasons are requested, the others as well.
fn write_why(out: &mut impl Write, query: &Query, all: bool) -> io::Result<()> {
    let mut conflicts = match all {
        true => query.explain_all(),
        false => query.explain().into_iter().collect(),
    }
    .into_iter();
    if let Some(first) = conflicts.next() {
        out.write_all(br#","why":"#)?;
        serde_json::to_writer(&mut *out, &WhyJson::of(&first))?;
    }
    if all {
        let others: Vec<_> = conflicts.collect();
        let others: Vec<WhyJson<'_>> = others.iter().map(WhyJson::of).collect();
        out.write_all(br#","also":"#)?;
        serde_json::to_writer(&mut *out, &others)?;
    }
    Ok(())
}

/// The verdict of a question whose answers were taken: unknown if the budget ran out.
pub fn ended(answers: &Answers, verdict: Verdict) -> Verdict {
    match answers.is_stopped() {
        true => Verdict::Unknown,
        false => verdict,
    }
}
