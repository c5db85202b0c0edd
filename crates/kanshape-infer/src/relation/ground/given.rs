//! Questions about operators, answered the short way.

use super::operands::Called;
use super::{Buffers, Ground, Stop};
use crate::Answer;
use crate::direct::Outcome;
use crate::query::Query;
use kanshape_types::Type;
use smallvec::SmallVec;

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
    let called = Called {
        operator,
        args,
        count: query.inputs.len(),
        attrs: &query.attrs,
    };
    let library = operator.library();
    let labels = &library.words.labels;
    let outputs = Buffers::with(|buffers| {
        let mut ground = Ground::new(library, query.promotion, buffers);
        let mut inputs: SmallVec<[_; 8]> = SmallVec::new();
        for ty in &query.inputs {
            inputs.push(ground.store.load_type(ty, labels)?);
        }
        let args = called.arguments(|_| true, &mut ground.store)?;
        let outputs = ground.outputs(operator.rule(), &args, &inputs)?;
        let types = outputs.iter().map(|val| ground.store.to_type(*val, labels));
        types.collect::<Result<_, Stop>>()
    })?;
    Ok(Answer {
        outputs,
        inputs: query.inputs.clone(),
        ..Answer::default()
    })
}
