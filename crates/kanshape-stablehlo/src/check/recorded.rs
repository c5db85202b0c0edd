//! [`Recorded`]: what is put into the graph engine, as a model.
//!
//! Functions are put in where they are called, and bodies where they stand, as in the graph: the values of both have a path before
//! their name, `f/0`, `while/0`. What a type that is declared says of a value is a fact of the model where nothing else says it,
//! and a node otherwise, as bodies that have to give the same are.

use kanshape::graph::ValueId;
use kanshape::{AttrValue, Operator, Type};
use kanshape_onnx::{Exported, NewModel, NewNode, is_writable};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Checker;

/// The domain of StableHLO's operators, and of those that only stand for what a module has.
const OWN: &str = "stablehlo";
/// What makes a value of nothing.
const MADE: &str = "prim";

/// A module on its way to a model.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    nodes: Vec<RecordedOperation>,
    constants: Vec<(ValueId, Type)>,
    inputs: Vec<(ValueId, Type)>,
    outputs: Vec<ValueId>,
    declared: Vec<(ValueId, Type)>,
    facts: Vec<(ValueId, Type)>,
    /// What values are called, and how deep that stands.
    names: FxHashMap<ValueId, (usize, String)>,
    /// Functions and bodies around what is put in.
    path: Vec<String>,
    /// How often each of them has been put in.
    counts: FxHashMap<String, usize>,
}

/// An operation.
#[derive(Debug)]
struct RecordedOperation {
    domain: String,
    op: String,
    attrs: Vec<(Box<str>, AttrValue)>,
    inputs: Vec<ValueId>,
    outputs: Vec<ValueId>,
    path: String,
}

