//! Calls of functions that are checked (`kanshape/_checked.py`): what is given are values, and no descriptions of types.

use super::query::{Given, build, params};
use super::{PySignature, Rule};
use crate::answer::PyAnswer;
use crate::refusal::Refusal;
use crate::ty::{self, PyType};
use kanshape::Type;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The type of a value: of an array, or a `Type` that stands for one; `None` if it is neither.
#[pyfunction]
pub(crate) fn value_type(value: &Bound<'_, PyAny>) -> PyResult<Option<PyType>> {
    Ok(ty::value(value)?.map(PyType))
}

/// The answer to a call with these values where that is plain. `None` where it is not: one of them is no array, or they don't fit, or more
/// has to be found out.
#[pyfunction]
pub(crate) fn fits(
    signature: &Bound<'_, PySignature>,
    values: &Bound<'_, PyTuple>,
    params: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<PyAnswer>> {
    let mut types: Vec<Type> = Vec::with_capacity(values.len());
    for i in 0..values.len() {
        match ty::value(&*values.get_borrowed_item(i)?) {
            Ok(Some(ty)) => types.push(ty),
            // A dtype that nobody knows is explained by who has the names of the arguments.
            _ => return Ok(None),
        }
    }
    let query = signature.get().0.query().inputs(types);
    let answer = self::params(query, params)?.at_once();
    Ok(answer.map(|answer| PyAnswer::always(answer, None)))
}

/// Why a call has no answer, in the words of the function: what the text of the rule is called, and its inputs and then its outputs.
#[pyfunction]
pub(crate) fn refused(
    py: Python<'_>,
    rule: &Bound<'_, PyAny>,
    inputs: &Bound<'_, PyAny>,
    outputs: Option<&Bound<'_, PyAny>>,
    params: Option<&Bound<'_, PyDict>>,
    source: &str,
    operands: Vec<String>,
) -> PyResult<Refusal> {
    let rule = Rule::read(rule, None)?;
    let given = Given {
        outputs,
        params,
        ..Given::default()
    };
    let (query, _) = build(py, &rule, Some(inputs), &given)?;
    let query = query.called(source, operands.iter().map(String::as_str));
    Ok(Refusal::of(query))
}
