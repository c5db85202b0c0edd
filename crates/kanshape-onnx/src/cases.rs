//! Conditions in groups: those that have to hold always, and those that have to hold where a body is run.

use crate::report::{Requirement, Under, When};

/// Conditions that have to hold under the same bodies.
#[derive(Clone, Debug)]
pub struct Case<'r> {
    /// The bodies, the outermost first; none for what has to hold always.
    pub under: &'r [Under],
    /// It is the other branch of the case before it.
    pub is_else: bool,
    /// What has to hold.
    pub conditions: Vec<&'r Requirement>,
}

impl Case<'_> {
    /// When the conditions have to hold: `where sr == 16000`, `else`, `in each iteration of Loop_3`. Empty for always.
    pub fn when(&self) -> String {
        self.when_with(str::to_owned)
    }

    /// The same, with the names of values in bodies and of nodes written in some way.
    pub fn when_with(&self, short: impl Fn(&str) -> String) -> String {
        if self.is_else {
            return "else".to_owned();
        }
        let all = self.under.iter().map(|under| under.when_with(&short));
        let all = all.collect::<Vec<_>>().join(", ");
        match self.under.first().map(|first| &first.when) {
            Some(When::Is(..)) => format!("where {all}"),
            _ => all,
        }
    }
}

/// Conditions by the bodies that they have to hold in: first those that have to hold always, then the others in the order in which
/// they are first met. Of two branches of one choice the one comes behind the other, and first the one that says what something is.
pub fn cases<'r>(all: impl IntoIterator<Item = &'r Requirement>) -> Vec<Case<'r>> {
    let mut cases: Vec<Case<'r>> = Vec::new();
    for one in all {
        match cases.iter_mut().find(|case| case.under == one.under) {
            Some(case) => case.conditions.push(one),
            None => cases.push(Case {
                under: &one.under,
                is_else: false,
                conditions: vec![one],
            }),
        }
    }
    cases.sort_by_key(|case| !case.under.is_empty());
    let mut sorted: Vec<Case<'r>> = Vec::with_capacity(cases.len());
    let mut left = cases.into_iter().map(Some).collect::<Vec<_>>();
    for i in 0..left.len() {
        let Some(mut case) = left[i].take() else {
            continue;
        };
        let is_other = |other: &Option<Case<'r>>| {
            other
                .as_ref()
                .is_some_and(|own| are_branches(case.under, own.under))
        };
        let other = left.iter().position(is_other).and_then(|i| left[i].take());
        let Some(mut other) = other else {
            sorted.push(case);
            continue;
        };
        if denies(&case) && !denies(&other) {
            std::mem::swap(&mut case, &mut other);
        }
        other.is_else = other.under.len() == 1;
        sorted.extend([case, other]);
    }
    sorted
}

/// Are these the two branches of one choice?
fn are_branches(one: &[Under], other: &[Under]) -> bool {
    let (Some((last, before)), Some((own, around))) = (one.split_last(), other.split_last()) else {
        return false;
    };
    let both_are = match (&last.when, &own.when) {
        (When::Is(_, is), When::Is(_, other)) => is != other,
        _ => false,
    };
    both_are && last.node == own.node && before == around
}

/// Does a case say what something is not?
fn denies(case: &Case<'_>) -> bool {
    let Some(last) = case.under.last() else {
        return false;
    };
    match (&last.says, &last.when) {
        (Some(says), _) => says.denies,
        (None, When::Is(_, is)) => !is,
        (None, _) => false,
    }
}
