//! The search for an instance for which a rule does not hold, and for one for which it does.

use std::rc::Rc;

use kanshape::control::is_over;
use kanshape::{Control, Diagnostic, Dtype};

use super::{
    Aim, AllRanks, Checked, Compiled, LEAST_RANK, LEAST_SIZE, STEPS, STEPS_OF_RANKS,
    STEPS_OF_SEARCH, all_dims, most_dims, other_dtypes,
};
use crate::definition;
use crate::ground::{Ground, Right};
use crate::instances::{self, Candidate, Instance, OpenShapes, Random};
use crate::program::Program;
use crate::soundness::CompleteUpTo;
use crate::symbolic::{self, NoDtypes, Ranks};

/// The most steps that are spent on instances of what the graph has decided: for all of it, and for each choice of ranks.
const STEPS_OF_SAMPLES: u64 = 12_000;
const STEPS_OF_SAMPLE: u64 = 400;
/// The steps for one choice of other dtypes than the first ones.
const STEPS_OF_DTYPES: u64 = 2_000;
/// The most steps of the solver that are spent on the instances of the choices of ranks with the same number of dims: of many leaves those with few
/// dims would take all of them.
const STEPS_OF_DIMS: u64 = STEPS_OF_SEARCH / 2;
/// How many instances of a choice of ranks are drawn to find one that is sound, and up to which size.
const DRAWN_OF_CHOICE: usize = 64;
const LARGEST_DRAWN: u64 = 3;

/// What the instances of a rule say.
#[derive(Default)]
pub(crate) struct SearchFound {
    pub(crate) counterexample: Option<Instance>,
    /// Some instance is sound.
    pub(crate) some_sound: bool,
    /// For some ranks it was decided by numbers alone: by leaves of this many dims, and by sizes up to this.
    pub(super) by_sizes: Option<CompleteUpTo>,
    /// Why not all is decided.
    pub(crate) open: Option<String>,
    /// It holds of all ranks that the left side can have.
    pub(super) all_ranks: bool,
}

/// A choice of ranks that the graph has not decided.
struct OpenRanks {
    ranks: Rc<Ranks>,
    shapes: OpenShapes,
    dtypes: Vec<Dtype>,
    /// The size up to which all instances have been checked.
    largest: Option<i64>,
    /// Other dtypes than the first ones have been tried for sizes for which the condition holds.
    tried_dtypes: bool,
}

/// The same for a choice of ranks, if the graph has not decided it.
fn open_ranks(
    ranks: &Rc<Ranks>,
    compiled: &Compiled,
    largest: i64,
    found: &mut SearchFound,
) -> Option<OpenRanks> {
    if ranks.is_sound {
        return None;
    }
    let Some(shapes) = OpenShapes::of(ranks) else {
        found
            .open
            .get_or_insert("the rank of a leaf stays open".into());
        return None;
    };
    let dtypes = match instances::dtypes(ranks, &shapes) {
        Ok(dtypes) => dtypes,
        Err(NoDtypes::Never) => return None,
        Err(NoDtypes::Open) => {
            let why = "no dtypes were found that the left side takes";
            found.open.get_or_insert(why.into());
            return None;
        }
    };
    Some(OpenRanks {
        dtypes,
        ranks: Rc::clone(ranks),
        shapes: shapes
            .with_sizes(compiled.sizes())
            .with_sizes(beyond(ranks.sizes_of_both(), largest)),
        largest: None,
        tried_dtypes: false,
    })
}

/// Sizes that are not tried anyway.
fn beyond(mut sizes: Vec<i64>, largest: i64) -> Vec<i64> {
    sizes.retain(|n| *n > largest);
    sizes
}

/// The most dims of choices all of which were tried up to a size: the leaves of those that were too many have more dims.
fn reached_rank(open: &[OpenRanks], least: i64, max_rank: u64) -> u64 {
    let is_few = |own: &&OpenRanks| own.largest.is_none_or(|size| size < least);
    let missed = open.iter().filter(is_few);
    let missed = missed.map(|own| most_dims(&own.ranks) as u64).min();
    missed.map_or(max_rank, |rank| rank.saturating_sub(1))
}

