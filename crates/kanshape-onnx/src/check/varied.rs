//! Outputs of loops whose types depend on how often the body is run: what later nodes require of them is decided when the
//! model runs. Of an open input some type can be chosen, of such a value none can.

use super::Checker;
use super::body::is_vague;
use crate::problem::{self, Place, Problem};
use hashbrown::HashSet;
use kanshape::graph::{Graph, NodeId, Outputs, ValueId};
use kanshape::{Type, Verdict};

/// An output of a loop of whose type something is open.
pub(super) struct Varied {
    /// The body that the loop is in, if it is one that may not be run.
    pub part: Option<usize>,
    pub value: ValueId,
    /// The type, before later nodes require anything of it.
    ty: Type,
    place: Place,
}

impl Checker<'_, '_> {
    /// Records the outputs of a loop of whose types something is open. What is in a sequence is followed member by member.
    pub(super) fn note_varied(&mut self, place: &Place, outputs: Outputs) {
        for value in outputs.iter() {
            let ty = self.graph.ty(value);
            let ty = self.known_outside(&ty);
            if ty.as_tensor().is_some() && is_vague(&ty) {
                self.varied.push(Varied {
                    part: self.inside,
                    value,
                    ty,
                    place: place.clone(),
                });
            }
        }
    }

    /// The recorded values, by their numbers, of which nodes of a graph require something that is not decided. It is the graph
    /// of the model or of a part, and only its nodes from `first` on count; `placed` says where a value is in it.
    pub(super) fn required_of_varied(
        &self,
        graph: &mut Graph,
        part: Option<usize>,
        first: usize,
        placed: &dyn Fn(ValueId) -> ValueId,
    ) -> Vec<usize> {
        if self.varied.is_empty() {
            return Vec::new();
        }
        let mut around = vec![part];
        while let Some(Some(inner)) = around.last() {
            around.push(self.parts[*inner].parent);
        }
        // A loop behind the part gives nothing that the part takes.
        let is_before = |own: &Varied| {
            let before = part.filter(|_| own.part != part);
            before.is_none_or(|i| own.value.index() < self.parts[i].before.value_count())
        };
        let mut waiting = graph.read().waiting();
        waiting.retain(|node| node.index() >= first);
        let mut required = Vec::new();
        for (i, own) in self.varied.iter().enumerate() {
            if !around.contains(&own.part) || !is_before(own) {
                continue;
            }
            let value = placed(own.value);
            let now = self.known_outside(&graph.ty(value));
            // Where the body of the loop can't be run, its outputs are what it is given.
            let is_refined = now != own.ty && is_vague(&now);
            if is_refined || depends_on(graph, &waiting, value) {
                required.push(i);
            }
        }
        required
    }

    /// Reports what the nodes of the model require of such values.
    pub(super) fn judge_varied(&mut self) {
        let mut graph = self.graph.clone();
        for i in self.required_of_varied(&mut graph, None, 0, &|value| value) {
            self.settled.judge(Verdict::Unknown);
            let Varied { value, place, .. } = &self.varied[i];
            let what = format!("a node that depends on `{}`", self.name_of(*value));
            let d = problem::unwritten(&what).as_warning();
            self.problems.push(Problem::from(d).at(place.clone()));
        }
    }
}

/// Does one of these nodes depend on a value?
fn depends_on(graph: &Graph, nodes: &[NodeId], value: ValueId) -> bool {
    let mut dependent: HashSet<ValueId> = HashSet::from([value]);
    for node in graph.nodes() {
        let Some((inputs, outputs)) = graph.operands(node) else {
            continue;
        };
        if inputs.iter().any(|input| dependent.contains(input)) {
            if nodes.contains(&node) {
                return true;
            }
            dependent.extend(outputs.iter());
        }
    }
    false
}
