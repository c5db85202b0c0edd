//! [`Question`]: texts as a query.

use kanshape::syntax::parse_conditions;
use kanshape::syntax::tree::Condition;
use kanshape::{Diagnostic, Dim, Promotion, Query, Signature, Type};

use crate::args::QueryArgs;
use crate::catalog;
use crate::mistake;

/// What is given, read, and how to look for the rest.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) signature: Signature,
    /// As many as the user gave: the others are unknown.
    pub(crate) inputs: Vec<Type>,
    pub(crate) outputs: Vec<Type>,
    pub(crate) params: Vec<(Box<str>, Dim)>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) promotion: Promotion,
    pub(crate) budget: u64,
    pub(crate) limit: Option<usize>,
    pub(crate) max_rank: Option<u64>,
    pub(crate) plain_sizes: bool,
    pub(crate) max_dim: Option<u64>,
    /// Are all sizes to be numbers?
    pub(crate) ground: bool,
}

impl Question {
    /// A question about a signature, with nothing given yet.
    pub(crate) fn new(signature: Signature) -> Question {
        Question {
            signature,
            inputs: Vec::new(),
            outputs: Vec::new(),
            params: Vec::new(),
            conditions: Vec::new(),
            promotion: Promotion::default(),
            budget: kanshape::DEFAULT_BUDGET,
            limit: None,
            max_rank: None,
            plain_sizes: false,
            max_dim: None,
            ground: false,
        }
    }

    pub(crate) fn from_args(args: &QueryArgs) -> Result<Question, Diagnostic> {
        let mut question = Question::new(signature(&args.signature)?);
        question.inputs = types("input", &args.inputs)?;
        question.outputs = types("output", &args.outputs)?;
        for text in &args.params {
            question.params.push(param(text, '=')?);
        }
        for text in &args.conditions {
            question.conditions.extend(conditions(text)?);
        }
        question.promotion = args.promotion;
        question.budget = args.budget;
        question.limit = args.limit;
        question.max_rank = args.max_rank;
        question.plain_sizes = args.plain_sizes;
        question.max_dim = args.max_dim;
        question.ground = args.max_dim.is_some();
        Ok(question)
    }

    /// The question of an example.
    pub(crate) fn of_example(
        signature: Signature,
        example: &kanshape::catalog::Question,
    ) -> Result<Question, Diagnostic> {
        let mut question = Question::new(signature);
        question.inputs = types("input", &example.inputs)?;
        question.outputs = types("output", &example.outputs)?;
        for (name, value) in &example.params {
            question
                .params
                .push((name.as_str().into(), param_value(name, value)?));
        }
        if let Some(text) = &example.conditions {
            question.conditions = conditions(text)?;
        }
        Ok(question)
    }

    /// The query, ready to be solved.
    pub(crate) fn query(&self) -> Query {
        let mut query = self.signature.query();
        // No input at all is no miscount: nothing is known of any.
        if !self.inputs.is_empty() {
            query = query.inputs(self.inputs.iter().cloned());
        }
        for (i, ty) in self.outputs.iter().enumerate() {
            query = query.output(i, ty.clone());
        }
        for (label, value) in &self.params {
            query = query.param(label, value.clone());
        }
        for condition in &self.conditions {
            query = query.given(condition.clone());
        }
        query = query.promotion(self.promotion).budget(self.budget);
        if let Some(limit) = self.limit {
            query = query.limit(limit);
        }
        if self.plain_sizes {
            query = query.plain_sizes();
        }
        if let Some(rank) = self.max_rank {
            query = query.max_rank(rank);
        }
        if let Some(size) = self.max_dim {
            query = query.max_dim(size);
        }
        if self.ground { query.ground() } else { query }
    }
}

/// A signature, or the one that the catalog has under this name.
pub(crate) fn signature(text: &str) -> Result<Signature, Diagnostic> {
    let word = text.trim();
    let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.-:".contains(c));
    if is_name {
        catalog::signature(word)
    } else {
        text.parse()
    }
}

/// The types of all inputs or outputs.
fn types(what: &str, texts: &[String]) -> Result<Vec<Type>, Diagnostic> {
    let read = |(i, text): (usize, &String)| ty(text, || format!("{what} {i}"));
    texts.iter().enumerate().map(read).collect()
}

/// A type, and what its text is called where it is wrong.
pub(crate) fn ty(text: &str, name: impl FnOnce() -> String) -> Result<Type, Diagnostic> {
    text.parse().map_err(|d| named(d, name))
}

/// A parameter and its value: `s=2`, `s=?`, or with another sign between them.
pub(crate) fn param(text: &str, sign: char) -> Result<(Box<str>, Dim), Diagnostic> {
    let Some((name, value)) = text.split_once(sign) else {
        return Err(mistake::bad_param(text.trim(), sign));
    };
    let name = name.trim();
    Ok((name.into(), param_value(name, value)?))
}

/// The value of a parameter: a size, a name, an expression or `?`.
pub(crate) fn param_value(name: &str, text: &str) -> Result<Dim, Diagnostic> {
    text.parse()
        .map_err(|d| named(d, || format!("param {name}")))
}

/// What stands behind `where`.
pub(crate) fn conditions(text: &str) -> Result<Vec<Condition>, Diagnostic> {
    let read = parse_conditions(text).map_err(|d| named(d, || "where".into()))?;
    Ok(read.into_iter().map(|c| c.node).collect())
}

/// Says which of the texts it was that is wrong.
fn named(mut diagnostic: Diagnostic, name: impl FnOnce() -> String) -> Diagnostic {
    if let Some(source) = &mut diagnostic.source {
        source.name = name();
    }
    diagnostic
}
