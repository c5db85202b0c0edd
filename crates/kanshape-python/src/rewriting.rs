//! Rewrite rules: read, checked, applied to models; and operators that make one type of others.

use crate::dim;
use crate::number;
use crate::patience::Patience;
use crate::raise;
use crate::rule::listed;
use crate::ty::{self, PyType, python_value};
use kanshape::tree::parse_conditions;
use kanshape::{Diagnostic, Operator, Type, catalog};
use kanshape_onnx::Options;
use kanshape_rewrite::{Bounds, Case, Find, Found, Held, Operand, Rule, Rules, Values};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::Arc;

/// A rewrite rule. Pickles read its text again.
#[pyclass(frozen, name = "Rule", module = "kanshape._kanshape")]
pub(crate) struct PyRule {
    rule: Rule,
    /// Where it was read: name and text of its file.
    source: Arc<(String, String)>,
}

/// A counterexample: attributes, leaves, the types of both sides, and why they differ.
type Counterexample<'py> = (
    Vec<(String, String)>,
    Vec<(String, PyType)>,
    Vec<PyType>,
    Option<Vec<PyType>>,
    Option<String>,
);

fn example<'py>(case: &Case) -> Counterexample<'py> {
    let types = |types: &[Type]| types.iter().cloned().map(PyType).collect::<Vec<_>>();
    let leaves = case.leaves.iter();
    let leaves = leaves.map(|(name, ty)| (name.to_string(), PyType(ty.clone())));
    let attrs = case.attrs.iter();
    (
        attrs
            .map(|(name, value)| (name.to_string(), value.clone()))
            .collect(),
        leaves.collect(),
        types(&case.left),
        case.right.as_deref().map(types),
        case.why.clone(),
    )
}

/// `(verdict, ranks, sizes, instances, counterexample, needs, loses, why)`.
type Agreed<'py> = (
    &'static str,
    Option<u64>,
    Option<u64>,
    usize,
    Option<Counterexample<'py>>,
    Option<Vec<String>>,
    Option<Counterexample<'py>>,
    Option<String>,
);

fn agreement<'py>(found: Values) -> Agreed<'py> {
    let up_to = found.up_to.filter(|_| !found.all_ranks);
    let ranks = found.all_sizes.or(up_to.map(|own| own.0));
    let sizes = up_to.map(|own| own.1).filter(|_| found.all_sizes.is_none());
    (
        found.verdict.name(),
        ranks,
        sizes,
        found.instances,
        found.counterexample.as_ref().map(example),
        found.needs,
        found.loses.as_ref().map(example),
        found.why,
    )
}

#[pymethods]
impl PyRule {
    #[getter]
    fn name(&self) -> &str {
        self.rule.name()
    }

    #[getter]
    fn left(&self) -> String {
        self.rule.left()
    }

    #[getter]
    fn right(&self) -> String {
        self.rule.right()
    }

    /// `(verdict, counterexample, needs, complete up to, audit, lost, forward, backward, why, values)`.
    #[pyo3(signature = (types_only, opset = None, max_rank = None, max_dim = None))]
    fn found<'py>(
        &self,
        py: Python<'py>,
        types_only: bool,
        #[pyo3(from_py_with = number::count)] opset: Option<u64>,
        #[pyo3(from_py_with = number::count)] max_rank: Option<u64>,
        #[pyo3(from_py_with = number::count)] max_dim: Option<u64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let own = Bounds::default();
        let bounds = Bounds {
            max_rank: max_rank.unwrap_or(own.max_rank),
            max_dim: max_dim.unwrap_or(own.max_dim),
        };
        let rule = self.rule.clone().bounds(bounds).opset(opset);
        let found = py.detach(|| match types_only {
            true => Ok((rule.checked()?, None)),
            false => {
                let (found, values) = rule.checked_with_values()?;
                Ok((found, Some(values)))
            }
        });
        let (found, values) = found.map_err(|d: Diagnostic| raise::text(py, &d))?;
        let up_to = found.complete_up_to.map(|bound| (bound.rank, bound.dim));
        (
            found.verdict.name(),
            found.counterexample.as_ref().map(example),
            found.needs,
            up_to,
            found.audit.map(|audit| audit.name()),
            found.lost.as_ref().map(example),
            found.forward,
            found.backward,
            found.why,
            values.map(agreement),
        )
            .into_pyobject(py)
    }

    /// `(verdict, ranks, sizes, instances, counterexample, needs, loses, why)`.
    #[pyo3(signature = (opset = None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = number::count)] opset: Option<u64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let rule = self.rule.clone().opset(opset);
        let found = py.detach(|| rule.values());
        let found = found.map_err(|d| raise::text(py, &d))?;
        agreement(found).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let (left, right) = (self.rule.left(), self.rule.right());
        format!("<kanshape.Rule {}: {left} => {right}>", self.rule.name())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, String, String))> {
        let make = py.import("kanshape._pickle")?.getattr("rule")?;
        let (name, text) = &*self.source;
        let own = (name.clone(), text.clone(), self.rule.name().to_owned());
        Ok((make, own))
    }
}

