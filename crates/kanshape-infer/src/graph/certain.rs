//! What is certain of the outputs of a node that cannot be: what follows from the facts that are no part of its conflict, and so
//! holds whichever of the others is wrong.

use super::known::ValueState;
use super::region::only_named;
use super::{Graph, ValueId};
use crate::limits::{CHANGE_STEPS, CORE_RETRY_STEPS, MAX_DISPUTED_ANSWERS};
use crate::{Query, order};
use kanshape_engine::Budget;
use kanshape_types::Type;

impl Graph {
    /// Outputs of a node that cannot be, as far as they are certain.
    pub(super) fn push_certain(&mut self, types: &[Type], count: usize) {
        for i in 0..count {
            let is_own = |name: &str| self.all.given.names.place(name).is_some();
            let ty = types
                .get(i)
                .map(|ty| only_named(ty, &is_own).with_contents(None));
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
