//! The leaves from which it is found what a rule needs: those up to a bound, and some at random.

use kanshape::control::is_over;
use kanshape::{Control, Diagnostic, Dtype};

use super::is_known;
use crate::check::{
    AllRanks, Checked, Compiled, STEPS, STEPS_OF_SEARCH, all_dims, most_dims, other_dtypes, reach,
};
use crate::ground::{Ground, Right};
use crate::instances::{self, Candidate, Instance, OpenShapes, Random};
use crate::program::Program;
use crate::soundness::CompleteUpTo;
use crate::symbolic::{NoDtypes, Ranks, Symbolic, dims_of};

/// The most instances that are kept to find the precondition.
const MOST_INSTANCES: usize = 20_000;
/// The steps of the solver for the instances of the left side, with each choice of sizes.
const STEPS_OF_DOMAIN: u64 = STEPS_OF_SEARCH / 2;
/// The most choices of ranks for which other dtypes are tried, and the most steps that are spent on each.
const RANKS_OF_DTYPES: usize = 6;
const STEPS_OF_DTYPES: u64 = 1_000;
/// The most instances that are drawn at random, of all ranks and of sizes up to this: what is found in the small ones alone may be
/// true of them by chance.
const DRAWN: usize = 400;
const LARGEST_DRAWN: u64 = 4;
/// The fewest, where several rules share them.
const LEAST_DRAWN: usize = 32;
/// The same of one choice of ranks: of one within the bound, of which all small instances are there, and of one beyond it.
pub(crate) const DRAWN_OF_RANKS: usize = 12;
const DRAWN_BEYOND: usize = 96;
/// Goals are compared with instances of this many more dims than the bound has: what holds by chance of the ranks that were enumerated
/// mostly fails there.
const MORE_DIMS: u64 = 2;
/// The most steps that are spent on instances of the next larger size.
const STEPS_OF_LARGER: u64 = 60_000;
/// The instances, of the sound ones and of the others, by which it is seen which goals of the definitions say something.
const FEW_INSTANCES: usize = 24;

/// Instances of the left side up to a bound, for which the author's condition holds.
#[derive(Default)]
pub(crate) struct Domain {
    pub(super) instances: Vec<Instance>,
    /// How many of the first ones were enumerated.
    pub(super) within: usize,
    pub(super) bound: CompleteUpTo,
    pub(super) ranks: AllRanks,
    /// Those with more dims than the bound has.
    pub(super) beyond: AllRanks,
}

/// Sizes with which instances are enumerated.
pub(super) struct SizesToTry {
    /// All up to this.
    pub(super) dim: i64,
    /// And these.
    pub(super) own: Vec<i64>,
    pub(super) is_last: bool,
}

/// The leaves of which choices of ranks are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    /// All for which the left side has a type.
    Any,
    /// Those for which the author's condition may hold as well: dims that it makes equal are one.
    OfCondition,
}

/// How far the instances of the left side were enumerated.
pub(super) struct Reached {
    pub(super) bound: CompleteUpTo,
    pub(super) ranks: AllRanks,
    /// The fewest dims of the leaf with the most dims.
    pub(super) fewest: u64,
}

impl Reached {
    /// Are some of the instances within the bound? Sizes that are smaller leave steps for more dims.
    fn is_enough(&self) -> bool {
        self.bound.rank >= self.fewest
    }
}

