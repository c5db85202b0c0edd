//! What was stated of a scheme and is not all in its type.

use kanshape::Name;
use kanshape::graph::ValueId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::infer::Infer;
use crate::infer::operators::Posted;
use crate::infer::scheme::Scheme;
use crate::infer::writer::each_name;
use crate::table::{Node, Ty};

/// What types share.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Tie {
    Open(Ty),
    Name(Name),
}

impl Infer<'_> {
    /// What was stated of a scheme and is not all in its type.
    pub(crate) fn left(&mut self, scheme: &Scheme) -> Vec<Posted> {
        self.unranked.clear();
        let is = self.are_left(&scheme.log);
        let left = scheme.log.iter().zip(is).filter(|(_, is)| *is);
        let mut left: Vec<Posted> = left.map(|(posted, _)| posted.clone()).collect();
        if left.is_empty() {
            return left;
        }
        // What has to do with the type by something that is open in both, or by a name of a size. The rest is about
        // functions in the body: it was stated for each use of these.
        let goals: Vec<Vec<Ty>> = left.iter().map(|own| own.goal.types().collect()).collect();
        let all: Vec<Ty> = goals.iter().flatten().copied().chain([scheme.ty]).collect();
        let types = self.read(&all);
        let mut by_tie: FxHashMap<Tie, Vec<usize>> = FxHashMap::default();
        for (i, goal) in goals.iter().enumerate() {
            for tie in goal.iter().flat_map(|ty| self.ties(*ty, &types)) {
                by_tie.entry(tie).or_default().push(i);
            }
        }
        let mut is_related = vec![false; left.len()];
        let mut todo: Vec<Tie> = self.ties(scheme.ty, &types);
        while let Some(tie) = todo.pop() {
            for i in by_tie.remove(&tie).unwrap_or_default() {
                if !std::mem::replace(&mut is_related[i], true) {
                    let ties = goals[i].iter().flat_map(|ty| self.ties(*ty, &types));
                    todo.extend(ties);
                }
            }
        }
        let mut is_related = is_related.into_iter();
        left.retain(|_| is_related.next().unwrap_or(true));
        left
    }

    /// What a type shares with others: what is open in it, and the names of its sizes, shapes and dtypes.
    fn ties(&self, ty: Ty, types: &FxHashMap<ValueId, kanshape::Type>) -> Vec<Tie> {
        let mut ties: Vec<Tie> = self.open_parts(ty).into_iter().map(Tie::Open).collect();
        for part in self.in_order(ty) {
            if let Node::Tensor { value, .. } | Node::Open { value, .. } = *self.table.get(part)
                && let Some(ty) = types.get(&value)
            {
                each_name(ty, &mut |name| ties.push(Tie::Name(name.clone())));
            }
        }
        ties
    }

    /// What is open in a type.
    fn open_parts(&self, ty: Ty) -> FxHashSet<Ty> {
        let parts = self.table.all_parts(ty).into_iter();
        let open = parts.filter(|part| match self.table.get(*part) {
            Node::Hole { .. } | Node::Open { .. } | Node::Rigid(_) => true,
            Node::Tensor { value, .. } => self.unranked.get(value) == Some(&true),
            _ => false,
        });
        open.collect()
    }

    /// Is something that was stated not all in the types and the conditions? A rule waits for more to be known.
    pub(crate) fn is_left(&mut self, posted: &Posted) -> bool {
        self.are_left(std::slice::from_ref(posted)) == [true]
    }

    fn are_left(&mut self, all: &[Posted]) -> Vec<bool> {
        let mut left = Vec::with_capacity(all.len());
        // The tensors that are open, each with what it is an operand of. They are read all at once.
        let mut open: Vec<(usize, ValueId)> = Vec::new();
        for (i, posted) in all.iter().enumerate() {
            let mut waits = posted.waits;
            for ty in posted.goal.types().collect::<Vec<Ty>>() {
                for part in self.settled_parts(ty) {
                    match *self.table.get(part) {
                        Node::Open { .. } | Node::Hole { .. } => waits = true,
                        Node::Tensor { value, .. } if self.graph.known(value).is_none() => {
                            open.push((i, value));
                        }
                        _ => {}
                    }
                }
            }
            left.push(waits);
        }
        if open.is_empty() {
            return left;
        }
        let unranked = &mut self.unranked;
        unranked.clear();
        let mut reading = self.graph.read();
        for (i, value) in open {
            left[i] |= *unranked.entry(value).or_insert_with(|| {
                let ty = reading.shared(value);
                ty.as_tensor()
                    .is_none_or(|tensor| tensor.shape.rank().is_none())
            });
        }
        left
    }
}
