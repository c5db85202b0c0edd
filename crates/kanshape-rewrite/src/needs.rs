//! The weakest precondition: goals that hold of exactly the instances for which a rule is sound.
//!
//! Goals are tried that speak of the leaves, and of what the left side makes of them. Those that hold wherever the rule is
//! sound are necessary; if all necessary ones together exclude all else, the fewest that do so are the precondition. If not,
//! cases are found of which one has to hold. Once the question is over, no more goals are tried.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use kanshape::control::is_over;
use kanshape::tree::CmpOp;
use kanshape::tree::relation::{Goal, Term};

use crate::goals::{Bits, TriedGoal, TriedGoals, Variables, bits, defined_contents, every};
use crate::ground::Right;
use crate::instances::Instance;
use crate::made;
use crate::program::Program;

/// Of more goals no pairs are tried.
const MOST_PAIRED: usize = 300;
/// The most goals that a precondition has.
const MOST_GOALS: usize = 6;
/// The most cases that it has, and the most goals of a case.
const MOST_CASES: usize = 4;
const MOST_OF_CASE: usize = 5;
/// How many times as many instances several goals have to keep as one does.
const WORTH_OF_ONE: f64 = 2.0;
/// The most sound instances of which goals are looked for that hold of it and of no unsound one.
const MOST_SEEDS: usize = 24;

/// Goals that hold of the sound instances, and of no others.
pub(crate) fn find(
    program: &Program,
    instances: &[Instance],
    variables: Option<&Variables>,
) -> Option<Vec<Goal>> {
    let is_sound: Vec<bool> = instances
        .iter()
        .map(|one| one.right == Right::Same)
        .collect();
    let sound = bits(is_sound.iter().copied());
    let whole = every(instances.len());
    let is_necessary = |one: &&TriedGoal| is_subset(&sound, &one.holds);
    let necessary = |all: &[TriedGoal]| all.iter().filter(is_necessary).cloned().collect();
    let mut candidates = TriedGoals::new(program, instances, &is_sound, variables);
    let few: Vec<TriedGoal> = necessary(candidates.simple());
    let of_few = cover(&few, &sound, &whole);
    if let Some(goals) = of_few.as_ref().filter(|goals| goals.len() == 1) {
        return Some(defined_once(program, goals.clone()));
    }
    let (all, simple) = candidates.all();
    if is_over() {
        return None;
    }
    let many: Vec<TriedGoal> = necessary(all);
    let pairs = |necessary, all| cover(&with_pairs(necessary, all, &sound, &whole), &sound, &whole);
    // One goal about a part of a shape is true of more dims than several about single ones.
    let of_many = cover(&many, &sound, &whole);
    let is_fewer = |goals: &Vec<Goal>| of_few.as_ref().is_none_or(|few| goals.len() < few.len());
    let found = of_many
        .filter(is_fewer)
        .or(of_few)
        .or_else(|| pairs(few, &all[..simple]))
        .or_else(|| by_rank(program, instances))
        .or_else(|| pairs(many.clone(), all))
        .or_else(|| by_cases(&many, all, &sound, &whole));
    Some(defined_once(program, found?))
}

/// The goals with what is in leaves defined once, in front of them.
fn defined_once(program: &Program, mut goals: Vec<Goal>) -> Vec<Goal> {
    let mut first = Vec::new();
    for leaf in &program.leaves {
        let goal = defined_contents(&leaf.name);
        let mut left_out = false;
        for own in &mut goals {
            left_out |= leave_out(&goal, own);
        }
        if left_out {
            first.push(goal);
        }
    }
    first.extend(goals);
    first
}

/// Leaves a goal out where others stand beside it; false if it does not.
fn leave_out(goal: &Goal, of: &mut Goal) -> bool {
    let mut left_out = false;
    if let Goal::All(goals) = of {
        let before = goals.len();
        goals.retain(|own| own.node != *goal);
        left_out = goals.len() < before;
    }
    for part in of.parts_mut() {
        left_out |= leave_out(goal, &mut part.node);
    }
    if let Goal::All(goals) = of {
        *of = made::all(std::mem::take(goals).into_iter().map(|own| own.node));
    }
    left_out
}

