//! Answers as a person reads them.

use std::io::{self, Write};

use kanshape::{Answer, Type, operator::Places};

use crate::notation::Notation;
use crate::notation::Written;
use crate::question::Question;
use crate::rename::{Renaming, words};
use crate::requested::{Part, Requested};

/// Writes answers to one question, one a line.
pub struct AnswerText {
    requested: Requested,
    /// How many inputs and outputs the question has.
    counts: [usize; 2],
    places: Option<Places>,
    users: Vec<String>,
    notation: Notation,
}

impl AnswerText {
    /// For answers to this question.
    pub fn new(question: &Question) -> AnswerText {
        AnswerText {
            requested: Requested::of(question),
            counts: [question.all_inputs().len(), question.all_outputs().len()],
            places: question.places(),
            users: users_words(question),
            notation: question.notation,
        }
    }

    /// The line, without its end.
    pub fn line(&self, answer: &Answer) -> String {
        let Requested::Parts(parts) = &self.requested else {
            return self.whole(answer);
        };
        let mut shown = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Part::Outputs(from) => {
                    shown.extend((*from..answer.outputs.len()).map(Part::Output));
                }
                part => shown.push(part.clone()),
            }
        }
        let mut texts: Vec<String> = shown.iter().map(|part| self.text(answer, part)).collect();
        let mut conditions: Vec<String> = answer.conditions.iter().map(|c| c.to_string()).collect();
        Renaming::new(&self.users).apply(&mut texts, &mut conditions);
        let labelled = shown.iter().zip(&texts);
        let mut line = labelled
            .map(|(part, text)| format!("{}{text}", self.label(part, shown.len())))
            .collect::<Vec<_>>()
            .join("; ");
        if !conditions.is_empty() {
            line.push_str(" where ");
            line.push_str(&conditions.join(", "));
        }
        line
    }

    /// Writes a line with an answer.
    ///
    /// # Errors
    /// If nothing more can be written.
    pub fn write(&self, out: &mut impl Write, answer: &Answer) -> io::Result<()> {
        writeln!(out, "{}", self.line(answer))
    }

    /// The answer as a whole, with `-` in the places that are left out.
    fn whole(&self, answer: &Answer) -> String {
        let Some(places) = &self.places else {
            return answer.to_string();
        };
        let places = places.in_answer(answer);
        let row = |places: &[Option<usize>], types: &[Type]| {
            let texts = places.iter().map(|at| match at {
                Some(at) => self.slot(types, *at),
                None => "-".to_owned(),
            });
            texts.collect::<Vec<String>>().join(", ")
        };
        let values = answer
            .attrs
            .iter()
            .map(|(name, value)| format!("{name} = {value}"));
        let values: Vec<String> = values.collect();
        let mut line = match values.is_empty() {
            true => String::new(),
            false => format!("[{}] ", values.join(", ")),
        };
        let inputs = row(&places.inputs, &answer.inputs);
        line.push_str(&inputs);
        line.push_str(if inputs.is_empty() { "-> " } else { " -> " });
        line.push_str(&row(&places.outputs, &answer.outputs));
        for (i, condition) in answer.conditions.iter().enumerate() {
            line.push_str(if i == 0 { " where " } else { ", " });
            line.push_str(&condition.to_string());
        }
        line
    }

    /// What stands before one of this many parts; nothing if there is but one type.
    fn label(&self, part: &Part, count: usize) -> String {
        let [inputs, outputs] = self.counts;
        match part {
            Part::Param(name) | Part::Attr(name) => format!("{name} = "),
            Part::Input(_) | Part::Output(_) if count == 1 => String::new(),
            Part::Input(0) if inputs == 1 => "input: ".into(),
            Part::Output(0) if outputs == 1 => "output: ".into(),
            Part::Input(i) => format!("input {i}: "),
            Part::Output(i) | Part::Outputs(i) => format!("output {i}: "),
        }
    }

    fn text(&self, answer: &Answer, part: &Part) -> String {
        let places = self.places.as_ref();
        let at = |places: Option<&Vec<Option<usize>>>, i: usize| {
            let own = places.and_then(|p| p.get(i).copied().flatten());
            own.unwrap_or(i)
        };
        match part {
            Part::Input(i) => {
                let at = at(places.map(|p| &p.inputs), *i);
                match answer.absent.contains(&at) {
                    true => "-".to_owned(),
                    false => self.slot(&answer.inputs, at),
                }
            }
            Part::Output(i) | Part::Outputs(i) => {
                self.slot(&answer.outputs, at(places.map(|p| &p.outputs), *i))
            }
            Part::Param(name) => answer.param(name).map_or("?".into(), ToString::to_string),
            Part::Attr(name) => answer.attr(name).map_or("?".into(), ToString::to_string),
        }
    }

    fn slot(&self, types: &[Type], at: usize) -> String {
        Written(types.get(at).unwrap_or(&Type::UNKNOWN), self.notation).to_string()
    }
}

/// The words in what is given: an answer keeps them.
fn users_words(question: &Question) -> Vec<String> {
    let types = question.inputs.iter().chain(&question.outputs);
    let types = types.flatten().flatten().map(|t| t.to_string());
    let params = question.params.iter().map(|p| p.1.to_string());
    let attrs = question.attrs.iter().map(|a| a.1.to_string());
    let conditions = question.conditions.iter().map(|c| c.to_string());
    words_of(types.chain(params).chain(attrs).chain(conditions))
}

/// The words in these texts, each once.
fn words_of(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for text in texts {
        all.extend(words(&text).map(|word| text[word].to_owned()));
    }
    all.sort_unstable();
    all.dedup();
    all
}
