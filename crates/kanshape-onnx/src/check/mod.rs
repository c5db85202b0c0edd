//! A model put into the graph engine, node by node.
//!
//! Start at [`Checker::run`]. `declared` reads what stands in the model beside its nodes, `node` puts in a node,
//! `call` prepares what it calls, once for all nodes that call alike, `function`, `control` and `body` go into what has
//! nodes of its own: `choice` and `loops` are about single operators. Bodies that may not be run are regions of the graph, `says` says when they
//! are in words of the inputs, and `regions` what they require. `uneven` says what differs from one iteration to the next. `members` notes what is in a sequence, `scope` says which value
//! a name denotes, and `why` words what cannot be.

mod body;
mod bounds;
mod call;
mod choice;
mod compared;
mod control;
mod declared;
mod finish;
mod follow;
mod function;
mod loops;
mod members;
mod node;
mod regions;
mod says;
mod scope;
mod uneven;
mod why;

use crate::declared::DeclaredType;
use crate::dims::Dims;
use crate::graph::{Givers, Graph, GraphReader};
use crate::model::{Model, Versions};
use crate::options::Options;
use crate::problem::{self, Place, Problem};
use crate::proto::attribute::AttributeValue;
use crate::report::{FreeDim, Report, Under, Untyped};
use crate::symbols::{OperatorNo, Symbol, Symbols};
use call::Calls;
pub use finish::for_each_name;
pub use follow::why;
use hashbrown::{HashMap, HashSet};
use kanshape::graph::region::{Regions, Settled};
use kanshape::graph::{NodeId, ValueId};
use kanshape::{Relations, Type, catalog};
use members::SequenceMembers;
use scope::Scope;
use std::rc::Rc;
use std::sync::Arc;

/// How deep bodies may stand in bodies and functions.
pub(crate) const DEEPEST: usize = 48;

/// How many nodes bodies and functions may have together, each counted as often as it is walked.
const MOST_NODES: usize = 250_000;
/// The number of problems from which on nearest names are no longer looked for.
const SUGGESTED: usize = 50;

/// Types a model: every value that it has, in its graph, in the bodies of its operators and in its functions.
///
/// Nothing stops it: what can't be read, is not known or contradicts something is in the report, and the rest is
/// typed all the same.
pub fn check<'a>(model: &Model<'a>, options: &Options) -> Report<'a> {
    let relations = options.relations.as_ref().unwrap_or_else(|| catalog());
    let steps = options.budget.unwrap_or(u64::MAX);
    options
        .control
        .run(steps, || Checker::new(model, options, relations).run())
}

