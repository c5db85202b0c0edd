//! What follows from the conditions of a type.

use super::conditions;
use super::instance::of_items;
use crate::reify::{self, NameScope, state_all};
use kanshape_engine::State;
use kanshape_rules::encode::sizes;
use kanshape_syntax::tree::{CmpOp, Condition, DimItem, Expr, Span, Spanned};
use kanshape_types::{Dim, Dtype, DtypeSet, DtypeTerm, Name, Promotion, Shape, Type, TypeKind};

/// What is known of the names in some types.
pub(super) struct Facts {
    conditions: Vec<Condition>,
    dtypes: Vec<Name>,
}

impl Facts {
    /// The conditions of one type; `others` tell which names are those of dtypes.
    pub(super) fn of(ty: &Type, others: &[&Type]) -> Facts {
        let mut dtypes = Vec::new();
        for ty in others.iter().copied().chain([ty]) {
            dtype_names(ty, &mut dtypes);
        }
        Facts {
            conditions: conditions(ty),
            dtypes,
        }
    }

    /// Does the condition follow? That it could not be found out counts as no.
    pub(super) fn imply(&self, c: &Condition) -> bool {
        reify::implied(&self.conditions, &self.dtypes, c, Promotion::default())
    }

    /// Are there no conditions on the names?
    pub(super) fn are_none(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Are the two dims one size?
    pub(super) fn equal(&self, a: &Dim, b: &Dim) -> bool {
        if matches!((a, b), (Dim::Hole, _) | (_, Dim::Hole)) {
            return false;
        }
        if a == b {
            return true;
        }
        let solved = |d: &Dim| matches!(d, Dim::Expr(_));
        if self.conditions.is_empty() && !solved(a) && !solved(b) {
            return false;
        }
        match (a.to_tree(), b.to_tree()) {
            (DimItem::Dim(a), DimItem::Dim(b)) => {
                self.imply(&Condition::Compare(a, vec![(CmpOp::Eq, b)]))
            }
            _ => false,
        }
    }

    /// Is the shape within another, in which a run has a name?
    pub(super) fn fits(&self, a: &Shape, b: &Shape) -> bool {
        let Some(name) = b.run().and_then(|run| run.name.as_ref()) else {
            return false;
        };
        let (before, after) = (b.before().len(), b.after().len());
        let items = a.to_tree();
        let Some(left) = items.len().checked_sub(before + after) else {
            return false;
        };
        let is_dim = |item: &Spanned<DimItem>| !matches!(item.node, DimItem::Run(_));
        let (first, rest) = items.split_at(before);
        let (middle, last) = rest.split_at(left);
        if !first.iter().chain(last).all(is_dim) {
            return false;
        }
        // An unknown dim in the middle is not the one in its place that the list would mean.
        let known = middle
            .iter()
            .all(|item| !matches!(item.node, DimItem::Hole | DimItem::Run(None)));
        let dims = a.known_dims();
        let pairs = dims.iter().zip(b.before());
        let mut pairs = pairs.chain(dims[dims.len() - after..].iter().zip(b.after()));
        let run = Expr::Run(Some(Spanned::new(name.as_str().into(), Span::default())));
        let list = Expr::List(middle.to_vec());
        known
            && pairs.all(|(a, b)| *b == Dim::Hole || self.equal(a, b))
            && self.imply(&Condition::Compare(run, vec![(CmpOp::Eq, list)]))
    }

    /// The shape with the dims of its run, if they are known.
    pub(super) fn spelled(&self, shape: &Shape) -> Shape {
        let mut items = Vec::new();
        for item in shape.to_tree() {
            match &item.node {
                DimItem::Run(Some(name)) => match self.dims_of(&name.node) {
                    Some(dims) => items.extend(dims.iter().cloned()),
                    None => items.push(item),
                },
                _ => items.push(item),
            }
        }
        of_items(items, &mut Expr::Name)
    }

    fn dims_of(&self, run: &str) -> Option<&[Spanned<DimItem>]> {
        self.conditions.iter().find_map(|c| match c {
            Condition::Compare(Expr::Run(Some(name)), rest) if &*name.node == run => {
                match &rest[..] {
                    [(CmpOp::Eq, Expr::List(dims))] => Some(&dims[..]),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// The dtypes that a term can be.
    pub(super) fn set(&self, term: &DtypeTerm) -> DtypeSet {
        let DtypeTerm::Name(name) = term else {
            return term.set();
        };
        let mut known = NameScope::new(self.dtypes.iter().cloned(), &self.conditions);
        let mut state = State::with_members(sizes());
        let stated = state_all(
            &mut state,
            &mut known,
            &self.conditions,
            Promotion::default(),
        );
        match stated {
            Ok(()) => known.dtypes_of(&mut state, name),
            Err(_) => DtypeSet::ANY,
        }
    }

    /// The dtype that a term must be, if there is only one.
    pub(super) fn dtype(&self, term: &DtypeTerm) -> Option<Dtype> {
        self.set(term).single()
    }
}

/// The names of unknowns in a type and in its conditions.
pub(super) fn names(ty: &Type) -> Vec<String> {
    let mut all = Vec::new();
    let is_dtype = |name: &str| Dtype::ALL.iter().any(|d| d.name() == name);
    let mut add = |name: &str| {
        if !is_dtype(name) {
            all.push(name.to_owned());
        }
    };
    match &ty.kind {
        TypeKind::Var(name) => add(name),
        TypeKind::Tensor(tensor) => {
            if let DtypeTerm::Name(name) = &tensor.dtype {
                add(name);
            }
            Expr::List(tensor.shape.to_tree()).for_each_name(&mut add);
            if let Some(contents) = &tensor.contents {
                contents.for_each_name(&mut add);
            }
        }
        _ => {}
    }
    ty.conditions.iter().for_each(|c| c.for_each_name(&mut add));
    ty.parts().for_each(|part| all.extend(names(part)));
    all
}

fn dtype_names(ty: &Type, into: &mut Vec<Name>) {
    if let Some(DtypeTerm::Name(name)) = ty.as_tensor().map(|t| &t.dtype)
        && !into.contains(name)
    {
        into.push(name.clone());
    }
    ty.parts().for_each(|part| dtype_names(part, into));
}
