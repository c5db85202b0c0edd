//! Where a size of a value comes from: back along the nodes that hand it on, to the one that made it.
//!
//! Found by giving each node on the way a size with a name of its own and following that name, so that nothing has to
//! be kept while a graph grows.

use super::demand::Demands;
use super::known::ValueState;
use super::sources::{Site, Wanted, size_at};
use super::{Assumption, CallId, Graph, NodeId, Problem, ValueId};
use crate::Call;
use crate::explain::{Fact, FactKind, Slot};
use crate::limits::MAX_TRACE_QUERIES;
use kanshape_engine::Linear;
use kanshape_rules::eval::Value;
use kanshape_types::Type;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The way of a size, from where it is met back to where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Where it is met: the dim of a value.
    pub at: (ValueId, usize),
    /// The nodes that handed it on, the last one first.
    pub through: Vec<NodeId>,
    /// Some of them made another size of it.
    pub is_computed: bool,
    /// Where it came from.
    pub origin: Origin,
}

/// Where a size came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A value of the graph was given with it, as this dim.
    Given(ValueId, usize),
    /// It was open in a value of the graph, as this dim, and the node requires it.
    Required(ValueId, usize, NodeId),
    /// A node makes it, as this dim of an output.
    Made(NodeId, ValueId, usize),
}

/// What a node does to a dim of an output, by its call and the types of its inputs.
type Steps = FxHashMap<(CallId, Vec<Type>, usize, usize), Option<DimSource>>;

/// What a dim of an output comes from.
#[derive(Clone, Copy, Debug)]
struct DimSource {
    input: usize,
    axis: usize,
    /// It is another size, made of that.
    is_computed: bool,
}

impl Graph {
    /// Where a dim of a value comes from.
    pub fn trace(&mut self, value: ValueId, axis: usize) -> Trace {
        let mut steps = Steps::default();
        let (mut value_now, mut axis_now) = (value, axis);
        let mut through = Vec::new();
        let mut is_computed = false;
        let origin = loop {
            let Some((node, output)) = self.maker(value_now) else {
                break match self.requirer(value_now, axis_now) {
                    Some(node) => Origin::Required(value_now, axis_now, node),
                    None => Origin::Given(value_now, axis_now),
                };
            };
            match self.step(node, output, axis_now, &mut steps) {
                Some(step) => {
                    through.push(node);
                    is_computed |= step.is_computed;
                    let input = self.nodes[node.index()].inputs[step.input];
                    (value_now, axis_now) = (input, step.axis);
                }
                None => break Origin::Made(node, value_now, axis_now),
            }
        };
        Trace {
            at: (value, axis),
            through,
            is_computed,
            origin,
        }
    }

    /// Where the sizes come from that a problem is about: each with the fact that it is in.
    pub fn traces(&mut self, problem: &Problem) -> Vec<(Fact, Trace)> {
        let facts = problem.facts.iter();
        let facts: Vec<(Fact, ValueId, usize)> = facts
            .filter_map(|fact| match (&fact.slot, fact.about, &fact.part[..]) {
                (Slot::Input(place), FactKind::Dim(axis), []) => {
                    let value = self.input_at(problem.node, *place)?;
                    Some((fact.clone(), value, axis))
                }
                _ => None,
            })
            .collect();
        let traces = facts.into_iter();
        traces
            .map(|(fact, value, axis)| (fact, self.trace(value, axis)))
            .collect()
    }

    /// The call that a node was made with: its attributes, and which operands are there. What is known of their types now is
    /// [`Graph::ty`] of the values; here they are unknown. `None` if nothing is known of what the node does.
    pub fn call_at(&self, node: NodeId) -> Option<Call> {
        let call = self.nodes.get(node.index())?.call?;
        let call = Arc::clone(&self.cache.open().calls[call.0 as usize]);
        let is_there = |all: &[bool]| {
            let types = all.iter().map(|is| is.then_some(Type::UNKNOWN));
            types.collect()
        };
        Some(Call {
            inputs: is_there(&call.written.inputs),
            outputs: Some(is_there(&call.written.outputs)),
            attrs: call.written.attrs.to_vec(),
            ..Call::default()
        })
    }

