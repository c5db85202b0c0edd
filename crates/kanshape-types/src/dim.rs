//! [`Dim`]: one dim of a shape.

use std::fmt;
use std::sync::Arc;

use kanshape_syntax::tree::Expr;

use crate::Name;

/// One dim of a shape, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// `2`. No shape has a size above [`Dim::MAX_SIZE`].
    Size(u64),
    /// `n`: an unknown that is the same wherever it is written.
    Name(Name),
    /// `2*k`: an expression that is more than a number or a name.
    Expr(Arc<Expr>),
    /// `?`: an unknown of its own.
    Hole,
}

impl Dim {
    /// The largest size there is.
    pub const MAX_SIZE: u64 = i64::MAX as u64;

    /// The dim that an expression stands for: a number is a size, a name a name.
    pub fn expr(expr: Expr) -> Dim {
        match expr {
            Expr::Int(size) => Dim::Size(size),
            Expr::Name(name) => Dim::Name(Name::new(name.node)),
            expr => Dim::Expr(Arc::new(expr)),
        }
    }

    /// The size, if it is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Dim::Size(size) => Some(*size),
            _ => None,
        }
    }
}

impl From<u64> for Dim {
    fn from(size: u64) -> Self {
        Dim::Size(size)
    }
}

/// The name, or a hole for `"?"`. An expression is read by [`str::parse`].
impl From<&str> for Dim {
    fn from(name: &str) -> Self {
        match name {
            "?" => Dim::Hole,
            name => Dim::Name(name.into()),
        }
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
            Dim::Hole => f.write_str("?"),
        }
    }
}
