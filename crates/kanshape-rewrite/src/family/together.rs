//! What is found out of a rule with variables: what is found of all its members, together.

use kanshape::Diagnostic;
use kanshape::control::is_over;
use kanshape::tree::relation::{self, Goal};

use super::{Family, FamilyMember, MOST_MEMBERS, has_types};
use crate::soundness::{Audit, Bounds, Case, CompleteUpTo, Sound, Soundness};

impl Family {
    /// Checks all members, and hands on those that have a type, with what is found of them. `check` checks one of them, and finds out
    /// whether it holds from right to left if that is still open.
    pub(crate) fn check<'f>(
        &'f self,
        rule: &relation::Rule,
        bounds: Bounds,
        typed: &mut Vec<&'f FamilyMember>,
        check: impl Fn(&relation::Rule, bool) -> Result<Soundness, Diagnostic>,
    ) -> Soundness {
        let mut together = Together {
            is_cut_off: self.is_cut_off,
            ..Together::default()
        };
        for member in &self.members {
            if together.seen >= MOST_MEMBERS {
                together.is_cut_off = true;
                break;
            }
            if is_over() {
                // What was not tried may be wrong.
                together.is_cut_off = true;
                let why = "there are too many values of its variables";
                together.open.get_or_insert(why.into());
                break;
            }
            let is_open = !together.backward.contains(&Some(false));
            let Ok(found) = check(&member.rule, is_open) else {
                // An attribute has no such value.
                continue;
            };
            if together.add(found, member) {
                typed.push(member);
            }
        }
        if self.members.is_empty() {
            let why = "no values were found for its variables";
            return Soundness::unknown(why.into());
        }
        let bounds = CompleteUpTo {
            rank: bounds.max_rank,
            dim: Some(bounds.max_dim),
        };
        let mut soundness = together.finish(bounds);
        soundness.audit = match soundness.verdict {
            _ if rule.body.node == Goal::True && !has_types(rule) => None,
            Sound::Depends | Sound::Never => Some(Audit::TooWeak),
            _ => soundness.audit,
        };
        soundness
    }
}

/// What has been found of members.
#[derive(Default)]
struct Together {
    seen: usize,
    always: usize,
    depends: usize,
    never: usize,
    open: Option<String>,
    counterexample: Option<Case>,
    lost: Option<Case>,
    audits: Vec<Option<Audit>>,
    /// How far the preconditions of all of them were compared.
    audited: Option<CompleteUpTo>,
    backward: Vec<Option<bool>>,
    rank: Option<u64>,
    is_cut_off: bool,
}

impl Together {
    /// False if the left side has no type for these values.
    fn add(&mut self, found: Soundness, member: &FamilyMember) -> bool {
        let with_values = |case: Option<Case>| {
            case.map(|case| Case {
                attrs: member.values.clone(),
                ..case
            })
        };
        smaller(&mut self.lost, with_values(found.lost));
        if found.verdict == Sound::Never && found.counterexample.is_none() {
            return false;
        }
        self.seen += 1;
        match found.verdict {
            Sound::Always => self.always += 1,
            Sound::Depends => self.depends += 1,
            Sound::Never => self.never += 1,
            Sound::Unknown => {
                self.open = self.open.take().or(found.why.clone());
                if self.open.is_none() {
                    self.open = Some("of some values it is not known".into());
                }
            }
        }
        smaller(&mut self.counterexample, with_values(found.counterexample));
        self.audits.push(match member.rule.body.node {
            // What the precondition says is true of the values, and it says nothing of leaves.
            Goal::True => Some(Audit::Exact),
            _ => found.audit,
        });
        if let Some(own) = found.audit_up_to {
            let other = self.audited.unwrap_or(own);
            self.audited = Some(CompleteUpTo {
                rank: own.rank.min(other.rank),
                dim: own.dim.into_iter().chain(other.dim).min(),
            });
        }
        self.backward.push(found.backward);
        if let Some(bound) = found.complete_up_to {
            self.rank = Some(self.rank.map_or(bound.rank, |own| own.min(bound.rank)));
        }
        true
    }

    fn finish(self, bounds: CompleteUpTo) -> Soundness {
        let mut soundness = Soundness::unknown(String::new());
        soundness.why = None;
        let up_to = CompleteUpTo {
            rank: self.rank.unwrap_or(bounds.rank),
            ..bounds
        };
        let is_some_sound = self.always + self.depends > 0;
        soundness.verdict = match (&self.open, self.always, self.depends + self.never) {
            (_, _, 1..) if is_some_sound => Sound::Depends,
            (Some(why), ..) => {
                soundness.why = Some(why.clone());
                Sound::Unknown
            }
            (None, 0, 0) => {
                let why = match self.is_cut_off {
                    true => "the budget ran out",
                    false => "the left side has no type for the values that were tried",
                };
                soundness.why = Some(why.into());
                Sound::Unknown
            }
            (None, 0, _) => {
                soundness.why = Some("the right side is never what the left side is".into());
                soundness.complete_up_to = Some(up_to);
                Sound::Never
            }
            (None, _, 0) => {
                soundness.complete_up_to = Some(up_to);
                soundness.needs = Some(Vec::new());
                Sound::Always
            }
            (None, _, _) => Sound::Depends,
        };
        soundness.counterexample = self.counterexample;
        soundness.forward = match soundness.verdict {
            Sound::Always => Some(true),
            Sound::Depends | Sound::Never => Some(false),
            Sound::Unknown => None,
        };
        soundness.backward = match &self.backward[..] {
            [] => None,
            all if all.contains(&Some(false)) => Some(false),
            all if all.contains(&None) => None,
            _ => Some(true),
        };
        soundness.audit = match soundness.verdict {
            Sound::Unknown => None,
            Sound::Always if self.lost.is_some() => Some(Audit::TooStrong),
            Sound::Always => {
                let all = self.audits.iter().all(|audit| *audit == Some(Audit::Exact));
                (all && !self.is_cut_off).then_some(Audit::Exact)
            }
            _ => None,
        };
        if soundness.audit == Some(Audit::Exact) {
            soundness.audit_up_to = self.audited.or(Some(up_to));
        }
        if soundness.audit == Some(Audit::TooStrong) {
            soundness.lost = self.lost;
        }
        soundness
    }
}

/// Keeps the smaller one of two cases.
fn smaller(kept: &mut Option<Case>, other: Option<Case>) {
    let Some(other) = other else {
        return;
    };
    if kept.as_ref().is_none_or(|own| size(&other) < size(own)) {
        *kept = Some(other);
    }
}

fn size(case: &Case) -> (usize, u64, u64) {
    let sizes = || {
        let tensors = case.leaves.iter().filter_map(|(_, ty)| ty.as_tensor());
        tensors.flat_map(|tensor| tensor.shape.iter().filter_map(|dim| dim.size()))
    };
    (sizes().count(), sizes().max().unwrap_or(0), sizes().sum())
}
