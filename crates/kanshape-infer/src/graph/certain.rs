//! What is certain of the outputs of a node that cannot be: what follows from the facts that are no part of its conflict, and so
//! holds whichever of the others is wrong.

use super::known::ValueState;
use super::{Graph, ValueId};
use crate::limits::{CHANGE_STEPS, CORE_RETRY_STEPS, MAX_DISPUTED_ANSWERS};
use crate::{Query, order};
use kanshape_engine::Budget;
use kanshape_types::{Conditions, Dim, DtypeTerm, Shape, Tensor, Type, TypeKind};

impl Graph {
    /// Outputs of a node that cannot be, as far as they are certain.
    pub(super) fn push_certain(&mut self, types: &[Type], count: usize) {
        for i in 0..count {
            let ty = types.get(i).map(|ty| self.with_own_names(ty));
            match ty.and_then(|ty| self.certain(&ty)) {
                Some(known) => drop(self.push_value(known)),
                None => drop::<ValueId>(self.unknown()),
            }
        }
    }

    fn certain(&mut self, ty: &Type) -> Option<ValueState> {
        let before = self.mark();
        let known = self.posted(ty).ok().and_then(|term| {
            let budget = &mut Budget::new(CHANGE_STEPS);
            self.all.state.propagate(budget).ok()?;
            self.known_of(term).ok()
        });
        if known.is_none() {
            self.back_to(before);
        }
        known
    }

    /// The type as far as it is made of numbers and of the names that the user gave to sizes of this graph.
    fn with_own_names(&self, ty: &Type) -> Type {
        let ty = match &ty.kind {
            TypeKind::Tensor(tensor) => self.tensor_with_own_names(tensor),
            _ => ty.map_parts(&mut |part| self.with_own_names(part)),
        };
        ty.with_conditions(Conditions::NONE)
    }

    fn tensor_with_own_names(&self, tensor: &Tensor) -> Type {
        let is_own = |name: &str| self.all.given.names.iter().any(|own| own.name == *name);
        let dims = tensor.shape.known_dims().iter().map(|dim| match dim {
            Dim::Size(_) => dim.clone(),
            Dim::Name(name) if is_own(name) => dim.clone(),
            Dim::Expr(e) => {
                let mut all_own = true;
                e.for_each_name(&mut |name| all_own &= is_own(name));
                match all_own {
                    true => dim.clone(),
                    false => Dim::Hole,
                }
            }
            Dim::Name(_) | Dim::Nominal(_) | Dim::Hole => Dim::Hole,
        });
        let shape = Shape::known(dims);
        let shape = match tensor.shape.run() {
            Some(run) => shape.with_run(run.at, None),
            None => shape,
        };
        let dtype = match &tensor.dtype {
            DtypeTerm::Name(_) => DtypeTerm::Hole,
            known => known.clone(),
        };
        Tensor::new(dtype, shape).into()
    }
}

/// What is certain of the outputs of a call that has no solution: none if nothing is.
pub(super) fn outputs(query: &Query) -> Vec<Type> {
    let Some(rest) = query.undisputed() else {
        return Vec::new();
    };
    let Ok(mut answers) = rest.budget(CORE_RETRY_STEPS).solve() else {
        return Vec::new();
    };
    let mut certain: Option<Vec<Type>> = None;
    for answer in answers.by_ref().take(MAX_DISPUTED_ANSWERS) {
        certain = Some(match certain {
            None => answer.outputs,
            Some(certain) => {
                let both = certain.iter().zip(&answer.outputs);
                both.map(|(a, b)| order::join(a, b)).collect()
            }
        });
    }
    match answers.next().is_none() && answers.complete() {
        true => certain.unwrap_or_default(),
        false => Vec::new(),
    }
}