    /// The value that stands at a place of a node's call.
    pub fn input_at(&self, node: NodeId, place: usize) -> Option<ValueId> {
        let node = self.nodes.get(node.index())?;
        let call = Arc::clone(&self.cache.open().calls[node.call?.0 as usize]);
        if !*call.written.inputs.get(place)? {
            return None;
        }
        let before = call.written.inputs[..place]
            .iter()
            .filter(|is| **is)
            .count();
        node.inputs.get(before).copied()
    }

    /// The node that gives a value, and which of its outputs that is.
    pub fn maker(&self, mut value: ValueId) -> Option<(NodeId, usize)> {
        // Of one that was made like another, the node that gives that.
        loop {
            let own = self.giver(value);
            let like = |given: &Assumption| match given {
                Assumption::Like(new, of) if *new == value => Some(*of),
                _ => None,
            };
            match own {
                Some(own) => return Some(own),
                None => value = self.given.iter().find_map(like)?,
            }
        }
    }

    pub(super) fn giver(&self, value: ValueId) -> Option<(NodeId, usize)> {
        // The outputs of nodes have numbers in a row, and later nodes have later ones.
        let (mut low, mut high) = (0, self.nodes.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.nodes[middle].outputs.first <= value.0 {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        // Those without outputs begin where the next one does.
        let before = (0..low).rev();
        for node in before {
            let outputs = self.nodes[node].outputs;
            if outputs.count > 0 {
                let output = value.0.checked_sub(outputs.first)? as usize;
                return (output < outputs.len()).then_some((NodeId(node as u32), output));
            }
        }
        None
    }

    /// The node that requires a size that was open where it was given: the one that leaves nothing open of it, or the first.
    pub fn requirer(&self, value: ValueId, axis: usize) -> Option<NodeId> {
        let ValueState::Typed(id) = self.values[value.index()] else {
            return None;
        };
        let mut vars = Vec::new();
        {
            let cache = self.cache.open();
            let Value::Tensor(tensor) = cache.table.value(id) else {
                return None;
            };
            let size = *tensor.shape.get(axis)?;
            cache.forms.all_generators(size, &mut |g| {
                vars.extend(self.sizes.var(&cache.forms, g));
                true
            });
        }
        let is_demanded = |of| {
            let now = self.all.state.resolve(&Linear::var(of));
            vars.contains(&of) && now.is_ok_and(|l| l != Linear::var(of))
        };
        let demands = Demands::new(&self.all.state, &self.demands);
        let mut fixed = vars.iter().filter_map(|v| demands.fixed_by(*v));
        let mut first = self.demands.iter().filter(|d| is_demanded(d.of));
        fixed.next().or_else(|| first.find_map(|d| d.node))
    }

    /// The input, and its dim, that a dim of an output is, or is made of.
    fn step(
        &mut self,
        node: NodeId,
        output: usize,
        axis: usize,
        steps: &mut Steps,
    ) -> Option<DimSource> {
        let own = self.nodes[node.index()].clone();
        let call = own.call?;
        let made = own.outputs.get(output)?;
        let (types, size) = {
            let mut reading = self.read();
            let types: Vec<Type> = own.inputs.iter().map(|v| reading.ty(*v)).collect();
            let size = size_at(&reading.ty(made), Site::Dim(axis))?;
            (types, size)
        };
        let key = (call, types, output, axis);
        if let Some(known) = steps.get(&key) {
            return *known;
        }
        if steps.len() >= MAX_TRACE_QUERIES {
            return None;
        }
        let at = (output, Site::Dim(axis));
        let (from, is_computed) = self.followed(call, &key.1, at, &size, Wanted::FirstDim);
        let found = from.first().and_then(|(input, site)| match site {
            Site::Dim(axis) => Some(DimSource {
                input: *input,
                axis: *axis,
                is_computed,
            }),
            Site::Element(_) => None,
        });
        steps.insert(key, found);
        found
    }
}
