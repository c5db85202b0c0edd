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

#[pymethods]
impl PySignature {
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

    /// Its one answer.
    #[pyo3(signature = (*inputs, outputs = None, params = None, r#where = None, promotion = None, budget = None, timeout = None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn infer(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyTuple>,
        outputs: Option<&Bound<'_, PyAny>>,
        params: Option<&Bound<'_, PyDict>>,
        r#where: Option<&Bound<'_, PyAny>>,
        promotion: Option<&str>,
        #[pyo3(from_py_with = number::count)] budget: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<PyAnswer> {
        let given = Given {
            outputs,
            params,
            conditions: r#where,
            promotion,
            budget,
            timeout,
            ..Given::default()
        };
        query::one(
            py,
            &Rule::Signature(self.0.clone()),
            inputs.as_any(),
            &given,
        )
    }

    /// Its answers, found one by one.
    #[pyo3(signature = (inputs = None, outputs = None, *, params = None, r#where = None, promotion = None, budget = None, timeout = None, limit = None, max_rank = None, max_dim = None, ground = false))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn solve(
        &self,
        py: Python<'_>,
        inputs: Option<&Bound<'_, PyAny>>,
        outputs: Option<&Bound<'_, PyAny>>,
        params: Option<&Bound<'_, PyDict>>,
        r#where: Option<&Bound<'_, PyAny>>,
        promotion: Option<&str>,
        #[pyo3(from_py_with = number::count)] budget: Option<u64>,
        timeout: Option<f64>,
        #[pyo3(from_py_with = number::length)] limit: Option<usize>,
        #[pyo3(from_py_with = number::count)] max_rank: Option<u64>,
        #[pyo3(from_py_with = number::count)] max_dim: Option<u64>,
        ground: bool,
    ) -> PyResult<PyAnswers> {
        let given = Given {
            outputs,
            params,
            conditions: r#where,
            promotion,
            budget,
            timeout,
            ..Given::default()
        };
        let limits = Limits {
            limit,
            max_rank,
            max_dim,
            ground,
        };
        query::all(
            py,
            &Rule::Signature(self.0.clone()),
            inputs,
            &given,
            &limits,
        )
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
}
