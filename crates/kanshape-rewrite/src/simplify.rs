//! [`simplify`]: a model without what it does not need.
//!
//! A pass types the model. Values of which all is known become tensors of the model, a branch of which it is known that it is run
//! replaces its `If`, and nodes that nothing needs are left out; then rules are applied. So it goes on until nothing changes.
//! After each pass the model is typed again, and its outputs have to have the types that they had.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::{Content, Diagnostic, Type, Verdict};
use kanshape_onnx::{Edit, Model, ModelNode, Options, Report, check, edit};

use crate::model::{Place, keeps, rewrite};
use crate::rules::Rules;

/// The passes that are made.
const MOST_PASSES: usize = 50;

/// Rules that keep types and values wherever they match.
pub const EVERYDAY: &str = include_str!("../rules/everyday.kan");

/// What has come of a model.
#[derive(Clone, Debug, Default)]
pub struct Simplified {
    /// The model. Where nothing was found it is what it was, byte by byte.
    pub bytes: Vec<u8>,
    /// How many nodes its graph had, and how many it has.
    pub nodes: (usize, usize),
    /// How many nodes were left out because all that they give is known.
    pub known: usize,
    /// How many because nothing needs them.
    pub unused: usize,
    /// How many `If` nodes were replaced by one of their branches.
    pub branches: usize,
    /// Where rules were applied, in order.
    pub applied: Vec<Place>,
    /// A step that was not taken, since an output would have been of another type.
    pub refused: bool,
}

/// Takes out of a model what it does not need, and applies rules, until nothing changes.
///
/// # Errors
/// A [`Diagnostic`] if it is no model, or if a rule speaks of what is not known.
pub fn simplify(bytes: &[u8], rules: &Rules, options: &Options) -> Result<Simplified, Diagnostic> {
    let mut done = Simplified {
        bytes: bytes.to_vec(),
        ..Simplified::default()
    };
    done.nodes.0 = Model::read(bytes)?.nodes();
    for _ in 0..MOST_PASSES {
        let before = done.bytes.len();
        let mut is_changed = done.step(options)?;
        if rules.iter().next().is_some() {
            let rewritten = rewrite(&done.bytes, rules, &[], options)?;
            is_changed |= !rewritten.applied.is_empty();
            done.applied.extend(rewritten.applied);
            done.bytes = rewritten.bytes;
            if !rewritten.looped.is_empty() && before == done.bytes.len() {
                break;
            }
        }
        if !is_changed {
            break;
        }
    }
    done.nodes.1 = Model::read(&done.bytes)?.nodes();
    Ok(done)
}

/// What is to be done in a pass.
#[derive(Default)]
struct PassPlan {
    edit: Edit,
    known: usize,
    unused: usize,
}

impl Simplified {
    /// One pass without rules. Has it changed anything?
    fn step(&mut self, options: &Options) -> Result<bool, Diagnostic> {
        let model = Model::read(&self.bytes)?;
        let report = check(&model, options);
        if report.verdict == Verdict::Never {
            return Ok(false);
        }
        let plans = [
            PassPlan::of(&model, &report, true),
            PassPlan::of(&model, &report, false),
        ];
        for plan in plans {
            let change = &plan.edit;
            if change.removed.is_empty() && change.branches.is_empty() && change.dropped.is_empty()
            {
                return Ok(false);
            }
            let Some(next) = edit(&model, change) else {
                continue;
            };
            let is_kept = {
                let after = Model::read(&next)?;
                keeps(&report, &check(&after, options), &[])
            };
            if is_kept {
                self.known += plan.known;
                self.unused += plan.unused;
                self.branches += change.branches.len();
                self.bytes = next;
                return Ok(true);
            }
            self.refused = true;
        }
        Ok(false)
    }
}

