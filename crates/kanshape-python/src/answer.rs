//! [`PyAnswer`] and [`PyAnswers`]: what comes out.

use crate::patience::Patience;
use crate::ty::{Declared, PyType};
use crate::{dim, html, raise, ty};
use kanshape::{Answer, Answers, AttrValue, Call, Operator, Query, Verdict};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Where in an answer the operands of a call stand, where some of them are left out: `None` is one of those.
#[derive(Clone)]
pub(crate) struct Layout {
    inputs: Arc<[Option<usize>]>,
    outputs: Option<Arc<[Option<usize>]>>,
}

impl Layout {
    /// That of a call; `None` if its operands stand in the answer as they do in it.
    pub(crate) fn of(operator: &Operator, call: &Call) -> Option<Layout> {
        let outputs = call.outputs.as_deref().unwrap_or(&[]);
        if call.inputs.iter().chain(outputs).all(Option::is_some) {
            return None;
        }
        let places = operator.places(call);
        Some(Layout {
            inputs: places.inputs.into(),
            outputs: (!places.open).then(|| places.outputs.into()),
        })
    }
}

/// One way in which a rule holds.
#[pyclass(frozen, name = "Answer", module = "kanshape")]
pub(crate) struct PyAnswer {
    answer: Answer,
    layout: Option<Layout>,
    /// What is the verdict of; it is found when it is read.
    query: Option<Arc<Query>>,
    verdict: OnceLock<Verdict>,
}

impl PyAnswer {
    pub(crate) fn new(
        answer: Answer,
        query: Arc<Query>,
        layout: impl Into<Option<Layout>>,
    ) -> PyAnswer {
        PyAnswer {
            answer,
            layout: layout.into(),
            query: Some(query),
            verdict: OnceLock::new(),
        }
    }

    /// One that holds whatever names denote.
    pub(crate) fn always(answer: Answer, layout: Option<Layout>) -> PyAnswer {
        PyAnswer {
            answer,
            layout,
            query: None,
            verdict: OnceLock::from(Verdict::Always),
        }
    }

    fn found_verdict(&self, py: Python<'_>) -> PyResult<Verdict> {
        if let Some(verdict) = self.verdict.get() {
            return Ok(*verdict);
        }
        let Some(query) = &self.query else {
            return Ok(Verdict::Unknown);
        };
        let patience = Patience::default();
        let query = patience.of(Query::clone(query));
        let verdict = py.detach(|| query.solve().map(|mut answers| answers.verdict()));
        patience.check()?;
        let verdict = verdict.unwrap_or(Verdict::Unknown);
        Ok(*self.verdict.get_or_init(|| verdict))
    }
}

/// Types in the places of the call.
fn operands<'py>(
    py: Python<'py>,
    types: &[kanshape::Type],
    places: Option<&[Option<usize>]>,
) -> PyResult<Bound<'py, PyTuple>> {
    match places {
        None => PyTuple::new(py, types.iter().map(|ty| PyType(ty.clone()))),
        Some(places) => {
            let placed = places.iter().map(|place| types.get((*place)?));
            PyTuple::new(py, placed.map(|ty| ty.map(|ty| PyType(ty.clone()))))
        }
    }
}