fn has_some(all: &[&Ranks], rank: u64) -> bool {
    all.iter().any(|own| most_dims(own) as u64 <= rank)
}

/// Were too few dims reached to say anything?
fn is_short(open: &[OpenRanks], all: &[&Ranks], max_rank: u64) -> bool {
    let rank = reached_rank(open, 1, max_rank);
    !open.is_empty() && (rank < LEAST_RANK.min(max_rank) || !has_some(all, rank))
}

impl SearchFound {
    /// Is it decided, once all ranks up to this have been tried? Leaves with more dims make no smaller instances.
    fn is_enough(&self, aim: Aim, rank: usize) -> bool {
        let is_small = |one: &Instance| aim == Aim::Any || one.key.0 <= rank;
        self.some_sound && self.counterexample.as_ref().is_some_and(is_small)
    }

    /// How far numbers have decided what the graph has not.
    fn reached(&mut self, open: &[OpenRanks], all: &[&Ranks], max_rank: u64, least_size: i64) {
        if open.is_empty() || self.counterexample.is_some() && self.some_sound {
            return;
        }
        let rank = |own: &OpenRanks| most_dims(&own.ranks) as u64;
        let up_to = |least: i64| reached_rank(open, least, max_rank);
        let has_some = |rank: u64| has_some(all, rank);
        // Larger sizes say more than more dims, if there are enough of these.
        let up_to = match up_to(least_size) {
            rank if rank < LEAST_RANK || !has_some(rank) => up_to(1),
            rank => rank,
        };
        let checked = open.iter().filter(|own| rank(own) <= up_to);
        let dim = checked.filter_map(|own| own.largest).min();
        if up_to < LEAST_RANK.min(max_rank) || !has_some(up_to) {
            let why =
                "there are more sizes of few dims than were tried; a larger budget tries more";
            self.open.get_or_insert(why.into());
        }
        self.by_sizes = Some(CompleteUpTo {
            rank: up_to,
            dim: dim.and_then(|dim| u64::try_from(dim).ok()),
        });
    }
}

/// Looks at random for instances for which the rule holds, of the choices of ranks that were too many to try all of them, if it holds for
/// none of those that were tried.
fn draw_sound(
    open: &[OpenRanks],
    program: &Program,
    ground: &mut Ground<'_>,
    found: &mut SearchFound,
) {
    if found.counterexample.is_none() {
        return;
    }
    let mut random = Random(0);
    let is_few = |own: &&OpenRanks| own.largest.is_none_or(|size| size < LEAST_SIZE);
    for own in open.iter().filter(is_few) {
        for _ in 0..DRAWN_OF_CHOICE {
            if found.some_sound || is_over() {
                return;
            }
            let (shapes, dtypes) = (&own.shapes, &own.dtypes);
            let one = instances::drawn(shapes, dtypes, LARGEST_DRAWN, program, ground, &mut random);
            found.some_sound = one.is_some_and(|one| one.holds && one.right == Right::Same);
        }
    }
}

/// Does the rule hold of the smallest sizes with other dtypes than the first ones?
fn holds_of_others(
    own: &OpenRanks,
    program: &Program,
    ground: &mut Ground<'_>,
    budget: &mut u64,
) -> bool {
    let (shapes, mut holds) = (&own.shapes, false);
    for dtypes in other_dtypes(&own.ranks, shapes, &own.dtypes) {
        let given = (*budget).min(STEPS_OF_DTYPES);
        let mut left = given;
        let each = &mut |one: &mut Candidate<'_, '_>| {
            holds |= one.right_if_holds() == Some(Right::Same);
        };
        instances::enumerate(shapes, &dtypes, 1, program, ground, &mut left, each);
        *budget -= given - left;
        if holds || *budget == 0 {
            break;
        }
    }
    holds
}

