//! [`AttrValue`]: what an attribute of an operator is.

use kanshape_syntax::tree::Float;
use kanshape_types::{Dim, Dtype, Type};
use std::fmt;

/// The value of an attribute, as far as it is known.
///
/// What an operator makes of it turns on the attribute: a text is read as the kind of value that it takes, so
/// that `[2, 2]` is a list of numbers for one and a text for another.
///
/// ```
/// use kanshape_infer::AttrValue;
///
/// let strides: AttrValue = [2, 2].into_iter().collect();
/// assert_eq!(strides.to_string(), "[2, 2]");
/// assert_eq!(AttrValue::from("SAME_UPPER").to_string(), "SAME_UPPER");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrValue {
    /// `?`: it is there, and asked for.
    Hole,
    /// It is left out.
    Absent,
    /// A number, a name or an expression.
    Dim(Dim),
    /// An integer.
    Int(i64),
    /// A number that need not be whole.
    Float(Float),
    /// A text, or a value that is still to be read.
    Text(Box<str>),
    /// True or false.
    Bool(bool),
    /// A dtype.
    Dtype(Dtype),
    /// A type: of a tensor with its contents, of the function that a body is.
    Type(Type),
    /// Several.
    List(Vec<AttrValue>),
}

impl AttrValue {
    /// Is something of it asked for?
    pub(crate) fn asks(&self) -> bool {
        match self {
            AttrValue::Hole | AttrValue::Dim(Dim::Hole | Dim::Name(_) | Dim::Expr(_)) => true,
            AttrValue::Text(text) => text.contains('?'),
            AttrValue::List(members) => members.iter().any(AttrValue::asks),
            _ => false,
        }
    }
}

impl fmt::Display for AttrValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttrValue::Hole => f.write_str("?"),
            AttrValue::Absent => f.write_str("-"),
            AttrValue::Dim(dim) => dim.fmt(f),
            AttrValue::Int(n) => n.fmt(f),
            AttrValue::Float(x) => x.fmt(f),
            AttrValue::Text(text) => f.write_str(text),
            AttrValue::Bool(truth) => truth.fmt(f),
            AttrValue::Dtype(dtype) => f.write_str(dtype.name()),
            AttrValue::Type(ty) => ty.fmt(f),
            AttrValue::List(members) => {
                f.write_str("[")?;
                for (i, member) in members.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{member}")?;
                }
                f.write_str("]")
            }
        }
    }
}

impl From<i64> for AttrValue {
    fn from(n: i64) -> AttrValue {
        AttrValue::Int(n)
    }
}

impl From<f64> for AttrValue {
    fn from(x: f64) -> AttrValue {
        AttrValue::Float(Float::new(x))
    }
}

impl From<&str> for AttrValue {
    fn from(text: &str) -> AttrValue {
        AttrValue::Text(text.into())
    }
}

impl From<bool> for AttrValue {
    fn from(truth: bool) -> AttrValue {
        AttrValue::Bool(truth)
    }
}

impl From<Type> for AttrValue {
    fn from(ty: Type) -> AttrValue {
        AttrValue::Type(ty)
    }
}

impl<T: Into<AttrValue>> FromIterator<T> for AttrValue {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> AttrValue {
        AttrValue::List(members.into_iter().map(Into::into).collect())
    }
}