#[pymethods]
impl PyAnswer {
    /// The types of the inputs; `None` is one that is left out.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let places = self.layout.as_ref().map(|layout| &*layout.inputs);
        let absent = &self.answer.absent;
        if absent.is_empty() {
            return operands(py, &self.answer.inputs, places);
        }
        let all: Vec<Option<usize>> = match places {
            Some(places) => places.to_vec(),
            None => (0..self.answer.inputs.len()).map(Some).collect(),
        };
        let is_there = |place: &usize| !absent.contains(place);
        let there: Vec<Option<usize>> = all.iter().map(|p| p.filter(is_there)).collect();
        operands(py, &self.answer.inputs, Some(&there))
    }

    /// The types of the outputs; `None` is one that is left out.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let places = self
            .layout
            .as_ref()
            .and_then(|layout| layout.outputs.as_deref());
        operands(py, &self.answer.outputs, places)
    }

    /// The parameters of a signature.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let params = PyDict::new(py);
        for (name, value) in &self.answer.params {
            params.set_item(name.as_str(), dim::python(py, value)?)?;
        }
        Ok(params)
    }

    /// The attributes of an operator that were queried.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attrs = PyDict::new(py);
        for (name, value) in &self.answer.attrs {
            attrs.set_item(name.as_str(), ty::python_value(py, value)?)?;
        }
        Ok(attrs)
    }

    /// The conditions under which it holds.
    #[getter(r#where)]
    fn conditions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.answer.conditions.iter().map(ToString::to_string))
    }

    /// Whether the rule holds of what was given: `always`, `depends` on the conditions, or `unknown`.
    #[getter]
    fn verdict(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.found_verdict(py).map(Verdict::name)
    }

    /// Are these arrays, and their types exactly those of the outputs, with nothing open and no condition?
    #[pyo3(name = "_gives", signature = (*results))]
    fn gives(&self, results: &Bound<'_, PyTuple>) -> PyResult<bool> {
        let outputs = &self.answer.outputs;
        if results.len() != outputs.len() || !self.answer.conditions.is_empty() {
            return Ok(false);
        }
        for (i, output) in outputs.iter().enumerate() {
            let result = results.get_borrowed_item(i)?;
            // One that is no array, or of no dtype that is known, has a message of its own.
            let is_same = ty::is_ground(output)
                && ty::value(&result).is_ok_and(|ty| ty.as_ref() == Some(output));
            if !is_same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<PyAnswer>()
            .is_ok_and(|other| other.get().answer == self.answer)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.answer.hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.answer.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<kanshape.Answer {}>", self.answer)
    }

    fn _repr_html_(&self) -> String {
        let answer = &self.answer;
        let params = answer
            .params
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        let attrs = answer
            .attrs
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        let inputs = answer.inputs.iter().enumerate();
        let inputs = inputs.map(|(i, ty)| match answer.absent.contains(&i) {
            true => (format!("input {i}"), "-".to_owned()),
            false => (format!("input {i}"), ty.to_string()),
        });
        let outputs = answer.outputs.iter().enumerate();
        let outputs = outputs.map(|(i, ty)| (format!("output {i}"), ty.to_string()));
        let conditions = answer
            .conditions
            .iter()
            .map(|c| ("where".into(), c.to_string()));
        html::table(
            params
                .chain(attrs)
                .chain(inputs)
                .chain(outputs)
                .chain(conditions),
        )
    }

    /// The answer as data, for pickling.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let (py, own) = (slf.py(), slf.get());
        let data = serde_json::to_string(&own.answer).map_err(|e| raise::value(e.to_string()))?;
        let layout = own.layout.as_ref().map(|layout| {
            let outputs = layout.outputs.as_ref().map(|outputs| outputs.to_vec());
            (layout.inputs.to_vec(), outputs)
        });
        let verdict = own.found_verdict(py)?.name();
        let operands = own.answer.inputs.iter().chain(&own.answer.outputs);
        let attrs = own.answer.attrs.iter().map(|(_, value)| value);
        let declared = ty::declared(operands.chain(ty::types_of(attrs)));
        let pickled = (data, layout, verdict, declared);
        Ok((slf.get_type().getattr("_of")?, pickled))
    }

    #[staticmethod]
    #[pyo3(name = "_of")]
    fn of(
        py: Python<'_>,
        data: &str,
        layout: Option<LayoutData>,
        verdict: &str,
        declared: Declared,
    ) -> PyResult<PyAnswer> {
        let mut answer: Answer =
            serde_json::from_str(data).map_err(|e| raise::value(e.to_string()))?;
        if !declared.is_empty() {
            let words = ty::words(py, declared)?;
            for ty in answer.inputs.iter_mut().chain(&mut answer.outputs) {
                *ty = words.adopt(ty);
            }
            let values = answer.attrs.iter_mut().map(|(_, value)| value);
            let mut left: Vec<&mut AttrValue> = values.collect();
            while let Some(value) = left.pop() {
                match value {
                    AttrValue::Type(ty) => *ty = words.adopt(ty),
                    AttrValue::List(members) => left.extend(members),
                    _ => {}
                }
            }
        }
        let verdicts = [Verdict::Always, Verdict::Depends, Verdict::Never];
        let verdict = verdicts.into_iter().find(|v| v.name() == verdict);
        Ok(PyAnswer {
            answer,
            layout: layout.map(|(inputs, outputs)| Layout {
                inputs: inputs.into(),
                outputs: outputs.map(Into::into),
            }),
            query: None,
            verdict: OnceLock::from(verdict.unwrap_or(Verdict::Unknown)),
        })
    }
}

/// An answer as data, with its layout, its verdict, and the types of files of operators in it.
type Pickled = (String, Option<LayoutData>, &'static str, Declared);

/// A layout as data.
type LayoutData = (Vec<Option<usize>>, Option<Vec<Option<usize>>>);

/// The answers to a query, found one by one.
#[pyclass(frozen, name = "Answers", module = "kanshape")]
pub(crate) struct PyAnswers {
    answers: Mutex<Answers>,
    query: Arc<Query>,
    patience: Patience,
    layout: Option<Layout>,
}

impl PyAnswers {
    pub(crate) fn new(
        py: Python<'_>,
        query: Query,
        patience: Patience,
        layout: Option<Layout>,
    ) -> PyResult<PyAnswers> {
        let waiting = patience.of(query.clone());
        let answers = py
            .detach(|| waiting.solve())
            .map_err(|d| raise::text(py, &d))?;
        Ok(PyAnswers {
            answers: Mutex::new(answers),
            query: Arc::new(query),
            patience,
            layout,
        })
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut Answers) -> T + Send,
    ) -> PyResult<T> {
        let found = py.detach(|| {
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            f(&mut answers)
        });
        self.patience.check()?;
        Ok(found)
    }
}

#[pymethods]
impl PyAnswers {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// The next answer. Where the search ends before all have been found, that is `kanshape.Undecided`.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyAnswer>> {
        let (next, is_cut) = self.with(py, |answers| {
            let next = answers.next();
            let is_cut = next.is_none() && answers.is_stopped();
            (next, is_cut)
        })?;
        match next {
            Some(answer) => Ok(Some(PyAnswer::new(
                answer,
                Arc::clone(&self.query),
                self.layout.clone(),
            ))),
            None if is_cut => Err(self.patience.undecided(py)),
            None => Ok(None),
        }
    }

    /// Whether the rule holds: `always`, `depends`, `never`, `unknown`. What it finds is still given out.
    #[getter]
    fn verdict(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |answers| answers.verdict().name())
    }

    /// Whether the answers given out so far are all.
    #[getter]
    fn complete(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, Answers::complete)
    }

    fn __repr__(&self) -> &'static str {
        "<kanshape.Answers>"
    }
}
