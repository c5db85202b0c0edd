//! One type for all that differ only in what their unknowns are called.

use super::answer::Answer;
use kanshape_syntax::tree::{Condition, DimItem, Expr, Ident, Spanned};
use kanshape_types::{
    Conditions, Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type,
    TypeKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The type with these conditions, in which a name that is not the user's stands only where it is
/// needed: one that is written once is a hole, the others are numbered in order of appearance.
pub(crate) fn canonical(
    ty: &Type,
    conditions: Vec<Condition>,
    is_user: &dyn Fn(&str) -> bool,
) -> Type {
    let mut naming = Naming::new(is_user);
    naming.count(ty);
    naming.count_conditions(&conditions);
    let conditions = naming.without_sets(conditions);
    let ty = naming.ty(ty);
    ty.with_conditions(naming.conditions(conditions))
}

/// The same of an answer, in which what a dtype can be stays a condition.
pub(super) fn canonical_answer(answer: &Answer, is_user: &dyn Fn(&str) -> bool) -> Answer {
    let mut naming = Naming::new(is_user);
    let types = answer.inputs.iter().chain(&answer.outputs);
    types.for_each(|ty| naming.count(ty));
    for (_, dim) in &answer.params {
        dim.for_each_name(&mut |name| naming.needs(name));
    }
    for (_, value) in &answer.attrs {
        value.for_each_name(&mut |name| naming.needs(name));
    }
    let conditions: Vec<Condition> = answer.conditions.iter().cloned().collect();
    naming.count_conditions(&conditions);
    let (params, attrs) = (answer.params.iter(), answer.attrs.iter());
    Answer {
        inputs: answer.inputs.iter().map(|ty| naming.ty(ty)).collect(),
        outputs: answer.outputs.iter().map(|ty| naming.ty(ty)).collect(),
        params: params
            .map(|(label, dim)| (label.clone(), dim.map_names(&mut |name| naming.any(name))))
            .collect(),
        attrs: attrs
            .map(|(label, value)| (label.clone(), value.map_names(&mut |name| naming.any(name))))
            .collect(),
        conditions: naming.conditions(conditions),
        absent: answer.absent.clone(),
    }
}

struct Naming<'a> {
    is_user: &'a dyn Fn(&str) -> bool,
    /// How often a name is written; where it can't be a hole, as in most places of a condition, it
    /// counts for more.
    uses: FxHashMap<Box<str>, usize>,
    names: FxHashMap<Box<str>, Name>,
    /// The dtypes that a variable denotes that is written in one place only.
    sets: FxHashMap<Box<str>, DtypeSet>,
    /// The names of dtypes and of types; all others are of sizes.
    dtypes: FxHashSet<Box<str>>,
    types: FxHashSet<Box<str>>,
    next: [usize; 3],
}

impl<'a> Naming<'a> {
    fn new(is_user: &'a dyn Fn(&str) -> bool) -> Naming<'a> {
        Naming {
            is_user,
            uses: FxHashMap::default(),
            names: FxHashMap::default(),
            sets: FxHashMap::default(),
            dtypes: FxHashSet::default(),
            types: FxHashSet::default(),
            next: [0; 3],
        }
    }

    /// A name stands where it can't be a hole.
    fn needs(&mut self, name: &str) {
        *self.uses.entry(name.into()).or_insert(0) += 2;
    }

    fn count_conditions(&mut self, conditions: &[Condition]) {
        for c in conditions {
            c.for_each_name(&mut |name| self.needs(name));
            // A whole dim of a list can be a hole, as one of a type can.
            c.for_each_item(&mut |item| {
                if let DimItem::Dim(Expr::Name(name)) | DimItem::Run(Some(name)) = item {
                    self.uses.entry(name.node.clone()).and_modify(|n| *n -= 1);
                }
            });
            if let Condition::Dtype(name, _) = c {
                self.dtypes.insert(name.node.clone());
            }
        }
    }

    /// The conditions without those that say which dtypes the only use of a variable can be, which is said there instead.
    fn without_sets(&mut self, mut conditions: Vec<Condition>) -> Vec<Condition> {
        conditions.retain(|c| !self.take_set(c));
        conditions
    }

    fn conditions(&mut self, conditions: Vec<Condition>) -> Conditions {
        let conditions = conditions.into_iter().map(|c| {
            let c = c.map_items(&mut |item| self.item(item));
            c.map_names(&mut |name| self.ident(name))
        });
        conditions.collect()
    }

    fn count(&mut self, ty: &Type) {
        let mut bump = |name: &str, by: usize| *self.uses.entry(name.into()).or_insert(0) += by;
        if let TypeKind::Var(name) = &ty.kind {
            bump(name, 1);
            self.types.insert(name.as_str().into());
        }
        if let Some(tensor) = ty.as_tensor() {
            if let DtypeTerm::Name(name) = &tensor.dtype {
                bump(name, 1);
                self.dtypes.insert(name.as_str().into());
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
                member.for_each_name(&mut |name| bump(name, 1));
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
            TypeKind::Var(name) => TypeKind::Var(self.any(name)).into(),
            TypeKind::Tensor(tensor) => self.tensor(tensor).into(),
            _ => ty.map_parts(&mut |part| self.ty(part)),
        }
    }

    fn tensor(&mut self, tensor: &Tensor) -> Tensor {
        let dtype = match &tensor.dtype {
            DtypeTerm::Name(name) => match self.sets.get(name.as_str()) {
                Some(set) => DtypeTerm::from(*set),
                None if self.is_hole(name) => DtypeTerm::Hole,
                None => DtypeTerm::Name(self.any(name)),
            },
            term => term.clone(),
        };
        let mut shape = Shape::default();
        for dim in tensor.shape.before() {
            shape.push(self.dim(dim));
        }
        let run = tensor.shape.run().map(|run| {
            let name = run.name.as_ref().filter(|n| !self.is_hole(n));
            name.map(|n| self.any(n))
        });
        let at = shape.known_dims().len();
        for dim in tensor.shape.after() {
            shape.push(self.dim(dim));
        }
        if let Some(name) = run {
            shape = shape.with_run(at, name);
        }
        let contents = tensor.contents.as_ref().map(|contents| {
            contents.map(&mut |member| {
                // What speaks of an unknown that stands nowhere else says nothing.
                let mut says = true;
                member.for_each_name(&mut |name| says &= !self.is_hole(name));
                match says {
                    true => member.map_leaves(&mut |name| Expr::Name(self.ident(name))),
                    false => Content::Hole,
                }
            })
        });
        Tensor::new(dtype, shape).with_contents(contents)
    }

    fn dim(&mut self, dim: &Dim) -> Dim {
        match dim {
            Dim::Name(name) if self.is_hole(name) => Dim::Hole,
            Dim::Name(name) => Dim::Name(self.any(name)),
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
        let called = self.any(&name.node);
        Spanned::new(called.as_str().into(), name.span)
    }

    fn any(&mut self, name: &str) -> Name {
        let is_dtype = Dtype::ALL.iter().any(|d| d.name() == name);
        if (self.is_user)(name) || is_dtype {
            return Name::word(name);
        }
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let kind = match () {
            () if self.dtypes.contains(name) => 1,
            () if self.types.contains(name) => 2,
            () => 0,
        };
        let next = &mut self.next[kind];
        let fresh = loop {
            let fresh = Name::word(format!("{}{next}", ['d', 't', 'A'][kind]));
            *next += 1;
            if !(self.is_user)(&fresh) {
                break fresh;
            }
        };
        self.names.insert(name.into(), fresh.clone());
        fresh
    }
}
