//! Bodies of operators: run once in the graph of everything, or on a clone of it where they may never be run.
//!
//! What a body asks of what is around it holds only if it is run. So it is put into a clone first. If it turns out to
//! ask nothing there, the clone is the graph from then on, and what follows later flows into the body and out of it.
//! Otherwise the clone is dropped: what is kept are the types that everything in the body had.

use super::{Around, Checker, DEEPEST, Known};
use crate::graph::Graph;
use crate::problem::{self, Problem};
use kanshape::graph::ValueId;
use kanshape::{Content, Dim, Name, Shape, Tensor, Type};
use std::sync::Arc;

/// A body of a node.
pub(super) struct BodyGraph<'a> {
    /// The attribute that it is.
    pub attr: &'a str,
    pub graph: Graph<'a>,
    pub path: u32,
}

/// What a body is given.
#[derive(Clone, Debug)]
pub(super) enum Param {
    /// This value.
    Value(ValueId),
    /// Any value of this type.
    Type(Type),
}

/// A body that has been run.
pub(super) struct Ran {
    pub params: Vec<ValueId>,
    pub results: Vec<ValueId>,
}

/// How things were before something was tried.
pub(super) struct Before {
    graph: kanshape::graph::Graph,
    values: usize,
    problems: usize,
    untyped: usize,
}

