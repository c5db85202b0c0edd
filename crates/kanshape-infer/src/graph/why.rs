//! Nodes that cannot be: by themselves, or beside what other nodes require.

use super::apply::Added;
use super::cache::Why;
use super::call::PreparedCall;
use super::conditions::Stated;
use super::demand::origin_of;
use super::known::ValueState;
use super::{Graph, NodeId, Problem, ValueId, certain, problem};
use crate::explain::{Conflict, Slot, is_never};
use crate::limits::{COMMIT_STEPS, MAX_EXPLAINED, MAX_EXPLAINED_MEMBERS, MAX_WHY_CONDITIONS};
use crate::order::meet;
use crate::reify;
use crate::{AttrValue, Query};
use kanshape_engine::{Budget, Domain, Goal, Linear, State, Stop, assumptions};
use kanshape_rules::eval::Value;
use kanshape_types::Type;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Graph {
    /// States the rules of nodes that were calculated before all of their inputs was known, and decides suspended rules of which one
    /// combination of alternatives remains. A node that can't be is a problem.
    pub(super) fn state_rest(&mut self) {
        let is_at_rest = !self.may_learn() && !self.all.state.has_choices();
        // Why a node can't be is found out on the way, of the graph as it is.
        if is_at_rest || self.is_settling {
            return;
        }
        self.is_settling = true;
        self.settle_all();
        self.is_settling = false;
    }

    fn settle_all(&mut self) {
        let mut failed = FxHashSet::default();
        self.assumptions = assumptions();
        loop {
            let before = self.snapshot();
            let settled = self.settled().and_then(|()| self.settle_cases());
            self.note_assumed();
            let Err((node, stop)) = settled else {
                return;
            };
            self.restore(before);
            if !failed.insert(node) {
                // It is too much, and would be again.
                return;
            }
            self.partial.retain(|own| own.node() != node);
            self.all.state.drop_choices(origin_of(node));
            let Some(own) = self.nodes.get(node.index()) else {
                return;
            };
            let (inputs, Some(call)) = (own.inputs.clone(), own.call) else {
                return;
            };
            self.note_problem(
                Added {
                    node,
                    call,
                    inputs: &inputs,
                    bodies: &[],
                    declared: &[],
                },
                stop,
            );
        }
    }

    pub(super) fn settled(&mut self) -> Result<(), (NodeId, Stop)> {
        self.relearn(FxHashSet::default())?;
        if self.problems.is_empty() {
            self.commit_suspended(false)?;
            self.relearn(FxHashSet::default())?;
        }
        Ok(())
    }

    /// Restricts the user's sizes to what they are in some case of the choices that wait for them, where these cases are few.
    fn settle_cases(&mut self) -> Result<(), (NodeId, Stop)> {
        let users = reify::vars_of_users(&self.all.state, &self.all.given);
        for origin in self.all.state.choices_on(&|v| users.contains(&v)) {
            let own = self.all.state.with_choices_of(origin);
            let Some(cases) = reify::cases(&own).filter(|cases| !cases.is_empty()) else {
                continue;
            };
            let mut restricted = self.all.state.clone();
            let before = restricted.set_origin(origin);
            let restrict = |state: &mut State| {
                for v in &users {
                    let in_cases: Vec<Domain> = cases.iter().map(|case| case.domain(*v)).collect();
                    state.restrict(&Linear::var(*v), &Domain::hull(&in_cases))?;
                }
                state.settle(Goal::succeed(), &mut Budget::new(COMMIT_STEPS))
            };
            // Otherwise nothing is lost: the choice is suspended still.
            if restrict(&mut restricted).is_ok() {
                restricted.set_origin(before);
                self.all.state = restricted;
                self.relearn(FxHashSet::default())?;
            }
        }
        Ok(())
    }

    /// Have relations required more than has to hold, up to now?
    pub(super) fn note_assumed(&mut self) -> bool {
        self.assumed |= self.assumptions != assumptions();
        self.assumptions = assumptions();
        self.assumed
    }

    /// Is there no conflict in this graph if relations require nothing but what has to hold? Only where they have required more, it is
    /// found out: the graph is built again without that.
    pub(super) fn may_hold(&mut self, holds: impl FnOnce(&mut Graph) -> bool) -> bool {
        if self.all.state.is_exact() || !self.note_assumed() {
            return false;
        }
        let Some(left) = self.replays.checked_sub(1) else {
            return true;
        };
        self.replays = left;
        let mut exact = self.without_values();
        exact.all.state.be_exact();
        let nothing = exact.clone();
        match exact.extend(&nothing, self, None) {
            Ok(_) => holds(&mut exact),
            // It holds with more than that.
            Err(_) => true,
        }
    }

    /// A graph without values and nodes, to build this one again. Why a node can't be there is not found out.
    pub(super) fn without_values(&self) -> Graph {
        let cache = Arc::clone(&self.cache);
        Graph {
            types: self.types.clone(),
            nonempty: self.nonempty,
            explains: false,
            ..Graph::with_cache(cache, &self.labels, self.all.promotion)
        }
    }

    /// A node cannot be, or is too much. Of its outputs stays what is certain whatever of the conflict is wrong.
    pub(super) fn cannot_be(&mut self, added: Added<'_>, stop: Stop) {
        let prepared = Arc::clone(&self.cache.open().calls[added.call.0 as usize]);
        let count = prepared.written.outputs.iter().filter(|is| **is).count();
        let given_up = self.given_up.len();
        let outputs = self.note_problem(added, stop);
        if self.given_up.len() > given_up
            && let Some(ids) = self.apart_from_contents(added)
        {
            for id in ids {
                self.push_value(ValueState::Typed(id));
            }
            return;
        }
        self.push_certain(&outputs, count);
    }

    /// Returns what is certain of the outputs: empty if nothing is.
    fn note_problem(&mut self, added: Added<'_>, stop: Stop) -> Vec<Type> {
        let Added {
            node, call, inputs, ..
        } = added;
        let prepared = Arc::clone(&self.cache.open().calls[call.0 as usize]);
        let may_hold = |exact: &mut Graph| {
            // One that turns out later not to be is in the graph.
            if node.index() >= exact.nodes.len() {
                exact.apply(added);
            }
            exact.state_rest();
            exact.problems.iter().all(|problem| problem.node != node)
        };
        if stop != Stop::Conflict || self.may_hold(may_hold) {
            // Nothing wrong is known of it, and nothing else either.
            self.given_up.push_back(node);
            return Vec::new();
        }
        if !self.explains || !is_short(&prepared) {
            self.problems.push_back(Arc::new(Problem {
                node,
                diagnostic: match self.explains {
                    true => problem::too_long(&prepared.operator.full_name()),
                    false => problem::without_reason(),
                },
                facts: Vec::new(),
                context: Vec::new(),
            }));
            return Vec::new();
        }
        let types: Vec<Type> = {
            let mut reading = self.read();
            inputs.iter().map(|v| reading.ty(*v)).collect()
        };
        let key = (call, types);
        let known = self.cache.open().whys.get(&key).cloned();
        let by_itself = known.unwrap_or_else(|| {
            let why = by_itself(&prepared, &key.1);
            self.cache.open().whys.insert(key.clone(), why.clone());
            why
        });
        let types = key.1;
        let found = match by_itself {
            Some(why) => Some((why, Vec::new())),
            None => self.beside_others(&prepared, inputs, &types),
        };
        let (why, context) = found.unwrap_or_else(|| {
            let why = Why {
                diagnostic: problem::against_others(
                    &prepared.operator.full_name(),
                    &types,
                    &self.extremes(inputs),
                ),
                facts: Vec::new(),
                outputs: Vec::new(),
            };
            (why, Vec::new())
        });
        self.problems.push_back(Arc::new(Problem {
            node,
            diagnostic: why.diagnostic,
            facts: why.facts,
            context,
        }));
        why.outputs
    }

    /// What the members of each of these are at least and at most, where that is known and they themselves are not.
    fn extremes(&self, values: &[ValueId]) -> Vec<Option<(i64, i64)>> {
        let cache = self.cache.open();
        let of = |value: &ValueId| match &self.values[value.index()] {
            ValueState::Typed(id) => match cache.table.value(*id) {
                Value::Tensor(tensor) => {
                    let extremes = tensor.extremes?;
                    Some((extremes.least.int()?, extremes.greatest.int()?))
                }
                Value::Node(_) => None,
            },
            ValueState::Open(_) => None,
        };
        values.iter().map(of).collect()
    }

    /// Why a node can't be beside what has to hold already: which of its inputs' sizes, and what others require of them.
    fn beside_others(
        &mut self,
        prepared: &PreparedCall,
        inputs: &[ValueId],
        types: &[Type],
    ) -> Option<(Why, Vec<Stated>)> {
        if self.problems.len() >= MAX_EXPLAINED {
            return None;
        }
        let stated: Vec<Stated> = {
            let mut reading = self.read();
            // Conditions are stated about the sizes that have been written.
            inputs.iter().for_each(|v| drop(reading.shared(*v)));
            reading.conditions()
        };
        let mut query = prepared.query(types.to_vec()).ok()?;
        for one in stated.iter().take(MAX_WHY_CONDITIONS) {
            query = query.given(one.condition.clone());
        }
        if is_never(&query) != Some(true) {
            return None;
        }
        let (conflict, context) = in_context(&query, &stated)?;
        let why = Why {
            diagnostic: conflict.diagnostic,
            facts: conflict.facts,
            outputs: certain::outputs(&query),
        };
        Some((why, context))
    }

    /// Why a value can't have this type as well: a node that makes or takes it does not allow that, by itself or beside what has to
    /// hold already. `None` if no such node is found. [`Graph::assume`] says whether it can have the type; this takes a hundred times
    /// longer.
    ///
    /// ```
    /// use kanshape::{Relations, Type, graph::Graph};
    ///
    /// let relations = Relations::load_str("mine.kan", "op MatMul \"(m,n),(n,p)->(m,p)\"")?;
    /// let mut graph = Graph::new(&relations);
    /// let (x, w) = (graph.value(&"f32[2, 3]".parse()?)?, graph.value(&"f32[...]".parse()?)?);
    /// let matmul = relations.operator("MatMul", None)?;
    /// let (node, _) = graph.push(matmul.call([Type::UNKNOWN, Type::UNKNOWN]), &[x, w])?;
    /// let other: Type = "f32[4, 5]".parse()?;
    /// assert!(graph.assume(w, &other).is_err());
    /// let problem = graph.conflict(w, &other).ok_or("no node refuses it")?;
    /// assert_eq!(problem.node, node);
    /// assert_eq!(problem.facts[0].says, "input 0 is f32[2, 3]: its dim 1 is 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conflict(&self, value: ValueId, ty: &Type) -> Option<Problem> {
        if let Some(problem) = self.refusal(value, ty) {
            return Some(problem);
        }
        let mut graph = self.clone();
        let takes = |node: &NodeId| {
            let node = self.nodes.get(node.index());
            node.is_some_and(|node| node.bodies.is_none() && node.inputs.contains(&value))
        };
        let maker = self.maker(value).map(|(node, _)| node);
        let around = maker.into_iter().chain(self.nodes().filter(takes));
        let around: Vec<NodeId> = around.take(MAX_EXPLAINED).collect();
        for node in &around {
            let (query, _) = graph.around(*node, value, ty)?;
            if is_never(&query) == Some(true) {
                return Some(of_conflict(*node, query.conflict(), Vec::new()));
            }
        }
        around.iter().find_map(|node| {
            let (mut query, stated) = graph.around(*node, value, ty)?;
            for one in stated.iter().take(MAX_WHY_CONDITIONS) {
                query = query.given(one.condition.clone());
            }
            if is_never(&query) != Some(true) {
                return None;
            }
            let (conflict, context) = in_context(&query, &stated)?;
            Some(of_conflict(*node, conflict, context))
        })
    }

    /// The call of a node that makes or takes a value, were it of this type as well, and what has to hold.
    fn around(&mut self, node: NodeId, value: ValueId, ty: &Type) -> Option<(Query, Vec<Stated>)> {
        let own = self.nodes.get(node.index())?;
        let (inputs, prepared) = (own.inputs.clone(), own.call?);
        let prepared = Arc::clone(&self.cache.open().calls[prepared.0 as usize]);
        let output = self.maker(value).filter(|(maker, _)| *maker == node);
        let place = output.and_then(|(_, at)| prepared.output_places().nth(at));
        let mut reading = self.read();
        let types = inputs.iter().map(|input| {
            let own = reading.ty(*input);
            match *input == value {
                true => meet(&own, ty).unwrap_or_else(|_| ty.clone()),
                false => own,
            }
        });
        let types: Vec<Type> = types.collect();
        inputs.iter().for_each(|v| drop(reading.shared(*v)));
        let stated = reading.conditions();
        let query = prepared.query(types).ok()?;
        let query = match place {
            Some(place) => query.output(place, ty.clone()),
            None => query,
        };
        Some((query, stated))
    }

    /// Why the node that computes a value can't give it this type, as its inputs are now. `None` if its rule alone allows that, or if no
    /// node computes the value: then [`Graph::assume`] refuses the type because of other nodes, or of what is given.
    pub fn refusal(&self, value: ValueId, ty: &Type) -> Option<Problem> {
        let (node, output) = self.maker(value)?;
        let own = self.nodes.get(node.index())?;
        if own.bodies.is_some() {
            return None;
        }
        let prepared = Arc::clone(&self.cache.open().calls[own.call?.0 as usize]);
        let place = prepared.output_places().nth(output)?;
        let types = {
            let mut graph = self.clone();
            let mut reading = graph.read();
            own.inputs.iter().map(|v| reading.ty(*v)).collect()
        };
        let query = prepared.query(types).ok()?.output(place, ty.clone());
        if is_never(&query) != Some(true) {
            return None;
        }
        Some(of_conflict(node, query.conflict(), Vec::new()))
    }
}

