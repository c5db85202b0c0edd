//! [`Uses`]: which nodes take a value.

use super::log::Log;
use super::operands::OwnBody;
use super::{Node, NodeId, ValueId};
use kanshape_engine::OrdSet;

/// Which nodes take a value. It is found when something is learned of a value that nodes have been calculated without; in most
/// graphs that is never.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    of: OrdSet<(ValueId, NodeId)>,
    /// How many nodes have been read.
    read: usize,
}

impl Uses {
    /// Reads the nodes that are new.
    pub(super) fn read(&mut self, nodes: &Log<Node>) {
        for i in self.read..nodes.len() {
            let node = &nodes[i];
            let bodies = node.bodies.iter().flat_map(|bodies| bodies.iter());
            let values = node.inputs.iter().copied();
            for value in values.chain(bodies.flat_map(OwnBody::values)) {
                self.of.insert((value, NodeId(i as u32)));
            }
        }
        self.read = self.read.max(nodes.len());
    }

    /// Forgets the last node, which takes these.
    pub(super) fn forget(&mut self, node: usize, taken: &[ValueId]) {
        if node < self.read {
            self.read = node;
            for value in taken {
                self.of.remove(&(*value, NodeId(node as u32)));
            }
        }
    }

    /// The nodes that take a value, of those that have been read, in their order.
    pub(super) fn of(&self, value: ValueId) -> impl Iterator<Item = NodeId> {
        let all = (value, NodeId(0))..=(value, NodeId(u32::MAX));
        self.of.range(all).map(|own| own.1)
    }
}