impl PassPlan {
    /// What can be left out of a model. With `all`, branches and what is known as well as what nothing needs.
    fn of(model: &Model<'_>, report: &Report<'_>, all: bool) -> PassPlan {
        let nodes: Vec<ModelNode<'_>> = model.each_node().collect();
        let outputs: BTreeSet<&str> = report.outputs.iter().map(|(name, _)| &**name).collect();
        let mut types: BTreeMap<&str, &Type> = BTreeMap::new();
        for (name, ty) in &report.values {
            types.entry(name).or_insert(ty);
        }
        let mut plan = PassPlan::default();
        let mut constants: BTreeMap<&str, &Type> = BTreeMap::new();
        if all && !model.has_defaults() {
            for (i, node) in nodes.iter().enumerate() {
                let condition = node.inputs.first().and_then(|name| types.get(name));
                if let ("If", Some(is)) = (&*node.place.op, condition.and_then(|ty| truth(ty))) {
                    plan.edit.branches.insert(i, is);
                    continue;
                }
                let own: Vec<&str> = node
                    .outputs
                    .iter()
                    .copied()
                    .filter(|n| !n.is_empty())
                    .collect();
                let known = own
                    .iter()
                    .map(|name| types.get(name).filter(|ty| is_known(ty)));
                let Some(known) = known.collect::<Option<Vec<&&Type>>>() else {
                    continue;
                };
                if !own.is_empty() && !own.iter().any(|name| outputs.contains(name)) {
                    plan.edit.removed.insert(i);
                    plan.known += 1;
                    constants.extend(own.into_iter().zip(known.into_iter().copied()));
                }
            }
        }
        let used = plan.drop_unused(model, &nodes, &outputs);
        let constants = constants
            .into_iter()
            .filter(|(name, _)| used.contains(name));
        let constants = constants.map(|(name, ty)| (name.to_owned(), ty.clone()));
        plan.edit.constants = constants.collect();
        let tensors = model.initializers().filter(|name| !used.contains(name));
        plan.edit.dropped = tensors.map(str::to_owned).collect();
        plan
    }

    /// Leaves out the nodes that nothing needs. Returns the names of the values that are needed.
    fn drop_unused<'n>(
        &mut self,
        model: &'n Model<'_>,
        nodes: &'n [ModelNode<'_>],
        outputs: &BTreeSet<&'n str>,
    ) -> BTreeSet<&'n str> {
        let mut makers: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, node) in nodes.iter().enumerate() {
            makers.extend(
                node.outputs
                    .iter()
                    .filter(|n| !n.is_empty())
                    .map(|n| (*n, i)),
            );
        }
        let mut used: BTreeSet<&'n str> = BTreeSet::new();
        let mut todo: Vec<&'n str> = outputs.iter().copied().collect();
        todo.extend(model.names_in_bodies());
        while let Some(name) = todo.pop() {
            if !used.insert(name) {
                continue;
            }
            if let Some(i) = makers.get(name).filter(|i| !self.edit.removed.contains(i)) {
                todo.extend(nodes[*i].inputs.iter().filter(|n| !n.is_empty()));
            }
        }
        for (i, node) in nodes.iter().enumerate() {
            let is_used = node.outputs.iter().any(|name| used.contains(name));
            if !is_used && !self.edit.removed.contains(&i) {
                self.edit.branches.remove(&i);
                self.edit.removed.insert(i);
                self.unused += 1;
            }
        }
        used
    }
}

/// Is all known of a tensor, as it is when the model is run? The sign of a zero that is a float is not.
fn is_known(ty: &Type) -> bool {
    let Some(tensor) = ty.as_tensor() else {
        return false;
    };
    let is_member = |member: &Content| match member {
        Content::Int(_) | Content::Bool(_) => true,
        Content::Float(x) => x.get() != 0.0 && !x.get().is_nan(),
        _ => false,
    };
    tensor.dtype.known().is_some_and(kanshape_onnx::is_writable)
        && tensor.shape.run().is_none()
        && tensor
            .shape
            .known_dims()
            .iter()
            .all(|dim| dim.size().is_some())
        && tensor
            .contents
            .as_ref()
            .is_some_and(|all| all.iter().all(is_member))
}

/// What is in a tensor of one element, if that is known.
fn truth(ty: &Type) -> Option<bool> {
    match ty.as_tensor()?.contents.as_ref()?.as_slice() {
        [Content::Bool(is)] => Some(*is),
        [Content::Int(n)] => Some(*n != 0),
        _ => None,
    }
}