impl Checked<'_> {
    /// The instances of the left side for which the author's condition holds. `ranks` are those under it that are known.
    pub(crate) fn domain(
        &self,
        own: &Compiled,
        ranks: Option<AllRanks>,
    ) -> Result<Domain, Diagnostic> {
        let mut ranks = ranks;
        for tried in self.sizes_to_try(own) {
            let mut instances: Vec<Instance> = Vec::new();
            let each = &mut |one: &mut Candidate<'_, '_>| instances.extend(one.instance());
            let reached = Control::default().run(STEPS_OF_DOMAIN, || {
                let ranks = ranks.take();
                self.each_instance(own, Leaves::OfCondition, ranks, &tried, &|_| true, each)
            })?;
            if reached.is_enough() || tried.is_last {
                return Ok(Domain {
                    instances,
                    bound: reached.bound,
                    ranks: reached.ranks,
                    ..Domain::default()
                });
            }
            ranks = Some(reached.ranks);
        }
        Ok(Domain::default())
    }

    /// The sizes with which instances are enumerated, fewer where with more of them none of the ranks is reached at all: the numbers of a rule
    /// are mostly places of dims, and no sizes.
    pub(super) fn sizes_to_try(&self, own: &Compiled) -> Vec<SizesToTry> {
        let dim = self.largest_size(&own.program);
        let with = |dim, own, is_last| SizesToTry { dim, own, is_last };
        vec![
            with(dim, own.sizes(), false),
            with(dim.min(1), own.sizes(), false),
            with(dim.min(1), Vec::new(), true),
        ]
    }

    /// The choices of ranks are looked for among these leaves.
    pub(super) fn symbolic_of<'c>(
        &'c self,
        own: &'c Compiled,
        leaves: Leaves,
    ) -> Result<Symbolic<'c>, Diagnostic> {
        match leaves {
            Leaves::Any => self.symbolic_of_any(own, self.bounds.max_rank),
            Leaves::OfCondition => self.symbolic(own),
        }
    }

    /// Hands on the first of the instances with these sizes, of the choices of ranks that are wanted.
    pub(super) fn each_instance(
        &self,
        own: &Compiled,
        leaves: Leaves,
        ranks: Option<AllRanks>,
        sizes: &SizesToTry,
        is_wanted: &dyn Fn(&Ranks) -> bool,
        each: &mut dyn FnMut(&mut Candidate<'_, '_>),
    ) -> Result<Reached, Diagnostic> {
        let program = own.any_shapes();
        let mut ground = self.ground(program, own)?;
        let ranks = match ranks {
            Some(ranks) if ranks.is_whole => ranks,
            part => {
                let mut symbolic = self.symbolic_of(own, leaves)?;
                part.unwrap_or_default().completed(&mut symbolic)
            }
        };
        let mut count = 0;
        let mut fewest = usize::MAX;
        let mut bound = CompleteUpTo {
            rank: 0,
            dim: u64::try_from(sizes.dim).ok(),
        };
        let all = ranks.sorted_by(most_dims);
        let mut budget = STEPS;
        let most = MOST_INSTANCES.div_ceil(self.sharing);
        let mut complete = !ranks.is_cut_off;
        let of_choice = |ranks: &Ranks| {
            is_wanted(ranks).then_some(())?;
            Some(OpenShapes::of(ranks)?.with_sizes(sizes.own.clone()))
        };
        for (i, ranks) in all.iter().enumerate() {
            let Some(shapes) = of_choice(ranks) else {
                continue;
            };
            let dtypes = match instances::dtypes(ranks, &shapes) {
                Ok(dtypes) => dtypes,
                Err(NoDtypes::Never) => continue,
                Err(NoDtypes::Open) => {
                    complete = false;
                    break;
                }
            };
            let each = &mut |one: &mut Candidate<'_, '_>| {
                if leaves == Leaves::OfCondition && one.holds() != Some(true) {
                    return;
                }
                count += 1;
                one.is_last = count == most;
                fewest = fewest.min(one.most_dims());
                each(one);
            };
            complete &= instances::enumerate(
                &shapes,
                &dtypes,
                sizes.dim,
                program,
                &mut ground,
                &mut budget,
                each,
            );
            if !complete {
                break;
            }
            let rank = |ranks: &Ranks| most_dims(ranks);
            let is_last = all.get(i + 1).is_none_or(|next| rank(next) > rank(ranks));
            if is_last {
                bound.rank = rank(ranks) as u64;
            }
        }
        if complete {
            bound.rank = self.bounds.max_rank;
        }
        ground.keep();
        Ok(Reached {
            bound,
            ranks,
            fewest: if count > 0 { fewest as u64 } else { 0 },
        })
    }

    /// The choices of ranks beyond the bound, of a few more dims, and those with as many dims as the literals of the rule may index.
    pub(super) fn beyond(&self, own: &Compiled) -> Result<AllRanks, Diagnostic> {
        let mut symbolic = self.symbolic(own)?;
        let reach = reach(&own.program, self.bounds.max_rank.saturating_add(MORE_DIMS));
        let reach = usize::try_from(reach).unwrap_or(usize::MAX);
        Ok(AllRanks::from(symbolic.beyond(reach)))
    }

    /// Instances of all ranks, at random, and of some beyond the bound: the same ones for the same seed.
    pub(super) fn drawn(
        &self,
        own: &Compiled,
        domain: &Domain,
        seed: u64,
        times: usize,
    ) -> Result<Vec<Instance>, Diagnostic> {
        let mut drawn = self.drawn_of(own, &domain.ranks, seed, times, DRAWN_OF_RANKS)?;
        drawn.extend(self.drawn_of(own, &domain.beyond, seed, times, DRAWN_BEYOND)?);
        Ok(drawn)
    }

    /// Instances of all of these ranks, at random, up to a number of each: the same ones for the same seed.
    pub(crate) fn drawn_of(
        &self,
        own: &Compiled,
        ranks: &AllRanks,
        seed: u64,
        times: usize,
        most_of_each: usize,
    ) -> Result<Vec<Instance>, Diagnostic> {
        let program = own.any_shapes();
        let mut ground = self.ground(program, own)?;
        let mut found = Vec::new();
        let mut random = Random(seed);
        let most = (DRAWN / self.sharing).max(LEAST_DRAWN);
        let step = ranks.all.len().div_ceil(most).max(1);
        let each = times * (most / ranks.all.len().max(1)).clamp(1, most_of_each);
        for ranks in ranks.sorted_by(most_dims).into_iter().step_by(step) {
            let Some((shapes, dtypes)) = shapes_of(ranks, own) else {
                continue;
            };
            for _ in 0..each {
                if is_over() {
                    return Ok(found);
                }
                let largest = LARGEST_DRAWN;
                let one =
                    instances::drawn(&shapes, &dtypes, largest, program, &mut ground, &mut random);
                found.extend(one);
            }
        }
        ground.keep();
        Ok(found)
    }

    /// Instances with the next larger size than those of the domain have, with few dims: what holds of small sizes by chance mostly fails
    /// for one of them, and such a one may not be drawn.
    pub(super) fn larger(
        &self,
        own: &Compiled,
        domain: &Domain,
    ) -> Result<Vec<Instance>, Diagnostic> {
        let Some(largest) = domain.bound.dim.and_then(|dim| i64::try_from(dim).ok()) else {
            return Ok(Vec::new());
        };
        let largest = largest + 1;
        let program = own.any_shapes();
        let mut ground = self.ground(program, own)?;
        let mut budget = STEPS_OF_LARGER.div_ceil(self.sharing as u64);
        let mut found = Vec::new();
        for ranks in domain.ranks.sorted_by(all_dims) {
            let Some((shapes, dtypes)) = shapes_of(ranks, own) else {
                continue;
            };
            let each = &mut |one: &mut Candidate<'_, '_>| {
                if one.largest_size() == largest && one.holds() == Some(true) {
                    found.extend(one.instance());
                }
            };
            if !instances::enumerate(
                &shapes,
                &dtypes,
                largest,
                program,
                &mut ground,
                &mut budget,
                each,
            ) {
                break;
            }
        }
        ground.keep();
        Ok(found)
    }

    /// Instances with other dtypes, of the smallest sizes, and of the smallest ones that are sound.
    pub(super) fn of_other_dtypes(
        &self,
        own: &Compiled,
        domain: &Domain,
    ) -> Result<Vec<Instance>, Diagnostic> {
        let program = own.any_shapes();
        let mut ground = self.ground(program, own)?;
        let mut found = Vec::new();
        let sound = domain
            .instances
            .iter()
            .filter(|one| one.right == Right::Same);
        let sound = sound.min_by(|a, b| a.key.cmp(&b.key));
        let sound = sound.and_then(|one| OpenShapes::fixed(&one.leaves));
        let mut seen: Vec<Vec<Dtype>> = Vec::new();
        for ranks in domain
            .ranks
            .sorted_by(most_dims)
            .iter()
            .take(RANKS_OF_DTYPES)
        {
            let Some(shapes) = OpenShapes::of(ranks) else {
                continue;
            };
            let Ok(first) = instances::dtypes(ranks, &shapes) else {
                continue;
            };
            for dtypes in other_dtypes(ranks, &shapes, &first) {
                let is_new = !seen.contains(&dtypes);
                for shapes in [Some(&shapes), sound.as_ref().filter(|_| is_new)] {
                    let Some(shapes) = shapes else {
                        continue;
                    };
                    let mut left = STEPS_OF_DTYPES;
                    of_dtypes(shapes, &dtypes, program, &mut ground, &mut left, &mut found);
                }
                if is_new {
                    seen.push(dtypes);
                }
            }
        }
        ground.keep();
        Ok(found)
    }

    /// The size up to which instances of the left side are evaluated.
    pub(super) fn largest_size(&self, program: &Program) -> i64 {
        let dim = if program.leaves.len() > 2 { 2 } else { 3 };
        i64::try_from(self.bounds.max_dim.min(dim)).unwrap_or(i64::MAX)
    }
}

