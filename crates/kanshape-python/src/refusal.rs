//! [`Refusal`]: why a question has no answer.

use crate::answer::PyAnswer;
use crate::patience::Patience;
use crate::raise::{self, raise, texts};
use crate::ty::{self, PyType};
use kanshape::explain::{Edit, Fact, Repair};
use kanshape::{AttrValue, Query, explain::Conflict};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::{Arc, OnceLock};

/// A question that has no answer, and why. That is found out when it is first read.
#[pyclass(frozen, module = "kanshape._kanshape")]
pub(crate) struct Refusal {
    query: Query,
    conflict: OnceLock<Option<Conflict>>,
}

impl Refusal {
    pub(crate) fn of(query: Query) -> Refusal {
        Refusal {
            query,
            conflict: OnceLock::new(),
        }
    }

    /// The conflict; `None` if none was found.
    fn conflict(&self, py: Python<'_>) -> PyResult<Option<&Conflict>> {
        let patience = Patience::default();
        if self.conflict.get().is_none() {
            let query = patience.of(self.query.clone());
            let conflict = py.detach(|| query.explain());
            patience.check()?;
            let _ = self.conflict.set(conflict);
        }
        Ok(self.conflict.get().and_then(Option::as_ref))
    }
}

#[pymethods]
impl Refusal {
    /// `(code, headline, rendered text)`.
    fn text(&self, py: Python<'_>) -> PyResult<(String, String, String)> {
        Ok(match self.conflict(py)? {
            Some(conflict) => texts(&conflict.diagnostic),
            None => {
                let headline = "no shapes and dtypes satisfy this signature";
                let code = kanshape::code::NEVER;
                (
                    code.into(),
                    headline.into(),
                    format!("error[{code}]: {headline}"),
                )
            }
        })
    }

    /// Each fact as `(slot, axis, about, says, span)`.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let facts = self.conflict(py)?.map_or(&[][..], |c| &c.facts);
        let rows = facts.iter().map(|fact| fact_row(py, fact));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    /// Each repair as `(slot, instead, where)`.
    fn repairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let repairs = self.conflict(py)?.map_or(&[][..], |c| &c.repairs);
        let rows = repairs.iter().map(|repair| repair_row(py, repair));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }
}

fn fact_row<'py>(py: Python<'py>, fact: &Fact) -> PyResult<Bound<'py, PyAny>> {
    let about = fact.about.name();
    let span = fact.span.as_ref().map(|span| (span.start, span.end));
    let row = (fact.slot.to_string(), fact.axis(), about, &fact.says, span);
    Ok(row.into_pyobject(py)?.into_any())
}

fn repair_row<'py>(py: Python<'py>, repair: &Repair) -> PyResult<Bound<'py, PyAny>> {
    let instead = match &repair.change {
        Edit::Type(ty) => PyType(ty.clone()).into_pyobject(py)?.into_any(),
        Edit::Param(dim) => crate::dim::python(py, dim)?,
        Edit::Attr(AttrValue::Absent) => py.None().into_bound(py),
        Edit::Attr(value) => ty::python_value(py, value)?,
        other => format!("{other:?}").into_pyobject(py)?.into_any(),
    };
    let conditions: Vec<String> = repair.conditions.iter().map(ToString::to_string).collect();
    let row = (repair.slot.to_string(), instead, conditions);
    Ok(row.into_pyobject(py)?.into_any())
}

/// That a question has no answer: `kanshape.Never`.
pub(crate) fn never(py: Python<'_>, query: &Query) -> PyErr {
    raise(py, "Never", (Refusal::of(query.clone()),))
}

/// An error of `kanshape` as an exception. The query is the one that was solved.
pub(crate) fn from(
    py: Python<'_>,
    why: kanshape::Error,
    patience: &Patience,
    query: &Query,
) -> PyErr {
    match why {
        kanshape::Error::Text(diagnostic) => raise::text(py, &diagnostic),
        kanshape::Error::Never(_) => never(py, query),
        kanshape::Error::Several(answers) => {
            let query = Arc::new(query.clone());
            let [first, second] = *answers;
            let first = PyAnswer::new(first, Arc::clone(&query), None);
            let second = PyAnswer::new(second, query, None);
            raise(py, "Several", (first, second))
        }
        _ => patience.undecided(py),
    }
}