/// Goals that hold of many of the sound instances, and of no others: where no goals hold of all of them.
pub(crate) fn sufficient(program: &Program, instances: &[Instance]) -> Option<Vec<Goal>> {
    let is_sound: Vec<bool> = instances
        .iter()
        .map(|one| one.right == Right::Same)
        .collect();
    let unsound = bits(is_sound.iter().map(|own| !own));
    let whole = every(instances.len());
    let sound = bits(is_sound.iter().copied());
    let mut candidates = TriedGoals::new(program, instances, &is_sound, None);
    let (all, simple) = candidates.all();
    // All choices of ranks count the same, however many instances each has.
    let mut of_ranks: BTreeMap<Vec<Option<usize>>, Vec<usize>> = BTreeMap::new();
    for at in (0..is_sound.len()).filter(|at| is_sound[*at]) {
        let leaves = instances[at].leaves.iter();
        let ranks = leaves.map(|ty| ty.as_tensor()?.shape.rank()).collect();
        of_ranks.entry(ranks).or_default().push(at);
    }
    let kept = |holds: &[u64]| -> f64 {
        let has = |at: &&usize| holds[**at / 64] >> (**at % 64) & 1 == 1;
        let shares = of_ranks.values();
        let shares = shares.map(|all| all.iter().filter(has).count() as f64 / all.len() as f64);
        shares.sum()
    };
    let seeds: Vec<usize> = of_ranks
        .values()
        .filter_map(|all| all.last().copied())
        .collect();
    let step = seeds.len().div_ceil(MOST_SEEDS).max(1);
    let mut best: Option<(f64, Goal)> = None;
    for seed in seeds.into_iter().step_by(step) {
        let first = (seed / 64, 1_u64 << (seed % 64));
        let Some((case, holds)) = case_of(first, &all[..simple], &whole, &sound, &unsound) else {
            continue;
        };
        let kept = kept(&holds);
        if best.as_ref().is_none_or(|own| kept > own.0) {
            best = Some((kept, case));
        }
    }
    // One goal is what a person would write, also if several keep somewhat more.
    let alone = all[..simple].iter().filter(|goal| {
        let mut excluded = unsound.iter().zip(goal.holds.iter());
        excluded.all(|(a, b)| a & b == 0)
    });
    let mut one: Option<(f64, &TriedGoal)> = None;
    for goal in alone {
        let kept = kept(&goal.holds);
        if one.is_none_or(|own| kept > own.0) {
            one = Some((kept, goal));
        }
    }
    let goal = match (best, one) {
        (Some((kept, case)), Some((alone, _))) if alone * WORTH_OF_ONE < kept => case,
        (_, Some((kept, tried))) if kept > 0.0 => tried.goal.clone(),
        (best, _) => best?.1,
    };
    Some(defined_once(program, vec![goal]))
}

/// The goals that are necessary, and those of which either of two is.
fn with_pairs(
    mut necessary: Vec<TriedGoal>,
    all: &[TriedGoal],
    sound: &[u64],
    whole: &[u64],
) -> Vec<TriedGoal> {
    let is_useful = |one: &&TriedGoal| {
        !is_subset(sound, &one.holds) && one.holds.iter().zip(sound).any(|(a, b)| a & b != 0)
    };
    let mut others: Vec<&TriedGoal> = all.iter().filter(is_useful).collect();
    others.truncate(MOST_PAIRED);
    for (i, one) in others.iter().enumerate() {
        for other in &others[i + 1..] {
            let both = one.holds.iter().zip(other.holds.iter());
            // Mostly a sound instance is missed: then nothing is put together.
            if both.clone().zip(sound).any(|((a, b), s)| s & !(a | b) != 0) {
                continue;
            }
            let holds: Bits = both.map(|(a, b)| a | b).collect();
            if holds != whole {
                necessary.push(TriedGoal {
                    goal: made::any([one.goal.clone(), other.goal.clone()]),
                    holds: Rc::new(holds),
                });
            }
        }
    }
    necessary
}