/// A model on its way into the graph engine.
struct Checker<'c, 'a> {
    model: &'c Model<'a>,
    options: &'c Options,
    graph: kanshape::graph::Graph,
    symbols: Symbols<'c, 'a>,
    givers: Givers,
    dims: Dims<'a>,
    scope: Scope,
    calls: Calls<'c, 'a>,
    /// The values so far, in order.
    values: Vec<NamedValue>,
    /// How many of them are inputs of the model.
    inputs: usize,
    /// The types of values of bodies that were tried.
    fixed: Vec<Arc<Type>>,
    /// The nodes of the engine.
    origins: Vec<NodeOrigin>,
    /// What nodes in bodies are called: their graphs no longer exist by then.
    labels: HashMap<NodeOrigin, (&'a str, OperatorNo)>,
    /// The names of nodes and bodies around a graph, each with `/` at its end. The first one is empty.
    paths: Vec<String>,
    problems: Vec<Problem>,
    untyped: Vec<Untyped>,
    /// Bodies that may not be run, and require something if they are.
    regions: Regions<NodeOrigin>,
    /// What is said of each of them.
    unders: Vec<Under>,
    /// What has come of them.
    settled: Settled<NodeOrigin>,
    /// The initializers that are lists of integers, as shapes and axes are, and whose external data could not be read.
    unread: Vec<String>,
    /// A type that was given for a value is none that it can have.
    contradicted: bool,
    /// Domains whose version was looked for in vain.
    unversioned: HashSet<(u32, &'a str)>,
    /// Functions whose mistakes have been reported.
    is_read: HashSet<usize>,
    /// Functions whose bodies have been read.
    bodies: HashMap<usize, Rc<Graph<'a>>>,
    /// Sequences of which it is known what is in them.
    members: HashMap<ValueId, SequenceMembers>,
    /// How many nodes of bodies there may still be.
    left: usize,
    /// The dims of inputs that are open before anything is found out.
    free: Vec<FreeDim>,
    /// Declared types against found ones, if the options want them.
    compared: Vec<DeclaredType>,
    /// The values whose declared types can't be.
    refuted: HashSet<&'a str>,
    /// The values of the model's graph that are inputs, whatever makes them.
    cuts: HashSet<Symbol>,
    /// Declared types that are believed, by the name of the value.
    trusted: HashMap<Symbol, &'a [u8]>,
    /// Types that values have as soon as they are made.
    facts: HashMap<Symbol, &'c (String, Type)>,
    /// All declared types of values that nodes make, of the graph at this path.
    declarations: Option<(u32, HashMap<Symbol, &'a [u8]>)>,
}

/// A value, and what it is called.
#[derive(Clone, Copy, Debug)]
struct NamedValue {
    path: u32,
    symbol: Symbol,
    value: ValueHome,
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
enum ValueHome {
    /// It is one of the engine.
    Value(ValueId),
    /// It is one of a body that may not be run: of the graph of this region.
    In(u32, ValueId),
    /// It was one of a body that is not run: the number of its type.
    Fixed(u32),
}

/// Where a node of the engine comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct NodeOrigin {
    path: u32,
    index: u32,
}

/// The surroundings of a graph.
#[derive(Clone, Copy)]
struct Around<'r, 'a> {
    path: u32,
    /// How many bodies and functions it stands in.
    depth: usize,
    versions: &'r Versions<'a>,
    /// The number of these versions.
    dialect: u32,
    /// What its function is given, if it stands in one.
    attrs: Option<&'r HashMap<&'a str, AttributeValue<'a>>>,
    /// What its function is not given.
    absent: &'r [Symbol],
}

impl<'c, 'a> Checker<'c, 'a> {
    fn new(model: &'c Model<'a>, options: &'c Options, relations: &'c Relations) -> Self {
        let nothing = kanshape::graph::Graph::new(relations);
        Checker {
            model,
            options,
            graph: match options.assume_nonempty {
                true => nothing.clone().without_empty(),
                false => nothing.clone(),
            },
            symbols: Symbols::over(&model.symbols),
            givers: Givers::default(),
            dims: Dims::with(options.set.iter().cloned()),
            scope: Scope::default(),
            calls: Calls::new(relations, &model.functions),
            values: Vec::with_capacity(model.symbols.len()),
            fixed: Vec::new(),
            inputs: 0,
            origins: Vec::with_capacity(model.graph.nodes.len()),
            labels: HashMap::new(),
            paths: vec![String::new()],
            problems: Vec::new(),
            untyped: Vec::new(),
            regions: Regions::new(nothing),
            unders: Vec::new(),
            settled: Settled::default(),
            unread: Vec::new(),
            contradicted: false,
            unversioned: HashSet::new(),
            is_read: HashSet::new(),
            bodies: HashMap::new(),
            members: HashMap::new(),
            left: MOST_NODES,
            free: Vec::new(),
            compared: Vec::new(),
            refuted: HashSet::new(),
            cuts: HashSet::new(),
            trusted: HashMap::new(),
            facts: HashMap::new(),
            declarations: None,
        }
    }

    fn run(mut self) -> Report<'a> {
        self.add_all();
        let model = self.model;
        self.finish(&model.graph)
    }

    /// Puts all of the model into the graph engine.
    fn add_all(&mut self) {
        let model = self.model;
        let graph = &model.graph;
        self.problems.extend(model.problems.iter().cloned());
        let around = Around {
            path: 0,
            depth: 0,
            versions: &model.versions,
            dialect: self.calls.dialect(&model.versions),
            attrs: None,
            absent: &[],
        };
        self.scope.enter(false);
        self.scope.reserve(model.symbols.len());
        self.trust(graph);
        let facts = self.options.facts.iter();
        let facts = facts.filter_map(|fact| Some((self.symbols.get(&fact.0)?, fact)));
        self.facts = facts.collect();
        self.tell_problems(graph, around);
        self.find_cuts(graph);
        self.add_initializers(graph, around);
        self.declare_inputs(graph, around);
        self.add_nodes(graph, around);
        self.assume_given();
        self.settle_regions();
        self.check_hints(graph);
        self.compare_declared(graph);
    }

    /// What is wrong with a graph as it is written.
    fn tell_problems(&mut self, graph: &Graph<'a>, around: Around<'_, 'a>) {
        let path = &self.paths[around.path as usize];
        let problems = graph.problems.iter().map(|(node, diagnostic)| Problem {
            diagnostic: diagnostic.clone(),
            node: node.map(|node| graph.place(path, node, &self.symbols)),
        });
        self.problems.extend(problems);
    }

    fn add_nodes(&mut self, graph: &Graph<'a>, around: Around<'_, 'a>) {
        for index in graph.in_order() {
            self.add_node(graph, index, around);
        }
    }

    /// A name denotes a value from now on.
    #[inline]
    fn bind(&mut self, graph: &Graph<'a>, symbol: Symbol, value: ValueId, around: Around<'_, 'a>) {
        if !self.cuts.is_empty() && around.path == 0 && self.cuts.contains(&symbol) {
            return;
        }
        if !graph.later.is_empty()
            && graph.later.contains(&symbol)
            && let Some(before) = self.scope.get(symbol)
            && let Err(conflict) = self.graph.equate(before, value)
        {
            // It was needed before it was there.
            self.problems.push((*conflict.diagnostic).into());
        }
        if !self.trusted.is_empty() && around.path == 0 {
            self.believe(symbol, value);
        }
        if !self.facts.is_empty()
            && around.path == 0
            && let Some((name, ty)) = self.facts.get(&symbol).copied()
        {
            self.assume_of(name, ty, value);
        }
        self.scope.bind(symbol, value);
        self.values.push(NamedValue {
            path: around.path,
            symbol,
            value: ValueHome::Value(value),
        });
    }

    /// A value of which nothing is known, for a name that denotes none.
    #[cold]
    fn missing(
        &mut self,
        symbol: Symbol,
        graph: &Graph<'a>,
        node: u32,
        around: Around<'_, 'a>,
    ) -> ValueId {
        if !graph.later.contains(&symbol) {
            // Each is compared with all names, which is for a few of them.
            let known = graph.value_names(&self.symbols);
            let known = known.take(if self.problems.len() < SUGGESTED {
                usize::MAX
            } else {
                0
            });
            let problem = Problem::from(problem::dangling(self.symbols.name(symbol), known));
            let place = graph.place(&self.paths[around.path as usize], node, &self.symbols);
            self.problems.push(problem.at(place));
        }
        let value = self.graph.unknown();
        self.scope.bind(symbol, value);
        value
    }

    /// A reader of bodies.
    fn reader(&mut self) -> GraphReader<'_, 'c, 'a> {
        GraphReader {
            whole: self.model.bytes,
            symbols: &mut self.symbols,
            givers: &mut self.givers,
        }
    }

    /// The node of a model that a node of the engine is.
    fn place_of(&self, node: NodeId) -> Option<Place> {
        self.place_at(*self.origins.get(node.index())?)
    }

    fn place_at(&self, origin: NodeOrigin) -> Option<Place> {
        let (name, kind) = match origin.path {
            0 => {
                let node = self.model.graph.nodes.get(origin.index as usize)?;
                (node.name, node.kind)
            }
            _ => *self.labels.get(&origin)?,
        };
        let op = self.symbols.op(kind);
        let path = &self.paths[origin.path as usize];
        Some(Place {
            node: format!("{path}{}", crate::graph::label(name, op.op, origin.index)),
            op: crate::graph::full_name(op),
            index: origin.index as usize,
        })
    }
}
