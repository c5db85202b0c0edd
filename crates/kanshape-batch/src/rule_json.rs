//! What is found out of a rule, as JSON.

use kanshape::Type;
use kanshape_rewrite::{
    Case, Cheaper, Compared, CompleteUpTo, Enumerated, Repair, RuleCost, Set, Soundness, Values,
};

use crate::model::cost::SizeJson;
use serde::Serialize;
use serde::ser::Serializer;

/// What is found out of a rule.
#[derive(Serialize)]
pub struct RuleAnswer<'s> {
    verdict: &'static str,
    counterexample: Option<CaseJson<'s>>,
    needs: Option<&'s [String]>,
    complete_up_to: Option<UpTo>,
    audit: Option<&'static str>,
    /// How far a precondition that is exact was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    audit_up_to: Option<UpTo>,
    lost: Option<CaseJson<'s>>,
    refines: Refines,
    why: Option<&'s str>,
    /// Other right sides, if they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    repairs: Option<Vec<RepairJson<'s>>>,
    /// Whether both sides are the same numbers, if it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<ValuesJson<'s>>,
    /// What both sides cost, if it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostJson<'s>>,
    /// What can't be read has an answer of its own.
    error: Option<()>,
}

/// Whether both sides are the same numbers, where they have one type and the precondition holds.
#[derive(Serialize)]
struct ValuesJson<'s> {
    /// `proved`, `tested`, `refuted`, `opaque`.
    verdict: &'static str,
    /// `"all"`, or the most dims of a leaf that was tried.
    ranks: Option<RanksJson>,
    /// The largest size that was tried; null if it is true of all.
    sizes: Option<u64>,
    /// How many choices of types were calculated.
    instances: usize,
    counterexample: Option<CaseJson<'s>>,
    /// Goals with which they are the same.
    needs: Option<&'s [String]>,
    /// The smallest sound case that these exclude.
    loses: Option<CaseJson<'s>>,
    why: Option<&'s str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum RanksJson {
    All(&'static str),
    UpTo(u64),
}

impl<'s> ValuesJson<'s> {
    fn of(own: &'s Values) -> ValuesJson<'s> {
        let up_to = own.up_to.filter(|_| !own.all_ranks);
        ValuesJson {
            verdict: own.verdict.name(),
            ranks: match own.all_ranks {
                true => Some(RanksJson::All("all")),
                false => own
                    .all_sizes
                    .or(up_to.map(|own| own.0))
                    .map(RanksJson::UpTo),
            },
            sizes: up_to.map(|own| own.1).filter(|_| own.all_sizes.is_none()),
            instances: own.instances,
            counterexample: own.counterexample.as_ref().map(CaseJson::of),
            needs: own.needs.as_deref(),
            loses: own.loses.as_ref().map(CaseJson::of),
            why: own.why.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct CostJson<'s> {
    #[serde(serialize_with = "leaves")]
    leaves: &'s [(Box<str>, Type)],
    elements: ComparedJson<'s>,
    bytes: ComparedJson<'s>,
    multiply_adds: ComparedJson<'s>,
}

#[derive(Serialize)]
struct ComparedJson<'s> {
    left: SizeJson,
    right: SizeJson,
    /// `always`, `where`, `never`, `same`; null if it is not known.
    cheaper: Option<&'static str>,
    /// What has to hold for it.
    #[serde(rename = "where")]
    condition: Option<&'s str>,
}

impl<'s> ComparedJson<'s> {
    fn of(own: &'s Compared) -> ComparedJson<'s> {
        let (cheaper, condition) = match &own.cheaper {
            Cheaper::Always => (Some("always"), None),
            Cheaper::Where(condition) => (Some("where"), Some(&**condition)),
            Cheaper::Never => (Some("never"), None),
            Cheaper::Same => (Some("same"), None),
            Cheaper::Unknown => (None, None),
        };
        ComparedJson {
            left: SizeJson(own.left.clone()),
            right: SizeJson(own.right.clone()),
            cheaper,
            condition,
        }
    }
}

#[derive(Serialize)]
struct RepairJson<'s> {
    right: &'s str,
    needs: &'s [String],
}

#[derive(Serialize)]
struct UpTo {
    rank: u64,
    dim: Option<u64>,
}

impl UpTo {
    fn of(bound: CompleteUpTo) -> UpTo {
        UpTo {
            rank: bound.rank,
            dim: bound.dim,
        }
    }
}

/// Is each side of the type of the other one, wherever that has one?
#[derive(Serialize)]
struct Refines {
    forward: Option<bool>,
    backward: Option<bool>,
}

#[derive(Serialize)]
struct CaseJson<'s> {
    #[serde(skip_serializing_if = "<[_]>::is_empty", serialize_with = "attrs")]
    attrs: &'s [(Box<str>, String)],
    #[serde(serialize_with = "leaves")]
    leaves: &'s [(Box<str>, Type)],
    #[serde(serialize_with = "types")]
    left: &'s [Type],
    #[serde(serialize_with = "types_or_null")]
    right: Option<&'s [Type]>,
    why: Option<&'s str>,
}

/// What rules are to each other.
#[derive(Serialize)]
pub struct SetJson<'s> {
    related: Vec<RelatedJson<'s>>,
    cut_off: &'s [String],
    /// What can't be read has an answer of its own.
    error: Option<()>,
}

