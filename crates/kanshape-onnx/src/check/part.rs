//! Bodies that may not be run: what they require holds only if they are.
//!
//! Such a body is put into a clone of the graph ([`Part`]), and stands there as a hypothesis until the whole graph is
//! known. Then it is put behind that graph again, with the guard under which it is run: what this requires beyond the
//! graph with the guard alone is reported under the body. Of two branches of which one is impossible the other is run
//! always, and the guard is a condition; a loop whose body is impossible is run zero times.

use super::body::is_vague;
use super::{Checker, Known, Origin};
use crate::problem::{self, Place, Problem};
use crate::report::{Required, Requirement, Under, When};
use hashbrown::HashMap;
use kanshape::graph::{Graph, NodeId, Placed, Stated, ValueId};
use kanshape::syntax::tree::{CmpOp, Condition, Expr, Span, Spanned};
use kanshape::{Content, Contents, Dim, Dtype, Name, Type, Verdict, order};
use std::sync::Arc;

/// For more conditions of a body no sizes are looked for.
const SHOWN: usize = 20;

/// So deep in bodies, other bodies are tried again once more is known of what a choice gives.
const REFINED: usize = 3;

/// So often parts are tried, all together.
pub(super) const MOST_TRIED: usize = 2_000;

/// A body that may not be run.
#[derive(Clone)]
pub(super) struct Part {
    pub place: Place,
    pub origin: Origin,
    pub guard: Guard,
    /// The body that it stands in.
    pub parent: Option<usize>,
    /// The other branch.
    pub other: Option<usize>,
    /// The later iterations of a loop, of its first one.
    pub later: Option<usize>,
    /// Outputs of its node that are what these are if it is not run.
    pub unrun: Vec<(ValueId, ValueId)>,
    /// The graph without it and with it.
    pub before: Graph,
    pub after: Graph,
    /// Where its nodes are from.
    pub origins: Vec<Origin>,
    pub results: Vec<ValueId>,
    /// The outputs of its node, which are its results if it is run.
    pub outputs: Vec<ValueId>,
    pub is_open: bool,
    /// What it is given that has parts of which nothing is known, and which may be others each time.
    pub vague: Vec<(ValueId, Type)>,
}

/// A value with what it is called.
pub(super) type Called = (ValueId, String);

/// When a body is run.
#[derive(Clone, Debug)]
pub(super) enum Guard {
    /// When a value is true, or false.
    Branch {
        body: String,
        cond: Called,
        is: bool,
    },
    /// At least once, and as often as these say.
    Loop {
        body: String,
        when: When,
        limit: Option<Called>,
        cond: Option<Called>,
    },
    /// Once for each slice of these along an axis.
    Scan {
        body: String,
        scanned: Vec<(Called, usize)>,
    },
    /// In ways that can't be stated here.
    Other { body: String, when: When },
}

impl Guard {
    fn body(&self) -> &str {
        let (Guard::Branch { body, .. }
        | Guard::Loop { body, .. }
        | Guard::Scan { body, .. }
        | Guard::Other { body, .. }) = self;
        body
    }
}

/// What has come of the parts that stand in a graph.
#[derive(Default)]
pub(super) struct Settled {
    pub requirements: Vec<Requirement>,
    pub problems: Vec<Problem>,
    /// By the places of the values.
    pub types: HashMap<usize, Arc<Type>>,
    pub verdict: Option<Verdict>,
}

impl Settled {
    fn add(&mut self, other: Settled) {
        self.requirements.extend(other.requirements);
        self.problems.extend(other.problems);
        self.types.extend(other.types);
        if let Some(verdict) = other.verdict {
            self.judge(verdict);
        }
    }

    /// The verdict of one of several things all of which have to hold.
    fn judge(&mut self, verdict: Verdict) {
        let rank = |v: Verdict| match v {
            Verdict::Always => 0,
            Verdict::Depends => 1,
            Verdict::Unknown => 2,
            Verdict::Never => 3,
        };
        self.verdict = match self.verdict {
            Some(own) if rank(own) >= rank(verdict) => Some(own),
            _ => Some(verdict),
        };
    }
}

