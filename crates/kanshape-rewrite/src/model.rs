//! Rules on ONNX models: [`rewrite`] applies all that hold always, until nothing more matches.
//!
//! A pass types the model, finds the matches, applies those that hold always and have no node in common, and writes the
//! model. It is typed again before that counts: the outputs have to have the types that they had.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kanshape::tree::Condition;
use kanshape::tree::{CmpOp, DimItem};
use kanshape::{Diagnostic, Dim, Dtype, Query, Signature, Type, Verdict, diag::Severity, order};
use kanshape_onnx::{
    Edit, Model, NewNode, NodeAttr, Options, Renaming, Report, Required, check, edit, for_each_name,
};

use crate::apply::{Change, Changes, Taken};
use crate::net::{self, Held, Net, NetNode, RulePattern};
use crate::rules::Rules;

/// The passes that are made.
const MOST_PASSES: usize = 200;
/// The key of the texts in a model that say what was assumed.
const ASSUMED: &str = "kanshape.assumed";

/// What has come of a model.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The model. Where nothing was applied it is what it was, byte by byte.
    pub bytes: Vec<u8>,
    /// Where rules were applied, in order.
    pub applied: Vec<Place>,
    /// Where a rule matches the model as it is now, and was not applied, and why.
    pub left: Vec<(Place, Held)>,
    /// Rules whose results they match themselves, by themselves or together: the last change of theirs is taken back.
    pub looped: Vec<String>,
    /// Rules that may match at more places: the search for them was cut off.
    pub cut_off: Vec<String>,
}

/// A rule, and where it matches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The rule.
    pub rule: String,
    /// The value that is the first output of the left side.
    pub value: String,
}

/// Applies rules to a model, until none matches that holds always. What is assumed are conditions on the names of its dims.
///
/// # Errors
/// A [`Diagnostic`] if it is no model, or if a rule speaks of what is not known.
pub fn rewrite(
    bytes: &[u8],
    rules: &Rules,
    assumed: &[Condition],
    options: &Options,
) -> Result<Rewritten, Diagnostic> {
    let mut now = bytes.to_vec();
    let mut rewritten = Rewritten {
        bytes: Vec::new(),
        applied: Vec::new(),
        left: Vec::new(),
        looped: Vec::new(),
        cut_off: Vec::new(),
    };
    let mut cut_off: BTreeSet<String> = BTreeSet::new();
    let mut refused: BTreeMap<Place, String> = BTreeMap::new();
    let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut one_by_one = false;
    let mut patterns: Option<Vec<Arc<RulePattern>>> = None;
    for pass in 0..=MOST_PASSES {
        let model = Model::read(&now)?;
        let report = check(&model, options);
        let net = net_of(&model, &report, assumed);
        if pass == 0 {
            seen.insert(form(&net));
        }
        let patterns = match &patterns {
            Some(patterns) => patterns,
            None => patterns.insert(rules.patterns(net.opset)?),
        };
        let all = net::matches(&net, patterns);
        let has_domain = |domain: &str| model.version(domain).is_some();
        let mut changes = Changes::new(&net, &has_domain);
        let mut left = Vec::new();
        let mut chosen: Vec<Place> = Vec::new();
        cut_off.extend(all.cut_off);
        for one in &all.all {
            let place = Place {
                rule: one.rule.clone(),
                value: one.root().unwrap_or_default().to_owned(),
            };
            if one.held != Held::Always {
                left.push((place, one.held.clone()));
                continue;
            }
            if let Some(why) = refused.get(&place) {
                left.push((place, Held::Never(why.clone())));
                continue;
            }
            if one_by_one && !chosen.is_empty() || pass == MOST_PASSES {
                continue;
            }
            match changes.take(one) {
                Taken::Yes => chosen.push(place),
                Taken::Later => {}
                Taken::Never(why) => left.push((place, Held::Never(why.into()))),
            }
        }
        rewritten.left = left;
        if chosen.is_empty() {
            break;
        }
        let mut change = edit_of(changes.finish());
        if pass == 0 && !assumed.is_empty() {
            let texts: Vec<String> = assumed.iter().map(ToString::to_string).collect();
            change.metadata.push((ASSUMED.into(), texts.join(", ")));
        }
        let next = edit(&model, &change).and_then(|next| {
            let model = Model::read(&next).ok()?;
            let after = check(&model, options);
            let form =
                keeps(&report, &after, assumed).then(|| form(&net_of(&model, &after, assumed)))?;
            Some((next, form))
        });
        let Some((next, form)) = next else {
            // One of them is wrong here: which, is found by themselves.
            if let [place] = &chosen[..] {
                let why = "an output of the model would be of another type";
                refused.insert(place.clone(), why.into());
            }
            one_by_one = true;
            continue;
        };
        if !seen.insert(form) {
            let names: BTreeSet<String> = chosen.into_iter().map(|place| place.rule).collect();
            rewritten.looped = names.into_iter().collect();
            break;
        }
        rewritten.applied.extend(chosen);
        now = next;
    }
    rewritten.bytes = now;
    rewritten.cut_off = cut_off.into_iter().collect();
    Ok(rewritten)
}

