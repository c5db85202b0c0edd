//! One question, and what comes of it.

use kanshape::tree::{parse_conditions, parse_type, split_question};
use kanshape::{Diagnostic, Dim, Query, Signature, Type, Verdict};

use crate::pair;

/// The answers that are looked at unless a question says otherwise.
const LIMIT: usize = 8;

/// A question and what is written below it.
pub(crate) struct Case {
    pub(crate) line: usize,
    pub(crate) question: String,
    options: Vec<String>,
    pub(crate) expected: Vec<String>,
    comments: Vec<String>,
}

impl Case {
    pub(crate) fn new(line: usize, question: &str) -> Case {
        Case {
            line,
            question: question.to_owned(),
            options: Vec::new(),
            expected: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// Does a line belong to the question above it?
    pub(crate) fn goes_on(line: &str) -> bool {
        line.is_empty()
            || ["=> ", "with ", "verdict "]
                .iter()
                .any(|word| line.starts_with(word))
    }

    pub(crate) fn push(&mut self, line: &str) {
        if let Some(options) = line.strip_prefix("with ") {
            self.options
                .extend(options.split(',').map(|o| o.trim().to_owned()));
        } else if line.is_empty() {
            self.comments.push(String::new());
        } else {
            self.expected.push(line.to_owned());
        }
    }

    /// The text of this case, with what was found.
    pub(crate) fn written(&self, got: &[String]) -> String {
        let mut lines = vec![self.question.clone()];
        if !self.options.is_empty() {
            lines.push(format!("with {}", self.options.join(", ")));
        }
        lines.extend(got.iter().cloned());
        lines.extend(self.comments.iter().cloned());
        lines.join("\n") + "\n"
    }

    /// What comes of it, in the form in which it is written.
    pub(crate) fn run(&self) -> Vec<String> {
        let found = if let Some(text) = self.question.strip_prefix("type ") {
            text.parse::<Type>().map(|ty| {
                let print = ty.to_string();
                assert_eq!(print.parse::<Type>().as_ref(), Ok(&ty), "{text}");
                parse_type(&print).unwrap();
                vec![format!("=> {print}")]
            })
        } else if let Some(text) = self.question.strip_prefix("signature ") {
            text.parse::<Signature>().map(|signature| {
                let print = signature.to_string();
                assert_eq!(
                    print.parse::<Signature>().as_ref(),
                    Ok(&signature),
                    "{text}"
                );
                vec![format!("=> {print}")]
            })
        } else if let Some((word, types)) = pair::words(&self.question) {
            let (a, b) = split(types);
            let lines = pair::answer(word, a, b);
            lines.map(|lines| lines.iter().map(|line| format!("=> {line}")).collect())
        } else {
            self.answers()
        };
        found.unwrap_or_else(|d| vec![format!("=> error {}", d.code)])
    }

    fn answers(&self) -> Result<Vec<String>, Diagnostic> {
        let (query, limit) = self.query()?;
        let mut answers = query.clone().limit(limit).solve()?;
        let mut lines: Vec<String> = answers.by_ref().map(|a| format!("=> {a}")).collect();
        for line in &lines {
            reads_back(line);
        }
        let (verdict, complete) = (answers.verdict(), answers.complete());
        match verdict {
            Verdict::Never => lines.push("=> never".into()),
            Verdict::Unknown if lines.is_empty() => lines.push("=> unknown".into()),
            _ if !complete => lines.push("=> ...".into()),
            _ => {}
        }
        if self
            .expected
            .iter()
            .any(|line| line.starts_with("verdict "))
        {
            lines.push(format!("verdict {verdict}"));
        }
        Ok(lines)
    }

    /// The question as a query, and its limit.
    fn query(&self) -> Result<(Query, usize), Diagnostic> {
        let (signature, question) = split(&self.question);
        let signature: Signature = signature.trim().parse()?;
        let parts = split_question(question)?;
        let mut query = signature.query().inputs(types(&parts.inputs)?);
        if let Some(outputs) = parts.outputs.filter(|outputs| !outputs.is_empty()) {
            query = query.outputs(types(&outputs)?);
        }
        for (name, value) in &parts.values {
            query = query.param(name, value.parse::<Dim>()?);
        }
        if let Some(text) = parts.conditions {
            for condition in parse_conditions(text)? {
                query = query.given(condition.node);
            }
        }
        let mut limit = LIMIT;
        for option in &self.options {
            let (name, value) = option.split_once(' ').unwrap();
            let number = || value.parse::<u64>().unwrap();
            query = match name {
                "promotion" => query.promotion(value.parse()?),
                "max_rank" => query.max_rank(number()),
                "max_dim" => query.ground().max_dim(number()),
                "budget" => query.budget(number()),
                "limit" => {
                    limit = value.parse().unwrap();
                    query
                }
                _ => panic!("no option {name}"),
            };
        }
        Ok((query, limit))
    }
}

fn types(texts: &[&str]) -> Result<Vec<Type>, Diagnostic> {
    texts.iter().map(|text| text.parse()).collect()
}

/// The signature and the question, or two types, between which a colon stands alone, outside of all brackets.
fn split(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ':' if depth == 0 && text[..i].ends_with(' ') && text[i + 1..].starts_with(' ') => {
                return (&text[..i], &text[i + 1..]);
            }
            _ => {}
        }
    }
    panic!("no question behind ` : ` in {text}");
}

/// What is printed behind `where` is read again, and printed the same.
fn reads_back(line: &str) {
    if let Some((_, conditions)) = line.split_once(" where ") {
        let read = parse_conditions(conditions).unwrap();
        let print: Vec<String> = read.iter().map(ToString::to_string).collect();
        assert_eq!(print.join(", "), conditions);
    }
}
