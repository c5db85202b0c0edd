//! Relations that are nothing but conditions on dtypes, as `Index(T) :- T in {i32, i64}`.
//!
//! A call of one is replaced by its conditions, so that the guards of a clause that calls it include them.

use super::library::Library;
use super::rule::{Clause, Step, Value};
use kanshape_types::DtypeSet;
use rustc_hash::FxHashMap;

/// Which arguments of a relation are dtypes, and of which set.
type Sets = Box<[(usize, DtypeSet)]>;

/// The relations that are such conditions, by their numbers.
pub(super) struct Conditions<'l> {
    /// Those that are known to be conditions already.
    library: &'l Library,
    /// Those that are compiled now.
    new: FxHashMap<usize, Sets>,
}

impl<'l> Conditions<'l> {
    /// Those of a library.
    pub(super) fn of(library: &'l Library) -> Conditions<'l> {
        Conditions {
            library,
            new: FxHashMap::default(),
        }
    }

    /// Adds the relation that has this clause alone, if it is one.
    pub(super) fn add(&mut self, number: usize, clause: &Clause) {
        if let Some(sets) = sets(clause) {
            self.new.insert(number, sets);
        }
    }

    /// The numbers of those that were added.
    pub(super) fn added(self) -> impl Iterator<Item = usize> {
        self.new.into_keys()
    }

    /// The conditions that a call of the relation is; `None` if it is more than that.
    pub(super) fn steps(&self, number: usize, args: &[Value]) -> Option<Vec<Step>> {
        let steps = |sets: &[(usize, DtypeSet)]| {
            let sets = sets.iter();
            sets.map(|(place, set)| Some(Step::Class(args.get(*place)?.clone(), *set)))
                .collect()
        };
        if let Some(sets) = self.new.get(&number) {
            return steps(sets);
        }
        if !self.library.is_condition(number) {
            return None;
        }
        let [clause] = &*self.library.rule(number).clauses else {
            return None;
        };
        steps(&sets(clause)?)
    }
}

/// The conditions that a clause is, if it is nothing else.
fn sets(clause: &Clause) -> Option<Sets> {
    let place = |slot: usize| {
        let mut places = clause.head.iter();
        places.position(|v| matches!(v, Value::Slot(s) if *s == slot))
    };
    let mut head = clause.head.iter().enumerate();
    let is_plain = head.all(|(i, v)| matches!(v, Value::Slot(s) if place(*s) == Some(i)));
    let steps = clause.body.steps.iter().map(|step| match step {
        Step::Class(Value::Slot(slot), set) => Some((place(*slot)?, *set)),
        _ => None,
    });
    let sets: Option<Sets> = steps.collect();
    sets.filter(|sets| is_plain && !sets.is_empty())
}
