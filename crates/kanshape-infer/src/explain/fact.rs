//! [`Fact`]: something given that can be left out.

use kanshape_types::{Name, Type};
use std::fmt;
use std::ops::Range;

/// Something that was given and takes part in a conflict.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Fact {
    /// Where it was given.
    pub slot: Slot,
    /// Which part of the type there: the fields of tuples and arguments of constructors to go through, mostly
    /// none.
    pub part: Vec<usize>,
    /// What it is about.
    pub about: FactKind,
    /// The fact in words: `its dim 1 is 3`.
    pub says: String,
    /// The bytes that speak of it in the text of the signature or operator, which the diagnostic has; none if none do.
    pub span: Option<Range<usize>>,
}

impl Fact {
    /// The dim, or the member of contents or of an attribute's list, that it is about, from 0.
    pub fn axis(&self) -> Option<usize> {
        match self.about {
            FactKind::Dim(i) | FactKind::Content(i) | FactKind::Member(i) => Some(i),
            _ => None,
        }
    }
}

/// A place of a query where something can be given. Operands have the places of the call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Slot {
    /// An input, from 0.
    Input(usize),
    /// An output, from 0.
    Output(usize),
    /// A parameter of a signature.
    Param(Name),
    /// An attribute of an operator.
    Attr(Name),
    /// A condition of the query, from 0.
    Given(usize),
}

/// `inputs[0]`, `params.s`, `attrs.strides`, `where[0]`.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Input(i) => write!(f, "inputs[{i}]"),
            Slot::Output(i) => write!(f, "outputs[{i}]"),
            Slot::Param(name) => write!(f, "params.{name}"),
            Slot::Attr(name) => write!(f, "attrs.{name}"),
            Slot::Given(i) => write!(f, "where[{i}]"),
        }
    }
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum FactKind {
    /// A dim, from 0; of a shape with a run of unknown length without that.
    Dim(usize),
    /// A member of what a tensor has in it, from 0.
    Content(usize),
    /// A member of an attribute that is a list, from 0.
    Member(usize),
    /// What kind of elements.
    Dtype,
    /// A condition of a type, from 0.
    Condition(usize),
    /// How many dims.
    Rank,
    /// The value of a parameter or an attribute, or a condition of the query, as a whole.
    Value,
    /// That it is a tensor, a tuple, a type of this constructor.
    Form,
}

impl FactKind {
    /// One word for it: `dim`, `dtype`.
    pub fn name(self) -> &'static str {
        match self {
            FactKind::Dim(_) => "dim",
            FactKind::Content(_) => "content",
            FactKind::Member(_) => "member",
            FactKind::Dtype => "dtype",
            FactKind::Condition(_) => "condition",
            FactKind::Rank => "rank",
            FactKind::Value => "value",
            FactKind::Form => "form",
        }
    }
}

/// A fact before it is put into words. Operands have the places of the query, inputs before outputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FactId {
    pub(super) at: Argument,
    pub(super) part: Vec<usize>,
    pub(super) about: FactKind,
}

/// Where in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Argument {
    Given(usize),
    Param(usize),
    Attr(usize),
    Operand(usize),
}

impl FactId {
    /// Can something else say nothing without this?
    pub(super) fn may_carry(&self) -> bool {
        matches!(
            self.about,
            FactKind::Form | FactKind::Rank | FactKind::Value
        )
    }

    /// Is what the other says nothing without this? Of what form a type is, how many dims it has.
    pub(super) fn carries(&self, other: &FactId) -> bool {
        if self.at != other.at || self == other {
            return false;
        }
        let here = self.part == other.part;
        match self.about {
            FactKind::Form => {
                let below = other.part.starts_with(&self.part);
                below && (!here || !matches!(other.about, FactKind::Condition(_)))
            }
            FactKind::Rank => {
                here && matches!(other.about, FactKind::Dim(_) | FactKind::Content(_))
            }
            FactKind::Value => matches!(other.about, FactKind::Member(_)),
            _ => false,
        }
    }
}

/// A part of a type, if it is there.
pub(super) fn part<'a>(ty: &'a Type, path: &[usize]) -> Option<&'a Type> {
    path.iter().try_fold(ty, |ty, &i| ty.parts().nth(i))
}

/// The type with something else for one of its parts.
pub(super) fn change(ty: &Type, path: &[usize], f: &dyn Fn(&Type) -> Type) -> Type {
    let Some((&first, rest)) = path.split_first() else {
        return f(ty);
    };
    let mut next = 0;
    ty.map_parts(&mut |inner| {
        next += 1;
        match next - 1 == first {
            true => change(inner, rest, f),
            false => inner.clone(),
        }
    })
}
