//! Relations that are nothing but conditions on dtypes, as `Index(T) :- T in {i32, i64}`.
//!
//! A call of one is replaced by its conditions, so that a look at a clause that calls it sees them.

use super::rule::{Clause, Rule, Step, Value};
use kanshape_types::DtypeSet;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The relations that are such conditions, by their numbers: which of their arguments is a dtype of which set.
#[derive(Debug, Default)]
pub(super) struct Conditions(FxHashMap<usize, Box<[(usize, DtypeSet)]>>);

impl Conditions {
    /// Those among relations that are there already.
    pub(super) fn of(rules: &[Arc<Rule>]) -> Conditions {
        let mut conditions = Conditions::default();
        for (number, rule) in rules.iter().enumerate() {
            if let [clause] = &*rule.clauses {
                conditions.add(number, clause);
            }
        }
        conditions
    }

    /// Adds the relation that has this clause alone, if it is one.
    pub(super) fn add(&mut self, number: usize, clause: &Clause) {
        let place = |slot: usize| {
            let mut places = clause.head.iter();
            places.position(|v| matches!(v, Value::Slot(s) if *s == slot))
        };
        let is_plain = clause.head.iter().enumerate();
        let is_plain = is_plain.map(|(i, v)| matches!(v, Value::Slot(s) if place(*s) == Some(i)));
        let steps = clause.body.steps.iter().map(|step| match step {
            Step::Class(Value::Slot(slot), set) => Some((place(*slot)?, *set)),
            _ => None,
        });
        let sets: Option<Box<[_]>> = steps.collect();
        if let Some(sets) = sets.filter(|sets| !sets.is_empty())
            && is_plain.into_iter().all(|is| is)
        {
            self.0.insert(number, sets);
        }
    }

    /// The conditions that a call of the relation is; `None` if it is more than that.
    pub(super) fn steps(&self, number: usize, args: &[Value]) -> Option<Vec<Step>> {
        let sets = self.0.get(&number)?.iter();
        sets.map(|(place, set)| Some(Step::Class(args.get(*place)?.clone(), *set)))
            .collect()
    }
}
