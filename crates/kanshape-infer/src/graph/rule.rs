//! A rule in the store: where more than sizes is open, or where there is no one answer yet.

use super::apply::{Added, stopped};
use super::call::PreparedCall;
use super::demand::{node_of, origin_of};
use super::known::{self, ValueState};
use super::operands::OwnBody;
use super::table::TypeId;
use super::{Body, Graph, NodeId, ValueId};
use crate::limits::CHANGE_STEPS;
use crate::limits::{COMMIT_STEPS, MAX_COMMITS};
use kanshape_engine::{Budget, Goal, HashMap, State, Stop, Term, Var, Vector};
use kanshape_rules::encode::form;
use kanshape_rules::encode::{Identities, QueryVars};
use kanshape_rules::rules::Context;
use kanshape_types::Type;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a value was.
pub(super) struct Before {
    value: ValueId,
    pub term: Term,
    /// Something was known of the contents of its tensors, or nodes on it wait in the store until something is.
    had_contents: bool,
}

/// A value whose contents a suspended rule may find out later: nodes that take it were calculated without them.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The node that is reported where nothing can have these contents.
    node: NodeId,
    value: ValueId,
    term: Term,
}

impl Waiting {
    pub(super) fn new(node: NodeId, value: ValueId, term: Term) -> Waiting {
        Waiting { node, value, term }
    }
}

/// All of them, by what they wait for: only those are examined for which something has become known.
#[derive(Clone, Debug, Default)]
pub(super) struct WaitList {
    /// Those that have not been examined.
    new: Vector<Waiting>,
    /// Those of whose contents nothing is known, by the variable of these.
    unknown: HashMap<Var, Vector<Waiting>>,
    /// Those that have contents with members of which nothing is known yet.
    open: Vector<Waiting>,
    /// How many of the terms that the store has bound have been examined.
    seen: usize,
}

impl WaitList {
    pub(super) fn push(&mut self, waiting: Waiting) {
        self.new.push_back(waiting);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.new.is_empty() && self.unknown.is_empty() && self.open.is_empty()
    }

    /// Takes out those whose contents may have become known since the last time.
    fn take_bound(&mut self, state: &State) -> Vec<Waiting> {
        let mut bound: Vec<Waiting> = std::mem::take(&mut self.open).into_iter().collect();
        let mut rest: Vec<Waiting> = std::mem::take(&mut self.new).into_iter().collect();
        // The store may have gone back to what it was before.
        for v in state.bound_since(self.seen.min(state.bound_count())) {
            rest.extend(self.unknown.remove(&v).into_iter().flatten());
        }
        self.seen = state.bound_count();
        for waiting in rest {
            match known::unknown_contents(state, &waiting.term) {
                Some(v) => self.unknown.entry(v).or_default().push_back(waiting),
                None => bound.push(waiting),
            }
        }
        bound.sort_by_key(|waiting| (waiting.node, waiting.value));
        bound
    }
}

impl Graph {
    /// States the rule of a node's operator. What it can't say yet waits.
    pub(super) fn state_rule(&mut self, added: Added<'_>, types: &[TypeId]) {
        let Added {
            node,
            call,
            inputs,
            bodies,
            ..
        } = added;
        let prepared = Arc::clone(&self.cache.open().calls[call.0 as usize]);
        let before = self.mark();
        let posted = self.all.state.posted_count();
        let known = self
            .try_rule(node, &prepared, inputs, bodies)
            .and_then(|terms| {
                let known = terms.iter().map(|term| self.known_of(term.clone()));
                let known = known.collect::<Result<Vec<ValueState>, Stop>>()?;
                self.state_nonempty(&known)?;
                Ok((known, terms))
            });
        match known {
            Ok((known, terms)) => {
                let is_suspended = self.all.state.suspends_since(posted);
                if self.holds_since(posted) {
                    self.keep_solved(added, types, &known);
                }
                for (known, term) in known.into_iter().zip(terms) {
                    let value = self.push_value(known);
                    if is_suspended && !self.has_contents(&self.values[value.index()]) {
                        self.waiting.push(Waiting::new(node, value, term));
                    }
                }
            }
            Err(stop) => {
                self.back_to(before);
                self.cannot_be(added, stop);
            }
        }
    }

    /// Decides the suspended rules of which one combination of alternatives remains: among those with a constraint that has run
    /// since the last time, or among all.
    ///
    /// # Errors
    /// [`Stop::Conflict`] with the node whose rule can't hold.
    pub(super) fn commit_suspended(&mut self, all: bool) -> Result<(), (NodeId, Stop)> {
        let made = self
            .all
            .state
            .commit_choices(all, COMMIT_STEPS, MAX_COMMITS);
        made.map_err(|(origin, stop)| (node_of(origin).unwrap_or(NodeId(0)), stop))
    }

