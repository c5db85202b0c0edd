//! [`Repair`]: what could be given instead of something.

use super::fact::{Argument, Slot};
use crate::{AttrValue, Query};
use kanshape_types::{Conditions, Dim, Type};
use std::fmt;
use std::sync::Arc;

/// What could be given instead. With it the query has an answer. Displays as the sentence that says so.
///
/// ```
/// use kanshape::Signature;
///
/// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
/// let query = matmul.query().inputs(["f32[2, 3]".parse()?, "f32[4, 5]".parse()?]);
/// let repairs = query.explain().unwrap().repairs;
/// assert_eq!(repairs[0].to_string(), "input 0 would fit as f32[2, 4]");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Repair {
    /// Instead of what.
    pub slot: Slot,
    /// This.
    pub change: Edit,
    /// What has to hold of the names in the value of a parameter or an attribute; a type has its own.
    pub conditions: Conditions,
    /// What is done to what was given.
    pub how: EditKind,
    /// The repair in words: `input 0 would fit as f32[2, 4]`.
    pub says: String,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) at: Argument,
}

/// The repair in words.
impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.says)
    }
}

/// What is given instead.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Edit {
    /// Of an operand.
    Type(Type),
    /// Of a parameter.
    Param(Dim),
    /// Of an attribute.
    Attr(AttrValue),
}

/// What a repair does, the smallest change first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum EditKind {
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
            (Argument::Operand(i), Edit::Type(ty)) => *query.operand_mut(i) = ty.clone(),
            (Argument::Param(i), Edit::Param(dim)) => query.params[i].1 = dim.clone(),
            (Argument::Attr(i), Edit::Attr(value)) => {
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

impl EditKind {
    /// Which changes come before which.
    pub(super) fn rank(self) -> usize {
        match self {
            EditKind::Dim(_) => 0,
            EditKind::Transposed(..) => 1,
            EditKind::Squeezed(_) | EditKind::Unsqueezed(_) => 2,
            EditKind::Without(_) | EditKind::With(_) => 3,
            EditKind::Content(_) => 4,
            EditKind::Shape => 5,
            EditKind::Dtype => 6,
            EditKind::Value => 7,
            EditKind::Default => 8,
            EditKind::Type => 9,
        }
    }
}
