//! What is claimed with names: by a graph that is built at once or step by step, and by a call alone.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::graph::{Graph, ValueId};
use kanshape::{AttrValue, Dim, Query, Type, Verdict, catalog, types::TypeKind};
use kanshape_testkit::graphs::{self, Case, Claim, Node, Random, Said};

use super::numbers::Numbers;

fn verdict(verdict: Verdict) -> graphs::Verdict {
    match verdict {
        Verdict::Always => graphs::Verdict::Always,
        Verdict::Depends => graphs::Verdict::Depends,
        Verdict::Never => graphs::Verdict::Never,
        Verdict::Unknown => graphs::Verdict::Unknown,
    }
}

fn tree(ty: &Type) -> kanshape::tree::Type {
    ty.to_tree().ty.node
}

/// A graph that is built of a case.
struct Built {
    graph: Graph,
    values: BTreeMap<String, ValueId>,
}

impl Built {
    fn new() -> Built {
        Built {
            graph: Graph::new(catalog()),
            values: BTreeMap::new(),
        }
    }

    fn add(&mut self, node: &Node) -> Result<(), String> {
        let operator = catalog().operator(&format!("onnx::{}", node.op), None);
        let operator = operator.map_err(|e| e.to_string())?;
        let attrs = node.attrs.iter();
        let attrs = attrs.map(|(n, v)| (n.as_str().into(), AttrValue::from(v.as_str())));
        let there: Vec<bool> = node.inputs.iter().map(Option::is_some).collect();
        let outputs = vec![true; node.outputs.len()];
        let call = self
            .graph
            .call(&operator, attrs.collect(), &there, &outputs);
        let call = call.map_err(|e| e.to_string())?;
        let inputs = node.inputs.iter().flatten();
        let inputs = inputs.map(|i| self.values.get(i).copied());
        let inputs: Option<Vec<ValueId>> = inputs.collect();
        let inputs = inputs.ok_or("a value that is none")?;
        let (_, outputs) = self.graph.add(call, &inputs);
        self.values
            .extend(node.outputs.iter().cloned().zip(outputs.iter()));
        Ok(())
    }

    fn claim(&mut self, case: &Case) -> Claim {
        let mut reading = self.graph.read();
        let mut said = Said::default();
        for value in case.values() {
            let ty = reading.ty(self.values[value]);
            said.types.insert(value.clone(), tree(&ty));
        }
        for one in reading.conditions() {
            if one.unless_empty {
                said.unless_empty.push(one.condition.clone());
            }
            said.conditions.push(one.condition);
        }
        Claim {
            verdict: verdict(reading.verdict()),
            answers: vec![said],
            complete: true,
        }
    }
}

/// How the inputs of a graph become known.
#[derive(Clone, Default)]
pub(super) struct Plan {
    pub(super) seed: u64,
    /// Those that are known from the beginning; all of them if there is no plan.
    pub(super) at_once: Option<BTreeSet<String>>,
}

/// What is done to a graph, in order.
enum Step {
    Value(String, Type),
    Node(usize),
    Assume(String, Type),
}

impl Plan {
    /// Of some inputs only a part is known at first, and the rest becomes known bit by bit, between the nodes and after
    /// them. What happens to an input does not depend on the others.
    fn steps(&self, case: &Case) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut later: Vec<(usize, u64, usize, String, Type)> = Vec::new();
        for (name, tensor) in &case.inputs {
            let full: Type = tensor.to_string().parse().unwrap();
            let mut known = vec![full];
            let number: u64 = name[1..].parse().unwrap_or(0);
            let mut rng = Random::new(self.seed.wrapping_mul(1000).wrapping_add(number));
            if self.at_once.as_ref().is_some_and(|all| !all.contains(name)) {
                while rng.percent(60) && known.len() < 3 {
                    known.push(less(&known[known.len() - 1], &mut rng));
                }
            }
            let mut known = known.into_iter().rev();
            steps.extend(known.next().map(|ty| Step::Value(name.clone(), ty)));
            let mut when = 0;
            for (i, ty) in known.enumerate() {
                when += rng.below(7);
                later.push((when, rng.below(1000) as u64, i, name.clone(), ty));
            }
        }
        later.sort_by_key(|(when, order, i, ..)| (*when, *order, *i));
        let mut later = later.into_iter().peekable();
        for i in 0..case.nodes.len() {
            while let Some((.., name, ty)) = later.next_if(|l| l.0 <= i) {
                steps.push(Step::Assume(name, ty));
            }
            steps.push(Step::Node(i));
        }
        steps.extend(later.map(|(.., name, ty)| Step::Assume(name, ty)));
        steps
    }

    /// The case as it is built.
    pub(super) fn text(&self, case: &Case) -> String {
        let steps = self.steps(case).into_iter();
        let line = |step| match step {
            Step::Value(name, ty) => format!("{name}: {ty}\n"),
            Step::Node(i) => format!("{}\n", case.nodes[i]),
            Step::Assume(name, ty) => format!("assume {name}: {ty}\n"),
        };
        steps.map(line).collect()
    }
}

