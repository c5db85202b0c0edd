//! The dtypes of a state on their own, for answers whose sizes are written otherwise.

use super::write::answer;
use crate::conjunction::Conjunction;
use kanshape_engine::{Constraint, Seq, State, Var};
use kanshape_rules::encode::{Operands, QueryVars, What, dtypes};
use kanshape_types::{Conditions, DtypeSet, DtypeTerm, Name, Promotion, Shape, Type, TypeKind};

/// The dtypes of the tensors of a state whose sizes are written otherwise, and what is known of them.
pub(crate) fn dtypes_of(
    state: &State,
    given: &QueryVars,
    promotion: Promotion,
) -> (Vec<DtypeTerm>, Conditions) {
    if let Some(dtypes) = plain_dtypes(state, given) {
        return (dtypes, Conditions::NONE);
    }
    let mut sizeless = Conjunction::new(state.clone(), given.clone(), promotion);
    let own = &mut sizeless.given;
    for slot in &mut own.slots {
        slot.shape = Seq::default();
        if let TypeKind::Tensor(t) = &mut slot.given.kind {
            t.shape = Shape::default();
        }
    }
    own.operands = Operands::tensors(given.slots.len(), 0);
    own.params.clear();
    own.names.retain(|u| matches!(u.what, What::Dtype(_)));
    match answer(&sizeless, &[], None) {
        Ok(answer) => {
            let dtype = |t: &Type| t.as_tensor().map_or(DtypeTerm::Hole, |t| t.dtype.clone());
            let dtypes = answer.inputs.iter().map(dtype);
            (dtypes.collect(), answer.conditions)
        }
        Err(_) => {
            let count = given.slots.len();
            (vec![DtypeTerm::Hole; count], Conditions::NONE)
        }
    }
}

/// The dtypes where each is known or one that is entirely open: then there is nothing to say of them.
fn plain_dtypes(state: &State, given: &QueryVars) -> Option<Vec<DtypeTerm>> {
    let named =
        |u: &kanshape_rules::encode::UserName| matches!(u.what, What::Dtype(_) | What::Type(..));
    let promotes = |c: &Constraint| matches!(c, Constraint::Atoms { .. });
    let taken = |u: &kanshape_rules::encode::UserName| u.name.starts_with('t');
    if given.names.iter().any(|u| named(u) || taken(u)) || state.open_constraints().any(promotes) {
        return None;
    }
    let roots: Vec<Var> = given.slots.iter().map(|s| state.root(s.dtype)).collect();
    let mut open: Vec<Var> = Vec::new();
    let mut terms = Vec::with_capacity(roots.len());
    for &root in &roots {
        let set = dtypes(state.mask(root));
        terms.push(match set.single() {
            Some(dtype) => DtypeTerm::Known(dtype),
            None if set != DtypeSet::ANY => return None,
            None if roots.iter().filter(|r| **r == root).count() == 1 => DtypeTerm::Hole,
            None => {
                let known = open.iter().position(|r| *r == root);
                let i = known.unwrap_or_else(|| {
                    open.push(root);
                    open.len() - 1
                });
                DtypeTerm::Name(Name::word(format!("t{i}")))
            }
        });
    }
    Some(terms)
}
