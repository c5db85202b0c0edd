//! A line with a small graph: `{"graph": {"inputs", "nodes", "outputs"}}`, typed as a model is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kanshape::Condition;
use kanshape::{Diagnostic, Type};
use kanshape_onnx::{BadAttr, GraphSpec, NodeSpec, Options};
use serde_json::value::RawValue;

use super::LineError;
use super::attr;
use super::fields::Line;
use super::query::conditions;
use super::subjects::Subjects;
use super::type_data;
use super::value::{number, object, yes};
use crate::field::Field;
use crate::mistake;

/// A graph, and what is known of it beside.
pub(super) struct GraphQuestion {
    pub(super) model: Vec<u8>,
    pub(super) options: Options,
}

/// Reads the graph of a line.
pub(super) fn problem(line: &Line<'_>, subjects: &Subjects) -> Result<GraphQuestion, LineError> {
    let Some(raw) = line.value(Field::Graph) else {
        return Err(wrong_kind("graph", "an object"));
    };
    let opset = number(line, Field::Opset)?;
    let [inputs, nodes, outputs] = members(raw, "graph", ["inputs", "nodes", "outputs"])?;
    let inputs = match inputs {
        Some(raw) => types(raw, "graph.inputs")?,
        None => Vec::new(),
    };
    let given = match line.value(Field::Given) {
        Some(raw) => types(raw, "given")?,
        None => Vec::new(),
    };
    let mut reader = Nodes {
        subjects,
        opset,
        versions: BTreeMap::new(),
    };
    let nodes = list(nodes, "graph.nodes", "a list of nodes")?.into_iter();
    let nodes = nodes.enumerate().map(|(i, raw)| reader.node(raw, i));
    let nodes = nodes.collect::<Result<Vec<NodeSpec>, LineError>>()?;
    let outputs = list(outputs, "graph.outputs", "a list of names")?.into_iter();
    let outputs = outputs.enumerate().map(|(i, raw)| {
        let place = format!("graph.outputs[{i}]");
        name(raw, &place)?.ok_or_else(|| wrong_kind(&place, "the name of a value"))
    });
    let spec = GraphSpec {
        inputs: inputs.iter().map(|(name, _)| name.clone()).collect(),
        nodes,
        outputs: outputs.collect::<Result<_, LineError>>()?,
        versions: reader.versions.into_iter().collect(),
    };
    let model = spec.encode().map_err(|BadAttr { node, name, why }| {
        let place = format!("graph.nodes[{node}].attrs.{name}");
        LineError::new(mistake::bad_value(&place, why), place)
    })?;
    let mut options = Options {
        inputs,
        given,
        assume_nonempty: yes(line, Field::AssumeNonempty)?,
        relations: Some(subjects.relations().clone()),
        ..Options::default()
    };
    hold(&mut options, conditions(line)?)?;
    Ok(GraphQuestion { model, options })
}

/// Conditions are a part of types: the first one that is given gets them.
fn hold(options: &mut Options, conditions: Vec<Condition>) -> Result<(), LineError> {
    if conditions.is_empty() {
        return Ok(());
    }
    let types = options.inputs.iter_mut().chain(&mut options.given);
    match types.map(|(_, ty)| ty).next() {
        Some(ty) => {
            let own = ty.conditions.iter().cloned();
            let all = own.chain(conditions).collect();
            *ty = ty.clone().with_conditions(all);
            Ok(())
        }
        None => Err(LineError::new(mistake::no_names(), "where")),
    }
}

struct Nodes<'s> {
    subjects: &'s Subjects,
    opset: Option<u64>,
    versions: BTreeMap<String, u64>,
}

