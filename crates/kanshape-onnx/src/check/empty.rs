//! Sequences that are empty.
//!
//! The type of a sequence says what is known of all of its members. Of an empty one that could be anything, and its own
//! rule says nothing of it. So it is noted here which values are empty: what is put into one of these is all that there
//! is in it then, and a loop that begins with one hands on what its body makes of it.

use super::{Around, Checker};
use crate::graph::Graph;
use kanshape::Type;
use kanshape::graph::ValueId;

impl<'c, 'a> Checker<'c, 'a> {
    /// A node that makes an empty sequence.
    pub(super) fn add_empty(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        op: u32,
        around: Around<'_, 'a>,
    ) {
        self.add_call(graph, index, op, around);
        let made = graph.outputs_of(&graph.nodes[index as usize]).first();
        self.empty
            .extend(made.and_then(|symbol| self.scope.get(*symbol)));
    }

    /// A node that puts something into a sequence.
    pub(super) fn add_insert(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        op: u32,
        around: Around<'_, 'a>,
    ) {
        let inputs = graph.inputs_of(&graph.nodes[index as usize]);
        let values = self.inputs(graph, index, inputs, around);
        let is_first = match values[..] {
            [sequence, tensor, ..] if self.empty.contains(&sequence) => {
                self.add_first(graph, index, [sequence, tensor], around)
            }
            _ => false,
        };
        if !is_first {
            self.add_call(graph, index, op, around);
        }
    }

    /// What is put into an empty sequence makes one of itself. Says whether it can: another dtype is a mistake, about
    /// which the rule of the operator itself has more to say.
    fn add_first(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        [sequence, tensor]: [ValueId; 2],
        around: Around<'_, 'a>,
    ) -> bool {
        let construct = self.calls.construct();
        let call = construct
            .and_then(|operator| self.graph.call(&operator, vec![], &[true], &[true]).ok());
        let Some(call) = call else {
            return false;
        };
        // Its dtype is known even where it is empty.
        let types = self.types([&sequence, &tensor].into_iter());
        let member = types[0].parts().next().and_then(Type::as_tensor);
        let dtypes = [member, types[1].as_tensor()].map(|tensor| tensor?.dtype.known());
        if dtypes[0].is_none() || dtypes[0] != dtypes[1] {
            return false;
        }
        let (_, outputs) = self.graph.add(call, &[tensor]);
        self.origin(&graph.nodes[index as usize], index, around);
        self.bind_outputs(graph, index, outputs, around);
        true
    }

    /// What a loop that begins with an empty sequence is given in its other turns: what its body makes of it, if that is
    /// a sequence with something in it.
    pub(super) fn filled(&self, given: ValueId, back: ValueId, ty: &Type) -> Option<Type> {
        let is_filled = self.empty.contains(&given) && !self.empty.contains(&back);
        is_filled.then(|| self.known_outside(ty))
    }

    /// Values that have been taken back are not empty any more.
    pub(super) fn forget_empty(&mut self) {
        let count = self.graph.value_count();
        self.empty.retain(|value| value.index() < count);
    }
}
