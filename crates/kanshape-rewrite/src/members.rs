//! What a rule with variables needs: goals about the leaves and the variables that hold of exactly the sound instances of all members.

use kanshape::control::is_over;
use kanshape::tree::relation::Goal;
use kanshape::{Control, Diagnostic};

use crate::check::{Checked, Compiled};
use crate::family::{Family, FamilyMember};
use crate::goals::Variables;
use crate::ground::Right;
use crate::instances::Instance;
use crate::made;
use crate::needs;
use crate::precondition::{Domain, Tried};
use crate::soundness::{CompleteUpTo, Sound, Soundness};

/// The steps for all of it.
const STEPS: u64 = 1_500_000;
/// How often goals that are wrong for some instances are searched again with these.
const ROUNDS: u64 = 4;

/// A member with its instances.
struct KnownMember<'c> {
    checked: Checked<'c>,
    compiled: Compiled,
    domain: Domain,
}

impl Checked<'_> {
    /// Checks a rule with variables.
    pub(crate) fn run_family(&self, family: &Family) -> Result<Soundness, Diagnostic> {
        let mut typed = Vec::new();
        let mut soundness = family.check(
            self.rule,
            self.bounds,
            &mut typed,
            |rule, wants_backward| {
                let own = Checked {
                    rule,
                    wants_needs: false,
                    wants_backward,
                    ..*self
                };
                own.run_one()
            },
        );
        if soundness.verdict == Sound::Depends && self.wants_needs {
            let found = Control::default().run(STEPS, || self.needs_of(&typed))?;
            if let Some((goals, bound)) = found {
                soundness.needs = Some(made::written(&goals));
                soundness.complete_up_to = Some(bound);
            }
        }
        Ok(soundness)
    }

    /// The goals, and how far they were checked.
    fn needs_of(
        &self,
        members: &[&FamilyMember],
    ) -> Result<Option<(Vec<Goal>, CompleteUpTo)>, Diagnostic> {
        let mut all: Vec<KnownMember<'_>> = Vec::new();
        for member in members {
            let checked = Checked {
                rule: &member.with_values,
                sharing: members.len(),
                ..*self
            };
            let compiled = checked.compile(&member.rule)?;
            let Some(domain) = checked.known_domain(&compiled)? else {
                return Ok(None);
            };
            all.push(KnownMember {
                checked,
                compiled,
                domain,
            });
        }
        let bounds = all.iter().map(|own| own.domain.bound());
        let bound = bounds.reduce(|one, other| CompleteUpTo {
            rank: one.rank.min(other.rank),
            dim: one.dim.min(other.dim),
        });
        let Some(bound) = bound else {
            return Ok(None);
        };
        let mut found = goals_of(&all, members)?;
        while found.is_none() && !is_over() && all.iter().any(|own| own.domain.has_beyond()) {
            // What holds of so many dims as well is too much to say.
            for own in &mut all {
                own.checked
                    .without_largest(&mut own.domain, &own.compiled)?;
            }
            found = goals_of(&all, members)?;
        }
        Ok(found.map(|goals| (goals, bound)))
    }
}

/// Goals that hold of the sound instances of all members, and of no others.
fn goals_of(
    all: &[KnownMember<'_>],
    members: &[&FamilyMember],
) -> Result<Option<Vec<Goal>>, Diagnostic> {
    let (mut instances, mut of): (Vec<Instance>, Vec<u32>) = (Vec::new(), Vec::new());
    for (choice, own) in all.iter().enumerate() {
        instances.extend(own.domain.instances().iter().cloned());
        of.resize(instances.len(), choice as u32);
    }
    let Some(first) = all.first() else {
        return Ok(None);
    };
    let named = members.first().map_or(&[][..], |member| &member.values[..]);
    let mut variables = Variables {
        names: named.iter().map(|(name, _)| name.clone()).collect(),
        choices: members.iter().map(|member| member.known.clone()).collect(),
        of,
    };
    for round in 1..=ROUNDS {
        let program = &first.compiled.program;
        let Some(goals) = needs::find(program, &instances, Some(&variables)) else {
            return Ok(None);
        };
        let before = instances.len();
        for (choice, own) in all.iter().enumerate() {
            let may_hold = own
                .domain
                .instances()
                .iter()
                .any(|one| one.right == Right::Same);
            let tried = own
                .checked
                .tried(&own.compiled, &own.domain, &goals, may_hold, round)?;
            match tried {
                Tried::Exact => {}
                Tried::Nothing | Tried::Open => return Ok(None),
                Tried::Missed(missed) => instances.push(*missed),
                Tried::Wrong(drawn) => instances.extend(drawn.wrong()),
            }
            variables.of.resize(instances.len(), choice as u32);
        }
        if instances.len() == before {
            return Ok(Some(goals));
        }
    }
    Ok(None)
}