impl Checked<'_> {
    pub(super) fn searched(
        &self,
        own: &Compiled,
        aim: Aim,
    ) -> Result<(SearchFound, AllRanks), Diagnostic> {
        let program = &own.program;
        let mut symbolic = self.symbolic(own)?;
        let mut ranks = AllRanks::default();
        let mut found = SearchFound::default();
        let mut ground = self.ground(program, own)?;
        let largest = i64::try_from(self.bounds.max_dim).unwrap_or(i64::MAX);
        let mut budget = self.steps;
        let mut open: Vec<OpenRanks> = Vec::new();
        if self.is_broadcast(own)? {
            // It holds of all shapes: that there are some is what is left to find out.
            for rank in 0..=symbolic.largest_rank() {
                let new = AllRanks::from(symbolic.sound_of_rank(rank));
                self.samples(&new.sorted_by(all_dims), own, &mut ground, &mut found);
                if found.some_sound || symbolic.is_cut_off {
                    break;
                }
            }
            if found.some_sound && found.counterexample.is_none() && found.open.is_none() {
                found.all_ranks = true;
                ground.keep();
                return Ok((found, ranks));
            }
            symbolic = self.symbolic(own)?;
            found = SearchFound::default();
        }
        // Few dims first: most rules that do not hold are decided by them.
        let last = symbolic.largest_rank();
        for rank in 0..=last {
            let new = AllRanks::from(symbolic.of_rank(rank));
            ranks.all.extend(new.all.iter().cloned());
            ranks.next = rank + 1;
            if symbolic.is_cut_off {
                ranks.is_cut_off = true;
                let why = "there are too many choices of ranks";
                found.open.get_or_insert(why.into());
            }
            let first = open.len();
            for ranks in new.sorted(all_dims) {
                open.extend(open_ranks(ranks, own, largest, &mut found));
            }
            let new = &mut open[first..];
            Control::default().run(self.times(STEPS_OF_DIMS), || {
                let share = self.times(STEPS_OF_RANKS);
                self.search_ranks(new, program, &mut ground, share, &mut budget, &mut found);
            });
            if ground.is_stopped() {
                // What was not found in time may be found in what is left of it.
                ground = self.ground(program, own)?;
            }
            if found.is_enough(aim, rank) {
                break;
            }
            ranks.is_whole = rank == last;
        }
        let all = ranks.sorted_by(all_dims);
        self.search_singles(&open, program, &mut ground, &mut found);
        draw_sound(&open, program, &mut ground, &mut found);
        let is_decided = found.counterexample.is_some() && found.some_sound;
        if !is_decided && is_short(&open, &all, self.bounds.max_rank) {
            // Of the choices with few dims there are too many instances: few choices may take what is left.
            let missed = open.iter_mut().filter(|own| own.largest.is_none());
            let mut missed: Vec<&mut OpenRanks> = missed.collect();
            let parts = missed.len() as u64 * self.bounds.max_dim.max(1);
            let share = (budget / parts.max(1)).max(self.times(STEPS_OF_RANKS));
            for own in &mut missed {
                let own = std::slice::from_mut(&mut **own);
                self.search_ranks(own, program, &mut ground, share, &mut budget, &mut found);
            }
        }
        found.reached(&open, &all, self.bounds.max_rank, largest.min(LEAST_SIZE));
        self.samples(&all, own, &mut ground, &mut found);
        self.search_wider(&all, own, &mut ground, &mut found);
        if !found.some_sound && found.counterexample.is_none() && symbolic.tries_contents() {
            // Longer ones may do.
            let why = format!("operands of up to {} members were tried", symbolic::LONGEST);
            found.open.get_or_insert(why);
        }
        if found.counterexample.is_none() && found.open.is_none() && found.by_sizes.is_none() {
            found.all_ranks = symbolic.ranks_are_bounded() || symbolic.holds_for_all_ranks(&all);
        }
        ground.keep();
        Ok((found, ranks))
    }

    /// Is it seen without numbers that both sides have the same type? They broadcast the same leaves, and agree where all are scalars:
    /// what is left are the dtypes, which do not depend on the ranks.
    fn is_broadcast(&self, own: &Compiled) -> Result<bool, Diagnostic> {
        if !definition::broadcasts(&own.program) {
            return Ok(false);
        }
        let mut symbolic = self.symbolic_of_any(own, 0)?;
        let scalars = symbolic.of_rank(0);
        Ok(!scalars.is_empty() && scalars.iter().all(|ranks| ranks.is_sound))
    }

    /// Evaluates instances of these choices of ranks, those with the smallest sizes first.
    fn search_ranks(
        &self,
        open: &mut [OpenRanks],
        program: &Program,
        ground: &mut Ground<'_>,
        share: u64,
        budget: &mut u64,
        found: &mut SearchFound,
    ) {
        let largest = i64::try_from(self.bounds.max_dim).unwrap_or(i64::MAX);
        for bound in 1..=largest.max(1) {
            for own in &mut *open {
                let dims = all_dims(&own.ranks);
                let is_smaller = |one: &Instance| (dims, bound) <= (one.key.0, one.key.1);
                let can_be_smaller = found.counterexample.as_ref().is_none_or(is_smaller);
                // Where the rule is not sound, it is still open whether it is anywhere.
                if !can_be_smaller && found.some_sound {
                    continue;
                }
                let mut left = (*budget).min(share);
                let given = left;
                let bound = bound.min(largest);
                self.search_in(own, program, ground, bound, &mut left, found);
                *budget -= given - left;
            }
        }
    }

    /// Evaluates what the graph has found to be sound, for the smallest sizes: it has to have an instance to count, and the
    /// graph takes no size for 0 that is copied.
    fn samples(
        &self,
        all: &[&Ranks],
        own: &Compiled,
        ground: &mut Ground<'_>,
        found: &mut SearchFound,
    ) {
        let mut budget = STEPS_OF_SAMPLES;
        let most = i64::try_from(self.bounds.max_dim)
            .unwrap_or(i64::MAX)
            .max(1);
        let sound = || all.iter().filter(|ranks| ranks.is_sound);
        let of_size = |largest| sound().map(move |ranks| (largest, ranks));
        for (largest, ranks) in (1..=most).flat_map(of_size) {
            if budget == 0 || largest > 1 && found.some_sound {
                break;
            }
            let given = budget.min(STEPS_OF_SAMPLE);
            let mut left = given;
            sample(ranks, largest, own, ground, &mut left, found);
            budget -= given - left;
        }
        // None of the first instances is sound: more are evaluated.
        let mut budget = self.times(STEPS);
        let mut is_complete = true;
        for ranks in sound() {
            if found.some_sound {
                break;
            }
            let given = budget.min(self.times(STEPS_OF_RANKS));
            let mut left = given;
            is_complete &= sample(ranks, most, own, ground, &mut left, found);
            budget -= given - left;
        }
        if !found.some_sound && !is_complete {
            let why = "no sizes were found for which the left side has a type";
            found.open.get_or_insert(why.into());
        }
    }

    /// Before a rule is reported to hold nowhere: instances with the sizes that it is about, their products and their quotients.
    fn search_wider(
        &self,
        all: &[&Ranks],
        own: &Compiled,
        ground: &mut Ground<'_>,
        found: &mut SearchFound,
    ) {
        let mut budget = self.times(STEPS);
        let sizes = own.wider_sizes();
        for ranks in all {
            if found.some_sound || budget == 0 || is_over() {
                return;
            }
            let Some(shapes) = OpenShapes::of(ranks) else {
                continue;
            };
            let Ok(dtypes) = instances::dtypes(ranks, &shapes) else {
                continue;
            };
            let shapes = shapes.with_sizes(sizes.clone());
            let shapes = shapes.with_sizes(ranks.sizes_of_both());
            let given = budget.min(self.times(STEPS_OF_RANKS));
            let mut left = given;
            let each = &mut |one: &mut Candidate<'_, '_>| match one.right_if_holds() {
                Some(Right::Same) => {
                    found.some_sound = true;
                    one.is_last = true;
                }
                Some(right @ Right::Other(_)) if found.counterexample.is_none() => {
                    one.keep_smallest(&mut found.counterexample, right, true);
                }
                _ => {}
            };
            let program = &own.program;
            instances::enumerate(&shapes, &dtypes, 1, program, ground, &mut left, each);
            budget -= given - left;
        }
    }

    /// Where the instances of a choice of ranks are too many: those in which all dims but one are 1.
    fn search_singles(
        &self,
        open: &[OpenRanks],
        program: &Program,
        ground: &mut Ground<'_>,
        found: &mut SearchFound,
    ) {
        let mut budget = self.times(STEPS_OF_RANKS);
        let is_few = |own: &&OpenRanks| own.largest.is_none_or(|size| size < LEAST_SIZE);
        for own in open.iter().filter(is_few) {
            for shapes in own.shapes.singles() {
                if found.counterexample.is_some() && found.some_sound || budget == 0 {
                    return;
                }
                let each = &mut |one: &mut Candidate<'_, '_>| match one.right_if_holds() {
                    Some(Right::Same) => found.some_sound = true,
                    Some(right @ Right::Other(_)) if found.counterexample.is_none() => {
                        one.keep_smallest(&mut found.counterexample, right, true);
                    }
                    _ => {}
                };
                let size = LEAST_SIZE;
                instances::enumerate(
                    &shapes,
                    &own.dtypes,
                    size,
                    program,
                    ground,
                    &mut budget,
                    each,
                );
            }
        }
    }

    /// The same for one choice of ranks, with sizes up to a bound.
    fn search_in(
        &self,
        own: &mut OpenRanks,
        program: &Program,
        ground: &mut Ground<'_>,
        bound: i64,
        budget: &mut u64,
        found: &mut SearchFound,
    ) {
        let mut smallest: Option<Instance> = None;
        let (mut some, mut is_open) = (false, false);
        let mut each = |one: &mut Candidate<'_, '_>| match one.right_if_holds() {
            None => {}
            Some(Right::Same) => some = true,
            Some(Right::Unknown) => is_open = true,
            Some(right) => one.keep_smallest(&mut smallest, right, true),
        };
        let (shapes, dtypes) = (&own.shapes, &own.dtypes);
        if instances::enumerate(shapes, dtypes, bound, program, ground, budget, &mut each) {
            own.largest = Some(bound);
        }
        own.tried_dtypes |= bound == 1 && !own.ranks.is_about_dtypes();
        if smallest.is_none() && !own.tried_dtypes {
            for dtypes in other_dtypes(&own.ranks, shapes, dtypes) {
                let mut left = (*budget).min(STEPS_OF_DTYPES);
                let each = &mut |one: &mut Candidate<'_, '_>| {
                    let right = one.right_if_holds();
                    own.tried_dtypes |= right.is_some();
                    if let Some(right @ Right::Other(_)) = right {
                        one.keep_smallest(&mut smallest, right, true);
                    }
                };
                instances::enumerate(shapes, &dtypes, bound, program, ground, &mut left, each);
                if smallest.is_some() {
                    break;
                }
            }
        }
        if !some && !found.some_sound && bound == 1 && own.ranks.is_about_dtypes() {
            some = holds_of_others(own, program, ground, budget);
        }
        found.some_sound |= some;
        if is_open {
            found
                .open
                .get_or_insert("sizes or contents of the sides are not known".into());
        }
        if let Some(one) = smallest
            && found
                .counterexample
                .as_ref()
                .is_none_or(|own| one.key < own.key)
        {
            found.counterexample = Some(one);
        }
    }
}

/// Evaluates instances of a choice of ranks that is sound, up to a size. False if the budget did not do.
fn sample(
    ranks: &Ranks,
    largest: i64,
    compiled: &Compiled,
    ground: &mut Ground<'_>,
    budget: &mut u64,
    found: &mut SearchFound,
) -> bool {
    let program = &compiled.program;
    let Some(shapes) = OpenShapes::of(ranks) else {
        return true;
    };
    let shapes = match largest {
        1 => shapes,
        _ => shapes.with_sizes(compiled.sizes()),
    };
    let Ok(dtypes) = instances::dtypes(ranks, &shapes) else {
        return true;
    };
    let each = &mut |one: &mut Candidate<'_, '_>| match one.right_if_holds() {
        None | Some(Right::Unknown) => {}
        Some(Right::Same) => found.some_sound = true,
        Some(right) => one.keep_smallest(&mut found.counterexample, right, true),
    };
    instances::enumerate(&shapes, &dtypes, largest, program, ground, budget, each)
}
