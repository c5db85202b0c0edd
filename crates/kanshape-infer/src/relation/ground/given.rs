//! Questions about operators, answered the short way: where the inputs and attributes are known, the outputs are
//! calculated, and compared with what is given of them.

use super::operands::Called;
use super::{Buffers, Ground, Stop};
use crate::Answer;
use crate::direct::Outcome;
use crate::query::Query;
use kanshape_types::{Dim, DtypeTerm, Type, TypeKind};
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
        types.collect::<Result<Vec<Type>, Stop>>()
    })?;
    // They are the only ones there are.
    for (given, found) in query.outputs.iter().zip(&outputs) {
        match admits(given, found) {
            Some(true) => {}
            Some(false) => return Err(Stop::Fail),
            None => return Err(Stop::Leave),
        }
    }
    Ok(Answer {
        outputs,
        inputs: query.inputs.clone(),
        ..Answer::default()
    })
}

/// Is an output one of those that were given? `None` where only the engine can say: names would have to be bound.
fn admits(given: &Type, found: &Type) -> Option<bool> {
    if given.is_unknown() {
        return Some(true);
    }
    let (TypeKind::Tensor(given_tensor), Some(found)) = (&given.kind, found.as_tensor()) else {
        return None;
    };
    let shape = &given_tensor.shape;
    if !given.conditions.is_empty() || shape.run().is_some_and(|run| run.name.is_some()) {
        return None;
    }
    let is_dtype = match (&given_tensor.dtype, found.dtype.known()) {
        (DtypeTerm::Known(own), Some(found)) => *own == found,
        (DtypeTerm::Hole, _) => true,
        _ => return None,
    };
    let (own, dims) = (shape.dims(), found.shape.dims());
    // What stands behind a run is counted from the end.
    let mut is_shape = match shape.run() {
        Some(_) => own.len() <= dims.len(),
        None => own.len() == dims.len(),
    };
    let (before, after) = (shape.before(), shape.after());
    let last = &dims[dims.len().saturating_sub(after.len())..];
    for (own, dim) in before.iter().zip(dims).chain(after.iter().zip(last)) {
        is_shape &= match own {
            Dim::Size(_) => own == dim,
            Dim::Hole => true,
            _ => return None,
        };
    }
    match (&given_tensor.contents, &found.contents) {
        _ if !is_dtype || !is_shape => Some(false),
        (None, _) => Some(true),
        // Members may be open.
        (Some(own), Some(found)) => (own == found).then_some(true),
        (Some(_), None) => None,
    }
}
