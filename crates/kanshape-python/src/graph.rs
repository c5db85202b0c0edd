//! Graphs of signatures that share unknowns, typed in both directions.

use crate::number;
use crate::patience::Patience;
use crate::raise;
use crate::ty::{self, PyType};
use kanshape::explain::{Fact, Slot};
use kanshape::graph::{self, Graph, NodeId, Origin, Trace, ValueId};
use kanshape::{AttrValue, Diagnostic, Relations, Type};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::fmt::Write;

/// A node: its rule by number, and its inputs and outputs by the numbers of values.
type NumberedNode = (usize, Vec<usize>, Vec<usize>);

/// A signature, and its parameters, `None` for one that is solved for.
type NumberedRule = (String, Vec<(String, Option<u64>)>);

/// A node that can't be, by its number, with code, headline and text, and what can't hold together.
type NodeProblem = (usize, (String, String, String), Vec<FactLine>);

/// A fact: where it was given, its dim, in words, and the bytes of the signature that speak of it; where its size comes from; and, of a
/// condition of other nodes, what that is.
type FactLine = (
    String,
    Option<usize>,
    String,
    Option<(usize, usize)>,
    Option<SizeOrigin>,
    Option<(String, Vec<usize>)>,
);

/// Where a size comes from: `given`, `required` or `made`, of which value as which dim, by which node; the nodes that handed it on from
/// there, and whether they made another size of it.
type SizeOrigin = (&'static str, usize, usize, Option<usize>, Vec<usize>, bool);

/// What a graph comes to.
struct GraphAnswer {
    types: Vec<Type>,
    problems: Vec<(usize, Diagnostic, Vec<FactLine>)>,
    conditions: Vec<String>,
}

/// Types a graph. Of each value a type is given; each node has a signature, and its outputs are values that no node before it has
/// made or taken. Returns the type of each value, the nodes that can't be, and what has to hold of the names in the types.
#[pyfunction]
#[pyo3(signature = (values, rules, nodes, budget = None, timeout = None))]
pub(crate) fn type_graph(
    py: Python<'_>,
    values: &Bound<'_, PyAny>,
    rules: Vec<NumberedRule>,
    nodes: Vec<NumberedNode>,
    #[pyo3(from_py_with = number::count)] budget: Option<u64>,
    timeout: Option<f64>,
) -> PyResult<(Vec<PyType>, Vec<NodeProblem>, Vec<String>)> {
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
    let problems = found.problems.into_iter();
    let problems = problems.map(|(node, d, lines)| (node, raise::texts(&d), lines));
    Ok((types, problems.collect(), found.conditions))
}

fn typed(
    given: &[Type],
    rules: &[NumberedRule],
    nodes: &[NumberedNode],
) -> Result<GraphAnswer, Diagnostic> {
    let mut text = String::new();
    for (i, (rule, _)) in rules.iter().enumerate() {
        let _ = writeln!(text, "op r{i} \"{rule}\"");
    }
    let relations = Relations::load_str("graph", &text)?;
    let mut graph = Graph::new(&relations);
    let mut ids = vec![None; given.len()];
    // A type that a value was given, and can't have.
    let mut refused: Vec<(usize, Diagnostic, Option<graph::Problem>)> = Vec::new();
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
        let call = graph.call(&operator, attrs(&rules[*rule].1), &there.0, &there.1)?;
        let (_, made) = graph.add(call, &own);
        for (place, &output) in outputs.iter().enumerate() {
            let Some(id) = made.get(place) else {
                continue;
            };
            ids[output] = Some(id);
            if let Err(conflict) = graph.assume(id, &given[output]) {
                let why = graph.refusal(id, &given[output]);
                refused.push((number, *conflict.diagnostic, why));
            }
        }
    }
    let reader = NumberedProblems::new(&ids);
    // A node is the one of its number: each adds one.
    let of_nodes: Vec<graph::Problem> = graph.problems().cloned().collect();
    let mut problems: Vec<(usize, Diagnostic, Vec<FactLine>)> = Vec::new();
    for problem in of_nodes {
        let lines = reader.lines(&mut graph, &problem);
        problems.push((problem.node.index(), problem.diagnostic, lines));
    }
    for (number, diagnostic, why) in refused {
        let lines = why.as_ref().map(|why| reader.lines(&mut graph, why));
        let diagnostic = why.map_or(diagnostic, |why| why.diagnostic);
        problems.push((number, diagnostic, lines.unwrap_or_default()));
    }
    problems.sort_by_key(|(node, ..)| *node);
    let mut reading = graph.read();
    let types = ids.iter().zip(given).map(|(id, given)| match id {
        Some(id) => reading.ty(*id),
        None => given.clone(),
    });
    let types = types.collect();
    let conditions = reading.conditions();
    let conditions = conditions.into_iter().map(|one| one.condition.to_string());
    Ok(GraphAnswer {
        types,
        problems,
        conditions: conditions.collect(),
    })
}

fn attrs(params: &[(String, Option<u64>)]) -> Vec<(Box<str>, AttrValue)> {
    let value = |size: Option<u64>| match size.and_then(|size| i64::try_from(size).ok()) {
        Some(size) => AttrValue::Int(size),
        None => AttrValue::Hole,
    };
    let params = params.iter();
    params
        .map(|(name, size)| (name.as_str().into(), value(*size)))
        .collect()
}

/// Problems in the numbers of the caller.
struct NumberedProblems {
    numbers: HashMap<usize, usize>,
}

impl NumberedProblems {
    fn new(ids: &[Option<ValueId>]) -> NumberedProblems {
        let known = ids.iter().enumerate();
        let numbers = known.filter_map(|(number, id)| Some(((*id)?.index(), number)));
        NumberedProblems {
            numbers: numbers.collect(),
        }
    }

    /// What can't hold together, and where the sizes in it come from.
    fn lines(&self, graph: &mut Graph, problem: &graph::Problem) -> Vec<FactLine> {
        let traces = graph.traces(problem);
        let way = |fact: &Fact| {
            let (_, trace) = traces.iter().find(|(of, _)| of == fact)?;
            self.way(trace)
        };
        let required = |fact: &Fact| {
            let Slot::Given(i) = fact.slot else {
                return None;
            };
            let one = problem.context.get(i)?;
            let nodes = one.node.iter().chain(&one.others);
            let nodes = nodes.copied().map(NodeId::index).collect();
            Some((one.condition.to_string(), nodes))
        };
        let facts = problem.facts.iter();
        let lines = facts.map(|fact| {
            let span = fact.span.as_ref().map(|span| (span.start, span.end));
            let slot = fact.slot.to_string();
            let says = fact.says.clone();
            (slot, fact.axis(), says, span, way(fact), required(fact))
        });
        lines.collect()
    }

    fn way(&self, trace: &Trace) -> Option<SizeOrigin> {
        let (kind, value, axis, node) = match trace.origin {
            Origin::Given(value, axis) => ("given", value, axis, None),
            Origin::Required(value, axis, node) => ("required", value, axis, Some(node.index())),
            Origin::Made(node, value, axis) => ("made", value, axis, Some(node.index())),
        };
        let value = *self.numbers.get(&value.index())?;
        let through = trace.through.iter().rev().copied().map(NodeId::index);
        Some((
            kind,
            value,
            axis,
            node,
            through.collect(),
            trace.is_computed,
        ))
    }
}
