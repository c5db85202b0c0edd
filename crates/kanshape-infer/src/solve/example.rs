//! [`Example`]: an example of an operator, as its documentation has it.

use crate::{AttrValue, Call, Operator, Query, code};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Condition;
use kanshape_syntax::{parse_conditions, relation, split_question};
use kanshape_types::{Conditions, Type};

/// An example of an operator: a question, and what its answers are.
///
/// It is written `[NAME = VALUE, ...] INPUTS -> OUTPUTS where CONDITIONS`, as every question is, with `-` for an operand
/// that is left out. Where no answers stand below it, it is a whole call: its outputs, and what holds between their
/// names, are what follows from the inputs.
///
/// ```
/// use kanshape::{Relations, operator::Example};
///
/// let relations = Relations::load_str("mine.kan", "\
/// /// > [axis = 1] f32[2, n] -> f32[2, n]
/// op Neg [axis: int = 0] (X: T[..s]) -> (Y: T[..s])")?;
/// let neg = relations.operator("Neg", None)?;
/// let written = neg.examples().next().unwrap();
/// let example = Example::read(&neg, &written)?;
/// let mut answers = neg.query(example.forwards())?.solve()?;
/// assert_eq!(Some(&answers.next().unwrap().outputs[0]), example.outputs[0].as_ref());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Example {
    /// The inputs; `None` is one that is left out.
    pub inputs: Vec<Option<Type>>,
    /// The attributes that are given.
    pub attrs: Vec<(Box<str>, AttrValue)>,
    /// The outputs. In a whole call, the conditions on their names belong to the first one that is there.
    pub outputs: Vec<Option<Type>>,
    /// What holds between the names of a question.
    pub conditions: Vec<Condition>,
    /// What the answers are; none of a whole call.
    pub answers: Option<Expected>,
}

/// What a question must answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// There is no answer.
    Never,
    /// These answers, in this order, as they are printed.
    Answers {
        /// The first ones.
        first: Vec<String>,
        /// There are more.
        more: bool,
    },
}

impl Expected {
    fn read(answers: &[&str]) -> Option<Expected> {
        match answers {
            [] => None,
            ["never"] => Some(Expected::Never),
            [first @ .., "..."] => Some(Expected::some(first, true)),
            all => Some(Expected::some(all, false)),
        }
    }

    fn some(first: &[&str], more: bool) -> Expected {
        Expected::Answers {
            first: first.iter().map(|answer| (*answer).to_owned()).collect(),
            more,
        }
    }

    /// What a query answers, as far as these answers go.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the query is ill-formed.
    pub fn of(&self, query: &Query) -> Result<Expected, Diagnostic> {
        let most = match self {
            Expected::Never => 0,
            Expected::Answers { first, .. } => first.len(),
        };
        let mut answers = query.solve()?;
        let first: Vec<String> = answers.by_ref().take(most).map(|a| a.to_string()).collect();
        Ok(match (first.is_empty(), answers.complete()) {
            (true, true) => Expected::Never,
            (_, complete) => Expected::Answers {
                first,
                more: !complete,
            },
        })
    }
}

impl Example {
    /// Reads an example of an operator.
    ///
    /// # Errors
    /// A [`Diagnostic`] if it is not written as examples are, if a type in it can't be read, or if the operator has no
    /// such attribute.
    pub fn read(
        operator: &Operator,
        written: &relation::Example<'_>,
    ) -> Result<Example, Diagnostic> {
        let text = written.question;
        let parts = split_question(text)?;
        let answers = Expected::read(&written.answers);
        if parts.outputs.is_none() && answers.is_none() {
            let headline = format!("`{text}` is no example: it has neither outputs nor answers");
            return Err(Diagnostic::new(code::BAD_EXAMPLE, headline)
                .with_help("an example is written `[NAME = VALUE] INPUTS -> OUTPUTS`"));
        }
        let attrs = parts.values.iter().map(|(name, value)| {
            let value = operator.attribute(name)?.read(value)?;
            Ok(((*name).into(), value))
        });
        let attrs = attrs.collect::<Result<_, Diagnostic>>()?;
        let mut conditions = match parts.conditions {
            Some(conditions) => parse_conditions(conditions)?,
            None => Vec::new(),
        };
        let mut outputs = operands(parts.outputs.as_deref().unwrap_or_default())?;
        if answers.is_none()
            && let Some(first) = outputs.iter_mut().flatten().next()
        {
            let conditions: Conditions = conditions.drain(..).map(|c| c.node).collect();
            *first = first.clone().with_conditions(conditions);
        }
        Ok(Example {
            inputs: operands(&parts.inputs)?,
            attrs,
            outputs,
            conditions: conditions.into_iter().map(|c| c.node).collect(),
            answers,
        })
    }

    /// The call, with nothing known of its outputs but which there are.
    pub fn forwards(&self) -> Call {
        let outputs = self.outputs.iter();
        let unknown = outputs.map(|ty| ty.as_ref().map(|_| Type::UNKNOWN));
        Call {
            outputs: Some(unknown.collect()),
            ..self.call()
        }
    }

    /// The whole call with its outputs, if there is any word of them.
    pub fn call(&self) -> Call {
        Call {
            inputs: self.inputs.clone(),
            outputs: (!self.outputs.is_empty()).then(|| self.outputs.clone()),
            attrs: self.attrs.clone(),
            ..Call::default()
        }
    }

    /// The question: of a whole call, what its outputs are.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the operator can't be called so.
    pub fn query(&self, operator: &Operator) -> Result<Query, Diagnostic> {
        let call = match self.answers {
            Some(_) => self.call(),
            None => self.forwards(),
        };
        let conditions = self.conditions.iter().cloned();
        Ok(conditions.fold(operator.query(call)?, Query::given))
    }
}

fn operands(texts: &[&str]) -> Result<Vec<Option<Type>>, Diagnostic> {
    let read = |text: &&str| match *text {
        "-" => Ok(None),
        text => text.parse().map(Some),
    };
    texts.iter().map(read).collect()
}
