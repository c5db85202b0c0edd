//! Regions: bodies of nodes that may not be run, as the branches of a choice and the body of a loop are. What they require holds
//! only if they are.
//!
//! Such a body is put into a clone of the graph ([`Region`]), and stands there as a hypothesis until the whole graph is
//! known. Then it is put behind that graph again, with the guard under which it is run ([`Guard`]): what this requires beyond the
//! graph with the guard alone is reported under the region ([`Regions::settle`]). Of two branches of which one is impossible the
//! other is run always, and the guard is a condition; a loop whose body is impossible is run zero times.

mod guard;
mod settle;
mod settled;
mod types;
mod varied;

use super::{Graph, Outputs, ValueId};
use crate::limits::MAX_REGIONS;
pub use guard::{Guard, NamedValue, Scanned};
use kanshape_diag::Diagnostic;
use kanshape_types::{Dim, Name, Type};
use rustc_hash::FxHashSet;
pub use settled::{GuardedCondition, Required, Settled, WhatIsWrong};
use std::sync::Arc;
pub use types::{is_vague, known_number, known_size, known_truth, only_named};
pub use varied::Undecided;
use varied::Varied;

/// A body that may not be run.
#[derive(Clone, Debug)]
struct Region<O> {
    /// Its node, as whoever builds the graph knows it.
    origin: O,
    /// When it is run.
    guard: Guard,
    /// The graph without it.
    before: Box<Graph>,
    /// The graph with it.
    after: Box<Graph>,
    /// What is wrong where its node can neither run it nor do without.
    stuck: Diagnostic,
    /// The region that contains it.
    parent: Option<usize>,
    /// The other branch.
    other: Option<usize>,
    /// The later iterations of a loop, of its first one.
    later: Option<usize>,
    /// Outputs of its node that are what these are if it is not run.
    unrun: Vec<(ValueId, ValueId)>,
    /// Where its nodes are from.
    origins: Vec<O>,
    results: Vec<ValueId>,
    /// The outputs of its node, which are its results if it is run.
    outputs: Vec<ValueId>,
    is_open: bool,
    /// What it is given that has parts of which nothing is known, and which may be others each time.
    vague: Vec<(ValueId, Type)>,
}

/// The regions of a graph. They are numbered in the order in which they begin. `O` is what whoever builds the graph knows nodes by.
#[derive(Clone, Debug)]
pub struct Regions<O> {
    all: Vec<Region<O>>,
    /// The one that is being built.
    inside: Option<usize>,
    /// Outputs of nodes with regions of whose types something is open.
    varied: Vec<Varied<O>>,
    /// Names of sizes that are others in each iteration of a loop.
    of_iteration: FxHashSet<Name>,
    /// Those of which it is certain whether they are run.
    decided: Vec<usize>,
    /// A graph without anything in it.
    nothing: Box<Graph>,
}

/// How many regions and values there were, to go back to it.
#[derive(Clone, Copy, Debug)]
pub struct RegionMark {
    regions: usize,
    varied: usize,
    values: usize,
    inside: Option<usize>,
}

impl<O: Copy> Regions<O> {
    /// No regions yet, of graphs that begin as this one.
    pub fn new(nothing: Graph) -> Regions<O> {
        Regions {
            all: Vec::new(),
            inside: None,
            varied: Vec::new(),
            of_iteration: FxHashSet::default(),
            decided: Vec::new(),
            nothing: Box::new(nothing),
        }
    }

    /// The first that is left to be decided.
    pub fn first_open(&self) -> Option<usize> {
        self.all.iter().position(|region| region.is_open)
    }

    /// The most that may be left to be decided, if there are as many: each is a graph.
    pub fn limit_reached(&self) -> Option<usize> {
        let open = self.all.iter().filter(|region| region.is_open);
        (open.count() >= MAX_REGIONS).then_some(MAX_REGIONS)
    }

    /// Notes a name of a size that may be another one in each iteration of a loop.
    pub fn vary(&mut self, name: Name) {
        self.of_iteration.insert(name);
    }

    /// Is a name that is known outside of the graph one of one size?
    pub fn is_one_size(&self, name: &str) -> bool {
        !self.of_iteration.contains(name)
    }

    /// How many there are now, of a graph.
    pub fn mark(&self, graph: &Graph) -> RegionMark {
        RegionMark {
            regions: self.all.len(),
            varied: self.varied.len(),
            values: graph.value_count(),
            inside: self.inside,
        }
    }

    /// Forgets all that there is since.
    pub fn back_to(&mut self, mark: &RegionMark) {
        self.all.truncate(mark.regions);
        self.varied.truncate(mark.varied);
        self.inside = mark.inside;
    }

    /// What is added to the graph from now on is in a region, whose number is returned. `stuck` is what is wrong where its node can neither run it nor do without.
    pub fn begin(&mut self, graph: &Graph, origin: O, guard: Guard, stuck: Diagnostic) -> usize {
        let index = self.all.len();
        self.all.push(Region {
            origin,
            guard,
            stuck,
            parent: self.inside,
            other: None,
            later: None,
            unrun: Vec::new(),
            before: Box::new(graph.clone()),
            after: Box::new(graph.clone()),
            origins: Vec::new(),
            results: Vec::new(),
            outputs: Vec::new(),
            is_open: false,
            vague: Vec::new(),
        });
        self.inside = Some(index);
        index
    }