    /// Those of these values whose contents have become known.
    pub(super) fn learned(&mut self, changed: Vec<Before>) -> Result<FxHashSet<ValueId>, Stop> {
        let mut learned = FxHashSet::default();
        for before in changed {
            let value = before.value;
            if self.learn(before)? {
                learned.insert(value);
            }
        }
        Ok(learned)
    }

    /// States as rules the nodes that were calculated without what has become known: without the contents of these values, or of
    /// outputs whose rules were suspended, or without sizes. What follows for their outputs is learned in the same way.
    ///
    /// # Errors
    /// [`Stop`] with the node that can't be.
    pub(super) fn relearn(
        &mut self,
        mut learned: FxHashSet<ValueId>,
    ) -> Result<(), (NodeId, Stop)> {
        loop {
            self.restate_users(learned)?;
            self.state_partial()?;
            learned = self.learn_waiting()?;
            if learned.is_empty() {
                return Ok(());
            }
        }
    }

    /// States the rules of the nodes that use these values, and of those that use what is learned from them.
    fn restate_users(&mut self, learned: FxHashSet<ValueId>) -> Result<(), (NodeId, Stop)> {
        if learned.is_empty() {
            return Ok(());
        }
        self.uses.read(&self.nodes);
        let users = learned.iter().flat_map(|value| self.uses.of(*value));
        let mut users: BTreeSet<NodeId> = users.collect();
        while let Some(node) = users.pop_first() {
            let of_node = |stop| (node, stop);
            for before in self.restated(node).map_err(of_node)? {
                let value = before.value;
                if self.learn(before).map_err(of_node)? {
                    // Those of a body come before the node that has it.
                    users.extend(self.uses.of(value).filter(|user| *user > node));
                }
            }
        }
        Ok(())
    }

    /// The values whose contents suspended rules have found out.
    fn learn_waiting(&mut self) -> Result<FxHashSet<ValueId>, (NodeId, Stop)> {
        let mut learned = FxHashSet::default();
        for waiting in self.waiting.take_bound(&self.all.state) {
            let known = self.known_of(waiting.term.clone());
            let known = known.map_err(|stop| (waiting.node, stop))?;
            if !self.has_contents(&known) {
                match known::may_have_contents(&self.all.state, &waiting.term) {
                    true => self.waiting.open.push_back(waiting),
                    false => self.waiting.push(waiting),
                }
                continue;
            }
            match &self.values[waiting.value.index()] {
                ValueState::Typed(_) if self.has_contents(&self.values[waiting.value.index()]) => {}
                ValueState::Typed(_) => {
                    self.values.set(waiting.value.index(), known);
                    learned.insert(waiting.value);
                }
                ValueState::Open(_) => {
                    learned.insert(waiting.value);
                }
            }
        }
        Ok(learned)
    }

    /// States the rule of a node that has been calculated.
    pub(super) fn restate(&mut self, node: NodeId) -> Result<(), Stop> {
        self.restated(node).map(drop)
    }

    /// The same. Returns its outputs as terms.
    fn restated(&mut self, id: NodeId) -> Result<Vec<Before>, Stop> {
        let node = self.nodes[id.index()].clone();
        let is_problem = self.problems.iter().any(|problem| problem.node == id);
        let Some(call) = node.call.filter(|_| !is_problem) else {
            return Ok(Vec::new());
        };
        let prepared = Arc::clone(&self.cache.open().calls[call.0 as usize]);
        let bodies = node.bodies.iter().flat_map(|bodies| bodies.iter());
        let bodies: Vec<Body<'_>> = bodies.map(OwnBody::as_body).collect();
        self.state_for(Some(id));
        let mut outputs: Vec<Before> = Vec::with_capacity(node.outputs.len());
        for value in node.outputs.iter() {
            outputs.push(self.before(value)?);
        }
        let posted = self.all.state.posted_count();
        let found = self.try_rule(id, &prepared, &node.inputs, &bodies)?;
        for (own, found) in outputs.iter().zip(found) {
            let budget = &mut Budget::new(CHANGE_STEPS);
            self.all.state.unify(&own.term, &found, budget)?;
            self.all.state.settle(Goal::succeed(), budget)?;
        }
        let is_suspended = self.all.state.suspends_since(posted);
        for own in outputs.iter().filter(|own| !own.had_contents) {
            if is_suspended || known::may_have_contents(&self.all.state, &own.term) {
                self.waiting
                    .push(Waiting::new(id, own.value, own.term.clone()));
            }
        }
        self.state_for(None);
        Ok(outputs)
    }

