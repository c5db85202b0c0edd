//! [`PyOperator`]: an operator of the catalog.

use super::query::{self, Given, Limits};
use super::{PyPrepared, Rule, operator};
use crate::answer::{PyAnswer, PyAnswers};
use crate::{html, raise};
use kanshape::{Call, Operator, Type, catalog};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The names of the operators that come with kanshape, in alphabetical order, or of those of one domain.
#[pyfunction]
#[pyo3(signature = (domain = None))]
pub(crate) fn operators(py: Python<'_>, domain: Option<&str>) -> Vec<String> {
    py.detach(|| {
        let names = |all: &mut dyn Iterator<Item = Operator>| -> Vec<String> {
            let mut names: Vec<String> = all.map(|op| op.full_name()).collect();
            names.dedup();
            names
        };
        match domain {
            None => names(&mut catalog().operators()),
            Some(domain) => {
                let own = |op: &Operator| op.domain() == domain || op.domain_name() == domain;
                names(&mut catalog().operators().filter(own))
            }
        }
    })
}

/// An operator of the catalog: `onnx::Conv`.
#[pyclass(frozen, name = "Operator", module = "kanshape")]
pub(crate) struct PyOperator(pub(crate) Operator);

#[pymethods]
impl PyOperator {
    #[new]
    #[pyo3(signature = (name, opset = None))]
    fn new(py: Python<'_>, name: &str, opset: Option<u64>) -> PyResult<PyOperator> {
        operator(py, name, opset).map(PyOperator)
    }

    /// Its name with its domain.
    #[getter]
    fn name(&self) -> String {
        self.0.full_name()
    }

    /// The version of its domain from which on it is this.
    #[getter]
    fn since(&self) -> u64 {
        self.0.since()
    }

    /// What is written about it.
    #[getter]
    fn doc(&self) -> String {
        self.0.doc().collect::<Vec<_>>().join("\n")
    }

    /// Its rule, as it is written.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// The names of its inputs.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.0
            .inputs()
            .map(|formal| formal.name.to_owned())
            .collect()
    }

    /// The names of its outputs.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.0
            .outputs()
            .map(|formal| formal.name.to_owned())
            .collect()
    }

    /// The names of its attributes.
    #[getter]
    fn attributes(&self) -> Vec<String> {
        self.0
            .attributes()
            .map(|attr| attr.name.to_owned())
            .collect()
    }

    /// It with its attributes fixed, for calls of so many inputs and outputs.
    #[pyo3(signature = (n_inputs, n_outputs = None, *, attrs = None))]
    fn prepare(
        &self,
        py: Python<'_>,
        n_inputs: usize,
        n_outputs: Option<usize>,
        attrs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyPrepared> {
        let call = Call {
            inputs: vec![Some(Type::UNKNOWN); n_inputs],
            outputs: n_outputs.map(|n| vec![Some(Type::UNKNOWN); n]),
            attrs: query::attrs(attrs)?,
        };
        let prepared = self.0.prepare(call).map_err(|d| raise::text(py, &d))?;
        let attrs = attrs.map(|attrs| attrs.copy()).transpose()?;
        Ok(PyPrepared {
            prepared,
            n_outputs,
            attrs: attrs.map(Bound::unbind),
        })
    }

    /// The one answer to a call.
    #[pyo3(signature = (*inputs, outputs = None, attrs = None, r#where = None, promotion = None, budget = None, timeout = None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn infer(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, PyTuple>,
        outputs: Option<&Bound<'_, PyAny>>,
        attrs: Option<&Bound<'_, PyDict>>,
        r#where: Option<&Bound<'_, PyAny>>,
        promotion: Option<&str>,
        budget: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<PyAnswer> {
        let given = Given {
            outputs,
            attrs,
            conditions: r#where,
            promotion,
            budget,
            timeout,
            ..Given::default()
        };
        query::one(py, &Rule::Operator(self.0.clone()), inputs.as_any(), &given)
    }

    /// The answers to a call, found one by one.
    #[pyo3(signature = (inputs = None, outputs = None, *, attrs = None, r#where = None, promotion = None, budget = None, timeout = None, limit = None, max_rank = None, max_dim = None, ground = false))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn solve(
        &self,
        py: Python<'_>,
        inputs: Option<&Bound<'_, PyAny>>,
        outputs: Option<&Bound<'_, PyAny>>,
        attrs: Option<&Bound<'_, PyDict>>,
        r#where: Option<&Bound<'_, PyAny>>,
        promotion: Option<&str>,
        budget: Option<u64>,
        timeout: Option<f64>,
        limit: Option<usize>,
        max_rank: Option<u64>,
        max_dim: Option<u64>,
        ground: bool,
    ) -> PyResult<PyAnswers> {
        let given = Given {
            outputs,
            attrs,
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
        query::all(py, &Rule::Operator(self.0.clone()), inputs, &given, &limits)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyOperator>().is_ok_and(|other| {
            let other = &other.get().0;
            (other.full_name(), other.since()) == (self.0.full_name(), self.0.since())
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.full_name(), self.0.since()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!(
            "Operator('{}', opset={})",
            self.0.full_name(),
            self.0.since()
        )
    }

    fn _repr_html_(&self) -> String {
        format!("<pre>{}</pre>", html::escape(self.0.text()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, pyo3::types::PyType>, (String, u64)) {
        let operator = &slf.get().0;
        (slf.get_type(), (operator.full_name(), operator.since()))
    }
}
