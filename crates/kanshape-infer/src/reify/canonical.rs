//! One type for all that differ only in what their unknowns are called.

use kanshape_syntax::tree::{Condition, DimItem, Expr, Ident, Spanned};
use kanshape_types::{
    Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, TypeKind,
};
use rustc_hash::FxHashMap;

/// The type with these conditions, in which a name that is not the user's stands only where it is
/// needed: one that is written once is a hole, the others are numbered in order of appearance.
pub(crate) fn canonical(
    ty: &Type,
    conditions: Vec<Condition>,
    is_user: &dyn Fn(&str) -> bool,
) -> Type {
    let mut naming = Naming {
        is_user,
        uses: FxHashMap::default(),
        names: FxHashMap::default(),
        sets: FxHashMap::default(),
        next: [0; 2],
    };
    naming.count(ty);
    for c in &conditions {
        let mut twice = |name: &str| *naming.uses.entry(name.into()).or_insert(0) += 2;
        c.for_each_name(&mut twice);
        // A whole dim of a list can be a hole, as one of a type can.
        c.for_each_item(&mut |item| {
            if let DimItem::Dim(Expr::Name(name)) | DimItem::Run(Some(name)) = item {
                naming.uses.entry(name.node.clone()).and_modify(|n| *n -= 1);
            }
        });
    }
    let conditions: Vec<Condition> = conditions
        .into_iter()
        .filter(|c| !naming.take_set(c))
        .collect();
    let ty = naming.ty(ty);
    let conditions = conditions.into_iter().map(|c| {
        let c = c.map_items(&mut |item| naming.item(item));
        c.map_names(&mut |name| naming.ident(name))
    });
    ty.with_conditions(conditions.collect())
}

struct Naming<'a> {
    is_user: &'a dyn Fn(&str) -> bool,
    /// How often a name is written; where it can't be a hole, as in most places of a condition, it
    /// counts for more.
    uses: FxHashMap<Box<str>, usize>,
    names: FxHashMap<Box<str>, Name>,
    /// The dtypes that a variable denotes that is written in one place only.
    sets: FxHashMap<Box<str>, DtypeSet>,
    next: [usize; 2],
}

impl Naming<'_> {
    fn count(&mut self, ty: &Type) {
        let mut bump = |name: &str, by: usize| *self.uses.entry(name.into()).or_insert(0) += by;
        if let TypeKind::Var(name) = &ty.kind {
            bump(name, 1);
        }
        if let Some(tensor) = ty.as_tensor() {
            if let DtypeTerm::Name(name) = &tensor.dtype {
                bump(name, 1);
            }
            if let Some(name) = tensor.shape.run().and_then(|r| r.name.as_ref()) {
                bump(name, 1);
            }
            for dim in &tensor.shape {
                match dim {
                    Dim::Name(name) => bump(name, 1),
                    Dim::Expr(e) => e.for_each_name(&mut |name| bump(name, 2)),
                    Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => {}
                }
            }
            for member in tensor.contents.iter().flat_map(Contents::iter) {
                // Inside an expression a name is needed, however rare.
                let by = if matches!(member, Content::Name(_)) {
                    1
                } else {
                    2
                };
                member.for_each_name(&mut |name| bump(name, by));
            }
        }
        ty.parts().for_each(|part| self.count(part));
    }

    /// A condition that says which dtypes the only use of a variable can be is said there instead.
    fn take_set(&mut self, c: &Condition) -> bool {
        let (name, set) = match c {
            Condition::Dtype(name, dtype) => {
                let dtype = Spanned::new(dtype.clone(), name.span);
                let term = DtypeTerm::from_tree(&dtype).ok();
                (name, term.map(|term| term.set()))
            }
            Condition::In(Expr::Name(name), values) => {
                let dtype = |e: &Expr| match e {
                    Expr::Name(n) => Dtype::ALL.into_iter().find(|d| d.name() == &*n.node),
                    _ => None,
                };
                (name, values.iter().map(dtype).collect::<Option<DtypeSet>>())
            }
            _ => return false,
        };
        // Once in the type, and once here.
        let once = self.uses.get(&name.node) == Some(&3);
        match set {
            Some(set) if once && !(self.is_user)(&name.node) => {
                self.sets.insert(name.node.clone(), set);
                true
            }
            _ => false,
        }
    }

    fn is_hole(&self, name: &str) -> bool {
        !(self.is_user)(name) && self.uses.get(name).copied().unwrap_or(0) <= 1
    }

    fn ty(&mut self, ty: &Type) -> Type {
        match &ty.kind {
            TypeKind::Var(name) if self.is_hole(name) => Type::UNKNOWN,
            TypeKind::Tensor(tensor) => self.tensor(tensor).into(),
            _ => ty.map_parts(&mut |part| self.ty(part)),
        }
    }

    fn tensor(&mut self, tensor: &Tensor) -> Tensor {
        let dtype = match &tensor.dtype {
            DtypeTerm::Name(name) => match self.sets.get(name.as_str()) {
                Some(set) => DtypeTerm::from(*set),
                None if self.is_hole(name) => DtypeTerm::Hole,
                None => DtypeTerm::Name(self.name(name, 't')),
            },
            term => term.clone(),
        };
        let mut shape = Shape::default();
        for dim in tensor.shape.before() {
            shape.push(self.dim(dim));
        }
        let run = tensor.shape.run().map(|run| {
            let name = run.name.as_ref().filter(|n| !self.is_hole(n));
            name.map(|n| self.name(n, 'd'))
        });
        let at = shape.known_dims().len();
        for dim in tensor.shape.after() {
            shape.push(self.dim(dim));
        }
        if let Some(name) = run {
            shape = shape.with_run(at, name);
        }
        let contents = tensor.contents.as_ref().map(|contents| {
            contents.map(&mut |member| match member {
                Content::Name(name) if self.is_hole(name) => Content::Hole,
                member => member.map_leaves(&mut |name| Expr::Name(self.ident(name))),
            })
        });
        Tensor::new(dtype, shape).with_contents(contents)
    }

    fn dim(&mut self, dim: &Dim) -> Dim {
        match dim {
            Dim::Name(name) if self.is_hole(name) => Dim::Hole,
            Dim::Name(name) => Dim::Name(self.name(name, 'd')),
            Dim::Expr(e) => Dim::expr((**e).clone().map_names(&mut |name| self.ident(name))),
            dim => dim.clone(),
        }
    }

    /// A dim of a list in a condition, with a hole for a name that stands nowhere else.
    fn item(&self, item: DimItem) -> DimItem {
        match item {
            DimItem::Dim(Expr::Name(name)) if self.is_hole(&name.node) => DimItem::Hole,
            DimItem::Run(Some(name)) if self.is_hole(&name.node) => DimItem::Run(None),
            item => item,
        }
    }

    fn ident(&mut self, name: Ident) -> Ident {
        let dtype = name.node.starts_with('t');
        let called = self.name(&name.node, if dtype { 't' } else { 'd' });
        Spanned::new(called.as_str().into(), name.span)
    }

    fn name(&mut self, name: &str, letter: char) -> Name {
        let dtype = Dtype::ALL.iter().any(|d| d.name() == name);
        if (self.is_user)(name) || dtype {
            return Name::word(name);
        }
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let next = &mut self.next[usize::from(letter == 't')];
        let fresh = loop {
            let fresh = Name::word(format!("{letter}{next}"));
            *next += 1;
            if !(self.is_user)(&fresh) {
                break fresh;
            }
        };
        self.names.insert(name.into(), fresh.clone());
        fresh
    }
}
