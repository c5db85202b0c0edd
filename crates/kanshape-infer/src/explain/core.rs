//! The core of a conflict: facts that can't hold together, all of which are needed for that.
//!
//! A group of facts is taken away at once; where the rest has a solution then, its halves are tried, so that few
//! facts among many are found with few questions.

use super::fact::{At, Spot, spots, with_only};
use super::words::Words;
use crate::{AttrValue, Query};
use rustc_hash::FxHashSet;

/// The steps that asking again may take, each time.
pub(super) const STEPS: u64 = 20_000;
/// The questions that may be asked to find one core.
const MOST: usize = 400;

/// A search for cores, one after the other.
pub(super) struct Search {
    /// What is asked, with little time to answer.
    query: Query,
    spots: Vec<Spot>,
    kept: Vec<bool>,
    left: usize,
}

impl Search {
    pub(super) fn new(query: &Query) -> Search {
        let mut query = query.clone();
        query.budget = query.budget.min(STEPS);
        query.limit = None;
        let spots = spots(&query);
        Search {
            kept: vec![true; spots.len()],
            query,
            spots,
            left: 0,
        }
    }

    /// A core of what is left; none if that can hold together, or nobody knows.
    pub(super) fn core(&mut self) -> Option<Vec<Spot>> {
        self.left = MOST;
        if !self.is_never() {
            return None;
        }
        let before = self.kept.clone();
        let mut start = 0;
        while start < self.spots.len() {
            let at = self.spots[start].at;
            let of_place = self.spots[start..].iter().take_while(|s| s.at == at);
            let end = start + of_place.count();
            let group: Vec<usize> = (start..end).filter(|i| self.kept[*i]).collect();
            self.shrink(&group);
            start = end;
        }
        let found = std::mem::replace(&mut self.kept, before);
        let found = found.iter().zip(&self.spots).filter(|(kept, _)| **kept);
        let found: Vec<Spot> = found.map(|(_, spot)| spot.clone()).collect();
        // What others are nothing without is said with them.
        let needed = found
            .iter()
            .filter(|spot| !found.iter().any(|other| spot.carries(other)));
        let mut needed: Vec<Spot> = needed.cloned().collect();
        // Operands first: they are what a reader looks at.
        needed.sort_by_key(|spot| std::cmp::Reverse(matches!(spot.at, At::Operand(_))));
        Some(needed)
    }

    /// Takes a core out of what is left, with what is nothing without its facts.
    pub(super) fn set_aside(&mut self, core: &[Spot]) {
        for (kept, spot) in self.kept.iter_mut().zip(&self.spots) {
            *kept &= !core.iter().any(|c| c == spot || c.carries(spot));
        }
    }

    fn shrink(&mut self, group: &[usize]) {
        if group.is_empty() || self.left == 0 {
            return;
        }
        self.left -= 1;
        group.iter().for_each(|i| self.kept[*i] = false);
        if self.is_never() {
            return;
        }
        group.iter().for_each(|i| self.kept[*i] = true);
        if group.len() > 1 {
            let (front, behind) = group.split_at(group.len() / 2);
            self.shrink(front);
            self.shrink(behind);
        }
    }

    /// Is it known that what is kept can't hold together?
    fn is_never(&self) -> bool {
        let kept = self.spots.iter().zip(&self.kept);
        let kept: FxHashSet<&Spot> = kept.filter(|(_, kept)| **kept).map(|(s, _)| s).collect();
        let asked = with_only(&self.query, &kept);
        is_never(&asked) && left_out(&self.query, &asked).is_none_or(|q| is_never(&q))
    }
}

/// The question in which attributes that are spoken of no more are left out; none if there are none that can be.
fn left_out(query: &Query, asked: &Query) -> Option<Query> {
    let operator = query.signature.program().operator.as_ref()?;
    let mut out: Option<Query> = None;
    for (i, (name, value)) in asked.attrs.iter().enumerate() {
        let may_be = || {
            let rule = operator.attribute(name).ok();
            rule.is_some_and(|rule| rule.optional)
        };
        if *value == AttrValue::Hole && query.attrs[i].1 != AttrValue::Hole && may_be() {
            out.get_or_insert_with(|| asked.clone()).attrs[i].1 = AttrValue::Absent;
        }
    }
    out
}

pub(super) fn is_never(query: &Query) -> bool {
    match query.solve() {
        Ok(mut answers) => answers.next().is_none() && answers.complete(),
        Err(_) => false,
    }
}

/// Why two types, the input and the output of a query, have no value in common.
pub(crate) fn steps_against_each_other(query: &Query) -> Vec<String> {
    let core = Search::new(query).core().unwrap_or_default();
    let words = Words::of_two(query);
    core.iter().map(|spot| words.sentence(spot)).collect()
}
