//! Bodies of operators: put into the graph of everything, or kept as parts that may not be run.
//!
//! What a body requires of what is around it holds only if it is run. So it is put into a clone first. If it requires
//! nothing there, the clone is the graph from then on, and what follows later flows into the body and out of it.
//! Otherwise the clone is kept as a region of the graph ([`kanshape::graph::region`]).

use super::{Around, Checker, DEEPEST, NodeOrigin, ValueHome};
use crate::graph::Graph;
use crate::problem::{self, Problem};
use crate::report::Under;
use kanshape::graph::ValueId;
use kanshape::graph::region::{Guard, RegionMark, only_named};
use kanshape::{Dim, Name, Shape, Tensor, Type};
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
pub(super) enum BodyParam {
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
    pub graph: Arc<kanshape::graph::Graph>,
    values: usize,
    problems: usize,
    untyped: usize,
    pub regions: RegionMark,
}

/// A body of a node that may not be run: which one, and when it is.
pub(super) struct Opening {
    pub origin: NodeOrigin,
    pub under: Under,
    pub guard: Guard,
}

/// What has come of a body that may not be run.
pub(super) enum Ending {
    /// It requires nothing, and is in the graph.
    Merged,
    /// It is the region of this number.
    Part(usize),
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
        let read = self.reader().graph(&[message]);
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
        params: &[BodyParam],
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
                BodyParam::Value(value) => *value,
                BodyParam::Type(ty) => self.value(ty, input.name),
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
                    let d = problem::dangling(output.name, body.graph.value_names(&self.symbols));
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

    /// Runs a body that may not be run.
    pub(super) fn run_if_at_all(
        &mut self,
        body: &BodyGraph<'a>,
        params: &[BodyParam],
        opening: Opening,
        around: Around<'_, 'a>,
    ) -> (Ran, Ending) {
        let before = self.mark();
        self.begin_region(&before, opening);
        let ran = self.run_body(body, params, around);
        self.settle_run(before, ran, params)
    }

    /// The body that began behind these things, and was given this, has come to its end.
    pub(super) fn settle_run(
        &mut self,
        before: Before,
        ran: Ran,
        params: &[BodyParam],
    ) -> (Ran, Ending) {
        let values = ran.params.clone();
        let (ran, ending) = self.settle_body(before, ran);
        if let Ending::Part(region) = ending {
            let given = params.iter().zip(values);
            let given = given.filter_map(|(param, value)| match param {
                BodyParam::Type(ty) => Some((value, ty)),
                BodyParam::Value(_) => None,
            });
            self.regions.note_vague(region, given);
        }
        (ran, ending)
    }

    /// Runs a body that is never run, for the types that it has.
    pub(super) fn run_never(
        &mut self,
        body: &BodyGraph<'a>,
        params: &[BodyParam],
        around: Around<'_, 'a>,
    ) {
        let before = self.mark();
        let (problems, untyped) = (before.problems, before.untyped);
        self.run_body(body, params, around);
        let after = self.take_back(&before);
        self.fix(before.values, None, &after);
        for (region, after) in self.regions.drop_since(&before.regions) {
            self.fix(before.values, Some(region as u32), &after);
        }
        // Nobody needs it to be right.
        self.problems.truncate(problems);
        self.untyped.truncate(untyped);
    }

    /// Begins the region of a body that may not be run, at this mark.
    pub(super) fn begin_region(&mut self, before: &Before, opening: Opening) -> usize {
        let Opening {
            origin,
            under,
            guard,
        } = opening;
        let stuck = match guard {
            Guard::Branch { .. } => problem::no_branch(),
            _ => problem::no_iteration(&under.body),
        };
        let region = self.regions.begin(&before.graph, origin, guard, stuck);
        // Regions that were taken back have left theirs behind.
        self.unders.truncate(region);
        self.unders.push(under);
        region
    }

    /// The body that began behind these things has come to its end.
    pub(super) fn end_region(&mut self, before: &Before, ran: &Ran) -> Ending {
        if !self.graph.asks_beyond(&before.graph) {
            self.regions.merge(&before.regions);
            return Ending::Merged;
        }
        let origins = self.origins[before.graph.node_count()..].to_vec();
        let after = self.take_back(before);
        let results = &ran.results;
        let region = self.regions.end(&before.regions, after, origins, results);
        let known = before.graph.value_count();
        for entry in &mut self.values[before.values..] {
            if let ValueHome::Value(value) = entry.value
                && value.index() >= known
            {
                entry.value = ValueHome::In(region as u32, value);
            }
        }
        Ending::Part(region)
    }

