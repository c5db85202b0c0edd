//! Rules - signatures, operators of the catalog, operators with their attributes fixed - and queries about them.

/// The methods of a class of rules: its own ones, and its answers, which take the same keywords of each and some of its own.
macro_rules! rule_class {
    ($class:ident, [$($own:ident)?], { $($methods:tt)* }) => {
        #[pymethods]
        impl $class {
            $($methods)*

            /// The one answer.
            #[pyo3(signature = (*inputs, outputs = None, $($own = None,)? r#where = None, promotion = None, budget = None, timeout = None))]
            #[allow(clippy::too_many_arguments, reason = "they are keywords")]
            fn infer(
                &self,
                py: Python<'_>,
                inputs: &Bound<'_, PyTuple>,
                outputs: Option<&Bound<'_, PyAny>>,
                $($own: Option<&Bound<'_, PyDict>>,)?
                r#where: Option<&Bound<'_, PyAny>>,
                promotion: Option<&str>,
                #[pyo3(from_py_with = number::count)] budget: Option<u64>,
                timeout: Option<f64>,
            ) -> PyResult<PyAnswer> {
                let given = Given {
                    outputs,
                    $($own,)?
                    conditions: r#where,
                    promotion,
                    budget,
                    timeout,
                    ..Given::default()
                };
                query::one(py, &self.rule(), inputs.as_any(), &given)
            }

            /// The answers, found one by one.
            #[pyo3(signature = (inputs = None, outputs = None, *, $($own = None,)? r#where = None, promotion = None, budget = None, timeout = None, limit = None, max_rank = None, max_dim = None, ground = false))]
            #[allow(clippy::too_many_arguments, reason = "they are keywords")]
            fn solve(
                &self,
                py: Python<'_>,
                inputs: Option<&Bound<'_, PyAny>>,
                outputs: Option<&Bound<'_, PyAny>>,
                $($own: Option<&Bound<'_, PyDict>>,)?
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
                    $($own,)?
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
                query::all(py, &self.rule(), inputs, &given, &limits)
            }
        }
    };
}

mod call;
mod operator;
mod prepared;
mod query;
mod sampling;
mod signature;
mod torch;

pub(crate) use call::{fits, refused, value_type};
pub(crate) use operator::{PyLoaded, PyOperator, operators};
pub(crate) use prepared::PyPrepared;
pub(crate) use query::{infer, listed, solve};
pub(crate) use sampling::sample;
pub(crate) use signature::PySignature;
pub(crate) use torch::torch_call;

use crate::raise;
use kanshape::{Operator, Prepared, Signature, catalog};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// What a query is about.
#[derive(Clone)]
pub(crate) enum Rule {
    Signature(Signature),
    Operator(Operator),
    Prepared(Box<Prepared>),
}

/// Texts of signatures are kept, so that one that is given again need not be read again.
static KEPT: LazyLock<Mutex<HashMap<String, Signature>>> = LazyLock::new(Mutex::default);
/// The most of them; with more, all are forgotten.
const MOST_KEPT: usize = 1024;

impl Rule {
    /// The rule that is given: a rule, the text of a signature, or the name of an operator.
    pub(crate) fn read(obj: &Bound<'_, PyAny>, opset: Option<u64>) -> PyResult<Rule> {
        if let Ok(signature) = obj.cast::<PySignature>() {
            return Ok(Rule::Signature(signature.get().0.clone()));
        }
        let is_versioned = obj.is_instance_of::<PyOperator>() || obj.is_instance_of::<PyPrepared>();
        if is_versioned && opset.is_some() {
            return Err(raise::value(
                "the version of an Operator is fixed: Operator(name, opset)",
            ));
        }
        if let Ok(operator) = obj.cast::<PyOperator>() {
            return Ok(Rule::Operator(operator.get().operator.clone()));
        }
        if let Ok(prepared) = obj.cast::<PyPrepared>() {
            return Ok(Rule::Prepared(Box::new(prepared.get().prepared.clone())));
        }
        if let Ok(text) = obj.cast::<PyString>() {
            return Rule::of_text(obj.py(), text.to_str()?, opset);
        }
        match function_name(obj)? {
            Some(name) => Rule::of_text(obj.py(), &name, opset),
            None => {
                let class = obj.get_type();
                Err(raise::wrong_type(format!(
                    "a rule is a text, a Signature, an Operator, a Prepared or a function of a library, and no {}",
                    class.name()?
                )))
            }
        }
    }

    /// The rule that a text is: a signature, or the name of an operator.
    fn of_text(py: Python<'_>, text: &str, opset: Option<u64>) -> PyResult<Rule> {
        if text.contains("->") {
            signature(py, text).map(Rule::Signature)
        } else {
            operator(py, text, opset).map(Rule::Operator)
        }
    }
}

/// The operator that a function of a library is, by its name.
fn function_name(obj: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    static NAME: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let name_of = NAME.import(obj.py(), "kanshape._describe", "operator_name")?;
    let name = name_of.call1((obj,))?;
    match name.cast::<PyString>() {
        Ok(name) => Ok(Some(name.to_str()?.to_owned())),
        Err(_) => Ok(None),
    }
}

fn signature(py: Python<'_>, text: &str) -> PyResult<Signature> {
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(signature) = kept().get(text) {
        return Ok(signature.clone());
    }
    let signature: Signature = text.parse().map_err(|d| raise::text(py, &d))?;
    let mut kept = kept();
    if kept.len() >= MOST_KEPT {
        kept.clear();
    }
    kept.insert(text.to_owned(), signature.clone());
    Ok(signature)
}

fn operator(py: Python<'_>, name: &str, opset: Option<u64>) -> PyResult<Operator> {
    let found = py.detach(|| catalog().operator(name, opset));
    found.map_err(|d| raise::text(py, &d))
}
