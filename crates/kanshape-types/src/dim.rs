//! [`Dim`]: one dim of a shape.

use std::fmt;
use std::sync::Arc;

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Expr;

use crate::{Name, code};

/// One dim of a shape, as far as it is known.
///
/// ```
/// use kanshape::Dim;
///
/// let dim: Dim = "2*n + 1".parse()?;
/// assert_eq!(dim.at(&|name| (name == "n").then_some(3)), Some(7));
/// assert_eq!("n".parse(), Ok(Dim::Name("n".parse()?)));
/// assert!(Dim::try_from(-1).is_err());
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dim {
    /// `2`. No shape has a size above [`Dim::MAX_SIZE`].
    Size(u64),
    /// `n`: an unknown that is the same wherever it is written.
    Name(Name),
    /// `2*k`: an expression that is more than a number or a name.
    Expr(Arc<Expr>),
    /// `6@district`: a size with an identity.
    Nominal(Arc<Nominal>),
    /// `?`: an unknown of its own.
    Hole,
}

/// A size with an identity: `6@district`. It is no other size of 6, and no 6 without an identity.
///
/// ```
/// use kanshape::Dim;
///
/// let district: Dim = "6@district".parse()?;
/// assert!(matches!(&district, Dim::Nominal(nominal) if nominal.size == 6));
/// assert_ne!(district, Dim::from(6));
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nominal {
    /// `6`. As for [`Dim::Size`], no shape has one above [`Dim::MAX_SIZE`].
    pub size: u64,
    /// `district`: a word that denotes itself, and is no unknown.
    pub identity: Name,
}

impl fmt::Display for Nominal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.size, self.identity)
    }
}

impl Dim {
    /// The largest size there is.
    pub const MAX_SIZE: u64 = i64::MAX as u64;

    /// A size with an identity: `6@district`.
    pub fn nominal(size: u64, identity: Name) -> Dim {
        Dim::Nominal(Arc::new(Nominal { size, identity }))
    }

    /// The dim that an expression denotes: a number is a size, a name a name.
    pub fn expr(expr: Expr) -> Dim {
        match expr {
            Expr::Int(size) => Dim::Size(size),
            Expr::Name(name) => Dim::Name(Name::word(name.node)),
            Expr::Nominal(n) => Dim::nominal(n.size.node, Name::word(n.identity.node)),
            expr => Dim::Expr(Arc::new(expr)),
        }
    }

    /// The plain size, if the dim is one. A size with an identity is more than its number, so it is
    /// none here: two dims are not the same because their numbers are. For counting elements there
    /// is [`Dim::extent`].
    pub fn size(&self) -> Option<u64> {
        match self {
            Dim::Size(size) => Some(*size),
            _ => None,
        }
    }

    /// The size and the identity, if the dim has one.
    pub fn as_nominal(&self) -> Option<&Nominal> {
        match self {
            Dim::Nominal(nominal) => Some(nominal),
            _ => None,
        }
    }

    /// How many elements there are along the dim, if that is known: its number, with or without an
    /// identity.
    pub fn extent(&self) -> Option<u64> {
        match self {
            Dim::Size(size) => Some(*size),
            Dim::Nominal(nominal) => Some(nominal.size),
            Dim::Name(_) | Dim::Expr(_) | Dim::Hole => None,
        }
    }
}

/// Every `u32` is a size. Of wider integers not all are, so that they are converted by `TryFrom`.
impl From<u32> for Dim {
    fn from(size: u32) -> Self {
        Dim::Size(size.into())
    }
}

macro_rules! try_from_integers {
    ($($integer:ident)*) => {$(
        /// The size. A number below 0 or above [`Dim::MAX_SIZE`] is none.
        impl TryFrom<$integer> for Dim {
            type Error = Diagnostic;

            fn try_from(number: $integer) -> Result<Dim, Diagnostic> {
                match u64::try_from(number) {
                    Ok(size) if size <= Dim::MAX_SIZE => Ok(Dim::Size(size)),
                    _ => Err(no_size(&number)),
                }
            }
        }
    )*};
}

// Of one type of integers alone there is a `From`: with two of these, `f32s([2, 3])` would need suffixes.
try_from_integers! { i8 i16 i32 i64 i128 isize u8 u16 u64 u128 usize }

/// The dim that is written like this: `"n"`, `"3"`, `"2*k"`, `"?"`, as [`str::parse`] reads it.
///
/// ```
/// use kanshape::Dim;
///
/// assert_eq!(Dim::try_from("2*k")?.to_string(), "2*k");
/// assert!(Dim::try_from("2*").is_err());
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
impl TryFrom<&str> for Dim {
    type Error = Diagnostic;

    fn try_from(text: &str) -> Result<Dim, Diagnostic> {
        text.parse()
    }
}

impl From<Name> for Dim {
    fn from(name: Name) -> Self {
        Dim::Name(name)
    }
}

impl From<&Dim> for Dim {
    fn from(dim: &Dim) -> Self {
        dim.clone()
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Size(size) => size.fmt(f),
            Dim::Name(name) => f.write_str(name),
            Dim::Expr(expr) => expr.fmt(f),
            Dim::Nominal(nominal) => nominal.fmt(f),
            Dim::Hole => f.write_str("?"),
        }
    }
}

fn no_size(number: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::new(code::MISREAD, format!("{number} is no size"))
        .with_help(format!("a size is a number from 0 to {}", Dim::MAX_SIZE))
}
