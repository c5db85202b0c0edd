//! [`PyPrepared`]: an operator with its attributes fixed.

use super::query::{self, Given, Limits};
use super::{PyOperator, Rule};
use crate::answer::{PyAnswer, PyAnswers};
use crate::{html, number};
use kanshape::{Call, Prepared};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// An operator with its attributes fixed, prepared once for many calls.
#[pyclass(frozen, name = "Prepared", module = "kanshape")]
pub(crate) struct PyPrepared {
    pub(super) prepared: Prepared,
    /// The call that was prepared, its attributes in alphabetical order.
    pub(super) call: Call,
    pub(super) sources: Option<Arc<[(String, String)]>>,
    pub(super) attrs: Option<Py<PyDict>>,
}

impl PyPrepared {
    /// Its attributes as a text: `[strides = [2, 2]]`.
    fn attrs_text(&self) -> String {
        if self.call.attrs.is_empty() {
            return String::new();
        }
        let attrs = self.call.attrs.iter();
        let attrs: Vec<String> = attrs
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        format!("[{}]", attrs.join(", "))
    }
}

impl PyPrepared {
    /// What its answers are about.
    fn rule(&self) -> Rule {
        Rule::Prepared(Box::new(self.prepared.clone()))
    }
}

rule_class!(PyPrepared, [], {
    /// The operator.
    #[getter]
    fn operator(&self) -> PyOperator {
        PyOperator {
            operator: self.prepared.operator().clone(),
            sources: self.sources.clone(),
        }
    }

    /// How many inputs a call has.
    #[getter]
    fn n_inputs(&self) -> usize {
        self.prepared.input_count()
    }

    /// How many outputs a call has at least.
    #[getter]
    fn n_outputs(&self) -> usize {
        self.prepared.output_count()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyPrepared>().is_ok_and(|other| {
            let other = other.get();
            self.call == other.call && self.operator() == other.operator()
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.operator(), &self.call).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let operator = self.prepared.operator();
        format!(
            "<kanshape.Prepared {}{} since {}>",
            operator.full_name(),
            self.attrs_text(),
            operator.since()
        )
    }

    fn _repr_html_(&self) -> String {
        let operator = self.prepared.operator();
        let call = format!("{}{}", operator.full_name(), self.attrs_text());
        let text = html::escape(operator.text());
        format!("{}<pre>{text}</pre>", html::code(&call))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.import("kanshape._pickle")?.getattr("prepared")?;
        let operator = self.operator();
        let attrs = self.attrs.as_ref().map(|attrs| attrs.bind(py));
        let n_outputs = self.call.outputs.as_ref().map(Vec::len);
        let args = (operator, self.call.inputs.len(), n_outputs, attrs);
        Ok((make, args.into_pyobject(py)?))
    }
});
