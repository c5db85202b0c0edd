//! The core of a conflict: facts that can't hold together, all of which are needed for that.
//!
//! A group of facts is taken away at once; where the rest has a solution then, its halves are tried, so that few
//! facts among many are found with few questions.

use super::edit::{of_other_rank, with_dims};
use super::fact::{Argument, FactId, FactKind};
use super::given::{spots, with_only};
use super::waiting::Waiting;
use super::words::Words;
use crate::Query;
use crate::limits::{CORE_RETRY_STEPS, CORE_STEPS, MAX_CORE_QUERIES};
use crate::solve::answers::Answers;
use crate::solve::calculate;
use kanshape_engine::{is_over, work};

/// A search for cores, one after the other.
pub(super) struct CoreSearch {
    /// The query, with a small budget.
    query: Query,
    /// The steps that the question itself may take.
    budget: u64,
    spots: Vec<FactId>,
    kept: Vec<bool>,
    /// Those without which what was left then could hold together: they stay.
    needed: Vec<usize>,
    /// How many more queries may be solved.
    left: usize,
    /// Of some it was not found out whether they have an answer.
    unsure: bool,
    /// What has been found out, and whether it can't be.
    known: Vec<(Query, bool)>,
    waiting: Waiting,
    /// By operand: would the question have an answer if that had another number of dims? None if nobody has looked.
    reshaped: Vec<Option<bool>>,
}

impl CoreSearch {
    pub(super) fn new(query: &Query) -> CoreSearch {
        let mut query = query.clone();
        let budget = query.budget;
        query.budget = budget.min(CORE_STEPS);
        query.limit = None;
        let spots = spots(&query);
        CoreSearch {
            kept: vec![true; spots.len()],
            needed: Vec::new(),
            waiting: Waiting::new(&query, &spots),
            reshaped: vec![None; query.inputs.len() + query.outputs.len()],
            query,
            budget,
            spots,
            left: 0,
            unsure: false,
            known: Vec::new(),
        }
    }

    /// A core of what is left; none if that can hold together, or nobody knows.
    pub(super) fn core(&mut self) -> Option<Vec<FactId>> {
        let before = self.kept.clone();
        let core = self.narrowed();
        self.kept = before;
        core
    }

