//! What comes of regions, once the whole graph is known.

use super::super::{Graph, NodeId, Placed, Stated, ValueId};
use super::guard::{Guard, Placing, truth};
use super::settled::{GuardedCondition, Required, Settled, WhatIsWrong};
use super::types::{common, is_vague, known_truth, only_named};
use super::varied::InGraph;
use super::{Region, Regions};
use crate::limits::{MAX_GRAPH_TRIES, MAX_REFINED_DEPTH, MAX_TAKEN};
use crate::{Verdict, order};
use kanshape_syntax::tree::Condition;
use kanshape_types::{Dim, Dtype, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where a region is in a graph, or none for the graph itself.
pub(super) type Parent = (Option<usize>, Option<Arc<Placed>>);

/// What stands where: in the graph, or in a region.
#[derive(Default)]
pub(super) struct Index {
    entries: FxHashMap<Option<usize>, Vec<(usize, ValueId)>>,
    regions: FxHashMap<Option<usize>, Vec<usize>>,
}

impl Index {
    pub(super) fn of<O>(
        values: impl IntoIterator<Item = (usize, Option<usize>, ValueId)>,
        regions: &[Region<O>],
    ) -> Index {
        let mut index = Index::default();
        for (place, region, value) in values {
            index
                .entries
                .entry(region)
                .or_default()
                .push((place, value));
        }
        for (i, region) in regions.iter().enumerate().filter(|(_, own)| own.is_open) {
            index.regions.entry(region.parent).or_default().push(i);
        }
        index
    }

    /// The values of these regions, with their places, and where they are now.
    pub(super) fn values<'i>(
        &'i self,
        parents: impl IntoIterator<Item = &'i Parent>,
    ) -> impl Iterator<Item = (usize, Option<usize>, [ValueId; 2])> {
        parents.into_iter().flat_map(|(own, placed)| {
            let entries = self.entries.get(own).into_iter().flatten();
            entries.map(|(place, value)| {
                let now = placed
                    .as_ref()
                    .map_or(*value, |placed| placed.value(*value));
                (*place, *own, [*value, now])
            })
        })
    }
}

/// A graph in which regions stand, with the places where they do.
struct Standing<O> {
    /// On the heap: regions are nested, and a graph takes 2 KB.
    graph: Box<Graph>,
    origins: Vec<O>,
    /// The regions that it contains, of which the first is what it is the graph of.
    parents: Vec<Parent>,
    /// The same of the graphs around.
    around: Vec<Parent>,
    under: Vec<usize>,
    /// Choices whose outputs may be one thing or another, and what stands here where theirs do: of what is required of
    /// these it matters which branch is run.
    also: Vec<Parent>,
    /// The regions of which it is certain whether they are run.
    decided: Vec<usize>,
    /// The branches among them that are run always, in the order in which that was found out.
    taken: Vec<Taken>,
}

/// A branch that is run always, since the other one can't be.
struct Taken {
    region: usize,
    /// The truth value that it is run for.
    cond: (ValueId, bool),
    /// It follows from conditions on sizes, and from the branches before it.
    is_implied: bool,
    /// The outputs of its node, with what they are if it is run.
    outputs: Vec<(ValueId, Type)>,
}

/// A region that has been put behind a graph.
struct Tried<O> {
    /// What it would come to; `None` if it cannot be run.
    settled: Option<Settled<O>>,
    /// What is wrong with it. Nothing if only its guard can't hold.
    problems: Vec<(Option<O>, usize, WhatIsWrong)>,
    types: FxHashMap<usize, Arc<Type>>,
    /// The graph with it, and its results there.
    graph: Option<(Box<Graph>, Vec<ValueId>)>,
}

/// Regions that are being settled.
struct Settling<'r, O> {
    regions: &'r Regions<O>,
    index: Index,
    /// Is a name known outside of the graph?
    is_known: &'r dyn Fn(&str) -> bool,
    /// The same of a name of one size.
    is_named: &'r dyn Fn(&str) -> bool,
    /// How often regions may still be tried.
    tries: usize,
}

