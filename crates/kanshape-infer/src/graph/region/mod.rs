//! Regions: bodies of nodes that may not be run, as the branches of a choice and the body of a loop are. What they require holds
//! only if they are.
//!
//! Such a body is put into a clone of the graph ([`Regions::begin`]), and stands there as a hypothesis until the whole graph is
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
    /// The node that has it, by the caller's own identifier.
    origin: O,
    /// When it is run.
    guard: Guard,
    /// The graph without it.
    before: Arc<Graph>,
    /// The graph with it.
    after: Arc<Graph>,
    /// The error to report if it can neither be run nor be left out.
    stuck: Diagnostic,
    /// The region that contains it.
    parent: Option<usize>,
    /// The other branch.
    other: Option<usize>,
    /// The later iterations of a loop, of its first one.
    later: Option<usize>,
    /// Outputs of its node, each with the value that it has if the region is not run.
    unrun: Vec<(ValueId, ValueId)>,
    /// The caller's identifiers of its nodes.
    origins: Vec<O>,
    results: Vec<ValueId>,
    /// The outputs of its node, which are its results if it is run.
    outputs: Vec<ValueId>,
    is_open: bool,
    /// Its inputs whose types have open parts, with these types: they may differ from one iteration to the next.
    vague: Vec<(ValueId, Type)>,
}

/// The regions of a graph, numbered in the order in which they begin. `O` is the caller's own identifier of a node.
///
/// ```
/// use kanshape::graph::region::{Guard, Regions};
/// use kanshape::{Diagnostic, Relations, graph::Graph};
/// use std::sync::Arc;
///
/// let relations = Relations::load_str("mine.kan", "op MatMul \"(m,n),(n,p)->(m,p)\"")?;
/// let mut graph = Graph::new(&relations);
/// let mut regions = Regions::new(graph.clone());
/// let cond = graph.value(&"bool[]".parse()?)?;
/// let x = graph.value(&"f32[N, K]".parse()?)?;
/// let w = graph.value(&"f32[4, 5]".parse()?)?;
///
/// // if cond { MatMul(x, w) }
/// let before = Arc::new(graph.clone());
/// let mark = regions.mark(&graph);
/// let guard = Guard::Branch { cond, is: true, says: "cond == true".to_owned() };
/// let stuck = Diagnostic::new("X0001", "the branch can't be run");
/// let region = regions.begin(&before, 0, guard, stuck);
/// let matmul = graph.call(&relations.operator("MatMul", None)?, vec![], &[true, true], &[true])?;
/// let (_, product) = graph.add(matmul, &[x, w]);
/// let after = std::mem::replace(&mut graph, Graph::clone(&before));
/// regions.end(&mark, after, vec![0], &[product.get(0).unwrap()]);
///
/// // What the branch requires has to hold only if it is run.
/// let is_known = |name: &str| ["N", "K"].contains(&name);
/// let settled = regions.settle(&mut graph, &mut Vec::new(), [], &is_known);
/// assert_eq!(settled.required[0].condition.to_string(), "K == 4");
/// assert_eq!(settled.required[0].under, [region]);
/// assert!(graph.read().conditions().is_empty());
/// # Ok::<(), Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Regions<O> {
    all: Vec<Region<O>>,
    /// The one that is being built.
    inside: Option<usize>,
    /// Outputs of nodes with regions, where a part of the type is open.
    varied: Vec<Varied<O>>,
    /// Names of sizes that may differ from one iteration of a loop to the next.
    of_iteration: FxHashSet<Name>,
    /// The regions for which it is certain whether they are run.
    decided: Vec<usize>,
    /// A graph without anything in it.
    nothing: Arc<Graph>,
}

/// How many regions and values there are at some point: [`Regions::back_to`] removes the later ones.
#[derive(Clone, Copy, Debug)]
pub struct RegionMark {
    regions: usize,
    varied: usize,
    values: usize,
    inside: Option<usize>,
}

impl<O: Copy> Regions<O> {
    /// No regions yet. `nothing` is an empty graph of the same relations.
    pub fn new(nothing: Graph) -> Regions<O> {
        Regions {
            all: Vec::new(),
            inside: None,
            varied: Vec::new(),
            of_iteration: FxHashSet::default(),
            decided: Vec::new(),
            nothing: Arc::new(nothing),
        }
    }

    /// The first region that is not decided yet.
    pub fn first_open(&self) -> Option<usize> {
        self.all.iter().position(|region| region.is_open)
    }

    /// The limit on undecided regions, if it is reached. Each of them holds a graph.
    pub fn limit_reached(&self) -> Option<usize> {
        let open = self.all.iter().filter(|region| region.is_open);
        (open.count() >= MAX_REGIONS).then_some(MAX_REGIONS)
    }

    /// Notes that a name denotes a size that may differ from one iteration of a loop to the next.
    pub fn vary(&mut self, name: Name) {
        self.of_iteration.insert(name);
    }

    /// Does a name denote the same size in all iterations?
    pub fn is_one_size(&self, name: &str) -> bool {
        !self.of_iteration.contains(name)
    }

    /// A mark of the regions now, and of the values of this graph.
    pub fn mark(&self, graph: &Graph) -> RegionMark {
        RegionMark {
            regions: self.all.len(),
            varied: self.varied.len(),
            values: graph.value_count(),
            inside: self.inside,
        }
    }

    /// Removes all regions that began after the mark.
    pub fn back_to(&mut self, mark: &RegionMark) {
        self.all.truncate(mark.regions);
        self.varied.truncate(mark.varied);
        self.inside = mark.inside;
    }