impl<'c, 'a> Checker<'c, 'a> {
    /// Reads a body of a node; none if it stands too deep.
    pub(super) fn read_body(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        body: (&'a str, &'a [u8]),
        around: Around<'_, 'a>,
    ) -> Option<BodyGraph<'a>> {
        let (attr, message) = body;
        if around.depth >= DEEPEST {
            let place = graph.place(&self.paths[around.path as usize], index, &self.symbols);
            self.problems
                .push(Problem::from(problem::too_deep(DEEPEST)).at(place));
            return None;
        }
        let path = self.path(graph, index, attr, around);
        let read = self.reader().graph(message);
        self.tell_problems(&read, Around { path, ..around });
        Some(BodyGraph {
            attr,
            graph: read,
            path,
        })
    }

    /// Says that a body does not fit what its operator hands over.
    pub(super) fn fits(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        body: &BodyGraph<'a>,
        params: usize,
        around: Around<'_, 'a>,
    ) -> bool {
        let has = body.graph.inputs.len();
        if has != params {
            let place = graph.place(&self.paths[around.path as usize], index, &self.symbols);
            let problem = Problem::from(problem::body(body.attr, "input", has, params));
            self.problems.push(problem.at(place));
        }
        has == params
    }

    /// Runs a body in the graph of everything.
    pub(super) fn run_body(
        &mut self,
        body: &BodyGraph<'a>,
        params: &[Param],
        around: Around<'_, 'a>,
    ) -> Ran {
        let inside = Around {
            path: body.path,
            depth: around.depth + 1,
            ..around
        };
        self.scope.enter(false);
        self.add_initializers(&body.graph, inside);
        let mut values = Vec::with_capacity(params.len());
        for (input, param) in body.graph.inputs.iter().zip(params) {
            let value = match param {
                Param::Value(value) => *value,
                Param::Type(ty) => self.value(ty, input.name),
            };
            self.bind(&body.graph, input.symbol, value, inside);
            values.push(value);
        }
        self.add_nodes(&body.graph, inside);
        let mut results = Vec::with_capacity(body.graph.outputs.len());
        for output in &body.graph.outputs {
            results.push(match self.scope.get(output.symbol) {
                Some(value) => value,
                None => {
                    let d = problem::dangling(output.name);
                    self.problems.push(d.into());
                    self.graph.unknown()
                }
            });
        }
        self.scope.leave();
        Ran {
            params: values,
            results,
        }
    }

    /// Runs a body that may never be run: what it asks of what is around it is not asked.
    pub(super) fn run_if_at_all(
        &mut self,
        body: &BodyGraph<'a>,
        params: &[Param],
        around: Around<'_, 'a>,
    ) -> Ran {
        let before = self.mark();
        let ran = self.run_body(body, params, around);
        self.settle(before, ran)
    }

    /// Runs a body that is never run, for the types that it has.
    pub(super) fn run_never(&mut self, body: &BodyGraph<'a>, around: Around<'_, 'a>) {
        let before = self.mark();
        let (problems, untyped) = (before.problems, before.untyped);
        self.run_body(body, &[], around);
        self.keep_types(before);
        // Nobody needs it to be right.
        self.problems.truncate(problems);
        self.untyped.truncate(untyped);
    }

    /// Keeps what was tried if it asks nothing of what was there before, and else the types that came of it.
    pub(super) fn settle(&mut self, before: Before, ran: Ran) -> Ran {
        if !self.graph.asks_since(before.graph.node_count()) {
            return ran;
        }
        self.may_ask = true;
        let types = self.types(ran.params.iter().chain(&ran.results));
        let mut types = types
            .into_iter()
            .map(|ty| self.known_outside(&ty))
            .collect::<Vec<_>>()
            .into_iter();
        self.keep_types(before);
        let mut value = |_: &ValueId| {
            let ty = types.next().unwrap_or_default();
            self.value(&ty, "")
        };
        Ran {
            params: ran.params.iter().map(&mut value).collect(),
            results: ran.results.iter().map(&mut value).collect(),
        }
    }

    /// How things are, to go back to it.
    pub(super) fn mark(&self) -> Before {
        Before {
            graph: self.graph.clone(),
            values: self.values.len(),
            problems: self.problems.len(),
            untyped: self.untyped.len(),
        }
    }

    /// Takes back everything.
    pub(super) fn back_to(&mut self, before: &Before) {
        self.graph = before.graph.clone();
        self.forget_members();
        self.origins.truncate(self.graph.node_count());
        self.values.truncate(before.values);
        self.problems.truncate(before.problems);
        self.untyped.truncate(before.untyped);
    }

    /// Takes back what was added to the graph, and keeps the types that the values had there.
    pub(super) fn keep_types(&mut self, before: Before) {
        let found = before.graph.problems().len();
        let problems: Vec<_> = self.graph.problems().skip(found).cloned().collect();
        for problem in problems {
            let problem = Problem {
                node: self.place_of(problem.node),
                diagnostic: problem.diagnostic.as_warning(),
            };
            self.problems.push(problem);
        }
        let types: Vec<Option<Type>> = {
            let mut reading = self.graph.read();
            let values = self.values[before.values..].iter();
            let types = values.map(|entry| match entry.value {
                Known::Value(value) => Some(reading.ty(value)),
                Known::Fixed(_) => None,
            });
            types.collect()
        };
        for (i, ty) in types.into_iter().enumerate() {
            if let Some(ty) = ty {
                self.values[before.values + i].value = Known::Fixed(self.fixed.len() as u32);
                self.fixed.push(Arc::new(self.known_outside(&ty)));
            }
        }
        self.graph = before.graph;
        self.forget_members();
        self.origins.truncate(self.graph.node_count());
    }

    /// The types of values, as they are now.
    pub(super) fn types<'v>(&self, values: impl Iterator<Item = &'v ValueId>) -> Vec<Type> {
        let mut now = self.graph.clone();
        let mut reading = now.read();
        values.map(|value| reading.ty(*value)).collect()
    }

    /// What a type of a clone says outside of it: names that were made up there are none.
    pub(super) fn known_outside(&self, ty: &Type) -> Type {
        let Some(tensor) = ty.as_tensor() else {
            return Type {
                conditions: kanshape::Conditions::NONE,
                ..ty.map_parts(&mut |part| self.known_outside(part))
            };
        };
        let is_known = |name: &str| self.dims.has(&Name::from(name));
        let dims = tensor.shape.iter().map(|dim| {
            let known = match dim {
                Dim::Name(name) => is_known(name),
                Dim::Expr(e) => {
                    let mut all = true;
                    e.for_each_name(&mut |name| all &= is_known(name));
                    all
                }
                Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => true,
            };
            if known { dim.clone() } else { Dim::Hole }
        });
        let mut shape = Shape::known(dims.collect::<Vec<Dim>>());
        if let Some(run) = tensor.shape.run() {
            shape = shape.with_run(run.at, None);
        }
        let contents = tensor.contents.as_ref().map(|contents| {
            contents.map(&mut |member| {
                let mut known = true;
                member.for_each_name(&mut |name| known &= is_known(name));
                if known { member.clone() } else { Content::Hole }
            })
        });
        Tensor::new(tensor.dtype.clone(), shape)
            .with_contents(contents)
            .into()
    }
}
