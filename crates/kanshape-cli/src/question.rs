//! [`Question`]: texts as a query.

use kanshape::Condition;
use kanshape::unstable::syntax::{parse_conditions, split_binding};
use kanshape::{
    AttrValue, Call, Diagnostic, Dim, Operator, Promotion, Query, Signature, Type, operator::Places,
};

use crate::args::{QueryArgs, TypesAs};
use crate::effort::Effort;
use crate::loaded::{Loaded, Subject};
use crate::mistake;

/// What is given, read, and how to look for the rest.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) subject: Subject,
    /// As many as the user gave; without a word of them they are unknown. `None` is one that is left out.
    pub(crate) inputs: Option<Vec<Option<Type>>>,
    pub(crate) outputs: Option<Vec<Option<Type>>>,
    pub(crate) params: Vec<(Box<str>, Dim)>,
    pub(crate) attrs: Vec<(Box<str>, AttrValue)>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) promotion: Promotion,
    pub(crate) effort: Effort,
    /// How types are written in JSON.
    pub(crate) types: TypesAs,
    pub(crate) limit: Option<usize>,
    pub(crate) max_rank: Option<u64>,
    pub(crate) plain_sizes: bool,
    pub(crate) max_dim: Option<u64>,
    /// Are all sizes to be numbers?
    pub(crate) ground: bool,
    /// Where there is no solution, are all reasons requested?
    pub(crate) all: bool,
}

impl Question {
    /// A question about a signature or an operator, with nothing given yet.
    pub(crate) fn new(subject: Subject) -> Question {
        Question {
            subject,
            inputs: None,
            outputs: None,
            params: Vec::new(),
            attrs: Vec::new(),
            conditions: Vec::new(),
            promotion: Promotion::default(),
            effort: Effort::default(),
            types: TypesAs::default(),
            limit: None,
            max_rank: None,
            plain_sizes: false,
            max_dim: None,
            ground: false,
            all: false,
        }
    }

    pub(crate) fn from_args(
        args: &QueryArgs,
        effort: &Effort,
        loaded: &Loaded,
    ) -> Result<Question, Diagnostic> {
        let subject = loaded.subject(&args.signature, args.opset)?;
        let mut question = Question::new(subject);
        question.inputs = question.operands("input", &args.inputs)?;
        question.outputs = question.operands("output", &args.outputs)?;
        for text in &args.params {
            let Some((name, value)) = split_binding(text) else {
                return Err(mistake::bad_param(text.trim()));
            };
            question
                .params
                .push((name.into(), param_value(name, value)?));
        }
        for text in &args.attrs {
            let Some((name, value)) = split_binding(text) else {
                return Err(mistake::bad_attr(text.trim()));
            };
            question.give(name, value)?;
        }
        for text in &args.conditions {
            question.conditions.extend(conditions(text)?);
        }
        question.promotion = args.promotion;
        question.effort = *effort;
        question.types = args.types;
        question.limit = args.limit;
        question.all = args.all;
        question.max_rank = args.max_rank;
        question.plain_sizes = args.plain_sizes;
        question.max_dim = args.max_dim;
        question.ground = args.max_dim.is_some();
        Ok(question)
    }

    /// Reads all inputs or outputs; none are no word of them.
    pub(crate) fn operands(
        &self,
        what: &str,
        texts: &[impl AsRef<str>],
    ) -> Result<Option<Vec<Option<Type>>>, Diagnostic> {
        if texts.is_empty() {
            return Ok(None);
        }
        let read = |(i, text)| self.operand(text, || format!("{what} {i}"));
        let texts = texts.iter().map(AsRef::as_ref).enumerate();
        texts.map(read).collect::<Result<_, _>>().map(Some)
    }

    /// Reads an operand: of an operator, `-` is one that is left out.
    pub(crate) fn operand(
        &self,
        text: &str,
        name: impl FnOnce() -> String,
    ) -> Result<Option<Type>, Diagnostic> {
        match &self.subject {
            Subject::Operator(_) if text.trim() == "-" => Ok(None),
            _ => ty(text, name).map(Some),
        }
    }

