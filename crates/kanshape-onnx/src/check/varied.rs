//! Values whose types depend on which bodies are run, and how often: outputs of loops and scans. What later nodes require
//! of them is decided when the model runs. Of an open input some type can be chosen, of such a value none can.

use super::body::is_vague;
use super::control::BodiedNode;
use super::part::{Guard, Placing};
use super::{Checker, ValueHome};
use crate::problem::{self, Place, Problem};
use hashbrown::{HashMap, HashSet};
use kanshape::graph::{Graph, NodeId, Outputs, Placed, ValueId};
use kanshape::{Condition, Dim, Type, Verdict};
use std::sync::Arc;

/// An output of a node with bodies, of whose type something is open, or that is made of slices that have to be alike.
pub(super) struct Varied {
    /// The body that the node is in, if it is one that may not be run.
    pub part: Option<usize>,
    pub value: ValueId,
    /// The type, before later nodes require anything of it.
    ty: Type,
    /// Which of the sizes that have no name outside are the same.
    pattern: Vec<usize>,
    place: Place,
    /// The node requires something of it itself: that it is made of slices of one shape.
    is_uneven: bool,
    /// How many values there were before its node.
    before: usize,
    /// The bodies of its node that may not be run.
    bodies: Vec<usize>,
}

/// How many values and parts precede a node with bodies.
#[derive(Clone, Copy)]
pub(super) struct Start {
    values: usize,
    pub parts: usize,
}

/// The graph of the model, or of a part of it, whose requirements are wanted.
pub(super) struct Region<'g> {
    pub graph: &'g mut Graph,
    /// The parts that it contains: the first is the part itself; none is the model.
    pub parents: &'g [(Option<usize>, Option<Arc<Placed>>)],
    /// The parts that the graphs around it contain.
    pub around: &'g [(Option<usize>, Option<Arc<Placed>>)],
    /// The graph without the part, with its guard: what is required in that one is not required by the part.
    pub outer: Option<Box<Graph>>,
    /// The parts of which it is certain whether they are run.
    pub decided: &'g [usize],
}

impl Checker<'_, '_> {
    /// How many values and parts there are now, before a node with bodies is added.
    pub(super) fn start(&self) -> Start {
        Start {
            values: self.graph.value_count(),
            parts: self.parts.len(),
        }
    }

    /// Records the outputs of a node with bodies of whose types something is open. What is in a sequence is followed
    /// member by member.
    pub(super) fn note_varied(
        &mut self,
        at: &BodiedNode<'_, '_, '_>,
        start: Start,
        outputs: Outputs,
    ) {
        let last = outputs.iter().last();
        for value in outputs.iter() {
            let raw = self.graph.ty(value);
            let ty = self.known_outside(&raw);
            // Those that are made of slices come last.
            let is_uneven = at.is_uneven && Some(value) == last;
            if !is_uneven && (ty.as_tensor().is_none() || !is_vague(&ty)) {
                continue;
            }
            let parent = self.inside;
            let bodies = start.parts..self.parts.len();
            self.varied.push(Varied {
                part: parent,
                value,
                ty,
                pattern: pattern(&self.unnamed(&raw)),
                place: at.place.clone(),
                is_uneven,
                before: start.values,
                bodies: bodies.filter(|i| self.parts[*i].parent == parent).collect(),
            });
        }
    }

