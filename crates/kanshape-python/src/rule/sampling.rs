//! Samples: an answer without unknowns, chosen by Python.

use super::Rule;
use super::query::{Given, attrs, build, conditioned};
use crate::answer::PyAnswer;
use crate::patience::Patience;
use crate::{number, refusal, ty};
use kanshape::choice::By;
use kanshape::{Call, DtypeSet};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// One answer without unknowns. `choose` chooses one of this many ways, by a number from 0 on, of which 0 is the simplest. With
/// `almost`, its inputs differ from such ones in one dim, dtype or rank, and are refused.
///
/// `inputs` has types of the inputs, `params` and `attrs` parameters and attributes, `where` conditions; chosen sizes are from `min_dim` to
/// `max_dim`.
#[pyfunction]
#[pyo3(signature = (rule, choose, *, inputs = None, params = None, attrs = None, opset = None, r#where = None, dtypes = None, min_dim = None, max_dim = None, max_rank = None, almost = false))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn sample(
    py: Python<'_>,
    rule: &Bound<'_, PyAny>,
    choose: &Bound<'_, PyAny>,
    inputs: Option<&Bound<'_, PyAny>>,
    params: Option<&Bound<'_, PyDict>>,
    attrs: Option<&Bound<'_, PyDict>>,
    #[pyo3(from_py_with = number::count)] opset: Option<u64>,
    r#where: Option<&Bound<'_, PyAny>>,
    dtypes: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = number::count)] min_dim: Option<u64>,
    #[pyo3(from_py_with = number::count)] max_dim: Option<u64>,
    #[pyo3(from_py_with = number::count)] max_rank: Option<u64>,
    almost: bool,
) -> PyResult<PyAnswer> {
    let rule = Rule::read(rule, opset)?;
    let mut failed: Option<PyErr> = None;
    let mut chosen = |ways: u64| {
        if failed.is_some() {
            return 0;
        }
        let answer = choose.call1((ways,)).and_then(|way| way.extract::<u64>());
        answer.unwrap_or_else(|error| {
            failed = Some(error);
            0
        })
    };
    let given = Given {
        params,
        attrs,
        conditions: r#where,
        ..Given::default()
    };
    let are_given = inputs.is_some_and(|inputs| !inputs.is_none());
    let mut query = match &rule {
        Rule::Operator(operator) if !are_given => {
            let mut call = Call {
                attrs: self::attrs(attrs)?,
                ..operator.some_call(&mut By(&mut chosen))
            };
            // A tuple of arrays has no place for what is left out.
            let there = call.inputs.iter().take_while(|input| input.is_some());
            let there = there.count();
            call.inputs.truncate(there);
            let query = operator.query(call);
            let query = query.map_err(|d| crate::raise::text(py, &d))?;
            conditioned(py, query, r#where)?
        }
        _ => build(py, &rule, inputs, &given)?.0,
    };
    if let Some(dtypes) = dtypes.filter(|dtypes| !dtypes.is_none()) {
        let mut set = DtypeSet::EMPTY;
        for dtype in dtypes.try_iter()? {
            set = set.union(ty::dtype_of(&dtype?)?.set());
        }
        query = query.prefer(set);
    }
    if let Some(size) = min_dim {
        query = query.min_dim(size);
    }
    if let Some(size) = max_dim {
        query = query.max_dim(size);
    }
    if let Some(rank) = max_rank {
        query = query.max_rank(rank);
    }
    let patience = Patience::new(None)?;
    let query = patience.of(query);
    let found = match almost {
        false => query.sample(&mut By(chosen)),
        true => query.near_miss(&mut By(chosen)),
    };
    if let Some(error) = failed {
        return Err(error);
    }
    match found {
        Ok(answer) => Ok(PyAnswer::new(answer, Arc::new(query), None)),
        Err(why) => Err(refusal::from(py, why, &patience, &query)),
    }
}
