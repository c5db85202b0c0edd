//! What nodes require of unknowns that are older than they are, recorded so that a condition can be reported with its node.

use super::{Demand, Graph, NodeId};
use kanshape_engine::{Domain, Linear, Var};

impl Graph {
    /// What these can be now.
    pub(super) fn domains(&self, vars: &[Var]) -> Vec<Domain> {
        vars.iter().map(|v| self.state.domain(*v)).collect()
    }

    /// A node has asked something of each of these that is not what it was.
    pub(super) fn note_demands(&mut self, node: NodeId, vars: &[Var], was: Vec<Domain>) {
        for (v, was) in vars.iter().zip(was) {
            let now = Linear::var(*v);
            let is_other = self.state.resolve(&now).is_ok_and(|l| l != now);
            if is_other || self.state.domain(*v) != was {
                self.demands.push_back(Demand {
                    node: Some(node),
                    of: *v,
                });
            }
        }
    }

    /// From now on what is stated comes with a node, or with none.
    pub(super) fn state_for(&mut self, node: Option<NodeId>) {
        self.state.set_origin(node.map_or(0, origin_of));
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
