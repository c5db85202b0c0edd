//! Two types become the same: first-order unification on a worklist, tensors by the graph.

use kanshape::control::work;
use kanshape::graph::{Form, ValueId};
use rustc_hash::FxHashSet;

use crate::infer::Infer;
use crate::problem::ErrorKind;
use crate::table::{BOUND, Node, Probe, Ty};

/// The most pairs that are compared for one equation.
const MAX_PAIRS: usize = 1_000_000;

/// Two types that cannot be the same.
#[derive(Clone, Debug)]
pub(crate) struct Clash {
    pub(crate) kind: ErrorKind,
    /// The parts that differ.
    pub(crate) parts: Option<(Ty, Ty)>,
    /// In words, where the parts do not show it.
    pub(crate) why: Option<String>,
    /// Whether they are the same is too much to find out.
    pub(crate) is_limit: bool,
}

impl Clash {
    pub(crate) fn of(a: Ty, b: Ty) -> Clash {
        Clash {
            kind: ErrorKind::Mismatch,
            parts: Some((a, b)),
            why: None,
            is_limit: false,
        }
    }

    /// It is too much to find out whether they are the same.
    pub(crate) fn limit(a: Ty, b: Ty, why: impl Into<String>) -> Clash {
        Clash {
            kind: ErrorKind::Incomplete,
            is_limit: true,
            ..Clash::because(a, b, why)
        }
    }

    pub(crate) fn because(a: Ty, b: Ty, why: impl Into<String>) -> Clash {
        Clash {
            why: Some(why.into()),
            ..Clash::of(a, b)
        }
    }
}

/// What two quantified types bind, which has to be the same once they are.
#[derive(Clone, Debug)]
pub(crate) struct Bijection {
    /// What the first binds of kind `Type`.
    pub(crate) rigids: Box<[u32]>,
    /// The holes that replace what the second binds.
    pub(crate) holes: Vec<Ty>,
    /// What the first binds of other kinds.
    pub(crate) sizes: Vec<Probe>,
}

/// Which of two types may leave sizes open that the other has: `?` of an annotation takes any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OpenSide {
    /// The first: what is written of a parameter, given an argument.
    First,
    /// The second.
    Second,
    /// Both: two branches.
    Both,
}

impl OpenSide {
    fn flipped(self) -> OpenSide {
        match self {
            OpenSide::First => OpenSide::Second,
            OpenSide::Second => OpenSide::First,
            OpenSide::Both => OpenSide::Both,
        }
    }
}

