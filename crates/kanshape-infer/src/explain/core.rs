//! The core of a conflict: facts that can't hold together, all of which are needed for that.
//!
//! A group of facts is taken away at once; where the rest has a solution then, its halves are tried, so that few
//! facts among many are found with few questions.

use super::decide;
use super::edit::with_dims;
use super::fact::{About, At, Spot, operand, operand_mut, spots, with_only};
use super::words::Words;
use crate::answers::Answers;
use crate::{AttrValue, Query};
use kanshape_syntax::tree::Condition;
use kanshape_types::Dim;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The steps that asking again may take, each time.
pub(super) const STEPS: u64 = 4_000;
/// The same for the few facts that are left, where something was not found out.
const LONGER: u64 = 100_000;
/// The questions that may be asked to find one core.
const MOST: usize = 400;

/// So few sizes are looked at one by one.
const FEW: usize = 2;

/// A search for cores, one after the other.
pub(super) struct Search {
    /// What is asked, with little time to answer.
    query: Query,
    /// The steps that the question itself may take.
    budget: u64,
    spots: Vec<Spot>,
    kept: Vec<bool>,
    /// How many more questions may be asked.
    left: usize,
    /// Of some it was not found out whether they have an answer.
    unsure: bool,
    /// An attribute that is taken away may be one that is not given, or one of which nothing is known. Does what is
    /// left have to clash either way, each time that something is taken away?
    leaves_out: bool,
    /// What has been found out, and whether it can't be.
    known: Vec<(Query, bool)>,
}

impl Search {
    pub(super) fn new(query: &Query) -> Search {
        let mut query = query.clone();
        let budget = query.budget;
        query.budget = budget.min(STEPS);
        query.limit = None;
        let spots = spots(&query);
        Search {
            kept: vec![true; spots.len()],
            query,
            budget,
            spots,
            left: 0,
            unsure: false,
            leaves_out: false,
            known: Vec::new(),
        }
    }

    /// A core of what is left; none if that can hold together, or nobody knows.
    pub(super) fn core(&mut self) -> Option<Vec<Spot>> {
        let before = self.kept.clone();
        let mut core = self.narrowed()?;
        let asked = self.asked();
        let left_out = left_out(&self.query, &asked);
        if left_out.is_some_and(|asked| is_never(&asked) != Some(true)) {
            // It is the rare one in which the attributes that went have to be looked at each time, from now on.
            self.kept.clone_from(&before);
            self.known.clear();
            self.leaves_out = true;
            core = self.narrowed()?;
        }
        self.kept = before;
        Some(core)
    }