impl<O: Copy + Default> Regions<O> {
    /// Finds out what comes of all regions of a graph, whose nodes are from `origins`. What follows for the graph is required of it. The
    /// values have their places in a list, and the region that they are in. `is_known` says whether a name is known outside.
    pub fn settle(
        &mut self,
        graph: &mut Graph,
        origins: &mut Vec<O>,
        values: impl IntoIterator<Item = (usize, Option<usize>, ValueId)>,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Settled<O> {
        if self.first_open().is_none() {
            return Settled::default();
        }
        let mut standing = Standing {
            graph: Box::new(graph.clone()),
            origins: std::mem::take(origins),
            parents: vec![(None, None)],
            around: Vec::new(),
            under: Vec::new(),
            also: Vec::new(),
            decided: Vec::new(),
            taken: Vec::new(),
        };
        let mut settled = {
            let is_named = self.is_named(is_known);
            let mut settling = Settling {
                index: Index::of(values, &self.all),
                regions: self,
                is_known,
                is_named: &is_named,
                tries: MAX_GRAPH_TRIES,
            };
            let settled = settling.settle(&mut standing);
            Settled {
                is_cut: settling.tries == 0,
                ..settled
            }
        };
        let parents = standing.parents.into_iter();
        settled.placed = parents
            .filter_map(|(region, placed)| Some((region?, placed?)))
            .collect();
        *graph = *standing.graph;
        *origins = standing.origins;
        self.decided = standing.decided;
        for own in &mut self.varied {
            let mut placed = settled.placed.iter();
            let placed = placed.find(|(region, _)| own.region == Some(*region));
            if let Some((_, placed)) = placed {
                own.region = None;
                own.value = placed.value(own.value);
            }
        }
        settled
    }
}

impl<O: Copy + Default> Settling<'_, O> {
    /// What comes of the regions in a graph. What follows for the graph is required of it.
    fn settle(&mut self, standing: &mut Standing<O>) -> Settled<O> {
        let mut refined: Vec<usize> = Vec::new();
        let mut certain = Settled::default();
        // The graph before the first branch was found to be run always.
        let mut before: Option<(Box<Graph>, Vec<Condition>)> = None;
        loop {
            let mut found = Settled::default();
            let mut is_changed = false;
            let given = self.given_in(&mut standing.graph, &standing.parents);
            let mut names = standing.graph.clone();
            for i in self.standing_in(standing) {
                let region = &self.regions.all[i];
                let parent = standing.parents.iter().find(|own| own.0 == region.parent);
                let also = standing.also.iter().find(|own| own.0 == Some(i));
                let Some((_, placed)) = parent.or(also).cloned() else {
                    continue;
                };
                if !region.is_open || standing.decided.contains(&i) {
                    continue;
                }
                if self.tries == 0 {
                    certain.judge(Verdict::Unknown);
                    certain.add(found);
                    self.state_guards(before, standing, &mut certain);
                    standing.graph.name_after(&names);
                    return certain;
                }
                let members: Vec<usize> = std::iter::once(i).chain(region.other).collect();
                if members.iter().any(|m| *m < i) {
                    continue;
                }
                let later = region.later;
                let tried: Vec<Tried<O>> = members
                    .iter()
                    .map(|m| self.try_region(*m, standing, placed.as_ref(), &given, &mut names))
                    .collect();
                if tried.iter().all(|one| one.settled.is_some()) {
                    if !refined.contains(&i)
                        && (self.refine(i, &tried, standing, placed.as_ref())
                            | self.share(i, &tried, standing, placed.as_ref()))
                    {
                        refined.push(i);
                        // Deep inside it is not worth another round: nothing is lost without one.
                        if standing.under.len() < MAX_REFINED_DEPTH {
                            is_changed = true;
                            continue;
                        }
                    }
                    for one in tried {
                        found.types.extend(one.types);
                        found.problems.extend(one.problems);
                        found.add(one.settled.unwrap_or_default());
                    }
                    continue;
                }
                standing.decided.extend(&members);
                standing.decided.extend(later);
                is_changed = true;
                before.get_or_insert_with(|| (standing.graph.clone(), given.clone()));
                self.exclude(&members, tried, standing, placed.as_ref(), &mut certain);
            }
            if !is_changed {
                certain.add(found);
                self.state_guards(before, standing, &mut certain);
                // The outer graph must not reuse names that nested regions have made up.
                standing.graph.name_after(&names);
                return certain;
            }
        }
    }

