//! Queries that give all inputs.

use super::Stop;
use super::prepared::Prepared;
use super::value::Value;
use crate::Answer;
use crate::direct::Outcome;
use crate::query::Query;
use kanshape_types::Type;

/// The answer to a question about an operator whose inputs and attributes are known.
pub(crate) fn of_query(query: &Query) -> Outcome {
    match answer(query) {
        Ok(answer) => Outcome::Answer(Box::new(answer)),
        Err(Stop::Fail) => Outcome::Never,
        Err(Stop::Wait | Stop::Leave) => Outcome::NotPlain,
    }
}

fn answer(query: &Query) -> Result<Answer, Stop> {
    let program = query.signature.program();
    let (Some(operator), Some(calls)) = (&program.operator, &program.calls) else {
        return Err(Stop::Leave);
    };
    let [(_, args)] = &calls.calls[..] else {
        return Err(Stop::Leave);
    };
    if !query.outputs.iter().all(Type::is_unknown) {
        return Err(Stop::Leave);
    }
    let labels = &calls.library.words.labels;
    let values = query.inputs.iter().map(|ty| Value::of_type(ty, labels));
    let values: Vec<Value> = values.collect::<Option<_>>().ok_or(Stop::Leave)?;
    let (count, all) = (values.len(), |_| true);
    let prepared = Prepared::of_call(operator, args, count, all, &query.attrs, query.promotion);
    let inputs: Vec<&Value> = values.iter().collect();
    let outputs = prepared.ok_or(Stop::Leave)?.run(&inputs)?;
    let outputs = outputs.iter().map(|value| value.to_type(labels));
    Ok(Answer {
        outputs: outputs.collect::<Option<_>>().ok_or(Stop::Leave)?,
        inputs: query.inputs.clone(),
        ..Answer::default()
    })
}