    /// Gives an attribute of an operator, or a parameter of a signature: `strides` and `[2, 2]`.
    pub(crate) fn give(&mut self, name: &str, value: &str) -> Result<(), Diagnostic> {
        match &self.subject {
            Subject::Operator(operator) => {
                let value = operator.attribute(name)?.read(value)?;
                self.attrs.push((name.into(), value));
            }
            Subject::Signature(_) => self.params.push((name.into(), param_value(name, value)?)),
        }
        Ok(())
    }

    /// All inputs of the question: without a word of them, those that have to be there.
    pub(crate) fn all_inputs(&self) -> Vec<Option<Type>> {
        match (&self.inputs, &self.subject) {
            (Some(given), _) => given.clone(),
            (None, Subject::Signature(s)) => vec![Some(Type::UNKNOWN); s.input_count()],
            // One of those of which there can be any number.
            (None, Subject::Operator(op)) => {
                let needed = op.inputs().filter(|f| !f.optional);
                needed.map(|_| Some(Type::UNKNOWN)).collect()
            }
        }
    }

    /// All outputs of the question, but for those of which an answer can have any number.
    pub(crate) fn all_outputs(&self) -> Vec<Option<Type>> {
        let mut all = self.outputs.clone().unwrap_or_default();
        match &self.subject {
            Subject::Signature(s) if all.len() < s.output_count() => {
                all.resize(s.output_count(), Some(Type::UNKNOWN));
            }
            Subject::Operator(op) if self.outputs.is_none() => all = op.sure_outputs(),
            _ => {}
        }
        all
    }

    /// Can an answer have more outputs than those?
    pub(crate) fn has_more_outputs(&self) -> bool {
        match &self.subject {
            Subject::Operator(op) => self.outputs.is_none() && op.outputs().any(|f| f.variadic),
            Subject::Signature(_) => false,
        }
    }

    /// Where the operands of the question stand in its answers; none if they stand as they do there.
    pub(crate) fn places(&self) -> Option<Places> {
        match &self.subject {
            Subject::Operator(operator) => Some(operator.places(&self.call())),
            Subject::Signature(_) => None,
        }
    }

    fn call(&self) -> Call {
        Call {
            inputs: self.all_inputs(),
            outputs: self.outputs.clone(),
            attrs: self.attrs.clone(),
        }
    }

    /// The query, ready to be solved.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the operator can't be called so.
    pub(crate) fn query(&self) -> Result<Query, Diagnostic> {
        let mut query = match &self.subject {
            Subject::Signature(signature) => self.of_signature(signature),
            Subject::Operator(operator) => self.of_operator(operator)?,
        };
        for (label, value) in &self.params {
            query = query.param(label, value.clone());
        }
        for condition in &self.conditions {
            query = query.given(condition.clone());
        }
        query = query
            .promotion(self.promotion)
            .budget(self.effort.steps())
            .control(self.effort.control());
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
        Ok(if self.ground { query.ground() } else { query })
    }

    fn of_operator(&self, operator: &Operator) -> Result<Query, Diagnostic> {
        if let Some((name, _)) = self.params.first() {
            return Err(mistake::no_params(&operator.full_name(), name));
        }
        operator.query(self.call())
    }

    fn of_signature(&self, signature: &Signature) -> Query {
        let mut query = signature.query();
        if let Some(inputs) = &self.inputs {
            query = query.inputs(inputs.iter().flatten().cloned());
        }
        let outputs = self.outputs.iter().flatten().flatten();
        for (i, ty) in outputs.enumerate() {
            query = query.output(i, ty.clone());
        }
        query
    }
}

/// A type, and what its text is called where it is wrong.
pub(crate) fn ty(text: &str, name: impl FnOnce() -> String) -> Result<Type, Diagnostic> {
    text.parse().map_err(|d| named(d, name))
}

/// The value of a parameter: a size, a name, an expression or `?`.
fn param_value(name: &str, text: &str) -> Result<Dim, Diagnostic> {
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
