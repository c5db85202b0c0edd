//! Answers as a person reads them.

use std::collections::BTreeSet;
use std::io::{self, Write};

use kanshape::{Answer, Type, operator::Places};

use crate::notation::InNotation;
use crate::notation::Notation;
use crate::question::Question;
use crate::requested::{Part, Requested};

/// Writes answers to one question, one a line.
pub struct AnswerText {
    requested: Requested,
    /// How many inputs and outputs the question has.
    counts: [usize; 2],
    places: Option<Places>,
    users: BTreeSet<Box<str>>,
    notation: Notation,
}

impl AnswerText {
    /// For answers to this question.
    pub fn new(question: &Question) -> AnswerText {
        AnswerText {
            requested: Requested::of(question),
            counts: [question.all_inputs().len(), question.all_outputs().len()],
            places: question.places(),
            users: users_names(question),
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
        let answer = self.shown_alone(answer, &shown);
        let text = |part| self.label(part, shown.len()) + &self.text(&answer, part);
        let texts: Vec<String> = shown.iter().map(text).collect();
        let mut line = texts.join("; ");
        for (i, condition) in answer.conditions.iter().enumerate() {
            line.push_str(if i == 0 { " where " } else { ", " });
            line.push_str(&condition.to_string());
        }
        line
    }

    /// The parts that are printed, and the conditions. An answer names an unknown that occurs in two places; where only one of them is
    /// printed, the name has no use: `t0[7], t0[] -> t0[7]` shows its output as `?[7]`.
    fn shown_alone(&self, answer: &Answer, shown: &[Part]) -> Answer {
        let mut own = Answer::default();
        own.inputs = vec![Type::UNKNOWN; answer.inputs.len()];
        own.outputs = vec![Type::UNKNOWN; answer.outputs.len()];
        own.conditions = answer.conditions.clone();
        own.absent = answer.absent.clone();
        let put = |to: &mut [Type], from: &[Type], at: usize| {
            if let (Some(to), Some(from)) = (to.get_mut(at), from.get(at)) {
                to.clone_from(from);
            }
        };
        for part in shown {
            match part {
                Part::Input(i) => put(&mut own.inputs, &answer.inputs, self.place(part, *i)),
                Part::Output(i) | Part::Outputs(i) => {
                    put(&mut own.outputs, &answer.outputs, self.place(part, *i));
                }
                Part::Param(name) => {
                    let params = answer.params.iter().filter(|p| *p.0 == **name);
                    own.params.extend(params.cloned());
                }
                Part::Attr(name) => {
                    let attrs = answer.attrs.iter().filter(|a| *a.0 == **name);
                    own.attrs.extend(attrs.cloned());
                }
            }
        }
        // A parameter that is open is called by its label.
        let is_label = |name: &str| answer.params.iter().any(|(label, _)| **label == *name);
        own.canonical(&|name| self.users.contains(name) || is_label(name))
    }

    /// The place in an answer of an operand of the question.
    fn place(&self, part: &Part, i: usize) -> usize {
        let places = self.places.as_ref().map(|places| match part {
            Part::Input(_) => &places.inputs,
            _ => &places.outputs,
        });
        let own = places.and_then(|p| p.get(i).copied().flatten());
        own.unwrap_or(i)
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
        match part {
            Part::Input(i) => {
                let at = self.place(part, *i);
                match answer.absent.contains(&at) {
                    true => "-".to_owned(),
                    false => self.slot(&answer.inputs, at),
                }
            }
            Part::Output(i) | Part::Outputs(i) => self.slot(&answer.outputs, self.place(part, *i)),
            Part::Param(name) => answer.param(name).map_or("?".into(), ToString::to_string),
            Part::Attr(name) => answer.attr(name).map_or("?".into(), ToString::to_string),
        }
    }

    fn slot(&self, types: &[Type], at: usize) -> String {
        InNotation(types.get(at).unwrap_or(&Type::UNKNOWN), self.notation).to_string()
    }
}

/// The names in what is given: an answer keeps them.
fn users_names(question: &Question) -> BTreeSet<Box<str>> {
    let mut names = BTreeSet::new();
    let mut note = |name: &str| {
        names.insert(name.into());
    };
    for ty in question.inputs.iter().chain(&question.outputs) {
        for ty in ty.iter().flatten() {
            ty.for_each_name(&mut note);
            ty.conditions.for_each_name(&mut note);
        }
    }
    for (_, dim) in &question.params {
        dim.for_each_name(&mut note);
    }
    for (_, value) in &question.attrs {
        value.for_each_name(&mut note);
    }
    for condition in &question.conditions {
        condition.for_each_name(&mut note);
    }
    names
}
