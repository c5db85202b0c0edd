//! A line as a question about a text: its parts and their places, so that a program that shows the text need not parse it.

use std::io;

use kanshape::Diagnostic;
use kanshape::tree::relation::{Applied, Goal, Node, Rule, Term, parse_rule};
use kanshape::tree::{Span, Spanned, Type, parse_type};
use kanshape::tree::{split_list, split_or_absent, split_question};
use serde_json::{Map, Value, json};

use super::LineError;
use super::fields::Line;
use super::reply::{ReplyHead, write_object};
use super::subjects::Subjects;
use super::value::{members, text, whole_text};
use crate::field::Field;
use crate::mistake;

const FORMS: &str = "\"type\", \"list\", \"question\" or \"rule\"";

/// Answers a line about a text.
pub(super) fn answer(
    line: &Line<'_>,
    subjects: &Subjects,
    out: &mut Vec<u8>,
    head: ReplyHead<'_>,
) -> Result<io::Result<()>, LineError> {
    let Some(raw) = line.value(Field::Parse) else {
        let wrong = mistake::wrong_kind(Field::Parse.name(), "a text");
        return Err(LineError::new(wrong, Field::Parse.name()));
    };
    let written = whole_text(raw, Field::Parse)?;
    let form = match line.value(Field::As) {
        Some(raw) => whole_text(raw, Field::As)?,
        None => "".into(),
    };
    let wrong = |d: Diagnostic| LineError::new(d, Field::Parse.name());
    let found = match &*form {
        "type" => of_type(&written).map_err(wrong)?,
        "list" => {
            let list = format!("[{written}]");
            let all = split_list(&list).ok_or_else(|| {
                let wanted = "texts with commas between them";
                wrong(mistake::wrong_kind(Field::Parse.name(), wanted))
            })?;
            json!({ "texts": all })
        }
        "question" => {
            let question = split_question(&written).map_err(wrong)?;
            let values: Map<String, Value> = question
                .values
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).into()))
                .collect();
            json!({
                "values": values,
                "inputs": question.inputs,
                "outputs": question.outputs,
                "where": question.conditions,
            })
        }
        "rule" => {
            let rule = parse_rule(&written).map_err(wrong)?;
            let given = given(line)?;
            Parts {
                text: &written,
                given: &given,
                rule: &rule,
                subjects,
            }
            .of_rule()
        }
        _ => {
            let wrong = mistake::wrong_kind(Field::As.name(), FORMS);
            return Err(LineError::new(wrong, Field::As.name()));
        }
    };
    Ok(write_object(out, head, &found))
}

/// The text of a type, the places of its dims, and whether it is of an operand that may be left out.
fn of_type(written: &str) -> Result<Value, Diagnostic> {
    let before_or = split_or_absent(written);
    let own = before_or.unwrap_or(written);
    let before = written.len() - written.trim_start().len();
    let at = if own.len() == written.len() {
        0
    } else {
        before
    };
    let read = parse_type(own)?;
    let dims = match &read.ty.node {
        Type::Tensor { shape, .. } => {
            let place = |span: Span| json!({ "start": span.start + at, "end": span.end + at });
            Some(shape.iter().map(|dim| place(dim.span)).collect::<Vec<_>>())
        }
        _ => None,
    };
    Ok(json!({ "type": own.trim(), "may_be_absent": before_or.is_some(), "dims": dims }))
}

/// The values that the variables of attributes are shown with.
fn given(line: &Line<'_>) -> Result<Vec<(String, String)>, LineError> {
    let Some(raw) = line.value(Field::Attrs) else {
        return Ok(Vec::new());
    };
    let all = members(raw, Field::Attrs, "an object of texts by name")?;
    let all = all.into_iter().map(|(name, raw)| {
        let value = text(raw, Field::Attrs, || format!("attrs.{name}"))?.into_owned();
        Ok((name.into_owned(), value))
    });
    all.collect()
}

/// A rule with its text.
struct Parts<'r> {
    text: &'r str,
    given: &'r [(String, String)],
    rule: &'r Rule,
    subjects: &'r Subjects,
}

impl<'r> Parts<'r> {
    fn of_rule(&self) -> Value {
        let rule = self.rule;
        let whole = |side: &[Spanned<Node>]| match side {
            [first, .., last] => first.span.to(last.span),
            [one] => one.span,
            [] => Span::default(),
        };
        let (left, right) = (whole(&rule.left), whole(&rule.right));
        let goals: Vec<&str> = match &rule.body.node {
            Goal::True => Vec::new(),
            Goal::All(all) => all.iter().map(|one| self.at(one.span)).collect(),
            _ => vec![self.at(rule.body.span)],
        };
        let head = self.text.get(..left.start).unwrap_or_default();
        let side = |all: &'r [Spanned<Node>]| -> Vec<Value> {
            all.iter().map(|node| self.node(node)).collect()
        };
        json!({
            "head": head.trim(),
            "left": { "text": self.at(left), "terms": side(&rule.left) },
            "both": rule.both,
            "right": { "text": self.at(right), "terms": side(&rule.right) },
            "goals": goals,
        })
    }

    fn at(&self, span: Span) -> &'r str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// A part of a side. The reader bounds how deep they are.
    fn node(&self, node: &Spanned<Node>) -> Value {
        let text = self.at(node.span);
        match &node.node {
            Node::Call(call) => json!({
                "kind": "call",
                "text": text,
                "name": self.at(match &call.domain {
                    Some(domain) => domain.span.to(call.name.span),
                    None => call.name.span,
                }),
                "op": self.operator(call),
                "attrs": self.attrs(call),
                "args": call.args.iter().map(|one| self.node(one)).collect::<Vec<_>>(),
            }),
            Node::Leaf(name) | Node::Constant(name) => {
                json!({ "kind": "leaf", "text": text, "name": name.node })
            }
            Node::Literal(term) => {
                let text = self.shown(term);
                let ty = match &term.node {
                    Term::List(all) => format!("i64[{}] = {text}", all.len()),
                    _ => "?[]".to_owned(),
                };
                json!({ "kind": "literal", "text": text, "name": text, "type": ty })
            }
            Node::None => json!({ "kind": "none", "text": text, "name": text }),
        }
    }

    /// The operator that is denoted: of the rule's domain, if that has it.
    fn operator(&self, call: &Applied) -> String {
        let name = &call.name.node;
        if let Some(domain) = &call.domain {
            return format!("{}::{name}", domain.node);
        }
        let own = format!("{}::{name}", self.rule.domain);
        let is_there = || self.subjects.relations().operator(&own, None).is_ok();
        match !self.rule.domain.is_empty() && is_there() {
            true => own,
            false => format!("onnx::{name}"),
        }
    }

    fn attrs(&self, call: &Applied) -> Map<String, Value> {
        let attrs = call.attrs.iter();
        attrs
            .map(|(name, value)| (name.node.to_string(), self.shown(value).into()))
            .collect()
    }

    /// A term as it is written, with values in place of variables.
    fn shown(&self, term: &Spanned<Term>) -> String {
        let mut names = Vec::new();
        term.node.for_each_name(&mut |name| names.push(name));
        names.sort_by_key(|own| own.span.start);
        let mut shown = String::new();
        let mut at = term.span.start;
        for Spanned { node: name, span } in names {
            let value = self.given.iter().find(|(own, _)| **own == **name);
            let (Some((_, value)), true) = (value, span.start >= at) else {
                continue;
            };
            shown.push_str(self.at(Span::new(at, span.start)));
            shown.push_str(value);
            at = span.end;
        }
        shown.push_str(self.at(Span::new(at, term.span.end)));
        shown
    }
}
