//! Functions of the model: each call is its body, put in where the call stands.

use super::{Around, Checker, DEEPEST};
use crate::graph::Graph;
use crate::model::Versions;
use crate::problem::{self, Problem};
use crate::proto::attribute::{Attribute, AttributeValue};
use crate::symbols::Symbol;
use hashbrown::HashMap;
use kanshape::graph::ValueId;
use smallvec::SmallVec;
use std::rc::Rc;

impl<'c, 'a> Checker<'c, 'a> {
    pub(super) fn add_function(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        function: usize,
        around: Around<'_, 'a>,
    ) {
        let node = &graph.nodes[index as usize];
        let definition = &self.model.functions[function];
        if around.depth >= DEEPEST {
            let place = graph.place(&self.paths[around.path as usize], index, &self.symbols);
            self.problems
                .push(Problem::from(problem::too_deep(DEEPEST)).at(place));
            return self.untyped(
                graph,
                index,
                around,
                "it calls itself, or calls go too deep".into(),
            );
        }
        let body = self.body_of(function);
        let given = graph.inputs_of(node);
        if given.len() > definition.inputs.len() {
            let count = definition.inputs.len();
            let why = format!(
                "the function takes {count} input{}, and is given {}",
                if count == 1 { "" } else { "s" },
                given.len()
            );
            return self.miscalled(graph, index, around, why.into());
        }
        let values = self.inputs(graph, index, given, around);
        let mut values = values.into_iter();
        let is_there = |i: usize| {
            given
                .get(i)
                .is_some_and(|s| *s != Symbol::NONE && !around.absent.contains(s))
        };
        let given: Vec<Option<ValueId>> = (0..definition.inputs.len())
            .map(|i| match is_there(i) {
                true => values.next(),
                false => None,
            })
            .collect();
        let attrs = self.attributes_of(graph, index, function, around);
        let path = self.path(graph, index, definition.name, around);
        let versions = match definition.versions.is_empty() {
            true => self.model.versions.clone(),
            false => Versions::new(&definition.versions),
        };
        let mut absent = SmallVec::<[Symbol; 4]>::new();
        let symbols: Vec<Symbol> = definition
            .inputs
            .iter()
            .map(|name| self.symbols.of(name))
            .collect();
        for (symbol, value) in symbols.iter().zip(&given) {
            if value.is_none() {
                absent.push(*symbol);
            }
        }
        let inside = Around {
            path,
            depth: around.depth + 1,
            dialect: self.calls.dialect(&versions),
            versions: &versions,
            attrs: Some(&attrs),
            absent: &absent,
        };
        self.scope.enter(true);
        for (symbol, value) in symbols.into_iter().zip(given) {
            if let Some(value) = value {
                self.bind(&body, symbol, value, inside);
            }
        }
        if !self.is_read.contains(&function) {
            self.is_read.insert(function);
            self.tell_problems(&body, inside);
        }
        self.add_nodes(&body, inside);
        let results: Vec<Option<ValueId>> = body
            .outputs
            .iter()
            .map(|o| self.scope.get(o.symbol))
            .collect();
        self.scope.leave();
        let mut results = results.into_iter();
        for symbol in graph.outputs_of(node) {
            let result = results.next().flatten();
            if *symbol != Symbol::NONE {
                let value = result.unwrap_or_else(|| self.graph.unknown());
                self.bind(graph, *symbol, value, around);
            }
        }
    }

    pub(super) fn body_of(&mut self, function: usize) -> Rc<Graph<'a>> {
        if let Some(body) = self.bodies.get(&function) {
            return Rc::clone(body);
        }
        let definition = &self.model.functions[function];
        let body = Rc::new(self.reader().function(definition));
        self.bodies.insert(function, Rc::clone(&body));
        body
    }

    /// What a function is given as attributes: by the call, or else by itself.
    pub(super) fn attributes_of(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        function: usize,
        around: Around<'_, 'a>,
    ) -> HashMap<&'a str, AttributeValue<'a>> {
        let node = &graph.nodes[index as usize];
        let definition = &self.model.functions[function];
        let mut attrs = HashMap::new();
        let defaults = definition.defaults.iter().copied();
        for message in defaults.chain(node.attributes()) {
            let Ok(attribute) = Attribute::read(message, &mut self.dims) else {
                continue;
            };
            let value = match attribute.value {
                AttributeValue::Reference(of) => match around.attrs.and_then(|attrs| attrs.get(of))
                {
                    Some(value) => value.clone(),
                    None => continue,
                },
                value => value,
            };
            attrs.insert(attribute.name, value);
        }
        attrs
    }

    /// The path of a body of a node.
    pub(super) fn path(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        body: &str,
        around: Around<'_, 'a>,
    ) -> u32 {
        let path = &self.paths[around.path as usize];
        let node = &graph.nodes[index as usize];
        let node = crate::graph::label(node.name, self.symbols.op(node.kind).op, index);
        self.paths.push(format!("{path}{node}/{body}/"));
        self.paths.len() as u32 - 1
    }
}