/// Are the lists among the attributes of a call such as a reason can be found among, which takes many queries?
fn is_short(prepared: &PreparedCall) -> bool {
    let members = prepared.written.attrs.iter().map(|(_, value)| match value {
        AttrValue::List(all) => all.len(),
        AttrValue::Text(text) => text.len(),
        _ => 0,
    });
    members.sum::<usize>() <= MAX_EXPLAINED_MEMBERS
}

fn of_conflict(node: NodeId, conflict: Conflict, context: Vec<Stated>) -> Problem {
    Problem {
        node,
        diagnostic: conflict.diagnostic,
        facts: conflict.facts,
        context,
    }
}

/// The conflict of a query to which these conditions were given, with those that take part in it in the words of a graph.
fn in_context(query: &Query, stated: &[Stated]) -> Option<(Conflict, Vec<Stated>)> {
    let mut conflict = query.conflict();
    let mut context = Vec::new();
    for fact in &mut conflict.facts {
        let Slot::Given(i) = fact.slot else { continue };
        let one = stated.get(i)?;
        let before = std::mem::replace(
            &mut fact.says,
            match one.node {
                Some(_) => format!("another node requires that `{}`", one.condition),
                None => format!("it is given that `{}`", one.condition),
            },
        );
        conflict.diagnostic.steps.retain(|step| *step != before);
        conflict.diagnostic.steps.push(fact.says.clone());
        fact.slot = Slot::Given(context.len());
        context.push(one.clone());
    }
    Some((conflict, context))
}

/// Why a call can't be on inputs of these types, whatever else there is.
fn by_itself(prepared: &PreparedCall, types: &[Type]) -> Option<Why> {
    let query = prepared.query(types.to_vec()).ok()?;
    if is_never(&query) != Some(true) {
        return None;
    }
    let conflict = query.conflict();
    Some(Why {
        diagnostic: conflict.diagnostic,
        facts: conflict.facts,
        outputs: certain::outputs(&query),
    })
}