    /// A value before something is learned of it.
    pub(super) fn before(&mut self, value: ValueId) -> Result<Before, Stop> {
        let term = self.term(value)?;
        let known = self.known_of(term.clone())?;
        let had_contents = match &self.values[value.index()] {
            ValueState::Typed(_) => self.has_contents(&self.values[value.index()]),
            ValueState::Open(_) => self.has_contents(&known),
        };
        Ok(Before {
            value,
            term,
            had_contents,
        })
    }

    fn has_contents(&self, known: &ValueState) -> bool {
        match known {
            ValueState::Typed(id) => self.cache.open().table.has_contents(*id),
            // No node has been calculated without them.
            ValueState::Open(_) => true,
        }
    }

    /// Notes a value if the contents of its tensors have become known, of which nothing was. Have they?
    fn learn(&mut self, before: Before) -> Result<bool, Stop> {
        let now = self.known_of(before.term)?;
        let is_learned = !before.had_contents && self.has_contents(&now);
        if is_learned {
            self.values.set(before.value.index(), now);
        }
        Ok(is_learned)
    }

    fn try_rule(
        &mut self,
        node: NodeId,
        prepared: &PreparedCall,
        inputs: &[ValueId],
        bodies: &[Body<'_>],
    ) -> Result<Vec<Term>, Stop> {
        self.solved += 1;
        let open = self.open_sizes(inputs);
        let was = self.domains(&open);
        let dtypes = self.open_dtypes(inputs);
        let mut types: Vec<Term> = Vec::with_capacity(inputs.len());
        for value in inputs {
            types.push(self.term(*value)?);
        }
        let subject = &*prepared.subject;
        let outputs: Vec<Term> = (0..subject.outputs)
            .map(|_| Term::Var(self.all.state.any()))
            .collect();
        types.extend(outputs.iter().cloned());
        let mut functions: Vec<(&str, Term)> = Vec::with_capacity(bodies.len());
        for body in bodies {
            functions.push((body.attr, self.function(body)?));
        }

        let library = &subject.library;
        let mut own = QueryVars::default();
        // A name in an attribute is that of the graph.
        let scope = match prepared.written.has_names() {
            true => &mut self.all.given,
            false => {
                own.operands.labels = self.labels.clone();
                &mut own
            }
        };
        let mut attrs = Vec::new();
        for rule in prepared.operator.parts().attrs.iter() {
            if let Some((_, function)) = functions.iter().find(|f| f.0 == &*rule.name) {
                attrs.push(function.clone());
                continue;
            }
            let value = rule.value_among(&subject.attrs);
            let term = scope.attribute(
                &mut self.all.state,
                &library.words,
                &rule.name,
                &rule.kind,
                value,
            );
            attrs.push(term.map_err(stopped)?);
        }
        scope.slots.clear();
        let context = Arc::new(Context {
            library: Arc::clone(library),
            promotion: self.all.promotion,
            identities: Identities::default(),
            texts: Arc::clone(&scope.texts),
        });
        let goal = self
            .all
            .call(&context, &subject.rule, &subject.args, &types, &[], &attrs);
        self.all
            .state
            .settle(goal, &mut Budget::new(CHANGE_STEPS))?;
        self.all
            .state
            .commit(origin_of(node), &mut Budget::new(COMMIT_STEPS))?;
        self.note_demands(node, &open, was);
        self.note_dtype_demands(&dtypes);
        let places = prepared.output_places();
        Ok(places.map(|place| outputs[place].clone()).collect())
    }

    /// A function as a term: the types of what it takes, and of what it gives.
    fn function(&mut self, body: &Body<'_>) -> Result<Term, Stop> {
        let mut parts: Vec<Term> = Vec::with_capacity(body.params.len() + 1);
        for value in body.params {
            parts.push(self.term(*value)?);
        }
        let mut results: Vec<Term> = Vec::with_capacity(body.results.len());
        for value in body.results {
            results.push(self.term(*value)?);
        }
        let tuple = self.labels.of(&Type::tuple([]));
        let function = self.labels.of(&Type::function([], Type::UNKNOWN));
        parts.push(match &results[..] {
            [one] => one.clone(),
            _ => form::node(&mut self.all.state, tuple, results),
        });
        Ok(form::node(&mut self.all.state, function, parts))
    }
}