impl Checker<'_> {
    /// An operation is put in: what it is called, with its dialect.
    pub(super) fn record(
        &mut self,
        name: &str,
        attrs: Vec<(Box<str>, AttrValue)>,
        inputs: &[ValueId],
        outputs: &[ValueId],
    ) {
        let Some(recorded) = &mut self.recorded else {
            return;
        };
        let (domain, op) = name.split_once('.').unwrap_or(("builtin", name));
        recorded.nodes.push(RecordedOperation {
            domain: domain.to_owned(),
            op: op.to_owned(),
            attrs,
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            path: recorded.path.concat(),
        });
    }

    /// The same of an operator that only stands for something.
    pub(super) fn record_own(&mut self, op: &str, inputs: &[ValueId], outputs: &[ValueId]) {
        if self.recorded.is_some() {
            self.record(&format!("{OWN}.{op}"), Vec::new(), inputs, outputs);
        }
    }

    /// The same of an operator of the catalog, whose attributes are texts that their kinds read. What can't be written is open, as
    /// bodies are that stand beside it.
    pub(super) fn record_call(
        &mut self,
        operator: &Operator,
        name: &str,
        attrs: &[(Box<str>, AttrValue)],
        inputs: &[ValueId],
        outputs: &[ValueId],
    ) {
        if self.recorded.is_none() {
            return;
        }
        let mut texts = Vec::new();
        for formal in operator.attributes() {
            let own = attrs.iter().find(|(own, _)| **own == *formal.name);
            let text = match own {
                Some((_, AttrValue::Text(text))) => Some(text.clone()),
                Some((_, value)) => Some(in_numbers(value).to_string().into()),
                None if formal.optional || formal.default.is_some() => None,
                None => Some("?".into()),
            };
            let Some(text) = text else {
                continue;
            };
            let is_read = formal.read(&text).is_ok();
            let text = if is_read { text } else { "?".into() };
            texts.push((formal.name.into(), AttrValue::Text(text)));
        }
        self.record(name, texts, inputs, outputs);
    }

    /// A value that nothing makes.
    pub(super) fn record_value(&mut self, value: ValueId, ty: &Type) {
        let Some(recorded) = &mut self.recorded else {
            return;
        };
        let has_contents = ty.as_tensor().is_some_and(|tensor| {
            tensor.contents.is_some() && tensor.dtype.known().is_some_and(is_writable)
        });
        if has_contents {
            recorded.constants.push((value, ty.clone()));
            return;
        }
        match described(ty) {
            Some(attrs) => self.record(&format!("{MADE}.Parameter"), attrs, &[], &[value]),
            None => {
                recorded.declared.push((value, ty.clone()));
                self.record_own("value", &[], &[value]);
            }
        }
    }

    /// An input of the entry.
    pub(super) fn record_input(&mut self, value: ValueId, ty: &Type) {
        if let Some(recorded) = &mut self.recorded {
            recorded.inputs.push((value, ty.clone()));
        }
    }

    /// What the entry gives.
    pub(super) fn record_outputs(&mut self, values: &[ValueId]) {
        if let Some(recorded) = &mut self.recorded {
            recorded.outputs = values.to_vec();
        }
    }

    /// What a value is, as nothing but its declared type says it.
    pub(super) fn record_fact(&mut self, value: ValueId, ty: &Type) {
        if let Some(recorded) = &mut self.recorded {
            recorded.facts.push((value, ty.clone()));
        }
    }

    /// What a value is declared as.
    pub(super) fn record_declared(&mut self, value: ValueId, ty: &Type) {
        if let Some(recorded) = &mut self.recorded {
            recorded.declared.push((value, ty.clone()));
        }
    }

    /// What has to hold of a value, as its declared type says it.
    pub(super) fn record_claim(&mut self, value: ValueId, ty: &Type) {
        if self.recorded.is_some()
            && let Some(attrs) = described(ty)
        {
            self.record(&format!("{OWN}.declared"), attrs, &[value], &[]);
        }
    }

    /// A function or a body is put in.
    pub(super) fn record_enter(&mut self, name: &str) {
        let Some(recorded) = &mut self.recorded else {
            return;
        };
        let path = format!("{}{name}", recorded.path.concat());
        let count = recorded.counts.entry(path).or_default();
        *count += 1;
        recorded.path.push(match *count {
            1 => format!("{name}/"),
            count => format!("{name}_{count}/"),
        });
    }

    /// It ends.
    pub(super) fn record_leave(&mut self) {
        if let Some(recorded) = &mut self.recorded {
            recorded.path.pop();
        }
    }

    /// A name of the text denotes these values: that of what is furthest out is theirs.
    pub(super) fn record_name(&mut self, name: &str, values: &[ValueId]) {
        let Some(recorded) = &mut self.recorded else {
            return;
        };
        let depth = recorded.path.len();
        let name = name.trim_start_matches('%');
        for (i, value) in values.iter().enumerate() {
            let is_new = recorded
                .names
                .get(value)
                .is_none_or(|(own, _)| *own > depth);
            if is_new {
                let path = recorded.path.concat();
                let name = match values.len() {
                    1 => format!("{path}{name}"),
                    _ => format!("{path}{name}#{i}"),
                };
                recorded.names.insert(*value, (depth, name));
            }
        }
    }
}

/// A list as operators have it: what is true or false in one is a number, and a word would be a name.
fn in_numbers(value: &AttrValue) -> AttrValue {
    let AttrValue::List(members) = value else {
        return value.clone();
    };
    let number = |member: &AttrValue| match member {
        AttrValue::Bool(truth) => AttrValue::Int(i64::from(*truth)),
        member => member.clone(),
    };
    AttrValue::List(members.iter().map(number).collect())
}

/// The attributes that say a type of a tensor.
fn described(ty: &Type) -> Option<Vec<(Box<str>, AttrValue)>> {
    let dims: Vec<String> = ty.dims()?.iter().map(ToString::to_string).collect();
    let dtype = match ty.as_tensor()?.dtype.known() {
        Some(dtype) => dtype.name(),
        None => "?",
    };
    let attrs = [
        ("dtype", dtype.to_owned()),
        ("shape", format!("[{}]", dims.join(", "))),
    ];
    let attrs = attrs.map(|(name, text)| (name.into(), AttrValue::Text(text.into())));
    Some(attrs.into())
}

/// What values are called, each by a name of its own.
#[derive(Default)]
struct Called {
    names: FxHashMap<ValueId, String>,
    taken: FxHashSet<String>,
    /// How often a name has been wanted.
    counts: FxHashMap<String, usize>,
}

