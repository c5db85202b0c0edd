//! The variables that an answer shows, and those that it should not have to speak of.

use super::attribute;
use super::hidden::without_hidden;
use crate::limits::MAX_ATTRIBUTE_VALUES;
use crate::limits::MAX_HIDDEN_VALUES;
use kanshape_engine::{Constraint, Function, Linear, Part, Seq, State, Stop, Term, Var};
use kanshape_rules::encode::{QueryVars, Slot, What, dtypes};
use kanshape_types::DtypeSet;
use rustc_hash::FxHashSet;

/// The variables that an answer shows: those of sizes, and those of dtypes.
pub(super) fn shown(state: &State, given: &QueryVars) -> (FxHashSet<Var>, Vec<Var>) {
    let mut shown: FxHashSet<Var> = FxHashSet::default();
    let mut shown_dtypes: Vec<Var> = Vec::new();
    for slot in &given.slots {
        for part in state.parts(&slot.shape) {
            if let Part::One(l) = part {
                shown.extend(state.open_vars_of(&l));
            }
        }
        shown.extend(vars_of_contents(state, slot));
        let root = state.root(slot.dtype);
        if !shown_dtypes.contains(&root) {
            shown_dtypes.push(root);
        }
    }
    for p in &given.params {
        shown.extend(state.open_vars_of(p));
    }
    shown.extend(attribute::vars(state, &given.attrs));
    for user in &given.names {
        match user.what {
            What::Size(v) => {
                shown.extend(state.open_vars_of(&Linear::var(v)));
            }
            What::Dtype(v) => {
                let root = state.root(v);
                if !shown_dtypes.contains(&root) {
                    shown_dtypes.push(root);
                }
            }
            What::Run(v) => {
                for part in state.parts(&Seq::run(v)) {
                    if let Part::One(l) = part {
                        shown.extend(state.open_vars_of(&l));
                    }
                }
            }
            What::Type(_) => {}
        }
    }
    (shown, shown_dtypes)
}

/// The open variables of what a tensor has in it, of those dtypes of which an unknown member can be written.
pub(super) fn vars_of_contents(state: &State, slot: &Slot) -> Vec<Var> {
    let mut vars = Vec::new();
    let numbers = DtypeSet::INT.union(DtypeSet::UINT).union(DtypeSet::FLOAT);
    if !dtypes(state.mask(slot.dtype)).is_subset(numbers) {
        return vars;
    }
    if let Term::Seq(contents) = state.walk(&slot.contents) {
        for part in state.parts(&contents) {
            if let Part::One(l) = part {
                vars.extend(state.open_vars_of(&l));
            }
        }
    }
    vars
}

/// A variable that no operand shows, with few values, in a constraint that says something of what is
/// shown: an answer could only speak of it under a name that stands nowhere else.
pub(crate) fn hidden_choice(state: &State, given: &QueryVars) -> Result<Option<Var>, Stop> {
    if state.open_constraints().next().is_none() {
        return Ok(None);
    }
    let (mut shown, shown_dtypes) = shown(state, given);
    shown.extend(shown_dtypes);
    let constraints = without_hidden(state, &shown)?;
    // What an expression says needs no name.
    for c in &constraints {
        if let Constraint::Apply { function, out, .. } = c
            && *function != Function::Broadcast
        {
            shown.extend(out.as_var());
        }
    }
    let mut best: Option<(u128, Var)> = None;
    for c in &constraints {
        c.for_each_var(&mut |v| {
            let few = state
                .domain(v)
                .len()
                .filter(|&n| (2..=MAX_HIDDEN_VALUES).contains(&n));
            if let Some(n) = few.filter(|_| is_int(state, v) && !shown.contains(&v))
                && best.is_none_or(|b| (n, v) < b)
            {
                best = Some((n, v));
            }
        });
    }
    Ok(best.map(|b| b.1))
}

/// A number that is queried of an attribute, or of what a tensor has in it, with few values that no name can stand for, as
/// a name is that of a size: some are negative, or they are texts.
pub(crate) fn nameless_choice(state: &State, given: &QueryVars) -> Option<Var> {
    let few = |v: &Var| {
        state
            .domain(*v)
            .len()
            .is_some_and(|n| (2..=MAX_ATTRIBUTE_VALUES).contains(&n))
    };
    if let Some(text) = attribute::texts(state, &given.attrs).into_iter().find(few) {
        return Some(text);
    }
    let is_choice = |v: &Var| state.domain(*v).lo() < 0 && few(v);
    let mut vars = attribute::vars(state, &given.attrs);
    let has_contents = |slot: &&Slot| slot.given.contents().is_some();
    for slot in given.slots.iter().filter(has_contents) {
        vars.extend(vars_of_contents(state, slot));
    }
    vars.into_iter().find(is_choice)
}

pub(super) fn is_int(state: &State, v: Var) -> bool {
    state.mask(v) == 0
}