/// A change of a model's graph.
fn edit_of(change: Change) -> Edit {
    let added = change.added.into_iter().map(|(at, new)| {
        let node = NewNode {
            name: String::new(),
            op: new.node.op,
            domain: new.node.domain,
            inputs: new.node.inputs,
            outputs: new.node.outputs,
            attrs: new.node.attrs,
        };
        (at, node)
    });
    Edit {
        removed: change.removed,
        added: added.collect(),
        renamed: change.renamed,
        ..Edit::default()
    }
}

/// The operators of a model with their attributes, in order: a model that has been seen is going round.
fn form(net: &Net) -> Vec<String> {
    let text = |node: &NetNode| {
        let attrs = node
            .attrs
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let attrs: BTreeSet<String> = attrs.collect();
        let types = node.inputs.iter().map(|name| net.types.get(name));
        let types: Vec<String> = types
            .map(|ty| ty.map_or(String::new(), ToString::to_string))
            .collect();
        format!("{}::{} {attrs:?} {types:?}", node.domain, node.op)
    };
    let mut all: Vec<String> = net.nodes.iter().map(text).collect();
    all.sort();
    all
}

impl Net {
    /// The graph of a model, with the types that a report has of its values.
    pub fn of_model(model: &Model<'_>, report: &Report<'_>) -> Net {
        let mut net = Net {
            opset: model.version(""),
            ..Net::default()
        };
        for (name, ty) in &report.values {
            net.types.insert(name.to_string(), Type::clone(ty));
        }
        net.outputs
            .extend(report.outputs.iter().map(|(name, _)| name.to_string()));
        net.kept.extend(model.names_in_bodies().map(str::to_owned));
        net.constants
            .extend(model.initializers().map(str::to_owned));
        for node in model.each_node() {
            let (domain, op) = node
                .place
                .op
                .rsplit_once("::")
                .unwrap_or(("", &node.place.op));
            let mut is_opaque = false;
            let mut attrs = Vec::new();
            for (name, value) in node.attrs() {
                match value {
                    NodeAttr::Value(value) => attrs.push((name.into(), value)),
                    _ => is_opaque = true,
                }
            }
            let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            if op == "Constant" && domain.is_empty() {
                let outputs = node.outputs.iter();
                net.constants.extend(outputs.map(|name| (*name).to_owned()));
            }
            net.nodes.push(NetNode {
                op: op.to_owned(),
                domain: domain.to_owned(),
                attrs,
                is_opaque,
                inputs: names(&node.inputs),
                outputs: names(&node.outputs),
            });
        }
        net
    }
}

/// The same, with what is assumed of the names in types.
fn net_of(model: &Model<'_>, report: &Report<'_>, assumed: &[Condition]) -> Net {
    let mut net = Net::of_model(model, report);
    for ty in net.types.values_mut() {
        *ty = with(ty, assumed);
    }
    net
}