/// A graph in which parts stand: with the places where they do.
struct Standing {
    graph: Graph,
    origins: Vec<Origin>,
    /// Parts whose own parts stand in it; none is the model.
    parents: Vec<(Option<usize>, Option<Arc<Placed>>)>,
    under: Vec<Under>,
    /// Choices whose outputs may be one thing or another, and what stands here where theirs do: of what is required of
    /// these it matters which branch is run.
    also: Vec<(usize, Option<Arc<Placed>>)>,
    /// The parts of which it is certain whether they are run.
    decided: Vec<usize>,
}

impl Standing {
    /// Where a value of its first part is.
    fn placed(&self, value: ValueId) -> ValueId {
        let (_, placed) = &self.parents[0];
        At(placed.as_ref()).value(value)
    }
}

/// A part that has been put behind a graph.
struct Tried {
    /// What it would come to; `None` if it cannot be run.
    settled: Option<Settled>,
    /// What is wrong with it. Nothing if only its guard can't hold.
    problems: Vec<Problem>,
    types: HashMap<usize, Arc<Type>>,
    /// The graph with it, and its results there.
    graph: Option<(Graph, Vec<ValueId>)>,
}

impl<'c, 'a> Checker<'c, 'a> {
    /// Finds out what comes of all parts of the model.
    pub(super) fn settle_parts(&mut self) {
        if self.parts.iter().all(|part| !part.is_open) {
            return;
        }
        let mut standing = Standing {
            graph: self.graph.clone(),
            origins: std::mem::take(&mut self.origins),
            parents: vec![(None, None)],
            under: Vec::new(),
            also: Vec::new(),
            decided: Vec::new(),
        };
        let mut settled = self.settle(&mut standing);
        without_repetitions(&mut settled.requirements);
        self.graph = standing.graph;
        self.origins = standing.origins;
        for (parent, placed) in &standing.parents[1..] {
            for entry in &mut self.values {
                if let (Known::In(part, value), Some(placed)) = (entry.value, placed)
                    && Some(part as usize) == *parent
                {
                    entry.value = Known::Value(placed.value(value));
                }
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

    /// The same of the parts that stand in a graph. What follows for the graph is required of it.
    fn settle(&mut self, standing: &mut Standing) -> Settled {
        let mut refined: Vec<usize> = Vec::new();
        let mut certain = Settled::default();
        loop {
            let mut found = Settled::default();
            let mut is_changed = false;
            let given = self.given_in(standing);
            let mut names = standing.graph.clone();
            for i in 0..self.parts.len() {
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
                    if !refined.contains(&i) && self.refine(i, &tried, standing, placed.as_ref()) {
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
                self.exclude(&members, tried, standing, placed, &mut certain);
            }
            if !is_changed {
                certain.add(found);
                return certain;
            }
        }
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
        for (i, part) in self.parts.iter().enumerate().take(group) {
            let parent = standing.parents.iter().find(|own| own.0 == part.parent);
            let Some((_, placed)) = parent else { continue };
            let is_decided = standing.decided.contains(&i);
            let is_in = also.iter().any(|own| own.0 == i);
            if !part.is_open || part.other.is_none() || is_decided || is_in {
                continue;
            }
            let at = At(placed.as_ref());
            let mut outputs = part.outputs.iter().map(|value| graph.ty(at.value(*value)));
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

    /// The values that stand in a graph, with their places.
    fn entries_in(
        &self,
        parents: &[(Option<usize>, Option<Arc<Placed>>)],
    ) -> Vec<(usize, ValueId)> {
        let all = self.values.iter().enumerate();
        let found = all.filter_map(|(i, entry)| {
            let (own, value) = match entry.value {
                Known::Value(value) => (None, value),
                Known::In(part, value) => (Some(part as usize), value),
                Known::Fixed(_) => return None,
            };
            let (_, placed) = parents.iter().find(|parent| parent.0 == own)?;
            Some((i, placed.as_ref().map_or(value, |p| p.value(value))))
        });
        found.collect()
    }

    /// Puts a part behind the graph that it stands in.
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
        self.tries = self.tries.saturating_sub(1 + part.origins.len() / 64);
        let (node, _) = graph.add_unknown(&[], 0);
        origins.push(part.origin);
        let at = At(outer);
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
                    under: Vec::new(),
                    also: Vec::new(),
                    decided: Vec::new(),
                };
                self.given_in(&mut base)
            }
        };
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
        });
        let also = self.choices_before(index, standing, &under);
        let mut inside = Standing {
            graph,
            origins,
            parents: vec![(Some(index), Some(placed))],
            under,
            also,
            decided: Vec::new(),
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
        let guards = self.guard_types(&mut graph, &part.guard, true, At(None));
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
                holds,
                fails,
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
        let outputs: Vec<ValueId> = part.outputs.iter().map(|v| At(outer).value(*v)).collect();
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
        let at = At(outer.as_ref());
        let (node, _) = standing.graph.add_unknown(&[], 0);
        standing.origins.push(part.origin);
        if let Guard::Branch { .. } = part.guard {
            match can.iter().position(|can| *can) {
                Some(i) => self.run_always(members[i], node, standing, outer.clone(), certain),
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
        certain: &mut Settled,
    ) {
        let at = At(outer.as_ref());
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
        if let Guard::Branch { cond, is, .. } = &part.guard
            && !self.is_implied(before, (at.value(cond.0), *is), standing, &given)
        {
            require_text(format!("{} == {is}", cond.1), &part, standing, certain);
        }
    }

    /// Is a truth value known where the conditions hold that a graph has got?
    fn is_implied(
        &self,
        mut before: Graph,
        (cond, is): (ValueId, bool),
        standing: &mut Standing,
        given: &[Condition],
    ) -> bool {
        let mut conditions = self.given_in(standing);
        conditions.retain(|condition| {
            let mut is_known = true;
            condition.for_each_name(&mut |name| is_known &= self.dims.has(&Name::from(name)));
            is_known && !given.contains(condition)
        });
        let scalar = Type::tensor(Dtype::Bool, [] as [u64; 0]);
        let ty = scalar.with_conditions(conditions.into_iter().collect());
        before.value(&ty).is_ok() && is_truth(&before.ty(cond)) == Some(is)
    }

    fn when(&self, guard: &Guard) -> When {
        match guard {
            Guard::Branch { cond, is, .. } => When::Is(cond.1.clone(), *is),
            Guard::Scan { .. } => When::Each,
            Guard::Loop { when, .. } | Guard::Other { when, .. } => when.clone(),
        }
    }

    /// The node of a model that a node of one of its graphs is.
    fn place_among(&self, origins: &[Origin], node: NodeId) -> Option<Place> {
        self.place_at(*origins.get(node.index())?)
    }
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
fn require_text(text: String, part: &Part, standing: &Standing, settled: &mut Settled) {
    settled.judge(Verdict::Depends);
    settled.requirements.push(Requirement {
        condition: Required::Value(text),
        node: Some(part.place.clone()),
        others: Vec::new(),
        under: standing.under.clone(),
        demands: true,
        holds: None,
        fails: None,
    });
}

impl Guard {
    /// In which iteration of a loop, at the earliest.
    fn iteration(&self) -> u64 {
        match self {
            Guard::Loop {
                when: When::Later, ..
            } => 2,
            _ => 1,
        }
    }
}

impl<'c, 'a> Checker<'c, 'a> {
    /// What values have to be for a body to be run, or not to be run, as far as types can say it.
    fn guard_types(&self, graph: &mut Graph, guard: &Guard, is_run: bool, at: At<'_>) -> Guards {
        let mut all = Guards::new();
        let mut ty = |called: &Called| {
            let value = at.value(called.0);
            (value, self.known_outside(&graph.ty(value)))
        };
        match guard {
            Guard::Branch { cond, is, .. } => {
                let (value, ty) = ty(cond);
                all.extend(truth(&ty, *is == is_run).map(|ty| (value, ty)));
            }
            Guard::Loop { limit, cond, .. } => {
                let least = guard.iteration();
                let limit = limit.as_ref().map(&mut ty);
                let cond = cond.as_ref().map(&mut ty);
                let number = limit.as_ref().and_then(|(_, ty)| number(ty));
                let is_large = matches!(number, Some(Expr::Int(n)) if n >= least);
                // One of two may be what ends a loop: then no type says which.
                let limit_ends = match (&cond, least) {
                    (None, _) => true,
                    (Some((_, cond)), 1) => is_true(cond),
                    (Some(_), _) => false,
                };
                let cond_ends = least == 1 && (limit.is_none() || is_large);
                if let (Some((value, ty)), Some(e)) = (limit, number)
                    && (is_run || limit_ends)
                {
                    all.push((value, bounded(ty, e, is_run, least)));
                }
                if let Some((value, ty)) = cond.filter(|_| is_run || cond_ends) {
                    all.extend(truth(&ty, is_run).map(|ty| (value, ty)));
                }
            }
            Guard::Scan { scanned, .. } => {
                for (called, axis) in scanned {
                    let (value, ty) = ty(called);
                    if let Some(e) = size(&ty, *axis) {
                        all.push((value, bounded(ty, e, is_run, 1)));
                    }
                }
            }
            Guard::Other { .. } => {}
        }
        all
    }

    /// That a body is not run, where no type says so.
    fn not_run(&self, graph: &mut Graph, guard: &Guard, at: At<'_>) -> Option<String> {
        let mut ty = |called: &Called| self.known_outside(&graph.ty(at.value(called.0)));
        match guard {
            Guard::Branch { .. } => None,
            Guard::Loop { limit, cond, .. } => {
                let most = guard.iteration() - 1;
                let mut texts: Vec<String> = Vec::new();
                if let Some(limit) = limit {
                    let is_said = match number(&ty(limit)) {
                        Some(Expr::Int(n)) => n > most,
                        Some(_) => cond.is_none(),
                        None => false,
                    };
                    if !is_said {
                        texts.push(format!("{} <= {most}", limit.1));
                    }
                }
                if let Some(cond) = cond {
                    match most {
                        0 if is_true(&ty(cond)) => {}
                        0 => texts.push(format!("{} == false", cond.1)),
                        _ => texts.push("the body ends the loop the first time".into()),
                    }
                }
                (!texts.is_empty()).then(|| texts.join(" or "))
            }
            Guard::Scan { scanned, .. } => {
                let (called, axis) = scanned.first()?;
                let is_said = size(&ty(called), *axis).is_some();
                (!is_said).then(|| format!("{} has no slices", called.1))
            }
            Guard::Other { body, .. } => Some(format!("{body} is not run")),
        }
    }
}

/// Values with types that they have to have.
type Guards = Vec<(ValueId, Type)>;

/// Where values are.
#[derive(Clone, Copy)]
struct At<'p>(Option<&'p Arc<Placed>>);

impl At<'_> {
    fn value(self, value: ValueId) -> ValueId {
        self.0.map_or(value, |placed| placed.value(value))
    }
}

/// The type of which it is known that an expression is at least this, or less.
fn bounded(ty: Type, e: Expr, is_least: bool, least: u64) -> Type {
    let bound = match is_least {
        true => (CmpOp::Ge, Expr::Int(least)),
        false => (CmpOp::Le, Expr::Int(least - 1)),
    };
    let condition = Condition::Compare(e, vec![bound]);
    ty.with_conditions([condition].into_iter().collect())
}

/// A type of one truth value, with which it is.
fn truth(ty: &Type, is: bool) -> Option<Type> {
    let tensor = ty.as_tensor()?;
    let is_bool = tensor.dtype.known() == Some(Dtype::Bool);
    let is_one = tensor.shape.rank().is_some() && tensor.shape.iter().all(|d| d.size() == Some(1));
    let contents = Contents::new([Content::Bool(is)]);
    (is_bool && is_one).then(|| ty.clone().with_contents(contents))
}

/// Is a type that of one truth value that is known?
pub(super) fn is_truth(ty: &Type) -> Option<bool> {
    match ty.contents().map(Contents::as_slice)? {
        [Content::Bool(is)] => Some(*is),
        _ => None,
    }
}

fn is_true(ty: &Type) -> bool {
    is_truth(ty) == Some(true)
}

/// The number that a tensor is, as an expression, if something is known of it. A negative one is as good as 0.
pub(super) fn number(ty: &Type) -> Option<Expr> {
    match ty.contents().map(Contents::as_slice)? {
        [Content::Int(n)] => Some(Expr::Int(u64::try_from(*n).unwrap_or(0))),
        [Content::Name(name)] => Some(named(name)),
        [Content::Expr(e)] => Some((**e).clone()),
        _ => None,
    }
}

/// A dim of a tensor, as an expression.
pub(super) fn size(ty: &Type, axis: usize) -> Option<Expr> {
    let shape = &ty.as_tensor()?.shape;
    shape.rank()?;
    match shape.dims().get(axis)? {
        Dim::Size(n) => Some(Expr::Int(*n)),
        Dim::Name(name) => Some(named(name)),
        Dim::Expr(e) => Some((**e).clone()),
        Dim::Nominal(_) | Dim::Hole => None,
    }
}

fn named(name: &Name) -> Expr {
    Expr::Name(Spanned::new(name.as_str().into(), Span::default()))
}
