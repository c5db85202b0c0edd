//! ONNX models: typed, written with their types, compared.

use crate::dim;
use crate::number;
use crate::patience::Patience;
use crate::raise;
use crate::ty::{self, PyType};
use kanshape::{Type, Verdict};
use kanshape_onnx::{
    Difference, Exported, FreeDim, InputDim, Model, NodeText, Options, Place, Problem,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::borrow::Cow;
use std::sync::Arc;

/// What has been found out of a model.
#[pyclass(frozen, name = "Report", module = "kanshape._kanshape")]
pub(crate) struct PyReport {
    bytes: Arc<[u8]>,
    options: Options,
    timeout: Option<f64>,
    verdict: Verdict,
    signature: String,
    inputs: Vec<(String, Arc<Type>)>,
    outputs: Vec<(String, Arc<Type>)>,
    values: Vec<(String, Arc<Type>)>,
    conditions: Vec<(String, Option<Place>, Vec<String>)>,
    problems: Vec<Problem>,
    untyped: Vec<(Place, String)>,
    free: Vec<FreeDim>,
    /// What the program assumes that the model was, and what it was asked with.
    program: Arc<(Exported, Options)>,
}

/// What a program assumes of a size: `(input, axis, name, assumes, requires, text)`.
type PyAssumed = (String, usize, String, String, Vec<String>, String);

impl PyReport {
    fn new(
        program: Exported,
        own: Options,
        timeout: Option<f64>,
    ) -> Result<PyReport, kanshape::Diagnostic> {
        let options = program.known(&own);
        let bytes: Arc<[u8]> = program.model.as_slice().into();
        let model = Model::read(&bytes)?;
        let report = kanshape_onnx::check(&model, &options);
        let signature = kanshape_onnx::signature(&report);
        let owned = |types: Vec<(Cow<'_, str>, Arc<Type>)>| -> Vec<(String, Arc<Type>)> {
            types
                .into_iter()
                .map(|(name, ty)| (name.into_owned(), ty))
                .collect()
        };
        let conditions = report.conditions.into_iter().map(|one| {
            let under = one.under.iter().map(ToString::to_string).collect();
            (one.condition.to_string(), one.node, under)
        });
        let untyped = report.untyped.into_iter().map(|one| (one.place, one.why));
        Ok(PyReport {
            verdict: report.verdict,
            signature,
            inputs: owned(report.inputs),
            outputs: owned(report.outputs),
            values: owned(report.values),
            conditions: conditions.collect(),
            problems: report.problems,
            untyped: untyped.collect(),
            free: report.free,
            options,
            timeout,
            bytes: Arc::clone(&bytes),
            program: Arc::new((
                Exported {
                    model: Vec::new(),
                    ..program
                },
                own,
            )),
        })
    }
}

impl PyReport {
    /// What the model is solved with once more: its deadline is counted from now.
    fn again(&self) -> PyResult<(Patience, Options)> {
        let patience = Patience::new(self.timeout)?;
        let options = Options {
            control: patience.control(),
            ..self.options.clone()
        };
        Ok((patience, options))
    }
}

fn types<'py>(py: Python<'py>, all: &[(String, Arc<Type>)]) -> PyResult<Bound<'py, PyDict>> {
    let types = PyDict::new(py);
    for (name, ty) in all {
        types.set_item(name, PyType(Type::clone(ty)))?;
    }
    Ok(types)
}

fn node_name(place: Option<&Place>) -> Option<&str> {
    place.map(|place| place.node.as_str())
}