    /// The regions in a graph, in their order.
    fn standing_in(&self, standing: &Standing<O>) -> Vec<usize> {
        let parents = standing.parents.iter();
        let own = parents.flat_map(|(own, _)| self.index.regions.get(own).into_iter().flatten());
        let also = standing.also.iter().filter_map(|own| own.0);
        let mut all: Vec<usize> = own.copied().chain(also).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The choices before a region whose outputs may be one thing or another.
    fn choices_before(&self, index: usize, standing: &Standing<O>, depth: usize) -> Vec<Parent> {
        let other = self.regions.all[index].other;
        let group = other.unwrap_or(index).min(index);
        let is_before = |i: usize| i < group && !standing.decided.contains(&i);
        let also = standing
            .also
            .iter()
            .filter(|own| own.0.is_some_and(is_before));
        let mut also: Vec<Parent> = also.cloned().collect();
        if depth > MAX_REFINED_DEPTH {
            return also;
        }
        let mut graph = standing.graph.clone();
        let mut reading = graph.read();
        for i in self
            .standing_in(standing)
            .into_iter()
            .filter(|i| is_before(*i))
        {
            let region = &self.regions.all[i];
            let parent = standing.parents.iter().find(|own| own.0 == region.parent);
            let Some((_, placed)) = parent else { continue };
            if !region.is_open || region.other.is_none() || also.iter().any(|own| own.0 == Some(i))
            {
                continue;
            }
            let at = self.at(placed.as_ref());
            let mut outputs = region.outputs.iter();
            if outputs.any(|value| is_vague(&self.named(&reading.ty(at.value(*value))))) {
                also.push((Some(i), placed.clone()));
            }
        }
        also
    }

    /// What is known to hold in a graph, with names for all of its values.
    fn given_in(&self, graph: &mut Graph, parents: &[Parent]) -> Vec<Condition> {
        let mut reading = graph.read();
        reading.all_shared(self.index.values(parents).map(|(_, _, [_, now])| now));
        let stated = reading.conditions();
        stated.into_iter().map(|one| one.condition).collect()
    }

    fn at<'p>(&'p self, at: Option<&'p Arc<Placed>>) -> Placing<'p> {
        Placing {
            at,
            is_named: self.is_named,
        }
    }

    /// What a type says outside of its graph.
    fn named(&self, ty: &Type) -> Type {
        only_named(ty, self.is_named)
    }

    /// Puts a region behind the graph that contains it.
    fn try_region(
        &mut self,
        index: usize,
        standing: &Standing<O>,
        outer: Option<&Arc<Placed>>,
        given: &[Condition],
        names: &mut Graph,
    ) -> Tried<O> {
        let region = &self.regions.all[index];
        let mut graph = standing.graph.clone();
        graph.name_after(names);
        let mut origins = standing.origins.clone();
        let mut impossible = Tried {
            settled: None,
            problems: Vec::new(),
            types: FxHashMap::default(),
            graph: None,
        };
        let cost = 1 + region.origins.len() / 64 + graph.value_count() / 1024;
        self.tries = self.tries.saturating_sub(cost);
        let (node, _) = graph.add_unknown(&[], 0);
        origins.push(region.origin);
        let wrong = |what| (Some(region.origin), index, what);
        let at = self.at(outer);
        let guards = region.guard.types(&mut graph, true, at);
        for (value, ty) in &guards {
            if graph.require(node, *value, ty).is_err() {
                // It is never run.
                return impossible;
            }
        }
        let given = match guards.is_empty() {
            true => given.to_vec(),
            false => self.given_in(&mut graph.clone(), &standing.parents),
        };
        let mut base = graph.clone();
        let placed = match graph.extend(&region.before, &region.after, outer) {
            Ok(placed) => Arc::new(placed),
            Err(diagnostic) => {
                let found = WhatIsWrong::Found(Box::new(diagnostic.as_warning()));
                impossible.problems.push(wrong(found));
                return impossible;
            }
        };
        origins.extend(&region.origins);
        // Otherwise what its outputs would have to be says nothing more.
        let results = match graph.is_possible() {
            true => &region.results[..],
            false => &[],
        };
        let results: Vec<ValueId> = results.iter().map(|value| placed.value(*value)).collect();
        for (output, result) in region.outputs.iter().zip(&results) {
            let output = at.value(*output);
            if graph.require_same(node, output, *result).is_err() {
                let types = [*result, output].map(|value| graph.ty(value));
                let what = WhatIsWrong::OtherResult(Box::new(types));
                impossible.problems.push(wrong(what));
            }
        }
        let mut under = standing.under.clone();
        under.push(index);
        let also = self.choices_before(index, standing, under.len());
        let mut inside = Standing {
            graph,
            origins,
            parents: vec![(Some(index), Some(Arc::clone(&placed)))],
            around: [&standing.parents[..], &standing.around[..]].concat(),
            under,
            also,
            decided: Vec::new(),
            taken: Vec::new(),
        };
        let mut settled = self.settle(&mut inside);
        let is_possible = inside.graph.is_possible() && impossible.problems.is_empty();
        let found = standing.graph.problems().len();
        for problem in inside.graph.problems().skip(found) {
            let mut diagnostic = problem.diagnostic.clone().as_warning();
            diagnostic.labels.clear();
            diagnostic.source = None;
            let node = inside.origins.get(problem.node.index()).copied();
            let what = WhatIsWrong::Found(Box::new(diagnostic));
            impossible.problems.push((node, index, what));
        }
        let mut reading = inside.graph.read();
        let values = || self.index.values(&inside.parents);
        let types = reading.all_shared(values().map(|(_, _, [_, now])| now));
        impossible.types = values().map(|own| own.0).zip(types).collect();
        if !is_possible {
            impossible.types.extend(settled.types);
            impossible.problems.extend(settled.problems);
            return impossible;
        }
        let beyond = reading.beyond(&given);
        let first = standing.graph.node_count();
        let is_waiting = reading.waiting().iter().any(|node| node.index() > first);
        drop(reading);
        // Of what may be another thing each time it is not known whether that is what is required.
        let is_other = region.vague.iter().any(|(value, ty)| {
            let now = inside.graph.ty(placed.value(*value));
            self.named(&now) != self.named(ty)
        });
        let requires = is_waiting || is_other || !beyond.stated.is_empty();
        names.name_after(&inside.graph);
        // Whether a later iteration is given what it requires is not followed.
        let is_of_iteration = |one: &Stated| {
            let mut is = false;
            let is_one_size = |name: &str| self.regions.is_one_size(name);
            one.condition
                .for_each_name(&mut |name| is |= !is_one_size(name));
            is
        };
        let decided = [&standing.decided[..], &inside.decided[..]].concat();
        let is_vague = !region.vague.is_empty() && requires
            || beyond.stated.iter().any(is_of_iteration)
            || !InGraph {
                graph: &mut inside.graph.clone(),
                index: &self.index,
                parents: &inside.parents,
                around: &inside.around,
                outer: Some(&mut base),
                decided: &decided,
                is_named: self.is_named,
            }
            .required_of_varied(self.regions)
            .is_empty();
        settled.judge(beyond.verdict);
        if beyond.verdict == Verdict::Unknown || is_vague {
            settled.judge(Verdict::Unknown);
            settled.problems.push(wrong(WhatIsWrong::Unwritten));
        }
        let mut required = guarded(beyond.stated, &given, &inside);
        required.append(&mut settled.required);
        settled.required = required;
        Tried {
            settled: Some(settled),
            graph: Some((inside.graph, results)),
            ..impossible
        }
    }

    /// Of the outputs of a choice is known what the results of both branches have in common. Is that more than was known?
    fn refine(
        &self,
        index: usize,
        tried: &[Tried<O>],
        standing: &mut Standing<O>,
        outer: Option<&Arc<Placed>>,
    ) -> bool {
        let [Some(own), Some(other)] = [0, 1].map(|i| tried.get(i).and_then(|t| t.graph.as_ref()))
        else {
            return false;
        };
        let parts = [own, other].map(|(graph, results)| (&**graph, &results[..]));
        let types = common(parts, self.is_named);
        let node = self.own_node(index, standing);
        let mut is_more = false;
        for (output, ty) in self.regions.all[index].outputs.iter().zip(types) {
            let output = self.at(outer).value(*output);
            let own = self.named(&standing.graph.ty(output));
            let ty = self.named(&ty);
            let both = order::join(&own, &ty);
            // The one is the other with less known.
            if own != ty && both == own {
                is_more |= standing.graph.require(node, output, &ty).is_ok();
            }
        }
        is_more
    }

    /// A node by which the node of a region requires something of a graph.
    fn own_node(&self, index: usize, standing: &mut Standing<O>) -> NodeId {
        let (node, _) = standing.graph.add_unknown(&[], 0);
        standing.origins.push(self.regions.all[index].origin);
        node
    }

    /// What both branches of a choice require, the graph requires whichever is run. Is that more than was known?
    fn share(
        &self,
        index: usize,
        tried: &[Tried<O>],
        standing: &mut Standing<O>,
        outer: Option<&Arc<Placed>>,
    ) -> bool {
        let Guard::Branch { cond, .. } = &self.regions.all[index].guard else {
            return false;
        };
        let depth = standing.under.len() + 1;
        let required = |one: &Tried<O>| {
            let settled = one.settled.as_ref();
            let all = settled.into_iter().flat_map(|own| &own.required);
            let own = all.filter_map(|one| match &one.condition {
                Required::Condition(condition) if one.demands && one.under.len() == depth => {
                    let mut is_named = true;
                    condition.for_each_name(&mut |name| is_named &= (self.is_named)(name));
                    is_named.then(|| condition.clone())
                }
                _ => None,
            });
            own.collect::<Vec<Condition>>()
        };
        let [one, other] = tried else { return false };
        let other = required(other);
        let mut both = required(one);
        both.retain(|condition| other.contains(condition));
        if both.is_empty() {
            return false;
        }
        let value = self.at(outer).value(*cond);
        let ty = self.named(&standing.graph.ty(value));
        let node = self.own_node(index, standing);
        let ty = ty.with_conditions(both.into_iter().collect());
        standing.graph.require(node, value, &ty).is_ok()
    }

    /// The truth values for which branches are run always are conditions, as far as conditions on sizes do not imply them.
    fn state_guards(
        &self,
        before: Option<(Box<Graph>, Vec<Condition>)>,
        standing: &mut Standing<O>,
        settled: &mut Settled<O>,
    ) {
        let mut taken = std::mem::take(&mut standing.taken);
        let Some((mut graph, given)) = before else {
            return;
        };
        if taken.iter().all(|one| one.is_implied) {
            return;
        }
        // Found out later than a branch was taken, a condition may say why it is.
        let conditions = self.conditions_on_names(standing, &given);
        let is_stated = taken.len() <= MAX_TAKEN && state(&mut graph, conditions);
        while !taken.is_empty() {
            let mut all = taken.iter();
            let next = match is_stated {
                true => all.position(|one| is_known(&mut graph, one.cond)),
                false => None,
            };
            let one = taken.remove(next.unwrap_or(0));
            if let (None, false, Guard::Branch { says, .. }) =
                (next, one.is_implied, &self.regions.all[one.region].guard)
            {
                self.require_text(says.clone(), one.region, &standing.under, settled);
            }
            if !is_stated {
                continue;
            }
            let is_there = one.cond.0.index() < graph.value_count();
            let ty = is_there.then(|| self.named(&graph.ty(one.cond.0)));
            let cond = ty.and_then(|ty| truth(&ty, one.cond.1));
            let cond = cond.map(|ty| (one.cond.0, ty));
            for (value, ty) in cond.into_iter().chain(one.outputs) {
                if value.index() < graph.value_count() {
                    // What can't be added is not known, which is no reason against anything.
                    let _ = graph.assume(value, &ty);
                }
            }
        }
    }

    /// What is required of the names that are known outside, beyond what was given.
    fn conditions_on_names(
        &self,
        standing: &mut Standing<O>,
        given: &[Condition],
    ) -> Vec<Condition> {
        let mut conditions = self.given_in(&mut standing.graph, &standing.parents);
        conditions.retain(|condition| {
            let mut is_known = true;
            condition.for_each_name(&mut |name| is_known &= (self.is_known)(name));
            is_known && !given.contains(condition)
        });
        conditions
    }

    /// Some of these regions cannot be run: that is required of the graph.
    fn exclude(
        &self,
        members: &[usize],
        tried: Vec<Tried<O>>,
        standing: &mut Standing<O>,
        outer: Option<&Arc<Placed>>,
        certain: &mut Settled<O>,
    ) {
        let can = tried.iter().position(|one| one.settled.is_some());
        for one in tried.into_iter().filter(|one| one.settled.is_none()) {
            certain.problems.extend(one.problems);
            certain.types.extend(one.types);
        }
        let first = members[0];
        let region = &self.regions.all[first];
        let at = self.at(outer);
        let node = self.own_node(first, standing);
        if let Guard::Branch { .. } = region.guard {
            match can {
                Some(i) => self.run_always(members[i], node, standing, outer),
                None => standing.graph.refute(node, region.stuck.clone()),
            }
            return;
        }
        // The body is not run at all.
        let graph = &mut standing.graph;
        let text = region.guard.not_run(graph, at);
        let guards = region.guard.types(graph, false, at);
        let mut unmet = guards.iter();
        if text.is_none() && guards.is_empty()
            || unmet.any(|(value, ty)| graph.require(node, *value, ty).is_err())
        {
            return graph.refute(node, region.stuck.clone());
        }
        if let Some(text) = text {
            self.require_text(text, first, &standing.under, certain);
        }
        if region.guard.iteration() > 1 {
            return;
        }
        for (output, given) in &region.unrun {
            let (output, given) = (at.value(*output), at.value(*given));
            if let Err(conflict) = graph.require_same(node, output, given) {
                return graph.refute(node, *conflict.diagnostic);
            }
        }
    }

    /// A branch is the only one that can be run.
    fn run_always(
        &self,
        run: usize,
        node: NodeId,
        standing: &mut Standing<O>,
        outer: Option<&Arc<Placed>>,
    ) {
        let at = self.at(outer);
        let region = &self.regions.all[run];
        let guards = region.guard.types(&mut standing.graph, true, at);
        let before = standing.graph.clone();
        let given = self.given_in(&mut standing.graph, &standing.parents);
        let graph = &mut standing.graph;
        let mut required = guards.iter();
        let required = required.try_for_each(|(value, ty)| graph.require(node, *value, ty));
        let extended = match required {
            Ok(()) => graph.extend(&region.before, &region.after, outer),
            Err(conflict) => Err(*conflict.diagnostic),
        };
        let placed = match extended {
            Ok(placed) => Arc::new(placed),
            Err(diagnostic) => return graph.refute(node, diagnostic),
        };
        standing.origins.extend(&region.origins);
        for (output, result) in region.outputs.iter().zip(&region.results) {
            let (output, result) = (at.value(*output), placed.value(*result));
            if let Err(conflict) = graph.require_same(node, output, result) {
                graph.refute(node, *conflict.diagnostic);
            }
        }
        standing.parents.push((Some(run), Some(placed)));
        if let Guard::Branch { cond, is, .. } = &region.guard {
            let cond = (at.value(*cond), *is);
            let is_implied = self.is_implied(before, cond, standing, &given);
            let types = Graph::clone(&region.after).types(&region.results);
            let outputs = region.outputs.iter().zip(types);
            let outputs = outputs.map(|(value, ty)| (at.value(*value), self.named(&ty)));
            standing.taken.push(Taken {
                region: run,
                cond,
                is_implied,
                outputs: outputs.collect(),
            });
        }
    }

    /// Is a truth value known where the conditions hold that a graph has got?
    fn is_implied(
        &self,
        mut before: Box<Graph>,
        cond: (ValueId, bool),
        standing: &mut Standing<O>,
        given: &[Condition],
    ) -> bool {
        let conditions = self.conditions_on_names(standing, given);
        state(&mut before, conditions) && is_known(&mut before, cond)
    }

    /// What values have to be that have no size for a name.
    fn require_text(&self, text: String, region: usize, under: &[usize], settled: &mut Settled<O>) {
        settled.judge(Verdict::Depends);
        settled.required.push(GuardedCondition {
            condition: Required::Value(text),
            node: Some(self.regions.all[region].origin),
            others: Vec::new(),
            under: under.to_vec(),
            demands: true,
            unless_empty: false,
            examples: (None, None),
        });
    }
}

/// What a region requires, where this holds.
fn guarded<O: Copy>(
    stated: Vec<Stated>,
    given: &[Condition],
    standing: &Standing<O>,
) -> Vec<GuardedCondition<O>> {
    let own = stated.iter().map(|one| one.condition.clone());
    let all: Vec<Condition> = own.chain(given.iter().cloned()).collect();
    let origin = |node: NodeId| standing.origins.get(node.index()).copied();
    let guarded = stated
        .into_iter()
        .enumerate()
        .map(|(i, one)| GuardedCondition {
            examples: one.examples(&all, i),
            condition: Required::Condition(one.condition),
            node: one.node.and_then(origin),
            others: one.others.into_iter().filter_map(origin).collect(),
            under: standing.under.clone(),
            demands: one.demands,
            unless_empty: one.unless_empty,
        });
    guarded.collect()
}

/// From now on these conditions hold in a graph.
fn state(graph: &mut Graph, conditions: Vec<Condition>) -> bool {
    let scalar = Type::tensor(Dtype::Bool, [] as [Dim; 0]);
    let ty = scalar.with_conditions(conditions.into_iter().collect());
    graph.value(&ty).is_ok()
}

/// Is it known that a value of a graph is this truth value?
fn is_known(graph: &mut Graph, (value, is): (ValueId, bool)) -> bool {
    if value.index() >= graph.value_count() {
        return false;
    }
    let now = graph.ty(value);
    // What was calculated before a condition is not calculated again: that it can't be otherwise shows it as well.
    let mut is_refuted =
        |other| matches!(graph.clone().assume(value, &other), Err(why) if !why.is_undecided());
    known_truth(&now) == Some(is) || truth(&now, !is).is_some_and(&mut is_refuted)
}
