//! Queries: what Python gives, put together and solved.

use super::{Rule, torch};
use crate::answer::{Layout, PyAnswer, PyAnswers};
use crate::patience::Patience;
use crate::ty::{self, PyType, Weak, settle};
use crate::{dim, number, raise, refusal};
use kanshape::tree::{parse_conditions, split_or_absent};
use kanshape::{
    AttrValue, Call, Content, Contents, Dim, DtypeTerm, Operator, Promotion, Query, Type, Verdict,
};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyIterator, PyString, PyTuple};
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
///
/// - `rule`: a signature or its text, an operator or its name, or a function of NumPy, JAX or torch that is an operator.
/// - `inputs`: types of the inputs: a text `"f32[2, n]"`, a `Type`, a tuple of sizes, something with shape and dtype, a number of Python, or
///   `None` where nothing is known.
/// - `outputs`: what is known of the outputs.
/// - `params`: parameters of a signature, `attrs`: attributes of an operator. One that is `None` is solved for.
/// - `opset`: the version of the operator's domain.
/// - `where`: conditions that hold of the names in the types, `"n >= 2"`, or a list of them.
/// - `promotion`: what `promote` means: `"numpy"`, `"torch"`, `"jax"`, or `"none"`.
/// - `budget`, `timeout`: the most steps and seconds.
///
/// `Never` if there is no answer, `Several` if there are more, `Undecided` if budget or timeout ran out.
#[pyfunction]
#[pyo3(signature = (rule, /, *inputs, outputs = None, params = None, attrs = None, opset = None, r#where = None, promotion = None, budget = None, timeout = None, **others),
       text_signature = "(rule, /, *inputs, outputs=None, params=None, attrs=None, opset=None, where=None, promotion=None, budget=None, timeout=None)")]
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
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyAnswer> {
    let named = rule;
    let rule = Rule::read(rule, opset)?;
    no_keywords("infer", &rule, others)?;
    let given = Given {
        outputs,
        params,
        attrs,
        conditions: r#where,
        promotion,
        budget,
        timeout,
    };
    let rule = torch::overload(named, rule, Some(inputs.as_any()), &given)?;
    one(py, &rule, inputs.as_any(), &given)
}

/// The answers of a rule, found one by one.
///
/// `inputs` and `outputs` are lists of types; what else is given is said at `infer`. `limit` is the most answers. `ground` asks for sizes and
/// ranks that are numbers, up to `max_dim` and `max_rank`.
#[pyfunction]
#[pyo3(signature = (rule, inputs = None, outputs = None, *, params = None, attrs = None, opset = None, r#where = None, promotion = None, budget = None, timeout = None, limit = None, max_rank = None, max_dim = None, ground = false, **others),
       text_signature = "(rule, inputs=None, outputs=None, *, params=None, attrs=None, opset=None, where=None, promotion=None, budget=None, timeout=None, limit=None, max_rank=None, max_dim=None, ground=False)")]
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
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyAnswers> {
    let named = rule;
    let rule = Rule::read(rule, opset)?;
    no_keywords("solve", &rule, others)?;
    let given = Given {
        outputs,
        params,
        attrs,
        conditions: r#where,
        promotion,
        budget,
        timeout,
    };
    let rule = torch::overload(named, rule, inputs, &given)?;
    let limits = Limits {
        limit,
        max_rank,
        max_dim,
        ground,
    };
    all(py, &rule, inputs, &given, &limits)
}

/// An attribute that is given as a keyword.
fn no_keywords(function: &str, rule: &Rule, others: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    let Some((name, value)) = others.and_then(|others| others.iter().next()) else {
        return Ok(());
    };
    let place = match rule {
        Rule::Signature(_) => "parameters go into params",
        Rule::Operator(_) => "attributes go into attrs",
        Rule::Prepared(_) => "the attributes of a prepared operator are fixed: prepare(.., attrs",
    };
    let end = if matches!(rule, Rule::Prepared(_)) {
        ")"
    } else {
        ""
    };
    Err(raise::wrong_type(format!(
        "{function}() has no keyword `{name}`: {place}={{'{name}': {value:?}}}{end}"
    )))
}