#[pymethods]
impl PyReport {
    #[getter]
    fn verdict(&self) -> &'static str {
        self.verdict.name()
    }

    #[getter]
    fn signature(&self) -> &str {
        &self.signature
    }

    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        types(py, &self.inputs)
    }

    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        types(py, &self.outputs)
    }

    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        types(py, &self.values)
    }

    /// Each as `(condition, node, under)`.
    #[getter]
    fn conditions(&self) -> Vec<(&str, Option<&str>, Vec<String>)> {
        let rows = self.conditions.iter();
        rows.map(|(text, node, under)| (text.as_str(), node_name(node.as_ref()), under.clone()))
            .collect()
    }

    /// What torch assumed beyond what the program requires. It is computed when it is first read.
    fn assumed(&self, py: Python<'_>) -> PyResult<Vec<PyAssumed>> {
        let patience = Patience::new(self.timeout)?;
        let (program, own) = &*self.program;
        let options = Options {
            control: patience.control(),
            ..own.clone()
        };
        let found = py.detach(|| program.assumed(&options));
        patience.check()?;
        let rows = found.into_iter().map(|one| {
            let text = format!("torch {one}");
            let requires = one.requires.iter().map(ToString::to_string).collect();
            let (name, assumes) = (one.name.to_string(), one.assumes.to_string());
            (one.input, one.axis, name, assumes, requires, text)
        });
        Ok(rows.collect())
    }

    /// Each as `(severity, code, headline, text, node)`.
    #[getter]
    fn problems(&self) -> Vec<(&'static str, String, String, String, Option<&str>)> {
        let rows = self.problems.iter().map(|problem| {
            let (code, headline, text) = raise::texts(&problem.diagnostic);
            let severity = problem.diagnostic.severity.name();
            (
                severity,
                code,
                headline,
                text,
                node_name(problem.node.as_ref()),
            )
        });
        rows.collect()
    }

    /// Each as `(node, why)`.
    #[getter]
    fn untyped(&self) -> Vec<(&str, &str)> {
        let rows = self.untyped.iter();
        rows.map(|(place, why)| (place.node.as_str(), why.as_str()))
            .collect()
    }

    /// The dims of inputs that were open before anything was found out, each as `(input, axis, name)`.
    #[getter]
    fn free(&self) -> Vec<(&str, usize, &str)> {
        let rows = self.free.iter();
        rows.map(|one| (one.input.as_str(), one.axis, one.name.as_str()))
            .collect()
    }

    /// The bytes of the model with all types written into it.
    fn written<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (patience, options) = self.again()?;
        let written = py.detach(|| {
            let model = Model::read(&self.bytes)?;
            let report = kanshape_onnx::check(&model, &options);
            Ok(kanshape_onnx::write(&model, &report))
        });
        patience.check()?;
        let written: Vec<u8> = written.map_err(|d: kanshape::Diagnostic| raise::text(py, &d))?;
        Ok(PyBytes::new(py, &written))
    }

    /// A page with all of it.
    fn page(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let (patience, options) = self.again()?;
        let page = py.detach(|| kanshape_cli::report_page(name, &self.bytes, &options));
        patience.check()?;
        page.map_err(|d| raise::text(py, &d))
    }
}

/// A model as it is read; a program that torch has exported, or a module of StableHLO, becomes one.
fn program(bytes: Vec<u8>) -> Result<Exported, kanshape::Diagnostic> {
    kanshape_batch::model::read("model", bytes, kanshape::catalog())
}

/// Types a model, of its bytes.
#[pyfunction]
#[pyo3(signature = (model, dims = None, inputs = None, outputs = None, sizes = None, batch = None, cuts = None, trust_annotations = false, budget = None, timeout = None))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn check_bytes(
    py: Python<'_>,
    model: &[u8],
    dims: Option<&Bound<'_, PyDict>>,
    inputs: Option<&Bound<'_, PyDict>>,
    outputs: Option<&Bound<'_, PyDict>>,
    sizes: Option<&Bound<'_, PyDict>>,
    batch: Option<&Bound<'_, PyAny>>,
    cuts: Option<&Bound<'_, PyDict>>,
    trust_annotations: bool,
    #[pyo3(from_py_with = number::count)] budget: Option<u64>,
    timeout: Option<f64>,
) -> PyResult<PyReport> {
    let patience = Patience::new(timeout)?;
    let (dims, shapes) = input_dims(dims)?;
    let options = Options {
        inputs: named_types(inputs)?,
        dims,
        shapes,
        batch: batch.map(dim::read).transpose()?,
        set: named_sizes(sizes)?,
        given: named_types(outputs)?,
        cuts: named_types(cuts)?,
        trust_annotations,
        control: patience.control(),
        budget,
        ..Options::default()
    };
    let read = |bytes| PyReport::new(program(bytes)?, options, timeout);
    let report = py.detach(|| read(model.to_vec()));
    patience.check()?;
    report.map_err(|d| raise::text(py, &d))
}

