//! Errors as Python's exceptions. Their classes are Python's own (`kanshape/_errors.py`): an extension for all versions of
//! Python can't derive from `ValueError`.

use kanshape::Diagnostic;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Code, headline and all of it as text.
pub(crate) fn texts(diagnostic: &Diagnostic) -> (String, String, String) {
    (
        diagnostic.code.to_string(),
        diagnostic.headline.clone(),
        diagnostic.to_string(),
    )
}

/// That something in a text is wrong: `kanshape.Error`.
pub(crate) fn text(py: Python<'_>, diagnostic: &Diagnostic) -> PyErr {
    raise(py, "Error", texts(diagnostic))
}

/// That two types have nothing in common, and the like: `kanshape.Never` of no facts.
pub(crate) fn never_of(py: Python<'_>, diagnostic: &Diagnostic) -> PyErr {
    let (code, headline, rendered) = texts(diagnostic);
    let none: [u8; 0] = [];
    raise(py, "_never", (code, headline, rendered, none, none))
}

/// Is it `kanshape.Never`?
pub(crate) fn is_never(py: Python<'_>, error: &PyErr) -> bool {
    let class = py
        .import("kanshape._errors")
        .and_then(|own| own.getattr("Never"));
    class.is_ok_and(|class| error.matches(py, class).unwrap_or(false))
}

/// That nothing was decided: `kanshape.Undecided`.
pub(crate) fn undecided(py: Python<'_>, why: &str) -> PyErr {
    raise(py, "Undecided", (why,))
}

/// A `ValueError` that is about an argument, and not about types.
pub(crate) fn value(why: impl Into<String>) -> PyErr {
    PyValueError::new_err(why.into())
}

/// A `TypeError`.
pub(crate) fn wrong_type(why: impl Into<String>) -> PyErr {
    PyTypeError::new_err(why.into())
}

/// An exception of the package's own.
pub(crate) fn raise<'py>(
    py: Python<'py>,
    class: &str,
    args: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("kanshape._errors").map(Bound::unbind));
    let made = module.and_then(|module| module.bind(py).getattr(class)?.call1(args));
    match made {
        Ok(made) => PyErr::from_value(made),
        Err(other) => other,
    }
}