impl Domain {
    pub(crate) fn instances(&self) -> &[Instance] {
        &self.instances
    }

    pub(crate) fn bound(&self) -> CompleteUpTo {
        self.bound
    }

    /// A few instances, of the sound ones and of the others.
    pub(super) fn few(&self) -> Vec<Instance> {
        let mut few: Vec<Instance> = Vec::new();
        for is_sound in [true, false] {
            let is_meant =
                |one: &&Instance| is_known(one) && (one.right == Right::Same) == is_sound;
            let all: Vec<&Instance> = self.instances.iter().filter(is_meant).collect();
            let step = all.len().div_ceil(FEW_INSTANCES).max(1);
            few.extend(all.into_iter().step_by(step).cloned());
        }
        few
    }

    /// Are there instances with more dims than the bound has?
    pub(crate) fn has_beyond(&self) -> bool {
        !self.beyond.all.is_empty()
    }

    /// The fewest dims of the leaf with the most dims.
    pub(super) fn fewest(&self) -> u64 {
        let ranks = |one: &Instance| -> usize {
            one.leaves.iter().map(|ty| dims_of(ty)).max().unwrap_or(0)
        };
        self.instances.iter().map(ranks).min().unwrap_or(0) as u64
    }

    /// Has an instance the dtypes of another one?
    pub(super) fn has_dtypes_of(&self, one: &Instance) -> bool {
        let of = |one: &Instance| -> Vec<Option<Dtype>> {
            let dtype = |ty: &std::sync::Arc<kanshape::Type>| ty.as_tensor()?.dtype.known();
            one.leaves.iter().map(dtype).collect()
        };
        let own = of(one);
        self.instances.iter().any(|other| of(other) == own)
    }
}

/// The shapes of the leaves for a choice of ranks, and their first dtypes.
pub(super) fn shapes_of(ranks: &Ranks, compiled: &Compiled) -> Option<(OpenShapes, Vec<Dtype>)> {
    let shapes = OpenShapes::of(ranks)?.with_sizes(compiled.sizes());
    let dtypes = instances::dtypes(ranks, &shapes).ok()?;
    Some((shapes, dtypes))
}

fn of_dtypes(
    shapes: &OpenShapes,
    dtypes: &[Dtype],
    program: &Program,
    ground: &mut Ground<'_>,
    budget: &mut u64,
    found: &mut Vec<Instance>,
) {
    let each = &mut |one: &mut Candidate<'_, '_>| found.extend(one.instance());
    instances::enumerate(shapes, dtypes, 1, program, ground, budget, each);
}