    /// The recorded values, by their numbers, of which nodes of a graph require something that is not decided.
    pub(super) fn required_of_varied(&self, mut region: Region<'_>) -> Vec<usize> {
        let Some(part) = region.parents.first().map(|own| own.0) else {
            return Vec::new();
        };
        let around = self.around(part);
        let level = |own: Option<usize>| around.iter().position(|one| *one == own);
        let place = |own: Option<usize>, value: ValueId| {
            let mut all = region.parents.iter().chain(region.around);
            let (_, placed) = all.find(|(parent, _)| *parent == own)?;
            Some(Placing(placed.as_ref()).value(value))
        };
        let varied = self.varied.iter().enumerate().filter(|(_, own)| {
            place(own.part, own.value).is_some() && !self.is_decided(own, region.decided)
        });
        let varied: Vec<(usize, &Varied)> = varied.collect();
        if varied.is_empty() {
            return Vec::new();
        }
        // The values with names, with where they are from.
        let mut entries: Vec<(Option<usize>, ValueId, ValueId)> = Vec::new();
        for entry in &self.values {
            let (own, value) = match entry.value {
                ValueHome::Value(value) => (None, value),
                ValueHome::In(part, value) => (Some(part as usize), value),
                ValueHome::Fixed(_) => continue,
            };
            entries.extend(place(own, value).map(|now| (own, value, now)));
        }
        let mut reading = region.graph.read();
        let types = reading.all_shared(entries.iter().map(|own| own.2));
        let mut holders: HashMap<String, Vec<usize>> = HashMap::new();
        for (i, ty) in types.iter().enumerate() {
            for name in self.unnamed(ty) {
                holders.entry(name).or_default().push(i);
            }
        }
        let now = varied
            .iter()
            .map(|(_, own)| place(own.part, own.value).unwrap_or(own.value));
        let now: Vec<(ValueId, Type)> = now.map(|value| (value, reading.ty(value))).collect();
        let stated = reading.conditions();
        let open = reading.open_nodes();
        drop(reading);
        let mut required = Vec::new();
        for ((i, own), (value, ty)) in varied.into_iter().zip(now) {
            if own.is_uneven {
                required.push(i);
                continue;
            }
            let mut dependents = Dependents::of(region.graph, value);
            let (mut was, mut its_pattern) = (own.ty.clone(), own.pattern.clone());
            let outer = region.outer.as_mut();
            if let Some(outer) = outer.filter(|outer| value.index() < outer.value_count()) {
                let outside = Dependents::of(outer, value);
                dependents
                    .nodes
                    .retain(|node| !outside.nodes.contains(node));
                let raw = outer.ty(value);
                (was, its_pattern) = (self.known_outside(&raw), pattern(&self.unnamed(&raw)));
            }
            if open.iter().any(|node| dependents.nodes.contains(node)) {
                required.push(i);
                continue;
            }
            let is_before = |(part, value, _): &(Option<usize>, ValueId, ValueId)| {
                let (Some(at), Some(its)) = (level(own.part), level(*part)) else {
                    return false;
                };
                let inner = its.checked_sub(1).and_then(|i| around[i]);
                match inner {
                    _ if at == its => value.index() < own.before,
                    Some(inner) if its > at => {
                        value.index() < self.parts[inner].before.value_count()
                    }
                    _ => false,
                }
            };
            let unnamed = self.unnamed(&ty);
            let held = |name: &String| {
                holders
                    .get(name)
                    .into_iter()
                    .flatten()
                    .map(|i| &entries[*i])
            };
            // Sizes that it does not share with what was before its node.
            let is_own = |name: &String| !held(name).any(is_before);
            let is_required = |condition: &Condition, node: &NodeId| {
                let mut is = false;
                condition.for_each_name(&mut |name| {
                    is |= unnamed.iter().any(|own| own == name && is_own(own));
                });
                is && dependents.nodes.contains(node)
            };
            let is_refined =
                is_more(&was, &self.known_outside(&ty)) || pattern(&unnamed) != its_pattern;
            let is_stated = stated.iter().any(|one| {
                let mut nodes = one.node.iter().chain(&one.others);
                nodes.any(|node| is_required(&one.condition, node))
            });
            if is_refined || is_stated {
                required.push(i);
            }
        }
        required
    }

    /// Is it known which bodies are run, and with that what a value is?
    fn is_decided(&self, own: &Varied, decided: &[usize]) -> bool {
        own.bodies.iter().any(|i| {
            let part = &self.parts[*i];
            // Where the body of a loop can't be run, what it hands on is what it is given.
            let is_handed_on = || part.unrun.iter().any(|(output, _)| *output == own.value);
            decided.contains(i)
                && match part.guard {
                    // There is one iteration at most then.
                    Guard::Loop { .. } | Guard::Scan { .. } if own.is_uneven => true,
                    Guard::Branch { .. } => true,
                    Guard::Loop { .. } => part.guard.iteration() == 1 && is_handed_on(),
                    Guard::Scan { .. } | Guard::Other { .. } => false,
                }
        })
    }

