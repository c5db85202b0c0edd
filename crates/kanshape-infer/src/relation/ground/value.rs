//! Values that are known.

use kanshape_types::Dtype;
use smallvec::SmallVec;
use std::sync::Arc;

/// The numbers of a list: a shape mostly.
pub(super) type Numbers = SmallVec<[i64; 6]>;

/// A value. What stands for what is as in the engine (`relation::form`).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Int(i64),
    Dtype(Dtype),
    Numbers(Numbers),
    Tensor(Tensor),
    None,
    Some(Arc<Value>),
    /// A list of no numbers.
    List(Arc<[Value]>),
    /// A type with parts.
    Node(u32, Arc<[Value]>),
}

/// A tensor. Nothing is known of its contents, or all of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tensor {
    pub dtype: Dtype,
    pub shape: Numbers,
    pub contents: Option<Arc<[i64]>>,
}
