//! Answers as a person reads them.

use std::io::{self, Write};

use kanshape::{Answer, Type};

use crate::asked::{Asked, Part};
use crate::question::Question;
use crate::rename::{Renaming, words};

/// Writes answers to one question, one a line.
pub(crate) struct AnswerText {
    asked: Asked,
    labels: Vec<String>,
    users: Vec<String>,
}

impl AnswerText {
    pub(crate) fn new(question: &Question) -> AnswerText {
        let asked = Asked::of(question);
        let labels = match &asked {
            Asked::Whole => Vec::new(),
            Asked::Parts(parts) => parts
                .iter()
                .map(|part| label(question, part, parts))
                .collect(),
        };
        AnswerText {
            asked,
            labels,
            users: users_words(question),
        }
    }

    /// The line, without its end.
    pub(crate) fn line(&self, answer: &Answer) -> String {
        let Asked::Parts(parts) = &self.asked else {
            return answer.to_string();
        };
        let mut texts: Vec<String> = parts.iter().map(|part| text(answer, part)).collect();
        let mut conditions: Vec<String> = answer.conditions.iter().map(|c| c.to_string()).collect();
        Renaming::new(&self.users).apply(&mut texts, &mut conditions);
        let labelled = self.labels.iter().zip(&texts);
        let mut line = labelled
            .map(|(label, text)| format!("{label}{text}"))
            .collect::<Vec<_>>()
            .join("; ");
        if !conditions.is_empty() {
            line.push_str(" where ");
            line.push_str(&conditions.join(", "));
        }
        line
    }

    pub(crate) fn write(&self, out: &mut impl Write, answer: &Answer) -> io::Result<()> {
        writeln!(out, "{}", self.line(answer))
    }
}

/// What stands before a part; nothing if there is but one type.
fn label(question: &Question, part: &Part, all: &[Part]) -> String {
    match part {
        Part::Param(name) => format!("{name} = "),
        Part::Input(_) | Part::Output(_) if all.len() == 1 => String::new(),
        Part::Input(0) if question.signature.input_count() == 1 => "input: ".into(),
        Part::Output(0) if question.signature.output_count() == 1 => "output: ".into(),
        Part::Input(i) => format!("input {i}: "),
        Part::Output(i) => format!("output {i}: "),
    }
}

fn text(answer: &Answer, part: &Part) -> String {
    let slot = |types: &[Type], i: usize| types.get(i).unwrap_or(&Type::UNKNOWN).to_string();
    match part {
        Part::Input(i) => slot(&answer.inputs, *i),
        Part::Output(i) => slot(&answer.outputs, *i),
        Part::Param(name) => answer.param(name).map_or("?".into(), ToString::to_string),
    }
}

/// The words in what is given: an answer keeps them.
fn users_words(question: &Question) -> Vec<String> {
    let types = question.inputs.iter().chain(&question.outputs);
    let params = question.params.iter().map(|p| p.1.to_string());
    let conditions = question.conditions.iter().map(|c| c.to_string());
    let texts = types.map(|t| t.to_string()).chain(params).chain(conditions);
    let mut all = Vec::new();
    for text in texts {
        all.extend(words(&text).map(|word| text[word].to_owned()));
    }
    all.sort_unstable();
    all.dedup();
    all
}
