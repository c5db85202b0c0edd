//! A node of a model as a node of the engine.

use super::call::{BytesKey, CalledOp, OfSequences, PreparedNode, presence};
use super::{Around, Checker, NodeOrigin};
use crate::graph::Graph;
use crate::problem::{self, Problem};
use crate::proto::attribute::{Attribute, AttributeValue};
use crate::proto::node::Node;
use crate::report::Untyped;
use crate::symbols::Symbol;
use kanshape::graph::{CallId, Outputs, ValueId};
use kanshape::{AttrValue, Operator};
use smallvec::SmallVec;
use std::rc::Rc;

pub(super) type Values = SmallVec<[ValueId; 8]>;

/// Of an attribute of more bytes that no rule speaks of only the first members are read, and a call of more is not kept for the next model.
const MUCH: usize = 1 << 16;
/// So many members show of what kind a list is.
const ENOUGH: usize = 8;

/// A call, with what it is given.
pub(super) struct WrittenCall<'a> {
    pub attrs: Vec<(Box<str>, AttrValue)>,
    /// Attributes that are bodies.
    pub bodies: Vec<(&'a str, &'a [u8])>,
    /// It depends on what its function is given.
    pub of_function: bool,
    /// What one of the attributes is not known.
    pub unreadable: bool,
}

impl WrittenCall<'_> {
    /// Are there types among the attributes? Names in them are those of the model.
    fn has_types(&self) -> bool {
        let is_type = |value: &AttrValue| matches!(value, AttrValue::Type(_));
        self.attrs.iter().any(|(_, value)| is_type(value))
    }

    /// Why it can't be a call of this operator, as far as that follows from which attributes there are.
    fn misfit(&self, operator: &Operator) -> Option<String> {
        if self.unreadable {
            return Some("one of its attributes can't be read".into());
        }
        let own = self.attrs.iter().map(|(name, _)| (&**name, false));
        let own = own.chain(self.bodies.iter().map(|(name, _)| (*name, true)));
        let op = operator.name();
        for (name, is_body) in own.clone() {
            match operator.attribute(name) {
                Ok(attribute) if is_body && !attribute.is_type() => {
                    return Some(format!("`{op}` has no body `{name}`"));
                }
                Ok(_) => {}
                Err(unknown) => return Some(problem::why(unknown)),
            }
        }
        let is_given = |name: &str| own.clone().any(|(own, _)| own == name);
        let mut attrs = operator.attributes();
        let missing = attrs.find(|a| !a.optional && a.default.is_none() && !is_given(a.name))?;
        let (op, name) = (operator.name(), missing.name);
        Some(format!(
            "`{op}` needs the attribute `{name}`, and is not given it"
        ))
    }
}

impl<'c, 'a> Checker<'c, 'a> {
    pub(super) fn add_node(&mut self, graph: &Graph<'a>, index: u32, around: Around<'_, 'a>) {
        let node = &graph.nodes[index as usize];
        if around.depth > 0 && !self.may_go_on(graph, index, around) {
            return self.untyped(
                graph,
                index,
                around,
                "there are too many nodes in bodies and functions".into(),
            );
        }
        if !graph.unreadable.is_empty() && graph.unreadable.binary_search(&index).is_ok() {
            return self.untyped(graph, index, around, "it can't be read".into());
        }
        let symbols = &self.symbols;
        let (op, is_new) = self
            .calls
            .op(around.dialect, node.kind, || symbols.op(node.kind));
        if is_new {
            self.ask_version(graph, index, around);
        }
        match self.calls.meaning(op) {
            CalledOp::Operator(_, OfSequences::Nothing) => self.add_call(graph, index, op, around),
            CalledOp::Operator(_, OfSequences::Same) if self.members.is_empty() => {
                self.add_call(graph, index, op, around);
            }
            CalledOp::Operator(_, of) => self.add_of_sequences(graph, index, op, *of, around),
            CalledOp::Constant => self.add_constant(graph, index, around),
            CalledOp::Function(function) => {
                let function = *function;
                self.add_function(graph, index, function, around);
            }
            CalledOp::Unknown(why) => {
                let why = Rc::clone(why);
                self.without_rule(graph, index, around, why, true);
            }
        }
    }

