//! A node that cannot be, in words: which values clash, and where their sizes come from.

use super::{Checker, ValueHome};
use crate::problem::Problem;
use hashbrown::HashMap;
use kanshape::explain::{Fact, Slot};
use kanshape::graph::{self, NodeId, Origin, Trace, ValueId};
use kanshape::{Dim, Shape, Tensor, Type};

/// The nodes of a way that are named; of a longer one the first and the last are.
const NAMED: usize = 3;

/// Why a value can't be what was declared of it.
#[derive(Debug, Default)]
pub(super) struct DeclaredClash {
    pub lines: Vec<String>,
    /// What could have been said.
    pub fits: Option<Type>,
}

/// What the values of the engine are called.
pub(super) type EngineNames = HashMap<ValueId, String>;

impl Checker<'_, '_> {
    /// The nodes that the engine says cannot be.
    pub(super) fn impossible(&mut self) -> Vec<Problem> {
        let found: Vec<graph::Problem> = self.graph.problems().cloned().collect();
        if found.is_empty() {
            return Vec::new();
        }
        let names = self.names();
        let problems = found.into_iter().map(|problem| {
            let mut diagnostic = problem.diagnostic.clone();
            // The text of the operator's rule says less here than the names of the values.
            diagnostic.labels.clear();
            diagnostic.source = None;
            let said = self.facts(&problem, &names);
            let required = |fact: &Fact| matches!(fact.slot, Slot::Given(_));
            let required: Vec<&Fact> = problem.facts.iter().filter(|fact| required(fact)).collect();
            // They are said with the names of their nodes.
            let is_said = |step: &String| required.iter().any(|fact| fact.says == *step);
            diagnostic.steps.retain(|step| !is_said(step));
            diagnostic.steps.splice(..0, said);
            Problem {
                node: self.place_of(problem.node),
                diagnostic,
            }
        });
        problems.collect()
    }

    /// Where the sizes of a value come from that differ from the declared ones, a line for each, and what could have
    /// been declared instead; or the facts for which the node that computes the value does not allow the declared type.
    pub(super) fn clash(&mut self, value: ValueId, said: &Type, found: &Type) -> DeclaredClash {
        let mut clash = self.other_sizes(value, said, found);
        if clash.lines.is_empty()
            && let Some(problem) = self.graph.refusal(value, said)
        {
            let names = self.names();
            clash.lines = self.facts(&problem, &names);
            clash.lines.push(format!(
                "{}, which computes it, does not allow this",
                self.node(problem.node)
            ));
        }
        clash
    }

    fn other_sizes(&mut self, value: ValueId, said: &Type, found: &Type) -> DeclaredClash {
        let (Some(own), Some(real)) = (said.as_tensor(), found.as_tensor()) else {
            return DeclaredClash::default();
        };
        let (own, real) = (&own.shape, &real.shape);
        if own.rank().is_none() || own.rank() != real.rank() {
            return DeclaredClash::default();
        }
        let mut dims = own.known_dims().to_vec();
        let mut clash = DeclaredClash::default();
        let names = self.names();
        for (axis, dim) in real.known_dims().iter().enumerate() {
            if let (Some(a), Some(b)) = (dims[axis].size(), dim.size())
                && a != b
            {
                dims[axis] = dim.clone();
                let trace = self.graph.trace(value, axis);
                let way = self.way(&trace, &names);
                clash.lines.push(format!("its dim {axis} is {b}{way}"));
            }
        }
        let fits = with_shape(said, dims);
        if !clash.lines.is_empty() && self.graph.admits(value, &fits) {
            clash.fits = Some(fits);
        }
        clash
    }

    /// What can't hold together, a line for each fact.
    fn facts(&mut self, problem: &graph::Problem, names: &EngineNames) -> Vec<String> {
        let traces = self.graph.traces(problem);
        let mut lines = Vec::with_capacity(problem.facts.len());
        for fact in &problem.facts {
            let mut line = fact.says.clone();
            if let Slot::Given(i) = fact.slot
                && let Some(one) = problem.context.get(i)
                && let Some(node) = one.node
            {
                let nodes = std::iter::once(&node).chain(&one.others);
                let nodes: Vec<String> = nodes.map(|node| self.node(*node)).collect();
                let require = if nodes.len() > 1 {
                    "require"
                } else {
                    "requires"
                };
                line = format!(
                    "`{}`, which {} {require}",
                    one.condition,
                    nodes.join(" and ")
                );
            }
            if let Slot::Input(place) = fact.slot
                && let Some(value) = self.graph.input_at(problem.node, place)
            {
                line = format!("{} as {line}", called(names, value));
            }
            if let Some((_, trace)) = traces.iter().find(|(of, _)| of == fact) {
                line.push_str(&self.way(trace, names));
            }
            lines.push(line);
        }
        lines
    }

    /// `, as dim 0 of `x`, through `r1` (Relu) and `r2` (Relu)`.
    fn way(&self, trace: &Trace, names: &EngineNames) -> String {
        let (from, made, handed) = match trace.is_computed {
            true => ("computed from", "computed of what is made", "by way of"),
            false => ("from", "made", "handed on by"),
        };
        let mut text = match trace.origin {
            Origin::Given(value, _) if trace.through.is_empty() => {
                return match self.is_input(value) {
                    true => ", as it was given".into(),
                    false => String::new(),
                };
            }
            Origin::Given(value, axis) => {
                format!(", {from} dim {axis} of {}", called(names, value))
            }
            Origin::Required(value, axis, node) => format!(
                ", {from} dim {axis} of {}, which {} requires",
                called(names, value),
                self.node(node)
            ),
            Origin::Made(node, _, _) => format!(", {made} by {}", self.node(node)),
        };
        let through: Vec<NodeId> = trace.through.iter().rev().copied().collect();
        match &through[..] {
            [] => {}
            all if all.len() <= NAMED => {
                let nodes: Vec<String> = all.iter().map(|node| self.node(*node)).collect();
                text.push_str(&format!(", {handed} {}", nodes.join(", ")));
            }
            [first, .., last] => {
                let between = through.len() - 2;
                let (first, last) = (self.node(*first), self.node(*last));
                text.push_str(&format!(
                    ", {handed} {first}, {between} more nodes and {last}"
                ));
            }
            [_] => {}
        }
        text
    }

    fn node(&self, node: NodeId) -> String {
        match self.place_of(node) {
            Some(place) => format!("`{}` ({})", place.node, place.op),
            None => "another node".into(),
        }
    }

    fn is_input(&self, value: ValueId) -> bool {
        let mut inputs = self.values[..self.inputs].iter();
        inputs.any(|entry| matches!(entry.value, ValueHome::Value(own) if own == value))
    }

    /// What the values of the engine are called.
    pub(super) fn names(&self) -> EngineNames {
        let mut names = EngineNames::with_capacity(self.values.len());
        for entry in &self.values {
            if let ValueHome::Value(value) = entry.value {
                let path = &self.paths[entry.path as usize];
                let name = self.symbols.name(entry.symbol);
                names
                    .entry(value)
                    .or_insert_with(|| format!("{path}{name}"));
            }
        }
        names
    }
}

/// A type with other dims.
fn with_shape(ty: &Type, dims: Vec<Dim>) -> Type {
    match ty.as_tensor() {
        Some(tensor) => Tensor::new(tensor.dtype.clone(), Shape::known(dims))
            .with_contents(tensor.contents.clone())
            .into(),
        None => ty.clone(),
    }
}

fn called(names: &EngineNames, value: ValueId) -> String {
    match names.get(&value) {
        Some(name) => format!("`{name}`"),
        None => "a value without a name".into(),
    }
}
