//! Parts of a graph that hold only under a condition: a branch of a choice, the body of a loop.
//!
//! Such a part is a clone of the graph to which nodes were added: a hypothesis. What is learned of the graph later has
//! to hold in it too. So its additions are put behind the later graph again ([`Graph::extend`]), and the part requires
//! what the extended graph requires beyond the other one ([`Reading::beyond`]).

use super::conditions::Stated;
use super::facts::Facts;
use super::known::ValueState;
use super::reading::Reading;
use super::{Assumption, Body, Graph, Node, NodeId, Outputs, Problem, Refused, ValueId};
use crate::Verdict;
use crate::limits::CHANGE_STEPS;
use crate::limits::POSSIBLE_STEPS;
use kanshape_diag::Diagnostic;
use kanshape_engine::{Budget, Part, Var, satisfiable, since};
use kanshape_rules::encode::{What, tensor_parts};
use kanshape_syntax::tree::Condition;
use kanshape_types::Type;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where the additions of one graph are in another one.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// The number of the first value and of the first node that were added.
    first: (usize, usize),
    values: Vec<ValueId>,
    nodes: Vec<NodeId>,
    /// What was before them stands where this says.
    outer: Option<Arc<Placed>>,
}

impl Placed {
    /// The value that a value is.
    pub fn value(&self, value: ValueId) -> ValueId {
        match value.index().checked_sub(self.first.0) {
            Some(i) => self.values.get(i).copied().unwrap_or(value),
            None => self.outer.as_ref().map_or(value, |o| o.value(value)),
        }
    }

    /// The node that a node is.
    pub fn node(&self, node: NodeId) -> NodeId {
        match node.index().checked_sub(self.first.1) {
            Some(i) => self.nodes.get(i).copied().unwrap_or(node),
            None => self.outer.as_ref().map_or(node, |o| o.node(node)),
        }
    }
}

/// What a graph requires beyond another one: [`Reading::beyond`].
#[derive(Clone, Debug, PartialEq)]
pub struct Beyond {
    /// The conditions.
    pub stated: Vec<Stated>,
    /// Do they hold where the other graph does?
    pub verdict: Verdict,
}

impl Graph {
    /// Adds what `after` has beyond `before`, of which it is an extension. What is in `before` stands in this graph
    /// where `outer` says; without it this graph is an extension of `before` as well. All are clones of one graph.
    ///
    /// # Errors
    /// The first type of a value that can't be. Nodes that can't be are [`Graph::problems`].
    pub(super) fn extend(
        &mut self,
        before: &Graph,
        after: &Graph,
        outer: Option<&Arc<Placed>>,
    ) -> Result<Placed, Diagnostic> {
        let mut placed = Placed {
            first: (before.values.len(), before.nodes.len()),
            outer: outer.cloned(),
            ..Placed::default()
        };
        let mut made: FxHashMap<ValueId, &Type> = FxHashMap::default();
        let mut like: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        for given in since(&after.given, before.given.len()) {
            match given {
                Assumption::Made(value, ty) => {
                    made.insert(*value, ty);
                }
                Assumption::Like(value, of) => {
                    like.insert(*value, *of);
                }
                Assumption::Type(..) | Assumption::Same(..) => {}
            }
        }
        let (mut value, mut node) = placed.first;
        loop {
            while let Some(own) = after.nodes.get(node)
                && own.outputs.first as usize <= value
            {
                let (id, outputs) = self.add_again(own, &placed);
                placed.nodes.push(id);
                placed.values.extend(outputs.iter());
                value += own.outputs.len();
                if own.call.is_none() {
                    // Its problem is recorded in `after`, and is not found again here.
                    let own = after.problems.iter().find(|p| p.node.index() == node);
                    if let Some(problem) = own {
                        self.refute(id, problem.diagnostic.clone());
                    }
                }
                node += 1;
            }
            let Some(known) = after.values.get(value) else {
                break;
            };
            let own = ValueId(value as u32);
            if let Some(of) = like.get(&own) {
                let of = placed.value(*of);
                let new = self.alike(of).unwrap_or_else(|| self.unknown());
                placed.values.push(new);
                value += 1;
                continue;
            }
            let known = match (made.get(&own), known) {
                (Some(ty), _) => self.value(ty)?,
                (None, ValueState::Typed(id)) if !self.cache.open().table.is_open(*id) => {
                    self.push_value(ValueState::Typed(*id))
                }
                (None, _) => self.unknown(),
            };
            placed.values.push(known);
            value += 1;
        }
        self.hold_again(before, after, &placed)?;
        Ok(placed)
    }