    /// One node of a body or function more.
    fn may_go_on(&mut self, graph: &Graph<'a>, index: u32, around: Around<'_, 'a>) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => return false,
        }
        if self.left == 0 {
            let place = graph.place(&self.paths[around.path as usize], index, &self.symbols);
            let problem = Problem::from(problem::too_long(super::MOST_NODES));
            self.problems.push(problem.at(place));
        }
        self.left > 0
    }

    /// Says that a model does not say which version of a domain it means.
    fn ask_version(&mut self, graph: &Graph<'a>, index: u32, around: Around<'_, 'a>) {
        let domain = self.symbols.op(graph.nodes[index as usize].kind).domain;
        if around.versions.get(domain).is_some()
            || self.unversioned.contains(&(around.dialect, domain))
        {
            return;
        }
        self.unversioned.insert((around.dialect, domain));
        let place = graph.place(&self.paths[around.path as usize], index, &self.symbols);
        let problem = Problem::from(problem::no_version(domain).as_warning());
        self.problems.push(problem.at(place));
    }

    #[inline]
    pub(super) fn add_call(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        op: u32,
        around: Around<'_, 'a>,
    ) {
        let node = &graph.nodes[index as usize];
        let mut own = SmallVec::<[Symbol; 8]>::new();
        let inputs = match around.absent.is_empty() {
            true => graph.inputs_of(node),
            false => {
                own.extend(present(graph.inputs_of(node), around.absent));
                &own
            }
        };
        let outputs = graph.outputs_of(node);
        let key = presence(inputs)
            .zip(presence(outputs))
            .map(|(inputs, outputs)| BytesKey {
                op,
                inputs,
                outputs,
                attrs: node.attrs,
            });
        let known = key.and_then(|key| self.calls.by_bytes.get(&key).copied());
        let prepared = match known {
            Some(PreparedNode::OfFunction) | None => {
                let CalledOp::Operator(operator, _) = self.calls.meaning(op).clone() else {
                    return;
                };
                let (found, kept) = match key {
                    Some(key) if known.is_none() => {
                        self.first_call(&operator, key, node, [inputs, outputs], around)
                    }
                    _ => {
                        let written = self.written(node, Some(&operator), around);
                        let found = self.prepare(&operator, written, [inputs, outputs]);
                        (found, found)
                    }
                };
                if let (Some(key), None) = (key, known) {
                    self.calls.by_bytes.insert(key, kept);
                }
                found
            }
            Some(prepared) => prepared,
        };
        match prepared {
            PreparedNode::Call(call) => self.add_prepared(graph, index, call, inputs, around),
            PreparedNode::Wrong(why) => {
                let why = Rc::clone(&self.calls.reasons[why as usize]);
                self.untyped(graph, index, around, why);
            }
            PreparedNode::Bodies | PreparedNode::OfFunction => {
                let CalledOp::Operator(operator, _) = self.calls.meaning(op).clone() else {
                    return;
                };
                let inputs = SmallVec::<[Symbol; 8]>::from_slice(inputs);
                self.add_control(graph, index, &operator, &inputs, around);
            }
        }
    }

    fn add_prepared(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        call: CallId,
        inputs: &[Symbol],
        around: Around<'_, 'a>,
    ) {
        let values = self.inputs(graph, index, inputs, around);
        let (_, outputs) = self.graph.add(call, &values);
        self.origin(&graph.nodes[index as usize], index, around);
        self.bind_outputs(graph, index, outputs, around);
    }

    /// The values that the inputs of a node denote, of those that are there.
    #[inline]
    pub(super) fn inputs(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        inputs: &[Symbol],
        around: Around<'_, 'a>,
    ) -> Values {
        let mut values = Values::new();
        for symbol in inputs {
            if *symbol == Symbol::NONE || around.absent.contains(symbol) {
                continue;
            }
            let value = match self.scope.get(*symbol) {
                Some(value) => value,
                None => self.missing(*symbol, graph, index, around),
            };
            values.push(value);
        }
        values
    }

    /// A node of the engine has been added for a node of the model.
    #[inline]
    pub(super) fn origin(&mut self, node: &Node<'a>, index: u32, around: Around<'_, 'a>) {
        let origin = NodeOrigin {
            path: around.path,
            index,
        };
        if around.path > 0 {
            self.labels.insert(origin, (node.name, node.kind));
        }
        self.origins.push(origin);
    }

    #[inline]
    pub(super) fn bind_outputs(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        outputs: Outputs,
        around: Around<'_, 'a>,
    ) {
        let mut values = outputs.iter();
        for symbol in graph.outputs_of(&graph.nodes[index as usize]) {
            if *symbol == Symbol::NONE {
                continue;
            }
            let value = match values.next() {
                Some(value) => value,
                None => self.graph.unknown(),
            };
            self.bind(graph, *symbol, value, around);
        }
    }

    /// A node of which nothing is known but what the model declares of its outputs.
    #[cold]
    pub(super) fn untyped(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        around: Around<'_, 'a>,
        why: Rc<str>,
    ) {
        self.without_rule(graph, index, around, why, false);
    }

    /// A node that is no call of its operator or function, which the model can't be run with.
    pub(super) fn miscalled(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        around: Around<'_, 'a>,
        why: Rc<str>,
    ) {
        self.without_rule(graph, index, around, why, false);
        if let Some(own) = self.untyped.last_mut() {
            own.is_wrong = true;
        }
        self.contradicted = true;
    }

    /// The same, and whether that is for want of the operator.
    fn without_rule(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        around: Around<'_, 'a>,
        why: Rc<str>,
        is_missing: bool,
    ) {
        let node = &graph.nodes[index as usize];
        let place = graph.place(&self.paths[around.path as usize], index, &self.symbols);
        let values = self.inputs(graph, index, graph.inputs_of(node), around);
        let (types, declared) = self.declared_outputs(graph, index, around);
        self.untyped.push(Untyped {
            place,
            why: why.to_string(),
            is_missing,
            is_wrong: false,
            declared,
        });
        let (_, outputs) = self.graph.add_typed(&values, &types);
        self.origin(node, index, around);
        self.bind_outputs(graph, index, outputs, around);
    }

    /// The attributes of a node that calls this operator, if it calls one.
    pub(super) fn written(
        &mut self,
        node: &Node<'a>,
        operator: Option<&Operator>,
        around: Around<'_, 'a>,
    ) -> WrittenCall<'a> {
        let mut written = WrittenCall {
            attrs: Vec::new(),
            bodies: Vec::new(),
            of_function: false,
            unreadable: false,
        };
        for message in node.attributes() {
            // An ensemble of trees has lists of millions of numbers, and its type has nothing to do with them.
            let is_read = message.len() <= MUCH
                || operator.is_none_or(|own| own.speaks_of(Attribute::name_of(message)));
            let most = if is_read { usize::MAX } else { ENOUGH };
            let read = Attribute::read_up_to(most, message, &mut self.dims);
            let Ok(attribute) = read else {
                written.unreadable = true;
                continue;
            };
            let (name, mut value) = (attribute.name, attribute.value);
            if name == "consumed_inputs" && is_old(around) {
                // It was about memory: which inputs may be written over.
                continue;
            }
            if let AttributeValue::Reference(of) = value {
                written.of_function = true;
                match around.attrs.and_then(|attrs| attrs.get(of)) {
                    Some(given) => value = given.clone(),
                    None => continue,
                }
            }
            match value {
                AttributeValue::Value(value) => written.attrs.push((name.into(), value)),
                AttributeValue::Graph(body) => written.bodies.push((name, body)),
                AttributeValue::Reference(_) => {}
                AttributeValue::Other => written.attrs.push((name.into(), AttrValue::Hole)),
            }
        }
        written
    }

    /// A call that no other node of the model was like: what it is, and what it is for nodes that are like it.
    fn first_call(
        &mut self,
        operator: &Operator,
        key: BytesKey<'a>,
        node: &Node<'a>,
        operands: [&[Symbol]; 2],
        around: Around<'_, 'a>,
    ) -> (PreparedNode, PreparedNode) {
        // It may be in the models before this one.
        let across = (key.attrs.len() <= MUCH).then(|| key.across_models(operator));
        if let Some(call) = across.as_ref().and_then(|own| self.graph.recall(own)) {
            return (PreparedNode::Call(call), PreparedNode::Call(call));
        }
        let written = self.written(node, Some(operator), around);
        let of_function = written.of_function;
        let is_same_anywhere = !of_function && !is_old(around) && !written.has_types();
        let found = self.prepare(operator, written, operands);
        if let (PreparedNode::Call(call), true, Some(across)) = (found, is_same_anywhere, across) {
            self.graph.remember(across, call);
        }
        match of_function {
            true => (found, PreparedNode::OfFunction),
            false => (found, found),
        }
    }

    fn prepare(
        &mut self,
        operator: &Operator,
        written: WrittenCall<'a>,
        operands: [&[Symbol]; 2],
    ) -> PreparedNode {
        if let Some(why) = written.misfit(operator) {
            return self.calls.wrong(&why);
        }
        if !written.bodies.is_empty() {
            return PreparedNode::Bodies;
        }
        let [inputs, outputs] = operands.map(|operands| -> SmallVec<[bool; 16]> {
            operands.iter().map(|s| *s != Symbol::NONE).collect()
        });
        match self.graph.call(operator, written.attrs, &inputs, &outputs) {
            Ok(call) => PreparedNode::Call(call),
            Err(diagnostic) => self.calls.wrong(&problem::why(diagnostic)),
        }
    }
}

/// Is it from before version 6? Operators then had attributes that are left out.
fn is_old(around: Around<'_, '_>) -> bool {
    around.versions.get("").is_some_and(|version| version < 6)
}

/// The inputs of a node, without those that its function is not given.
fn present<'i>(
    inputs: &'i [Symbol],
    absent: &'i [Symbol],
) -> impl Iterator<Item = Symbol> + use<'i> {
    inputs
        .iter()
        .map(move |symbol| match absent.contains(symbol) {
            true => Symbol::NONE,
            false => *symbol,
        })
}
