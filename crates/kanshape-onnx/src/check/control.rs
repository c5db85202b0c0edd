//! The operators that have bodies: what is handed to these, and when they are run.
//!
//! What comes out of them is said by the rules of the catalog, as for all operators.

use super::body::{BodyGraph, BodyParam, Opening};
use super::choice::are_branches;
use super::node::Values;
use super::{Around, Checker, NamedValue, NodeOrigin, ValueHome};
use crate::graph::Graph;
use crate::problem::Place;
use crate::report::{Under, When};
use crate::symbols::Symbol;
use kanshape::graph::region::{self, Guard, RegionMark};
use kanshape::graph::{Body, Outputs, ValueId};
use kanshape::{AttrValue, Name, Operator, Type};

impl<'c, 'a> Checker<'c, 'a> {
    /// A node that has bodies.
    pub(super) fn add_control(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        operator: &Operator,
        inputs: &[Symbol],
        around: Around<'_, 'a>,
    ) {
        let node = &graph.nodes[index as usize];
        if let Some(most) = self.regions.limit_reached() {
            let why = format!("the limit of {most} bodies that may not be run is reached");
            return self.untyped(graph, index, around, why.into());
        }
        let written = self.written(node, Some(operator), around);
        let values = self.inputs(graph, index, inputs, around);
        let mut bodies = Vec::with_capacity(written.bodies.len());
        for body in &written.bodies {
            let Some(body) = self.read_body(graph, index, *body, around) else {
                let why = "its bodies are nested too deep";
                return self.untyped(graph, index, around, why.into());
            };
            bodies.push(body);
        }
        let is_there: Vec<bool> = inputs.iter().map(|s| *s != Symbol::NONE).collect();
        let names = values.iter().map(|value| self.name_of(*value));
        let given = values.iter().copied().zip(names).collect();
        let path = &self.paths[around.path as usize];
        let mut at = BodiedNode {
            graph,
            index,
            around,
            place: graph.place(path, index, &self.symbols),
            given,
            values,
            carried: Vec::new(),
            is_uneven: false,
            is_once: false,
        };
        let start = self.regions.mark(&self.graph);
        let outputs = graph.outputs_of(node).iter();
        let outputs: Vec<bool> = outputs.map(|s| *s != Symbol::NONE).collect();
        let attrs = written.attrs.clone();
        let call = self.graph.call(operator, attrs, &is_there, &outputs);
        let ran = match (operator.domain(), operator.name()) {
            ("ai.onnx", "If") => {
                let fits = |body: &BodyGraph<'a>| self.fits(graph, index, body, 0, around);
                match bodies.iter().all(fits) && are_branches(&bodies) {
                    true => return self.add_choice(&at, operator, &bodies),
                    false => None,
                }
            }
            ("ai.onnx", "Loop") => self.run_loop(&mut at, &bodies, &is_there),
            ("ai.onnx", "Scan") => bodies.first().and_then(|body| {
                let (params, scanned) = self.slices(operator, &written.attrs, &at, &is_there)?;
                let fits = self.fits(graph, index, body, params.len(), around);
                let call = call.as_ref().ok().copied();
                fits.then(|| vec![self.run_scan(&mut at, body, &params, scanned, call)])
            }),
            ("ai.onnx", "SequenceMap") => bodies.first().and_then(|body| {
                let params = self.members(&at.values);
                let params: Vec<BodyParam> = params.iter().map(|p| self.widened(p)).collect();
                let fits = self.fits(graph, index, body, params.len(), around);
                let opening = at.other(body, When::Member);
                fits.then(|| vec![self.run_if_at_all(body, &params, opening, around).0])
            }),
            // What it hands to them it does not say.
            _ => {
                let ran = bodies.iter().map(|body| {
                    let params = vec![BodyParam::Type(Type::UNKNOWN); body.graph.inputs.len()];
                    let opening = at.other(body, When::Sometimes);
                    self.run_if_at_all(body, &params, opening, around).0
                });
                Some(ran.collect())
            }
        };
        let Some(ran) = ran else {
            if let Some(why) = scans_too_much(operator, &written.attrs, at.given.len()) {
                return self.miscalled(graph, index, around, why.into());
            }
            let why = "its bodies are none that it has, or not like what it hands to them";
            return self.untyped(graph, index, around, why.into());
        };
        let call = match call {
            Ok(call) => call,
            Err(diagnostic) => {
                return self.untyped(graph, index, around, diagnostic.headline.into());
            }
        };
        let own: Vec<Body<'_>> = bodies
            .iter()
            .zip(&ran)
            .map(|(body, ran)| Body {
                attr: body.attr,
                params: &ran.params,
                results: &ran.results,
            })
            .collect();
        let (id, outputs) = self.graph.add_with_bodies(call, &at.values, &own);
        if let (true, Some(ran)) = (at.is_once, ran.first()) {
            let mut all = outputs.iter();
            let symbols = graph.outputs_of(node).iter();
            let given =
                symbols.map(|symbol| (*symbol != Symbol::NONE).then(|| all.next()).flatten());
            let given: Vec<Option<ValueId>> = given.collect();
            self.give_once(id, ran, at.carried.len(), &given);
        }
        self.origin(node, index, around);
        if (operator.domain(), operator.name()) == ("ai.onnx", "Loop") {
            self.note_unrun(&start, &at, outputs);
        }
        let dims = &self.dims;
        let made = (at.origin(), outputs);
        let is_known = |name: &str| dims.has(&Name::word(name));
        self.regions
            .note_varied(&start, &mut self.graph, made, at.is_uneven, &is_known);
        self.bind_outputs(graph, index, outputs, around);
    }