/// The goal that excludes most of these; the first one of those that exclude as many.
fn best<'c>(goals: &'c [TriedGoal], left: &[u64]) -> Option<&'c TriedGoal> {
    let mut best: Option<(u32, &TriedGoal)> = None;
    for goal in goals {
        let both = left.iter().zip(goal.holds.iter());
        let count: u32 = both.map(|(a, b)| (a & !b).count_ones()).sum();
        if count > best.map_or(0, |own| own.0) {
            best = Some((count, goal));
        }
    }
    best.map(|own| own.1)
}

/// The fewest of these goals, as far as that is seen, that together hold of the sound instances alone.
fn cover(goals: &[TriedGoal], sound: &[u64], whole: &[u64]) -> Option<Vec<Goal>> {
    let mut left = whole.to_vec();
    let mut chosen: Vec<&TriedGoal> = Vec::new();
    while left != sound {
        let goal = best(goals, &left)?;
        meet(&mut left, &goal.holds);
        chosen.push(goal);
        if chosen.len() > MOST_GOALS {
            return None;
        }
    }
    let mut i = 0;
    while i < chosen.len() {
        let rest = chosen.iter().enumerate().filter(|(j, _)| *j != i);
        let mut all = whole.to_vec();
        rest.for_each(|(_, one)| meet(&mut all, &one.holds));
        if all == sound {
            chosen.remove(i);
        } else {
            i += 1;
        }
    }
    for i in 0..chosen.len() {
        let mut rest = whole.to_vec();
        let others = chosen.iter().enumerate().filter(|(j, _)| *j != i);
        others.for_each(|(_, one)| meet(&mut rest, &one.holds));
        if let Some(shorter) = shortest(goals, chosen[i], &rest, sound) {
            chosen[i] = shorter;
        }
    }
    Some(chosen.into_iter().map(|one| one.goal.clone()).collect())
}

/// The shortest goal that says the same as another one where the rest holds; none if no shorter one does.
fn shortest<'c>(
    goals: &'c [TriedGoal],
    own: &TriedGoal,
    rest: &[u64],
    sound: &[u64],
) -> Option<&'c TriedGoal> {
    let length = |goal: &TriedGoal| made::conjunct(&goal.goal).len();
    let says_the_same = |goal: &&TriedGoal| {
        let both = rest.iter().zip(goal.holds.iter()).map(|(a, b)| a & b);
        both.eq(sound.iter().copied())
    };
    let found = goals
        .iter()
        .filter(says_the_same)
        .min_by_key(|goal| length(goal));
    found.filter(|goal| length(goal) < length(own))
}

/// The ranks for which it is sound, if ranks alone decide.
fn by_rank(program: &Program, instances: &[Instance]) -> Option<Vec<Goal>> {
    let ranks = |one: &Instance| -> Option<Vec<usize>> {
        let all = one.leaves.iter().map(|ty| ty.as_tensor()?.shape.rank());
        all.collect()
    };
    let (mut sound, mut others) = (BTreeSet::new(), BTreeSet::new());
    for one in instances {
        match one.right {
            Right::Same => sound.insert(ranks(one)?),
            _ => others.insert(ranks(one)?),
        };
    }
    if sound.intersection(&others).next().is_some() || sound.len() > 8 {
        return None;
    }
    let case = |ranks: &Vec<usize>| {
        let all = program.leaves.iter().zip(ranks);
        made::all(all.map(|(leaf, rank)| {
            let own = made::call("rank", [made::name(&leaf.name)]);
            made::compare(&own, CmpOp::Eq, Term::Int(*rank as u64))
        }))
    };
    Some(vec![made::any(sound.iter().map(case))])
}

