//! [`Graph`]: a graph of a model as it is written, with names as numbers and nodes in an order to go through.

use crate::order;
use crate::problem::{self, Place};
use crate::proto::function::Function;
use crate::proto::node::Node;
use crate::proto::tensor::{self, Tensor};
use crate::proto::value::Info;
use crate::symbols::{OpName, Symbol, Symbols};
use crate::wire::Fields;
use hashbrown::{HashMap, HashSet};
use kanshape::Diagnostic;

/// A graph: that of a model, the body of an operator, or that of a function.
#[derive(Debug, Default)]
pub(crate) struct Graph<'a> {
    pub name: &'a str,
    /// What is given to it from outside. Old models list their initializers among these.
    pub inputs: Vec<Operand<'a>>,
    pub outputs: Vec<Operand<'a>>,
    /// What it declares of the values between.
    pub hints: Vec<Info<'a>>,
    pub initializers: Vec<(Symbol, Tensor<'a>)>,
    pub nodes: Vec<Node<'a>>,
    pub operands: Vec<Symbol>,
    /// In which order each node stands behind those that it needs; none if that is the order they are written in.
    pub order: Option<Vec<u32>>,
    /// Values that are needed before they are there, because nodes need each other's outputs.
    pub later: HashSet<Symbol>,
    /// Nodes that could not be read as a whole.
    pub unreadable: Vec<u32>,
    pub problems: Vec<(Option<u32>, Diagnostic)>,
}

/// An input or output of a graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand<'a> {
    pub symbol: Symbol,
    pub name: &'a str,
    /// The type that it is declared to have.
    pub ty: Option<&'a [u8]>,
}

/// What gives a value in a graph, found in one go for each name.
#[derive(Debug, Default)]
pub(crate) struct Givers {
    /// By symbol: for which graph it is said, and the node.
    by: Vec<(u32, u32)>,
    graph: u32,
}

/// In place of a node: the value is given from outside.
const GIVEN: u32 = u32::MAX;
/// In place of a node: the value stands in the graph.
const INITIALIZER: u32 = u32::MAX - 1;
/// In place of a node: the value stands in the graph, and could be given from outside.
const BOTH: u32 = u32::MAX - 2;

impl Givers {
    fn of(&self, symbol: Symbol) -> Option<u32> {
        let (graph, by) = *self.by.get(symbol.index())?;
        (graph == self.graph).then_some(by)
    }

    /// The node that gives a value, if one does.
    fn node(&self, symbol: Symbol) -> Option<u32> {
        self.of(symbol).filter(|by| *by < BOTH)
    }

    /// Says what gives a value. Returns false if something else does. An initializer may be an input as well.
    fn set(&mut self, symbol: Symbol, by: u32) -> bool {
        let by = match (self.of(symbol), by) {
            (None, by) => by,
            (Some(GIVEN), INITIALIZER) | (Some(INITIALIZER), GIVEN) => BOTH,
            _ => return false,
        };
        let at = symbol.index();
        if at >= self.by.len() {
            self.by.resize(at + 1, (0, 0));
        }
        self.by[at] = (self.graph, by);
        true
    }
}

/// Reads graphs.
pub(crate) struct GraphReader<'r, 'm, 'a> {
    /// The bytes of the model.
    pub whole: &'a [u8],
    pub symbols: &'r mut Symbols<'m, 'a>,
    pub givers: &'r mut Givers,
}

