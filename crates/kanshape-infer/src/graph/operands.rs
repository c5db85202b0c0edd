//! What nodes are made of: values, calls, bodies, and their numbers.

/// A value of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub(super) u32);

/// A node of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// A call that is prepared: [`Graph::call`](super::Graph::call).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub(super) u32);

impl ValueId {
    /// Its place among the values, in the order in which they were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl NodeId {
    /// Its place among the nodes, in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The outputs of a node: values with numbers in a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Outputs {
    pub(super) first: u32,
    pub(super) count: u32,
}

impl std::fmt::Debug for Outputs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Outputs {
    /// How many there are.
    pub fn len(self) -> usize {
        self.count as usize
    }

    /// Are there none?
    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// The output of this place among those that are there.
    pub fn get(self, i: usize) -> Option<ValueId> {
        (i < self.len()).then(|| ValueId(self.first + i as u32))
    }

    /// All of them.
    pub fn iter(self) -> impl ExactSizeIterator<Item = ValueId> {
        (self.first..self.first + self.count).map(ValueId)
    }
}

/// What is in a tensor.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'a> {
    /// Integers; 0 and 1 for truth values.
    Ints(&'a [i64]),
    /// Floats.
    Floats(&'a [f64]),
}

/// A function that a node has as an attribute: the body of a loop, a branch.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The name of the attribute.
    pub attr: &'a str,
    /// What it takes.
    pub params: &'a [ValueId],
    /// What it gives.
    pub results: &'a [ValueId],
}

/// The same, kept with its node.
#[derive(Clone, Debug)]
pub(super) struct OwnBody {
    attr: Box<str>,
    params: Box<[ValueId]>,
    results: Box<[ValueId]>,
}

impl From<&Body<'_>> for OwnBody {
    fn from(body: &Body<'_>) -> OwnBody {
        OwnBody {
            attr: body.attr.into(),
            params: body.params.into(),
            results: body.results.into(),
        }
    }
}

impl OwnBody {
    pub(super) fn as_body(&self) -> Body<'_> {
        Body {
            attr: &self.attr,
            params: &self.params,
            results: &self.results,
        }
    }

    /// The values that it takes and gives.
    pub(super) fn values(&self) -> impl Iterator<Item = ValueId> {
        self.params.iter().chain(&self.results).copied()
    }
}
