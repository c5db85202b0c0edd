//! [`Facts`]: conditions that hold, found by the names that they are about.

use crate::reify::implied;
use kanshape_engine::Sets;
use kanshape_syntax::tree::Condition;
use kanshape_types::{Name, Promotion};
use rustc_hash::{FxHashMap, FxHashSet};

/// Conditions that hold, in groups that share no name. What follows for some names follows from the groups of these.
pub(super) struct Facts<'c> {
    all: FxHashSet<&'c Condition>,
    groups: Vec<Vec<&'c Condition>>,
    /// Those that are about no name.
    nameless: Vec<&'c Condition>,
    of: FxHashMap<String, usize>,
    promotion: Promotion,
}

impl<'c> Facts<'c> {
    pub(super) fn new(conditions: &'c [Condition], promotion: Promotion) -> Facts<'c> {
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        let mut sets = Sets::default();
        let mut first: Vec<Option<usize>> = Vec::with_capacity(conditions.len());
        for condition in conditions {
            let mut own: Option<usize> = None;
            condition.for_each_name(&mut |name| {
                let number = match numbers.get(name) {
                    Some(number) => *number,
                    None => {
                        let new = sets.push();
                        numbers.insert(name.to_owned(), new);
                        new
                    }
                };
                sets.join(*own.get_or_insert(number), number);
            });
            first.push(own);
        }
        let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<&Condition>> = Vec::new();
        let mut nameless: Vec<&Condition> = Vec::new();
        for (condition, first) in conditions.iter().zip(first) {
            let Some(first) = first else {
                nameless.push(condition);
                continue;
            };
            let next = groups.len();
            let group = *group_of.entry(sets.least(first)).or_insert(next);
            if group == next {
                groups.push(Vec::new());
            }
            groups[group].push(condition);
        }
        let of = numbers.into_iter().filter_map(|(name, number)| {
            let group = group_of.get(&sets.least(number))?;
            Some((name, *group))
        });
        Facts {
            of: of.collect(),
            all: conditions.iter().collect(),
            groups,
            nameless,
            promotion,
        }
    }

    /// Is a condition one of them?
    pub(super) fn has(&self, condition: &Condition) -> bool {
        self.all.contains(condition)
    }

    /// Does a condition follow from them? That it could not be found out counts as no.
    pub(super) fn imply(&self, condition: &Condition, dtypes: &[Name]) -> bool {
        if self.has(condition) {
            return true;
        }
        let mut groups: Vec<usize> = Vec::new();
        condition.for_each_name(&mut |name| groups.extend(self.of.get(name)));
        groups.sort_unstable();
        groups.dedup();
        let own = groups.iter().flat_map(|group| &self.groups[*group]);
        let own = own.chain(&self.nameless);
        let own: Vec<Condition> = own.map(|condition| (*condition).clone()).collect();
        implied(&own, dtypes, condition, self.promotion)
    }
}
