//! Goals with which a rule that is refuted computes the same numbers.

use std::collections::BTreeSet;
use std::sync::Arc;

use kanshape::control::is_over;
use kanshape::tree::relation::{Goal, Term};
use kanshape::{Control, Diagnostic, Dim, Dtype, Type};

use super::{MOST_INSTANCES, ShownByInstances, has_one_type};
use crate::check::{Aim, Checked, Compiled};
use crate::goals::{contents_name, defined_contents, defines_contents};
use crate::ground::Right;
use crate::instances::Instance;
use crate::judge::Judge;
use crate::made;
use crate::needs;
use crate::precondition::has_cases;
use crate::program::ContentsGoal;
use crate::sides::CalculatedSides;
use crate::soundness::Case;
use crate::symbolic::dims_of;

/// The most instances that are labelled.
const MOST_LABELLED: usize = 600;
/// The most of those that show by themselves that both sides are the same numbers.
const MOST_LARGE: usize = 300;
/// How often goals are looked for again with an instance for which they were wrong.
const ROUNDS: usize = 8;
/// The most goals of a condition that is easily read.
const MOST_PLAIN: usize = 3;
/// The numbers that all members of a leaf may have to be.
const NUMBERS: [f64; 6] = [0.0, 1.0, -1.0, 2.0, 3.0, 0.5];
/// The steps of the solver for it.
const STEPS: u64 = 800_000;

/// Goals, and the smallest sound case of those that were tried which they exclude.
pub(super) struct Needed {
    pub(super) goals: Vec<Goal>,
    pub(super) loses: Option<Case>,
}

