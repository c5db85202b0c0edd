//! [`Model`]: an ONNX model as it is written.

use crate::graph::{Givers, Graph, GraphReader};
use crate::problem::{self, Problem};
use crate::proto::function::{Function, Version};
use crate::symbols::{Symbols, same};
use crate::wire::{Broken, Field, Fields, Value, Why, cut};
use kanshape::Diagnostic;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// An ONNX model, read from its bytes and borrowed from them.
///
/// Names are borrowed, weights are never touched, and bodies of operators are read when the model is
/// [checked](crate::check). Data in other files are read then at most, by [what is given](crate::Options::data).
#[derive(Debug)]
pub struct Model<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) graph: Graph<'a>,
    pub(crate) symbols: Symbols<'a, 'a>,
    pub(crate) functions: Vec<Function<'a>>,
    pub(crate) versions: Versions<'a>,
    pub(crate) problems: Vec<Problem>,
}

/// Which version of each domain is meant: few domains, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Versions<'a>(Vec<(&'a str, u64)>);

impl<'a> Versions<'a> {
    pub(crate) fn new(all: &[Version<'a>]) -> Versions<'a> {
        let all = all.iter();
        let last: BTreeMap<&str, u64> = all
            .map(|v| (domain(v.domain), v.version.max(0) as u64))
            .collect();
        Versions(last.into_iter().collect())
    }

    pub(crate) fn get(&self, of: &str) -> Option<u64> {
        let of = domain(of).as_bytes();
        let found = self.0.iter().find(|own| same(own.0.as_bytes(), of))?;
        Some(found.1)
    }
}

/// ONNX's own domain has two names.
pub(crate) fn domain(name: &str) -> &str {
    match name {
        "ai.onnx" => "",
        name => name,
    }
}

impl<'a> Model<'a> {
    /// Reads a model.
    ///
    /// A model that can be read in part is read in part: what is wrong with the rest of it is reported when it is
    /// checked.
    ///
    /// # Errors
    /// [`NOT_A_MODEL`](crate::code::NOT_A_MODEL) if there is no graph to be found.
    pub fn read(bytes: &'a [u8]) -> Result<Model<'a>, Diagnostic> {
        let mut messages: Vec<&[u8]> = Vec::new();
        let mut functions = Vec::new();
        let mut versions = Vec::new();
        let mut problems: Vec<Problem> = Vec::new();
        let mut fail = |what: &str, b: Broken<'_>| {
            problems.push(problem::broken(bytes, what, b).into());
        };
        for field in Fields::of(bytes) {
            let read = field.and_then(|field| {
                Model::field(field, &mut messages, &mut functions, &mut versions)
            });
            if let Err(broken) = read {
                fail("the model", broken);
                // What stands first in the rest may be a graph that ends with the file.
                if let (Why::Cut, Some((GRAPH, rest))) = (broken.why, cut(broken.rest)) {
                    messages.push(rest);
                }
            }
        }
        if messages.is_empty() {
            let mut no_model = problem::not_a_model("it has no graph");
            let broken = problems.pop().map(|problem| problem.diagnostic.headline);
            no_model.steps.extend(broken);
            return Err(no_model);
        }
        let mut symbols = Symbols::default();
        let mut givers = Givers::default();
        let graph = GraphReader {
            whole: bytes,
            symbols: &mut symbols,
            givers: &mut givers,
        }
        .graph(&messages);
        Ok(Model {
            bytes,
            graph,
            symbols,
            functions,
            versions: Versions::new(&versions),
            problems,
        })
    }

    /// The files that its initializers have their data in, as the model names them: relative to its own folder.
    ///
    /// ```
    /// # let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/models/small/external.onnx"))?;
    /// let model = kanshape_onnx::Model::read(&bytes)?;
    /// assert_eq!(Vec::from_iter(model.data_files()), ["external.data"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn data_files(&self) -> BTreeSet<&'a str> {
        let tensors = self.graph.initializers.iter().map(|(_, tensor)| tensor);
        let places = tensors.filter_map(|tensor| tensor.place());
        places.map(|place| place.location).collect()
    }

    fn field(
        field: Field<'a>,
        graphs: &mut Vec<&'a [u8]>,
        functions: &mut Vec<Function<'a>>,
        versions: &mut Vec<Version<'a>>,
    ) -> Result<(), Broken<'a>> {
        match (field.number, field.value) {
            (GRAPH, Value::Bytes(message)) => graphs.push(message),
            (8, Value::Bytes(_)) => versions.push(Version::read(field)?),
            (25, Value::Bytes(message)) => functions.push(Function::read(message)?),
            _ => {}
        }
        Ok(())
    }