/// What the graph claims that is built like this. A call that is none is no claim.
pub(super) fn graph(case: &Case, plan: &Plan) -> Option<Claim> {
    let mut built = Built::new();
    for step in plan.steps(case) {
        match step {
            Step::Value(name, ty) => {
                built.values.insert(name, built.graph.value(&ty).ok()?);
            }
            Step::Node(i) => built.add(&case.nodes[i]).ok()?,
            Step::Assume(name, ty) => {
                if let Err(conflict) = built.graph.assume(built.values[&name], &ty) {
                    return Some(Claim {
                        verdict: match conflict.is_undecided() {
                            true => graphs::Verdict::Unknown,
                            false => graphs::Verdict::Never,
                        },
                        answers: Vec::new(),
                        complete: !conflict.is_undecided(),
                    });
                }
            }
        }
    }
    Some(built.claim(case))
}

/// A type of which less is known.
fn less(ty: &Type, rng: &mut Random) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        return Type::UNKNOWN;
    };
    let mut tensor = tensor.clone();
    match rng.below(5) {
        0 => return Type::UNKNOWN,
        1 => {
            let kept = rng.below(tensor.shape.known_dims().len() + 1);
            let dims = tensor.shape.known_dims()[..kept].to_vec();
            tensor.shape = kanshape::Shape::known(dims).with_run(kept, None);
            tensor.contents = None;
        }
        2 => tensor.contents = None,
        3 => {
            let open = |d: &Dim| {
                if rng.percent(50) {
                    Dim::Hole
                } else {
                    d.clone()
                }
            };
            let run = tensor.shape.run().cloned();
            let dims: Vec<Dim> = tensor.shape.iter().map(open).collect();
            let shape = kanshape::Shape::known(dims);
            tensor.shape = match run {
                Some(run) => shape.with_run(run.at, run.name),
                None => shape,
            };
            tensor.contents = None;
        }
        _ => {
            tensor.contents = tensor.contents.map(|all| {
                all.map(&mut |m| match rng.percent(50) {
                    true => kanshape::Content::Hole,
                    false => m.clone(),
                })
            });
            if rng.percent(30) {
                tensor.dtype = kanshape::DtypeTerm::Hole;
            }
        }
    }
    Type::from(TypeKind::Tensor(tensor))
}

/// What an operator alone claims.
pub(super) fn alone(case: &Case, _: &Plan) -> Option<Claim> {
    let [node] = &case.nodes[..] else {
        return None;
    };
    let ty = |name: &String| {
        let tensor = case.inputs.iter().find(|(n, _)| n == name);
        tensor.and_then(|(_, t)| t.to_string().parse::<Type>().ok())
    };
    let types = node.inputs.iter().map(|i| i.as_ref().and_then(ty));
    let query = Numbers::new().query(node, types.collect()).ok()?;
    Some(claim_of(query, &node.outputs))
}

/// How many answers are looked at.
const ANSWERS: usize = 24;

fn claim_of(query: Query, outputs: &[String]) -> Claim {
    let Ok(mut answers) = query.limit(ANSWERS).solve() else {
        return Claim {
            verdict: graphs::Verdict::Unknown,
            answers: Vec::new(),
            complete: false,
        };
    };
    let verdict = verdict(answers.verdict());
    let said = |answer: kanshape::Answer| Said {
        conditions: answer.conditions.iter().cloned().collect(),
        unless_empty: Vec::new(),
        types: outputs
            .iter()
            .cloned()
            .zip(answer.outputs.iter().map(tree))
            .collect(),
    };
    let all: Vec<Said> = answers.by_ref().map(said).collect();
    Claim {
        verdict,
        answers: all,
        complete: answers.complete(),
    }
}
