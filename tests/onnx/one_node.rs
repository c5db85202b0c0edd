//! A query is a graph with one node: the same call gives the same answer as either.

use crate::ask;
use crate::case::{self, Case};
use kanshape::graph::{Graph, ValueId};
use kanshape::{Answer, Dim, Name, Shape, Tensor, Type, Verdict, catalog, order};
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

/// What a query says.
enum Said {
    One(Claim),
    /// Several answers, or some that are perhaps not all: the verdict, and the outputs of each.
    Several(Verdict, Vec<Vec<Type>>),
}

impl Said {
    /// How a graph's claim differs from it, if it does: by equality. A graph has one answer, of which those of a query that has several are
    /// cases.
    fn differs(&self, graph: &Claim, outputs: &[Type]) -> Option<&'static str> {
        match self {
            Said::Several(verdict, _) if *verdict != graph.verdict => {
                Some("verdict of several answers")
            }
            Said::Several(_, answers) => {
                let is_case = |answer: &Vec<Type>| {
                    let mut pairs = outputs.iter().zip(answer);
                    pairs.all(|(whole, case)| order::meet(whole, case).is_ok())
                };
                (!answers.iter().all(is_case)).then_some("several answers")
            }
            Said::One(query) if query.verdict != graph.verdict => Some("verdict"),
            Said::One(query) if query.outputs != graph.outputs => Some("outputs"),
            Said::One(query) if query.conditions != graph.conditions => Some("conditions"),
            Said::One(_) => None,
        }
    }
}

/// As a query.
fn as_query(case: &Case, inputs: &[Option<Type>]) -> Said {
    let outputs = ask::hidden(&case.outputs());
    let query = ask::query(case, inputs.to_vec(), outputs).unwrap();
    let mut answers = query.limit(2).solve().unwrap();
    let verdict = answers.verdict();
    let all: Vec<Answer> = answers.by_ref().collect();
    match &all[..] {
        [] if verdict == Verdict::Never => Said::One(claim(verdict, [], [])),
        [only] if answers.complete() => {
            let conditions = only.conditions.iter().map(ToString::to_string);
            Said::One(claim(verdict, &only.outputs, conditions))
        }
        _ => Said::Several(verdict, all.into_iter().map(|own| own.outputs).collect()),
    }
}

/// As a graph of one node.
fn as_graph(case: &Case, inputs: &[Option<Type>]) -> (Claim, Vec<Type>) {
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
        return (claim(verdict, [], []), Vec::new());
    }
    let conditions = answer.conditions.iter().map(ToString::to_string);
    let claim = claim(verdict, &answer.outputs, conditions);
    (claim, answer.outputs)
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
                let (graph, outputs) = as_graph(&case, &inputs);
                let query = as_query(&case, &inputs);
                let Some(kind) = query.differs(&graph, &outputs) else {
                    continue;
                };
                let texts = inputs.iter().flatten().map(Type::to_string);
                let texts = texts.collect::<Vec<_>>().join(", ");
                let id = &case.id;
                let query = match &query {
                    Said::One(claim) => format!("{claim:?}"),
                    Said::Several(verdict, answers) => format!("{verdict}: {answers:?}"),
                };
                kinds.entry(kind).or_default().push(format!(
                    "{id}, {how:?}: {texts}\n    {query}\n    {graph:?}"
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
    // A reshape to a shape as long as a name says: a query has an answer for each rank; a graph has one, of an open rank. That the rank
    // may be 0 if the product of several names is 1 can't be written.
    let known = BTreeMap::from([("verdict of several answers", 8)]);
    assert_eq!((counts, compared), (known, 6928));
}
