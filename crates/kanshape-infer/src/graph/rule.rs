//! A rule in the store: where more than sizes is open, or where there is no one answer yet.

use super::apply::{Added, stopped};
use super::call::Prepared;
use super::known::Known;
use super::{Body, Graph, NodeId, STEPS, ValueId};
use crate::AttrValue;
use crate::lower::{Given, Identities};
use crate::relation::CallArg;
use crate::relation::{Context, call, form};
use kanshape_engine::{Budget, Stop, Term, Var};
use kanshape_types::Type;
use std::sync::Arc;

impl Graph {
    /// States the rule of a node's operator. What it can't say yet waits.
    pub(super) fn state_rule(&mut self, added: Added<'_>) {
        let Added {
            node,
            call,
            inputs,
            bodies,
        } = added;
        let prepared = Arc::clone(&self.cache.open().calls[call.0 as usize]);
        let before = self.mark();
        match self.try_rule(node, &prepared, inputs, bodies) {
            Ok(outputs) => {
                let cache = Arc::clone(&self.cache);
                let mut cache = cache.open();
                for term in outputs {
                    let known = cache.table.read(&self.state, &self.labels, &term);
                    self.values.push(known);
                }
            }
            Err(stop) => {
                self.back_to(before);
                self.cannot_be(added, stop);
            }
        }
    }

    fn try_rule(
        &mut self,
        node: NodeId,
        prepared: &Prepared,
        inputs: &[ValueId],
        bodies: &[Body<'_>],
    ) -> Result<Vec<Term>, Stop> {
        let open = self.open_sizes(inputs);
        let was = self.domains(&open);
        let mut types: Vec<Term> = inputs.iter().map(|v| self.term(*v)).collect();
        let layout = prepared.layout();
        let count = layout
            .places
            .outputs
            .iter()
            .flatten()
            .max()
            .map_or(0, |m| m + 1);
        let count = count.max(outputs_of(&layout.args, prepared.input_count));
        let outputs: Vec<Term> = (0..count).map(|_| Term::Var(self.state.any())).collect();
        types.extend(outputs.iter().cloned());
        let functions: Vec<(&str, Term)> = bodies
            .iter()
            .map(|body| (body.attr, self.function(body)))
            .collect();

        let operator = &prepared.operator;
        let library = operator.library();
        let mut scope = Given::default();
        scope.operands.labels = self.labels.clone();
        let mut attrs = Vec::new();
        for rule in operator.parts().attrs.iter() {
            if let Some((_, function)) = functions.iter().find(|f| f.0 == &*rule.name) {
                attrs.push(function.clone());
                continue;
            }
            let own = prepared
                .written
                .attrs
                .iter()
                .rev()
                .find(|a| a.0 == rule.name);
            let none = if rule.optional {
                &AttrValue::Absent
            } else {
                &AttrValue::Hole
            };
            let value = own.map(|a| &a.1).or(rule.default.as_ref()).unwrap_or(none);
            let term = scope.attribute(
                &mut self.state,
                &library.words,
                &rule.name,
                &rule.kind,
                value,
            );
            attrs.push(term.map_err(stopped)?);
        }
        let context = Arc::new(Context {
            library: Arc::clone(library),
            promotion: self.promotion,
            identities: Identities::default(),
            texts: Arc::clone(&scope.texts),
        });
        let args = layout.args.iter().map(|arg| match arg {
            CallArg::Type(i) => types[*i].clone(),
            CallArg::Present(i) => form::some(types[*i].clone()),
            CallArg::Absent => form::none(),
            CallArg::Types(all) => {
                form::chain(&mut self.state, all.iter().map(|i| types[*i].clone()))
            }
            CallArg::Rest => Term::Var(self.state.any()),
            CallArg::Attr(i) | CallArg::Param(i) => attrs[*i].clone(),
        });
        let goal = call(&context, &library.rules[operator.rule()], args.collect());

        let from = self.state.posted_count();
        self.state.settle(goal, &mut Budget::new(STEPS))?;
        self.note_demands(node, &open, was);
        self.note_posted(from, node, true);
        let there = layout.places.outputs.iter().zip(&prepared.written.outputs);
        let there = there.filter(|(_, is)| **is).map(|(place, _)| *place);
        there
            .map(|place| {
                place
                    .and_then(|p| outputs.get(p))
                    .cloned()
                    .ok_or(Stop::Conflict)
            })
            .collect()
    }

    /// The sizes that are open in these values, as far as they show.
    fn open_sizes(&self, values: &[ValueId]) -> Vec<Var> {
        let mut vars = Vec::new();
        for value in values {
            if let Known::Named(_, forms) = &self.values[value.index()] {
                for form in forms.iter() {
                    vars.extend(self.state.open_vars_of(form));
                }
            }
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// A function as a term: the types of what it takes, and of what it gives.
    fn function(&mut self, body: &Body<'_>) -> Term {
        let shallow = |graph: &mut Graph, value: &ValueId| match graph.term(*value) {
            node @ Term::Node(label, _) if label != crate::lower::TENSOR => {
                Term::Var(graph.state.standing_for(node))
            }
            term => term,
        };
        let mut parts: Vec<Term> = body.params.iter().map(|v| shallow(self, v)).collect();
        let results: Vec<Term> = body.results.iter().map(|v| shallow(self, v)).collect();
        let tuple = self.labels.of(&Type::tuple([]));
        let function = self.labels.of(&Type::function([], Type::UNKNOWN));
        parts.push(match &results[..] {
            [one] => one.clone(),
            _ => {
                let tuple = Term::node(tuple, results);
                Term::Var(self.state.standing_for(tuple))
            }
        });
        Term::node(function, parts)
    }
}

/// How many outputs a call speaks of.
fn outputs_of(args: &[CallArg], inputs: usize) -> usize {
    let most = args.iter().flat_map(|arg| match arg {
        CallArg::Type(i) | CallArg::Present(i) => std::slice::from_ref(i),
        CallArg::Types(all) => all,
        _ => &[],
    });
    most.max().map_or(0, |m| (m + 1).saturating_sub(inputs))
}
