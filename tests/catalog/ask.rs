//! Asking what an example asks.

use kanshape::catalog::{Entry, Expected, Question};
use kanshape::syntax::parse_conditions;
use kanshape::{Answers, Diagnostic, Dim, Query, Signature, Type};

/// The signature of an entry, ready to be asked.
pub(crate) fn signature(entry: &Entry) -> Result<Signature, Diagnostic> {
    let tree = entry.signature()?.clone();
    Signature::from_tree(tree).map_err(|d| entry.place(d))
}

/// The query that an example asks.
pub(crate) fn query(signature: &Signature, question: &Question) -> Result<Query, Diagnostic> {
    let types = |texts: &[String]| -> Result<Vec<Type>, Diagnostic> {
        texts.iter().map(|t| t.parse()).collect()
    };
    let mut query = signature.query().inputs(types(&question.inputs)?);
    if !question.outputs.is_empty() {
        query = query.outputs(types(&question.outputs)?);
    }
    for (label, value) in &question.params {
        query = query.param(label, value.parse::<Dim>()?);
    }
    if let Some(conditions) = &question.conditions {
        for condition in parse_conditions(conditions)? {
            query = query.given(condition.node);
        }
    }
    Ok(query)
}

/// What the answers are, in the words of an example: the first `most` of them.
pub(crate) fn answered(answers: &mut Answers, most: usize) -> Expected {
    let first: Vec<String> = answers.by_ref().take(most).map(|a| a.to_string()).collect();
    if first.is_empty() && answers.complete() {
        return Expected::Never;
    }
    let more = !answers.complete();
    Expected::Answers { first, more }
}