    /// The facts that are left of those that are kept, and no others are kept from then on.
    fn narrowed(&mut self) -> Option<Vec<FactId>> {
        self.left = MAX_CORE_QUERIES;
        self.needed.clear();
        if self.is_never(false) != Some(true) {
            return None;
        }
        // Most often sizes are all it takes.
        let about: [fn(&FactId) -> bool; 3] = [
            |spot| matches!(spot.about, FactKind::Dtype | FactKind::Condition(_)),
            |spot| matches!(spot.about, FactKind::Content(_)),
            |spot| matches!(spot.at, Argument::Given(_)),
        ];
        for is in about {
            let all = (0..self.spots.len()).filter(|i| self.kept[*i] && is(&self.spots[*i]));
            let all: Vec<usize> = all.filter(|i| !self.waiting.has(*i, &self.kept)).collect();
            self.drop_all(&all);
        }
        // A fact that can wait is tried with a small budget, while all others are kept.
        for group in self.waiting.groups(&self.kept) {
            self.shrink(&group);
        }
        let groups: Vec<Vec<usize>> = self.by_place().collect();
        let of_attr = |group: &Vec<usize>| group.first().is_some_and(|i| self.is_of_attr(*i));
        let (attrs, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(of_attr);
        let attrs = attrs.concat();
        // Mostly what is left is about a few places, and all others can go at once.
        let is_needed = |i: &usize| self.needed.contains(i);
        let beside = others.iter().filter(|group| !group.iter().any(is_needed));
        let beside = [
            &attrs[..],
            &beside.flatten().copied().collect::<Vec<usize>>(),
        ]
        .concat();
        if self.needed.is_empty() || !self.drop_all(&beside) {
            // Without attributes a question is a hard one, so they go when few sizes are left; without ranks it is harder.
            self.shrink(&attrs);
        }
        for group in &others {
            self.shrink(group);
        }
        if self.unsure {
            // What could not be found out beside more facts may be plain beside fewer, and with more time.
            self.query.budget = self.budget.min(CORE_RETRY_STEPS);
            let kept: Vec<usize> = (0..self.spots.len()).filter(|i| self.kept[*i]).collect();
            kept.iter().for_each(|i| self.shrink(&[*i]));
            self.query.budget = self.budget.min(CORE_STEPS);
        }
        if is_over() {
            // What is left is no core, and may be as long as the question.
            return None;
        }
        let found = self.kept.iter().zip(&self.spots).filter(|(kept, _)| **kept);
        let found: Vec<FactId> = found.map(|(_, spot)| spot.clone()).collect();
        // What others are nothing without is said with them.
        let needed = found
            .iter()
            .filter(|spot| !(spot.may_carry() && found.iter().any(|other| spot.carries(other))));
        let mut needed: Vec<FactId> = needed.cloned().collect();
        // Operands first: they are what a reader looks at.
        needed.sort_by_key(|spot| std::cmp::Reverse(matches!(spot.at, Argument::Operand(_))));
        Some(needed)
    }

    /// The question with the facts that have not been set aside.
    pub(super) fn rest(&self, query: &Query) -> Query {
        with_only(query, &self.kept)
    }

    fn is_of_attr(&self, i: usize) -> bool {
        matches!(self.spots[i].at, Argument::Attr(_))
    }

    /// Takes a core out of what is left, with what is nothing without its facts.
    pub(super) fn set_aside(&mut self, core: &[FactId]) {
        for (kept, spot) in self.kept.iter_mut().zip(&self.spots) {
            work(core.len() / 8);
            *kept &= !core.iter().any(|c| c == spot || c.carries(spot));
        }
    }

    /// What is kept, in groups of what is about one place.
    fn by_place(&self) -> impl Iterator<Item = Vec<usize>> {
        let places = self.spots.chunk_by(|a, b| a.at == b.at);
        let mut start = 0;
        places.map(move |place| {
            let all = start..start + place.len();
            start = all.end;
            all.filter(|i| self.kept[*i]).collect()
        })
    }

    /// Takes away what is not needed of a group.
    fn shrink(&mut self, group: &[usize]) {
        let stays =
            |i: &usize| !self.kept[*i] || self.needed.contains(i) || self.carries_needed(*i);
        let group: Vec<usize> = group.iter().copied().filter(|i| !stays(i)).collect();
        if !self.drop_all(&group) && group.len() > 1 {
            let (front, behind) = group.split_at(group.len() / 2);
            self.shrink(front);
            self.shrink(behind);
        }
    }

    /// Is something that stays nothing without it?
    fn carries_needed(&self, i: usize) -> bool {
        let mut needed = self.needed.iter();
        self.spots[i].may_carry()
            && needed.any(|needed| self.spots[i].carries(&self.spots[*needed]))
    }

    /// Takes facts away if the others can't hold together without them.
    fn drop_all(&mut self, group: &[usize]) -> bool {
        if group.is_empty() {
            return true;
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let can_wait = group.iter().all(|i| self.waiting.has(*i, &self.kept));
        self.waiting.keep_to(&self.kept);
        group.iter().for_each(|i| self.kept[*i] = false);
        let is_never = self.is_never(can_wait);
        if is_never != Some(true) {
            group.iter().for_each(|i| self.kept[*i] = true);
        }
        if let (Some(false), [one]) = (is_never, group) {
            self.needed.push(*one);
        }
        is_never == Some(true)
    }

    /// The question with what is kept.
    fn query(&self) -> Query {
        with_only(&self.query, &self.kept)
    }

    /// Is the conjunction of the kept facts unsatisfiable? None if that was not found out. With `can_wait`, it differs from what it was
    /// before in facts alone that can.
    fn is_never(&mut self, can_wait: bool) -> Option<bool> {
        if self.fits_reshaped() {
            return Some(false);
        }
        let query = self.query();
        // Facts that mean nothing without others are tried again once those have been dropped.
        if let Some((_, is_never)) = self.known.iter().find(|(known, _)| is_same(known, &query)) {
            return Some(*is_never);
        }
        let there = Answers::are_there_with(&query, || match can_wait {
            true => self.waiting.template(&self.query, &self.kept),
            false => None,
        });
        let never = there.map(|there| !there);
        self.unsure |= never.is_none();
        self.known.extend(never.map(|is_never| (query, is_never)));
        never
    }

    /// Is there an answer for one number of dims more or less of an operand of whose shape nothing is kept?
    fn fits_reshaped(&mut self) -> bool {
        let about = |spot: &FactId| {
            let of_shape = matches!(
                spot.about,
                FactKind::Dim(_) | FactKind::Rank | FactKind::Content(_)
            );
            match spot.at {
                Argument::Operand(i) if of_shape && spot.part.is_empty() => Some(i),
                _ => None,
            }
        };
        let mut is_open = vec![true; self.reshaped.len()];
        let kept = self.spots.iter().zip(&self.kept).filter(|(_, kept)| **kept);
        for i in kept.filter_map(|(spot, _)| about(spot)) {
            is_open[i] = false;
        }
        let mut open = (0..is_open.len()).filter(|i| is_open[*i]);
        open.any(|i| *self.reshaped[i].get_or_insert_with(|| is_mended_by_rank(&self.query, i)))
    }
}

/// Has a question of which all is known an answer with one number of dims more or less of an operand?
fn is_mended_by_rank(query: &Query, i: usize) -> bool {
    let mut narrowed = query.clone();
    let given = query.operand(i);
    let tensor = given.as_tensor().filter(|t| t.shape.run().is_none());
    let Some(tensor) = tensor else { return false };
    let others = of_other_rank(tensor.shape.known_dims());
    others.take_while(|_| !is_over()).any(|(_, dims)| {
        // All dims are examined again for each that is left out.
        work(8 * dims.len());
        *narrowed.operand_mut(i) = with_dims(given, |old| old.clone_from(&dims));
        matches!(
            calculate::of_query(&narrowed),
            calculate::Outcome::Answer(_)
        )
    })
}

/// Are two queries about one relation the same?
fn is_same(a: &Query, b: &Query) -> bool {
    (&a.inputs, &a.outputs, &a.attrs) == (&b.inputs, &b.outputs, &b.attrs)
        && (&a.params, &a.conditions) == (&b.params, &b.conditions)
}

/// Has a question no answer? None if that was not found out.
pub(crate) fn is_never(query: &Query) -> Option<bool> {
    Answers::are_there(query).map(|there| !there)
}

/// Why two types, the input and the output of a query, have no value in common.
pub(crate) fn steps_against_each_other(query: &Query) -> Vec<String> {
    let core = CoreSearch::new(query).core().unwrap_or_default();
    let words = Words::of_two(query);
    core.iter().map(|spot| words.sentence(spot)).collect()
}