fn named_types(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Type)>> {
    let mut types = Vec::new();
    for (name, ty) in given.into_iter().flatten() {
        types.push((name.extract()?, ty::ty(&ty)?));
    }
    Ok(types)
}

fn named_sizes(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, u64)>> {
    let mut sizes = Vec::new();
    for (name, size) in given.into_iter().flatten() {
        sizes.push((name.extract()?, dim::size(&size)?));
    }
    Ok(sizes)
}

/// All dims of an input.
type InputShape = (String, Vec<Option<kanshape::Dim>>);

/// Dims of inputs, by their axes or a list of all; `None` is one that is as the model declares it.
fn input_dims(given: Option<&Bound<'_, PyDict>>) -> PyResult<(Vec<InputDim>, Vec<InputShape>)> {
    let (mut dims, mut shapes) = (Vec::new(), Vec::new());
    let read = |dim: Bound<'_, PyAny>| match dim.is_none() {
        true => Ok(None),
        false => dim::read(&dim).map(Some),
    };
    for (name, own) in given.into_iter().flatten() {
        let input: String = name.extract()?;
        if own.cast::<PyString>().is_ok() {
            return Err(raise::wrong_type(
                "the dims of an input are a list, or a dict of axes",
            ));
        }
        let Ok(by_axis) = own.cast::<PyDict>() else {
            let all = own.try_iter()?.map(|dim| read(dim?));
            shapes.push((input, all.collect::<PyResult<_>>()?));
            continue;
        };
        for (axis, dim) in by_axis {
            let axis = axis.extract()?;
            if let Some(dim) = read(dim)? {
                dims.push(InputDim {
                    input: input.clone(),
                    axis,
                    dim,
                });
            }
        }
    }
    Ok((dims, shapes))
}

/// What is other in a second model: values as `(name, first, second)`, inputs and outputs of both where they differ, nodes,
/// conditions that only one has, sizes, and how many values are the same under other names.
#[pyfunction]
pub(crate) fn diff_reports<'py>(
    py: Python<'py>,
    first: &Bound<'py, PyReport>,
    second: &Bound<'py, PyReport>,
) -> PyResult<Bound<'py, PyAny>> {
    let (first, second) = (first.get(), second.get());
    let (own, other) = (first.again()?, second.again()?);
    let found = py.detach(|| {
        let (a, b) = (Model::read(&first.bytes)?, Model::read(&second.bytes)?);
        let own = kanshape_onnx::check(&a, &own.1);
        let other = kanshape_onnx::check(&b, &other.1);
        Ok(kanshape_onnx::diff((&a, &own), (&b, &other)))
    });
    own.0.check()?;
    other.0.check()?;
    let Difference {
        values,
        ports,
        nodes,
        conditions,
        sizes,
        renamed,
        ..
    } = found.map_err(|d: kanshape::Diagnostic| raise::text(py, &d))?;
    let of = |ty: Option<Type>| ty.map(PyType);
    let rows = PyList::empty(py);
    for (name, a, b) in values {
        rows.append((name, of(a), of(b)))?;
    }
    let ports = ports.map(|[a, b]| ((a.inputs, a.outputs), (b.inputs, b.outputs)));
    let text = |node: Option<NodeText>| node.map(|node| node.text);
    let nodes: Vec<_> = nodes.into_iter().map(|(a, b)| (text(a), text(b))).collect();
    let [only_first, only_second] = conditions;
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    let conditions = (only_first, only_second);
    let found = (rows, ports, nodes, conditions, sizes, renamed);
    Ok(found.into_pyobject(py)?.into_any())
}
