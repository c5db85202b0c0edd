//! A choice: one of two bodies is run.

use super::body::{BodyGraph, Ending, is_vague};
use super::control::BodiedNode;
use super::guard::is_truth;
use super::part::{Guard, GuardedPart};
use super::{Checker, NodeOrigin};
use crate::symbols::Symbol;
use kanshape::graph::{Body, ValueId};
use kanshape::{Dim, Dtype, Operator, Shape, Tensor, Type, order};
use std::sync::Arc;

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
            is_truth(&types[0])
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
        let start = self.start();
        let varied = self.varied.len();
        let mut results: Vec<Vec<ValueId>> = Vec::new();
        let mut parts: Vec<usize> = Vec::new();
        let mut is_merged = true;
        for body in bodies {
            let before = self.mark();
            let is = is_run_if(body, true);
            let guard = Guard::Branch {
                body: body.attr.into(),
                cond: cond.clone(),
                is,
                says: self.said(cond.0, is),
            };
            self.begin_part((at.place.clone(), guard));
            let part = self.parts.len() - 1;
            let ran = self.run_body(body, &[], at.around);
            is_merged &= matches!(self.end_part(&before, &ran), Ending::Merged);
            parts.push(part);
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
            if self.varied.len() == varied && self.parts[start.parts..].iter().all(|p| !p.is_open) {
                self.parts.truncate(start.parts);
            }
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
        for (own, results) in parts.iter().zip(&results) {
            let part = &mut self.parts[*own];
            part.origin = NodeOrigin {
                path: at.around.path,
                index: at.index,
            };
            if !part.is_open {
                // It is in the graph, and requires nothing.
                *part.before = self.graph.clone();
                *part.after = self.graph.clone();
                part.results = results.clone();
                part.is_open = true;
            }
        }
        self.parts[parts[0]].other = Some(parts[1]);
        self.parts[parts[1]].other = Some(parts[0]);
        let can: Vec<usize> = parts.iter().copied().filter(|p| self.can_be(*p)).collect();
        let types = match can[..] {
            [own, other] => {
                let [own, other] = [own, other].map(|p| {
                    let part = &self.parts[p];
                    (part.after.clone(), part.results.clone())
                });
                self.common([&own, &other])
            }
            [only] => types_of(&mut self.parts[only]),
            _ => vec![Type::UNKNOWN; results[0].len()],
        };
        let types: Vec<Type> = types.iter().map(|ty| self.known_outside(ty)).collect();
        let (_, outputs) = self.graph.add_typed(&at.values, &types);
        self.origin(node, at.index, at.around);
        let outputs: Vec<ValueId> = outputs.iter().collect();
        for part in parts {
            self.parts[part].outputs = outputs.clone();
        }
        self.hand_over(at, outputs);
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

    /// What the results of two branches have in common, in names that hold outside of them.
    pub(super) fn common(&self, parts: [&InGraph; 2]) -> Vec<Type> {
        let [own, other] = parts.map(|(graph, results)| graph.clone().types(results));
        let pairs = own.iter().zip(&other);
        pairs
            .map(|(a, b)| {
                let [a, b] = [a, b].map(|ty| self.known_outside(ty));
                let both = order::join(&a, &b);
                let (Some(x), Some(y), Some(joined)) =
                    (a.as_tensor(), b.as_tensor(), both.as_tensor())
                else {
                    return both;
                };
                if x.shape.rank().is_none() || x.shape.rank() != y.shape.rank() {
                    return both;
                }
                let dims = x.shape.known_dims().iter().zip(y.shape.known_dims());
                let dims: Vec<Dim> = dims
                    .map(|(x, y)| match x == y {
                        true => x.clone(),
                        // What one branch requires of a name does not make it another size there.
                        false if seen_in(&parts[1].0, x).as_ref() == Some(y) => x.clone(),
                        false if seen_in(&parts[0].0, y).as_ref() == Some(x) => y.clone(),
                        false => Dim::Hole,
                    })
                    .collect();
                let tensor = Tensor::new(joined.dtype.clone(), Shape::known(dims));
                tensor.with_contents(joined.contents.clone()).into()
            })
            .collect()
    }
}

/// Values of a graph.
pub(super) type InGraph = (Box<kanshape::graph::Graph>, Vec<ValueId>);

/// What a dim is known to be in a graph.
pub(super) fn seen_in(graph: &kanshape::graph::Graph, dim: &Dim) -> Option<Dim> {
    if *dim == Dim::Hole {
        return None;
    }
    let mut graph = graph.clone();
    let value = graph.value(&Type::tensor(Dtype::F32, [dim.clone()]));
    let ty = graph.ty(value.ok()?);
    ty.as_tensor()?.shape.known_dims().first().cloned()
}

/// The types of the results of a part, as they are there.
fn types_of(part: &mut GuardedPart) -> Vec<Type> {
    let types = part.after.types(&part.results).into_iter();
    types.map(Arc::unwrap_or_clone).collect()
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
