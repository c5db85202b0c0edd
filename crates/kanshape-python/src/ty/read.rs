//! What Python gives as a type.

use super::PyType;
use crate::{dim, raise};
use kanshape::{Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Shape, Type, types::TypeKind};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyInt, PyList, PyString, PyTuple};
use std::sync::{Mutex, PoisonError};

/// The type that is given: as a text, a `Type`, an array or whatever has a shape and a dtype; `None` is unknown.
pub(crate) fn ty(obj: &Bound<'_, PyAny>) -> PyResult<Type> {
    if let Ok(ty) = obj.cast::<PyType>() {
        return Ok(ty.get().0.clone());
    }
    if obj.is_none() {
        return Ok(Type::UNKNOWN);
    }
    if obj.is_exact_instance(ndarray(obj.py())?.as_ref().unwrap_or(obj)) {
        return array(obj);
    }
    if let Ok(text) = obj.cast::<PyString>() {
        let text = text.to_str()?;
        return text.parse().map_err(|d| raise::text(obj.py(), &d));
    }
    if let Ok(shape) = obj.cast::<PyTuple>() {
        return tensor(&obj.py().None().into_bound(obj.py()), shape.as_any());
    }
    described(obj)?.ok_or_else(|| no_type(obj))
}

fn no_type(obj: &Bound<'_, PyAny>) -> PyErr {
    let help = match obj.is_instance_of::<PyList>() {
        true => ": a shape is a tuple, and an array np.array(..)",
        false => "",
    };
    match obj.get_type().name() {
        Ok(class) => raise::wrong_type(format!(
            "a type is a text, a Type, a tuple of sizes, None or something with shape and dtype, and no {class}{help}"
        )),
        Err(error) => error,
    }
}

/// The type of a value: of an array of any library, or a `Type` that stands for one. `None` if it is neither: what else denotes a type,
/// as a text does, is no value.
pub(crate) fn value(obj: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    if obj.is_exact_instance(ndarray(obj.py())?.as_ref().unwrap_or(obj)) {
        return array(obj).map(Some);
    }
    if let Ok(ty) = obj.cast::<PyType>() {
        return Ok(Some(ty.get().0.clone()));
    }
    let denotes = obj.is_none()
        || obj.is_instance_of::<PyString>()
        || obj.is_instance_of::<PyTuple>()
        || obj.is_instance_of::<PyList>()
        || obj.is_instance_of::<pyo3::types::PyType>();
    match denotes {
        true => Ok(None),
        false => described(obj),
    }
}

/// The same where what is in an array counts as well, if there is little: a shape, axes, a flag.
pub(crate) fn ty_with_contents(obj: &Bound<'_, PyAny>) -> PyResult<Type> {
    let ty = ty(obj)?;
    let is_said = obj.is_none()
        || obj.is_instance_of::<PyString>()
        || obj.is_instance_of::<PyTuple>()
        || obj.is_instance_of::<PyType>();
    if is_said {
        return Ok(ty);
    }
    let TypeKind::Tensor(tensor) = &ty.kind else {
        return Ok(ty);
    };
    let small = tensor.shape.rank().is_some_and(|rank| rank <= 1)
        && tensor
            .shape
            .elements()
            .is_some_and(|n| n as usize <= Contents::MAX);
    let integers = DtypeSet::INT | DtypeSet::UINT | DtypeSet::BOOL;
    if !small || !tensor.dtype.known().is_some_and(|d| integers.contains(d)) {
        return Ok(ty);
    }
    static LISTED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let listed = LISTED.import(obj.py(), "kanshape._describe", "listed")?;
    let listed = listed.call1((obj,))?;
    // It has none that can be read: it is traced, on a device that has no memory, no more than a description.
    if listed.is_none() {
        return Ok(ty);
    }
    let mut members = Vec::new();
    for member in listed.try_iter()? {
        let member = member?;
        members.push(match member.cast::<PyBool>() {
            Ok(truth) => Content::Bool(truth.is_true()),
            Err(_) => match member.extract::<i64>() {
                Ok(n) => Content::Int(n),
                Err(_) => Content::Hole,
            },
        });
    }
    Ok(ty.with_contents(Contents::new(members)))
}

/// The class of NumPy's arrays, if NumPy has been imported: nobody has one of its arrays otherwise.
fn ndarray<'py>(py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if let Some(class) = CLASS.get(py) {
        return Ok(Some(class.bind(py).clone()));
    }
    let modules = py.import(intern!(py, "sys"))?.getattr("modules")?;
    let Ok(numpy) = modules.get_item("numpy") else {
        return Ok(None);
    };
    let Ok(class) = numpy.getattr("ndarray") else {
        return Ok(None);
    };
    let class = CLASS.get_or_init(py, || class.unbind());
    Ok(Some(class.bind(py).clone()))
}

/// The type of an array: its shape is a tuple.
fn array(obj: &Bound<'_, PyAny>) -> PyResult<Type> {
    let py = obj.py();
    let dtype = obj.getattr(intern!(py, "dtype"))?;
    let shape = obj.getattr(intern!(py, "shape"))?;
    tensor(&dtype, &shape)
}

