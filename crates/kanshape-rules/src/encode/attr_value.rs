//! [`AttrValue`]: what an attribute of an operator is.

use super::kind::Kind;
use kanshape_syntax::relation::{quoted, unquoted};
use kanshape_syntax::split_list;
use kanshape_syntax::tree::{Float, Ident, Span, Spanned};
use kanshape_types::{Dim, Dtype, DtypeTerm, Name, Type};
use std::convert::Infallible;
use std::fmt;
use std::num::TryFromIntError;
use std::str::FromStr;

/// The value of an attribute, as far as it is known.
///
/// What an operator makes of it depends on the attribute: a text is read as the kind of value that it takes, so
/// that `[2, 2]` is a list of numbers for one and a text for another.
///
/// ```
/// use kanshape::AttrValue;
///
/// assert_eq!(AttrValue::from([2, 2]).to_string(), "[2, 2]");
/// assert_eq!(AttrValue::from("SAME_UPPER").to_string(), "SAME_UPPER");
/// assert_eq!("[1, ?]".parse(), Ok(AttrValue::from([AttrValue::Int(1), AttrValue::Hole])));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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
    pub fn is_queried(&self, kind: &Kind) -> bool {
        match self {
            AttrValue::Hole | AttrValue::Unknown => true,
            AttrValue::Dim(Dim::Hole | Dim::Name(_) | Dim::Expr(_)) => true,
            AttrValue::Text(text) => !kind.is_of_texts() && text.contains('?'),
            AttrValue::List(members) => members.iter().any(|m| m.is_queried(kind)),
            _ => false,
        }
    }

    /// What is written, as a value of a kind: `?`, `[2, 2]`, `0.5`, `f32`, `fn(f32[2]) -> f32[]`, a text with its
    /// quotes or without.
    pub fn read(kind: &Kind, text: &str) -> Option<AttrValue> {
        let text = text.trim();
        if text == "?" {
            return Some(AttrValue::Hole);
        }
        Some(match kind {
            Kind::Int => {
                if let Ok(n) = text.parse::<i64>() {
                    return Some(AttrValue::Int(n));
                }
                match Dtype::named(text) {
                    // `Cast[to = f16]`: no name is meant.
                    Some(dtype) => AttrValue::Int(onnx_code(dtype)?),
                    None if matches!(text, "true" | "false") => return None,
                    None => AttrValue::Dim(Dim::expr(kanshape_syntax::parse_expr(text).ok()?)),
                }
            }
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
            Kind::Option(of) if is_left_out(of, text) => AttrValue::Absent,
            Kind::Option(of) => return AttrValue::read(of, text),
            Kind::IntOrInts if text.starts_with('[') => {
                return AttrValue::read(&Kind::Int.list(), text);
            }
            Kind::IntOrLists if text.starts_with("[[") => {
                return AttrValue::read(&Kind::Int.list().list(), text);
            }
            Kind::IntOrLists => return AttrValue::read(&Kind::IntOrInts, text),
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
            AttrValue::Text(text) if is_plain(text) => f.write_str(text),
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

/// Does this leave out an attribute of which something may be said that is of this kind? Of texts, it is a text.
pub(crate) fn is_left_out(of: &Kind, text: &str) -> bool {
    match of {
        of if of.is_of_texts() => false,
        Kind::Dtype if text.is_empty() => true,
        _ => matches!(text, "-" | "none" | "None"),
    }
}

/// A text that is read back as a text: `true` and `inf` are none without quotes.
fn is_plain(text: &str) -> bool {
    is_word(text) && !matches!(text, "true" | "false") && text.parse::<f64>().is_err()
}

/// A name and no more.
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

impl From<String> for AttrValue {
    fn from(text: String) -> AttrValue {
        AttrValue::Text(text.into())
    }
}

impl From<&Type> for AttrValue {
    fn from(ty: &Type) -> AttrValue {
        AttrValue::Type(ty.clone())
    }
}

impl From<Dim> for AttrValue {
    fn from(dim: Dim) -> AttrValue {
        AttrValue::Dim(dim)
    }
}

impl From<Dtype> for AttrValue {
    fn from(dtype: Dtype) -> AttrValue {
        AttrValue::Dtype(dtype)
    }
}

impl<T: Into<AttrValue>, const N: usize> From<[T; N]> for AttrValue {
    fn from(members: [T; N]) -> AttrValue {
        members.into_iter().collect()
    }
}

impl<T: Into<AttrValue>> From<Vec<T>> for AttrValue {
    fn from(members: Vec<T>) -> AttrValue {
        members.into_iter().collect()
    }
}

impl<T: Into<AttrValue> + Clone> From<&[T]> for AttrValue {
    fn from(members: &[T]) -> AttrValue {
        members.iter().cloned().collect()
    }
}

macro_rules! try_from_integers {
    ($($integer:ident)*) => {$(
        impl TryFrom<$integer> for AttrValue {
            type Error = TryFromIntError;

            fn try_from(number: $integer) -> Result<AttrValue, TryFromIntError> {
                i64::try_from(number).map(AttrValue::Int)
            }
        }
    )*};
}

// `i64` is `From`: with two of these, a number in a program would need a suffix.
try_from_integers! { u64 i128 u128 isize usize }

/// Reads what a value prints as. Any text is one: what is no number, truth value, `?`, list, expression or type is a
/// text, with quotes or without. A dtype and a name of a size are texts as well, since only an attribute says which it takes.
impl FromStr for AttrValue {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<AttrValue, Infallible> {
        Ok(AttrValue::of_text(text.trim(), kanshape_syntax::MAX_DEPTH))
    }
}

impl AttrValue {
    /// Calls `f` with every name in it.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        match self {
            AttrValue::Dim(dim) => dim.for_each_name(f),
            AttrValue::Type(ty) => ty.for_each_name(f),
            AttrValue::List(members) => members.iter().for_each(|m| m.for_each_name(f)),
            // It may be read as an expression.
            AttrValue::Text(text) => {
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.for_each(f);
            }
            _ => {}
        }
    }

    /// The same with another name for each of its sizes and types.
    pub fn map_names(&self, f: &mut dyn FnMut(&str) -> Name) -> AttrValue {
        match self {
            AttrValue::Dim(dim) => AttrValue::Dim(dim.map_names(f)),
            AttrValue::Type(ty) => AttrValue::Type(ty.map_names(f)),
            AttrValue::List(members) => members.iter().map(|m| m.map_names(f)).collect(),
            value => value.clone(),
        }
    }

    fn of_text(text: &str, depth: usize) -> AttrValue {
        match text {
            "?" => return AttrValue::Hole,
            "-" => return AttrValue::Absent,
            "? or -" => return AttrValue::Unknown,
            "true" => return AttrValue::Bool(true),
            "false" => return AttrValue::Bool(false),
            _ => {}
        }
        if let Ok(n) = text.parse::<i64>() {
            return AttrValue::Int(n);
        }
        if let Ok(x) = text.parse::<f64>() {
            return AttrValue::from(x);
        }
        if let Some(text) = unquoted(text) {
            return AttrValue::Text(text);
        }
        if depth > 0
            && let Some(members) = split_list(text)
        {
            let read = |member: &&str| AttrValue::of_text(member, depth - 1);
            return AttrValue::List(members.iter().map(read).collect());
        }
        if !is_word(text) {
            if let Ok(dim) = Dim::param(text) {
                return AttrValue::Dim(dim);
            }
            if let Ok(ty) = text.parse::<Type>() {
                return AttrValue::Type(ty);
            }
        }
        AttrValue::from(text)
    }
}

/// The text.
impl fmt::Debug for AttrValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<T: Into<AttrValue>> FromIterator<T> for AttrValue {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> AttrValue {
        AttrValue::List(members.into_iter().map(Into::into).collect())
    }
}

/// The number that ONNX has for a dtype (`TensorProto.DataType`).
fn onnx_code(dtype: Dtype) -> Option<i64> {
    Some(match dtype {
        Dtype::F32 => 1,
        Dtype::U8 => 2,
        Dtype::I8 => 3,
        Dtype::U16 => 4,
        Dtype::I16 => 5,
        Dtype::I32 => 6,
        Dtype::I64 => 7,
        Dtype::Str => 8,
        Dtype::Bool => 9,
        Dtype::F16 => 10,
        Dtype::F64 => 11,
        Dtype::U32 => 12,
        Dtype::U64 => 13,
        Dtype::C64 => 14,
        Dtype::C128 => 15,
        Dtype::BF16 => 16,
        _ => return None,
    })
}