impl<'a> GraphReader<'_, '_, 'a> {
    /// Reads a graph. What can't be read is a problem of the graph, and the rest is read all the same. A message that stands twice
    /// in another one is both, one behind the other.
    pub(crate) fn graph(&mut self, messages: &[&'a [u8]]) -> Graph<'a> {
        self.givers.graph += 1;
        let mut graph = Graph::default();
        for message in messages {
            self.all_but_nodes(message, &mut graph);
        }
        self.nodes(messages, 1, &mut graph);
        graph
    }

    /// Reads the body of a function.
    pub(crate) fn function(&mut self, function: &Function<'a>) -> Graph<'a> {
        self.givers.graph += 1;
        let mut graph = Graph {
            name: function.name,
            ..Graph::default()
        };
        for name in &function.inputs {
            let input = self.operand(Info { name, ty: None });
            self.input(input, &mut graph);
        }
        let outputs = function.outputs.iter();
        graph.outputs = outputs
            .map(|name| self.operand(Info { name, ty: None }))
            .collect();
        self.nodes(&[function.message], Function::NODE, &mut graph);
        graph
    }

    fn operand(&mut self, info: Info<'a>) -> Operand<'a> {
        Operand {
            symbol: self.symbols.of(info.name),
            name: info.name,
            ty: info.ty,
        }
    }

    /// Nodes stand before what they need, so they are read when all else is. Here they are counted.
    fn all_but_nodes(&mut self, message: &'a [u8], graph: &mut Graph<'a>) {
        let mut nodes = 0;
        for field in Fields::of(message) {
            let field = match field {
                Ok(field) => field,
                Err(broken) => {
                    let d = problem::broken(self.whole, "the graph", broken);
                    graph.problems.push((None, d));
                    break;
                }
            };
            let bytes = field.bytes().unwrap_or_default();
            let read = match field.number {
                1 => {
                    nodes += 1;
                    continue;
                }
                2 => field.text().map(|name| graph.name = name),
                5 => Tensor::read(bytes).map(|tensor| self.initializer(tensor, graph)),
                11 => Info::read(bytes).map(|info| {
                    let input = self.operand(info);
                    self.input(input, graph);
                }),
                12 => Info::read(bytes).map(|info| graph.outputs.push(self.operand(info))),
                13 => Info::read(bytes).map(|info| graph.hints.push(info)),
                15 => tensor::sparse(bytes).map(|tensor| self.initializer(tensor, graph)),
                _ => Ok(()),
            };
            if let Err(broken) = read {
                let what = match field.number {
                    2 => "the graph",
                    5 | 15 => "an initializer",
                    11 => "an input",
                    12 => "an output",
                    _ => "the declared type of a value",
                };
                let d = problem::broken(self.whole, what, broken);
                graph.problems.push((None, d));
            }
        }
        graph.nodes.reserve_exact(nodes);
        // Most have two inputs and one output, which is a new name.
        graph.operands.reserve(3 * nodes);
        self.symbols.reserve(nodes);
    }

    fn input(&mut self, input: Operand<'a>, graph: &mut Graph<'a>) {
        if input.symbol == Symbol::NONE {
            return;
        }
        match self.givers.set(input.symbol, GIVEN) {
            true => graph.inputs.push(input),
            false => {
                let d = problem::twice(input.name, "an input");
                graph.problems.push((None, d));
            }
        }
    }

    fn initializer(&mut self, tensor: Tensor<'a>, graph: &mut Graph<'a>) {
        let symbol = self.symbols.of(tensor.name);
        if symbol == Symbol::NONE {
            return;
        }
        match self.givers.set(symbol, INITIALIZER) {
            true => graph.initializers.push((symbol, tensor)),
            false => {
                let d = problem::twice(tensor.name, "an initializer");
                graph.problems.push((None, d));
            }
        }
    }

    fn nodes(&mut self, messages: &[&'a [u8]], number: u32, graph: &mut Graph<'a>) {
        // Names that are used before anything has given them a value.
        let mut early: Vec<Symbol> = Vec::new();
        // What can't be read behind a mistake has been reported.
        let fields = messages
            .iter()
            .flat_map(|message| Fields::of(message).map_while(Result::ok));
        for field in fields {
            let (true, Some(bytes)) = (field.number == number, field.bytes()) else {
                continue;
            };
            let at = graph.nodes.len() as u32;
            let (node, read) = Node::read(bytes, self.symbols, &mut graph.operands);
            graph.nodes.push(node);
            if let Err(broken) = read {
                let d = problem::broken(self.whole, "a node", broken);
                graph.unreadable.push(at);
                graph.problems.push((Some(at), d));
            }
            for i in node.inputs..node.outputs {
                let symbol = graph.operands[i as usize];
                if symbol != Symbol::NONE && self.givers.of(symbol).is_none() {
                    early.push(symbol);
                }
            }
            for i in node.outputs..node.end {
                let symbol = &mut graph.operands[i as usize];
                if *symbol != Symbol::NONE && !self.givers.set(*symbol, at) {
                    let d = problem::twice(self.symbols.name(*symbol), "an output");
                    graph.problems.push((Some(at), d));
                    *symbol = Symbol::NONE;
                }
            }
        }
        if early.iter().any(|symbol| self.givers.of(*symbol).is_some()) {
            self.sort(graph);
        }
    }

    fn sort(&mut self, graph: &mut Graph<'a>) {
        let sorted = order::sort(graph.nodes.len(), |node, needs| {
            let node = &graph.nodes[node as usize];
            for symbol in &graph.operands[node.inputs as usize..node.outputs as usize] {
                if let Some(giver) = self.givers.node(*symbol) {
                    needs(giver);
                }
            }
        });
        if let Some(first) = sorted.stuck.first() {
            let cycle = self.cycle(graph, *first, &sorted.stuck);
            let at = cycle.first().map_or(*first, |(node, _)| *node);
            let named = |(node, value): &(u32, Symbol)| {
                let place = graph.place("", *node, self.symbols);
                (
                    format!("{} ({})", place.node, place.op),
                    self.symbols.name(*value),
                )
            };
            let nodes: Vec<_> = cycle.iter().map(named).collect();
            graph.problems.push((Some(at), problem::cycle(&nodes)));
        }
        let stuck = sorted.stuck.iter().map(|node| &graph.nodes[*node as usize]);
        let later = stuck.flat_map(|n| &graph.operands[n.outputs as usize..n.end as usize]);
        graph.later = later.copied().collect();
        let mut order = sorted.order;
        order.extend(sorted.stuck);
        graph.order = Some(order);
    }

    /// The nodes of a cycle that `from` is on or behind, each with the value that it takes of the one before it; the one that
    /// is written first is the first.
    fn cycle(&self, graph: &Graph<'a>, from: u32, stuck: &[u32]) -> Vec<(u32, Symbol)> {
        let needed = |node: u32| {
            let node = &graph.nodes[node as usize];
            let inputs = &graph.operands[node.inputs as usize..node.outputs as usize];
            inputs.iter().find_map(|symbol| {
                let giver = self.givers.node(*symbol)?;
                stuck
                    .binary_search(&giver)
                    .is_ok()
                    .then_some((giver, *symbol))
            })
        };
        let mut seen: HashMap<u32, usize> = HashMap::default();
        let mut path: Vec<(u32, Symbol)> = Vec::new();
        let mut node = from;
        // Each node that is stuck needs one that is, so that some node comes again.
        while let Some((giver, symbol)) = needed(node) {
            if let Some(start) = seen.get(&node) {
                let mut cycle = path.split_off(*start);
                cycle.reverse();
                let first = cycle.iter().enumerate().min_by_key(|(_, (node, _))| *node);
                let first = first.map_or(0, |(i, _)| i);
                cycle.rotate_left(first);
                return cycle;
            }
            seen.insert(node, path.len());
            path.push((node, symbol));
            node = giver;
        }
        Vec::new()
    }
}

impl<'a> Graph<'a> {
    /// The names of the values that it has, as far as something gives them.
    pub(crate) fn value_names<'s>(
        &'s self,
        symbols: &'s Symbols<'_, 'a>,
    ) -> impl Iterator<Item = &'a str> + 's {
        let outputs = self.nodes.iter().flat_map(|node| self.outputs_of(node));
        let initializers = self.initializers.iter().map(|(symbol, _)| symbol);
        let inputs = self.inputs.iter().map(|input| input.name);
        inputs.chain(
            outputs
                .chain(initializers)
                .map(|symbol| symbols.name(*symbol)),
        )
    }

    /// Its nodes, in an order in which each stands behind those that it needs.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = u32> + use<'_, 'a> {
        let written = match &self.order {
            None => 0..self.nodes.len() as u32,
            Some(_) => 0..0,
        };
        let sorted = self.order.as_deref().unwrap_or_default();
        written.chain(sorted.iter().copied())
    }

    /// Which node gives which value.
    pub(crate) fn makers(&self) -> HashMap<Symbol, u32> {
        let nodes = self.nodes.iter().zip(0..);
        let outputs =
            nodes.flat_map(|(node, i)| self.outputs_of(node).iter().map(move |s| (*s, i)));
        outputs.collect()
    }

    /// The inputs of a node.
    pub(crate) fn inputs_of(&self, node: &Node<'a>) -> &[Symbol] {
        &self.operands[node.inputs as usize..node.outputs as usize]
    }

    /// The outputs of a node.
    pub(crate) fn outputs_of(&self, node: &Node<'a>) -> &[Symbol] {
        &self.operands[node.outputs as usize..node.end as usize]
    }

    /// A node as a person finds it; `path` is the names of the nodes and bodies around the graph.
    pub(crate) fn place(&self, path: &str, index: u32, symbols: &Symbols<'_, 'a>) -> Place {
        let node = &self.nodes[index as usize];
        let op = symbols.op(node.kind);
        Place {
            node: format!("{path}{}", label(node.name, op.op, index)),
            op: full_name(op),
            index: index as usize,
        }
    }
}

/// What a node is called.
pub(crate) fn label(name: &str, op: &str, index: u32) -> String {
    match name {
        "" => format!("{op}#{index}"),
        name => name.into(),
    }
}

/// What an operator is called, with the domain unless that is ONNX's own.
pub(crate) fn full_name(op: OpName<'_>) -> String {
    match op.domain {
        "" | "ai.onnx" => op.op.into(),
        domain => format!("{domain}::{}", op.op),
    }
}
