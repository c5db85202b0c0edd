//! [`AttrValue`]: what an attribute of an operator is.

use super::kind::Kind;
use kanshape_syntax::relation::{quoted, unquoted};
use kanshape_syntax::split_list;
use kanshape_syntax::tree::{Float, Ident, Span, Spanned};
use kanshape_types::{Dim, Dtype, DtypeTerm, Type};
use std::fmt;

/// The value of an attribute, as far as it is known.
///
/// What an operator makes of it depends on the attribute: a text is read as the kind of value that it takes, so
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
    /// `?`: it is there, and queried.
    Hole,
    /// It is left out.
    Absent,
    /// Nothing is known of it, not even whether it is there.
    Unknown,
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
    /// Is something of it queried, where it is to be of this kind? The text that an attribute is may have a `?`
    /// in it as well.
    pub(crate) fn asks(&self, kind: &Kind) -> bool {
        match self {
            AttrValue::Hole | AttrValue::Unknown => true,
            AttrValue::Dim(Dim::Hole | Dim::Name(_) | Dim::Expr(_)) => true,
            AttrValue::Text(text) => !kind.is_of_texts() && text.contains('?'),
            AttrValue::List(members) => members.iter().any(|m| m.asks(kind)),
            _ => false,
        }
    }

    /// What is written, as a value of a kind: `?`, `[2, 2]`, `0.5`, `f32`, `fn(f32[2]) -> f32[]`, a text with its
    /// quotes or without.
    pub(crate) fn read(kind: &Kind, text: &str) -> Option<AttrValue> {
        let text = text.trim();
        if text == "?" {
            return Some(AttrValue::Hole);
        }
        Some(match kind {
            Kind::Int => match text.parse::<i64>() {
                Ok(n) => AttrValue::Int(n),
                Err(_) => AttrValue::Dim(Dim::expr(kanshape_syntax::parse_expr(text).ok()?)),
            },
            Kind::Float => AttrValue::from(text.parse::<f64>().ok()?),
            Kind::Bool => AttrValue::Bool(text.parse().ok()?),
            Kind::Dtype => {
                let ident: Ident = Spanned::new(text.into(), Span::default());
                match DtypeTerm::from_ident(&ident) {
                    Ok(DtypeTerm::Known(dtype)) => AttrValue::Dtype(dtype),
                    _ => return None,
                }
            }
            Kind::Type => AttrValue::Type(text.parse::<Type>().ok()?),
            Kind::Text => AttrValue::Text(unquoted(text).unwrap_or_else(|| text.into())),
            Kind::List(of) => {
                let members = split_list(text)?.into_iter();
                let members = members.map(|m| AttrValue::read(of, m));
                AttrValue::List(members.collect::<Option<_>>()?)
            }
            Kind::Option(of) => return AttrValue::read(of, text),
            Kind::IntOrInts if text.starts_with('[') => {
                return AttrValue::read(&Kind::Int.list(), text);
            }
            Kind::IntOrInts => return AttrValue::read(&Kind::Int, text),
        })
    }
}

impl fmt::Display for AttrValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttrValue::Hole => f.write_str("?"),
            AttrValue::Absent => f.write_str("-"),
            AttrValue::Unknown => f.write_str("? or -"),
            AttrValue::Dim(dim) => dim.fmt(f),
            AttrValue::Int(n) => n.fmt(f),
            AttrValue::Float(x) => x.fmt(f),
            AttrValue::Text(text) if is_word(text) => f.write_str(text),
            AttrValue::Text(text) => f.write_str(&quoted(text)),
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

/// A text that needs no quotes.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
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
