//! Names for what is unknown, in order of first print.

use super::attribute::DraftAttr;
use super::draft::{Draft, DraftContent, DraftDim, DraftDtype};
use super::naming::{Identity, Naming, Unnamed, ident};
use kanshape_engine::Var;
use kanshape_rules::encode::size::normal;
use kanshape_rules::encode::{Given, Identities, What, normal_condition};
use kanshape_syntax::tree::{Condition, DimItem, Expr, Func, Ident};
use kanshape_types::{Content, Contents, Dim, DtypeTerm, Name, Shape, Tensor, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gives the unknowns their names, in order of first print.
pub(super) struct Finish {
    counts: FxHashMap<Box<str>, usize>,
    names: FxHashMap<Box<str>, Name>,
    /// The names of the user, in the order in which they are written.
    users: Vec<Name>,
    taken: FxHashSet<Name>,
    runs: FxHashMap<Var, Name>,
    dtypes: FxHashMap<Var, Name>,
    types: FxHashMap<Var, Name>,
    identities: Identities,
    fresh_dtypes: Vec<Name>,
    /// How many names of each kind there have been.
    next: [usize; 3],
}

/// What a fresh name denotes: `d0`, `t0`, `A0`.
#[derive(Clone, Copy)]
enum Fresh {
    Dim,
    Dtype,
    Type,
}

impl Finish {
    pub(super) fn new(given: &Given, naming: &Naming<'_>) -> Finish {
        Finish {
            counts: FxHashMap::default(),
            names: FxHashMap::default(),
            users: given.names.iter().map(|u| u.name.clone()).collect(),
            taken: given.names.iter().map(|u| u.name.clone()).collect(),
            runs: naming.runs.clone(),
            dtypes: naming.dtypes.clone(),
            types: naming.types.clone(),
            identities: given.identities.clone(),
            fresh_dtypes: Vec::new(),
            next: [0; 3],
        }
    }

    /// Counts how often each unknown is written.
    pub(super) fn count(
        &mut self,
        drafts: &[Draft],
        params: &[(Name, Expr)],
        attrs: &[(Name, DraftAttr)],
        conditions: &[Condition],
        open: &[Var],
    ) {
        let mut counts = std::mem::take(&mut self.counts);
        let mut once: Vec<Box<str>> = Vec::new();
        let mut bump = |name: &str| {
            if Unnamed::is(name) {
                *counts.entry(name.into()).or_insert(0) += 1;
            }
        };
        for d in drafts {
            if d.called.is_some() {
                continue;
            }
            if let DraftDtype::Open(v) = d.dtype {
                bump(&Unnamed::name(v));
            }
            for dim in &d.dims {
                match dim {
                    DraftDim::Given(_) => {}
                    // Inside an expression a name is needed, however rare.
                    DraftDim::Expr(e @ Expr::Name(_)) => e.for_each_name(&mut bump),
                    DraftDim::Expr(e) => {
                        e.for_each_name(&mut bump);
                        e.for_each_name(&mut bump);
                    }
                    DraftDim::Run(v) => bump(&Unnamed::name(*v)),
                }
            }
        }
        for content in drafts.iter().flat_map(|d| d.contents.iter().flatten()) {
            if let DraftContent::Expr(e) = content {
                e.for_each_name(&mut bump);
            }
        }
        for (_, e) in params {
            e.for_each_name(&mut bump);
            e.for_each_name(&mut bump);
        }
        for (_, attr) in attrs {
            attr.for_each_expr(&mut |e| {
                e.for_each_name(&mut bump);
                e.for_each_name(&mut bump);
            });
        }
        for c in conditions {
            for _ in 0..2 {
                c.for_each_name(&mut bump);
            }
            // A whole dim of a list can be a hole, as one of a type can.
            c.for_each_item(&mut |item| {
                if let DimItem::Dim(Expr::Name(name)) | DimItem::Run(Some(name)) = item {
                    once.push(name.node.clone());
                }
            });
        }
        for v in open {
            bump(&Unnamed::name(*v));
        }
        for name in once {
            counts.entry(name).and_modify(|n| *n -= 1);
        }
        self.counts = counts;
    }

    pub(super) fn ty(&mut self, draft: Draft) -> Type {
        if let Some(name) = draft.called {
            return TypeKind::Var(name).into();
        }
        let dtype = match draft.dtype {
            DraftDtype::Known(d) => DtypeTerm::Known(d),
            DraftDtype::Open(v) => match self.dtypes.get(&v) {
                Some(user) => DtypeTerm::Name(user.clone()),
                None => self.dtype(&Unnamed::name(v)),
            },
        };
        let mut shape = Shape::default();
        let mut run = None;
        for dim in draft.dims {
            match dim {
                DraftDim::Given(dim) => shape.push(dim),
                DraftDim::Expr(Expr::Name(n)) if self.is_hole(&n.node) => shape.push(Dim::Hole),
                DraftDim::Expr(e) => shape.push(self.dim(e)),
                DraftDim::Run(v) => {
                    let text = Unnamed::name(v);
                    let name = match self.runs.get(&v) {
                        Some(user) => Some(user.clone()),
                        None if self.is_hole(&text) => None,
                        None => Some(self.fresh(&text)),
                    };
                    run = Some((shape.dims().len(), name));
                }
            }
        }
        if let Some((at, name)) = run {
            shape = shape.with_run(at, name);
        }
        let tensor = Tensor::new(dtype, shape);
        let Some(contents) = draft.contents else {
            return tensor.into();
        };
        let contents = contents.into_iter().map(|c| self.content(c));
        let contents = Contents::new(contents.collect::<Vec<Content>>());
        tensor
            .with_contents(contents.filter(|c| c.is_empty() || c.say_something()))
            .into()
    }

    /// A member of the contents. What speaks of an unknown that stands nowhere else says nothing.
    fn content(&mut self, content: DraftContent) -> Content {
        match content {
            DraftContent::Value(value) => value,
            DraftContent::Expr(e) => {
                let mut says = true;
                e.for_each_name(&mut |n| says &= !self.is_hole(n));
                match says {
                    true => Content::from(self.dim(e)),
                    false => Content::Hole,
                }
            }
        }
    }

    /// A type of which nothing is known. It gets a name where it stands in more than one place.
    pub(super) fn open(&mut self, v: Var) -> Type {
        if let Some(user) = self.types.get(&v) {
            return TypeKind::Var(user.clone()).into();
        }
        let text = Unnamed::name(v);
        if self.is_hole(&text) {
            return Type::UNKNOWN;
        }
        TypeKind::Var(self.fresh_of(&text, Fresh::Type)).into()
    }

    fn is_hole(&self, name: &str) -> bool {
        Unnamed::is(name) && self.counts.get(name).copied().unwrap_or(0) <= 1
    }

    fn dtype(&mut self, text: &str) -> DtypeTerm {
        if self.is_hole(text) {
            return DtypeTerm::Hole;
        }
        DtypeTerm::Name(self.fresh_dtype(text))
    }

    fn fresh_dtype(&mut self, text: &str) -> Name {
        let name = self.fresh_of(text, Fresh::Dtype);
        if !self.fresh_dtypes.contains(&name) {
            self.fresh_dtypes.push(name.clone());
        }
        name
    }

    fn fresh(&mut self, text: &str) -> Name {
        self.fresh_of(text, Fresh::Dim)
    }

    fn fresh_of(&mut self, text: &str, kind: Fresh) -> Name {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let letter = ['d', 't', 'A'][kind as usize];
        let next = &mut self.next[kind as usize];
        let name = loop {
            let name = Name::from(format!("{letter}{next}"));
            *next += 1;
            if !self.taken.contains(&name) {
                break name;
            }
        };
        self.names.insert(text.into(), name.clone());
        name
    }

    fn ident(&mut self, i: Ident, dtype: bool) -> Ident {
        if !Unnamed::is(&i.node) {
            return i;
        }
        let name = if dtype {
            self.fresh_dtype(&i.node)
        } else {
            self.fresh(&i.node)
        };
        ident(&name)
    }

    pub(super) fn expr(&mut self, e: Expr) -> Expr {
        self.expr_of(e, false)
    }

    /// A size, in normal form.
    pub(super) fn dim(&mut self, e: Expr) -> Dim {
        let e = self.expr(e);
        Dim::expr(normal(e, self.users.iter()))
    }

    fn expr_of(&mut self, e: Expr, dtype: bool) -> Expr {
        e.map_leaves(&mut |name| self.leaf(name, dtype))
    }

    fn leaf(&mut self, name: Ident, dtype: bool) -> Expr {
        match Identity::of(&name.node).and_then(|i| self.identities.nth(i)) {
            Some(nominal) => Expr::Nominal(Box::new(nominal.to_tree())),
            None => Expr::Name(self.ident(name, dtype)),
        }
    }

    pub(super) fn condition(&mut self, c: Condition) -> Condition {
        let promotes = |e: &Expr| matches!(e, Expr::Call(Func::Promote, _)) || self.is_dtype(e);
        let dtype = match &c {
            Condition::Compare(..) => c.parts().into_iter().any(promotes),
            Condition::In(_, values) => values
                .iter()
                .any(|v| matches!(v, Expr::Name(name) if Identity::of(&name.node).is_none())),
            Condition::Dtype(..) => true,
        };
        let c = c
            .map_items(&mut |item| self.item(item))
            .map_leaves(&mut |name| self.leaf(name, dtype));
        match dtype {
            true => c,
            false => normal_condition(c, self.users.iter()),
        }
    }

    /// A dim of a list.
    fn item(&mut self, item: DimItem) -> DimItem {
        match item {
            DimItem::Dim(Expr::Name(name)) if self.is_hole(&name.node) => DimItem::Hole,
            DimItem::Dim(e) => DimItem::Dim(self.expr(e)),
            DimItem::Run(Some(name)) if self.is_hole(&name.node) => DimItem::Run(None),
            DimItem::Run(name) => DimItem::Run(name.map(|name| self.ident(name, false))),
            DimItem::Hole => DimItem::Hole,
        }
    }

    fn is_dtype(&self, e: &Expr) -> bool {
        match e {
            Expr::Name(n) => self
                .names
                .get(&n.node)
                .is_some_and(|n| self.fresh_dtypes.contains(n)),
            _ => false,
        }
    }

    pub(super) fn dtype_names(&self, given: &Given) -> Vec<Name> {
        let users = given.names.iter().filter_map(|u| match u.what {
            What::Dtype(_) => Some(u.name.clone()),
            _ => None,
        });
        users.chain(self.fresh_dtypes.iter().cloned()).collect()
    }
}
