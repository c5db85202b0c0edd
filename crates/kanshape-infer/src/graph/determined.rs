//! Values that the user's sizes determine though no rule has calculated them: the elements of a range of `N` numbers, the dims of a shape
//! of length `N`.
//!
//! A node that takes such a value may fail for some sizes though no condition says so. It is checked with numbers in place of the user's
//! names: the node, and those that its inputs depend on, are added again to a graph of their own.

use super::known::{self, ValueState};
use super::{Graph, Node, NodeId, ValueId};
use crate::code;
use crate::limits::COST_OF_RULE;
use kanshape_engine::{Part, assumptions};
use kanshape_rules::encode::{What, tensor_parts};
use kanshape_syntax::tree::Condition;
use kanshape_types::{Dim, Dtype, Name, Shape, Tensor, Type};
use smallvec::SmallVec;
use std::sync::Arc;

/// How a value depends on the sizes of the user's names.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Dependence {
    /// Its contents are known, in terms of the names.
    Written,
    /// The sizes determine its contents or its rank, which are not known.
    Determined,
    /// Its contents do not depend on sizes alone.
    Free,
}

/// The nodes of a graph with inputs that sizes determine, and the nodes that make these inputs.
#[derive(Clone, Debug)]
pub(super) struct DeterminedPart {
    graph: Graph,
    /// The cost of adding its nodes again. The unit is a node that is calculated.
    pub(super) cost: usize,
}

impl Graph {
    /// The part of a graph that has to be checked with numbers. `None` if there is none.
    pub(super) fn determined_part(&mut self) -> Option<DeterminedPart> {
        // Otherwise nothing more can become known of a value.
        let waits = self.may_learn() || self.all.state.suspends_since(0);
        let mut users = self.all.given.names.iter();
        let has_sizes = users.any(|user| matches!(user.what, What::Size(_)));
        if !waits || !has_sizes || self.assumed {
            return None;
        }
        let (on, takers) = self.dependences();
        if takers.is_empty() {
            return None;
        }
        let mut is_kept = vec![false; self.nodes.len()];
        let mut is_typed = vec![false; self.nodes.len()];
        let mut todo = takers;
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut is_kept[id.index()], true) {
                continue;
            }
            for input in &self.nodes[id.index()].inputs {
                let Some((maker, _)) = self.giver(*input) else {
                    continue;
                };
                match on[input.index()] {
                    Dependence::Determined => todo.push(maker),
                    Dependence::Written | Dependence::Free => is_typed[maker.index()] = true,
                }
            }
        }
        let mut graph = self.clone();
        let mut cost = self.nodes.len() / 8;
        let mut typed: Vec<ValueId> = Vec::new();
        for (i, is_kept) in is_kept.iter().enumerate() {
            let outputs = self.nodes[i].outputs;
            if *is_kept {
                let is_solved = outputs.iter().any(|v| self.is_open(v));
                cost += 1 + COST_OF_RULE * usize::from(is_solved);
            } else if is_typed[i] {
                typed.extend(outputs.iter());
            }
        }
        let mut types = graph.types(&typed).into_iter();
        for (i, _) in is_kept.iter().enumerate().filter(|(_, is_kept)| !**is_kept) {
            let outputs = self.nodes[i].outputs;
            let known = outputs.iter().map(|_| match is_typed[i] {
                true => types.next().map(Arc::unwrap_or_clone).unwrap_or_default(),
                false => Type::UNKNOWN,
            });
            let node = Node {
                call: None,
                inputs: SmallVec::new(),
                outputs,
                bodies: None,
                types: known.collect(),
            };
            graph.nodes.set(i, node);
        }
        Some(DeterminedPart { graph, cost })
    }

    /// How each value depends on sizes, and the nodes with an input that sizes determine.
    fn dependences(&mut self) -> (Vec<Dependence>, Vec<NodeId>) {
        let mut on: Vec<Dependence> = Vec::with_capacity(self.values.len());
        for i in 0..self.values.len() {
            on.push(match self.is_written(i) {
                true => Dependence::Written,
                false => Dependence::Free,
            });
        }
        let mut takers = Vec::new();
        for i in 0..self.nodes.len() {
            let node = &self.nodes[i];
            let is_followed = node.call.is_some() && node.bodies.is_none();
            let of = |value: &ValueId| on[value.index()];
            let is_free = node.inputs.iter().any(|v| of(v) == Dependence::Free);
            let takes = node.inputs.iter().any(|v| of(v) == Dependence::Determined);
            if takes && is_followed {
                takers.push(NodeId(i as u32));
            }
            for output in node.outputs.iter() {
                let is_determined = is_followed
                    && on[output.index()] == Dependence::Free
                    && !is_free
                    && node.inputs.iter().any(|v| self.has_names(*v));
                if is_determined || self.has_open_rank(output) {
                    on[output.index()] = Dependence::Determined;
                }
            }
        }
        (on, takers)
    }

    /// Is it known what is in a value?
    fn is_written(&mut self, value: usize) -> bool {
        let known = match self.values[value].clone() {
            ValueState::Open(term) if known::may_have_contents(&self.all.state, &term) => {
                self.known_of(*term).ok()
            }
            ValueState::Open(_) => None,
            typed => Some(typed),
        };
        match known {
            Some(ValueState::Typed(id)) => self.cache.open().table.has_contents(id),
            Some(ValueState::Open(_)) | None => false,
        }
    }

    /// Is a dim or an element of a value no number?
    fn has_names(&self, value: ValueId) -> bool {
        match &self.values[value.index()] {
            ValueState::Typed(id) => self.cache.open().table.is_open(*id),
            ValueState::Open(_) => true,
        }
    }

    fn is_open(&self, value: ValueId) -> bool {
        matches!(self.values[value.index()], ValueState::Open(_))
    }

    fn has_open_rank(&self, value: ValueId) -> bool {
        let ValueState::Open(term) = &self.values[value.index()] else {
            return false;
        };
        let state = &self.all.state;
        let is_run = |part: &Part| matches!(part, Part::Run(_));
        match tensor_parts(state, &state.walk(term)) {
            Some((_, shape, _)) => state.parts(&shape).iter().any(is_run),
            None => true,
        }
    }
}

impl DeterminedPart {
    /// Does a node fail if each of these names has the size that its condition states?
    pub(super) fn fails_with(&self, sizes: &[(Name, Condition)]) -> bool {
        let before = assumptions();
        let mut own = self.graph.without_values();
        // A conflict with more than has to hold is none.
        own.replays = 0;
        let nothing = own.clone();
        let fixed = sizes.iter().try_for_each(|(name, size)| {
            let ty = Type::from(Tensor::new(
                Dtype::Bool,
                Shape::known([Dim::Name(name.clone())]),
            ));
            let ty = ty.with_conditions([size.clone()].into_iter().collect());
            own.value(&ty).map(drop)
        });
        let built = fixed.and_then(|()| own.extend(&nothing, &self.graph, None));
        own.state_rest();
        let fails = match built {
            Ok(_) => !own.problems.is_empty(),
            // What the user states of a value can't be beside the nodes.
            Err(diagnostic) => diagnostic.code == code::NEVER,
        };
        fails && before == assumptions()
    }
}
