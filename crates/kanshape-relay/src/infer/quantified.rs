//! Function types with type parameters and requirements of their own, inside other types.

use kanshape::Dim;
use kanshape::graph::ValueId;
use kanshape::tree::Span;
use rustc_hash::FxHashMap;

use crate::infer::Infer;
use crate::infer::operators::Posted;
use crate::infer::unify::{Bijection, OpenSide};
use crate::kinds::Kind;
use crate::notation::dtype_name;
use crate::table::{BOUND, Goal, Node, Probe, Quantified, Ty};

/// The most pairs that are compared for one goal.
const MAX_PAIRS: usize = 10_000;

/// A quantified type with other types for what it binds.
pub(crate) struct Instance {
    pub(crate) inner: Ty,
    pub(crate) sizes: Vec<Probe>,
    pub(crate) goals: Vec<Goal>,
}

impl Infer<'_> {
    /// A quantified type with these types for its type parameters, and unknowns of their own for its sizes, shapes and
    /// dtypes. `None` if it is too large.
    pub(crate) fn instance_of(
        &mut self,
        own: &Quantified,
        by: &[Ty],
        level: u32,
    ) -> Option<Instance> {
        let mut new: FxHashMap<Ty, Ty> = FxHashMap::default();
        if !own.sizes.is_empty() {
            let sizes = own.sizes.iter().map(|size| size.ty);
            let goals = own.goals.iter().flat_map(Goal::types);
            let mut open: Vec<(Ty, ValueId, u64)> = Vec::new();
            for ty in [own.inner].into_iter().chain(sizes).chain(goals) {
                for part in self.table.all_parts(ty) {
                    if let Node::Tensor { value, any, .. } = *self.table.get(part)
                        && self.graph.known(value).is_none()
                        && !open.iter().any(|(ty, ..)| *ty == part)
                    {
                        open.push((part, value, any));
                    }
                }
            }
            let values: Vec<ValueId> = open.iter().map(|(_, value, _)| *value).collect();
            let around = own
                .around
                .iter()
                .filter_map(|ty| match self.table.get(*ty) {
                    Node::Tensor { value, .. } => Some(*value),
                    _ => None,
                });
            let around: Vec<ValueId> = around.collect();
            let copies = self.graph.copies(&values, &around)?;
            for ((ty, _, any), copy) in open.into_iter().zip(copies) {
                let copy = self.tensor(copy, any, level);
                new.insert(ty, copy);
            }
        }
        let rigids = &own.rigids;
        let replaced = |infer: &mut Infer<'_>, ty: Ty| {
            infer.table.map(ty, &mut |table, ty| match table.get(ty) {
                Node::Rigid(r) => rigids.iter().position(|b| b == r).map(|i| by[i]),
                _ => new.get(&ty).copied(),
            })
        };
        let sizes = own.sizes.iter().map(|size| Probe {
            kind: size.kind,
            ty: replaced(self, size.ty),
        });
        let sizes = sizes.collect();
        let goals = own
            .goals
            .iter()
            .map(|goal| goal.with(|ty| replaced(self, *ty)));
        let goals = goals.collect();
        Some(Instance {
            inner: replaced(self, own.inner),
            sizes,
            goals,
        })
    }

    /// The type of a value of a quantified type where it is used: what it requires is stated once more is known.
    pub(crate) fn used_type(&mut self, own: &Quantified, at: Span) -> Option<Ty> {
        let level = self.level;
        let holes = self.holes_for(own.rigids.len(), level);
        let instance = self.instance_of(own, &holes, level)?;
        for goal in instance.goals {
            self.pending.push(Posted::waiting(own.at, goal));
            self.pending_uses.push(at);
        }
        Some(instance.inner)
    }

    fn holes_for(&mut self, count: usize, level: u32) -> Vec<Ty> {
        let holes = (0..count).map(|_| self.table.push(Node::Hole { level }));
        holes.collect()
    }

    /// Two quantified types, each with what it binds replaced: where both bind as many, by the same rigid parameters,
    /// in whatever order; otherwise the one that binds more is instantiated.
    pub(crate) fn both_opened(
        &mut self,
        x: &Quantified,
        y: &Quantified,
    ) -> Option<(Instance, Instance)> {
        let as_it_is = |own: &Quantified| Instance {
            inner: own.inner,
            sizes: own.sizes.to_vec(),
            goals: own.goals.to_vec(),
        };
        let is_less = x.rigids.len() <= y.rigids.len();
        let (less, more) = if is_less { (x, y) } else { (y, x) };
        let holes = self.holes_for(more.rigids.len(), BOUND);
        let other = self.instance_of(more, &holes, BOUND)?;
        let (rigids, holes) = match x.rigids.len() == y.rigids.len() {
            true => (less.rigids.clone(), holes),
            false => ([].into(), Vec::new()),
        };
        self.bijections.push(Bijection {
            rigids,
            holes,
            sizes: less.sizes.to_vec(),
        });
        let own = as_it_is(less);
        Some(match is_less {
            true => (own, other),
            false => (other, own),
        })
    }

    /// The first of these type parameters - sizes, shapes, dtypes - that is no longer any, or not for itself, and what it
    /// would have to be.
    pub(crate) fn narrowed(&mut self, sizes: &[Probe]) -> Option<(usize, String)> {
        if sizes.is_empty() {
            return None;
        }
        let value = |infer: &Infer<'_>, ty: Ty| match infer.table.get(ty) {
            Node::Tensor { value, .. } => Some(*value),
            _ => None,
        };
        let all: Vec<(Kind, ValueId)> = sizes
            .iter()
            .filter_map(|size| Some((size.kind, value(self, size.ty)?)))
            .collect();
        let mut reading = self.graph.read();
        let mut names: Vec<String> = Vec::with_capacity(all.len());
        for (i, (kind, value)) in all.into_iter().enumerate() {
            let ty = reading.ty(value);
            let tensor = ty.as_tensor()?;
            let found = match kind {
                Kind::ShapeVar => match tensor.shape.known_dims().first() {
                    Some(Dim::Name(name)) => Ok(name.to_string()),
                    Some(dim) => Err(dim.to_string()),
                    None => Err("()".to_owned()),
                },
                Kind::Shape => match (tensor.shape.run(), tensor.shape.known_dims()) {
                    (Some(run), []) => Ok(run
                        .name
                        .as_ref()
                        .map_or_else(String::new, ToString::to_string)),
                    _ => Err(format!(
                        "({})",
                        tensor.shape.to_string().trim_matches(['[', ']'])
                    )),
                },
                _ => match &tensor.dtype {
                    kanshape::DtypeTerm::Name(name) => Ok(name.to_string()),
                    kanshape::DtypeTerm::Hole => Ok(String::new()),
                    kanshape::DtypeTerm::Known(dtype) => Err(dtype_name(*dtype)),
                    other => Err(other.to_string()),
                },
            };
            match found {
                Ok(name) => names.push(name),
                Err(found) => return Some((i, format!("would have to be `{found}`"))),
            }
        }
        for (i, name) in names.iter().enumerate() {
            if !name.is_empty() && names[..i].contains(name) {
                return Some((i, "would have to be the same as another".to_owned()));
            }
        }
        None
    }

    /// The first of what was stated since `start` of these type parameters that does not follow from what is assumed
    /// of them. What follows is stated no longer.
    pub(crate) fn not_assumed(
        &mut self,
        start: usize,
        rigids: &[u32],
        assumed: &[Goal],
    ) -> Option<Posted> {
        loop {
            let (mut rest, mut progress) = (None, false);
            let mut i = start;
            while let Some(posted) = self.log.get(i).cloned() {
                let is_about = posted.goal.types().any(|ty| {
                    let mut parts = self.table.all_parts(ty).into_iter();
                    parts.any(
                        |part| matches!(self.table.get(part), Node::Rigid(r) if rigids.contains(r)),
                    )
                });
                if !is_about {
                    i += 1;
                } else if assumed.iter().any(|own| self.implies(own, &posted.goal)) {
                    self.log.remove(i);
                    progress = true;
                } else {
                    rest.get_or_insert(posted);
                    i += 1;
                }
            }
            if !progress || rest.is_none() {
                return rest;
            }
        }
    }

    /// Does a goal hold if another does? Operators are functions: of the same operands they give the same.
    pub(crate) fn implies(&mut self, assumed: &Goal, goal: &Goal) -> bool {
        let (xs, ys): (Vec<Ty>, Vec<Ty>) = (assumed.types().collect(), goal.types().collect());
        let (Some((x, xs)), Some((y, ys))) = (xs.split_last(), ys.split_last()) else {
            return false;
        };
        assumed.is_like(goal)
            && xs.iter().zip(ys).all(|(x, y)| self.is_same_type(*x, *y))
            && self.unify(*x, *y, OpenSide::Both).is_ok()
    }

    /// Are two types the same by now?
    pub(crate) fn is_same_type(&mut self, a: Ty, b: Ty) -> bool {
        let mut todo = vec![(a, b)];
        let mut pairs = 0;
        while let Some((a, b)) = todo.pop() {
            let (a, b) = (self.table.find(a), self.table.find(b));
            if a == b {
                continue;
            }
            pairs += 1;
            if pairs > MAX_PAIRS {
                return false;
            }
            match (self.table.get(a).clone(), self.table.get(b).clone()) {
                (
                    Node::Tensor { value: x, .. } | Node::Open { value: x, .. },
                    Node::Tensor { value: y, .. } | Node::Open { value: y, .. },
                ) if self.graph.is_known_same(x, y) => {}
                (Node::Tuple(xs), Node::Tuple(ys)) if xs.len() == ys.len() => {
                    todo.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                (Node::Adt(f, xs), Node::Adt(g, ys)) if f == g && xs.len() == ys.len() => {
                    todo.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                (Node::Fn(xs, x), Node::Fn(ys, y)) if xs.len() == ys.len() => {
                    todo.push((x, y));
                    todo.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                (Node::Ref(x), Node::Ref(y)) => todo.push((x, y)),
                (Node::Rigid(x), Node::Rigid(y)) if x == y => {}
                _ => return false,
            }
        }
        true
    }
}
