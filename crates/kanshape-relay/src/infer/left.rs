//! What was stated of a scheme and is not all in its type.

use kanshape::Name;
use kanshape::graph::ValueId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::infer::Infer;
use crate::infer::operators::{Posted, Standing};
use crate::infer::scheme::Scheme;
use crate::infer::write::Openness;
use crate::infer::writer::each_name;
use crate::table::{Node, Ty};

/// What types share.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Tie {
    Open(Ty),
    Name(Name),
}

impl Infer<'_> {
    /// What was stated of schemes and is not all in their types. It is found out for all of them at once.
    pub(crate) fn left(&mut self, schemes: &[&Scheme]) -> Vec<Vec<Posted>> {
        let all: Vec<&Posted> = schemes.iter().flat_map(|scheme| &scheme.log).collect();
        let mut is_left = self.are_left(&all).into_iter();
        let mut left: Vec<Vec<Posted>> = Vec::with_capacity(schemes.len());
        let mut types: Vec<Ty> = Vec::new();
        for scheme in schemes {
            let own = scheme.log.iter().zip(is_left.by_ref());
            let own: Vec<Posted> = own
                .filter(|(_, is)| *is)
                .map(|(own, _)| own.clone())
                .collect();
            if !own.is_empty() {
                types.extend(own.iter().flat_map(|posted| posted.goal.types()));
                types.push(scheme.ty);
            }
            left.push(own);
        }
        if !types.is_empty() {
            let types = self.read(&types);
            for (scheme, left) in schemes.iter().zip(&mut left) {
                self.keep_related(scheme.ty, left, &types);
            }
        }
        left
    }

    /// Keeps what has to do with a type by something that is open in both, or by a name of a size. The rest is about functions in the
    /// body: it was stated for each use of these.
    fn keep_related(
        &self,
        ty: Ty,
        left: &mut Vec<Posted>,
        types: &FxHashMap<ValueId, kanshape::Type>,
    ) {
        let goals: Vec<Vec<Ty>> = left.iter().map(|own| own.goal.types().collect()).collect();
        let mut by_tie: FxHashMap<Tie, Vec<usize>> = FxHashMap::default();
        for (i, goal) in goals.iter().enumerate() {
            for tie in goal.iter().flat_map(|ty| self.ties(*ty, types)) {
                by_tie.entry(tie).or_default().push(i);
            }
        }
        let mut is_related = vec![false; left.len()];
        let mut todo: Vec<Tie> = self.ties(ty, types);
        while let Some(tie) = todo.pop() {
            for i in by_tie.remove(&tie).unwrap_or_default() {
                if !std::mem::replace(&mut is_related[i], true) {
                    let ties = goals[i].iter().flat_map(|ty| self.ties(*ty, types));
                    todo.extend(ties);
                }
            }
        }
        let mut is_related = is_related.into_iter();
        left.retain(|_| is_related.next().unwrap_or(true));
    }

    /// Is something of a scheme not known, of which this is left?
    pub(crate) fn openness(&self, scheme: &Scheme, left: &[Posted]) -> Openness {
        // The relations of a function that declares type parameters are a part of its type.
        let is_declared = !scheme.rigids.is_empty();
        let is_open = |posted: &Posted| {
            let mut types = posted.goal.types();
            posted.waits() || types.any(|ty| self.is_undetermined(ty))
        };
        if !is_declared && left.iter().any(is_open) || self.gives_anything(scheme) {
            return Openness::Undetermined;
        }
        match left
            .iter()
            .any(|posted| !is_declared || self.is_undecided(posted))
        {
            true => Openness::Undecided,
            false => Openness::Closed,
        }
    }

    /// Is not even the rank of all tensors in a type known?
    fn is_undetermined(&self, ty: Ty) -> bool {
        let mut parts = self.table.all_parts(ty).into_iter();
        parts.any(|part| match self.table.get(part) {
            Node::Hole { .. } | Node::Open { .. } => true,
            Node::Tensor { value, .. } => self.unranked.get(value) == Some(&true),
            _ => false,
        })
    }

    /// Is what a function gives any type, whatever it takes?
    fn gives_anything(&self, scheme: &Scheme) -> bool {
        let Node::Fn(params, result) = self.table.get(scheme.ty) else {
            return false;
        };
        let result = self.table.root(*result);
        let is_open = matches!(
            self.table.get(result),
            Node::Hole { .. } | Node::Open { .. }
        );
        let mut params = params.iter();
        is_open
            && !params.any(|param| self.table.all_parts(*param).contains(&result))
            && !self.absurd.iter().any(|ty| self.table.root(*ty) == result)
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

    /// Is something that was stated not all in the types and the conditions? It waits for more to be known, or for a choice between
    /// several ways to hold.
    pub(crate) fn is_left(&mut self, posted: &Posted) -> bool {
        self.are_left(&[posted]) == [true]
    }

    /// Is it not known whether what was stated holds for all sizes? Of what was last found to be left.
    pub(crate) fn is_undecided(&self, posted: &Posted) -> bool {
        matches!(posted.standing, Standing::Node(node) if self.undecided.contains(&node))
    }

    fn are_left(&mut self, all: &[&Posted]) -> Vec<bool> {
        if all.is_empty() {
            return Vec::new();
        }
        let mut left = Vec::with_capacity(all.len());
        // The tensors that are open, each with what it is an operand of. They are read all at once.
        let mut open: Vec<(usize, ValueId)> = Vec::new();
        for (i, posted) in all.iter().enumerate() {
            let mut waits = posted.waits();
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
        let (unranked, originals, made) = (&mut self.unranked, &self.originals, &self.made);
        unranked.clear();
        let is_named = |tensor: &kanshape::Tensor| {
            let run = tensor.shape.run();
            let name = run.and_then(|run| run.name.as_ref());
            name.is_some_and(|name| originals.contains_key(name) && !made.contains(name))
        };
        let mut reading = self.graph.read();
        for (i, value) in open {
            left[i] |= *unranked.entry(value).or_insert_with(|| {
                let ty = reading.shared(value);
                ty.as_tensor()
                    .is_none_or(|tensor| tensor.shape.rank().is_none() && !is_named(tensor))
            });
        }
        self.undecided = reading.undecided().into_iter().collect();
        for (posted, left) in all.iter().zip(&mut left) {
            *left |=
                matches!(posted.standing, Standing::Node(node) if self.undecided.contains(&node));
        }
        left
    }
}
