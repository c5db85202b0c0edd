//! What is compared with the author's precondition, and where the weakest one is found: instances of the left side.

use kanshape::Diagnostic;
use kanshape::control::is_over;
use kanshape::tree::relation::{self, Goal};

use crate::check::{Aim, Checked, Compiled};
use crate::definition;
use crate::ground::Right;
use crate::instances::Instance;
use crate::made;
use crate::needs;
use crate::soundness::{Agreement, Soundness};

mod audit;
mod domain;

pub(crate) use domain::{DRAWN_OF_RANKS, Domain};

/// How often a precondition that is too weak or too strong is searched again, with the instances that it got wrong: among goals about
/// dims, and among those of the definitions of operators, which take longer. What is not found by then is mostly never found.
const ROUNDS: u64 = 6;
const ROUNDS_OF_DEFINITIONS: u64 = 12;
/// How many times as many are drawn for goals that may well be true of the others by chance.
const TIMES_DOUBTED: usize = 8;
/// The most instances that are kept of those for which a rule is wrong.
const MOST_WRONG: usize = 8;
/// The most goals that are taken from the definitions of operators.
const MOST_GOALS: usize = 24;
/// And the most where none of them could be left out.
const MOST_UNREDUCED: usize = 48;
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
            soundness.needs = Some(made::written(&goals));
            soundness.complete_up_to = Some(domain.bound);
        }
        Ok(())
    }

    fn found_needs(
        &self,
        own: &Compiled,
        domain: &mut Domain,
    ) -> Result<Option<Vec<Goal>>, Diagnostic> {
        // Where numbers are compared, goals that a person would write of lists are looked for first.
        let is_judged = matches!(self.values, Some(Agreement::Proved | Agreement::Tested));
        let is_plain = is_judged && has_contents(domain).contains(&true);
        let defined = |domain: &Domain| match is_plain {
            true => Ok(None),
            false => self.defined(own, domain),
        };
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
                while goals.is_none() && domain.has_beyond() && !is_over() {
                    // What holds of so many dims as well is too much to say.
                    self.without_largest(domain, own)?;
                    goals = needs::find(&own.program, &domain.instances, None);
                }
            }
            let goals = goals.filter(|goals| !is_plain || !has_many_cases(goals));
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
    fn defined(&self, own: &Compiled, domain: &Domain) -> Result<Option<Vec<Goal>>, Diagnostic> {
        let Some(all) = definition::needs(&own.program, &has_contents(domain)) else {
            return Ok(None);
        };
        let mut few = domain.few();
        let mut goals = all.clone();
        for round in 1..=ROUNDS_OF_DEFINITIONS {
            self.reduce(own, &few, &mut goals)?;
            if goals.len() > MOST_GOALS || is_over() {
                break;
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
        // All of them are exact mostly, where none that few instances say was found to be left out.
        if all.len() > MOST_UNREDUCED || is_over() {
            return Ok(None);
        }
        let round = ROUNDS_OF_DEFINITIONS + 1;
        match self.tried(own, domain, &all, true, round)? {
            Tried::Exact => Ok(Some(all)),
            _ => Ok(None),
        }
    }

    /// Leaves out the goals that say nothing of these instances: each that is not needed beside those before it that are and all behind it.
    /// Several are left out at a time where none of them is needed. It ends once more are needed than a precondition has.
    fn reduce(
        &self,
        own: &Compiled,
        few: &[Instance],
        goals: &mut Vec<Goal>,
    ) -> Result<(), Diagnostic> {
        let mut few: Vec<&Instance> = few.iter().collect();
        let (mut at, mut count, mut grows) = (0, 1, true);
        while at < goals.len() && at <= MOST_GOALS && goals.len() > 1 && !is_over() {
            count = count.min(goals.len() - at).min(goals.len() - 1);
            let left_out: Vec<Goal> = goals.drain(at..at + count).collect();
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
        goals: &[Goal],
        instances: &mut Vec<&Instance>,
    ) -> Result<bool, Diagnostic> {
        let Ok(with) = self.compile(&self.with_goals(goals)) else {
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
        goals: &[Goal],
        may_hold: bool,
        round: u64,
    ) -> Result<Tried, Diagnostic> {
        if goals.is_empty() {
            return Ok(Tried::Nothing);
        }
        let Ok(with) = self.compile(&self.with_goals(goals)) else {
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

    /// The rule with goals behind its own.
    pub(crate) fn with_goals(&self, goals: &[Goal]) -> relation::Rule {
        let mut rule = self.rule.clone();
        made::add(&mut rule.body, goals.iter().cloned());
        rule
    }
}

/// For each leaf: does it count what is in it?
fn has_contents(domain: &Domain) -> Vec<bool> {
    let Some(first) = domain.ranks.all.first() else {
        return Vec::new();
    };
    let has = |leaf: usize| domain.ranks.all.iter().any(|own| own.with_contents[leaf]);
    (0..first.with_contents.len()).map(has).collect()
}

/// Are there alternatives among the goals, or many of them? Such ones are found for small instances whatever the rule is.
fn is_doubted(goals: &[Goal]) -> bool {
    goals.len() > 2 || has_cases(goals)
}

/// More than either of two.
fn has_many_cases(goals: &[Goal]) -> bool {
    goals.len() > 2 || goals.iter().any(|goal| alternatives(goal) > 1)
}

/// How many alternatives a goal has beside the first ones.
fn alternatives(goal: &Goal) -> usize {
    let own = match goal {
        Goal::Any(goals) => goals.len() - 1,
        _ => 0,
    };
    let inner = goal.parts().iter().map(|part| alternatives(&part.node));
    own + inner.sum::<usize>()
}

/// Is one of these either of several goals?
pub(crate) fn has_cases(goals: &[Goal]) -> bool {
    goals.iter().any(|goal| alternatives(goal) > 0)
}

/// Does it hold for the author, and is it known what the right side comes to?
fn is_known(one: &Instance) -> bool {
    one.holds && one.right != Right::Unknown
}
