//! Values that are known.

use kanshape_types::Dtype;
use smallvec::SmallVec;
use std::sync::Arc;

/// The numbers of a list: a shape mostly.
pub(crate) type Numbers = SmallVec<[i64; 4]>;

/// A value. What stands for what is as in the engine (`relation::form`).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Int(i64),
    Dtype(Dtype),
    Numbers(Numbers),
    Tensor(Arc<Tensor>),
    None,
    Some(Arc<Value>),
    /// A list of no numbers.
    List(Arc<[Value]>),
    /// A type with parts.
    Node(u32, Arc<[Value]>),
    /// A list of which nothing but this length is known: not yet a value.
    Length(usize),
}

impl Value {
    /// Of a list.
    pub(crate) fn length(&self) -> Option<usize> {
        match self {
            Value::Numbers(list) => Some(list.len()),
            Value::List(list) => Some(list.len()),
            Value::Length(n) => Some(*n),
            _ => None,
        }
    }
}

/// A tensor. Nothing is known of its contents, or all of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    pub dtype: Dtype,
    pub shape: Numbers,
    pub contents: Option<Arc<[i64]>>,
}
