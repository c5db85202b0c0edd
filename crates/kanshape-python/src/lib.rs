//! kanshape for Python: the extension module behind the package `kanshape`.
//!
//! What a Python user gives is read as types, dims and values (`ty`, `dim`), becomes a query of the crate `kanshape` (`rule`), and the
//! answers are Python objects (`answer`). It stands on the public face of `kanshape`, `kanshape-onnx`,
//! `kanshape-rewrite` (`rewriting`) and `kanshape-relay` (`program`); nothing is solved here. The command line is in it as it is (`page`).
//!
//! Solving releases the interpreter's lock, and looks every millisecond whether the user has pressed Ctrl-C (`patience`).

mod answer;
mod dim;
mod graph;
mod html;
mod model;
mod number;
mod page;
mod patience;
mod program;
mod raise;
mod refusal;
mod rewriting;
mod rule;
mod ty;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _kanshape {
    #[pymodule_export]
    use crate::answer::{PyAnswer, PyAnswers};
    #[pymodule_export]
    use crate::dim::{PyDim, symbolic_dim};
    #[pymodule_export]
    use crate::graph::type_graph;
    #[pymodule_export]
    use crate::html::html_table;
    #[pymodule_export]
    use crate::model::{PyReport, check_bytes, diff_reports};
    #[pymodule_export]
    use crate::page::{PyServer, command};
    #[pymodule_export]
    use crate::program::type_program;
    #[pymodule_export]
    use crate::refusal::Refusal;
    #[pymodule_export]
    use crate::rewriting::{PyRule, find_calls, read_rules, rewrite_model};
    #[pymodule_export]
    use crate::rule::{
        PyLoaded, PyOperator, PyPrepared, PySignature, fits, infer, operators, refused, sample,
        solve, torch_call, value_type,
    };
    #[pymodule_export]
    use crate::ty::PyType;

    use super::*;

    #[pymodule_init]
    fn init(m: &Bound<'_, PyModule>) -> PyResult<()> {
        m.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