/// The one answer.
pub(crate) fn one(
    py: Python<'_>,
    rule: &Rule,
    inputs: &Bound<'_, PyAny>,
    given: &Given<'_, '_>,
) -> PyResult<PyAnswer> {
    let found = one_of(py, rule, inputs, given, false);
    // A number that has to be of the other dtype, as an index, is of its own.
    match found {
        Err(why) if has_scalar(inputs)? && raise::is_never(py, &why) => {
            let other = one_of(py, rule, inputs, given, true);
            other.map_err(|_| why)
        }
        found => found,
    }
}

/// Is there a number of Python among the inputs?
fn has_scalar(inputs: &Bound<'_, PyAny>) -> PyResult<bool> {
    for input in inputs.try_iter()? {
        if Weak::scalar(&input?)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn one_of(
    py: Python<'_>,
    rule: &Rule,
    inputs: &Bound<'_, PyAny>,
    given: &Given<'_, '_>,
    alone: bool,
) -> PyResult<PyAnswer> {
    let (query, layout) = build_with(py, rule, Some(inputs), given, alone)?;
    answered(py, query, layout, given.timeout)
}

/// The one answer of a query.
pub(super) fn answered(
    py: Python<'_>,
    query: Query,
    layout: Option<Layout>,
    timeout: Option<f64>,
) -> PyResult<PyAnswer> {
    Patience::seconds(timeout)?;
    // This is faster than to release the interpreter's lock and to take it again.
    if let Some(answer) = query.at_once() {
        return Ok(PyAnswer::always(answer, layout));
    }
    let patience = Patience::new(timeout)?;
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
    if let Some(given_inputs) = inputs.filter(|inputs| !inputs.is_none())
        && has_scalar(given_inputs)?
        && query
            .clone()
            .limit(1)
            .solve()
            .is_ok_and(|mut all| all.verdict() == Verdict::Never)
    {
        query = build_with(py, rule, inputs, given, true)?.0;
    }
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
    build_with(py, rule, inputs, given, false)
}

/// The same; numbers of Python are of their own dtypes, if `alone`.
fn build_with(
    py: Python<'_>,
    rule: &Rule,
    inputs: Option<&Bound<'_, PyAny>>,
    given: &Given<'_, '_>,
    alone: bool,
) -> PyResult<(Query, Option<Layout>)> {
    let promotion: Option<Promotion> = match given.promotion {
        Some(promotion) => Some(promotion.parse().map_err(|d| raise::text(py, &d))?),
        None => None,
    };
    let reading = OperandReading {
        promotion: promotion.unwrap_or_default(),
        alone,
    };
    let (mut query, layout) = match rule {
        Rule::Signature(signature) => {
            let query = placed(signature.query(), inputs, given.outputs, &reading)?;
            // The attributes of an operator that is written as a signature are its parameters.
            (params(params(query, given.params)?, given.attrs)?, None)
        }
        Rule::Operator(operator) => {
            if given.params.is_some_and(|params| !params.is_empty()) {
                return Err(raise::value("an operator has attributes: attrs={..}"));
            }
            let (inputs, may_be_absent) = inputs_of(operator, inputs, &reading)?;
            let outputs = each(given.outputs, |obj| operand(obj, &reading))?;
            let call = Call {
                inputs,
                outputs: outputs.map(|all| all.into_iter().map(|(ty, _)| ty).collect()),
                attrs: attrs(given.attrs)?,
                may_be_absent,
            };
            let layout = Layout::of(operator, &call);
            let is_whole = operator.check_required(&call.attrs);
            let query = is_whole.and_then(|()| operator.query(call));
            let query = query.map_err(|d| raise::text(py, &d))?;
            (query, layout)
        }
        Rule::Prepared(prepared) => {
            let attrs = given.attrs.or(given.params);
            if attrs.is_some_and(|attrs| !attrs.is_empty()) {
                return Err(raise::value(
                    "the attributes of a prepared operator are fixed",
                ));
            }
            (
                placed(prepared.query(), inputs, given.outputs, &reading)?,
                None,
            )
        }
    };
    query = conditioned(py, query, given.conditions)?;
    if let Some(promotion) = promotion {
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
    reading: &OperandReading,
) -> PyResult<Query> {
    let read = each(inputs, |obj| reading.weak_or(obj, ty::ty))?;
    if let Some(read) = read.filter(|inputs| !inputs.is_empty()) {
        query = query.inputs(reading.settled(inputs, read)?);
    }
    let outputs = each(outputs, ty::ty)?.into_iter().flatten();
    for (i, ty) in outputs.enumerate() {
        query = query.output(i, ty);
    }
    Ok(query)
}

/// How operands are read.
struct OperandReading {
    promotion: Promotion,
    alone: bool,
}

impl OperandReading {
    /// An operand, and what there is to say if its dtype depends on the others.
    fn weak_or(
        &self,
        obj: &Bound<'_, PyAny>,
        read: impl Fn(&Bound<'_, PyAny>) -> PyResult<Type>,
    ) -> PyResult<(Type, Option<Weak>)> {
        if let Some(weak) = Weak::scalar(obj)? {
            let scalar = Type::tensor(DtypeTerm::Hole, std::iter::empty::<Dim>());
            let ty = match obj.extract::<i64>() {
                Ok(n) if !obj.is_instance_of::<PyBool>() => {
                    scalar.with_contents(Contents::new(vec![Content::Int(n)]))
                }
                _ => scalar,
            };
            return Ok((ty, Some(weak)));
        }
        let ty = read(obj)?;
        // Only JAX knows weak types.
        let weak = match self.promotion {
            Promotion::Jax => Weak::array(obj, &ty)?,
            _ => None,
        };
        Ok((ty, weak))
    }

    /// The types of operands, those of weak ones beside the others.
    fn settled(
        &self,
        inputs: Option<&Bound<'_, PyAny>>,
        mut read: Vec<(Type, Option<Weak>)>,
    ) -> PyResult<Vec<Type>> {
        if let Some(inputs) = inputs.filter(|_| read.iter().any(|(_, weak)| weak.is_some())) {
            let mut operands: Vec<_> = read
                .iter_mut()
                .map(|(ty, weak)| (ty, weak.as_ref()))
                .collect();
            settle(inputs.py(), &mut operands, self.promotion, self.alone)?;
        }
        Ok(read.into_iter().map(|(ty, _)| ty).collect())
    }
}

/// An operand of an operator, `None` if it is left out, and whether it may be left out.
type OptionalOperand = (Option<Type>, bool);

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
fn operand(obj: &Bound<'_, PyAny>, reading: &OperandReading) -> PyResult<OptionalOperand> {
    Ok(weak_operand(obj, reading)?.0)
}

/// The same, and what there is to say if its dtype depends on the others.
fn weak_operand(
    obj: &Bound<'_, PyAny>,
    reading: &OperandReading,
) -> PyResult<(OptionalOperand, Option<Weak>)> {
    if let Ok(text) = obj.cast::<PyString>()
        && let text = text.to_str()?
        && (text.trim() == "-" || split_or_absent(text).is_some())
    {
        let operand = Call::read_operand(text).map_err(|d| raise::text(obj.py(), &d))?;
        return Ok((operand, None));
    }
    let (ty, weak) = reading.weak_or(obj, ty::ty_with_contents)?;
    Ok(((Some(ty), false), weak))
}

/// The inputs of a call, and which of them may be left out; without a word of them, those that have to be there.
fn inputs_of(
    operator: &Operator,
    inputs: Option<&Bound<'_, PyAny>>,
    reading: &OperandReading,
) -> PyResult<(Vec<Option<Type>>, Vec<usize>)> {
    let given = each(inputs, |obj| weak_operand(obj, reading))?;
    Ok(match given.filter(|inputs| !inputs.is_empty()) {
        Some(mut read) => {
            if let Some(inputs) = inputs.filter(|_| read.iter().any(|(_, weak)| weak.is_some())) {
                let there = read.iter_mut();
                let there = there.filter_map(|((ty, _), weak)| Some((ty.as_mut()?, weak.as_ref())));
                let mut there: Vec<_> = there.collect();
                settle(inputs.py(), &mut there, reading.promotion, reading.alone)?;
            }
            let given: Vec<OptionalOperand> =
                read.into_iter().map(|(operand, _)| operand).collect();
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

pub(super) fn params(mut query: Query, given: Option<&Bound<'_, PyDict>>) -> PyResult<Query> {
    for (name, value) in given.into_iter().flatten() {
        query = query.param(name.cast::<PyString>()?.to_str()?, dim::param(&value)?);
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

/// The query under conditions.
pub(super) fn conditioned(
    py: Python<'_>,
    mut query: Query,
    given: Option<&Bound<'_, PyAny>>,
) -> PyResult<Query> {
    for condition in conditions(py, given)? {
        query = query.given(condition);
    }
    Ok(query)
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