    /// Notes of the bodies of a loop what it gives if its body is not run.
    fn note_unrun(&mut self, start: &RegionMark, at: &BodiedNode<'_, '_, 'a>, all: Outputs) {
        let node = &at.graph.nodes[at.index as usize];
        let inputs = at.graph.inputs_of(node).iter().skip(2);
        let outputs = at.graph.outputs_of(node);
        let mut values = all.iter();
        let mut pairs: Vec<(ValueId, ValueId)> = Vec::new();
        let carried = &at.carried[..];
        for ((_, symbol), given) in inputs.zip(outputs).zip(carried) {
            if *symbol != Symbol::NONE
                && let Some(value) = values.next()
            {
                pairs.push((value, *given));
            }
        }
        self.regions.note_unrun(start, &pairs);
    }

    /// What a value is called.
    pub(super) fn name_of(&self, value: ValueId) -> String {
        let is_it =
            |entry: &&NamedValue| matches!(entry.value, ValueHome::Value(own) if own == value);
        match self.values.iter().rev().find(is_it) {
            Some(entry) => {
                let path = &self.paths[entry.path as usize];
                format!("{path}{}", self.symbols.name(entry.symbol))
            }
            None => "a value without a name".into(),
        }
    }

    /// The outputs of a node are these values.
    pub(super) fn hand_over(&mut self, at: &BodiedNode<'_, '_, 'a>, results: Vec<ValueId>) {
        let outputs = at.graph.outputs_of(&at.graph.nodes[at.index as usize]);
        let mut results = results.into_iter();
        for symbol in outputs {
            let value = results.next();
            if *symbol != Symbol::NONE {
                let value = value.unwrap_or_else(|| self.graph.unknown());
                self.bind(at.graph, *symbol, value, at.around);
            }
        }
    }

    /// What a `SequenceMap` hands to its body: a member of each sequence, and each tensor as it is.
    fn members(&self, inputs: &Values) -> Vec<BodyParam> {
        let types = self.types(inputs.iter());
        let params = types.iter().zip(inputs).map(|(ty, value)| match &ty.kind {
            kanshape::types::TypeKind::Adt(name, of) if *name == "Sequence" => match of.first() {
                Some(member) => BodyParam::Type(self.known_outside(member)),
                None => BodyParam::Type(Type::UNKNOWN),
            },
            _ => BodyParam::Value(*value),
        });
        params.collect()
    }
}

/// A node that has bodies.
pub(super) struct BodiedNode<'g, 'r, 'a> {
    pub graph: &'g Graph<'a>,
    pub index: u32,
    pub around: Around<'r, 'a>,
    pub place: Place,
    /// What it is given.
    pub values: Values,
    /// The same with names.
    pub given: Vec<region::NamedValue>,
    /// What a loop is given to carry.
    pub carried: Vec<ValueId>,
    /// The slices that its body gives may have other shapes in another iteration.
    pub is_uneven: bool,
    /// It is a loop whose body is certainly run once.
    pub is_once: bool,
}

impl<'a> BodiedNode<'_, '_, 'a> {
    pub(super) fn origin(&self) -> NodeOrigin {
        NodeOrigin {
            path: self.around.path,
            index: self.index,
        }
    }

    /// What is to be noted of a body before it is run.
    pub(super) fn opening(&self, body: &BodyGraph<'a>, when: When, guard: Guard) -> Opening {
        Opening {
            origin: self.origin(),
            under: Under {
                node: self.place.clone(),
                body: body.attr.to_owned(),
                when,
                says: None,
            },
            guard,
        }
    }

    fn other(&self, body: &BodyGraph<'a>, when: When) -> Opening {
        self.opening(body, when, Guard::Other(body.attr.into()))
    }
}

/// Why a `Scan` can't be: it says that it scans more inputs than it has.
fn scans_too_much(
    operator: &Operator,
    attrs: &[(Box<str>, AttrValue)],
    given: usize,
) -> Option<String> {
    if (operator.domain(), operator.name()) != ("ai.onnx", "Scan") {
        return None;
    }
    let scanned = attrs.iter().find(|a| *a.0 == *"num_scan_inputs");
    let Some(AttrValue::Int(count)) = scanned.map(|a| &a.1) else {
        return None;
    };
    let is_more = usize::try_from(*count).is_ok_and(|count| count > given);
    let inputs = if given == 1 { "input" } else { "inputs" };
    is_more
        .then(|| format!("it scans {count} inputs (`num_scan_inputs`), and has {given} {inputs}"))
}