impl Called {
    fn of(&mut self, value: ValueId, names: &FxHashMap<ValueId, (usize, String)>) -> String {
        if let Some(name) = self.names.get(&value) {
            return name.clone();
        }
        let name = names.get(&value).map_or("value", |(_, name)| name);
        let name = self.fresh(name);
        self.names.insert(value, name.clone());
        name
    }

    fn fresh(&mut self, name: &str) -> String {
        let count = self.counts.entry(name.to_owned()).or_default();
        loop {
            *count += 1;
            let fresh = match *count {
                1 => name.to_owned(),
                count => format!("{name}_{count}"),
            };
            if self.taken.insert(fresh.clone()) {
                return fresh;
            }
        }
    }
}

impl Recorded {
    /// The model. None if it has something that no model has.
    pub(crate) fn exported(mut self) -> Option<Exported> {
        let mut called = Called::default();
        let mut named = |value: &ValueId| called.of(*value, &self.names);
        let mut typed = |all: &[(ValueId, Type)]| -> Vec<(String, Type)> {
            all.iter()
                .map(|(value, ty)| (named(value), ty.clone()))
                .collect()
        };
        let mut model = NewModel {
            inputs: typed(&self.inputs),
            constants: typed(&self.constants),
            ..NewModel::default()
        };
        let facts = typed(&self.facts);
        let mut declared: FxHashMap<ValueId, &Type> = FxHashMap::default();
        declared.extend(self.declared.iter().map(|(value, ty)| (*value, ty)));
        let mut domains: FxHashSet<String> = FxHashSet::default();
        domains.insert(String::new());
        let mut labels = Called::default();
        for node in std::mem::take(&mut self.nodes) {
            let inputs = node
                .inputs
                .iter()
                .map(|value| called.of(*value, &self.names));
            let inputs: Vec<String> = inputs.collect();
            let outputs = node
                .outputs
                .iter()
                .map(|value| called.of(*value, &self.names));
            let outputs: Vec<String> = outputs.collect();
            let label = match outputs.first() {
                Some(first) => first.split('#').next().unwrap_or(first).to_owned(),
                None => format!("{}{}", node.path, node.op),
            };
            domains.insert(node.domain.clone());
            model.nodes.push(NewNode {
                name: labels.fresh(&label),
                op: node.op,
                domain: node.domain,
                inputs,
                outputs,
                attrs: node.attrs,
            });
        }
        // A value that goes out twice, or that came in, has one name more.
        let inputs: FxHashSet<ValueId> = self.inputs.iter().map(|(value, _)| *value).collect();
        let mut out: FxHashSet<ValueId> = FxHashSet::default();
        for value in self.outputs {
            let name = called.of(value, &self.names);
            let is_own = out.insert(value) && !inputs.contains(&value);
            let ty = declared
                .get(&value)
                .map_or(Type::UNKNOWN, |ty| (*ty).clone());
            let own = match is_own {
                true => name,
                false => {
                    let own = called.fresh("result");
                    model.nodes.push(NewNode {
                        name: labels.fresh(&own),
                        op: "Identity".to_owned(),
                        domain: String::new(),
                        inputs: vec![name],
                        outputs: vec![own.clone()],
                        attrs: Vec::new(),
                    });
                    own
                }
            };
            model.outputs.push((own, ty));
        }
        let between = self
            .declared
            .iter()
            .filter(|(value, _)| !out.contains(value));
        let between = between.map(|(value, ty)| (called.of(*value, &self.names), ty.clone()));
        model.between = between.collect();
        let mut domains: Vec<String> = domains.into_iter().collect();
        domains.sort_unstable();
        let version = |domain: &String| if domain.is_empty() { 18 } else { 1 };
        model.versions = domains
            .into_iter()
            .map(|domain| (domain.clone(), version(&domain)))
            .collect();
        Some(Exported {
            inputs: model.inputs.clone(),
            model: model.encode()?,
            facts,
            assumes: None,
        })
    }
}