/// What is necessary, and cases of which one holds. Each case is found from the first sound instance that none before it has.
fn by_cases(
    necessary: &[TriedGoal],
    all: &[TriedGoal],
    sound: &[u64],
    whole: &[u64],
) -> Option<Vec<Goal>> {
    let mut left = whole.to_vec();
    let mut chosen: Vec<&TriedGoal> = Vec::new();
    while let Some(goal) = best(necessary, &left)
        && chosen.len() < MOST_GOALS
    {
        meet(&mut left, &goal.holds);
        chosen.push(goal);
    }
    let unsound: Bits = left.iter().zip(sound).map(|(a, b)| a & !b).collect();
    let mut missed = sound.to_vec();
    let mut cases: Vec<(Goal, Bits)> = Vec::new();
    while let Some(word) = missed.iter().position(|word| *word != 0) {
        if cases.len() == MOST_CASES {
            return None;
        }
        let first = (word, 1_u64 << missed[word].trailing_zeros());
        let case = case_of(first, all, whole, &missed, &unsound)?;
        missed.iter_mut().zip(&case.1).for_each(|(a, b)| *a &= !b);
        cases.push(case);
    }
    // A case that the others have as well says nothing.
    let mut i = 0;
    while i < cases.len() {
        let mut rest = vec![0; sound.len()];
        let others = cases.iter().enumerate().filter(|(j, _)| *j != i);
        others.for_each(|(_, case)| rest.iter_mut().zip(&case.1).for_each(|(a, b)| *a |= b));
        if is_subset(sound, &rest) {
            cases.remove(i);
        } else {
            i += 1;
        }
    }
    let mut of_cases = vec![0; sound.len()];
    for case in &cases {
        of_cases.iter_mut().zip(&case.1).for_each(|(a, b)| *a |= b);
    }
    let mut i = 0;
    while i < chosen.len() {
        let mut rest = of_cases.clone();
        let others = chosen.iter().enumerate().filter(|(j, _)| *j != i);
        others.for_each(|(_, goal)| meet(&mut rest, &goal.holds));
        if rest == sound {
            chosen.remove(i);
        } else {
            i += 1;
        }
    }
    let mut goals: Vec<Goal> = chosen.into_iter().map(|one| one.goal.clone()).collect();
    goals.push(made::any(cases.into_iter().map(|case| case.0)));
    Some(goals)
}

/// Goals that hold of this instance and of none that is unsound, with the instances of which they hold.
fn case_of(
    first: (usize, u64),
    all: &[TriedGoal],
    whole: &[u64],
    missed: &[u64],
    unsound: &[u64],
) -> Option<(Goal, Bits)> {
    let mut of_case: Vec<&TriedGoal> = Vec::new();
    let (mut good, mut bad) = (missed.to_vec(), unsound.to_vec());
    while bad.iter().any(|word| *word != 0) {
        if of_case.len() == MOST_OF_CASE {
            return None;
        }
        let before = share(count(&good, &good), count(&bad, &bad));
        let mut best: Option<(f64, &TriedGoal)> = None;
        for goal in all {
            if goal.holds[first.0] & first.1 == 0 {
                continue;
            }
            let kept = count(&good, &goal.holds);
            let gain = f64::from(kept) * (share(kept, count(&bad, &goal.holds)) - before);
            if gain > best.map_or(0.0, |own| own.0) {
                best = Some((gain, goal));
            }
        }
        let (_, goal) = best?;
        meet(&mut good, &goal.holds);
        meet(&mut bad, &goal.holds);
        of_case.push(goal);
    }
    let mut i = 0;
    while i < of_case.len() && of_case.len() > 1 {
        let mut rest = unsound.to_vec();
        let others = of_case.iter().enumerate().filter(|(j, _)| *j != i);
        others.for_each(|(_, goal)| meet(&mut rest, &goal.holds));
        if rest.iter().all(|word| *word == 0) {
            of_case.remove(i);
        } else {
            i += 1;
        }
    }
    let mut holds = whole.to_vec();
    of_case
        .iter()
        .for_each(|goal| meet(&mut holds, &goal.holds));
    let goals = of_case.iter().map(|one| one.goal.clone());
    Some((made::all(goals), holds))
}

/// How much is known of an instance, by how many of those like it are sound, and how many are not.
fn share(good: u32, bad: u32) -> f64 {
    if good == 0 {
        return f64::NEG_INFINITY;
    }
    (f64::from(good) / f64::from(good + bad)).ln()
}

fn meet(own: &mut [u64], other: &[u64]) {
    own.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
}

fn count(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

fn is_subset(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}