    /// The same. If it is not in the graph, values of the types that it has there are what has come of it.
    pub(super) fn settle_body(&mut self, before: Before, ran: Ran) -> (Ran, Ending) {
        let ending = self.end_region(&before, &ran);
        let Ending::Part(part) = ending else {
            return (ran, ending);
        };
        let values: Vec<ValueId> = ran.params.iter().chain(&ran.results).copied().collect();
        let mut types = self.regions.types(part, &values).into_iter();
        let mut value = |_: &ValueId| {
            let ty = self.known_outside(&types.next().unwrap_or_default());
            let ty = self.without_conditions(ty);
            self.value(&ty, "")
        };
        let ran = Ran {
            params: ran.params.iter().map(&mut value).collect(),
            results: ran.results.iter().map(&mut value).collect(),
        };
        (ran, ending)
    }

    /// A type that says nothing of its names: of `N - 4` it does, that it is a size.
    pub(super) fn without_conditions(&self, ty: Type) -> Type {
        let Some(tensor) = ty.as_tensor() else {
            return ty;
        };
        if !tensor.shape.iter().any(|dim| matches!(dim, Dim::Expr(_))) {
            return ty;
        }
        let mut graph = self.graph.clone();
        let given: Vec<_> = graph.read().conditions().into_iter().collect();
        let given: Vec<_> = given.into_iter().map(|one| one.condition).collect();
        let is_stated = graph.value(&ty).is_ok();
        if is_stated && graph.read().beyond(&given).stated.is_empty() {
            return ty;
        }
        let dims = tensor.shape.iter().map(|dim| match dim {
            Dim::Expr(_) => Dim::Hole,
            dim => dim.clone(),
        });
        let mut shape = Shape::known(dims.collect::<Vec<Dim>>());
        if let Some(run) = tensor.shape.run() {
            shape = shape.with_run(run.at, None);
        }
        Tensor::new(tensor.dtype.clone(), shape).into()
    }

    /// How things are, to go back to it.
    pub(super) fn mark(&self) -> Before {
        Before {
            graph: Arc::new(self.graph.clone()),
            values: self.values.len(),
            problems: self.problems.len(),
            untyped: self.untyped.len(),
            regions: self.regions.mark(&self.graph),
        }
    }

    /// Takes back everything.
    pub(super) fn back_to(&mut self, before: &Before) {
        self.take_back(before);
        self.values.truncate(before.values);
        self.problems.truncate(before.problems);
        self.untyped.truncate(before.untyped);
        self.regions.back_to(&before.regions);
    }

    /// Takes back what was added to the graph, and returns that as it was.
    pub(super) fn take_back(&mut self, before: &Before) -> kanshape::graph::Graph {
        let after = std::mem::replace(&mut self.graph, (*before.graph).clone());
        self.forget_members();
        self.origins.truncate(self.graph.node_count());
        after
    }

    /// The values of a region have, from a place on, the types that they have in this graph.
    pub(super) fn fix(&mut self, from: usize, part: Option<u32>, graph: &kanshape::graph::Graph) {
        let mut places: Vec<usize> = Vec::new();
        let mut values: Vec<ValueId> = Vec::new();
        for (i, entry) in self.values.iter().enumerate().skip(from) {
            match (entry.value, part) {
                (ValueHome::Value(value), None) => {
                    places.push(i);
                    values.push(value);
                }
                (ValueHome::In(own, value), Some(part)) if own == part => {
                    places.push(i);
                    values.push(value);
                }
                _ => {}
            }
        }
        let types = graph.clone().types(&values);
        for (i, ty) in places.into_iter().zip(types) {
            self.values[i].value = ValueHome::Fixed(self.fixed.len() as u32);
            self.fixed.push(Arc::new(self.known_outside(&ty)));
        }
    }

    /// The values of a body from here on in the list are not listed.
    pub(super) fn unlist(&mut self, before: &Before) {
        self.values.truncate(before.values);
    }

    /// The types of values, as they are now.
    pub(super) fn types<'v>(&self, values: impl Iterator<Item = &'v ValueId>) -> Vec<Type> {
        let values: Vec<ValueId> = values.copied().collect();
        let types = self.graph.clone().types(&values).into_iter();
        types.map(Arc::unwrap_or_clone).collect()
    }

    /// Is a name one outside of the engine, and of one size?
    pub(super) fn is_named(&self, name: &str) -> bool {
        let name = Name::word(name);
        self.dims.has(&name) && self.regions.is_one_size(&name)
    }

    /// What a type of a clone says outside of it: names that were made up there are none.
    pub(super) fn known_outside(&self, ty: &Type) -> Type {
        only_named(ty, &|name| self.is_named(name))
    }
}