/// The rules in a text; messages call it by this name.
#[pyfunction]
pub(crate) fn read_rules(py: Python<'_>, name: &str, text: &str) -> PyResult<Vec<PyRule>> {
    let rules = py.detach(|| Rules::load_str(catalog(), name, text));
    let rules = rules.map_err(|d| raise::text(py, &d))?;
    let source = Arc::new((name.to_owned(), text.to_owned()));
    let own = rules.iter().map(|rule| PyRule {
        rule: rule.clone(),
        source: Arc::clone(&source),
    });
    Ok(own.collect())
}

/// What has come of a model: its bytes, where rules were applied as `(rule, value)`, where they match and were not applied as
/// `(rule, value, verdict, whys)`, and the rules that were stopped.
#[pyfunction]
#[pyo3(signature = (model, rules, assume, timeout = None))]
pub(crate) fn rewrite_model<'py>(
    py: Python<'py>,
    model: &[u8],
    rules: Vec<(String, String)>,
    assume: Vec<String>,
    timeout: Option<f64>,
) -> PyResult<Bound<'py, PyTuple>> {
    let patience = Patience::new(timeout)?;
    let control = patience.control();
    let bytes = model.to_vec();
    let done = py.detach(|| {
        let mut all = Rules::default();
        for (name, text) in &rules {
            all.extend(Rules::load_str(catalog(), name, text)?);
        }
        let mut assumed = Vec::new();
        for text in &assume {
            assumed.extend(parse_conditions(text)?.into_iter().map(|one| one.node));
        }
        let options = Options {
            control,
            ..Options::default()
        };
        kanshape_rewrite::rewrite(&bytes, &all, &assumed, &options)
    });
    patience.check()?;
    let done = done.map_err(|d: Diagnostic| raise::text(py, &d))?;
    let applied = done.applied.into_iter();
    let applied: Vec<_> = applied.map(|place| (place.rule, place.value)).collect();
    let left = done.left.into_iter().map(|(place, held)| {
        let (verdict, why) = match held {
            Held::Always => ("always", Vec::new()),
            Held::Depends(needs) => ("depends", needs),
            Held::Never(why) => ("never", vec![why]),
            Held::Unknown(why) => ("unknown", vec![why]),
        };
        (place.rule, place.value, verdict, why)
    });
    let left: Vec<_> = left.collect();
    (PyBytes::new(py, &done.bytes), applied, left, done.looped).into_pyobject(py)
}

/// The calls that make an output of inputs, as trees `(op, attrs, inputs, output, text, cost)`, where an input is `None`, `(place, type)`,
/// a type, or a tree, and a cost is `(elements, bytes, multiply_adds)`; and the operators that were too much to search.
#[pyfunction]
#[pyo3(signature = (inputs, output, depth, ops, cheapest, opset = None, budget = None, timeout = None))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn find_calls<'py>(
    py: Python<'py>,
    inputs: &Bound<'py, PyAny>,
    output: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = number::given_length)] depth: usize,
    ops: Vec<String>,
    cheapest: bool,
    #[pyo3(from_py_with = number::count)] opset: Option<u64>,
    #[pyo3(from_py_with = number::count)] budget: Option<u64>,
    timeout: Option<f64>,
) -> PyResult<Bound<'py, PyTuple>> {
    let given = listed(inputs)?.map(|input| ty::ty(&input?));
    let given: Vec<Type> = given.collect::<PyResult<_>>()?;
    let output = ty::ty(output)?;
    for name in &ops {
        let is_meant = |op: Operator| {
            [op.domain(), op.domain_name(), op.name()].contains(&&**name) || op.full_name() == *name
        };
        if !catalog().operators().any(is_meant) {
            catalog()
                .operator(name, None)
                .map_err(|d| raise::text(py, &d))?;
        }
    }
    let find = Find::new(catalog(), given, output);
    let find = find.depth(depth).ops(ops).opset(opset);
    let finding = Patience::new(timeout)?.run(py, budget, || {
        let mut finding = find.run();
        if cheapest {
            finding.sort_by_cost();
        }
        finding
    })?;
    let found = finding.found.iter().map(|found| tree(py, found));
    let found: Vec<Bound<'py, PyAny>> = found.collect::<PyResult<_>>()?;
    (found, finding.cut_off).into_pyobject(py)
}

fn tree<'py>(py: Python<'py>, found: &Found) -> PyResult<Bound<'py, PyAny>> {
    let attrs = PyDict::new(py);
    for (name, value) in &found.attrs {
        attrs.set_item(&**name, python_value(py, value)?)?;
    }
    let mut inputs = Vec::new();
    for input in &found.inputs {
        inputs.push(match input {
            None => py.None().into_bound(py),
            Some(Operand::Given(place, ty)) => {
                (*place, PyType(ty.clone())).into_pyobject(py)?.into_any()
            }
            Some(Operand::Further(ty)) => PyType(ty.clone()).into_pyobject(py)?.into_any(),
            // A chain is never longer than the depth, which has a bound.
            Some(Operand::Made(made)) => tree(py, made)?,
        });
    }
    let inputs = PyTuple::new(py, inputs)?;
    let output = PyType(found.output.clone());
    let text = found.to_string();
    let cost = found.cost();
    let cost = [cost.elements, cost.bytes, cost.multiply_adds].map(|dim| dim::python(py, &dim));
    let cost = cost.into_iter().collect::<PyResult<Vec<_>>>()?;
    let cost = PyTuple::new(py, cost)?;
    Ok((&found.op, attrs, inputs, output, text, cost)
        .into_pyobject(py)?
        .into_any())
}