impl Nodes<'_> {
    fn node(&mut self, raw: &RawValue, at: usize) -> Result<NodeSpec, LineError> {
        let place = format!("graph.nodes[{at}]");
        let of = |field: &str| format!("{place}.{field}");
        let fields = ["op", "attrs", "inputs", "outputs", "name"];
        let [op, attrs, inputs, outputs, label] = members(raw, &place, fields)?;
        let op = match op {
            Some(op) => name(op, &of("op"))?,
            None => None,
        };
        let op = op.ok_or_else(|| wrong_kind(&of("op"), "the name of an operator"))?;
        let operator = self.subjects.relations().operator(&op, self.opset);
        let operator = operator.map_err(|d| LineError::new(d, of("op")))?;
        let attrs = match attrs {
            Some(raw) => attr::read(raw, &of("attrs"), &operator)?,
            None => Vec::new(),
        };
        let names = |raw, field: &str| -> Result<Vec<Option<String>>, LineError> {
            let all = list(raw, &of(field), "a list of names, each a text or null")?;
            let all = all.into_iter().enumerate();
            all.map(|(i, raw)| name(raw, &format!("{place}.{field}[{i}]")))
                .collect()
        };
        let (inputs, outputs) = (names(inputs, "inputs")?, names(outputs, "outputs")?);
        let label = match label {
            Some(label) => name(label, &of("name"))?,
            None => None,
        };
        let newest = i64::MAX as u64;
        let domain = operator.domain();
        self.versions
            .insert(domain.to_owned(), self.opset.unwrap_or(newest));
        Ok(NodeSpec {
            name: label.unwrap_or_default(),
            domain: domain.to_owned(),
            op: operator.name().to_owned(),
            inputs,
            outputs,
            attrs: attrs.into_iter().map(|(n, v)| (n.into(), v)).collect(),
        })
    }
}

/// The members of an object that can have these and no others; null is none.
fn members<'l, const N: usize>(
    raw: &'l RawValue,
    place: &str,
    known: [&str; N],
) -> Result<[Option<&'l RawValue>; N], LineError> {
    let mut found = [None; N];
    for (name, value) in entries(raw, place, "an object")? {
        let at = known.iter().position(|known| **known == *name);
        let Some(at) = at else {
            let wrong = mistake::unknown_member(place, &name, &known);
            return Err(LineError::new(wrong, format!("{place}.{name}")));
        };
        found[at] = Some(value).filter(|raw| raw.get() != "null");
    }
    Ok(found)
}

/// The entries of an object, in order, no two of which have the same name.
pub(super) fn entries<'l>(
    raw: &'l RawValue,
    place: &str,
    wanted: &str,
) -> Result<Vec<(Cow<'l, str>, &'l RawValue)>, LineError> {
    let all = object(raw).ok_or_else(|| wrong_kind(place, wanted))?;
    let mut names: Vec<&str> = all.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            let wrong = mistake::field_twice(pair[0]);
            Err(LineError::new(wrong, format!("{place}.{}", pair[0])))
        }
        None => Ok(all),
    }
}

/// Types by the names of values; null is one of which nothing is known.
pub(super) fn types(raw: &RawValue, place: &str) -> Result<Vec<(String, Type)>, LineError> {
    let all = entries(raw, place, "an object of types by name")?;
    let mut types = Vec::with_capacity(all.len());
    for (name, raw) in all {
        let place = format!("{place}.{name}");
        let ty = match type_data::read(raw, &place) {
            Some(data) => data?,
            None => match self::name(raw, &place)? {
                Some(text) => text.parse().map_err(|d| LineError::new(d, place))?,
                None => Type::UNKNOWN,
            },
        };
        types.push((name.into_owned(), ty));
    }
    Ok(types)
}

/// The members of a list; none if there is none.
fn list<'l>(
    raw: Option<&'l RawValue>,
    place: &str,
    wanted: &str,
) -> Result<Vec<&'l RawValue>, LineError> {
    match raw {
        Some(raw) => serde_json::from_str(raw.get()).map_err(|_| wrong_kind(place, wanted)),
        None => Ok(Vec::new()),
    }
}

/// A text; none if it is null.
fn name(raw: &RawValue, place: &str) -> Result<Option<String>, LineError> {
    serde_json::from_str(raw.get()).map_err(|_| wrong_kind(place, "a text"))
}

pub(super) fn wrong_kind(place: &str, wanted: &str) -> LineError {
    let wrong: Diagnostic = mistake::wrong_kind(place, wanted);
    LineError::new(wrong, place)
}