    /// Begins a region: what is added to the graph from now on belongs to it. `before` is the graph as it is now, and `stuck` the error to
    /// report if the region can neither be run nor be left out. Returns its number.
    pub fn begin(
        &mut self,
        before: &Arc<Graph>,
        origin: O,
        guard: Guard,
        stuck: Diagnostic,
    ) -> usize {
        let index = self.all.len();
        self.all.push(Region {
            origin,
            guard,
            stuck,
            parent: self.inside,
            other: None,
            later: None,
            unrun: Vec::new(),
            before: Arc::clone(before),
            after: Arc::clone(before),
            origins: Vec::new(),
            results: Vec::new(),
            outputs: Vec::new(),
            is_open: false,
            vague: Vec::new(),
        });
        self.inside = Some(index);
        index
    }

    /// Ends the region that began at the mark, and leaves its nodes in the graph: it requires nothing, or it is certainly run.
    pub fn merge(&mut self, mark: &RegionMark) {
        let index = mark.regions;
        self.inside = mark.inside;
        let Some((own, inner)) = self.all.get_mut(index..).and_then(<[_]>::split_first_mut) else {
            return;
        };
        // Nothing is left of it to be decided.
        own.before = Arc::clone(&self.nothing);
        own.after = Arc::clone(&self.nothing);
        let parents = inner.iter_mut().map(|region| &mut region.parent);
        let parents = parents.chain(self.varied.iter_mut().map(|own| &mut own.region));
        for parent in parents.filter(|parent| **parent == Some(index)) {
            *parent = mark.inside;
        }
    }

    /// Ends the region that began at the mark, which may not be run. `after` is the graph with its nodes, `origins` are their identifiers, and
    /// `results` its results. Returns its number.
    pub fn end(
        &mut self,
        mark: &RegionMark,
        after: Graph,
        origins: Vec<O>,
        results: &[ValueId],
    ) -> usize {
        self.inside = mark.inside;
        if let Some(region) = self.all.get_mut(mark.regions) {
            region.after = Arc::new(after);
            region.origins = origins;
            region.results = results.to_vec();
            region.is_open = true;
        }
        mark.regions
    }

    /// A dim as it is if a region is run: its name may denote a number there.
    pub fn dim(&self, region: usize, dim: &Dim) -> Option<Dim> {
        types::dim_in(&self.all[region].after, dim)
    }

    /// The types of values in a region.
    pub fn types(&mut self, region: usize, values: &[ValueId]) -> Vec<Arc<Type>> {
        Arc::make_mut(&mut self.all[region].after).types(values)
    }

    /// Notes the inputs of a region with their types: those with open parts may differ from one iteration to the next.
    pub fn note_vague<'t>(
        &mut self,
        region: usize,
        given: impl IntoIterator<Item = (ValueId, &'t Type)>,
    ) {
        let vague = given.into_iter().filter(|(_, ty)| is_vague(ty));
        self.all[region].vague = vague.map(|(value, ty)| (value, ty.clone())).collect();
    }

    /// Notes that region `first` is the first iteration of a loop, and `later` represents the later ones.
    pub fn note_later(&mut self, first: usize, later: usize) {
        self.all[first].later = Some(later);
    }

    /// Notes the outputs of the node whose regions began after the mark, each with the value that it has if they are not run.
    pub fn note_unrun(&mut self, mark: &RegionMark, pairs: &[(ValueId, ValueId)]) {
        let parent = self.inside;
        let since = self.all[mark.regions..].iter_mut();
        for region in since.filter(|region| region.parent == parent) {
            region.unrun = pairs.to_vec();
        }
    }

    /// Notes that the regions that began after the mark are never run. Returns their graphs.
    pub fn drop_since(&mut self, mark: &RegionMark) -> Vec<(usize, Arc<Graph>)> {
        self.varied.truncate(mark.varied);
        let since = self.all.iter_mut().enumerate().skip(mark.regions);
        since
            .map(|(i, region)| {
                region.is_open = false;
                region.before = Arc::clone(&self.nothing);
                let nothing = Arc::clone(&self.nothing);
                (i, std::mem::replace(&mut region.after, nothing))
            })
            .collect()
    }

    /// Removes the regions that began after the mark, if all of them are decided.
    pub fn forget_closed(&mut self, mark: &RegionMark) {
        let is_closed = |region: &Region<O>| !region.is_open;
        if self.varied.len() == mark.varied && self.all[mark.regions..].iter().all(is_closed) {
            self.all.truncate(mark.regions);
        }
    }

    /// Notes that two regions with these results are the branches of one choice. Returns the types of its outputs, with no names but those for
    /// which `is_known` holds: what both branches have in common, or those of the only one that can be run.
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
                region.before = Arc::new(graph.clone());
                region.after = Arc::clone(&region.before);
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
                let types = Graph::clone(after).types(results).into_iter();
                types.map(Arc::unwrap_or_clone).collect()
            }
        };
        types.iter().map(|ty| only_named(ty, &is_named)).collect()
    }

    /// Notes the outputs of the choice between two regions.
    pub fn note_outputs(&mut self, branches: [usize; 2], outputs: Outputs) {
        for own in branches {
            self.all[own].outputs = outputs.iter().collect();
        }
    }

    /// Is a name known, and does it denote the same size in all iterations?
    fn is_named<'n>(&'n self, is_known: &'n dyn Fn(&str) -> bool) -> impl Fn(&str) -> bool + 'n {
        move |name| is_known(name) && self.is_one_size(name)
    }
}
