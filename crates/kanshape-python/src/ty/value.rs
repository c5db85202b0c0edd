//! Values of attributes, and what tensors have in them.

use super::PyType;
use super::read::{dtype_of, long_name};
use crate::{dim, raise};
use kanshape::{AttrValue, Content, Dim, DtypeTerm, types::Float};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString};

/// A value of an attribute: numbers, truth values, texts, types, dims, and lists of these; `None` queries it.
pub(crate) fn attr(obj: &Bound<'_, PyAny>) -> PyResult<AttrValue> {
    attr_within(obj, 0)
}

/// Lists of attributes are not nested deeper than this.
const DEPTH: usize = 8;

fn attr_within(obj: &Bound<'_, PyAny>, depth: usize) -> PyResult<AttrValue> {
    if obj.is_none() {
        return Ok(AttrValue::Hole);
    }
    if let Ok(truth) = obj.cast::<PyBool>() {
        return Ok(AttrValue::Bool(truth.is_true()));
    }
    if let Ok(int) = obj.cast::<PyInt>() {
        return integer(int);
    }
    if let Ok(float) = obj.cast::<PyFloat>() {
        return Ok(AttrValue::Float(Float::new(float.value())));
    }
    if let Ok(text) = obj.cast::<PyString>() {
        return Ok(match text.to_str()? {
            "?" => AttrValue::Hole,
            text => AttrValue::from(text),
        });
    }
    // ONNX has its texts as bytes.
    if let Ok(bytes) = obj.cast::<PyBytes>() {
        return match std::str::from_utf8(bytes.as_bytes()) {
            Ok(text) => Ok(AttrValue::from(text)),
            Err(_) => Err(none(obj)),
        };
    }
    if let Ok(ty) = obj.cast::<PyType>() {
        return Ok(AttrValue::Type(ty.get().0.clone()));
    }
    if let Ok(dim) = obj.cast::<dim::PyDim>() {
        return Ok(AttrValue::Dim(dim.get().0.clone()));
    }
    if let Ok(index) = obj.call_method0("__index__") {
        return integer(&index);
    }
    // Scalars and arrays of NumPy and of the libraries like it.
    if depth < DEPTH
        && let Ok(plain) = obj.call_method0("tolist")
        && !plain.is(obj)
    {
        return attr_within(&plain, depth + 1);
    }
    // What has no order, or values besides, is no list.
    if obj.is_instance_of::<PySet>()
        || obj.is_instance_of::<PyFrozenSet>()
        || obj.is_instance_of::<PyDict>()
    {
        return Err(none(obj));
    }
    if let Ok(members) = obj
        .try_iter()
        .and_then(|all| all.collect::<PyResult<Vec<_>>>())
        && depth < DEPTH
    {
        let members = members.iter().map(|member| attr_within(member, depth + 1));
        return Ok(AttrValue::List(members.collect::<PyResult<_>>()?));
    }
    if let Ok(number) = obj.call_method0("__float__") {
        return Ok(AttrValue::Float(Float::new(number.extract()?)));
    }
    match dtype_of(obj) {
        Ok(DtypeTerm::Known(dtype)) => Ok(AttrValue::Dtype(dtype)),
        _ => Err(none(obj)),
    }
}

fn none(obj: &Bound<'_, PyAny>) -> PyErr {
    raise::wrong_type(format!("{obj:?} is no value of an attribute"))
}

fn integer(int: &Bound<'_, PyAny>) -> PyResult<AttrValue> {
    match int.extract() {
        Ok(n) => Ok(AttrValue::Int(n)),
        Err(_) => Err(raise::value(format!(
            "{int} is no value of an attribute: it has more than 64 bits"
        ))),
    }
}

/// A value of an attribute as Python has it.
pub(crate) fn python_value<'py>(py: Python<'py>, value: &AttrValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        AttrValue::Hole | AttrValue::Absent | AttrValue::Unknown => py.None().into_bound(py),
        AttrValue::Dim(dim) => dim::python(py, dim)?,
        AttrValue::Int(n) => n.into_pyobject(py)?.into_any(),
        AttrValue::Float(x) => x.get().into_pyobject(py)?.into_any(),
        AttrValue::Text(text) => text.into_pyobject(py)?.into_any(),
        AttrValue::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        AttrValue::Dtype(dtype) => long_name(*dtype).into_pyobject(py)?.into_any(),
        AttrValue::Type(ty) => PyType(ty.clone()).into_pyobject(py)?.into_any(),
        AttrValue::List(members) => {
            let members = members.iter().map(|member| python_value(py, member));
            PyList::new(py, members.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        other => other.to_string().into_pyobject(py)?.into_any(),
    })
}

/// A member of what a tensor has in it, as Python has it.
pub(crate) fn content<'py>(py: Python<'py>, member: &Content) -> PyResult<Bound<'py, PyAny>> {
    Ok(match member {
        Content::Hole => py.None().into_bound(py),
        Content::Int(n) => n.into_pyobject(py)?.into_any(),
        Content::Name(name) => dim::python(py, &Dim::Name(name.clone()))?,
        Content::Expr(expr) => dim::python(py, &Dim::Expr(expr.clone()))?,
        Content::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Content::Float(x) => x.get().into_pyobject(py)?.into_any(),
        Content::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}
