//! Where a size of a value comes from: back along the nodes that hand it on, to the one that made it.
//!
//! Found by asking each node on the way what becomes of a size by a name of its own, so that nothing has to be kept
//! while a graph grows.

use super::known::Known;
use super::{CallId, Graph, NodeId, Problem, ValueId};
use crate::eval::Value;
use crate::explain::{About, Fact, Slot, with_dims};
use kanshape_engine::Linear;
use kanshape_types::{Dim, Type};
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
    /// It was open in a value of the graph, as this dim, and the node asks for it.
    Asked(ValueId, usize, NodeId),
    /// A node makes it, as this dim of an output.
    Made(NodeId, ValueId, usize),
}

/// What a node does to a dim of an output, by its call and the types of its inputs.
type Steps = FxHashMap<(CallId, Vec<Type>, usize, usize), Option<Step>>;

/// What a dim of an output comes from.
#[derive(Clone, Copy, Debug)]
struct Step {
    input: usize,
    axis: usize,
    /// It is another size, made of that.
    is_computed: bool,
}

/// The name by which a size is followed: no user can write it.
const FOLLOWED: &str = "#followed";
/// More questions are not asked for one trace.
const MOST: usize = 2_000;

impl Graph {
    /// Where a dim of a value comes from.
    pub fn trace(&mut self, value: ValueId, axis: usize) -> Trace {
        let mut steps = Steps::default();
        let (mut value_now, mut axis_now) = (value, axis);
        let mut through = Vec::new();
        let mut is_computed = false;
        let origin = loop {
            let Some((node, output)) = self.maker(value_now) else {
                break match self.asker(value_now, axis_now) {
                    Some(node) => Origin::Asked(value_now, axis_now, node),
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
                (Slot::Input(place), About::Dim(axis), []) => {
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
    pub fn maker(&self, value: ValueId) -> Option<(NodeId, usize)> {
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

    /// The node that asks for a size that is open where it was given.
    fn asker(&self, value: ValueId, axis: usize) -> Option<NodeId> {
        let Known::Typed(id) = self.values[value.index()] else {
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
                vars.extend(self.sizes.var(g));
                true
            });
        }
        let asked = |of| {
            let now = self.state.resolve(&Linear::var(of));
            vars.contains(&of) && now.is_ok_and(|l| l != Linear::var(of))
        };
        let demands = self.demands.iter();
        demands.filter(|d| asked(d.of)).find_map(|d| d.node)
    }

    /// The input, and its dim, that a dim of an output is, or is made of.
    fn step(
        &mut self,
        node: NodeId,
        output: usize,
        axis: usize,
        steps: &mut Steps,
    ) -> Option<Step> {
        let own = self.nodes[node.index()].clone();
        let call = own.call?;
        let made = own.outputs.get(output)?;
        let (types, size) = {
            let mut reading = self.read();
            let types: Vec<Type> = own.inputs.iter().map(|v| reading.ty(*v)).collect();
            let size = dim_of(&reading.ty(made), axis)?.clone();
            (types, size)
        };
        let key = (call, types, output, axis);
        if let Some(known) = steps.get(&key) {
            return *known;
        }
        if steps.len() >= MOST {
            return None;
        }
        let found = self.followed(call, &key.1, output, axis, &size);
        steps.insert(key, found);
        found
    }

    fn followed(
        &self,
        call: CallId,
        types: &[Type],
        output: usize,
        axis: usize,
        size: &Dim,
    ) -> Option<Step> {
        let prepared = Arc::clone(&self.cache.open().calls[call.0 as usize]);
        let mut all: Vec<(usize, usize)> = Vec::new();
        let mut same: Vec<(usize, usize)> = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            let dims = ty.as_tensor().map(|tensor| tensor.shape.dims());
            for (axis, dim) in dims.into_iter().flatten().enumerate() {
                all.push((i, axis));
                if dim == size {
                    same.push((i, axis));
                }
            }
        }
        // What the dim of the output is, where these dims have the name and those are left open.
        let becomes = |named: &[(usize, usize)], open: &[(usize, usize)]| {
            let mut types = types.to_vec();
            for (i, axis) in open {
                types[*i] = with_dim(&types[*i], *axis, Dim::Hole);
            }
            for (i, axis) in named {
                types[*i] = with_dim(&types[*i], *axis, Dim::Name(FOLLOWED.into()));
            }
            let answer = prepared.query(types, &[]).ok()?.solve().ok()?.next()?;
            let place = prepared
                .layout()
                .places
                .outputs
                .iter()
                .flatten()
                .nth(output)?;
            dim_of(answer.outputs.get(*place)?, axis).cloned()
        };
        let is_it = |named: &[(usize, usize)]| {
            becomes(named, &same).is_some_and(|dim| dim == Dim::Name(FOLLOWED.into()))
        };
        let step = |(input, axis): (usize, usize), is_computed| Step {
            input,
            axis,
            is_computed,
        };
        if let Some(place) = same.iter().find(|place| is_it(&[**place])) {
            return Some(step(*place, false));
        }
        // Where they have to be the same, each of them is it.
        if let Some(first) = same.first().filter(|_| is_it(&same)) {
            return Some(step(*first, false));
        }
        let made_of = |place: &&(usize, usize)| {
            let mut of_it = false;
            if let Some(Dim::Expr(e)) = becomes(&[**place], &[]) {
                e.for_each_name(&mut |name| of_it |= name == FOLLOWED);
            }
            of_it
        };
        all.iter().find(made_of).map(|place| step(*place, true))
    }
}

fn dim_of(ty: &Type, axis: usize) -> Option<&Dim> {
    ty.as_tensor()?.shape.dims().get(axis)
}

/// The type with another dim. What it has in it is of the dim it had.
fn with_dim(ty: &Type, axis: usize, dim: Dim) -> Type {
    with_dims(&ty.clone().with_contents(None), |dims| {
        dims[axis] = dim.clone();
    })
}
