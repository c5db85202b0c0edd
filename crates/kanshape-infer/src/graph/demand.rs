//! What nodes ask of what was open before them, noted so that a condition can be told with its node.

use super::{Demand, Graph, NodeId, Posted};
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

    /// The constraints from a place on came with a node.
    pub(super) fn note_posted(&mut self, from: usize, node: NodeId, demands: bool) {
        let to = self.state.posted_count();
        if to > from {
            self.posted.push_back(Posted {
                from,
                to,
                node: Some(node),
                demands,
            });
        }
    }
}