/// A tensor's type of a dtype and a shape; `None` is unknown.
pub(crate) fn tensor(dtype: &Bound<'_, PyAny>, shape: &Bound<'_, PyAny>) -> PyResult<Type> {
    let dtype = dtype_of(dtype)?;
    if shape.is_none() {
        return Ok(TypeKind::Tensor(kanshape::Tensor::new(dtype, Shape::unknown())).into());
    }
    let mut dims = Shape::default();
    if let Ok(shape) = shape.cast::<PyTuple>() {
        for i in 0..shape.len() {
            let dim = shape.get_borrowed_item(i)?;
            dims.push(dim_of(&dim)?);
        }
    } else {
        let no_shape = || -> PyResult<PyErr> {
            let class = shape.get_type();
            let class = class.name()?;
            Ok(raise::wrong_type(format!(
                "a shape is a list of dims, or None, and no {class}"
            )))
        };
        if shape.is_instance_of::<PyString>() {
            return Err(no_shape()?);
        }
        let Ok(all) = shape.try_iter() else {
            return Err(no_shape()?);
        };
        for dim in all {
            dims.push(dim_of(&dim?)?);
        }
    }
    Ok(TypeKind::Tensor(kanshape::Tensor::new(dtype, dims)).into())
}

fn dim_of(obj: &Bound<'_, PyAny>) -> PyResult<Dim> {
    match obj.cast_exact::<PyInt>().map(|int| int.extract::<u64>()) {
        Ok(Ok(size)) if size <= Dim::MAX_SIZE => Ok(Dim::Size(size)),
        _ => dim::read(obj),
    }
}

/// What is neither a text nor an array of NumPy: the Python side knows where the libraries keep shape and dtype. `None` if it has none.
fn described(obj: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    static DESCRIBE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = obj.py();
    let describe = DESCRIBE.import(py, "kanshape._describe", "describe")?;
    let described = describe.call1((obj,))?;
    if described.is_none() {
        return Ok(None);
    }
    if let Ok(text) = described.cast::<PyString>() {
        let text = text.to_str()?;
        let read = text.parse().map_err(|d| raise::text(py, &d))?;
        return Ok(Some(read));
    }
    let (dtype, shape) = described.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
    tensor(&dtype, &shape).map(Some)
}

/// The most objects for which it is kept what dtype they mean.
const KEPT: usize = 64;

/// The dtypes that objects mean, which are kept alive: NumPy has one object for each of its dtypes.
static DTYPES: Mutex<Vec<(Py<PyAny>, Dtype)>> = Mutex::new(Vec::new());

/// The dtype that an object means: one of a library, or a text; `None` is unknown.
pub(crate) fn dtype_of(obj: &Bound<'_, PyAny>) -> PyResult<DtypeTerm> {
    if obj.is_none() {
        return Ok(DtypeTerm::Hole);
    }
    {
        let kept = DTYPES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.iter().find(|known| known.0.is(obj)) {
            return Ok(known.1.into());
        }
    }
    if let Ok(text) = obj.cast::<PyString>() {
        return term(obj.py(), text.to_str()?);
    }
    let name = match obj.getattr("name") {
        Ok(name) => name.str()?,
        Err(_) => match obj.getattr("__name__") {
            Ok(name) => name.str()?,
            Err(_) => obj.str()?,
        },
    };
    let name = name.to_str()?;
    let name = if is_text(name) { "str" } else { name };
    let dtype: Dtype = name.parse().map_err(|d| raise::text(obj.py(), &d))?;
    let mut kept = DTYPES.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() < KEPT {
        kept.push((obj.clone().unbind(), dtype));
    }
    Ok(dtype.into())
}

/// NumPy's `str96`, and its `StringDType128`.
fn is_text(name: &str) -> bool {
    let rest = name
        .strip_prefix("str")
        .or_else(|| name.strip_prefix("StringDType"));
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// A dtype, a class or a set of them, as it is written before a shape.
fn term(py: Python<'_>, text: &str) -> PyResult<DtypeTerm> {
    let dtype = text.parse::<Dtype>();
    if let Ok(dtype) = dtype {
        return Ok(dtype.into());
    }
    match format!("{text}[]").parse::<Type>().map(|ty| ty.kind) {
        Ok(TypeKind::Tensor(tensor)) => Ok(tensor.dtype),
        Ok(_) => Err(raise::value(format!("`{text}` is no dtype"))),
        Err(d) => Err(raise::text(py, &dtype.err().unwrap_or(d))),
    }
}

/// What NumPy, `ml_dtypes` and torch call a dtype.
pub(crate) fn long_name(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::I2 => "int2",
        Dtype::I4 => "int4",
        Dtype::I8 => "int8",
        Dtype::I16 => "int16",
        Dtype::I32 => "int32",
        Dtype::I64 => "int64",
        Dtype::U2 => "uint2",
        Dtype::U4 => "uint4",
        Dtype::U8 => "uint8",
        Dtype::U16 => "uint16",
        Dtype::U32 => "uint32",
        Dtype::U64 => "uint64",
        Dtype::F16 => "float16",
        Dtype::BF16 => "bfloat16",
        Dtype::F32 => "float32",
        Dtype::F64 => "float64",
        Dtype::C64 => "complex64",
        Dtype::C128 => "complex128",
        Dtype::F8E4M3FN => "float8_e4m3fn",
        Dtype::F8E4M3FNUZ => "float8_e4m3fnuz",
        Dtype::F8E5M2 => "float8_e5m2",
        Dtype::F8E5M2FNUZ => "float8_e5m2fnuz",
        Dtype::F4E2M1 => "float4_e2m1fn",
        Dtype::F6E2M3 => "float6_e2m3fn",
        Dtype::F6E3M2 => "float6_e3m2fn",
        Dtype::F8E8M0 => "float8_e8m0fnu",
        Dtype::F8E4M3 => "float8_e4m3",
        Dtype::F8E3M4 => "float8_e3m4",
        Dtype::F8E4M3B11FNUZ => "float8_e4m3b11fnuz",
        other => other.name(),
    }
}
