//! What nodes require of unknowns that are older than they are, recorded so that a condition can be reported with its node.

use super::known::{self, ValueState};
use super::{Demand, Graph, NodeId, ValueId};
use kanshape_engine::{Domain, Linear, State, Var, Vector};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;

impl Graph {
    /// What these can be now.
    pub(super) fn domains(&self, vars: &[Var]) -> Vec<Domain> {
        vars.iter().map(|v| self.all.state.domain(*v)).collect()
    }

    /// A node has required something of each of these that is not what it was.
    pub(super) fn note_demands(&mut self, node: NodeId, vars: &[Var], was: Vec<Domain>) {
        for (v, was) in vars.iter().zip(was) {
            let own = Linear::var(*v);
            let now = self.all.state.resolve(&own).ok().filter(|l| *l != own);
            if now.is_some() || self.all.state.domain(*v) != was {
                self.demands.push_back(Demand {
                    node: Some(node),
                    of: *v,
                    parts: now.map(|l| self.all.state.open_vars_of(&l).into()),
                });
            }
        }
    }

    /// The dtypes of these values that are not known, with what they can be; of values of which more is open, none.
    pub(super) fn open_dtypes(&self, values: &[ValueId]) -> SmallVec<[(Var, u64); 4]> {
        let cache = self.cache.open();
        let mut found = SmallVec::new();
        for value in values {
            if let ValueState::Typed(id) = self.values[value.index()]
                && cache.table.is_open(id)
            {
                known::open_dtypes(&self.sizes, cache.table.value(id), &mut |v| {
                    found.push((self.all.state.root(v), self.all.state.mask(v)));
                });
            }
        }
        found
    }

    /// Counts a demand of a node if one of these dtypes is not what it was.
    pub(super) fn note_dtype_demands(&mut self, was: &[(Var, u64)]) {
        let is_other = |(v, mask): &(Var, u64)| {
            self.all.state.root(*v) != *v || self.all.state.mask(*v) != *mask
        };
        self.dtype_demands += u32::from(was.iter().any(is_other));
    }

    /// From now on what is stated comes with a node, or with none.
    pub(super) fn state_for(&mut self, node: Option<NodeId>) {
        self.all.state.set_origin(node.map_or(0, origin_of));
    }
}

/// What nodes require of sizes, by the sizes.
#[derive(Debug)]
pub(super) struct Demands<'g> {
    all: &'g Vector<Demand>,
    of: FxHashMap<Var, Vec<usize>>,
    /// By what the sizes have come to be.
    same: FxHashMap<Linear, Vec<usize>>,
}

impl<'g> Demands<'g> {
    pub(super) fn new(state: &State, all: &'g Vector<Demand>) -> Demands<'g> {
        let mut demands = Demands {
            all,
            of: FxHashMap::default(),
            same: FxHashMap::default(),
        };
        for (i, demand) in all.iter().enumerate() {
            demands.of.entry(demand.of).or_default().push(i);
            if let Ok(now) = state.resolve(&Linear::var(demand.of)) {
                demands.same.entry(now).or_default().push(i);
            }
        }
        demands
    }

    /// The node that leaves nothing open of a size: the last one that fixes a part of what it has come to be made of. None if it
    /// is open still, or has been fixed by no node.
    pub(super) fn fixed_by(&self, v: Var) -> Option<NodeId> {
        let mut seen: FxHashSet<Var> = FxHashSet::default();
        let mut parts = vec![(v, 0)];
        let mut last = None;
        while let Some((part, from)) = parts.pop() {
            if !seen.insert(part) {
                continue;
            }
            let mut own = self.of.get(&part)?.iter().filter(|i| **i >= from);
            let (i, made_of) = own.find_map(|i| Some((*i, self.all[*i].parts.as_ref()?)))?;
            last = last.max(Some(i));
            parts.extend(made_of.iter().map(|part| (*part, i + 1)));
        }
        self.all[last?].node
    }

    /// The nodes that require something of a size, in their order.
    pub(super) fn of(&self, v: Var) -> impl Iterator<Item = NodeId> {
        let own = self.of.get(&v).into_iter().flatten();
        own.filter_map(|i| self.all[*i].node)
    }

    /// The nodes that require something of a size, or of one that has come to be the same, in their order.
    pub(super) fn on(&self, state: &State, v: Var) -> impl DoubleEndedIterator<Item = NodeId> {
        let now = state.resolve(&Linear::var(v)).ok();
        let same = now
            .and_then(|now| self.same.get(&now))
            .into_iter()
            .flatten();
        let own = self.of.get(&v).into_iter().flatten();
        let all: BTreeSet<usize> = own.chain(same).copied().collect();
        all.into_iter().filter_map(|i| self.all[i].node)
    }
}

/// What comes with a node has this origin in the store.
pub(super) fn origin_of(node: NodeId) -> u32 {
    node.0 + 1
}

/// The node that something in the store came with.
pub(super) fn node_of(origin: u32) -> Option<NodeId> {
    origin.checked_sub(1).map(NodeId)
}
