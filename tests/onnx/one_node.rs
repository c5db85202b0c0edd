//! A query is a graph with one node: the same call gives the same answer as either.

use crate::ask;
use crate::case::{self, Case};
use kanshape::graph::{Graph, ValueId};
use kanshape::{Answer, Dim, Name, Shape, Tensor, Type, Verdict, catalog};
use std::collections::BTreeMap;

/// Which sizes of a recorded call get which names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    /// None: the recorded numbers.
    None,
    /// The first of each operand, all one name.
    First,
    /// Equal sizes have equal names.
    Equal,
    /// Each has a name of its own.
    Distinct,
}

const WAYS: [Named; 4] = [Named::None, Named::First, Named::Equal, Named::Distinct];

fn named(inputs: &[Option<Type>], how: Named, with_contents: bool) -> Vec<Option<Type>> {
    let mut count = 0;
    let inputs = inputs.iter().map(|ty| {
        let ty = ty.as_ref()?;
        let Some(tensor) = ty.as_tensor() else {
            return Some(ty.clone());
        };
        let dims = tensor.shape.iter().enumerate().map(|(axis, dim)| {
            let name = match (how, dim.size()) {
                (Named::First, Some(2..)) if axis == 0 => "N".into(),
                (Named::Equal, Some(n @ 2..)) => format!("n{n}"),
                (Named::Distinct, Some(2..)) => {
                    count += 1;
                    format!("m{count}")
                }
                _ => return dim.clone(),
            };
            Dim::Name(Name::word(name))
        });
        let dims: Shape = dims.collect();
        let contents = tensor.contents.clone();
        let keeps = with_contents && dims == tensor.shape;
        let ty: Type = Tensor::new(tensor.dtype.clone(), dims).into();
        Some(ty.with_contents(contents.filter(|_| keeps)))
    });
    inputs.collect()
}

/// What is claimed of a call.
#[derive(Debug, PartialEq)]
struct Claim {
    verdict: Verdict,
    outputs: Vec<String>,
    conditions: Vec<String>,
}

fn claim<'t>(
    verdict: Verdict,
    outputs: impl IntoIterator<Item = &'t Type>,
    conditions: impl IntoIterator<Item = String>,
) -> Claim {
    let mut conditions: Vec<String> = conditions.into_iter().collect();
    conditions.sort();
    Claim {
        verdict,
        outputs: outputs.into_iter().map(Type::to_string).collect(),
        conditions,
    }
}

/// As a query: the verdict, and the one answer. None where there are several, or not all were found.
fn as_query(case: &Case, inputs: &[Option<Type>]) -> Result<Claim, Verdict> {
    let outputs = ask::hidden(&case.outputs());
    let query = ask::query(case, inputs.to_vec(), outputs).unwrap();
    let mut answers = query.limit(2).solve().unwrap();
    let verdict = answers.verdict();
    let all: Vec<Answer> = answers.by_ref().collect();
    match &all[..] {
        [] if verdict == Verdict::Never => Ok(claim(verdict, [], [])),
        [only] if answers.complete() => {
            let conditions = only.conditions.iter().map(ToString::to_string);
            Ok(claim(verdict, &only.outputs, conditions))
        }
        _ => Err(verdict),
    }
}

/// As a graph of one node.
fn as_graph(case: &Case, inputs: &[Option<Type>]) -> Claim {
    let catalog = catalog();
    let mut graph = Graph::new(catalog);
    let operator = catalog.operator(&case.name(), Some(case.opset)).unwrap();
    let there: Vec<bool> = inputs.iter().map(Option::is_some).collect();
    let outputs: Vec<bool> = case.outputs().iter().map(Option::is_some).collect();
    let given = inputs.iter().flatten();
    let values: Vec<ValueId> = given.map(|ty| graph.value(ty).unwrap()).collect();
    let call = graph.call(&operator, case.attrs(), &there, &outputs);
    let (_, made) = graph.add(call.unwrap(), &values);
    let made: Vec<ValueId> = made.iter().collect();
    let mut reading = graph.read();
    let answer = reading.answer(&values, &made);
    let verdict = reading.verdict();
    if verdict == Verdict::Never {
        return claim(verdict, [], []);
    }
    let conditions = answer.conditions.iter().map(ToString::to_string);
    claim(verdict, &answer.outputs, conditions)
}

/// Every recorded call with numbers and with names for them, with the contents of its operands and without. What differs is counted by
/// its kind, and each count only ever goes down.
#[test]
fn a_query_is_a_graph_with_one_node() {
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut compared = 0;
    for case in case::all() {
        for how in WAYS {
            for with_contents in [false, true] {
                let inputs = named(&case.inputs(), how, with_contents);
                compared += 1;
                let graph = as_graph(&case, &inputs);
                let query = as_query(&case, &inputs);
                let kind = match &query {
                    Err(verdict) if *verdict != graph.verdict => "verdict of several answers",
                    Err(_) => "several answers",
                    Ok(query) if query.verdict != graph.verdict => "verdict",
                    Ok(query) if query.outputs != graph.outputs => "outputs",
                    Ok(query) if query.conditions != graph.conditions => "conditions",
                    Ok(_) => continue,
                };
                let texts = inputs.iter().flatten().map(Type::to_string);
                let texts = texts.collect::<Vec<_>>().join(", ");
                let id = &case.id;
                kinds.entry(kind).or_default().push(format!(
                    "{id}, {how:?}: {texts}\n    {query:?}\n    {graph:?}"
                ));
            }
        }
    }
    for (kind, all) in &kinds {
        println!("== {kind}: {}", all.len());
        all.iter().for_each(|one| println!("{one}"));
    }
    let counts: BTreeMap<&str, usize> =
        kinds.iter().map(|(kind, all)| (*kind, all.len())).collect();
    let known = BTreeMap::from([
        ("conditions", 12),
        ("outputs", 10),
        ("several answers", 50),
        ("verdict", 6),
        ("verdict of several answers", 48),
    ]);
    assert_eq!((counts, compared), (known, 6928));
}
