//! What comes of the bodies that may not be run, once the whole graph is known.

use super::body::is_vague;
use super::guard::{is_truth, truth};
use super::part::{Guard, GuardedPart, Index, Placing, Settled, Standing, Taken, Tried};
use super::varied::Region;
use super::{Checker, NodeOrigin, ValueHome};
use crate::problem::{self, Place, Problem};
use crate::report::{Required, Requirement, Under, When};
use hashbrown::HashMap;
use kanshape::Condition;
use kanshape::graph::{Graph, NodeId, Placed, Stated, ValueId};
use kanshape::{Dim, Dtype, Name, Type, Verdict, order};
use std::sync::Arc;

/// For more conditions of a body no sizes are looked for.
const SHOWN: usize = 20;

/// For more branches that are run always, each truth value that no condition on sizes implies at once is a condition.
const MOST_TAKEN: usize = 64;

/// So deep in bodies, other bodies are tried again once more is known of what a choice gives.
const REFINED: usize = 3;

impl<'c, 'a> Checker<'c, 'a> {
    /// Finds out what comes of all parts of the model.
    pub(super) fn settle_parts(&mut self) {
        if self.parts.iter().all(|part| !part.is_open) {
            return;
        }
        self.index = Index::of(&self.values, &self.parts);
        let mut standing = Standing {
            graph: Box::new(self.graph.clone()),
            origins: std::mem::take(&mut self.origins),
            parents: vec![(None, None)],
            around: Vec::new(),
            under: Vec::new(),
            also: Vec::new(),
            decided: Vec::new(),
            taken: Vec::new(),
        };
        let mut settled = self.settle(&mut standing);
        without_repetitions(&mut settled.requirements);
        self.graph = *standing.graph;
        self.decided = standing.decided;
        self.origins = standing.origins;
        for (parent, placed) in &standing.parents[1..] {
            for entry in &mut self.values {
                if let (ValueHome::In(part, value), Some(placed)) = (entry.value, placed)
                    && Some(part as usize) == *parent
                {
                    entry.value = ValueHome::Value(placed.value(value));
                }
            }
            for own in self.varied.iter_mut().filter(|own| own.part == *parent) {
                own.part = None;
                own.value = placed
                    .as_ref()
                    .map_or(own.value, |placed| placed.value(own.value));
            }
        }
        self.settled = settled;
        if self.tries == 0 {
            let problem = Problem::from(problem::unwritten("what is in bodies").as_warning());
            let part = self.parts.iter().find(|part| part.is_open);
            self.problems.push(match part {
                Some(part) => problem.at(part.place.clone()),
                None => problem,
            });
        }
    }

