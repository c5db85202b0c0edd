//! Two types become the same: first-order unification on a worklist, tensors by the graph.

use kanshape::graph::{Form, ValueId};
use rustc_hash::FxHashSet;

use crate::infer::Infer;
use crate::problem::ErrorKind;
use crate::table::{BOUND, Node, Ty};

/// So many pairs are compared for one equation.
const MAX_PAIRS: usize = 1_000_000;

/// Two types that cannot be the same.
#[derive(Clone, Debug)]
pub(crate) struct Clash {
    pub(crate) kind: ErrorKind,
    /// The parts that differ.
    pub(crate) parts: Option<(Ty, Ty)>,
    /// In words, where the parts do not show it.
    pub(crate) why: Option<String>,
}

impl Clash {
    pub(crate) fn of(a: Ty, b: Ty) -> Clash {
        Clash {
            kind: ErrorKind::Mismatch,
            parts: Some((a, b)),
            why: None,
        }
    }

    fn because(a: Ty, b: Ty, why: impl Into<String>) -> Clash {
        Clash {
            why: Some(why.into()),
            ..Clash::of(a, b)
        }
    }
}

/// Which of two types may leave sizes open that the other has: `?` of an annotation takes any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Open {
    /// The first: what is written of a parameter, given an argument.
    First,
    /// The second.
    Second,
    /// Both: two branches.
    Both,
}

impl Open {
    fn flipped(self) -> Open {
        match self {
            Open::First => Open::Second,
            Open::Second => Open::First,
            Open::Both => Open::Both,
        }
    }
}

