//! Types with the names that they are written with.

use std::rc::Rc;

use kanshape::graph::ValueId;
use kanshape::tree::relay::{self, Binder, FnType, Relation, Type};
use kanshape::tree::{Expr as Size, Ident, Span, Spanned};
use kanshape::{Dim, DtypeTerm, Name};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::infer::Infer;
use crate::kinds::Kind;
use crate::notation::dtype_name;
use crate::table::{Goal, Node, Probe, Ty};

/// A type is written with this many parts at most.
pub(super) const MAX_PARTS: usize = 20_000;
/// And so deeply nested.
const MAX_NESTING: usize = 100;

pub(super) fn at() -> Span {
    Span::default()
}

pub(super) fn ident(name: &str) -> Ident {
    Spanned::new(name.into(), at())
}

pub(super) fn sp<T>(node: T) -> Spanned<T> {
    Spanned::new(node, at())
}

/// What types are written with.
pub(super) struct TypeWriter<'i> {
    pub(super) infer: &'i Infer<'i>,
    /// The types of values, read once.
    types: Rc<FxHashMap<ValueId, kanshape::Type>>,
    /// What holes and type parameters are called.
    pub(super) names: FxHashMap<Ty, Box<str>>,
    pub(super) rigids: FxHashMap<u32, Box<str>>,
    /// Sizes and dtypes of the graph that occur once.
    pub(super) single: FxHashSet<Name>,
    /// What the names of the graph are called.
    originals: FxHashMap<Name, Box<str>>,
    parts: usize,
    pub(super) is_cut: bool,
}

/// Calls `f` with each name of a size, a shape or a dtype.
pub(super) fn each_name(ty: &kanshape::Type, f: &mut dyn FnMut(&Name)) {
    let Some(tensor) = ty.as_tensor() else {
        return;
    };
    if let DtypeTerm::Name(name) = &tensor.dtype {
        f(name);
    }
    if let Some(name) = tensor.shape.run().and_then(|run| run.name.as_ref()) {
        f(name);
    }
    for dim in tensor.shape.known_dims() {
        match dim {
            Dim::Name(name) => f(name),
            Dim::Expr(e) => {
                let _ = (**e).clone().map_leaves(&mut |leaf| {
                    f(&Name::word(&*leaf.node));
                    Size::Name(leaf)
                });
            }
            _ => {}
        }
    }
}

