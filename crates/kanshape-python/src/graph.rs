//! Graphs of signatures that share unknowns, typed in both directions.

use crate::number;
use crate::patience::Patience;
use crate::raise;
use crate::ty::{self, PyType};
use kanshape::graph::Graph;
use kanshape::{Diagnostic, Relations, Type};
use pyo3::prelude::*;
use std::fmt::Write;

/// A node: its rule by number, and its inputs and outputs by the numbers of values.
type Node = (usize, Vec<usize>, Vec<usize>);

/// A node that can't be, by its number, with code, headline and text.
type Problem = (usize, (String, String, String));

/// What a graph comes to.
struct Found {
    types: Vec<Type>,
    problems: Vec<(usize, Diagnostic)>,
    conditions: Vec<String>,
}

/// Types a graph. Of each value a type is given; each node has a signature, and its outputs are values that no node before it has
/// made or taken. Returns the type of each value, the nodes that can't be, and what has to hold of the names in the types.
#[pyfunction]
#[pyo3(signature = (values, rules, nodes, budget = None, timeout = None))]
pub(crate) fn type_graph(
    py: Python<'_>,
    values: &Bound<'_, PyAny>,
    rules: Vec<String>,
    nodes: Vec<Node>,
    #[pyo3(from_py_with = number::count)] budget: Option<u64>,
    timeout: Option<f64>,
) -> PyResult<(Vec<PyType>, Vec<Problem>, Vec<String>)> {
    let given = values.try_iter()?.map(|value| ty::ty(&value?));
    let given: Vec<Type> = given.collect::<PyResult<_>>()?;
    let known = |value: &usize| *value < given.len();
    let well_formed = nodes.iter().all(|(rule, inputs, outputs)| {
        *rule < rules.len() && inputs.iter().all(known) && outputs.iter().all(known)
    });
    if !well_formed {
        return Err(raise::value(
            "a node of a rule or a value that is not there",
        ));
    }
    let patience = Patience::new(timeout)?;
    let found = patience.run(py, budget, || typed(&given, &rules, &nodes))?;
    let found = found.map_err(|d| raise::text(py, &d))?;
    let types = found.types.into_iter().map(PyType).collect();
    let problems = found.problems.iter();
    let problems = problems.map(|(node, d)| (*node, raise::texts(d))).collect();
    Ok((types, problems, found.conditions))
}

fn typed(given: &[Type], rules: &[String], nodes: &[Node]) -> Result<Found, Diagnostic> {
    let mut text = String::new();
    for (i, rule) in rules.iter().enumerate() {
        let _ = writeln!(text, "op r{i} \"{rule}\"");
    }
    let relations = Relations::load_str("graph", &text)?;
    let mut graph = Graph::new(&relations);
    let mut ids = vec![None; given.len()];
    let mut problems: Vec<(usize, Diagnostic)> = Vec::new();
    for (number, (rule, inputs, outputs)) in nodes.iter().enumerate() {
        let mut own = Vec::with_capacity(inputs.len());
        for &input in inputs {
            own.push(match ids[input] {
                Some(id) => id,
                None => *ids[input].insert(graph.value(&given[input])?),
            });
        }
        let operator = relations.operator(&format!("r{rule}"), None)?;
        let there = (vec![true; inputs.len()], vec![true; outputs.len()]);
        let call = graph.call(&operator, Vec::new(), &there.0, &there.1)?;
        let before = graph.problems().len();
        let (_, made) = graph.add(call, &own);
        let failed = graph.problems().nth(before);
        if let Some(problem) = failed {
            problems.push((number, problem.diagnostic.clone()));
        }
        for (place, &output) in outputs.iter().enumerate() {
            let Some(id) = made.get(place) else {
                continue;
            };
            ids[output] = Some(id);
            if let Err(conflict) = graph.assume(id, &given[output]) {
                problems.push((number, *conflict.diagnostic));
            }
        }
    }
    // A later node may have refuted an earlier one.
    let mut reading = graph.read();
    let types = ids.iter().zip(given).map(|(id, given)| match id {
        Some(id) => reading.ty(*id),
        None => given.clone(),
    });
    let types = types.collect();
    let conditions = reading.conditions();
    let conditions = conditions.into_iter().map(|one| one.condition.to_string());
    Ok(Found {
        types,
        problems,
        conditions: conditions.collect(),
    })
}
