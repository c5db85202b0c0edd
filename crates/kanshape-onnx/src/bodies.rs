//! [`Body`]: the bodies of a model's nodes and of its functions, for whoever shows them.

use crate::check::DEEPEST;
use crate::dims::Dims;
use crate::graph::{Givers, Graph, GraphReader, label};
use crate::model::{Model, domain};
use crate::nodes::NodeAttr;
use crate::problem::Place;
use crate::proto::attribute::{Attribute, AttributeValue};
use crate::symbols::{OpName, Symbol, Symbols};
use hashbrown::HashMap;
use std::rc::Rc;

/// The number of nodes, inputs and initializers in bodies from which on no further body is read.
const MOST: usize = 100_000;

/// A body of a node, or of the function that a node calls. Values have the names that they have in a
/// [report](crate::Report::values), so that one that is taken from outside is an edge.
#[derive(Clone, Debug)]
pub struct Body<'a> {
    /// The node that has it.
    pub node: Place,
    /// The attribute that it is, or the name of the function.
    pub name: &'a str,
    /// It is what a function is made of.
    pub is_function: bool,
    /// What its operator hands over. A function has its arguments in their place.
    pub inputs: Vec<String>,
    /// The values that it gives.
    pub outputs: Vec<String>,
    /// Its nodes, in the order of the model.
    pub nodes: Vec<BodyNode<'a>>,
}

/// A node of a body.
#[derive(Clone, Debug)]
pub struct BodyNode<'a> {
    /// Which node it is.
    pub place: Place,
    /// Its attributes, in the order of the model. One that can't be read is left out.
    pub attrs: Vec<(&'a str, NodeAttr<'a>)>,
    /// The values it takes; empty names are operands that are left out.
    pub inputs: Vec<String>,
    /// The values it gives; empty names are operands that are left out.
    pub outputs: Vec<String>,
}

/// The names of values in a graph, and the graphs that are seen from it.
struct ValueNames {
    own: HashMap<Symbol, String>,
    /// None for the graph of the model and for functions, which see nothing around them.
    around: Option<Rc<ValueNames>>,
}

impl ValueNames {
    /// What a value is called in a report. What nothing gives keeps its name.
    fn of(&self, symbol: Symbol, symbols: &Symbols<'_, '_>) -> String {
        if symbol == Symbol::NONE {
            return String::new();
        }
        let mut names = Some(self);
        while let Some(own) = names {
            if let Some(name) = own.own.get(&symbol) {
                return name.clone();
            }
            names = own.around.as_deref();
        }
        symbols.name(symbol).to_owned()
    }
}

/// A graph whose nodes may have bodies.
struct OpenGraph<'a> {
    graph: Rc<Graph<'a>>,
    path: String,
    names: Rc<ValueNames>,
    depth: usize,
}