    /// States what was assumed of values of `after` since it was `before`.
    fn hold_again(
        &mut self,
        before: &Graph,
        after: &Graph,
        placed: &Placed,
    ) -> Result<(), Diagnostic> {
        for given in since(&after.given, before.given.len()) {
            match given {
                Assumption::Made(..) | Assumption::Like(..) => {}
                Assumption::Type(value, ty) => {
                    let made = self.assume(placed.value(*value), ty);
                    self.assumed(made)?;
                }
                Assumption::Same(a, b) => {
                    let made = self.equate(placed.value(*a), placed.value(*b));
                    self.assumed(made)?;
                }
            }
        }
        let conflict = |conflict: Refused| *conflict.diagnostic;
        for (node, given) in since(&after.required, before.required.len()) {
            let node = placed.node(*node);
            match given {
                Assumption::Made(value, ty) | Assumption::Type(value, ty) => {
                    let value = placed.value(*value);
                    self.require(node, value, ty).map_err(conflict)?;
                }
                Assumption::Same(a, b) | Assumption::Like(a, b) => {
                    let (a, b) = (placed.value(*a), placed.value(*b));
                    self.require_same(node, a, b).map_err(conflict)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a node of another graph.
    fn add_again(&mut self, node: &Node, placed: &Placed) -> (NodeId, Outputs) {
        let all = |values: &[ValueId]| -> Vec<ValueId> {
            values.iter().map(|value| placed.value(*value)).collect()
        };
        let inputs = all(&node.inputs);
        let Some(call) = node.call else {
            return self.add_typed(&inputs, &node.types);
        };
        let own = node.bodies.iter().flat_map(|bodies| bodies.iter());
        let parts: Vec<[Vec<ValueId>; 2]> = own
            .clone()
            .map(|body| [all(body.as_body().params), all(body.as_body().results)])
            .collect();
        let bodies = own.zip(&parts).map(|(body, [params, results])| Body {
            attr: body.as_body().attr,
            params,
            results,
        });
        self.add_with_bodies(call, &inputs, &bodies.collect::<Vec<_>>())
    }

    /// Adds a node of which nothing is known but the types of its outputs.
    pub fn add_typed(&mut self, inputs: &[ValueId], types: &[Type]) -> (NodeId, Outputs) {
        let node = NodeId(self.nodes.len() as u32);
        let first = self.values.len() as u32;
        let (sizes, was) = self.user_sizes();
        self.state_for(Some(node));
        for ty in types {
            let before = self.mark();
            let known = match ty.is_unknown() {
                true => None,
                false => self.posted(ty).ok().and_then(|term| {
                    self.all
                        .state
                        .propagate(&mut Budget::new(CHANGE_STEPS))
                        .ok()?;
                    let known = self.known_of(term).ok()?;
                    self.state_nonempty([&known]).ok()?;
                    Some(known)
                }),
            };
            match known {
                Some(known) => drop(self.push_value(known)),
                None => {
                    self.back_to(before);
                    self.state_for(Some(node));
                    self.unknown();
                }
            }
        }
        self.state_for(None);
        self.note_demands(node, &sizes, was);
        let outputs = Outputs {
            first,
            count: types.len() as u32,
        };
        self.nodes.push(Node {
            call: None,
            inputs: inputs.into(),
            outputs,
            bodies: None,
            types: types.into(),
        });
        (node, outputs)
    }

    /// From now on a node cannot be, for a reason that is not in its operator.
    pub(super) fn refute(&mut self, node: NodeId, diagnostic: Diagnostic) {
        self.problems.push_back(Arc::new(Problem {
            node,
            diagnostic,
            facts: Vec::new(),
            context: Vec::new(),
        }));
    }

    /// A node requires that a value has this type as well. Other than with [`Graph::assume`], it is no statement of the user: it is a
    /// condition of the graph. Where it is too much to find out whether the value can have it, the verdict of the graph is
    /// unknown.
    ///
    /// # Errors
    /// A [`Refused`] if it can't have it. The graph is then as it was before.
    pub fn require(&mut self, node: NodeId, value: ValueId, ty: &Type) -> Result<(), Refused> {
        self.requiring(node, Assumption::Type(value, ty.clone()), |graph| {
            graph.assume(value, ty)
        })
    }

    /// A node requires that two values have the same type. Where it is too much to find out whether they can, the verdict of the
    /// graph is unknown.
    ///
    /// # Errors
    /// A [`Refused`] if they can't. The graph is then as it was before.
    pub fn require_same(&mut self, node: NodeId, a: ValueId, b: ValueId) -> Result<(), Refused> {
        self.requiring(node, Assumption::Same(a, b), |graph| graph.equate(a, b))
    }

    fn requiring(
        &mut self,
        node: NodeId,
        what: Assumption,
        make: impl FnOnce(&mut Graph) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let given = self.given.clone();
        let (sizes, was) = self.user_sizes();
        self.state_for(Some(node));
        let made = make(self);
        self.state_for(None);
        match &made {
            Ok(()) => {
                self.given = given;
                self.required.push_back((node, what));
                self.note_demands(node, &sizes, was);
            }
            // It may well be.
            Err(conflict) if conflict.is_undecided() => {
                self.given_up.push_back(node);
                return Ok(());
            }
            Err(_) => {}
        }
        made
    }

    /// What was assumed inside of a part: that it was too much to find out is no reason against the part.
    fn assumed(&mut self, made: Result<(), Refused>) -> Result<(), Diagnostic> {
        match made {
            Err(conflict) if conflict.is_undecided() => {
                let last = self.nodes.len().saturating_sub(1);
                self.given_up.push_back(NodeId(last as u32));
                Ok(())
            }
            made => made.map_err(|conflict| *conflict.diagnostic),
        }
    }

    /// The sizes that the user has named, and what they can be.
    fn user_sizes(&self) -> (Vec<Var>, Vec<kanshape_engine::Domain>) {
        let sizes = self
            .all
            .given
            .names
            .iter()
            .filter_map(|user| match user.what {
                What::Size(v) => Some(v),
                _ => None,
            });
        let sizes: Vec<Var> = sizes.collect();
        let was = self.domains(&sizes);
        (sizes, was)
    }

    /// Values that have to have the same type, though no node says so.
    pub(super) fn equated(&self) -> impl Iterator<Item = (ValueId, ValueId)> {
        let required = self.required.iter().map(|(_, given)| given);
        let all = self.given.iter().chain(required);
        all.filter_map(|given| match given {
            Assumption::Same(a, b) => Some((*a, *b)),
            Assumption::Made(..) | Assumption::Type(..) | Assumption::Like(..) => None,
        })
    }

    /// Has nothing been found that contradicts the graph?
    pub fn is_possible(&mut self) -> bool {
        self.state_rest();
        let budget = &mut Budget::new(POSSIBLE_STEPS);
        let is_refuted = !self.assumed && matches!(satisfiable(&self.all.state, budget), Ok(false));
        self.problems.is_empty() && !is_refuted
    }

    /// Is this graph, to which nodes were added since it was `before`, more than that with additions? Then something
    /// is required of what was open there, or may be once more is known of it.
    pub fn asks_beyond(&self, before: &Graph) -> bool {
        let is_new = |node: NodeId| node.index() >= before.nodes.len();
        self.demands.len() > before.demands.len()
            || self.dtype_demands > before.dtype_demands
            || self.all.state.posted_count() > before.all.state.posted_count()
            || self.problems.len() > before.problems.len()
            || self.given_up.len() > before.given_up.len()
            || self.required.len() > before.required.len()
            || self.partial.iter().any(|partial| is_new(partial.node()))
    }

    /// Are the dims of a value determined by what was open in `before`, a graph that this one extends? Otherwise some of them are unknowns
    /// that were made since: where what was added is run again, they may be others.
    pub fn is_determined_by(&self, before: &Graph, value: ValueId) -> bool {
        if self.known(value).is_some() {
            return true;
        }
        let mut graph = self.clone();
        let Ok(term) = graph.term(value) else {
            return false;
        };
        let state = &graph.all.state;
        let Some((_, shape, _)) = tensor_parts(state, &term) else {
            return false;
        };
        let is_old = |v: Var| v.index() < before.all.state.var_count();
        state.parts(&shape).iter().all(|part| match part {
            Part::Run(v) => is_old(*v),
            Part::One(form) => form.vars().all(|v| state.is_determined(v, &is_old)),
        })
    }

    /// Names that are made up here from now on are none that `other` has made up, unless it is of the same size.
    pub fn name_after(&mut self, other: &Graph) {
        self.fresh.name_after(&other.fresh);
    }
}

impl Reading<'_> {
    /// What has to hold beyond what does already: beyond these conditions, all of a graph that this one extends.
    pub fn beyond(&mut self, given: &[Condition]) -> Beyond {
        let mut stated = self.conditions();
        let facts = Facts::new(given, self.all.promotion);
        stated.retain(|one| !facts.imply(&one.condition, &[]));
        let verdict = self.verdict_beyond(given);
        Beyond { stated, verdict }
    }
}