    /// Which version of a domain it speaks: of ONNX's own, the empty one, or of another.
    pub fn version(&self, domain: &str) -> Option<u64> {
        self.versions.get(domain)
    }

    /// Which versions it speaks: the domains, of which ONNX's own is the empty one, and a version of each.
    pub fn versions(&self) -> impl Iterator<Item = (&'a str, u64)> + '_ {
        self.versions.0.iter().copied()
    }

    /// The program that wrote it, and its version, as far as the model says.
    pub fn producer(&self) -> Option<String> {
        let (mut name, mut version) = ("", "");
        for field in Fields::of(self.bytes).flatten() {
            match field.number {
                2 => name = field.text().ok()?,
                3 => version = field.text().ok()?,
                _ => {}
            }
        }
        let both = format!("{name} {version}");
        let both = both.trim();
        (!both.is_empty()).then(|| both.to_owned())
    }

    /// The version of the format that it is written in, as far as it says.
    pub fn format(&self) -> Option<i64> {
        let mut fields = Fields::of(self.bytes).flatten();
        fields.find(|field| field.number == 1)?.int()
    }

    /// What it says of itself beside its producer: its domain, its own version, what it is for, and the properties that its producer
    /// has put in; at most a hundred of them. What is no text is shown as far as it is one.
    pub fn properties(&self) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
        let text = |bytes| String::from_utf8_lossy(bytes);
        let mut all = Vec::new();
        for field in Fields::of(self.bytes).flatten() {
            let own = match (field.number, field.value) {
                (4, Value::Bytes(domain)) => ("domain".into(), text(domain)),
                (5, Value::Varint(version)) => {
                    ("version".into(), (version as i64).to_string().into())
                }
                (6, Value::Bytes(about)) => ("about".into(), text(about)),
                (14, Value::Bytes(entry)) => {
                    let (mut key, mut value) = (Cow::default(), Cow::default());
                    for part in Fields::of(entry).flatten() {
                        match (part.number, part.value) {
                            (1, Value::Bytes(bytes)) => key = text(bytes),
                            (2, Value::Bytes(bytes)) => value = text(bytes),
                            _ => {}
                        }
                    }
                    (key, value)
                }
                _ => continue,
            };
            if all.len() == MAX_PROPERTIES {
                break;
            }
            if !own.1.is_empty() {
                all.push(own);
            }
        }
        all
    }

    /// Has it tensors that are inputs as well, and that whoever runs it may replace? In the first versions of the format, all
    /// tensors had to be such inputs.
    pub fn has_defaults(&self) -> bool {
        let format = self.format().unwrap_or(0);
        let inputs: hashbrown::HashSet<_> = self.graph.inputs.iter().map(|i| i.symbol).collect();
        let mut tensors = self.graph.initializers.iter();
        format >= 4 && tensors.any(|(symbol, _)| inputs.contains(symbol))
    }

    /// The name of its graph.
    pub fn name(&self) -> &'a str {
        self.graph.name
    }

    /// How many nodes its graph has, those of bodies and functions aside.
    pub fn nodes(&self) -> usize {
        self.graph.nodes.len()
    }
}

/// The most properties of a model that are shown.
const MAX_PROPERTIES: usize = 100;

/// The number of the field that the graph is.
pub(crate) const GRAPH: u32 = 7;