impl Infer<'_> {
    /// From now on both are the same type.
    pub(crate) fn unify(&mut self, a: Ty, b: Ty, open: Open) -> Result<(), Clash> {
        self.unify_all(a, b, open)?;
        // What two quantified types bind is the same, each once.
        for (binders, holes) in std::mem::take(&mut self.bijections) {
            let mut used = Vec::with_capacity(holes.len());
            for hole in &holes {
                match self.table.get(*hole) {
                    Node::Rigid(r) if binders.contains(r) && !used.contains(r) => used.push(*r),
                    Node::Hole { .. } => {}
                    _ => return Err(Clash::of(a, b)),
                }
            }
            // What the other side has a hole for is the parameter of that place, or one that is free.
            for (hole, own) in holes.into_iter().zip(binders.iter()) {
                if !matches!(self.table.get(hole), Node::Hole { level } if *level >= BOUND) {
                    continue;
                }
                let mut free = std::iter::once(own).chain(binders.iter());
                if let Some(r) = free.find(|r| !used.contains(*r)).copied() {
                    used.push(r);
                    self.table.set(hole, Node::Rigid(r));
                }
            }
        }
        Ok(())
    }

    fn unify_all(&mut self, a: Ty, b: Ty, open: Open) -> Result<(), Clash> {
        let mut todo = vec![(a, b, open)];
        let mut seen: FxHashSet<(Ty, Ty, Open)> = FxHashSet::default();
        let mut pairs = 0;
        while let Some((a, b, open)) = todo.pop() {
            let (a, b) = (self.table.find(a), self.table.find(b));
            if a == b || !seen.insert((a, b, open)) {
                continue;
            }
            pairs += 1;
            if pairs > MAX_PAIRS {
                return Err(Clash::because(
                    a,
                    b,
                    "the types are too large to be compared",
                ));
            }
            let (one, other) = (self.table.get(a).clone(), self.table.get(b).clone());
            match (one, other) {
                (Node::Hole { level }, _) => self.bind(a, level, b)?,
                (_, Node::Hole { level }) => self.bind(b, level, a)?,
                (Node::Open { value, level }, Node::Open { value: other, .. })
                | (Node::Open { value, level }, Node::Tensor { value: other, .. }) => {
                    self.equate(value, other, a, b)?;
                    self.lower(b, level, a)?;
                    self.table.set(a, Node::Link(b));
                }
                (Node::Tensor { value: other, .. }, Node::Open { value, level }) => {
                    self.equate(other, value, a, b)?;
                    self.lower(a, level, b)?;
                    self.table.set(b, Node::Link(a));
                }
                (Node::Open { value, level }, Node::Tuple(fields)) => {
                    self.open_tuple(value, &fields, a, b, open, &mut todo)?;
                    self.lower(b, level, a)?;
                    self.table.set(a, Node::Link(b));
                }
                (Node::Tuple(fields), Node::Open { value, level }) => {
                    self.open_tuple(value, &fields, b, a, open, &mut todo)?;
                    self.lower(a, level, b)?;
                    self.table.set(b, Node::Link(a));
                }
                (
                    Node::Tensor { value, any, .. },
                    Node::Tensor {
                        value: other,
                        any: other_any,
                        ..
                    },
                ) => {
                    let skip = match open {
                        Open::First => any,
                        Open::Second => other_any,
                        Open::Both => any | other_any,
                    };
                    if skip == 0 {
                        self.equate(value, other, a, b)?;
                        continue;
                    }
                    let is_open = |i: usize| i < 64 && skip & (1 << i) != 0;
                    let (one, two) = (
                        self.graph.loosened(value, &is_open),
                        self.graph.loosened(other, &is_open),
                    );
                    self.equate(one, two, a, b)?;
                }
                (Node::Tuple(xs), Node::Tuple(ys)) => {
                    if xs.len() != ys.len() {
                        let why = format!("{} fields against {}", xs.len(), ys.len());
                        return Err(Clash::because(a, b, why));
                    }
                    let pairs = xs.iter().zip(ys.iter()).rev();
                    todo.extend(pairs.map(|(x, y)| (*x, *y, open)));
                }
                (Node::Fn(xs, x), Node::Fn(ys, y)) => {
                    if xs.len() != ys.len() {
                        let why = format!("{} parameters against {}", xs.len(), ys.len());
                        return Err(Clash::because(a, b, why));
                    }
                    let pairs = xs.iter().zip(ys.iter()).rev();
                    todo.push((x, y, open));
                    todo.extend(pairs.map(|(x, y)| (*x, *y, open.flipped())));
                }
                (Node::Adt(f, xs), Node::Adt(g, ys)) if f == g && xs.len() == ys.len() => {
                    let pairs = xs.iter().zip(ys.iter()).rev();
                    todo.extend(pairs.map(|(x, y)| (*x, *y, Open::Both)));
                }
                (Node::Ref(x), Node::Ref(y)) => todo.push((x, y, Open::Both)),
                (Node::Rigid(x), Node::Rigid(y)) if x == y => {}
                (Node::Poly(xs, x), Node::Poly(ys, y)) => {
                    let (x, y) = self.opened(xs, x, ys, y);
                    todo.push((x, y, open));
                }
                (Node::Poly(binders, inner), Node::Fn(..)) => {
                    let inner = self.with_holes(&binders, inner, self.level).0;
                    todo.push((inner, b, open));
                }
                (Node::Fn(..), Node::Poly(binders, inner)) => {
                    let inner = self.with_holes(&binders, inner, self.level).0;
                    todo.push((a, inner, open));
                }
                _ => return Err(Clash::of(a, b)),
            }
        }
        Ok(())
    }

    /// Two quantified types, each with what it binds replaced: where both bind as many, by the same rigid parameters,
    /// in whatever order; otherwise the one that binds more is instantiated.
    fn opened(&mut self, xs: Box<[u32]>, x: Ty, ys: Box<[u32]>, y: Ty) -> (Ty, Ty) {
        use std::cmp::Ordering;
        match xs.len().cmp(&ys.len()) {
            Ordering::Greater => (self.with_holes(&xs, x, BOUND).0, y),
            Ordering::Less => (x, self.with_holes(&ys, y, BOUND).0),
            Ordering::Equal => {
                let (y, holes) = self.with_holes(&ys, y, BOUND);
                self.bijections.push((xs, holes));
                (x, y)
            }
        }
    }

    /// A type with a hole for each of these rigid parameters, and the holes.
    pub(crate) fn with_holes(&mut self, binders: &[u32], ty: Ty, level: u32) -> (Ty, Vec<Ty>) {
        let holes: Vec<Ty> = binders
            .iter()
            .map(|_| self.table.push(Node::Hole { level }))
            .collect();
        let ty = self.replaced(binders, &holes, ty);
        (ty, holes)
    }

    /// A type with these types in the place of rigid parameters.
    pub(crate) fn replaced(&mut self, binders: &[u32], by: &[Ty], ty: Ty) -> Ty {
        self.table.map(ty, &mut |table, ty| match table.get(ty) {
            Node::Rigid(r) => binders.iter().position(|b| b == r).map(|i| by[i]),
            _ => None,
        })
    }

    /// The hole `a` is filled.
    fn bind(&mut self, a: Ty, level: u32, b: Ty) -> Result<(), Clash> {
        let mut b = b;
        if self.loose_results.contains(&a) && self.has_open_sizes(b) {
            b = self.with_sizes_of_its_own(b);
        }
        self.lower(b, level, a)?;
        self.table.set(a, Node::Link(b));
        Ok(())
    }

    /// `ty` is now part of something of this level. It must not contain `hole`, nor a type parameter that is newer.
    fn lower(&mut self, ty: Ty, level: u32, hole: Ty) -> Result<(), Clash> {
        let root = self.table.find(ty);
        // Most types are tensors.
        if let Node::Tensor {
            value,
            any,
            level: own,
        } = *self.table.get(root)
        {
            if own > level {
                self.table.set(root, Node::Tensor { value, any, level });
            }
            return Ok(());
        }
        for part in self.table.all_parts(root) {
            if part == hole {
                return Err(Clash {
                    kind: ErrorKind::OccursCheck,
                    parts: Some((hole, ty)),
                    why: Some("the type would contain itself".to_owned()),
                });
            }
            match *self.table.get(part) {
                Node::Hole { level: own } if own > level => {
                    self.table.set(part, Node::Hole { level });
                }
                Node::Open { value, level: own } if own > level => {
                    self.table.set(part, Node::Open { value, level });
                }
                Node::Tensor {
                    value,
                    any,
                    level: own,
                } if own > level => {
                    self.table.set(part, Node::Tensor { value, any, level });
                }
                Node::Rigid(r) if self.table.rigids[r as usize].level > level => {
                    let name = &self.table.rigids[r as usize].name;
                    let why = format!("`{name}` is bound by a function, and would leave it");
                    return Err(Clash::because(hole, ty, why));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Two values of the graph become the same.
    fn equate(&mut self, a: ValueId, b: ValueId, one: Ty, other: Ty) -> Result<(), Clash> {
        if self.graph.is_same(a, b) {
            return Ok(());
        }
        if let (Some(x), Some(y)) = (self.graph.known(a), self.graph.known(b)) {
            return match x == y {
                true => Ok(()),
                false => Err(Clash::of(one, other)),
            };
        }
        match self.graph.equate(a, b) {
            Ok(()) => Ok(()),
            Err(conflict) => {
                let (x, y) = (self.graph.ty(a), self.graph.ty(b));
                let kind = match self.differ(&x, &y) {
                    true => ErrorKind::Mismatch,
                    // They are different only because of what operators require.
                    false => ErrorKind::Relation,
                };
                Err(Clash {
                    kind,
                    parts: Some((one, other)),
                    why: Some(conflict.diagnostic.headline.clone()),
                })
            }
        }
    }

    /// Are two types different by themselves?
    fn differ(&self, x: &kanshape::Type, y: &kanshape::Type) -> bool {
        let mut graph = kanshape::graph::Graph::new(self.relations);
        let (Ok(a), Ok(b)) = (graph.value(x), graph.value(y)) else {
            return true;
        };
        graph.equate(a, b).is_err()
    }

    /// What the graph knows as a value is a tuple of these fields.
    fn open_tuple(
        &mut self,
        value: ValueId,
        fields: &[Ty],
        a: Ty,
        b: Ty,
        open: Open,
        todo: &mut Vec<(Ty, Ty, Open)>,
    ) -> Result<(), Clash> {
        match self.graph.form(value) {
            Form::Tuple(n) if n == fields.len() => {
                let own = self.graph.fields(value).unwrap_or_default();
                for (own, field) in own.into_iter().zip(fields) {
                    let own = self.ty_of_value(own);
                    todo.push((own, *field, open));
                }
                Ok(())
            }
            Form::Unknown => {
                let mut values = Vec::with_capacity(fields.len());
                for field in fields {
                    match self.value_of(*field) {
                        Ok(Some(value)) => values.push(value),
                        _ => return Err(Clash::of(a, b)),
                    }
                }
                match self.graph.tuple(&values) {
                    Some(tuple) => self.equate(value, tuple, a, b),
                    None => Err(Clash::because(a, b, "the tuple is too large")),
                }
            }
            _ => Err(Clash::of(a, b)),
        }
    }

    fn has_open_sizes(&self, ty: Ty) -> bool {
        let parts = self.table.all_parts(ty);
        parts.iter().any(|part| match self.table.get(*part) {
            Node::Tensor { value, .. } => self.graph.known(*value).is_none(),
            _ => false,
        })
    }

    /// A type in which each size that is open is an unknown of its own: what a recursive call gives is not of the
    /// sizes that this call was given.
    fn with_sizes_of_its_own(&mut self, ty: Ty) -> Ty {
        let mut open = Vec::new();
        for part in self.table.all_parts(ty) {
            if let Node::Tensor { value, level, .. } = *self.table.get(part)
                && self.graph.known(value).is_none()
            {
                open.push((part, value, level));
            }
        }
        let mut by = Vec::with_capacity(open.len());
        for (part, value, level) in open {
            let ty = self.graph.clone().ty(value);
            let dims = ty.as_tensor().map(|t| t.shape.dims().to_vec());
            let dims = dims.unwrap_or_default();
            let is_open = |i: usize| dims.get(i).is_none_or(|dim| dim.extent().is_none());
            let any = (0..dims.len().min(64)).filter(|i| is_open(*i));
            let any = any.fold(0u64, |any, i| any | 1 << i);
            let value = self.graph.loosened(value, &is_open);
            by.push((part, self.tensor(value, any, level)));
        }
        self.table.map(ty, &mut |_, ty| {
            by.iter().find(|(part, _)| *part == ty).map(|(_, new)| *new)
        })
    }
}
