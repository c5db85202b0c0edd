//! Dims that are written as sums of what no answer shows: they are given variables of their own.

use super::attribute;
use super::shown::vars_of_contents;
use kanshape_engine::{Constraint, Linear, Part, State, Stop, Var};
use kanshape_rules::encode::{QueryVars, What};
use rustc_hash::FxHashSet;

/// `f32[d0, d1, s - d0 - d1]`, where nothing but a sum is known to be `s`, is `f32[d0, d1, d2]`. Has anything been changed?
pub(crate) fn plain_dims(state: &mut State, given: &QueryVars) -> Result<bool, Stop> {
    let mut forms: Vec<Linear> = Vec::new();
    for slot in &given.slots {
        for part in state.parts(&slot.shape) {
            if let Part::One(l) = part {
                forms.push(state.resolve(&l)?);
            }
        }
    }
    if forms.iter().all(|form| form.terms().len() < 2) {
        return Ok(false);
    }
    let shown = shown_otherwise(state, given, &forms);
    let mut changed = false;
    for form in forms {
        let form = state.resolve(&form)?;
        if form.terms().len() < 2 {
            continue;
        }
        let mut terms = form.terms().iter().rev();
        let is_free = |v: Var| !shown.contains(&v) && !is_constrained(state, v);
        if let Some(&(v, _)) = terms.find(|t| (t.1 == 1 || t.1 == -1) && is_free(t.0)) {
            state.put_for(v, &form)?;
            changed = true;
        }
    }
    Ok(changed)
}

/// The variables that have a name of their own, or stand in more than shapes.
fn shown_otherwise(state: &State, given: &QueryVars, forms: &[Linear]) -> FxHashSet<Var> {
    let mut shown: FxHashSet<Var> = forms.iter().filter_map(Linear::as_var).collect();
    for user in &given.names {
        if let What::Size(v) = user.what {
            shown.extend(state.open_vars_of(&Linear::var(v)));
        }
    }
    for param in &given.params {
        shown.extend(state.open_vars_of(param));
    }
    shown.extend(attribute::vars(state, &given.attrs));
    for slot in &given.slots {
        shown.extend(vars_of_contents(state, slot));
    }
    shown
}

/// Is a variable constrained by more than that a sum with it is not negative?
fn is_constrained(state: &State, v: Var) -> bool {
    let says_more = |c: &Constraint| {
        let mut has = false;
        c.for_each_var(&mut |w| has |= state.open_vars_of(&Linear::var(w)).contains(&v));
        has && !matches!(c, Constraint::NonNegative(_))
    };
    state.open_constraints().any(says_more)
}