impl Infer<'_> {
    /// From now on both are the same type.
    pub(crate) fn unify(&mut self, a: Ty, b: Ty, open: OpenSide) -> Result<(), Clash> {
        self.unify_all(a, b, open)?;
        // What two quantified types bind is the same, each once.
        for Bijection {
            rigids,
            holes,
            sizes,
        } in std::mem::take(&mut self.bijections)
        {
            let mut used = Vec::with_capacity(holes.len());
            for hole in &holes {
                match self.table.get(*hole) {
                    Node::Rigid(r) if rigids.contains(r) && !used.contains(r) => used.push(*r),
                    Node::Hole { .. } | Node::Wrong => {}
                    _ => return Err(Clash::of(a, b)),
                }
            }
            // What the other side has a hole for is the parameter of that place, or one that is free.
            for (hole, own) in holes.into_iter().zip(rigids.iter()) {
                if !matches!(self.table.get(hole), Node::Hole { level } if *level >= BOUND) {
                    continue;
                }
                let mut free = std::iter::once(own).chain(rigids.iter());
                if let Some(r) = free.find(|r| !used.contains(*r)).copied() {
                    used.push(r);
                    self.table.set(hole, Node::Rigid(r));
                }
            }
            if let Some((_, why)) = self.narrowed(&sizes) {
                return Err(Clash::because(a, b, format!("a type parameter {why}")));
            }
        }
        Ok(())
    }

    fn unify_all(&mut self, a: Ty, b: Ty, open: OpenSide) -> Result<(), Clash> {
        let mut todo = vec![(a, b, open)];
        let mut seen: FxHashSet<(Ty, Ty, OpenSide)> = FxHashSet::default();
        let mut pairs = 0;
        while let Some((a, b, open)) = todo.pop() {
            let (a, b) = (self.table.find(a), self.table.find(b));
            if a == b || !seen.insert((a, b, open)) {
                continue;
            }
            pairs += 1;
            work(1);
            if pairs > MAX_PAIRS {
                return Err(Clash::limit(a, b, "the types are too large to be compared"));
            }
            let (one, other) = (self.table.get(a).clone(), self.table.get(b).clone());
            match (one, other) {
                (Node::Wrong, _) | (_, Node::Wrong) => self.absorb(a, b),
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
                        OpenSide::First => any,
                        OpenSide::Second => other_any,
                        OpenSide::Both => any | other_any,
                    };
                    if skip == 0 {
                        self.equate(value, other, a, b)?;
                        self.link_soft(a, b)?;
                        continue;
                    }
                    self.soft.remove(&a);
                    self.soft.remove(&b);
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
                    todo.extend(pairs.map(|(x, y)| (*x, *y, OpenSide::Both)));
                }
                (Node::Ref(x), Node::Ref(y)) => todo.push((x, y, OpenSide::Both)),
                (Node::Rigid(x), Node::Rigid(y)) if x == y => {}
                (Node::Poly(x), Node::Poly(y)) => {
                    if x.goals.len() != y.goals.len() || x.sizes.len() != y.sizes.len() {
                        return Err(Clash::of(a, b));
                    }
                    let (x, y) = self.both_opened(&x, &y).ok_or_else(|| Clash::of(a, b))?;
                    todo.push((x.inner, y.inner, open));
                    for (own, goal) in x.goals.iter().zip(&y.goals) {
                        let pairs = own.types().zip(goal.types());
                        todo.extend(pairs.map(|(x, y)| (x, y, OpenSide::Both)));
                    }
                }
                (Node::Poly(own), Node::Fn(..)) => {
                    let inner = self
                        .used_type(&own, own.at)
                        .ok_or_else(|| Clash::of(a, b))?;
                    todo.push((inner, b, open));
                }
                (Node::Fn(..), Node::Poly(own)) => {
                    let inner = self
                        .used_type(&own, own.at)
                        .ok_or_else(|| Clash::of(a, b))?;
                    todo.push((a, inner, open));
                }
                // What operators require of it is required of the parameter at each call.
                (
                    Node::Tensor { value, level, .. } | Node::Open { value, level },
                    Node::Rigid(_),
                ) if self.is_soft(a, value) => {
                    self.lower(b, level, a)?;
                    self.table.set(a, Node::Link(b));
                }
                (
                    Node::Rigid(_),
                    Node::Tensor { value, level, .. } | Node::Open { value, level },
                ) if self.is_soft(b, value) => {
                    self.lower(a, level, b)?;
                    self.table.set(b, Node::Link(a));
                }
                _ => return Err(Clash::of(a, b)),
            }
        }
        Ok(())
    }

    /// One of two types is that of an error: what is not known of the other stays so, and is of no interest any more.
    fn absorb(&mut self, a: Ty, b: Ty) {
        for (from, to) in [(a, b), (b, a)] {
            if let Node::Hole { .. } | Node::Open { .. } = self.table.get(from) {
                self.table.set(from, Node::Link(to));
                return;
            }
        }
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
                    is_limit: false,
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
            Err(conflict) if conflict.is_undecided() => {
                Err(Clash::limit(one, other, conflict.diagnostic.headline))
            }
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
                    is_limit: false,
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
        open: OpenSide,
        todo: &mut Vec<(Ty, Ty, OpenSide)>,
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
                    None => Err(Clash::limit(a, b, "the tuple is too large")),
                }
            }
            _ => Err(Clash::of(a, b)),
        }
    }

    /// Is all that is known of a tensor what operators require of it?
    fn is_soft(&self, ty: Ty, value: ValueId) -> bool {
        let is_open = matches!(self.table.get(ty), Node::Open { .. });
        (is_open || self.soft.contains(&ty)) && self.graph.known(value).is_none()
    }

    /// Two tensors that are the same are one type, if what is known of one comes from operators alone.
    fn link_soft(&mut self, a: Ty, b: Ty) -> Result<(), Clash> {
        let is_plain =
            |infer: &Infer<'_>, ty: Ty| matches!(infer.table.get(ty), Node::Tensor { any: 0, .. });
        for (from, to) in [(a, b), (b, a)] {
            if !self.soft.contains(&from) {
                continue;
            }
            if let (true, Node::Tensor { level, .. }) =
                (is_plain(self, to), self.table.get(from).clone())
            {
                self.lower(to, level, from)?;
                self.table.set(from, Node::Link(to));
                return Ok(());
            }
        }
        self.soft.remove(&a);
        self.soft.remove(&b);
        Ok(())
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
            let dims = ty.as_tensor().map(|t| t.shape.known_dims().to_vec());
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