/// The rules that were listed.
#[derive(Serialize)]
pub struct EnumJson<'s> {
    rules: Vec<String>,
    cut_off: &'s [String],
    error: Option<()>,
}

impl<'s> EnumJson<'s> {
    /// What was found.
    pub fn of(found: &'s Enumerated) -> EnumJson<'s> {
        EnumJson {
            rules: found.rules.iter().map(ToString::to_string).collect(),
            cut_off: &found.cut_off,
            error: None,
        }
    }
}

#[derive(Serialize)]
struct RelatedJson<'s> {
    /// `same`, `subsumed`, `undone`, `loops`.
    relation: &'static str,
    rule: &'s str,
    other: &'s str,
    /// `always`, `depends`, or `unknown` whether it can hold there.
    verdict: &'static str,
    needs: Option<&'s [String]>,
}

impl<'s> SetJson<'s> {
    /// What was found.
    pub fn of(set: &'s Set) -> SetJson<'s> {
        let related = set.related.iter().map(|own| RelatedJson {
            relation: own.relation.name(),
            rule: &own.rule,
            other: &own.other,
            verdict: match own.under.as_deref() {
                Some([]) => "always",
                Some(_) => "depends",
                None => "unknown",
            },
            needs: own.under.as_deref(),
        });
        SetJson {
            related: related.collect(),
            cut_off: &set.cut_off,
            error: None,
        }
    }
}

/// The same with the name of the rule.
#[derive(Serialize)]
pub struct NamedRule<'s> {
    rule: &'s str,
    #[serde(flatten)]
    answer: RuleAnswer<'s>,
}

impl<'s> NamedRule<'s> {
    /// Of the rule of this name.
    pub fn of(
        rule: &'s str,
        soundness: &'s Soundness,
        repairs: Option<&'s [Repair]>,
        values: Option<&'s Values>,
        cost: Option<&'s RuleCost>,
    ) -> NamedRule<'s> {
        NamedRule {
            rule,
            answer: RuleAnswer::of(soundness, repairs, values, cost),
        }
    }
}

impl<'s> RuleAnswer<'s> {
    /// What was found; of other right sides, numbers and costs if they are wanted.
    pub fn of(
        soundness: &'s Soundness,
        repairs: Option<&'s [Repair]>,
        values: Option<&'s Values>,
        cost: Option<&'s RuleCost>,
    ) -> RuleAnswer<'s> {
        let repair = |own: &'s Repair| RepairJson {
            right: &own.right,
            needs: &own.needs,
        };
        RuleAnswer {
            verdict: soundness.verdict.name(),
            counterexample: soundness.counterexample.as_ref().map(CaseJson::of),
            needs: soundness.needs.as_deref(),
            complete_up_to: soundness.complete_up_to.map(UpTo::of),
            audit: soundness.audit.map(|audit| audit.name()),
            audit_up_to: soundness.audit_up_to.map(UpTo::of),
            lost: soundness.lost.as_ref().map(CaseJson::of),
            refines: Refines {
                forward: soundness.forward,
                backward: soundness.backward,
            },
            why: soundness.why.as_deref(),
            repairs: repairs.map(|all| all.iter().map(repair).collect()),
            values: values.map(ValuesJson::of),
            cost: cost.map(|cost| CostJson {
                leaves: &cost.leaves,
                elements: ComparedJson::of(&cost.elements),
                bytes: ComparedJson::of(&cost.bytes),
                multiply_adds: ComparedJson::of(&cost.multiply_adds),
            }),
            error: None,
        }
    }
}

impl<'s> CaseJson<'s> {
    fn of(case: &'s Case) -> CaseJson<'s> {
        CaseJson {
            attrs: &case.attrs,
            leaves: &case.leaves,
            left: &case.left,
            right: case.right.as_deref(),
            why: case.why.as_deref(),
        }
    }
}

fn leaves<S: Serializer>(leaves: &[(Box<str>, Type)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(leaves.iter().map(|(name, ty)| (name, ty)))
}

fn attrs<S: Serializer>(attrs: &[(Box<str>, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(attrs.iter().map(|(name, value)| (name, value)))
}

/// One type as a text, several as a list.
fn types<S: Serializer>(types: &[Type], to: S) -> Result<S::Ok, S::Error> {
    match types {
        [one] => one.serialize(to),
        several => several.serialize(to),
    }
}

fn types_or_null<S: Serializer>(found: &Option<&[Type]>, to: S) -> Result<S::Ok, S::Error> {
    match found {
        Some(found) => types(found, to),
        None => to.serialize_none(),
    }
}