impl<'i> TypeWriter<'i> {
    pub(super) fn new(
        infer: &'i Infer<'_>,
        types: Rc<FxHashMap<ValueId, kanshape::Type>>,
        all: &[Ty],
    ) -> TypeWriter<'i> {
        let mut count: FxHashMap<Name, usize> = FxHashMap::default();
        let mut order: Vec<Name> = Vec::new();
        for ty in all {
            for part in infer.in_order(*ty) {
                let (Node::Tensor { value, .. } | Node::Open { value, .. }) = infer.table.get(part)
                else {
                    continue;
                };
                if let Some(ty) = types.get(value) {
                    each_name(ty, &mut |name| {
                        *count.entry(name.clone()).or_insert(0) += 1;
                        order.push(name.clone());
                    });
                }
            }
        }
        // Two names of the graph that come from one name of two functions stay different.
        let mut originals: FxHashMap<Name, Box<str>> = FxHashMap::default();
        let mut used: FxHashSet<Box<str>> = FxHashSet::default();
        for name in &order {
            if originals.contains_key(name) {
                continue;
            }
            let own = infer.originals.get(name);
            let own = own.cloned().unwrap_or_else(|| name.as_str().into());
            // The name that it has in the graph may be what another one is called.
            let numbered = (1..).map(|i| format!("{own}_{i}").into());
            let mut free = [own.clone(), name.as_str().into()]
                .into_iter()
                .chain(numbered);
            let own = free.find(|own| used.insert(own.clone())).unwrap_or(own);
            originals.insert(name.clone(), own);
        }
        let single =
            |name: &Name| count.get(name) == Some(&1) && !infer.originals.contains_key(name);
        let single = order.iter().filter(|name| single(name)).cloned().collect();
        TypeWriter {
            infer,
            types,
            names: FxHashMap::default(),
            rigids: FxHashMap::default(),
            single,
            originals,
            parts: 0,
            is_cut: false,
        }
    }

    pub(super) fn name_holes(&mut self, names: &[(Ty, String)]) {
        for (ty, name) in names {
            self.names.insert(*ty, name.as_str().into());
        }
    }

    pub(super) fn original(&self, name: &Name) -> Box<str> {
        match self.originals.get(name) {
            Some(own) => own.clone(),
            None => name.as_str().into(),
        }
    }

    pub(super) fn ty(&mut self, ty: Ty, depth: usize) -> Type {
        self.parts += 1;
        if depth > MAX_NESTING || self.parts > MAX_PARTS {
            self.is_cut = true;
            return Type::Hole;
        }
        let ty = self.infer.table.root(ty);
        if let Some(name) = self.names.get(&ty) {
            return Type::Name(ident(name));
        }
        match self.infer.table.get(ty) {
            Node::Link(_) | Node::Hole { .. } | Node::Wrong => Type::Hole,
            Node::Tensor { value, .. } | Node::Open { value, .. } => {
                let known = self.types.get(value).cloned().unwrap_or_default();
                self.value(&known)
            }
            Node::Tuple(fields) => Type::Tuple(self.all(fields, depth)),
            Node::Fn(params, result) => Type::Fn(Box::new(FnType {
                binders: Vec::new(),
                params: self.all(params, depth),
                result: sp(self.ty(*result, depth + 1)),
                constraints: Vec::new(),
            })),
            Node::Adt(adt, args) => {
                let name = self.infer.adts.get(*adt).name.clone();
                match args.is_empty() {
                    true => Type::Name(ident(&name)),
                    false => Type::Apply(ident(&name), self.all(args, depth)),
                }
            }
            Node::Ref(inner) => Type::Ref(Box::new(sp(self.ty(*inner, depth + 1)))),
            Node::Rigid(r) => {
                let name = match self.rigids.get(r) {
                    Some(name) => name.clone(),
                    None => self.infer.table.rigids[*r as usize].name.clone(),
                };
                match name.strip_prefix('\'') {
                    Some(name) => Type::Rigid(ident(name), None),
                    None => Type::Name(ident(&name)),
                }
            }
            Node::Poly(own) => {
                let binder = |name: &str, kind: Option<Kind>| Binder {
                    name: ident(name.trim_start_matches('\'')),
                    is_rigid: name.starts_with('\''),
                    kind: kind.map(|kind| ident(kind.name())),
                };
                let rigids = own.rigids.iter();
                let rigids =
                    rigids.map(|r| binder(&self.infer.table.rigids[*r as usize].name, None));
                let mut binders: Vec<Binder> = rigids.collect();
                for size in &own.sizes {
                    if let Some(name) = self.name_of(size) {
                        binders.push(binder(&name, Some(size.kind)));
                    }
                }
                let goals = own.goals.iter();
                let constraints = goals
                    .map(|goal| sp(self.relation(goal, depth + 1)))
                    .collect();
                match self.ty(own.inner, depth) {
                    Type::Fn(function) => Type::Fn(Box::new(FnType {
                        binders,
                        constraints,
                        ..*function
                    })),
                    ty => ty,
                }
            }
        }
    }

    /// What a size, a shape or a dtype that a function type binds is called.
    fn name_of(&self, probe: &Probe) -> Option<Box<str>> {
        let Node::Tensor { value, .. } = self.infer.table.get(probe.ty) else {
            return None;
        };
        let tensor = self.types.get(value)?.as_tensor()?;
        let name = match probe.kind {
            Kind::ShapeVar => match tensor.shape.known_dims().first()? {
                Dim::Name(name) => name,
                _ => return None,
            },
            Kind::Shape => tensor.shape.run()?.name.as_ref()?,
            _ => match &tensor.dtype {
                DtypeTerm::Name(name) => name,
                _ => return None,
            },
        };
        Some(self.original(name))
    }

    fn all(&mut self, types: &[Ty], depth: usize) -> Vec<Spanned<Type>> {
        types.iter().map(|ty| sp(self.ty(*ty, depth + 1))).collect()
    }

    /// A type of the graph.
    fn value(&self, ty: &kanshape::Type) -> Type {
        use kanshape::types::TypeKind;
        match &ty.kind {
            TypeKind::Tensor(tensor) => self.tensor(tensor),
            TypeKind::Tuple(fields) => {
                Type::Tuple(fields.iter().map(|field| sp(self.value(field))).collect())
            }
            _ => Type::Hole,
        }
    }

    fn tensor(&self, tensor: &kanshape::Tensor) -> Type {
        let dtype = match &tensor.dtype {
            DtypeTerm::Known(dtype) => relay::Dtype::Name(ident(&dtype_name(*dtype))),
            DtypeTerm::Name(name) if !self.single.contains(name) => {
                relay::Dtype::Name(ident(&self.original(name)))
            }
            _ => relay::Dtype::Hole,
        };
        let shape = &tensor.shape;
        if shape.rank() == Some(0)
            && let relay::Dtype::Name(name) = &dtype
            && tensor.dtype.known().is_some()
        {
            return Type::Name(name.clone());
        }
        let dim = |dim: &Dim| {
            sp(match dim {
                Dim::Size(n) => relay::Dim::Expr(Size::Int(*n)),
                Dim::Name(name) if self.single.contains(name) => relay::Dim::Any,
                Dim::Name(name) => relay::Dim::Expr(Size::Name(ident(&self.original(name)))),
                Dim::Expr(e) => relay::Dim::Expr((**e).clone().map_leaves(&mut |leaf| {
                    Size::Name(ident(&self.original(&Name::word(&*leaf.node))))
                })),
                Dim::Nominal(n) => relay::Dim::Expr(Size::Int(n.size)),
                Dim::Hole => relay::Dim::Any,
            })
        };
        let mut dims: Vec<Spanned<relay::Dim>> = shape.before().iter().map(dim).collect();
        if let Some(run) = shape.run() {
            let name = run
                .name
                .as_ref()
                .filter(|name| !self.single.contains(*name));
            let name = name.map(|name| ident(&self.original(name)));
            if shape.known_dims().is_empty() {
                let shape = name.map_or(relay::Shape::Hole, relay::Shape::Name);
                return Type::Tensor(sp(shape), dtype);
            }
            dims.push(sp(relay::Dim::Rest(name)));
            dims.extend(shape.after().iter().map(dim));
        }
        Type::Tensor(sp(relay::Shape::Dims(dims)), dtype)
    }

    pub(super) fn relation(&mut self, goal: &Goal, depth: usize) -> Relation {
        let (name, attrs) = match goal {
            Goal::Operator(called, ..) => (called.name.to_string(), called.attrs.to_vec()),
            Goal::Field(_, index, _) => (format!("TupleGetItem:{index}"), Vec::new()),
        };
        let types: Vec<Ty> = goal.types().collect();
        Relation {
            name: ident(&name),
            args: Some(types.into_iter().map(|ty| sp(self.ty(ty, depth))).collect()),
            attrs,
        }
    }
}
