//! Queries: what Python gives, put together and solved.

use super::Rule;
use crate::answer::{Layout, PyAnswer, PyAnswers};
use crate::patience::Patience;
use crate::ty::{self, PyType};
use crate::{dim, number, raise, refusal};
use kanshape::tree::{parse_conditions, split_or_absent};
use kanshape::{AttrValue, Call, Operator, Promotion, Query, Type};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString, PyTuple};
use std::sync::Arc;

/// What is given besides rule and inputs.
#[derive(Default)]
pub(crate) struct Given<'a, 'py> {
    pub(crate) outputs: Option<&'a Bound<'py, PyAny>>,
    pub(crate) params: Option<&'a Bound<'py, PyDict>>,
    pub(crate) attrs: Option<&'a Bound<'py, PyDict>>,
    pub(crate) conditions: Option<&'a Bound<'py, PyAny>>,
    pub(crate) promotion: Option<&'a str>,
    pub(crate) budget: Option<u64>,
    pub(crate) timeout: Option<f64>,
}

/// Which answers are to be found.
#[derive(Default)]
pub(crate) struct Limits {
    pub(crate) limit: Option<usize>,
    pub(crate) max_rank: Option<u64>,
    pub(crate) max_dim: Option<u64>,
    pub(crate) ground: bool,
}

/// The one answer of a rule: types of inputs and outputs, refined as far as they follow.
#[pyfunction]
#[pyo3(signature = (rule, /, *inputs, outputs = None, params = None, attrs = None, opset = None, r#where = None, promotion = None, budget = None, timeout = None))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn infer(
    py: Python<'_>,
    rule: &Bound<'_, PyAny>,
    inputs: &Bound<'_, PyTuple>,
    outputs: Option<&Bound<'_, PyAny>>,
    params: Option<&Bound<'_, PyDict>>,
    attrs: Option<&Bound<'_, PyDict>>,
    #[pyo3(from_py_with = number::count)] opset: Option<u64>,
    r#where: Option<&Bound<'_, PyAny>>,
    promotion: Option<&str>,
    #[pyo3(from_py_with = number::count)] budget: Option<u64>,
    timeout: Option<f64>,
) -> PyResult<PyAnswer> {
    let rule = Rule::read(rule, opset)?;
    let given = Given {
        outputs,
        params,
        attrs,
        conditions: r#where,
        promotion,
        budget,
        timeout,
    };
    one(py, &rule, inputs.as_any(), &given)
}

/// The answers of a rule, found one by one.
#[pyfunction]
#[pyo3(signature = (rule, inputs = None, outputs = None, *, params = None, attrs = None, opset = None, r#where = None, promotion = None, budget = None, timeout = None, limit = None, max_rank = None, max_dim = None, ground = false))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn solve(
    py: Python<'_>,
    rule: &Bound<'_, PyAny>,
    inputs: Option<&Bound<'_, PyAny>>,
    outputs: Option<&Bound<'_, PyAny>>,
    params: Option<&Bound<'_, PyDict>>,
    attrs: Option<&Bound<'_, PyDict>>,
    #[pyo3(from_py_with = number::count)] opset: Option<u64>,
    r#where: Option<&Bound<'_, PyAny>>,
    promotion: Option<&str>,
    #[pyo3(from_py_with = number::count)] budget: Option<u64>,
    timeout: Option<f64>,
    #[pyo3(from_py_with = number::length)] limit: Option<usize>,
    #[pyo3(from_py_with = number::count)] max_rank: Option<u64>,
    #[pyo3(from_py_with = number::count)] max_dim: Option<u64>,
    ground: bool,
) -> PyResult<PyAnswers> {
    let rule = Rule::read(rule, opset)?;
    let given = Given {
        outputs,
        params,
        attrs,
        conditions: r#where,
        promotion,
        budget,
        timeout,
    };
    let limits = Limits {
        limit,
        max_rank,
        max_dim,
        ground,
    };
    all(py, &rule, inputs, &given, &limits)
}

