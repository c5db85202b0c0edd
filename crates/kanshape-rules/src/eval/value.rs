//! Types that are known, as they are calculated with.

use crate::limits::MAX_VALUE_DEPTH;
use crate::rules::native::Extremes;
use kanshape_engine::Num;
use kanshape_types::{Dtype, DtypeSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// The numbers of a list: a shape mostly.
pub type Numbers = SmallVec<[Num; 4]>;

/// The dtype of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    Known(Dtype),
    Open(OpenDtype),
}

/// A dtype that is not known: an atom, as a size is that has a name, and the dtypes that it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpenDtype {
    pub atom: u32,
    pub set: DtypeSet,
}

impl OpenDtype {
    /// The atoms from here on are those of calls: of dtypes that a call leaves open.
    const FRESH: u32 = 1 << 31;

    /// The dtype with this number that a call leaves open.
    pub(super) fn fresh(number: u32, set: DtypeSet) -> OpenDtype {
        OpenDtype {
            atom: OpenDtype::FRESH | number,
            set,
        }
    }

    /// Has a call left it open? Then it is another one in each call.
    pub fn is_fresh(self) -> bool {
        self.atom >= OpenDtype::FRESH
    }
}

impl ElementType {
    /// The dtype, if it is known.
    #[inline]
    pub fn known(self) -> Option<Dtype> {
        match self {
            ElementType::Known(dtype) => Some(dtype),
            ElementType::Open(_) => None,
        }
    }

    /// The dtypes that it may be.
    #[inline]
    pub fn set(self) -> DtypeSet {
        match self {
            ElementType::Known(dtype) => dtype.into(),
            ElementType::Open(open) => open.set,
        }
    }
}

impl From<Dtype> for ElementType {
    fn from(dtype: Dtype) -> ElementType {
        ElementType::Known(dtype)
    }
}

/// A type of which everything is known, but for dtypes and sizes that are atoms. What denotes what is as in the engine (`relation::form`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Tensor(Arc<Tensor>),
    /// A type with parts.
    Node(Arc<Node>),
}

/// A tensor. Nothing is known of its contents, or all of it: then its dtype is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tensor {
    pub dtype: ElementType,
    pub shape: Numbers,
    /// In row-major order; a float by its code (`relation::float`), a bool as 0 or 1.
    pub contents: Option<Arc<[Num]>>,
    /// What its members are at least and at most, where they can't be listed: there are as many as a name says.
    pub extremes: Option<Extremes>,
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
