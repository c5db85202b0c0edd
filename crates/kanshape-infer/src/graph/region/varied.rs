//! Values whose types depend on which regions are run, and how often: outputs of loops and scans. What later nodes require
//! of them is decided when the graph is run. Of an open input some type can be chosen, of such a value none can.

use super::super::{Graph, NodeId, Outputs, ValueId};
use super::guard::Guard;
use super::settle::{Index, Parent};
use super::types::{is_vague, only_named};
use super::{RegionMark, Regions};
use kanshape_syntax::tree::Condition;
use kanshape_types::{Dim, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// An output of a node with regions, of whose type something is open, or that is made of slices that have to be alike.
#[derive(Clone, Debug)]
pub(super) struct Varied<O> {
    /// The region that the node is in.
    pub region: Option<usize>,
    pub value: ValueId,
    /// The type, before later nodes require anything of it.
    ty: Type,
    /// Which of the sizes that have no name outside are the same.
    pattern: Vec<usize>,
    origin: O,
    /// The node requires something of it itself: that it is made of slices of one shape.
    is_uneven: bool,
    /// How many values there were before its node.
    before: usize,
    /// The regions of its node.
    regions: Vec<usize>,
}

/// A value of which nodes require something that is not decided.
#[derive(Clone, Copy, Debug)]
pub struct Undecided<O> {
    /// The value.
    pub value: ValueId,
    /// The node that gives it.
    pub origin: O,
    /// It is made of slices of which it is not known whether they have one shape.
    pub is_uneven: bool,
}

/// The graph, or that of a region, whose requirements are wanted.
pub(super) struct InGraph<'g> {
    pub graph: &'g mut Graph,
    pub index: &'g Index,
    /// The regions that it contains: the first is what it is the graph of.
    pub parents: &'g [Parent],
    /// The regions that the graphs around it contain.
    pub around: &'g [Parent],
    /// The graph without the region, with its guard: what is required in that one is not required by the region.
    pub outer: Option<&'g mut Graph>,
    /// The regions of which it is certain whether they are run.
    pub decided: &'g [usize],
    pub is_named: &'g dyn Fn(&str) -> bool,
}

impl<O: Copy> Regions<O> {
    /// Notes the outputs of a node with the regions since of whose types something is open. What is in other values than tensors is not
    /// followed. The last output is made of slices that may not be alike if `is_uneven`.
    pub fn note_varied(
        &mut self,
        mark: &RegionMark,
        graph: &mut Graph,
        (origin, outputs): (O, Outputs),
        is_uneven: bool,
        is_known: &dyn Fn(&str) -> bool,
    ) {
        let last = outputs.iter().last();
        for value in outputs.iter() {
            let raw = graph.ty(value);
            let ty = only_named(&raw, &self.is_named(is_known));
            // Those that are made of slices come last.
            let is_uneven = is_uneven && Some(value) == last;
            if !is_uneven && (ty.as_tensor().is_none() || !is_vague(&ty)) {
                continue;
            }
            let pattern = pattern(&unnamed(&raw, &self.is_named(is_known)));
            let regions = mark.regions..self.all.len();
            let is_own = |i: &usize| self.all[*i].parent == self.inside;
            self.varied.push(Varied {
                region: self.inside,
                value,
                ty,
                pattern,
                origin,
                is_uneven,
                before: mark.values,
                regions: regions.filter(is_own).collect(),
            });
        }
    }