/// The one answer.
pub(crate) fn one(
    py: Python<'_>,
    rule: &Rule,
    inputs: &Bound<'_, PyAny>,
    given: &Given<'_, '_>,
) -> PyResult<PyAnswer> {
    let (query, layout) = build(py, rule, Some(inputs), given)?;
    Patience::seconds(given.timeout)?;
    // This is faster than to release the interpreter's lock and to take it again.
    if let Some(answer) = query.at_once() {
        return Ok(PyAnswer::always(answer, layout));
    }
    let patience = Patience::new(given.timeout)?;
    let query = patience.of(query);
    let found = py.detach(|| query.one());
    patience.check()?;
    match found {
        Ok(answer) => Ok(PyAnswer::new(answer, Arc::new(query), layout)),
        Err(why) => Err(refusal::from(py, why, &patience, &query)),
    }
}

/// All answers, lazily.
pub(crate) fn all(
    py: Python<'_>,
    rule: &Rule,
    inputs: Option<&Bound<'_, PyAny>>,
    given: &Given<'_, '_>,
    limits: &Limits,
) -> PyResult<PyAnswers> {
    let (mut query, layout) = build(py, rule, inputs, given)?;
    if let Some(limit) = limits.limit {
        query = query.limit(limit);
    }
    if let Some(rank) = limits.max_rank {
        query = query.max_rank(rank);
    }
    if let Some(size) = limits.max_dim {
        query = query.ground().max_dim(size);
    }
    if limits.ground {
        query = query.ground();
    }
    let patience = Patience::new(given.timeout)?;
    PyAnswers::new(py, query, patience, layout)
}

/// The query, and where the operands of a call of an operator stand in its answers.
pub(crate) fn build(
    py: Python<'_>,
    rule: &Rule,
    inputs: Option<&Bound<'_, PyAny>>,
    given: &Given<'_, '_>,
) -> PyResult<(Query, Option<Layout>)> {
    let (mut query, layout) = match rule {
        Rule::Signature(signature) => {
            let query = placed(signature.query(), inputs, given.outputs)?;
            // The attributes of an operator that is written as a signature are its parameters.
            (params(params(query, given.params)?, given.attrs)?, None)
        }
        Rule::Operator(operator) => {
            if given.params.is_some_and(|params| !params.is_empty()) {
                return Err(raise::value("an operator has attributes: attrs={..}"));
            }
            let (inputs, may_be_absent) = inputs_of(operator, inputs)?;
            let outputs = each(given.outputs, operand)?;
            let call = Call {
                inputs,
                outputs: outputs.map(|all| all.into_iter().map(|(ty, _)| ty).collect()),
                attrs: attrs(given.attrs)?,
                may_be_absent,
            };
            let layout = Layout::of(operator, &call);
            let query = operator.query(call).map_err(|d| raise::text(py, &d))?;
            (query, layout)
        }
        Rule::Prepared(prepared) => {
            let attrs = given.attrs.or(given.params);
            if attrs.is_some_and(|attrs| !attrs.is_empty()) {
                return Err(raise::value(
                    "the attributes of a prepared operator are fixed",
                ));
            }
            (placed(prepared.query(), inputs, given.outputs)?, None)
        }
    };
    for condition in conditions(py, given.conditions)? {
        query = query.given(condition);
    }
    if let Some(promotion) = given.promotion {
        let promotion: Promotion = promotion.parse().map_err(|d| raise::text(py, &d))?;
        query = query.promotion(promotion);
    }
    if let Some(budget) = given.budget {
        query = query.budget(budget);
    }
    Ok((query, layout))
}

/// A query with the operands in their places.
fn placed(
    mut query: Query,
    inputs: Option<&Bound<'_, PyAny>>,
    outputs: Option<&Bound<'_, PyAny>>,
) -> PyResult<Query> {
    let inputs = each(inputs, ty::ty)?;
    if let Some(inputs) = inputs.filter(|inputs| !inputs.is_empty()) {
        query = query.inputs(inputs);
    }
    let outputs = each(outputs, ty::ty)?.into_iter().flatten();
    for (i, ty) in outputs.enumerate() {
        query = query.output(i, ty);
    }
    Ok(query)
}

