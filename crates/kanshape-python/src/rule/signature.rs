//! [`PySignature`]: a signature.

use super::query::{self, Given, Limits};
use super::{Rule, signature};
use crate::answer::{PyAnswer, PyAnswers};
use crate::{html, number};
use kanshape::Signature;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The typing rule of an operator in one line: `(m,n),(n,p)->(m,p)`.
#[pyclass(frozen, name = "Signature", module = "kanshape")]
pub(crate) struct PySignature(pub(crate) Signature);

impl PySignature {
    /// What its answers are about.
    fn rule(&self) -> Rule {
        Rule::Signature(self.0.clone())
    }
}

rule_class!(PySignature, [params], {
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<PySignature> {
        signature(py, text).map(PySignature)
    }

    /// How many inputs it has.
    #[getter]
    fn n_inputs(&self) -> usize {
        self.0.input_count()
    }

    /// How many outputs it has.
    #[getter]
    fn n_outputs(&self) -> usize {
        self.0.output_count()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<PySignature>()
            .is_ok_and(|other| other.get().0 == self.0)
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
        format!("Signature('{}')", self.0)
    }

    fn _repr_html_(&self) -> String {
        html::code(&self.0.to_string())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, pyo3::types::PyType>, (String,)) {
        (slf.get_type(), (slf.get().0.to_string(),))
    }
});