/// A type with what is assumed of its names.
fn with(ty: &Type, assumed: &[Condition]) -> Type {
    let mut names = BTreeSet::new();
    for_each_name(ty, &mut |_, name| {
        names.insert(name.to_owned());
    });
    let is_about = |condition: &&Condition| {
        let mut is = false;
        condition.for_each_name(&mut |name| is |= names.contains(name));
        is
    };
    let own: Vec<Condition> = assumed.iter().filter(is_about).cloned().collect();
    match own.is_empty() {
        true => ty.clone(),
        false => {
            let all = ty.conditions.iter().cloned().chain(own);
            ty.clone().with_conditions(all.collect())
        }
    }
}

/// Has a model that was written the outputs of the one before it, of the same types or more precise ones where that holds which
/// is assumed, and nothing else that is wrong?
pub(crate) fn keeps(before: &Report<'_>, after: &Report<'_>, assumed: &[Condition]) -> bool {
    let wrong = |report: &Report<'_>| {
        let problems = report.problems.iter();
        problems
            .filter(|p| p.diagnostic.severity == Severity::Error)
            .count()
    };
    let mut names = Renaming::of(before, after);
    let mut is_kept = |old: &Type, new: &Type| {
        names.are_same(&old.to_string(), &new.to_string())
            || order::is_super(&with(old, assumed), &with(new, assumed)) == Verdict::Always
            || are_same_where(old, new, before, assumed)
    };
    wrong(after) <= wrong(before)
        && before.outputs.len() == after.outputs.len()
        && before
            .outputs
            .iter()
            .zip(&after.outputs)
            .all(|(old, new)| old.0 == new.0 && is_kept(&old.1, &new.1))
}

/// Has an output the same sizes wherever what a model requires, and what is assumed, holds? Not if one of the new ones is of a name
/// that its inputs don't have.
fn are_same_where(old: &Type, new: &Type, before: &Report<'_>, assumed: &[Condition]) -> bool {
    let (Some(a), Some(b)) = (old.as_tensor(), new.as_tensor()) else {
        return false;
    };
    if a.dtype != b.dtype || a.shape.rank().is_none() || a.shape.rank() != b.shape.rank() {
        return false;
    }
    let mut of_inputs = BTreeSet::new();
    for (_, ty) in &before.inputs {
        for_each_name(ty, &mut |_, name| {
            of_inputs.insert(name.to_owned());
        });
    }
    let mut is_known = true;
    for_each_name(new, &mut |_, name| is_known &= of_inputs.contains(name));
    let required = before.conditions.iter().map(|one| match &one.condition {
        Required::Condition(condition) if one.under.is_empty() => Some(condition),
        _ => None,
    });
    let required = required.flatten().chain(assumed);
    is_known
        && a.shape
            .iter()
            .zip(b.shape.iter())
            .all(|(a, b)| a == b || never_differ(a, b, required.clone()))
}

/// Do conditions exclude that two sizes differ?
fn never_differ<'c>(a: &Dim, b: &Dim, required: impl Iterator<Item = &'c Condition>) -> bool {
    let (Ok(any), DimItem::Dim(a), DimItem::Dim(b)) =
        ("(...)->()".parse::<Signature>(), a.to_tree(), b.to_tree())
    else {
        return false;
    };
    let differ = Condition::Compare(a, vec![(CmpOp::Ne, b)]);
    let all: Vec<Condition> = [differ].into_iter().chain(required.cloned()).collect();
    let mut names = BTreeSet::new();
    for condition in &all {
        condition.for_each_name(&mut |name| {
            names.insert(name.to_owned());
        });
    }
    let dims = names.iter().filter_map(|name| name.parse::<Dim>().ok());
    let query = any.query().inputs([Type::tensor(Dtype::F32, dims)]);
    let query = all.into_iter().fold(query, Query::given);
    let answers = query.solve();
    answers.is_ok_and(|mut answers| answers.verdict() == Verdict::Never)
}
