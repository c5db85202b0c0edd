//! [`Repair`]: what could be given instead of something.

use super::fact::{At, Slot};
use crate::{AttrValue, Query};
use kanshape_types::{Conditions, Dim, Type};
use std::sync::Arc;

/// What could be given instead. With it the query has an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Repair {
    /// Instead of what.
    pub slot: Slot,
    /// This.
    pub change: Change,
    /// What has to hold of the names in the value of a parameter or an attribute; a type has its own.
    pub conditions: Conditions,
    /// What is done to what was given.
    pub how: How,
    pub(super) at: At,
}

/// What is given instead.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Of an operand.
    Type(Type),
    /// Of a parameter.
    Param(Dim),
    /// Of an attribute.
    Attr(AttrValue),
}

/// What a repair does, the smallest change first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum How {
    /// Another size of this dim.
    Dim(usize),
    /// Two dims change places.
    Transposed(usize, usize),
    /// This dim, which is 1, is taken away.
    Squeezed(usize),
    /// There is one more dim of 1, which is this one then.
    Unsqueezed(usize),
    /// This dim is taken away.
    Without(usize),
    /// There is one more dim, which is this one then.
    With(usize),
    /// Another member of what the tensor has in it.
    Content(usize),
    /// Another number of dims.
    Shape,
    /// Another dtype.
    Dtype,
    /// Another type.
    Type,
    /// Another value of a parameter or an attribute.
    Value,
    /// Another value of an attribute that was not given.
    Default,
}

impl Repair {
    /// The query that it repairs, with this instead of what was given.
    pub fn apply(&self, query: &Query) -> Query {
        let mut query = query.clone();
        query.conditions.extend(self.conditions.iter().cloned());
        match (self.at, &self.change) {
            (At::Operand(i), Change::Type(ty)) => *query.operand_mut(i) = ty.clone(),
            (At::Param(i), Change::Param(dim)) => query.params[i].1 = dim.clone(),
            (At::Attr(i), Change::Attr(value)) => {
                match Arc::make_mut(&mut query.attrs).get_mut(i) {
                    Some(attr) => attr.1 = value.clone(),
                    None => {
                        if let Slot::Attr(name) = &self.slot {
                            Arc::make_mut(&mut query.attrs)
                                .push((name.as_str().into(), value.clone()));
                        }
                    }
                }
            }
            _ => {}
        }
        query
    }
}

impl How {
    /// Which changes come before which.
    pub(super) fn rank(self) -> usize {
        match self {
            How::Dim(_) => 0,
            How::Transposed(..) => 1,
            How::Squeezed(_) | How::Unsqueezed(_) => 2,
            How::Without(_) | How::With(_) => 3,
            How::Content(_) => 4,
            How::Shape => 5,
            How::Dtype => 6,
            How::Value => 7,
            How::Default => 8,
            How::Type => 9,
        }
    }
}