    /// The same for the parts in a graph. What follows for the graph is required of it.
    fn settle(&mut self, standing: &mut Standing) -> Settled {
        let mut refined: Vec<usize> = Vec::new();
        let mut certain = Settled::default();
        // The graph before the first branch was found to be run always.
        let mut before: Option<(Box<Graph>, Vec<Condition>)> = None;
        loop {
            let mut found = Settled::default();
            let mut is_changed = false;
            let given = self.given_in(standing);
            let mut names = standing.graph.clone();
            for i in self.standing_in(standing) {
                let part = &self.parts[i];
                let parent = standing.parents.iter().find(|own| own.0 == part.parent);
                let also = standing.also.iter().find(|own| own.0 == i);
                let placed = parent.map(|own| &own.1).or(also.map(|own| &own.1));
                let Some(placed) =
                    placed.filter(|_| part.is_open && !standing.decided.contains(&i))
                else {
                    continue;
                };
                let placed = placed.clone();
                if self.tries == 0 {
                    certain.judge(Verdict::Unknown);
                    certain.add(found);
                    self.state_guards(before, standing, &mut certain);
                    standing.graph.name_after(&names);
                    return certain;
                }
                let members: Vec<usize> = std::iter::once(i).chain(part.other).collect();
                if members.iter().any(|m| *m < i) {
                    continue;
                }
                let tried: Vec<Tried> = members
                    .iter()
                    .map(|m| self.try_part(*m, standing, placed.as_ref(), &given, &mut names))
                    .collect();
                if tried.iter().all(|one| one.settled.is_some()) {
                    if !refined.contains(&i)
                        && (self.refine(i, &tried, standing, placed.as_ref())
                            | self.share(i, &tried, standing, placed.as_ref()))
                    {
                        refined.push(i);
                        // Deep inside it is not worth another round: nothing is lost without one.
                        if standing.under.len() < REFINED {
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
                standing.decided.extend(self.parts[i].later);
                is_changed = true;
                before.get_or_insert_with(|| (standing.graph.clone(), given.clone()));
                self.exclude(&members, tried, standing, placed, &mut certain);
            }
            if !is_changed {
                certain.add(found);
                self.state_guards(before, standing, &mut certain);
                // The outer graph must not reuse names that nested bodies have made up.
                standing.graph.name_after(&names);
                return certain;
            }
        }
    }

    /// The parts in a graph, in their order.
    fn standing_in(&self, standing: &Standing) -> Vec<usize> {
        let parents = standing.parents.iter();
        let own = parents.flat_map(|(own, _)| self.index.parts.get(own).into_iter().flatten());
        let mut all: Vec<usize> = own.copied().collect();
        all.extend(standing.also.iter().map(|own| own.0));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The choices before a part whose outputs may be one thing or another.
    fn choices_before(
        &self,
        index: usize,
        standing: &Standing,
        under: &[Under],
    ) -> Vec<(usize, Option<Arc<Placed>>)> {
        let group = self.parts[index].other.unwrap_or(index).min(index);
        let is_open = |own: &&(usize, Option<Arc<Placed>>)| {
            own.0 < group && !standing.decided.contains(&own.0)
        };
        let also = standing.also.iter().filter(is_open).cloned();
        let mut also: Vec<(usize, Option<Arc<Placed>>)> = also.collect();
        if under.len() > REFINED {
            return also;
        }
        let mut graph = standing.graph.clone();
        let mut reading = graph.read();
        let before = self.standing_in(standing).into_iter();
        for i in before.take_while(|i| *i < group) {
            let part = &self.parts[i];
            let parent = standing.parents.iter().find(|own| own.0 == part.parent);
            let Some((_, placed)) = parent else { continue };
            let is_decided = standing.decided.contains(&i);
            let is_in = also.iter().any(|own| own.0 == i);
            if !part.is_open || part.other.is_none() || is_decided || is_in {
                continue;
            }
            let at = Placing(placed.as_ref());
            let mut outputs = part
                .outputs
                .iter()
                .map(|value| reading.ty(at.value(*value)));
            if outputs.any(|ty| is_vague(&self.known_outside(&ty))) {
                also.push((i, placed.clone()));
            }
        }
        also
    }

    /// What is known to hold in a graph, with names for all of its values.
    fn given_in(&self, standing: &mut Standing) -> Vec<Condition> {
        let values = self.entries_in(&standing.parents);
        let mut reading = standing.graph.read();
        reading.all_shared(values.into_iter().map(|own| own.1));
        let stated = reading.conditions();
        stated.into_iter().map(|one| one.condition).collect()
    }

    /// The values in a graph, with their places.
    fn entries_in(
        &self,
        parents: &[(Option<usize>, Option<Arc<Placed>>)],
    ) -> Vec<(usize, ValueId)> {
        let found = parents.iter().flat_map(|(own, placed)| {
            let entries = self.index.entries.get(own).into_iter().flatten();
            entries.map(move |(i, value)| {
                let placed = placed.as_ref();
                (*i, placed.map_or(*value, |placed| placed.value(*value)))
            })
        });
        found.collect()
    }

    /// Appends a part to the graph that contains it.
    fn try_part(
        &mut self,
        index: usize,
        standing: &Standing,
        outer: Option<&Arc<Placed>>,
        given: &[Condition],
        names: &mut Graph,
    ) -> Tried {
        let part = self.parts[index].clone();
        let mut graph = standing.graph.clone();
        graph.name_after(names);
        let mut origins = standing.origins.clone();
        let mut impossible = Tried {
            settled: None,
            problems: Vec::new(),
            types: HashMap::new(),
            graph: None,
        };
        let cost = 1 + part.origins.len() / 64 + graph.value_count() / 1024;
        self.tries = self.tries.saturating_sub(cost);
        let (node, _) = graph.add_unknown(&[], 0);
        origins.push(part.origin);
        let at = Placing(outer);
        let guards = self.guard_types(&mut graph, &part.guard, true, at);
        for (value, ty) in &guards {
            if graph.require(node, *value, ty).is_err() {
                // It is never run.
                return impossible;
            }
        }
        let given = match guards.is_empty() {
            true => given.to_vec(),
            false => {
                let mut base = Standing {
                    graph: graph.clone(),
                    origins: Vec::new(),
                    parents: standing.parents.clone(),
                    around: Vec::new(),
                    under: Vec::new(),
                    also: Vec::new(),
                    decided: Vec::new(),
                    taken: Vec::new(),
                };
                self.given_in(&mut base)
            }
        };
        let base = graph.clone();
        let placed = match graph.extend(&part.before, &part.after, outer) {
            Ok(placed) => Arc::new(placed),
            Err(diagnostic) => {
                let problem = Problem::from(diagnostic.as_warning());
                impossible.problems.push(problem.at(part.place));
                return impossible;
            }
        };
        origins.extend(&part.origins);
        let results = match graph.is_possible() {
            true => part
                .results
                .iter()
                .map(|value| placed.value(*value))
                .collect(),
            // What its outputs would have to be says nothing more.
            false => Vec::new(),
        };
        for (output, result) in part.outputs.iter().zip(&results) {
            let output = at.value(*output);
            if graph.require_same(node, output, *result).is_err() {
                let types = [*result, output].map(|value| graph.ty(value));
                let d = problem::other_result(part.guard.body(), &types).as_warning();
                impossible
                    .problems
                    .push(Problem::from(d).at(part.place.clone()));
            }
        }
        let mut under = standing.under.clone();
        under.push(Under {
            node: part.place.clone(),
            body: part.guard.body().to_owned(),
            when: self.when(&part.guard),
            says: match &part.guard {
                Guard::Branch { says, .. } => says.clone(),
                _ => None,
            },
        });
        let also = self.choices_before(index, standing, &under);
        let mut inside = Standing {
            graph,
            origins,
            parents: vec![(Some(index), Some(placed))],
            around: [&standing.parents[..], &standing.around[..]].concat(),
            under,
            also,
            decided: Vec::new(),
            taken: Vec::new(),
        };
        let mut settled = self.settle(&mut inside);
        let values = self.entries_in(&inside.parents);
        let is_possible = inside.graph.is_possible() && impossible.problems.is_empty();
        let found = standing.graph.problems().len();
        let problems: Vec<_> = inside.graph.problems().skip(found).cloned().collect();
        for problem in problems {
            let mut diagnostic = problem.diagnostic.as_warning();
            diagnostic.labels.clear();
            diagnostic.source = None;
            impossible.problems.push(Problem {
                node: self.place_among(&inside.origins, problem.node),
                diagnostic,
            });
        }
        let mut reading = inside.graph.read();
        let types = reading.all_shared(values.iter().map(|own| own.1));
        impossible.types = values.iter().map(|own| own.0).zip(types).collect();
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
        let is_other = part.vague.iter().any(|(value, ty)| {
            let now = inside.graph.ty(inside.placed(*value));
            self.known_outside(&now) != self.known_outside(ty)
        });
        let requires = is_waiting || is_other || !beyond.stated.is_empty();
        let is_vague = !part.vague.is_empty() && requires;
        names.name_after(&inside.graph);
        let is_widened = |one: &Stated| {
            let mut is = false;
            let widened = &self.widened;
            one.condition
                .for_each_name(&mut |name| is |= widened.contains(name));
            is
        };
        // Whether a later iteration is given what it requires is not followed.
        let is_vague = is_vague || beyond.stated.iter().any(is_widened);
        let mut after = inside.graph.clone();
        let decided = [&standing.decided[..], &inside.decided[..]].concat();
        let varied = self.required_of_varied(Region {
            graph: &mut after,
            parents: &inside.parents,
            around: &inside.around,
            outer: Some(base),
            decided: &decided,
        });
        let is_vague = is_vague || !varied.is_empty();
        settled.judge(beyond.verdict);
        if beyond.verdict == Verdict::Unknown || is_vague {
            settled.judge(Verdict::Unknown);
            let d = problem::unwritten(part.guard.body()).as_warning();
            settled.problems.push(Problem::from(d).at(part.place));
        }
        let mut requirements = self.requirements(beyond.stated, &given, &inside);
        requirements.append(&mut settled.requirements);
        settled.requirements = requirements;
        Tried {
            settled: Some(settled),
            graph: Some((inside.graph, results)),
            ..impossible
        }
    }

    /// Can a part be run, as far as its graph is known by now?
    pub(super) fn can_be(&mut self, index: usize) -> bool {
        let part = self.parts[index].clone();
        let mut graph = self.graph.clone();
        let (node, _) = graph.add_unknown(&[], 0);
        let guards = self.guard_types(&mut graph, &part.guard, true, Placing(None));
        let mut guards = guards.iter();
        guards.all(|(value, ty)| graph.require(node, *value, ty).is_ok())
            && graph.extend(&part.before, &part.after, None).is_ok()
            && graph.is_possible()
    }

    fn requirements(
        &self,
        stated: Vec<Stated>,
        given: &[Condition],
        standing: &Standing,
    ) -> Vec<Requirement> {
        let own = stated.iter().map(|one| one.condition.clone());
        let all: Vec<Condition> = own.chain(given.iter().cloned()).collect();
        let requirements = stated.into_iter().enumerate().map(|(i, one)| {
            let (holds, fails) = match one.demands && i < SHOWN {
                true => kanshape::explain::sizes(&all, i),
                false => (None, None),
            };
            let place = |node| self.place_among(&standing.origins, node);
            Requirement {
                condition: Required::Condition(one.condition),
                node: one.node.and_then(place),
                others: one.others.into_iter().filter_map(place).collect(),
                under: standing.under.clone(),
                demands: one.demands,
                unless_empty: one.unless_empty,
                holds,
                fails,
                allowed: None,
            }
        });
        requirements.collect()
    }

    /// Of the outputs of a choice is known what the results of both branches have in common. Is that more than was known?
    fn refine(
        &mut self,
        index: usize,
        tried: &[Tried],
        standing: &mut Standing,
        outer: Option<&Arc<Placed>>,
    ) -> bool {
        let [Some(own), Some(other)] = [0, 1].map(|i| tried.get(i).and_then(|t| t.graph.as_ref()))
        else {
            return false;
        };
        let types = self.common([own, other]);
        let part = &self.parts[index];
        let outputs: Vec<ValueId> = part
            .outputs
            .iter()
            .map(|v| Placing(outer).value(*v))
            .collect();
        let origin = part.origin;
        let (node, _) = standing.graph.add_unknown(&[], 0);
        standing.origins.push(origin);
        let mut is_more = false;
        for (output, ty) in outputs.into_iter().zip(types) {
            let own = self.known_outside(&standing.graph.ty(output));
            let ty = self.known_outside(&ty);
            let both = order::join(&own, &ty);
            // The one is the other with less known.
            if own != ty && both == own {
                is_more |= standing.graph.require(node, output, &ty).is_ok();
            }
        }
        is_more
    }

    /// What both branches of a choice require, the graph requires whichever is run. Is that more than was known?
    fn share(
        &self,
        index: usize,
        tried: &[Tried],
        standing: &mut Standing,
        outer: Option<&Arc<Placed>>,
    ) -> bool {
        let part = &self.parts[index];
        let Guard::Branch { cond, .. } = &part.guard else {
            return false;
        };
        let depth = standing.under.len() + 1;
        let required = |one: &Tried| {
            let settled = one.settled.as_ref();
            let all = settled.into_iter().flat_map(|own| &own.requirements);
            let own = all.filter_map(|one| match &one.condition {
                Required::Condition(condition) if one.demands && one.under.len() == depth => {
                    let mut is_known = true;
                    condition.for_each_name(&mut |name| is_known &= self.is_named(name));
                    is_known.then(|| condition.clone())
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
        let origin = part.origin;
        let value = Placing(outer).value(cond.0);
        let ty = self.known_outside(&standing.graph.ty(value));
        let (node, _) = standing.graph.add_unknown(&[], 0);
        standing.origins.push(origin);
        let ty = ty.with_conditions(both.into_iter().collect());
        standing.graph.require(node, value, &ty).is_ok()
    }

    /// The truth values for which branches are run always are conditions, as far as conditions on sizes do not imply them.
    fn state_guards(
        &self,
        before: Option<(Box<Graph>, Vec<Condition>)>,
        standing: &mut Standing,
        settled: &mut Settled,
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
        let is_stated = taken.len() <= MOST_TAKEN && state(&mut graph, conditions);
        while !taken.is_empty() {
            let mut all = taken.iter();
            let next = match is_stated {
                true => all.position(|one| is_known(&mut graph, one.cond)),
                false => None,
            };
            let one = taken.remove(next.unwrap_or(0));
            if next.is_none() && !one.is_implied {
                let part = &self.parts[one.part];
                if let Guard::Branch { cond, is, says, .. } = &part.guard {
                    let own = format!("{} == {is}", cond.1);
                    let text = says.as_ref().map_or(own, |says| says.text.clone());
                    require_text(text, part, standing, settled);
                }
            }
            if !is_stated {
                continue;
            }
            let is_there = one.cond.0.index() < graph.value_count();
            let ty = is_there.then(|| self.known_outside(&graph.ty(one.cond.0)));
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

    /// What is required of the names of the model in a graph, beyond what was given.
    fn conditions_on_names(&self, standing: &mut Standing, given: &[Condition]) -> Vec<Condition> {
        let mut conditions = self.given_in(standing);
        conditions.retain(|condition| {
            let mut is_known = true;
            condition.for_each_name(&mut |name| is_known &= self.dims.has(&Name::word(name)));
            is_known && !given.contains(condition)
        });
        conditions
    }

    /// Some of these parts cannot be run: that is required of the graph.
    fn exclude(
        &mut self,
        members: &[usize],
        tried: Vec<Tried>,
        standing: &mut Standing,
        placed: Option<Arc<Placed>>,
        certain: &mut Settled,
    ) {
        let can: Vec<bool> = tried.iter().map(|one| one.settled.is_some()).collect();
        for one in tried.into_iter().filter(|one| one.settled.is_none()) {
            certain.problems.extend(one.problems);
            certain.types.extend(one.types);
        }
        let part = self.parts[members[0]].clone();
        let outer = placed.clone();
        let at = Placing(outer.as_ref());
        let (node, _) = standing.graph.add_unknown(&[], 0);
        standing.origins.push(part.origin);
        if let Guard::Branch { .. } = part.guard {
            match can.iter().position(|can| *can) {
                Some(i) => self.run_always(members[i], node, standing, outer.clone()),
                None => standing.graph.refute(node, problem::no_branch()),
            }
            return;
        }
        // The body is not run at all.
        let text = self.not_run(&mut standing.graph, &part.guard, at);
        let guards = self.guard_types(&mut standing.graph, &part.guard, false, at);
        if text.is_none() && guards.is_empty() {
            let d = problem::no_iteration(part.guard.body());
            return standing.graph.refute(node, d);
        }
        for (value, ty) in &guards {
            if standing.graph.require(node, *value, ty).is_err() {
                let d = problem::no_iteration(part.guard.body());
                return standing.graph.refute(node, d);
            }
        }
        if let Some(text) = text {
            require_text(text, &part, standing, certain);
        }
        if part.guard.iteration() > 1 {
            return;
        }
        for (output, given) in &part.unrun {
            let (output, given) = (at.value(*output), at.value(*given));
            if let Err(conflict) = standing.graph.require_same(node, output, given) {
                return standing.graph.refute(node, *conflict.diagnostic);
            }
        }
    }

    /// A branch is the only one that can be run.
    fn run_always(
        &mut self,
        run: usize,
        node: NodeId,
        standing: &mut Standing,
        outer: Option<Arc<Placed>>,
    ) {
        let at = Placing(outer.as_ref());
        let part = self.parts[run].clone();
        let guards = self.guard_types(&mut standing.graph, &part.guard, true, at);
        let before = standing.graph.clone();
        let given = self.given_in(standing);
        let graph = &mut standing.graph;
        let mut required = guards.iter();
        let required = required.try_for_each(|(value, ty)| graph.require(node, *value, ty));
        let extended = match required {
            Ok(()) => graph.extend(&part.before, &part.after, outer.as_ref()),
            Err(conflict) => Err(*conflict.diagnostic),
        };
        let placed = match extended {
            Ok(placed) => Arc::new(placed),
            Err(diagnostic) => return graph.refute(node, diagnostic),
        };
        standing.origins.extend(&part.origins);
        for (output, result) in part.outputs.iter().zip(&part.results) {
            let (output, result) = (at.value(*output), placed.value(*result));
            if let Err(conflict) = graph.require_same(node, output, result) {
                graph.refute(node, *conflict.diagnostic);
            }
        }
        standing.parents.push((Some(run), Some(placed)));
        if let Guard::Branch { cond, is, .. } = &part.guard {
            let cond = (at.value(cond.0), *is);
            let is_implied = self.is_implied(before, cond, standing, &given);
            let types = part.after.clone().types(&part.results);
            let outputs = part.outputs.iter().zip(types);
            let outputs = outputs.map(|(value, ty)| (at.value(*value), self.known_outside(&ty)));
            standing.taken.push(Taken {
                part: run,
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
        standing: &mut Standing,
        given: &[Condition],
    ) -> bool {
        let conditions = self.conditions_on_names(standing, given);
        state(&mut before, conditions) && is_known(&mut before, cond)
    }

    fn when(&self, guard: &Guard) -> When {
        match guard {
            Guard::Branch { cond, is, .. } => When::Is(cond.1.clone(), *is),
            Guard::Scan { .. } => When::Each,
            Guard::Loop { when, .. } | Guard::Other { when, .. } => when.clone(),
        }
    }

    /// The node of a model that a node of one of its graphs is.
    fn place_among(&self, origins: &[NodeOrigin], node: NodeId) -> Option<Place> {
        self.place_at(*origins.get(node.index())?)
    }
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
    is_truth(&now) == Some(is) || truth(&now, !is).is_some_and(&mut is_refuted)
}

/// Leaves out what has to hold in fewer bodies already.
fn without_repetitions(all: &mut Vec<Requirement>) {
    let texts: Vec<String> = all.iter().map(|one| one.condition.to_string()).collect();
    let follows = |i: usize| {
        let under = &all[i].under;
        all.iter().enumerate().any(|(j, other)| {
            let is_part = other.under.iter().all(|own| under.contains(own));
            j != i && texts[i] == texts[j] && is_part && (other.under.len() < under.len() || j < i)
        })
    };
    let kept: Vec<bool> = (0..all.len()).map(|i| !follows(i)).collect();
    let mut kept = kept.into_iter();
    all.retain(|_| kept.next().unwrap_or(true));
}

/// What values have to be that have no size for a name.
fn require_text(text: String, part: &GuardedPart, standing: &Standing, settled: &mut Settled) {
    settled.judge(Verdict::Depends);
    settled.requirements.push(Requirement {
        condition: Required::Value(text),
        node: Some(part.place.clone()),
        others: Vec::new(),
        under: standing.under.clone(),
        demands: true,
        unless_empty: false,
        holds: None,
        fails: None,
        allowed: None,
    });
}
