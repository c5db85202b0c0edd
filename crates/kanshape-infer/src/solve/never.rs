//! Which clauses can never hold, whatever the operands are.

use crate::limits::CLAUSE_STEPS;
use kanshape_engine::{Budget, State, Stop};
use kanshape_rules::encode::{Identities, sizes};
use kanshape_rules::rules::Context;
use kanshape_rules::rules::{Clause, Library};
use kanshape_rules::run::own_goals;
use kanshape_types::Promotion;
use std::sync::Arc;

/// Does what stands in a clause itself, other relations aside, rule it out?
pub(super) fn can_never_hold(library: &Library, clause: &Clause) -> bool {
    let mut identities = Identities::default();
    for nominal in &library.words.identities {
        identities.note(nominal);
    }
    let context = Arc::new(Context {
        library: Arc::new(Library::default()),
        promotion: Promotion::default(),
        identities,
        texts: Arc::default(),
    });
    let mut state = State::with_members(sizes());
    state.allow_integers();
    let mut budget = Budget::new(CLAUSE_STEPS);
    let stated = own_goals(&context, clause, &mut state, &mut budget);
    let known = stated.and_then(|()| state.propagate(&mut budget));
    known == Err(Stop::Conflict)
}