impl<'a> Model<'a> {
    /// The bodies of its nodes and the functions that they call, each for each node that has it, an outer one before those in it.
    /// Bodies nested more than 48 deep are left out, and all that follow once the bodies have 100,000 nodes, inputs and initializers.
    pub fn bodies(&self) -> Vec<Body<'a>> {
        let mut symbols = Symbols::over(&self.symbols);
        let mut givers = Givers::default();
        let functions = self.functions.iter().enumerate().map(|(i, f)| {
            let name = OpName {
                op: f.name,
                domain: domain(f.domain),
                overload: f.overload,
            };
            (name, i)
        });
        let functions: HashMap<OpName<'a>, usize> = functions.collect();
        let mut of_functions: HashMap<usize, Rc<Graph<'a>>> = HashMap::new();
        let mut found = Vec::new();
        let mut count = 0;
        let mut todo: Vec<OpenGraph<'a>> = Vec::new();
        // The graph of the model is borrowed, and those in it are owned.
        let mut next: Option<OpenGraph<'a>> = None;
        let main = Rc::new(ValueNames {
            own: HashMap::new(),
            around: None,
        });
        loop {
            let (graph, path, names, depth) = match &next {
                None => (&self.graph, "", &main, 0),
                Some(open) => (&*open.graph, &*open.path, &open.names, open.depth),
            };
            let mut inner = Vec::new();
            for (node, index) in graph.nodes.iter().zip(0..) {
                let op = symbols.op(node.kind);
                let key = OpName {
                    domain: domain(op.domain),
                    ..op
                };
                let mut bodies: Vec<(&'a str, Rc<Graph<'a>>, bool)> = Vec::new();
                if depth >= DEEPEST || count >= MOST {
                    break;
                }
                if let Some(function) = functions.get(&key) {
                    let read = of_functions.entry(*function).or_insert_with(|| {
                        let mut reader = GraphReader {
                            whole: self.bytes,
                            symbols: &mut symbols,
                            givers: &mut givers,
                        };
                        Rc::new(reader.function(&self.functions[*function]))
                    });
                    bodies.push((self.functions[*function].name, Rc::clone(read), true));
                }
                for message in node.attributes().filter(|m| Attribute::is_body(m)) {
                    let read = Attribute::read(message, &mut Dims::default());
                    if let Ok(Attribute {
                        name,
                        value: AttributeValue::Graph(body),
                    }) = read
                    {
                        let mut reader = GraphReader {
                            whole: self.bytes,
                            symbols: &mut symbols,
                            givers: &mut givers,
                        };
                        bodies.push((name, Rc::new(reader.graph(&[body])), false));
                    }
                }
                for (name, body, is_function) in bodies {
                    if count >= MOST {
                        break;
                    }
                    // An empty body counts as well.
                    count += 1 + body.nodes.len() + body.inputs.len() + body.initializers.len();
                    let own = format!("{path}{}/{name}/", label(node.name, op.op, index));
                    let given = || graph.inputs_of(node).iter().map(|s| names.of(*s, &symbols));
                    let names = Rc::new(names_of(
                        &body,
                        &own,
                        &symbols,
                        match is_function {
                            true => Ok(given().collect()),
                            false => Err(Rc::clone(names)),
                        },
                    ));
                    let all = |all: &[Symbol]| all.iter().map(|s| names.of(*s, &symbols)).collect();
                    let nodes = body.nodes.iter().zip(0..).map(|(node, index)| {
                        let attrs = node.attributes();
                        let attrs =
                            attrs.filter_map(|m| Attribute::read(m, &mut Dims::default()).ok());
                        BodyNode {
                            place: body.place(&own, index, &symbols),
                            attrs: attrs.map(|a| (a.name, NodeAttr::from(a.value))).collect(),
                            inputs: all(body.inputs_of(node)),
                            outputs: all(body.outputs_of(node)),
                        }
                    });
                    let nodes = nodes.collect();
                    let operands = |all: &[crate::graph::Operand<'a>]| {
                        let names = all.iter().map(|one| names.of(one.symbol, &symbols));
                        names.collect()
                    };
                    found.push(Body {
                        node: graph.place(path, index, &symbols),
                        name,
                        is_function,
                        inputs: operands(&body.inputs),
                        outputs: operands(&body.outputs),
                        nodes,
                    });
                    inner.push(OpenGraph {
                        graph: body,
                        path: own,
                        names: Rc::clone(&names),
                        depth: depth + 1,
                    });
                }
            }
            todo.extend(inner.into_iter().rev());
            next = todo.pop();
            if next.is_none() {
                return found;
            }
        }
    }
}

/// The names of a body's own values. A function's inputs are what it is given; a body sees what is around it.
fn names_of(
    body: &Graph<'_>,
    path: &str,
    symbols: &Symbols<'_, '_>,
    given: Result<Vec<String>, Rc<ValueNames>>,
) -> ValueNames {
    let mut own: HashMap<Symbol, String> = HashMap::new();
    let made = body.nodes.iter().flat_map(|node| body.outputs_of(node));
    let initializers = body.initializers.iter().map(|(symbol, _)| symbol);
    let inputs = body.inputs.iter().map(|input| &input.symbol);
    for symbol in inputs.chain(initializers).chain(made) {
        if *symbol != Symbol::NONE {
            own.insert(*symbol, format!("{path}{}", symbols.name(*symbol)));
        }
    }
    let around = match given {
        Err(around) => Some(around),
        Ok(given) => {
            let mut given = given.into_iter();
            for input in &body.inputs {
                own.insert(input.symbol, given.next().unwrap_or_default());
            }
            None
        }
    };
    ValueNames { own, around }
}