    /// A part and what it is in, from the inside; none is the model.
    fn around(&self, part: Option<usize>) -> Vec<Option<usize>> {
        let mut around = vec![part];
        while let Some(Some(inner)) = around.last() {
            around.push(self.parts[*inner].parent);
        }
        around
    }

    /// The names in the dims of a type that are none outside of the engine, in their order.
    fn unnamed(&self, ty: &Type) -> Vec<String> {
        let mut all = Vec::new();
        let dims = ty.as_tensor().into_iter().flat_map(|t| t.shape.iter());
        let mut add = |name: &str| {
            if !self.is_named(name) {
                all.push(name.to_owned());
            }
        };
        for dim in dims {
            match dim {
                Dim::Name(name) => add(name),
                Dim::Expr(e) => e.for_each_name(&mut add),
                Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => {}
            }
        }
        all
    }

    /// Reports what the nodes of the model require of such values.
    pub(super) fn judge_varied(&mut self) {
        if self.varied.is_empty() {
            return;
        }
        let mut graph = self.graph.clone();
        let region = Region {
            graph: &mut graph,
            parents: &[(None, None)],
            around: &[],
            outer: None,
            decided: &self.decided,
        };
        for i in self.required_of_varied(region) {
            self.settled.judge(Verdict::Unknown);
            let own = &self.varied[i];
            let (value, place) = (self.name_of(own.value), &own.place);
            let d = match own.is_uneven {
                true => problem::uneven(&value),
                false => problem::unwritten(&format!("a node that depends on `{value}`")),
            };
            let d = d.as_warning();
            self.problems.push(Problem::from(d).at(place.clone()));
        }
    }
}

/// Is something known of a type of which nothing was known before? What the names in it are is not compared.
fn is_more(before: &Type, now: &Type) -> bool {
    let (Some(before), Some(now)) = (before.as_tensor(), now.as_tensor()) else {
        return before != now;
    };
    let is_hole = |dim: &Dim| *dim == Dim::Hole;
    let holes = |dims: &[Dim]| dims.iter().map(is_hole).collect::<Vec<bool>>();
    before.shape.run() != now.shape.run()
        || holes(before.shape.known_dims()) != holes(now.shape.known_dims())
}

/// Which of these are the same: each is the number of the first that it is.
fn pattern(names: &[String]) -> Vec<usize> {
    let first = |name: &String| names.iter().position(|own| own == name);
    names.iter().filter_map(first).collect()
}

/// A value, and the values and nodes that depend on it.
struct Dependents {
    values: HashSet<ValueId>,
    nodes: HashSet<NodeId>,
}

impl Dependents {
    fn of(graph: &Graph, value: ValueId) -> Dependents {
        let mut dependents = Dependents {
            values: HashSet::from([value]),
            nodes: HashSet::new(),
        };
        // The nodes of a body precede the node whose body it is, so one round may not reach them.
        loop {
            let count = dependents.values.len();
            for node in graph.nodes() {
                let Some((inputs, outputs)) = graph.operands(node) else {
                    continue;
                };
                let is_given = inputs.iter().any(|input| dependents.values.contains(input));
                let mut is_made = is_given;
                for body in graph.bodies(node) {
                    is_made |= body
                        .results
                        .iter()
                        .any(|own| dependents.values.contains(own));
                    if is_given {
                        dependents.values.extend(body.params);
                    }
                }
                if is_made {
                    dependents.nodes.insert(node);
                    dependents.values.extend(outputs.iter());
                }
            }
            for (a, b) in graph.equated() {
                if dependents.values.contains(&a) || dependents.values.contains(&b) {
                    dependents.values.extend([a, b]);
                }
            }
            if dependents.values.len() == count {
                return dependents;
            }
        }
    }
}
