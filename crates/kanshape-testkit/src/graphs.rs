//! Small graphs as data, and the law that every reading of them is tested against.
//!
//! A [`Case`] is a graph with names among its sizes. The law: for each [`Binding`] of the names each node is run on
//! numbers by a [`Machine`]; what is claimed of the graph with names ([`Claim`]) is true of every binding, or
//! [`judge`] says of which it is not. A case prints as text, one line for each value, and is read back from it.

mod generate;
mod judge;
mod operators;
mod shrink;
mod signature;
mod text;

use std::collections::BTreeMap;

use kanshape_syntax::tree::Expr;

pub use generate::{Random, graph};
pub use judge::{Claim, Said, Stats, Verdict, Wrong, judge};
pub use shrink::shrink;
pub use signature::signature;

use crate::symbolic::{Names, eval};

/// What each name is tried as.
pub const SIZES: [u64; 6] = [0, 1, 2, 3, 4, 8];

/// A graph of operators.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// Its inputs and constants, each with its name.
    pub inputs: Vec<(String, Tensor<Expr>)>,
    /// Its nodes, each behind those whose outputs it takes.
    pub nodes: Vec<Node>,
}

/// A call of an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// `Relu`.
    pub op: String,
    /// The attributes as texts.
    pub attrs: Vec<(String, String)>,
    /// The names of what it takes; `None` is left out.
    pub inputs: Vec<Option<String>>,
    /// The names of what it gives.
    pub outputs: Vec<String>,
}

/// A tensor as far as the cases go, its dims numbers or expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor<D> {
    /// `f32`.
    pub dtype: String,
    /// Its dims.
    pub dims: Vec<D>,
    /// What it has in it, if that is known.
    pub contents: Option<Vec<Member>>,
}

/// A tensor all of whose dims are numbers.
pub type Concrete = Tensor<u64>;

/// What stands in a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    /// An integer.
    Int(i64),
    /// Something else, as it is written.
    Other(String),
    /// It is not known.
    Unknown,
}

/// A number for each name.
pub type Binding = BTreeMap<Box<str>, u64>;

/// What a node does with numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    /// It gives these outputs, none if it is not known which.
    Gives(Vec<Concrete>),
    /// It cannot run.
    Fails,
    /// What it does depends on something that is not known.
    Open,
}

/// Whoever runs nodes on numbers.
pub trait Machine {
    /// Runs a node. As many outputs as it has are given.
    fn run(&mut self, node: &Node, inputs: &[Option<Concrete>]) -> Ran;
}

/// What a graph does with numbers for its names.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Every node runs, and these are the values.
    Runs(BTreeMap<String, Concrete>),
    /// This node cannot run, and these values were there before.
    Fails(usize, BTreeMap<String, Concrete>),
    /// One depends on something that is not known.
    Open,
}

impl Case {
    /// The names among the sizes of the inputs, in alphabetical order.
    pub fn names(&self) -> Vec<Box<str>> {
        let mut names: Vec<Box<str>> = Vec::new();
        for (_, tensor) in &self.inputs {
            for dim in &tensor.dims {
                dim.for_each_name(&mut |name| names.push(name.into()));
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// Every binding of the names.
    pub fn bindings(&self) -> Vec<Binding> {
        let mut all = vec![Binding::new()];
        for name in self.names() {
            let with = |binding: &Binding, size: u64| {
                let mut binding = binding.clone();
                binding.insert(name.clone(), size);
                binding
            };
            let sizes = |b: &Binding| SIZES.iter().map(|s| with(b, *s)).collect::<Vec<_>>();
            all = all.iter().flat_map(sizes).collect();
        }
        all
    }

    /// Runs the nodes with numbers for the names. A binding that makes an input negative is none: `None`.
    pub fn run(&self, binding: &Binding, machine: &mut impl Machine) -> Option<Outcome> {
        let names = numbers(binding);
        let mut values = BTreeMap::new();
        for (name, tensor) in &self.inputs {
            values.insert(name.clone(), tensor.at(&names)?);
        }
        let mut open = false;
        for (i, node) in self.nodes.iter().enumerate() {
            let given = |name: &Option<String>| match name {
                Some(name) => values.get(name).cloned().map(Some),
                None => Some(None),
            };
            let Some(inputs) = node.inputs.iter().map(given).collect::<Option<Vec<_>>>() else {
                continue;
            };
            match machine.run(node, &inputs) {
                Ran::Gives(outputs) => values.extend(node.outputs.iter().cloned().zip(outputs)),
                // That a size would pass the largest one is no counterexample.
                Ran::Fails if inputs.iter().flatten().any(is_beyond_sizes) => {
                    return Some(Outcome::Open);
                }
                Ran::Fails => return Some(Outcome::Fails(i, values)),
                Ran::Open => open = true,
            }
        }
        Some(match open {
            true => Outcome::Open,
            false => Outcome::Runs(values),
        })
    }

    /// The names of all values, inputs first.
    pub fn values(&self) -> impl Iterator<Item = &String> {
        let outputs = self.nodes.iter().flat_map(|n| &n.outputs);
        self.inputs.iter().map(|(name, _)| name).chain(outputs)
    }
}

/// Are there contents that no everyday size comes near?
fn is_beyond_sizes(tensor: &Concrete) -> bool {
    const MOST: u64 = 1 << 48;
    let mut contents = tensor.contents.iter().flatten();
    contents.any(|member| matches!(member, Member::Int(n) if n.unsigned_abs() > MOST))
}

impl Tensor<Expr> {
    /// The tensor with numbers for the names.
    pub fn at(&self, names: &Names) -> Option<Concrete> {
        let dim = |e: &Expr| u64::try_from(eval(e, names).ok()?).ok();
        Some(Tensor {
            dtype: self.dtype.clone(),
            dims: self.dims.iter().map(dim).collect::<Option<_>>()?,
            contents: self.contents.clone(),
        })
    }
}

/// A binding as what names are where expressions are evaluated.
pub fn numbers(binding: &Binding) -> Names {
    let all = binding.iter();
    all.map(|(n, x)| (n.clone(), i128::from(*x))).collect()
}
