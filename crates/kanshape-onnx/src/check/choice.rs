//! A choice: one of two bodies is run.

use super::Checker;
use super::body::{BodyGraph, Ending};
use super::control::BodiedNode;
use crate::report::When;
use crate::symbols::Symbol;
use kanshape::graph::region::{Guard, is_vague, known_truth};
use kanshape::graph::{Body, ValueId};
use kanshape::{Dtype, Name, Operator};

impl<'c, 'a> Checker<'c, 'a> {
    /// A node that runs one of two bodies. If it is known which one, that is always run, and the other never.
    pub(super) fn add_choice(
        &mut self,
        at: &BodiedNode<'_, '_, 'a>,
        operator: &Operator,
        bodies: &[BodyGraph<'a>],
    ) {
        let node = &at.graph.nodes[at.index as usize];
        let cond = at.given.first().cloned();
        // What the rule says of the condition.
        let is_there = vec![true; at.given.len()];
        let call = match self.graph.call(operator, Vec::new(), &is_there, &[]) {
            Ok(call) => call,
            Err(diagnostic) => {
                let why = diagnostic.headline.into();
                return self.untyped(at.graph, at.index, at.around, why);
            }
        };
        let known = cond.as_ref().and_then(|(value, _)| {
            let types = self.types(std::iter::once(value));
            known_truth(&types[0])
        });
        if let Some(is) = known {
            let mut results = Vec::new();
            for body in bodies {
                match is_run_if(body, is) {
                    true => results = self.run_body(body, &[], at.around).results,
                    false => self.run_never(body, &[], at.around),
                }
            }
            return self.hand_over(at, results);
        }
        let Some(cond) = cond else {
            let why = "it has no condition";
            return self.untyped(at.graph, at.index, at.around, why.into());
        };
        let start = self.regions.mark(&self.graph);
        let mut results: Vec<Vec<ValueId>> = Vec::new();
        let mut regions: Vec<usize> = Vec::new();
        let mut is_merged = true;
        for body in bodies {
            let before = self.mark();
            let is = is_run_if(body, true);
            let said = self.said(cond.0, is);
            let own = || format!("{} == {is}", cond.1);
            let guard = Guard::Branch {
                cond: cond.0,
                is,
                says: said.as_ref().map_or_else(own, |said| said.text.clone()),
            };
            let mut opening = at.opening(body, When::Is(cond.1.clone(), is), guard);
            opening.under.says = said;
            regions.push(self.begin_region(&before, opening));
            let ran = self.run_body(body, &[], at.around);
            is_merged &= matches!(self.end_region(&before, &ran), Ending::Merged);
            results.push(ran.results);
        }
        let [own, other] = [&results[0], &results[1]];
        if own.len() != other.len() {
            let why = "its branches do not give the same number of values";
            return self.untyped(at.graph, at.index, at.around, why.into());
        }
        let types = self.types(own.iter().chain(other));
        let is_same = types[..own.len()] == types[own.len()..] && !types.iter().any(is_vague);
        if is_merged && is_same {
            if !self.is_condition(cond.0) {
                return self.add_merged(at, operator, bodies, &results);
            }
            let alike: Option<Vec<ValueId>> = own.iter().map(|v| self.graph.alike(*v)).collect();
            let Some(outputs) = alike else {
                return self.add_merged(at, operator, bodies, &results);
            };
            // Both are part of the graph, and nothing is left of them to be decided.
            self.regions.forget_closed(&start);
            return self.hand_over(at, outputs);
        }
        let none = bodies.iter().map(|body| Body {
            attr: body.attr,
            params: &[],
            results: &[],
        });
        let none: Vec<Body<'_>> = none.collect();
        self.graph.add_with_bodies(call, &at.values, &none);
        self.origin(node, at.index, at.around);
        let branches = [regions[0], regions[1]];
        let dims = &self.dims;
        let types = self
            .regions
            .choice(&self.graph, branches, [own, other], &|name| {
                dims.has(&Name::word(name))
            });
        let (_, outputs) = self.graph.add_typed(&at.values, &types);
        self.origin(node, at.index, at.around);
        self.regions.note_outputs(branches, outputs);
        self.hand_over(at, outputs.iter().collect());
    }

    /// Is a value certainly what an `If` takes for its condition?
    fn is_condition(&self, value: ValueId) -> bool {
        let known = self.graph.known(value);
        let tensor = known.as_ref().and_then(|ty| ty.as_tensor());
        tensor.is_some_and(|tensor| {
            let is_bool = tensor.dtype.known() == Some(Dtype::Bool);
            let has_rank = tensor.shape.rank().is_some();
            is_bool && has_rank && tensor.shape.iter().all(|dim| dim.size() == Some(1))
        })
    }

    /// A choice of which no branch requires anything: both are in the graph, and its rule says what is common to them.
    fn add_merged(
        &mut self,
        at: &BodiedNode<'_, '_, 'a>,
        operator: &Operator,
        bodies: &[BodyGraph<'a>],
        results: &[Vec<ValueId>],
    ) {
        let node = &at.graph.nodes[at.index as usize];
        let outputs = at.graph.outputs_of(node).iter();
        let outputs: Vec<bool> = outputs.map(|s| *s != Symbol::NONE).collect();
        let is_there = vec![true; at.given.len()];
        let call = match self.graph.call(operator, Vec::new(), &is_there, &outputs) {
            Ok(call) => call,
            Err(diagnostic) => {
                let why = diagnostic.headline.into();
                return self.untyped(at.graph, at.index, at.around, why);
            }
        };
        let bodies = bodies.iter().zip(results).map(|(body, results)| Body {
            attr: body.attr,
            params: &[],
            results,
        });
        let bodies: Vec<Body<'_>> = bodies.collect();
        let (_, outputs) = self.graph.add_with_bodies(call, &at.values, &bodies);
        self.origin(node, at.index, at.around);
        self.bind_outputs(at.graph, at.index, outputs, at.around);
    }
}

/// Are these the two branches of a choice?
pub(super) fn are_branches(bodies: &[BodyGraph<'_>]) -> bool {
    let names = bodies.iter().map(|body| body.attr);
    names.clone().eq(["then_branch", "else_branch"]) || names.eq(["else_branch", "then_branch"])
}

/// Is a branch run if the condition is this?
fn is_run_if(body: &BodyGraph<'_>, cond: bool) -> bool {
    (body.attr == "then_branch") == cond
}