    /// The facts that are left of those that are kept, and no others are kept from then on.
    fn narrowed(&mut self) -> Option<Vec<Spot>> {
        self.left = MOST;
        if !self.is_never() {
            return None;
        }
        // Most often sizes are all it takes.
        let about: [fn(&About) -> bool; 2] = [
            |about| matches!(about, About::Dtype | About::Condition(_)),
            |about| matches!(about, About::Content(_)),
        ];
        for is in about {
            let all = self.spots.iter().enumerate();
            let all = all.filter(|(i, spot)| self.kept[*i] && is(&spot.about));
            let all: Vec<usize> = all.map(|(i, _)| i).collect();
            self.drop_all(&all);
        }
        // Without attributes a question is a hard one: all of them at once, or when little else is left.
        let is_attr = |spot: &Spot| matches!(spot.at, At::Attr(_));
        let attrs = (0..self.spots.len()).filter(|i| self.kept[*i] && is_attr(&self.spots[*i]));
        let attrs: Vec<usize> = attrs.collect();
        self.drop_all(&attrs);
        if self.by_condition() {
            // So few are left that a question without all of an operand costs more than one for each of them.
            let left = (0..self.spots.len()).filter(|i| self.kept[*i]);
            let left: Vec<usize> = left.collect();
            left.iter().for_each(|i| self.shrink(&[*i]));
        } else {
            let mut groups: Vec<Vec<usize>> = self.by_place().collect();
            groups.sort_by_key(|group| is_attr(&self.spots[group[0]]));
            groups.iter().for_each(|group| self.shrink(group));
        }
        if self.unsure {
            // What could not be found out beside more facts may be plain beside fewer, and with more time.
            self.query.budget = self.budget.min(LONGER);
            let kept: Vec<usize> = (0..self.spots.len()).filter(|i| self.kept[*i]).collect();
            kept.iter().for_each(|i| self.shrink(&[*i]));
            self.query.budget = self.budget.min(STEPS);
        }
        let found = self.kept.iter().zip(&self.spots).filter(|(kept, _)| **kept);
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

    /// Most often it is one condition between a few sizes that does not hold. With a name for each size it is asked
    /// what has to hold between them; where the sizes of one condition clash, all others are taken away at once. Says
    /// whether that was so.
    fn by_condition(&mut self) -> bool {
        let sizes: Vec<usize> = (0..self.spots.len())
            .filter(|i| self.kept[*i] && is_size(&self.query, &self.spots[*i]))
            .collect();
        if sizes.len() <= FEW {
            return false;
        }
        let mut asked = self.asked();
        for (k, i) in sizes.iter().enumerate() {
            let Spot { at, about, .. } = &self.spots[*i];
            if let (At::Operand(operand), About::Dim(axis)) = (at, about) {
                let ty = operand_mut(&mut asked, *operand);
                *ty = with_dims(ty, |dims| dims[*axis] = Dim::from(name_of(k).as_str()));
            }
        }
        let Some(answer) = asked.solve().ok().and_then(|mut answers| answers.next()) else {
            return false;
        };
        let size = |name: &str| {
            let k = (0..sizes.len()).find(|k| name_of(*k) == name)?;
            let Spot { at, about, .. } = &self.spots[sizes[k]];
            let (At::Operand(i), About::Dim(axis)) = (at, about) else {
                return None;
            };
            operand(&self.query, *i).as_tensor()?.shape.dims()[*axis].extent()
        };
        // One that does not hold of these sizes is what it is; of one that does, it is not known by itself.
        let is_so = |condition: &Condition| decide::condition(condition, &size);
        let mut conditions: Vec<(Option<bool>, Condition)> = answer
            .conditions
            .iter()
            .map(|c| (is_so(c), c.clone()))
            .collect();
        conditions.retain(|(is_so, _)| *is_so != Some(true));
        conditions.sort_by_key(|(is_so, _)| is_so.is_none());
        for (_, condition) in conditions {
            let mut named = vec![false; sizes.len()];
            condition.for_each_name(&mut |name| {
                let k = (0..sizes.len()).find(|k| name_of(*k) == name);
                k.into_iter().for_each(|k| named[k] = true);
            });
            let others = sizes.iter().zip(&named).filter(|(_, named)| !**named);
            let others: Vec<usize> = others.map(|(i, _)| *i).collect();
            if others.len() < sizes.len() && self.drop_all(&others) {
                return true;
            }
        }
        false
    }

    /// Takes a core out of what is left, with what is nothing without its facts.
    pub(super) fn set_aside(&mut self, core: &[Spot]) {
        for (kept, spot) in self.kept.iter_mut().zip(&self.spots) {
            *kept &= !core.iter().any(|c| c == spot || c.carries(spot));
        }
    }

    /// What is kept, in groups of what is about one place.
    fn by_place(&self) -> impl Iterator<Item = Vec<usize>> {
        let places = self.spots.chunk_by(|a, b| a.at == b.at);
        let mut start = 0;
        places
            .map(move |place| {
                let all = start..start + place.len();
                start = all.end;
                all.filter(|i| self.kept[*i]).collect::<Vec<usize>>()
            })
            .filter(|group| !group.is_empty())
    }

    fn shrink(&mut self, group: &[usize]) {
        if !self.drop_all(group) && group.len() > 1 {
            let (front, behind) = group.split_at(group.len() / 2);
            self.shrink(front);
            self.shrink(behind);
        }
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
        group.iter().for_each(|i| self.kept[*i] = false);
        let dropped = self.is_never();
        if !dropped {
            group.iter().for_each(|i| self.kept[*i] = true);
        }
        dropped
    }

    /// The question with what is kept.
    fn asked(&self) -> Query {
        let kept = self.spots.iter().zip(&self.kept);
        let kept: FxHashSet<&Spot> = kept.filter(|(_, kept)| **kept).map(|(s, _)| s).collect();
        with_only(&self.query, &kept)
    }

    /// Is it known that what is kept can't hold together?
    fn is_never(&mut self) -> bool {
        let asked = self.asked();
        // Facts that are nothing without others are asked about again when those have gone.
        if let Some((_, is_never)) = self.known.iter().find(|(known, _)| is_same(known, &asked)) {
            return *is_never;
        }
        let mut never = is_never(&asked);
        if never == Some(true)
            && self.leaves_out
            && let Some(asked) = left_out(&self.query, &asked)
        {
            never = is_never(&asked);
        }
        self.unsure |= never.is_none();
        self.known.extend(never.map(|is_never| (asked, is_never)));
        never == Some(true)
    }
}

/// Do two questions about one relation ask the same?
fn is_same(a: &Query, b: &Query) -> bool {
    (&a.inputs, &a.outputs, &a.attrs) == (&b.inputs, &b.outputs, &b.attrs)
        && (&a.params, &a.conditions) == (&b.params, &b.conditions)
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
            let out = out.get_or_insert_with(|| asked.clone());
            Arc::make_mut(&mut out.attrs)[i].1 = AttrValue::Absent;
        }
    }
    out
}

/// Is it about a dim of an operand that is a number?
fn is_size(query: &Query, spot: &Spot) -> bool {
    match (spot.at, spot.about) {
        (At::Operand(i), About::Dim(axis)) if spot.part.is_empty() => {
            let tensor = operand(query, i).as_tensor();
            tensor.is_some_and(|t| matches!(t.shape.dims()[axis], Dim::Size(_)))
        }
        _ => false,
    }
}

/// A name that no user can write.
fn name_of(k: usize) -> String {
    format!("#{k}")
}

/// Has a question no answer? None if that was not found out.
pub(crate) fn is_never(query: &Query) -> Option<bool> {
    Answers::are_there(query).map(|there| !there)
}

/// Why two types, the input and the output of a query, have no value in common.
pub(crate) fn steps_against_each_other(query: &Query) -> Vec<String> {
    let core = Search::new(query).core().unwrap_or_default();
    let words = Words::of_two(query);
    core.iter().map(|spot| words.sentence(spot)).collect()
}
