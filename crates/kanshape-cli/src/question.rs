//! The question of a command line: its arguments, read.

use kanshape::Diagnostic;
use kanshape::tree::split_binding;
use kanshape_batch::effort::Effort;
use kanshape_batch::loaded::{Loaded, Subject};
use kanshape_batch::question::{Question, conditions, param_value};

use crate::args::QueryArgs;
use crate::mistake;

/// The question of the arguments of `infer` and `enum`.
pub(crate) fn from_args(
    args: &QueryArgs,
    effort: &Effort,
    loaded: &Loaded,
) -> Result<Question, Diagnostic> {
    let subject = loaded.subject(&args.signature, args.opset)?;
    Question::about(&args.signature, subject, loaded.relations(), |subject| {
        filled(subject, args, effort)
    })
}

/// The question about this subject.
fn filled(subject: Subject, args: &QueryArgs, effort: &Effort) -> Result<Question, Diagnostic> {
    let mut question = Question::new(subject);
    question.notation = args.notation;
    question.give_operands(&args.inputs, &args.outputs)?;
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
    question.types = args.notation.types(args.types);
    question.limit = args.limit;
    question.all = args.all;
    question.max_rank = args.max_rank;
    question.plain_sizes = args.plain_sizes;
    question.max_dim = args.max_dim;
    question.ground = args.max_dim.is_some();
    Ok(question)
}
