//! [`PyType`]: a type, as far as it is known.

mod declared;
mod read;
mod value;
mod weak;

use crate::{dim, html, raise};
use kanshape::{DtypeTerm, Tensor, Type, Verdict, order, types::TypeKind};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};

pub(crate) use declared::{Declared, declared, types_of, words};
pub(crate) use read::{dtype_of, ty, ty_with_contents, value};
pub(crate) use value::{attr, python_value};
pub(crate) use weak::{Weak, settle};

/// What is known of a value: `f32[2, n]`.
#[pyclass(frozen, name = "Type", module = "kanshape")]
pub(crate) struct PyType(pub(crate) Type);

/// Whether nothing is open: neither dtype nor rank nor a size.
pub(crate) fn is_ground(ty: &Type) -> bool {
    ty.as_tensor()
        .is_some_and(|t| t.dtype.known().is_some() && t.shape.is_ground())
}

impl PyType {
    fn tensor(&self) -> Option<&Tensor> {
        self.0.as_tensor()
    }
}

#[pymethods]
impl PyType {
    /// A type: of a text, an array, a type, a tuple of sizes; or of a dtype and a shape, `Type("float32", (2, "n"))` or
    /// `Type(shape=(2, "n"), dtype="float32")`, in which `None` is unknown.
    #[new]
    #[pyo3(signature = (*of, shape = None, dtype = None))]
    fn new(
        of: &Bound<'_, PyTuple>,
        shape: Option<&Bound<'_, PyAny>>,
        dtype: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyType> {
        let none = of.py().None().into_bound(of.py());
        match (of.len(), shape, dtype) {
            (1, None, None) => ty(&of.get_item(0)?).map(PyType),
            (2, None, None) => read::tensor(&of.get_item(0)?, &of.get_item(1)?).map(PyType),
            (1, Some(shape), None) => read::tensor(&of.get_item(0)?, shape).map(PyType),
            (0, shape, dtype) if shape.is_some() || dtype.is_some() => {
                read::tensor(dtype.unwrap_or(&none), shape.unwrap_or(&none)).map(PyType)
            }
            _ => Err(raise::wrong_type(
                "a type is one of something, or of a dtype and a shape",
            )),
        }
    }

    /// The dtype, as NumPy calls it: `float32`; `None` if it is not known or this is no tensor.
    #[getter]
    fn dtype(&self) -> Option<&'static str> {
        let tensor = self.tensor()?;
        tensor.dtype.known().map(read::long_name)
    }

    /// The dtypes that it can be.
    #[getter]
    fn dtypes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        let set = match (&self.0.kind, self.tensor()) {
            (_, Some(tensor)) => tensor.dtype.set(),
            (TypeKind::Unknown, _) => DtypeTerm::Hole.set(),
            _ => return PyFrozenSet::empty(py),
        };
        PyFrozenSet::new(py, set.iter().map(read::long_name))
    }

    /// The dims: an `int`, a `Dim`, or `None` each; `None` if not even how many there are is known.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(tensor) = self.tensor().filter(|t| t.shape.rank().is_some()) else {
            return Ok(None);
        };
        let dims = tensor.shape.iter().map(|d| dim::python(py, d));
        PyTuple::new(py, dims.collect::<PyResult<Vec<_>>>()?).map(Some)
    }

    /// How many dims there are, if that is known.
    #[getter]
    fn rank(&self) -> Option<usize> {
        self.tensor()?.shape.rank()
    }

    /// The same, as NumPy calls it.
    #[getter]
    fn ndim(&self) -> Option<usize> {
        self.rank()
    }

    /// What is known of what is in the tensor, as a flat tuple; `None` if nothing is.
    #[getter]
    fn contents<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(contents) = self.0.contents() else {
            return Ok(None);
        };
        let members = contents.iter().map(|member| value::content(py, member));
        PyTuple::new(py, members.collect::<PyResult<Vec<_>>>()?).map(Some)
    }

    /// The conditions behind `where`.
    #[getter(r#where)]
    fn conditions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.conditions.iter().map(ToString::to_string))
    }

    /// Whether nothing is open: neither dtype nor rank nor a size.
    #[getter]
    fn is_ground(&self) -> bool {
        is_ground(&self.0)
    }

    /// `a <= b`: whatever is an `a` is a `b`.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<PyType>() else {
            return Ok(py.NotImplemented());
        };
        let (a, b) = (&self.0, &other.get().0);
        let is_super = |a: &Type, b: &Type| py.detach(|| order::is_super(a, b)) == Verdict::Always;
        let truth = match op {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Le => is_super(b, a),
            CompareOp::Ge => is_super(a, b),
            CompareOp::Lt => is_super(b, a) && !is_super(a, b),
            CompareOp::Gt => is_super(a, b) && !is_super(b, a),
        };
        Ok(truth.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    /// The type of what is both; `kanshape.Never` if nothing is.
    fn __and__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<PyType> {
        let other = ty(other)?;
        let meet = py.detach(|| order::meet(&self.0, &other));
        meet.map(PyType).map_err(|d| raise::never_of(py, &d))
    }

    fn __rand__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<PyType> {
        self.__and__(py, other)
    }

    /// The least type that is known of what is one or the other.
    fn __or__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<PyType> {
        let other = ty(other)?;
        Ok(PyType(py.detach(|| order::join(&self.0, &other))))
    }

    fn __ror__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<PyType> {
        self.__or__(py, other)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Type('{}')", self.0)
    }

    fn _repr_html_(&self) -> String {
        html::code(&self.0.to_string())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, ty) = (slf.py(), &slf.get().0);
        let text = ty.to_string();
        let declared = declared([ty]);
        if declared.is_empty() {
            return (slf.get_type(), (text,)).into_pyobject(py);
        }
        (slf.get_type().getattr("_of")?, (text, declared)).into_pyobject(py)
    }

    /// The type of a text, in the words that are always known and these.
    #[staticmethod]
    #[pyo3(name = "_of")]
    fn of(py: Python<'_>, text: &str, declared: Declared) -> PyResult<PyType> {
        let read = words(py, declared)?.parse(text);
        read.map(PyType).map_err(|d| raise::text(py, &d))
    }
}