/// An operand of an operator, `None` if it is left out, and whether it may be left out.
type Operand = (Option<Type>, bool);

/// Operands that are given, one after the other, as `read` reads them; `None` if none are given.
fn each<'py, T>(
    given: Option<&Bound<'py, PyAny>>,
    read: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<Vec<T>>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(None);
    };
    if let Ok(tuple) = given.cast::<PyTuple>() {
        let mut types = Vec::with_capacity(tuple.len());
        for i in 0..tuple.len() {
            types.push(read(&*tuple.get_borrowed_item(i)?)?);
        }
        return Ok(Some(types));
    }
    listed(given)?
        .map(|obj| read(&obj?))
        .collect::<PyResult<_>>()
        .map(Some)
}

/// What is given as a list of types. An array would be one of its rows.
pub(crate) fn listed<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let is_one = given.is_instance_of::<PyString>()
        || given.is_instance_of::<PyType>()
        || given.is_instance_of::<PyDict>()
        || given.hasattr("dtype")?;
    match given.try_iter() {
        Ok(all) if !is_one => Ok(all),
        _ => {
            let class = given.get_type();
            let class = class.name()?;
            Err(raise::wrong_type(format!(
                "operands are a list of types, and no {class}"
            )))
        }
    }
}

/// An operand of an operator: one may be left out, and what is in an array counts.
fn operand(obj: &Bound<'_, PyAny>) -> PyResult<Operand> {
    if let Ok(text) = obj.cast::<PyString>()
        && let text = text.to_str()?
        && (text.trim() == "-" || split_or_absent(text).is_some())
    {
        return Call::read_operand(text).map_err(|d| raise::text(obj.py(), &d));
    }
    Ok((Some(ty::ty_with_contents(obj)?), false))
}

/// The inputs of a call, and which of them may be left out; without a word of them, those that have to be there.
fn inputs_of(
    operator: &Operator,
    inputs: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Option<Type>>, Vec<usize>)> {
    let given = each(inputs, operand)?.filter(|inputs| !inputs.is_empty());
    Ok(match given {
        Some(given) => {
            let open = given.iter().enumerate().filter(|(_, operand)| operand.1);
            let open = open.map(|(i, _)| i).collect();
            (given.into_iter().map(|(ty, _)| ty).collect(), open)
        }
        None => {
            let needed = operator.inputs().filter(|formal| !formal.optional);
            let needed = needed.map(|_| Some(Type::UNKNOWN)).collect();
            (needed, Vec::new())
        }
    })
}

fn params(mut query: Query, given: Option<&Bound<'_, PyDict>>) -> PyResult<Query> {
    for (name, value) in given.into_iter().flatten() {
        query = query.param(name.cast::<PyString>()?.to_str()?, dim::read(&value)?);
    }
    Ok(query)
}

/// Attributes with their values.
pub(crate) fn attrs(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(Box<str>, AttrValue)>> {
    let given = given.into_iter().flatten();
    given
        .map(|(name, value)| Ok((name.cast::<PyString>()?.to_str()?.into(), ty::attr(&value)?)))
        .collect()
}

/// Conditions: a text, or several.
fn conditions(
    py: Python<'_>,
    given: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<kanshape::Condition>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(Vec::new());
    };
    let mut texts = Vec::new();
    if let Ok(text) = given.cast::<PyString>() {
        texts.push(text.to_str()?.to_owned());
    } else {
        let is_none =
            |_| raise::wrong_type("a condition is a text, and several are a list of texts");
        for text in given.try_iter().map_err(is_none)? {
            let text = text?;
            let text = text.cast::<PyString>().map_err(|e| is_none(e.into()))?;
            texts.push(text.to_str()?.to_owned());
        }
    }
    let mut all = Vec::new();
    for text in texts {
        let read = parse_conditions(&text).map_err(|d| raise::text(py, &d))?;
        all.extend(read.into_iter().map(|condition| condition.node));
    }
    Ok(all)
}
