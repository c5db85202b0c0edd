//! [`PyOperator`]: an operator of the catalog.

use super::query::{self, Given, Limits};
use super::{PyPrepared, Rule, operator};
use crate::answer::{PyAnswer, PyAnswers};
use crate::{html, number, raise};
use kanshape::user::Vocabulary;
use kanshape::{Call, Operator, Relations, Type, catalog};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

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

/// Operators, relations and types of files of one's own, on top of the catalog.
#[pyclass(frozen, name = "Loaded", module = "kanshape._kanshape")]
pub(crate) struct PyLoaded {
    relations: Relations,
    sources: Arc<[(String, String)]>,
}

#[pymethods]
impl PyLoaded {
    /// Reads texts, each with the name of its file.
    #[new]
    fn new(py: Python<'_>, sources: Vec<(String, String)>) -> PyResult<PyLoaded> {
        let texts = sources.iter().map(|(name, text)| (&**name, &**text));
        let relations = catalog().with(texts).map_err(|d| raise::text(py, &d))?;
        Ok(PyLoaded {
            relations,
            sources: sources.into(),
        })
    }

    /// An operator of the files or of the catalog.
    #[pyo3(signature = (name, opset = None))]
    fn operator(&self, py: Python<'_>, name: &str, opset: Option<u64>) -> PyResult<PyOperator> {
        let operator = self.relations.operator(name, opset);
        Ok(PyOperator {
            operator: operator.map_err(|d| raise::text(py, &d))?,
            sources: Some(Arc::clone(&self.sources)),
        })
    }

    /// The names of the operators that the files define, in alphabetical order.
    #[getter]
    fn operators(&self) -> Vec<String> {
        let own = |op: &Operator| self.sources.iter().any(|(name, _)| name == op.file());
        let own = self.relations.operators().filter(own);
        let mut names: Vec<String> = own.map(|op| op.full_name()).collect();
        names.dedup();
        names
    }

    /// The names of the types of one's own, each with the names of its arguments.
    #[getter]
    fn types(&self) -> Vec<(String, Vec<String>)> {
        let known = Vocabulary::default();
        let own = self.relations.types().iter();
        own.filter(|own| known.get(own.name()).is_none())
            .map(|own| {
                (
                    own.name().to_string(),
                    own.parameters().map(str::to_owned).collect(),
                )
            })
            .collect()
    }

    /// What is probably not meant as it is written.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let warnings = self.relations.warnings();
        warnings.map(|warning| raise::texts(&warning).2).collect()
    }

    #[getter]
    fn sources(&self) -> Vec<(String, String)> {
        self.sources.to_vec()
    }
}

/// An operator of the catalog, `onnx::Conv`, or of files that were loaded.
#[pyclass(frozen, name = "Operator", module = "kanshape")]
pub(crate) struct PyOperator {
    pub(crate) operator: Operator,
    /// The files that were loaded, for one that is not of the catalog alone.
    pub(super) sources: Option<Arc<[(String, String)]>>,
}

impl PyOperator {
    /// What it is known by; an operator is that of its files.
    fn key(&self) -> (String, u64, Option<&[(String, String)]>) {
        let (name, since) = (self.operator.full_name(), self.operator.since());
        (name, since, self.sources.as_deref())
    }
}

impl PartialEq for PyOperator {
    fn eq(&self, other: &PyOperator) -> bool {
        self.key() == other.key()
    }
}

impl Hash for PyOperator {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// No more operands are prepared, so that a number that is wrong takes no memory.
const MAX_OPERANDS: usize = 1 << 16;

impl PyOperator {
    /// What its answers are about.
    fn rule(&self) -> Rule {
        Rule::Operator(self.operator.clone())
    }
}

rule_class!(PyOperator, [attrs], {
    #[new]
    #[pyo3(signature = (name, opset = None))]
    fn new(py: Python<'_>, name: &str, opset: Option<u64>) -> PyResult<PyOperator> {
        let operator = operator(py, name, opset)?;
        Ok(PyOperator {
            operator,
            sources: None,
        })
    }

    /// Its name with its domain.
    #[getter]
    fn name(&self) -> String {
        self.operator.full_name()
    }

    /// The version of its domain from which on it is this.
    #[getter]
    fn since(&self) -> u64 {
        self.operator.since()
    }

    /// What is written about it.
    #[getter]
    fn doc(&self) -> String {
        self.operator.doc().collect::<Vec<_>>().join("\n")
    }

    /// Its rule, as it is written.
    #[getter]
    fn text(&self) -> &str {
        self.operator.text()
    }

    /// The names of its inputs.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.operator
            .inputs()
            .map(|formal| formal.name.to_owned())
            .collect()
    }

    /// The names of its outputs.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.operator
            .outputs()
            .map(|formal| formal.name.to_owned())
            .collect()
    }

    /// The names of its attributes.
    #[getter]
    fn attributes(&self) -> Vec<String> {
        self.operator
            .attributes()
            .map(|attr| attr.name.to_owned())
            .collect()
    }

    /// It with its attributes fixed, for calls of this many inputs and outputs.
    #[pyo3(signature = (n_inputs, n_outputs = None, *, attrs = None))]
    fn prepare(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::given_length)] n_inputs: usize,
        #[pyo3(from_py_with = number::length)] n_outputs: Option<usize>,
        attrs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyPrepared> {
        if n_inputs.max(n_outputs.unwrap_or(0)) > MAX_OPERANDS {
            return Err(raise::value(format!(
                "a call has at most {MAX_OPERANDS} inputs and outputs"
            )));
        }
        let mut given = query::attrs(attrs)?;
        given.sort();
        let call = Call {
            inputs: vec![Some(Type::UNKNOWN); n_inputs],
            outputs: n_outputs.map(|n| vec![Some(Type::UNKNOWN); n]),
            attrs: given,
            ..Call::default()
        };
        let prepared = self
            .operator
            .prepare(call.clone())
            .map_err(|d| raise::text(py, &d))?;
        let attrs = attrs.map(|attrs| attrs.copy()).transpose()?;
        Ok(PyPrepared {
            prepared,
            call,
            sources: self.sources.clone(),
            attrs: attrs.map(Bound::unbind),
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<PyOperator>()
            .is_ok_and(|other| other.get() == self)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!(
            "Operator('{}', opset={})",
            self.operator.full_name(),
            self.operator.since()
        )
    }

    fn _repr_html_(&self) -> String {
        format!("<pre>{}</pre>", html::escape(self.operator.text()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let PyOperator { operator, sources } = slf.get();
        let named = (operator.full_name(), operator.since());
        let Some(sources) = sources else {
            return Ok((slf.get_type(), named).into_pyobject(slf.py())?.into_any());
        };
        let loaded = slf.py().import("kanshape._pickle")?.getattr("loaded")?;
        let args = (sources.to_vec(), named.0, named.1);
        Ok((loaded, args).into_pyobject(slf.py())?.into_any())
    }
});
