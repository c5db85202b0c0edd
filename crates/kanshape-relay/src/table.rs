//! Types while they are inferred: a table of nodes, of which each hole is filled at most once.
//!
//! A hole belongs to a level: how many generalised definitions it is inside of. What is newer than the definition that
//! is generalised is a parameter of its scheme. Tensors, and whatever else the graph knows of, are values of it.

use kanshape::graph::ValueId;

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
    /// A function type with type parameters, inside another type.
    Poly(Box<[u32]>, Ty),
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
            Node::Ref(inner) | Node::Poly(_, inner) | Node::Link(inner) => depth(&[*inner]),
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
            Node::Ref(inner) | Node::Poly(_, inner) => into.push(*inner),
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
                        Node::Poly(binders, inner) => Node::Poly(binders.clone(), new(inner)),
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
