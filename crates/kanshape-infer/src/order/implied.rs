//! What follows from the conditions of a type.

use super::conditions;
use crate::lower::sizes;
use crate::reify::{self, Known, state_all};
use kanshape_engine::State;
use kanshape_syntax::tree::{CmpOp, Condition, DimItem};
use kanshape_types::{Dim, Dtype, DtypeSet, DtypeTerm, Name, Promotion, Type};

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

    /// The dtypes that a term can be.
    pub(super) fn set(&self, term: &DtypeTerm) -> DtypeSet {
        let DtypeTerm::Name(name) = term else {
            return term.set();
        };
        let mut known = Known::new(self.dtypes.iter().cloned(), &self.conditions);
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

fn dtype_names(ty: &Type, into: &mut Vec<Name>) {
    if let Some(DtypeTerm::Name(name)) = ty.as_tensor().map(|t| &t.dtype)
        && !into.contains(name)
    {
        into.push(name.clone());
    }
    ty.parts().for_each(|part| dtype_names(part, into));
}