    /// The region that began here has come to its end, and stays in the graph: it requires nothing, or is run for certain.
    pub fn merge(&mut self, mark: &RegionMark) {
        let index = mark.regions;
        self.inside = mark.inside;
        let Some((own, inner)) = self.all.get_mut(index..).and_then(<[_]>::split_first_mut) else {
            return;
        };
        // Nothing is left of it to be decided.
        own.before = self.nothing.clone();
        own.after = self.nothing.clone();
        let parents = inner.iter_mut().map(|region| &mut region.parent);
        let parents = parents.chain(self.varied.iter_mut().map(|own| &mut own.region));
        for parent in parents.filter(|parent| **parent == Some(index)) {
            *parent = mark.inside;
        }
    }

    /// The region that began here has come to its end. The graph with it is `after`; its nodes are from `origins`, and it gives
    /// `results`. Returns its number.
    pub fn end(
        &mut self,
        mark: &RegionMark,
        after: Graph,
        origins: Vec<O>,
        results: &[ValueId],
    ) -> usize {
        self.inside = mark.inside;
        if let Some(region) = self.all.get_mut(mark.regions) {
            *region.after = after;
            region.origins = origins;
            region.results = results.to_vec();
            region.is_open = true;
        }
        mark.regions
    }

    /// What a dim is known to be where a region is run: a name may have been found to be a number.
    pub fn dim(&self, region: usize, dim: &Dim) -> Option<Dim> {
        types::dim_in(&self.all[region].after, dim)
    }

    /// The types of values in a region.
    pub fn types(&mut self, region: usize, values: &[ValueId]) -> Vec<Arc<Type>> {
        self.all[region].after.types(values)
    }

    /// A region is given these values, of which these types were known: those that have open parts may be others each time.
    pub fn note_vague<'t>(
        &mut self,
        region: usize,
        given: impl IntoIterator<Item = (ValueId, &'t Type)>,
    ) {
        let vague = given.into_iter().filter(|(_, ty)| is_vague(ty));
        self.all[region].vague = vague.map(|(value, ty)| (value, ty.clone())).collect();
    }

    /// A region is the later iterations of the loop of which another one is the first.
    pub fn note_later(&mut self, first: usize, later: usize) {
        self.all[first].later = Some(later);
    }

    /// The outputs of the node that has the regions since, each with what it is if they are not run.
    pub fn note_unrun(&mut self, mark: &RegionMark, pairs: &[(ValueId, ValueId)]) {
        let parent = self.inside;
        let since = self.all[mark.regions..].iter_mut();
        for region in since.filter(|region| region.parent == parent) {
            region.unrun = pairs.to_vec();
        }
    }

    /// The regions since are never run. Returns their graphs.
    pub fn drop_since(&mut self, mark: &RegionMark) -> Vec<(usize, Box<Graph>)> {
        self.varied.truncate(mark.varied);
        let since = self.all.iter_mut().enumerate().skip(mark.regions);
        since
            .map(|(i, region)| {
                region.is_open = false;
                region.before = self.nothing.clone();
                (
                    i,
                    std::mem::replace(&mut region.after, self.nothing.clone()),
                )
            })
            .collect()
    }

    /// Forgets the regions since, if nothing is left of them to be decided.
    pub fn forget_closed(&mut self, mark: &RegionMark) {
        let is_closed = |region: &Region<O>| !region.is_open;
        if self.varied.len() == mark.varied && self.all[mark.regions..].iter().all(is_closed) {
            self.all.truncate(mark.regions);
        }
    }

    /// Two regions, which give these, are the branches of one choice. Returns what is known of its outputs, in names for which `is_known`
    /// holds: what is common to both, or to the one that can be run.
    pub fn choice(
        &mut self,
        graph: &Graph,
        branches: [usize; 2],
        results: [&[ValueId]; 2],
        is_known: &dyn Fn(&str) -> bool,
    ) -> Vec<Type> {
        for (i, own) in branches.into_iter().enumerate() {
            let region = &mut self.all[own];
            region.other = Some(branches[1 - i]);
            if !region.is_open {
                // It is in the graph, and requires nothing.
                *region.before = graph.clone();
                *region.after = graph.clone();
                region.results = results[i].to_vec();
                region.is_open = true;
            }
        }
        let is_named = self.is_named(is_known);
        let can = branches.map(|own| self.all[own].can_be(graph, &is_named));
        let parts = branches.map(|own| (&*self.all[own].after, &self.all[own].results[..]));
        let types = match can {
            [true, true] => types::common(parts, &is_named),
            [false, false] => vec![Type::UNKNOWN; results[0].len()],
            [is_first, _] => {
                let (after, results) = parts[usize::from(!is_first)];
                let types = after.clone().types(results).into_iter();
                types.map(Arc::unwrap_or_clone).collect()
            }
        };
        types.iter().map(|ty| only_named(ty, &is_named)).collect()
    }

    /// The outputs of the choice between two regions.
    pub fn note_outputs(&mut self, branches: [usize; 2], outputs: Outputs) {
        for own in branches {
            self.all[own].outputs = outputs.iter().collect();
        }
    }

    /// Are these names of sizes of the graph that are one size each?
    fn is_named<'n>(&'n self, is_known: &'n dyn Fn(&str) -> bool) -> impl Fn(&str) -> bool + 'n {
        move |name| is_known(name) && self.is_one_size(name)
    }
}
