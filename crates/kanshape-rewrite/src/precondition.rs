//! What is compared with the author's precondition, and where the weakest one is found: instances of the left side.

use kanshape::unstable::engine::is_over;
use kanshape::unstable::syntax::relation::{self, Goal};
use kanshape::unstable::syntax::tree::Spanned;
use kanshape::{Control, Diagnostic, Dtype};

use crate::check::{
    Aim, AllRanks, Checked, Compiled, LEAST_RANK, LEAST_SIZE, STEPS, STEPS_OF_RANKS,
    STEPS_OF_SEARCH, all_dims, most_dims, other_dtypes, reach,
};
use crate::definition;
use crate::ground::{Ground, Right};
use crate::instances::{self, Candidate, Instance, Random, Shapes};
use crate::needs;
use crate::program::Program;
use crate::soundness::{Audit, CompleteUpTo, Soundness};
use crate::symbolic::{NoDtypes, Ranks, Symbolic, dims_of};

/// The most instances that are kept to find the precondition.
const MOST_INSTANCES: usize = 20_000;
/// The steps of the solver for the instances of the left side, with each choice of sizes.
const STEPS_OF_DOMAIN: u64 = STEPS_OF_SEARCH / 2;
/// How often a precondition that is too weak or too strong is searched again, with the instances that it got wrong: among goals about
/// dims, and among those of the definitions of operators, which take longer. What is not found by then is mostly never found.
const ROUNDS: u64 = 6;
const ROUNDS_OF_DEFINITIONS: u64 = 2;
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
/// How many times as many are drawn for goals that may well be true of the others by chance.
const TIMES_DOUBTED: usize = 8;
/// The most steps that are spent on instances of the next larger size.
const STEPS_OF_LARGER: u64 = 60_000;
/// The most instances that are kept of those for which a rule is wrong.
const MOST_WRONG: usize = 8;
/// The most goals that are taken from the definitions of operators, and the instances, of the sound ones and of the others, by which it is
/// seen which of them say something.
const MOST_GOALS: usize = 12;
const FEW_INSTANCES: usize = 24;
/// A case that a condition excludes is first looked for among leaves of up to this number of dims.
const MOST_DIMS_LOST: usize = 2;

/// Instances of the left side up to a bound, for which the author's condition holds.
#[derive(Default)]
pub(crate) struct Domain {
    instances: Vec<Instance>,
    /// How many of the first ones were enumerated.
    within: usize,
    bound: CompleteUpTo,
    ranks: AllRanks,
    /// Those with more dims than the bound has.
    beyond: AllRanks,
}

/// Sizes with which instances are enumerated.
struct SizesToTry {
    /// All up to this.
    dim: i64,
    /// And these.
    own: Vec<i64>,
    is_last: bool,
}

/// The leaves of which choices of ranks are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// All for which the left side has a type.
    Any,
    /// Those for which the author's condition may hold as well: dims that it makes equal are one.
    OfCondition,
}

/// How far the instances of the left side were enumerated.
struct Reached {
    bound: CompleteUpTo,
    ranks: AllRanks,
    /// The fewest dims of the leaf with the most dims.
    fewest: u64,
}

impl Reached {
    /// Are some of the instances within the bound? Sizes that are smaller leave steps for more dims.
    fn is_enough(&self) -> bool {
        self.bound.rank >= self.fewest
    }
}

/// What becomes of a rule with more goals.
pub(crate) enum Tried {
    /// It is sound, and no sound case is excluded.
    Exact,
    /// There are no goals, or they can't be written.
    Nothing,
    /// It is not known.
    Open,
    /// It is not sound for this instance.
    Missed(Box<Instance>),
    /// It is wrong for some instances that were drawn.
    Wrong(Drawn),
}

/// Instances that were drawn, and a few for which a rule is wrong.
pub(crate) struct Drawn {
    all: Vec<Instance>,
    wrong: Vec<Instance>,
}

