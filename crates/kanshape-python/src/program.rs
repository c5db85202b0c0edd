//! Programs of Relay, typed.

use crate::number;
use crate::patience::Patience;
use crate::raise;
use kanshape::{Diagnostic, catalog};
use kanshape_relay::{Problem, Program};
use pyo3::prelude::*;

/// A problem as `(severity, code, headline, text, kind)`.
type ProblemRow = (&'static str, String, String, String, Option<&'static str>);

fn row(diagnostic: &Diagnostic, kind: Option<&'static str>) -> ProblemRow {
    let (code, headline, text) = raise::texts(diagnostic);
    (diagnostic.severity.name(), code, headline, text, kind)
}

fn problem(problem: &Problem) -> ProblemRow {
    row(&problem.diagnostic, Some(problem.kind.name()))
}

/// What is found of a program: the verdict and the entry, each global as `(name, type, conditions)`, problems, and the program with
/// its types written in, if it has no errors.
type ProgramAnswer = (
    &'static str,
    String,
    Vec<(String, String, Vec<String>)>,
    Vec<ProblemRow>,
    Option<String>,
);

/// Types a program; messages call its text by this name.
#[pyfunction]
#[pyo3(signature = (name, text, budget = None, timeout = None))]
pub(crate) fn type_program(
    py: Python<'_>,
    name: &str,
    text: &str,
    #[pyo3(from_py_with = number::count)] budget: Option<u64>,
    timeout: Option<f64>,
) -> PyResult<ProgramAnswer> {
    let program = match Program::parse(name, text) {
        Ok(program) => program,
        Err(problem) => return Err(raise::text(py, &problem.diagnostic)),
    };
    Patience::new(timeout)?.run(py, budget, || {
        let typing = program.check(catalog());
        let entry = typing.entry().to_owned();
        let mut problems: Vec<ProblemRow> = typing.problems.iter().map(problem).collect();
        if let Some(global) = typing.global(&entry)
            && let Some(open) = typing.open_problem(global)
            && problems.is_empty()
        {
            problems.push(problem(&open));
        }
        let is_typed = problems.is_empty();
        problems.extend(typing.warnings.iter().map(|warning| row(warning, None)));
        let globals = typing.globals.iter().map(|global| {
            (
                global.name.to_string(),
                global.ty.to_string(),
                global.conditions.clone(),
            )
        });
        let annotated = is_typed.then(|| program.annotated(catalog()).to_string());
        (
            typing.verdict(&entry).name(),
            entry.clone(),
            globals.collect(),
            problems,
            annotated,
        )
    })
}