    /// The values of a settled graph of which its nodes require something that is not decided.
    pub fn undecided(
        &self,
        graph: &Graph,
        values: impl IntoIterator<Item = (usize, Option<usize>, ValueId)>,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Vec<Undecided<O>> {
        if self.varied.is_empty() {
            return Vec::new();
        }
        let of_graph = InGraph {
            graph: &mut graph.clone(),
            index: &Index::of(values, &self.all),
            parents: &[(None, None)],
            around: &[],
            outer: None,
            decided: &self.decided,
            is_named: &self.is_named(is_known),
        };
        let required = of_graph.required_of_varied(self).into_iter();
        required
            .map(|i| {
                let own = &self.varied[i];
                Undecided {
                    value: own.value,
                    origin: own.origin,
                    is_uneven: own.is_uneven,
                }
            })
            .collect()
    }

    /// Is it known which regions are run, and with that what a value is?
    fn is_decided(&self, own: &Varied<O>, decided: &[usize]) -> bool {
        own.regions.iter().any(|i| {
            let region = &self.all[*i];
            // Where the body of a loop can't be run, what it hands on is what it is given.
            let is_handed_on = || region.unrun.iter().any(|(output, _)| *output == own.value);
            decided.contains(i)
                && match region.guard {
                    // There is one iteration at most then.
                    Guard::Loop { .. } | Guard::Scan(_) if own.is_uneven => true,
                    Guard::Branch { .. } => true,
                    Guard::Loop { .. } => region.guard.iteration() == 1 && is_handed_on(),
                    Guard::Scan(_) | Guard::Other(_) => false,
                }
        })
    }

    /// A region and what it is in, from the inside; none is the graph.
    fn around(&self, region: Option<usize>) -> Vec<Option<usize>> {
        let mut around = vec![region];
        while let Some(Some(inner)) = around.last() {
            around.push(self.all[*inner].parent);
        }
        around
    }
}

impl InGraph<'_> {
    /// The noted values, by their numbers, of which nodes of the graph require something that is not decided.
    pub(super) fn required_of_varied<O: Copy>(mut self, regions: &Regions<O>) -> Vec<usize> {
        let Some(region) = self.parents.first().map(|own| own.0) else {
            return Vec::new();
        };
        let around = regions.around(region);
        let level = |own: Option<usize>| around.iter().position(|one| *one == own);
        let all = || self.parents.iter().chain(self.around);
        let place = |own: &Varied<O>| {
            let (_, placed) = all().find(|(parent, _)| *parent == own.region)?;
            Some(placed.as_ref().map_or(own.value, |p| p.value(own.value)))
        };
        let varied = regions.varied.iter().enumerate();
        let varied = varied.filter(|(_, own)| !regions.is_decided(own, self.decided));
        let varied = varied.filter_map(|(i, own)| Some((i, own, place(own)?)));
        let varied: Vec<(usize, &Varied<O>, ValueId)> = varied.collect();
        if varied.is_empty() {
            return Vec::new();
        }
        // The values with names, with where they are from.
        let entries = self.index.values(all());
        let entries: Vec<(usize, Option<usize>, [ValueId; 2])> = entries.collect();
        let is_named = self.is_named;
        let mut reading = self.graph.read();
        let types = reading.all_shared(entries.iter().map(|(_, _, [_, now])| *now));
        let mut holders: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (i, ty) in types.iter().enumerate() {
            for name in unnamed(ty, is_named) {
                holders.entry(name).or_default().push(i);
            }
        }
        let now = varied.iter().map(|(_, _, value)| reading.ty(*value));
        let now: Vec<Type> = now.collect();
        let stated = reading.conditions();
        let open = reading.open_nodes();
        drop(reading);
        let mut required = Vec::new();
        for ((i, own, value), ty) in varied.into_iter().zip(now) {
            if own.is_uneven {
                required.push(i);
                continue;
            }
            let mut dependents = Dependents::of(self.graph, value);
            let (mut was, mut its_pattern) = (own.ty.clone(), own.pattern.clone());
            let outer = self.outer.as_deref_mut();
            if let Some(outer) = outer.filter(|outer| value.index() < outer.value_count()) {
                let outside = Dependents::of(outer, value);
                dependents
                    .nodes
                    .retain(|node| !outside.nodes.contains(node));
                let raw = outer.ty(value);
                was = only_named(&raw, is_named);
                its_pattern = pattern(&unnamed(&raw, is_named));
            }
            if open.iter().any(|node| dependents.nodes.contains(node)) {
                required.push(i);
                continue;
            }
            let is_before = |(_, its, [value, _]): &(usize, Option<usize>, [ValueId; 2])| {
                let (Some(at), Some(its)) = (level(own.region), level(*its)) else {
                    return false;
                };
                let inner = its.checked_sub(1).and_then(|i| around[i]);
                match inner {
                    _ if at == its => value.index() < own.before,
                    Some(inner) if its > at => {
                        value.index() < regions.all[inner].before.value_count()
                    }
                    _ => false,
                }
            };
            let own_names = unnamed(&ty, is_named);
            let held = |name: &str| holders.get(name).into_iter().flatten();
            // Sizes that it does not share with what was before its node.
            let is_own = |name: &str| !held(name).any(|i| is_before(&entries[*i]));
            let is_required = |condition: &Condition, node: &NodeId| {
                let mut is = false;
                condition.for_each_name(&mut |name| {
                    is |= own_names.iter().any(|own| own == name) && is_own(name);
                });
                is && dependents.nodes.contains(node)
            };
            let is_refined =
                is_more(&was, &only_named(&ty, is_named)) || pattern(&own_names) != its_pattern;
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
}

/// The names in the dims of a type that are none outside of its graph, in their order.
fn unnamed(ty: &Type, is_named: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut all = Vec::new();
    let dims = ty.as_tensor().into_iter().flat_map(|t| t.shape.iter());
    let mut add = |name: &str| {
        if !is_named(name) {
            all.push(name.to_owned());
        }
    };
    dims.for_each(|dim| dim.for_each_name(&mut add));
    all
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
    values: FxHashSet<ValueId>,
    nodes: FxHashSet<NodeId>,
}

impl Dependents {
    fn of(graph: &Graph, value: ValueId) -> Dependents {
        let mut dependents = Dependents {
            values: FxHashSet::from_iter([value]),
            nodes: FxHashSet::default(),
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
