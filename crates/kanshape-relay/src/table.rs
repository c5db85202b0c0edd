//! Types while they are inferred: a table of nodes, of which each hole is filled at most once.
//!
//! A hole belongs to a level: how many generalised definitions it is inside of. What is newer than the definition that
//! is generalised is a parameter of its scheme. Tensors, and whatever else the graph knows of, are values of it.

use std::rc::Rc;

use kanshape::graph::{CallId, ValueId};
use kanshape::tree::Span;
use kanshape::tree::relay::Attr;

use crate::kinds::Kind;

/// The number of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ty(u32);

/// The level of what is a parameter of a scheme.
pub(crate) const GENERIC: u32 = u32::MAX;

/// The level of what a function type inside another type binds.
pub(crate) const BOUND: u32 = u32::MAX - 1;

/// A type.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// The same as another.
    Link(Ty),
    /// Not known so far.
    Hole {
        level: u32,
    },
    /// What an operator takes or gives: a tensor, or a tuple, as far as the graph knows.
    Open {
        value: ValueId,
        level: u32,
    },
    /// A tensor. `any` are the places of its dims that an annotation leaves open, `?`.
    Tensor {
        value: ValueId,
        any: u64,
        level: u32,
    },
    Tuple(Box<[Ty]>),
    Fn(Box<[Ty]>, Ty),
    /// An algebraic data type by its number.
    Adt(u32, Box<[Ty]>),
    Ref(Ty),
    /// A rigid type parameter.
    Rigid(u32),
    /// A function type with type parameters or requirements of its own, inside another type.
    Poly(Rc<Quantified>),
}

/// A function type inside another type, with what it binds and requires.
#[derive(Clone, Debug)]
pub(crate) struct Quantified {
    /// Its parameters of kind `Type`.
    pub(crate) rigids: Box<[u32]>,
    /// Its other parameters: a tensor for each, in which nothing else has a name.
    pub(crate) sizes: Box<[Probe]>,
    /// A tensor for each name of a size, a shape or a dtype that it has from around it.
    pub(crate) around: Box<[Ty]>,
    /// What has to hold at each call.
    pub(crate) goals: Box<[Goal]>,
    /// Where that is written.
    pub(crate) at: Span,
    /// The function.
    pub(crate) inner: Ty,
}

/// A type parameter, and a type of which it is the only part: itself, or a tensor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) kind: Kind,
    pub(crate) ty: Ty,
}

impl Quantified {
    /// The types that it is made of, the function first.
    fn parts(&self) -> impl Iterator<Item = Ty> + '_ {
        let sizes = self.sizes.iter().map(|size| size.ty);
        let goals = self.goals.iter().flat_map(Goal::types);
        let rest = sizes.chain(self.around.iter().copied()).chain(goals);
        std::iter::once(self.inner).chain(rest)
    }

    /// The same of other types.
    fn with(&self, new: impl Fn(&Ty) -> Ty) -> Quantified {
        let sizes = self.sizes.iter().map(|size| Probe {
            kind: size.kind,
            ty: new(&size.ty),
        });
        Quantified {
            rigids: self.rigids.clone(),
            sizes: sizes.collect(),
            around: self.around.iter().map(&new).collect(),
            goals: self.goals.iter().map(|goal| goal.with(&new)).collect(),
            at: self.at,
            inner: new(&self.inner),
        }
    }
}

/// An operator that is called with some attributes, on this many arguments.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// As it is written: `nn.dense`.
    pub(crate) name: Rc<str>,
    pub(crate) attrs: Rc<[Attr]>,
    pub(crate) call: CallId,
}

/// Something that has to hold of types.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// An operator gives this on these.
    Operator(Called, Vec<Ty>, Ty),
    /// The second is the field of the first.
    Field(Ty, u64, Ty),
}

impl Goal {
    pub(crate) fn types(&self) -> impl Iterator<Item = Ty> + '_ {
        let (args, first, last): (&[Ty], _, _) = match self {
            Goal::Operator(_, args, result) => (args, None, *result),
            Goal::Field(of, _, result) => (&[], Some(*of), *result),
        };
        args.iter().copied().chain(first).chain([last])
    }

    /// The same of other types.
    pub(crate) fn with(&self, mut new: impl FnMut(&Ty) -> Ty) -> Goal {
        match self {
            Goal::Operator(called, args, result) => {
                let args = args.iter().map(&mut new).collect();
                Goal::Operator(called.clone(), args, new(result))
            }
            Goal::Field(of, index, result) => Goal::Field(new(of), *index, new(result)),
        }
    }

    /// Is it the same relation between other types?
    pub(crate) fn is_like(&self, other: &Goal) -> bool {
        match (self, other) {
            (Goal::Operator(one, xs, _), Goal::Operator(two, ys, _)) => {
                one.name == two.name && one.attrs == two.attrs && xs.len() == ys.len()
            }
            (Goal::Field(_, i, _), Goal::Field(_, j, _)) => i == j,
            _ => false,
        }
    }
}

/// A rigid type parameter.
#[derive(Clone, Debug)]
pub(crate) struct Rigid {
    /// What it is called.
    pub(crate) name: Box<str>,
    /// The level that it must not leave.
    pub(crate) level: u32,
}

/// All types of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    nodes: Vec<Node>,
    /// How deeply each is nested, as far as that was known when it was made.
    depths: Vec<u32>,
    pub(crate) rigids: Vec<Rigid>,
}

