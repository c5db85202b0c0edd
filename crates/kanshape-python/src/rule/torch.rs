//! Functions of torch: which overload takes what is given, and calls with torch's own arguments.

use super::query::{Given, answered, attrs, build, conditioned};
use super::{Rule, function_name};
use crate::answer::{Layout, PyAnswer};
use crate::dim::PyDim;
use crate::ty::{self, dtype_of};
use crate::{number, raise};
use kanshape::{Type, catalog};
use kanshape_torch::Value;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// Lists of arguments are not nested deeper than this.
const DEPTH: usize = 8;

/// The rule that a name denotes with what is given: that of the overload which takes it, where the name is that of a function of torch.
pub(super) fn overload(
    named: &Bound<'_, PyAny>,
    rule: Rule,
    inputs: Option<&Bound<'_, PyAny>>,
    given: &Given<'_, '_>,
) -> PyResult<Rule> {
    let Rule::Operator(operator) = &rule else {
        return Ok(rule);
    };
    let name = match named.cast::<PyString>() {
        Ok(text) => Some(text.to_str()?.to_owned()),
        Err(_) if is_fixed(named) => None,
        Err(_) => function_name(named)?,
    };
    let overloads = match &name {
        Some(name) => kanshape_torch::overloads(catalog(), name, operator),
        None => Vec::new(),
    };
    if overloads.len() < 2 {
        return Ok(rule);
    }
    let attrs = attrs(given.attrs)?;
    let found = overloads.into_iter().filter_map(|operator| {
        let words = kanshape_torch::words_for_sizes(&operator, &attrs);
        let rule = Rule::Operator(operator);
        let (query, _) = build(named.py(), &rule, inputs, given).ok()?;
        Some((words, rule, query))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|one| one.0);
    let mut turns = found.iter();
    let first = turns.position(|one| kanshape_torch::may_hold(Ok(one.2.clone())));
    Ok(match found.is_empty() {
        true => rule,
        false => found.swap_remove(first.unwrap_or(0)).1,
    })
}

/// Is it an operator, with its overload?
fn is_fixed(obj: &Bound<'_, PyAny>) -> bool {
    obj.is_instance_of::<super::PyOperator>() || obj.is_instance_of::<super::PyPrepared>()
}

/// The one answer of a call of an operator or a function of torch, with its own arguments.
///
/// - `op`: `"aten::cat"`, `"torch.matmul"`, `"F.conv2d"`, `"Tensor.view"`; a function has all overloads of its name.
/// - `args`, `kwargs`: arguments as torch has them. A tensor is one of any library, a `Type`, or a text with its dims, `"f32[2, n]"`; a size
///   may be a `Dim` or a symbolic size of torch, a dtype one of torch, NumPy or a `Dtype`'s name.
/// - `where`, `budget`, `timeout`: as for `infer`.
///
/// `Never` if there is no answer, `Several` if there are more, `Undecided` if budget or timeout ran out.
#[pyfunction]
#[pyo3(name = "call", signature = (op, /, *args, r#where = None, budget = None, timeout = None, **kwargs),
       text_signature = "(op, /, *args, where=None, budget=None, timeout=None, **kwargs)")]
pub(crate) fn torch_call(
    py: Python<'_>,
    op: &Bound<'_, PyAny>,
    args: &Bound<'_, PyTuple>,
    r#where: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = number::count)] budget: Option<u64>,
    timeout: Option<f64>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyAnswer> {
    let name = match op.cast::<PyString>() {
        Ok(text) => Some(text.to_str()?.to_owned()),
        Err(_) => function_name(op)?,
    };
    let Some(name) = name else {
        let class = op.get_type();
        return Err(raise::wrong_type(format!(
            "what is called is the name of an operator of torch or a function, and no {}",
            class.name()?
        )));
    };
    let args = args.iter().map(|arg| argument(&arg, 0));
    let args = args.collect::<PyResult<Vec<Value>>>()?;
    let kwargs = kwargs.into_iter().flatten().map(|(name, arg)| {
        let name = name.cast::<PyString>()?.to_str()?.into();
        Ok((name, argument(&arg, 0)?))
    });
    let kwargs = kwargs.collect::<PyResult<Vec<(Box<str>, Value)>>>()?;
    let found = py.detach(|| kanshape_torch::resolve(catalog(), &name, args, kwargs));
    let (operator, call) = found.map_err(|d| raise::text(py, &d))?;
    let layout = Layout::of(&operator, &call);
    let query = operator.query(call).map_err(|d| raise::text(py, &d))?;
    let mut query = conditioned(py, query, r#where)?;
    if let Some(budget) = budget {
        query = query.budget(budget);
    }
    answered(py, query, layout, timeout)
}

/// An argument as torch has it.
fn argument(obj: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if obj.is_none() {
        return Ok(Value::None);
    }
    if let Ok(truth) = obj.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if obj.is_instance_of::<PyInt>() {
        let number = obj.extract();
        return number
            .map(Value::Int)
            .map_err(|_| raise::value(format!("{obj} has more than 64 bits")));
    }
    if let Ok(float) = obj.cast::<PyFloat>() {
        return Ok(Value::Float(float.value()));
    }
    if obj.is_instance_of::<PyComplex>() {
        return Ok(Value::Complex);
    }
    if let Ok(text) = obj.cast::<PyString>() {
        let text = text.to_str()?;
        // A text of torch is one word, and einsum's equation; a tensor has its dims in brackets.
        return Ok(match text.contains('[').then(|| text.parse::<Type>()) {
            Some(ty) => Value::Tensor(ty.map_err(|d| raise::text(obj.py(), &d))?),
            None => Value::Text(text.into()),
        });
    }
    if let Ok(dim) = obj.cast::<PyDim>() {
        return Ok(Value::Size(dim.get().0.clone()));
    }
    let is_list = obj.is_instance_of::<PyList>() || obj.is_instance_of::<PyTuple>();
    if is_list && depth < DEPTH {
        let members = obj.try_iter()?;
        let members = members.map(|member| argument(&member?, depth + 1));
        return Ok(Value::List(members.collect::<PyResult<_>>()?));
    }
    if let Some(ty) = ty::value(obj)? {
        return Ok(Value::Tensor(ty));
    }
    // A symbolic size of torch.
    static SIZE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let size = SIZE.import(obj.py(), "kanshape._describe", "symbolic_size")?;
    if let Ok(dim) = size.call1((obj,))?.cast::<PyDim>() {
        return Ok(Value::Size(dim.get().0.clone()));
    }
    if let Ok(dtype) = dtype_of(obj) {
        return Ok(Value::Dtype(dtype));
    }
    // A device, a layout, a memory format: what no type turns on.
    match obj.get_type().module()?.to_str()? {
        "torch" => Ok(Value::Text(obj.str()?.to_str()?.into())),
        _ => Err(raise::wrong_type(format!(
            "{obj:?} is no argument of torch"
        ))),
    }
}