impl Checked<'_> {
    /// Goals that hold of the instances for which both sides are the same types and numbers, and of no other one that was tried. `wrong` is one
    /// for which the numbers are not, if there is one.
    pub(super) fn needs_of_values(
        &self,
        own: &Compiled,
        wrong: Option<Instance>,
    ) -> Result<Option<Needed>, Diagnostic> {
        Control::default().run(self.times(STEPS), || self.found_needs_of_values(own, wrong))
    }

    /// The same with a number that all members of one leaf are. `wrong` is an instance for which the sides differ.
    pub(super) fn needs_of_contents(
        &self,
        own: &Compiled,
        wrong: &Instance,
    ) -> Result<Option<Needed>, Diagnostic> {
        Control::default().run(self.times(STEPS), || {
            let sides = CalculatedSides::of(&own.program);
            let mut judge = Judge::new(self, own, &sides, false);
            if judge.speaks_of_contents() {
                return Ok(None);
            }
            // What the right side calculates with is no constant that makes it right, and a goal about the only leaf would leave nothing to rewrite.
            let program = &own.program;
            if program.leaves.len() < 2 {
                return Ok(None);
            }
            let leaves = (0..program.leaves.len()).filter(|leaf| {
                let is_open = program.contents_goals[*leaf] == ContentsGoal::Free;
                is_open && !program.leaves[*leaf].is_concrete() && !program.is_of_right(*leaf)
            });
            // Constants are mostly the last operands.
            let all = leaves
                .rev()
                .flat_map(|leaf| NUMBERS.iter().map(move |number| (*number, leaf)));
            for (number, leaf) in all {
                // Mostly the instance that is known says that it is another number.
                if judge.differs_with(wrong, leaf, number) != Some(false) {
                    continue;
                }
                let is_bool = wrong.leaves[leaf]
                    .as_tensor()
                    .is_some_and(|own| own.dtype.known() == Some(Dtype::Bool));
                let name = &program.leaves[leaf].name;
                if let Some(found) = self.needs_with(name, number, is_bool)? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        })
    }

    /// Goals that say it of a leaf, and what is needed beside them.
    fn needs_with(
        &self,
        leaf: &str,
        number: f64,
        is_bool: bool,
    ) -> Result<Option<Needed>, Diagnostic> {
        let number = match is_bool {
            true => Some(Term::Bool(number == 1.0)),
            false => made::number(number),
        };
        let Some(number) = number else {
            return Ok(None);
        };
        let contents = made::name(&contents_name(leaf));
        let filled = made::each(number, "_", &contents);
        let mut goals = vec![defined_contents(leaf), made::equal(&contents, &filled)];
        let rule = self.with_goals(&goals);
        let with = Checked {
            rule: &rule,
            ..*self
        };
        let own = with.compile(&rule)?;
        let mut shown = ShownByInstances::default();
        with.values_of(&own, &mut shown, MOST_INSTANCES, false)?;
        if shown.counterexample.is_none() && shown.instances > 0 {
            let (found, _) = with.search(&own, Aim::Any)?;
            if found.counterexample.is_none() && found.open.is_none() && found.some_sound {
                return Ok(Some(Needed { goals, loses: None }));
            }
        }
        // Its sides have other types for some leaves, or other numbers.
        let needed = with.found_needs_of_values(&own, shown.wrong)?;
        Ok(needed.map(|needed| {
            goals.extend(needed.goals);
            Needed {
                goals,
                loses: needed.loses,
            }
        }))
    }

    fn found_needs_of_values(
        &self,
        own: &Compiled,
        wrong: Option<Instance>,
    ) -> Result<Option<Needed>, Diagnostic> {
        if own.program.leaves.iter().all(|leaf| leaf.is_concrete()) {
            return Ok(None);
        }
        let Some(domain) = self.known_domain(own)? else {
            return Ok(None);
        };
        let sides = CalculatedSides::of(&own.program);
        let mut judge = Judge::new(self, own, &sides, false);
        if judge.speaks_of_contents() {
            return Ok(None);
        }
        let mut labelled = Vec::new();
        for one in to_label(domain.instances()) {
            if is_over() {
                return Ok(None);
            }
            labelled.extend(label(one, &mut judge));
        }
        if let Some(wrong) = wrong {
            add(&mut labelled, wrong.refused());
        }
        without_accidents(&mut labelled);
        if let Some(found) = self.needed(own, &mut labelled, &mut judge)? {
            return Ok(Some(found));
        }
        // Of the sizes that alone show it there may be too few.
        for one in large(domain.instances()) {
            if is_over() {
                return Ok(None);
            }
            if let Some(one) = label(one, &mut judge) {
                add(&mut labelled, one);
            }
        }
        without_accidents(&mut labelled);
        self.needed(own, &mut labelled, &mut judge)
    }

    /// The same from these instances. One for which goals were wrong is added to them.
    fn needed(
        &self,
        own: &Compiled,
        labelled: &mut Vec<Instance>,
        judge: &mut Judge<'_>,
    ) -> Result<Option<Needed>, Diagnostic> {
        if !labelled.iter().any(|one| one.right == Right::Same) {
            return Ok(None);
        }
        for _ in 0..ROUNDS {
            let exact = needs::find(&own.program, labelled, None);
            let goals = match exact {
                Some(exact) if is_plain(&exact) => Some(exact),
                // A few goals that lose something are what an author writes, and not many cases.
                exact => needs::sufficient(&own.program, labelled).or(exact),
            };
            let Some(goals) = goals else {
                return Ok(None);
            };
            match self.wrong_with(&goals, judge)? {
                Refuted::None => {
                    let loses = self.loses(own, &goals, labelled)?;
                    return Ok(Some(Needed { goals, loses }));
                }
                Refuted::For(one) => add(labelled, *one),
                Refuted::Open => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The smallest sound instance of which goals do not hold.
    fn loses(
        &self,
        own: &Compiled,
        goals: &[Goal],
        labelled: &[Instance],
    ) -> Result<Option<Case>, Diagnostic> {
        let with = self.compile(&self.with_goals(goals))?;
        let mut ground = self.ground(&own.program, &with)?;
        let sound = labelled.iter().filter(|one| one.right == Right::Same);
        let lost = sound.filter(|one| !ground.holds_of(&one.leaves));
        let lost = lost.min_by(|a, b| a.key.cmp(&b.key));
        ground.keep();
        Ok(lost.map(|one| self.case(own, one)))
    }

    /// An instance for which a rule with these goals is not sound, in types or in values.
    fn wrong_with(&self, goals: &[Goal], judge: &mut Judge<'_>) -> Result<Refuted, Diagnostic> {
        if goals.is_empty() {
            return Ok(Refuted::Open);
        }
        let rule = self.with_goals(goals);
        let with = Checked {
            rule: &rule,
            ..*self
        };
        let Ok(own) = with.compile(&rule) else {
            return Ok(Refuted::Open);
        };
        let (found, _) = with.search(&own, Aim::Any)?;
        if let Some(missed) = found.counterexample {
            return Ok(Refuted::For(Box::new(missed)));
        }
        let mut shown = ShownByInstances::default();
        with.values_of(&own, &mut shown, MOST_INSTANCES, false)?;
        if let Some(wrong) = shown.wrong {
            return Ok(Refuted::For(Box::new(wrong.refused())));
        }
        if shown.instances == 0 || found.open.is_some() || is_over() {
            return Ok(Refuted::Open);
        }
        // What was drawn for them may be more than the few instances that are tried of a rule.
        let Some(domain) = with.known_domain(&own)? else {
            return Ok(Refuted::Open);
        };
        for one in to_label(domain.instances()) {
            if let Some(one) = label(one, judge).filter(|one| one.right != Right::Same) {
                return Ok(Refuted::For(Box::new(one)));
            }
        }
        Ok(Refuted::None)
    }
}

/// Some of the instances for which the precondition holds.
fn to_label(all: &[Instance]) -> impl Iterator<Item = &Instance> {
    let step = all.len().div_ceil(MOST_LABELLED).max(1);
    all.iter().filter(|one| one.holds).step_by(step)
}

/// More of those in which both sides have one type and no size is below 2: they are few, and alone show that the numbers are the same.
fn large(all: &[Instance]) -> impl Iterator<Item = &Instance> {
    let is_large = |one: &&Instance| one.right == Right::Same && least_size(one) >= 2;
    let large = move || all.iter().filter(|one| one.holds).filter(is_large);
    let step = large().count().div_ceil(MOST_LARGE).max(1);
    large().step_by(step)
}

/// The smallest size of a leaf. Of a list of sizes or axes it counts whether there is something in it: mostly it does nothing otherwise.
fn least_size(one: &Instance) -> u64 {
    let least = |ty: &Arc<Type>| match ty.contents() {
        Some(list) => list.is_empty().then_some(1),
        None => ty.as_tensor()?.shape.iter().filter_map(Dim::size).min(),
    };
    one.leaves
        .iter()
        .filter_map(least)
        .min()
        .unwrap_or(u64::MAX)
}

/// Are they few, and without alternatives?
fn is_plain(goals: &[Goal]) -> bool {
    let own = goals.iter().filter(|goal| !defines_contents(goal));
    own.count() <= MOST_PLAIN && !has_cases(goals)
}

/// For what a rule with goals is not sound.
enum Refuted {
    None,
    For(Box<Instance>),
    /// That is not known.
    Open,
}

/// Adds an instance, in place of one with the same leaves: what was drawn for that did not distinguish its sides.
fn add(labelled: &mut Vec<Instance>, one: Instance) {
    labelled.retain(|own| own.leaves != one.leaves);
    labelled.push(one);
}

/// The same instance, not sound if the numbers differ; none if they are not known.
fn label(one: &Instance, judge: &mut Judge<'_>) -> Option<Instance> {
    if !has_one_type(one) || one.right != Right::Same {
        return Some(one.clone());
    }
    Some(match judge.differs(one)? {
        true => one.refused(),
        false => one.clone(),
    })
}

/// Leaves out the sound instances with a size of 0, and those with a size of 1 if there are larger ones of the same ranks: small sizes make values equal by
/// accident.
fn without_accidents(labelled: &mut Vec<Instance>) {
    let ranks =
        |one: &Instance| -> Vec<usize> { one.leaves.iter().map(|ty| dims_of(ty)).collect() };
    let large: BTreeSet<Vec<usize>> = labelled
        .iter()
        .filter(|one| least_size(one) >= 2)
        .map(ranks)
        .collect();
    labelled.retain(|one| {
        let is_large = least_size(one) >= if large.contains(&ranks(one)) { 2 } else { 1 };
        one.right != Right::Same || is_large
    });
}