impl Table {
    pub(crate) fn push(&mut self, node: Node) -> Ty {
        let depth = |parts: &[Ty]| {
            let deepest = parts.iter().map(|part| self.depth(*part)).max();
            deepest.map_or(0, |depth| depth + 1)
        };
        let depth = match &node {
            Node::Tuple(parts) | Node::Adt(_, parts) => depth(parts),
            Node::Fn(params, result) => depth(params).max(depth(&[*result])),
            Node::Poly(own) => depth(&[own.inner]),
            Node::Ref(inner) | Node::Link(inner) => depth(&[*inner]),
            Node::Hole { .. } | Node::Open { .. } | Node::Tensor { .. } | Node::Rigid(_) => 0,
        };
        self.depths.push(depth);
        self.nodes.push(node);
        Ty(self.nodes.len() as u32 - 1)
    }

    /// How deeply a type is nested, at least.
    pub(crate) fn depth(&self, ty: Ty) -> u32 {
        self.depths[self.root(ty).0 as usize]
    }

    pub(crate) fn rigid(&mut self, name: impl Into<Box<str>>, level: u32) -> u32 {
        let name = name.into();
        self.rigids.push(Rigid { name, level });
        self.rigids.len() as u32 - 1
    }

    /// The type that `ty` has come to be.
    pub(crate) fn find(&mut self, ty: Ty) -> Ty {
        let mut root = ty;
        while let Node::Link(next) = self.nodes[root.0 as usize] {
            root = next;
        }
        let mut at = ty;
        while let Node::Link(next) = self.nodes[at.0 as usize] {
            self.nodes[at.0 as usize] = Node::Link(root);
            at = next;
        }
        root
    }

    /// The same without a change.
    pub(crate) fn root(&self, ty: Ty) -> Ty {
        let mut root = ty;
        while let Node::Link(next) = self.nodes[root.0 as usize] {
            root = next;
        }
        root
    }

    pub(crate) fn get(&self, ty: Ty) -> &Node {
        &self.nodes[self.root(ty).0 as usize]
    }

    pub(crate) fn set(&mut self, ty: Ty, node: Node) {
        let root = self.find(ty);
        self.nodes[root.0 as usize] = node;
    }

    /// The types that a type is made of.
    pub(crate) fn parts(&self, ty: Ty, into: &mut Vec<Ty>) {
        match self.get(ty) {
            Node::Tuple(parts) | Node::Adt(_, parts) => into.extend(parts.iter()),
            Node::Fn(params, result) => {
                into.extend(params.iter());
                into.push(*result);
            }
            Node::Ref(inner) => into.push(*inner),
            Node::Poly(own) => into.extend(own.parts()),
            Node::Link(_)
            | Node::Hole { .. }
            | Node::Open { .. }
            | Node::Tensor { .. }
            | Node::Rigid(_) => {}
        }
    }

    /// Every type in `ty`, once, `ty` first.
    pub(crate) fn all_parts(&self, ty: Ty) -> Vec<Ty> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut all = Vec::new();
        let mut todo = vec![ty];
        while let Some(ty) = todo.pop() {
            let ty = self.root(ty);
            if seen.insert(ty) {
                all.push(ty);
                self.parts(ty, &mut todo);
            }
        }
        all
    }

    /// A type with other types in the place of some: `change` says which, and where to stop.
    /// What has no such type in it is itself.
    pub(crate) fn map(
        &mut self,
        ty: Ty,
        change: &mut dyn FnMut(&mut Table, Ty) -> Option<Ty>,
    ) -> Ty {
        enum Task {
            Visit(Ty),
            Build(Ty),
        }
        let mut done: rustc_hash::FxHashMap<Ty, Ty> = rustc_hash::FxHashMap::default();
        let mut tasks = vec![Task::Visit(ty)];
        let mut parts = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(ty) => {
                    let ty = self.find(ty);
                    if done.contains_key(&ty) {
                        continue;
                    }
                    if let Some(new) = change(self, ty) {
                        done.insert(ty, new);
                        continue;
                    }
                    parts.clear();
                    self.parts(ty, &mut parts);
                    if parts.is_empty() {
                        done.insert(ty, ty);
                        continue;
                    }
                    tasks.push(Task::Build(ty));
                    tasks.extend(parts.iter().map(|part| Task::Visit(*part)));
                }
                Task::Build(ty) => {
                    let new = |part: &Ty| {
                        let root = self.root(*part);
                        done.get(&root).copied().unwrap_or(root)
                    };
                    parts.clear();
                    self.parts(ty, &mut parts);
                    if parts.iter().all(|part| new(part) == self.root(*part)) {
                        done.insert(ty, ty);
                        continue;
                    }
                    let all = |parts: &[Ty]| parts.iter().map(new).collect::<Box<[Ty]>>();
                    let node = match self.get(ty) {
                        Node::Tuple(parts) => Node::Tuple(all(parts)),
                        Node::Adt(adt, parts) => Node::Adt(*adt, all(parts)),
                        Node::Fn(params, result) => Node::Fn(all(params), new(result)),
                        Node::Ref(inner) => Node::Ref(new(inner)),
                        Node::Poly(own) => Node::Poly(Rc::new(own.with(new))),
                        other => other.clone(),
                    };
                    let built = self.push(node);
                    done.insert(ty, built);
                }
            }
        }
        let root = self.root(ty);
        done.get(&root).copied().unwrap_or(root)
    }
}
