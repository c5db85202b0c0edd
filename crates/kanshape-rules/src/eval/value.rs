//! Types that are known, as they are calculated with.

use crate::limits::MAX_VALUE_DEPTH;
use kanshape_engine::Num;
use kanshape_types::Dtype;
use smallvec::SmallVec;
use std::sync::Arc;

/// The numbers of a list: a shape mostly.
pub type Numbers = SmallVec<[Num; 4]>;

/// A type of which everything is known. What denotes what is as in the engine (`relation::form`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Tensor(Arc<Tensor>),
    /// A type with parts.
    Node(Arc<Node>),
}

/// A tensor. Nothing is known of its contents, or all of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    pub dtype: Dtype,
    pub shape: Numbers,
    /// In row-major order; a float by its code (`relation::float`), a bool as 0 or 1.
    pub contents: Option<Arc<[Num]>>,
}

/// A type with parts, by the label that its library has for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub label: u32,
    /// How many nodes are inside of each other.
    depth: usize,
    pub parts: Box<[Value]>,
}

impl Node {
    /// `None` if it would be too deep.
    pub fn new(label: u32, parts: Box<[Value]>) -> Option<Node> {
        let inside = parts.iter().map(|part| match part {
            Value::Node(node) => node.depth,
            _ => 0,
        });
        let depth = 1 + inside.max().unwrap_or(0);
        (depth <= MAX_VALUE_DEPTH).then_some(Node {
            label,
            depth,
            parts,
        })
    }
}