impl Drawn {
    /// Those for which it is wrong.
    pub(crate) fn wrong(self) -> Vec<Instance> {
        self.wrong
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
                self.each_instance(own, Leaves::OfCondition, ranks.take(), &tried, each)
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
    fn sizes_to_try(&self, own: &Compiled) -> Vec<SizesToTry> {
        let dim = self.largest_size(&own.program);
        let with = |dim, own, is_last| SizesToTry { dim, own, is_last };
        vec![
            with(dim, own.sizes(), false),
            with(dim.min(1), own.sizes(), false),
            with(dim.min(1), Vec::new(), true),
        ]
    }

    /// The choices of ranks are looked for among these leaves.
    fn symbolic_of<'c>(
        &'c self,
        own: &'c Compiled,
        leaves: Leaves,
    ) -> Result<Symbolic<'c>, Diagnostic> {
        match leaves {
            Leaves::Any => {
                let max_rank = usize::try_from(self.bounds.max_rank).unwrap_or(usize::MAX);
                Symbolic::new(own.any_shapes(), None, self.relations, max_rank)
            }
            Leaves::OfCondition => self.symbolic(own),
        }
    }

    /// Hands on the first of the instances with these sizes.
    fn each_instance(
        &self,
        own: &Compiled,
        leaves: Leaves,
        ranks: Option<AllRanks>,
        sizes: &SizesToTry,
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
        for (i, ranks) in all.iter().enumerate() {
            let Some(shapes) = Shapes::of(ranks) else {
                continue;
            };
            let shapes = shapes.with_sizes(sizes.own.clone());
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

    /// Has the left side a type for some leaves, whether the author's condition holds of them or not?
    pub(crate) fn is_typed(&self, own: &Compiled) -> Result<bool, Diagnostic> {
        Control::default().run(STEPS_OF_SEARCH, || {
            let mut is_typed = false;
            let each = &mut |one: &mut Candidate<'_, '_>| {
                is_typed = true;
                one.is_last = true;
            };
            let sizes = SizesToTry {
                dim: LEAST_SIZE,
                own: own.sizes(),
                is_last: true,
            };
            self.each_instance(own, Leaves::Any, None, &sizes, each)?;
            Ok(is_typed)
        })
    }

    /// The choices of ranks beyond the bound, of a few more dims, and those with as many dims as the literals of the rule may index.
    fn beyond(&self, own: &Compiled) -> Result<AllRanks, Diagnostic> {
        let mut symbolic = self.symbolic(own)?;
        let reach = reach(&own.program, self.bounds.max_rank.saturating_add(MORE_DIMS));
        let reach = usize::try_from(reach).unwrap_or(usize::MAX);
        Ok(AllRanks::from(symbolic.beyond(reach)))
    }

    /// Instances of all ranks, at random, and of some beyond the bound: the same ones for the same seed.
    fn drawn(
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
    fn larger(&self, own: &Compiled, domain: &Domain) -> Result<Vec<Instance>, Diagnostic> {
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
    fn of_other_dtypes(
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
        let sound = sound.and_then(|one| Shapes::fixed(&one.leaves));
        let mut seen: Vec<Vec<Dtype>> = Vec::new();
        for ranks in domain
            .ranks
            .sorted_by(most_dims)
            .iter()
            .take(RANKS_OF_DTYPES)
        {
            let Some(shapes) = Shapes::of(ranks) else {
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

    /// Compares the author's condition, with which the rule is sound, with the weakest one.
    pub(crate) fn audit(
        &self,
        soundness: &mut Soundness,
        own: &Compiled,
    ) -> Result<(), Diagnostic> {
        let (lost, ranks) = self.lost(own)?;
        if let Some(lost) = lost {
            soundness.lost = Some(self.case(own, &lost));
            soundness.audit = Some(Audit::TooStrong);
            return Ok(());
        }
        let mut lost = None;
        let bound = Control::default().run(STEPS_OF_SEARCH, || {
            let each = &mut |one: &mut Candidate<'_, '_>| {
                if one.is_lost() {
                    one.keep_smallest(&mut lost, Right::Same, false);
                }
            };
            let mut bound = CompleteUpTo::default();
            let mut ranks = ranks;
            for tried in self.sizes_to_try(own) {
                let reached = self.each_instance(own, Leaves::Any, Some(ranks), &tried, each)?;
                (bound, ranks) = (reached.bound, reached.ranks);
                if bound.rank >= reached.fewest {
                    break;
                }
            }
            if bound.dim.is_some_and(|dim| dim < LEAST_SIZE.unsigned_abs()) {
                // Few sizes were tried of all ranks: others are drawn.
                let mut drawn = self.drawn_of(own, &ranks, 0, TIMES_DOUBTED, DRAWN_OF_RANKS)?;
                drawn.retain(|one| !one.holds && one.right == Right::Same);
                let smallest = lost.take().into_iter().chain(drawn);
                lost = smallest.min_by(|a, b| a.key.cmp(&b.key));
            }
            Ok::<_, Diagnostic>(bound)
        })?;
        soundness.lost = lost.as_ref().map(|one| self.case(own, one));
        soundness.audit = match lost {
            Some(_) => Some(Audit::TooStrong),
            // Too few ranks were enumerated to decide it.
            None if bound.rank < LEAST_RANK.min(self.bounds.max_rank) => None,
            None => Some(Audit::Exact),
        };
        Ok(())
    }

    /// The smallest sound instance that the condition excludes, if it has few dims, and the ranks that were tried.
    fn lost(&self, own: &Compiled) -> Result<(Option<Instance>, AllRanks), Diagnostic> {
        Control::default().run(STEPS_OF_SEARCH, || {
            let program = own.any_shapes();
            let mut symbolic = self.symbolic_of(own, Leaves::Any)?;
            let mut ground = self.ground(program, own)?;
            let mut budget = STEPS_OF_RANKS;
            let mut ranks = AllRanks::default();
            let mut lost: Option<Instance> = None;
            for rank in 0..=MOST_DIMS_LOST.min(symbolic.largest_rank()) {
                for choice in ranks.extended(&mut symbolic).sorted_by(all_dims) {
                    let is_smaller = |one: &Instance| all_dims(choice) <= one.key.0;
                    if !lost.as_ref().is_none_or(is_smaller) {
                        break;
                    }
                    let Some((shapes, dtypes)) = shapes_of(choice, own) else {
                        continue;
                    };
                    let each = &mut |one: &mut Candidate<'_, '_>| {
                        if one.is_lost() {
                            one.keep_smallest(&mut lost, Right::Same, false);
                        }
                    };
                    let largest = self.largest_size(program);
                    let is_whole = instances::enumerate(
                        &shapes,
                        &dtypes,
                        largest,
                        program,
                        &mut ground,
                        &mut budget,
                        each,
                    );
                    if !is_whole {
                        return Ok((None, ranks));
                    }
                }
                if lost.as_ref().is_some_and(|one| one.key.0 <= rank) {
                    break;
                }
            }
            let lost = lost.filter(|one| one.key.0 < ranks.next);
            ground.keep();
            Ok((lost, ranks))
        })
    }

    /// The size up to which instances of the left side are evaluated.
    fn largest_size(&self, program: &Program) -> i64 {
        let dim = if program.leaves.len() > 2 { 2 } else { 3 };
        i64::try_from(self.bounds.max_dim.min(dim)).unwrap_or(i64::MAX)
    }

    /// Instances for which the author's condition holds, of small sizes and some at random; none if something of them is not known.
    pub(crate) fn known_domain(&self, own: &Compiled) -> Result<Option<Domain>, Diagnostic> {
        let mut domain = self.domain(own, None)?;
        if domain
            .instances
            .iter()
            .any(|one| one.right == Right::Unknown)
        {
            return Ok(None);
        }
        domain.beyond = self.beyond(own)?;
        domain.within = domain.instances.len();
        self.add_drawn(&mut domain, own)?;
        Ok(Some(domain))
    }

    /// Finds goals with which the rule is sound, and which exclude no case that is.
    pub(crate) fn find_needs(
        &self,
        soundness: &mut Soundness,
        own: &Compiled,
        mut domain: Domain,
    ) -> Result<(), Diagnostic> {
        let is_open = |all: &[Instance]| all.iter().any(|one| one.right == Right::Unknown);
        if is_open(&domain.instances) {
            return Ok(());
        }
        domain.beyond = self.beyond(own)?;
        if let Some(goals) = self.found_needs(own, &mut domain)? {
            soundness.needs = Some(goals);
            soundness.complete_up_to = Some(domain.bound);
        }
        Ok(())
    }

    fn found_needs(
        &self,
        own: &Compiled,
        domain: &mut Domain,
    ) -> Result<Option<Vec<String>>, Diagnostic> {
        let defined = |domain: &Domain| self.defined(own, domain);
        // Goals that are found from too few ranks may be wrong for the others.
        let fewest = domain.fewest();
        if domain.bound.rank < fewest.max(1).min(self.bounds.max_rank) {
            return defined(domain);
        }
        domain.within = domain.instances.len();
        self.add_drawn(domain, own)?;
        // None of the first dtypes will do: `Cast[to = i64](X) => X`.
        let mut has_dtypes = !domain.instances.iter().any(|one| one.right == Right::Same);
        if has_dtypes {
            self.add_dtypes(domain, own)?;
        }
        let mut may_be_defined = true;
        for round in 1..=ROUNDS {
            let mut goals = needs::find(&own.program, &domain.instances, None);
            if goals.is_none() {
                if may_be_defined && let Some(goals) = defined(domain)? {
                    return Ok(Some(goals));
                }
                may_be_defined = false;
                while goals.is_none() && domain.has_beyond() {
                    // What holds of so many dims as well is too much to say.
                    self.without_largest(domain, own)?;
                    goals = needs::find(&own.program, &domain.instances, None);
                }
            }
            let Some(goals) = goals else {
                return Ok(None);
            };
            match self.tried(own, domain, &goals, true, round)? {
                Tried::Exact => return Ok(Some(goals)),
                Tried::Nothing => {
                    // All instances are sound: what the rule needs is about other dtypes.
                    if has_dtypes || !self.add_dtypes(domain, own)? {
                        return Ok(None);
                    }
                    has_dtypes = true;
                }
                Tried::Open => return Ok(None),
                Tried::Missed(missed) => {
                    if !has_dtypes && !domain.has_dtypes_of(&missed) {
                        has_dtypes = true;
                        self.add_dtypes(domain, own)?;
                    }
                    domain.instances.push(*missed);
                }
                Tried::Wrong(drawn) => {
                    domain.instances.extend(drawn.all);
                    if may_be_defined && is_doubted(&goals) {
                        if let Some(goals) = defined(domain)? {
                            return Ok(Some(goals));
                        }
                        may_be_defined = false;
                    }
                }
            }
        }
        match may_be_defined {
            true => defined(domain),
            false => Ok(None),
        }
    }

    /// What the definitions of the operators say, if that is what the rule needs.
    fn defined(&self, own: &Compiled, domain: &Domain) -> Result<Option<Vec<String>>, Diagnostic> {
        let has_contents = |leaf: usize| {
            let mut all = domain.ranks.all.iter();
            all.any(|ranks| ranks.with_contents[leaf])
        };
        let with_contents: Vec<bool> = (0..own.program.leaves.len()).map(has_contents).collect();
        let Some(all) = definition::needs(&own.program, &with_contents) else {
            return Ok(None);
        };
        let mut few = domain.few();
        let mut goals = all.clone();
        for round in 1..=ROUNDS_OF_DEFINITIONS {
            self.reduce(own, &few, &mut goals)?;
            if goals.len() > MOST_GOALS || is_over() {
                return Ok(None);
            }
            match self.tried(own, domain, &goals, true, round)? {
                Tried::Exact => return Ok(Some(goals)),
                // One that was left out is needed for these.
                Tried::Missed(missed) if goals.len() < all.len() => few.push(*missed),
                Tried::Wrong(drawn) if goals.len() < all.len() => few.extend(drawn.wrong),
                _ => return Ok(None),
            }
            goals.clone_from(&all);
        }
        Ok(None)
    }

    /// Leaves out the goals that say nothing of these instances: each that is not needed beside those before it that are and all behind it.
    /// Several are left out at a time where none of them is needed. It ends once more are needed than a precondition has.
    fn reduce(
        &self,
        own: &Compiled,
        few: &[Instance],
        goals: &mut Vec<String>,
    ) -> Result<(), Diagnostic> {
        let mut few: Vec<&Instance> = few.iter().collect();
        let (mut at, mut count, mut grows) = (0, 1, true);
        while at < goals.len() && at <= MOST_GOALS && goals.len() > 1 && !is_over() {
            count = count.min(goals.len() - at).min(goals.len() - 1);
            let left_out: Vec<String> = goals.drain(at..at + count).collect();
            if self.is_exact(own, goals, &mut few)? {
                // Fewer goals exclude none of the sound ones that more do not exclude.
                few.retain(|one| one.right != Right::Same);
                count = if grows { 2 * count } else { (count / 2).max(1) };
                continue;
            }
            goals.splice(at..at, left_out);
            grows = count == 1;
            at += usize::from(grows);
            count = (count / 2).max(1);
        }
        Ok(())
    }

    /// Does the rule's condition together with these goals hold of the sound ones of these instances alone? The last ones, which were
    /// added because goals were wrong for them, are tried first, and one that decides is the next to be tried. False if the goals can't
    /// be written.
    fn is_exact(
        &self,
        own: &Compiled,
        goals: &[String],
        instances: &mut Vec<&Instance>,
    ) -> Result<bool, Diagnostic> {
        let Some(with) = self.with_goals(goals) else {
            return Ok(false);
        };
        let Ok(with) = self.compile(&with) else {
            return Ok(false);
        };
        let mut ground = self.ground(&own.program, &with)?;
        let wrong = instances
            .iter()
            .rposition(|one| ground.holds_of(&one.leaves) != (one.right == Right::Same));
        ground.keep();
        if let Some(wrong) = wrong {
            let wrong = instances.remove(wrong);
            instances.push(wrong);
        }
        Ok(wrong.is_none())
    }

    /// What becomes of a rule with these goals. It may be that they exclude all of it, if no instance of it is sound.
    pub(crate) fn tried(
        &self,
        own: &Compiled,
        domain: &Domain,
        goals: &[String],
        may_hold: bool,
        round: u64,
    ) -> Result<Tried, Diagnostic> {
        let Some(rule) = self.with_goals(goals) else {
            return Ok(Tried::Nothing);
        };
        let Ok(with) = self.compile(&rule) else {
            return Ok(Tried::Open);
        };
        let (found, _) = self.search(&with, Aim::Smallest)?;
        if let Some(missed) = found.counterexample {
            return Ok(Tried::Missed(Box::new(missed)));
        }
        if may_hold && (found.open.is_some() || !found.some_sound) {
            return Ok(Tried::Open);
        }
        // They may exclude what is sound and larger than what they were found from, or allow what is not.
        let times = match is_doubted(goals) {
            true => TIMES_DOUBTED,
            false => 1,
        };
        let mut all = self.drawn(own, domain, round, times)?;
        let mut wrong = self.wrong(own, &with, &all)?;
        if wrong.is_empty() && is_doubted(goals) {
            all = self.larger(own, domain)?;
            wrong = self.wrong(own, &with, &all)?;
        }
        if wrong.is_empty() {
            return Ok(Tried::Exact);
        }
        all.retain(is_known);
        Ok(Tried::Wrong(Drawn { all, wrong }))
    }

    /// The first of these instances that a rule with more goals excludes though they are sound, or does not exclude though they are not.
    fn wrong(
        &self,
        own: &Compiled,
        with: &Compiled,
        all: &[Instance],
    ) -> Result<Vec<Instance>, Diagnostic> {
        let mut ground = self.ground(&own.program, with)?;
        let is_wrong = |one: &&Instance| {
            is_known(one) && ground.holds_of(&one.leaves) != (one.right == Right::Same)
        };
        let wrong = all.iter().filter(is_wrong).take_while(|_| !is_over());
        let wrong = wrong.take(MOST_WRONG).cloned().collect();
        ground.keep();
        Ok(wrong)
    }

    /// Leaves out the instances with the most dims, which are beyond the bound, and those that were found with them.
    pub(crate) fn without_largest(
        &self,
        domain: &mut Domain,
        own: &Compiled,
    ) -> Result<(), Diagnostic> {
        domain.instances.truncate(domain.within);
        domain.beyond.leave_out_largest();
        self.add_drawn(domain, own)
    }

    /// Adds instances that are drawn at random.
    fn add_drawn(&self, domain: &mut Domain, own: &Compiled) -> Result<(), Diagnostic> {
        let mut drawn = self.drawn(own, domain, 0, 1)?;
        drawn.retain(is_known);
        domain.instances.extend(drawn);
        Ok(())
    }

    /// Adds instances with other dtypes; false if there are none of which all is known.
    fn add_dtypes(&self, domain: &mut Domain, own: &Compiled) -> Result<bool, Diagnostic> {
        let mut more = self.of_other_dtypes(own, domain)?;
        more.retain(is_known);
        domain.instances.extend_from_slice(&more);
        Ok(!more.is_empty())
    }

    /// The rule with goals behind its own; none if there are none, or if they can't be written.
    fn with_goals(&self, goals: &[String]) -> Option<relation::Rule> {
        let text = format!("X => X :- {}", goals.join(", "));
        let more = relation::parse_rule(&text).ok()?.body;
        let mut rule = self.rule.clone();
        let body = std::mem::replace(&mut rule.body, more);
        if body.node != Goal::True {
            let span = body.span;
            rule.body = Spanned::new(Goal::All(vec![body, rule.body]), span);
        }
        Some(rule)
    }
}

/// Are there alternatives among the goals, or many of them? Such ones are found for small instances whatever the rule is.
fn is_doubted(goals: &[String]) -> bool {
    goals.len() > 2 || goals.iter().any(|goal| goal.contains(" ; "))
}

/// Does it hold for the author, and is it known what the right side comes to?
fn is_known(one: &Instance) -> bool {
    one.holds && one.right != Right::Unknown
}

impl Domain {
    pub(crate) fn instances(&self) -> &[Instance] {
        &self.instances
    }

    pub(crate) fn bound(&self) -> CompleteUpTo {
        self.bound
    }

    /// A few instances, of the sound ones and of the others.
    fn few(&self) -> Vec<Instance> {
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
    fn fewest(&self) -> u64 {
        let ranks = |one: &Instance| -> usize {
            one.leaves.iter().map(|ty| dims_of(ty)).max().unwrap_or(0)
        };
        self.instances.iter().map(ranks).min().unwrap_or(0) as u64
    }

    /// Has an instance the dtypes of another one?
    fn has_dtypes_of(&self, one: &Instance) -> bool {
        let of = |one: &Instance| -> Vec<Option<Dtype>> {
            let dtype = |ty: &std::sync::Arc<kanshape::Type>| ty.as_tensor()?.dtype.known();
            one.leaves.iter().map(dtype).collect()
        };
        let own = of(one);
        self.instances.iter().any(|other| of(other) == own)
    }
}

/// The shapes of the leaves for a choice of ranks, and their first dtypes.
fn shapes_of(ranks: &Ranks, compiled: &Compiled) -> Option<(Shapes, Vec<Dtype>)> {
    let shapes = Shapes::of(ranks)?.with_sizes(compiled.sizes());
    let dtypes = instances::dtypes(ranks, &shapes).ok()?;
    Some((shapes, dtypes))
}

fn of_dtypes(
    shapes: &Shapes,
    dtypes: &[Dtype],
    program: &Program,
    ground: &mut Ground<'_>,
    budget: &mut u64,
    found: &mut Vec<Instance>,
) {
    let each = &mut |one: &mut Candidate<'_, '_>| found.extend(one.instance());
    instances::enumerate(shapes, dtypes, 1, program, ground, budget, each);
}
