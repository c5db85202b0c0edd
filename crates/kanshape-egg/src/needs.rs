//! [`needs`]: what a graph requires of some values beyond an earlier one.

use std::collections::BTreeSet;

use kanshape::graph::{Graph, ValueId};
use kanshape::{Condition, Conditions, Type, Verdict, order};

/// What is required.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Needs {
    Nothing,
    These(Vec<String>),
    /// It can't be written.
    Unknown,
}

/// What `after` requires of these values beyond `before`, of which it is an extension.
pub(crate) fn needs(before: &mut Graph, after: &mut Graph, values: &[ValueId]) -> Needs {
    let (old, known) = read(before, values);
    after.name_after(before);
    let (new, needed) = read(after, values);
    let (Some(known), Some(needed)) = (known, needed) else {
        return match old == new && !after.asks_beyond(before) {
            true => Needs::Nothing,
            false => Needs::Unknown,
        };
    };
    let mut all: Vec<String> = needed.difference(&known).map(ToString::to_string).collect();
    // Names that have become sizes or other names, as far as the conditions do not say it.
    let given: Conditions = match all.is_empty() {
        true => Conditions::NONE,
        false => known.union(&needed).cloned().collect(),
    };
    for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
        let with = |ty: &Type| {
            let own = ty.conditions.iter().chain(&given).cloned();
            ty.clone().with_conditions(own.collect())
        };
        let text = format!("{old} is {new}");
        let is_said = || order::same(&with(old), &with(new)) == Verdict::Always;
        if !all.contains(&text) && (given.is_empty() || !is_said()) {
            all.push(text);
        }
    }
    match all.is_empty() {
        true => Needs::Nothing,
        false => Needs::These(all),
    }
}

fn read(graph: &mut Graph, values: &[ValueId]) -> (Vec<Type>, Option<BTreeSet<Condition>>) {
    let mut reading = graph.read();
    let types = values.iter().map(|value| reading.ty(*value)).collect();
    let conditions = reading.unreduced();
    (types, conditions.map(|all| all.into_iter().collect()))
}
