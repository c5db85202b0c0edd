//! Expressions and conditions before all of an answer has been written.

use kanshape_engine::Var;
use kanshape_syntax::tree::{self, Span, Spanned};
use kanshape_types::Name;

/// A name in an expression that is being written: an open variable gets its name last, in the order of first print.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// A name of the user, or of a dtype.
    Name(Name),
    /// A variable that no name of the user denotes.
    Open(Var),
    /// A size with an identity: which one.
    Identity(usize),
}

pub(crate) type Expr = tree::Expr<Symbol>;
pub(crate) type Condition = tree::Condition<Symbol>;
pub(crate) type DimItem = tree::DimItem<Symbol>;

impl Symbol {
    /// The identifier that is printed, with a name for what is open.
    pub(crate) fn ident(self, open: impl FnOnce(Var) -> Name) -> tree::Ident {
        match self {
            Symbol::Name(name) => ident(&name),
            Symbol::Open(v) => ident(&open(v)),
            // One that the query does not have: no name denotes it.
            Symbol::Identity(_) => ident("?"),
        }
    }
}

impl From<&Name> for Symbol {
    fn from(name: &Name) -> Symbol {
        Symbol::Name(name.clone())
    }
}

impl From<&str> for Symbol {
    fn from(name: &str) -> Symbol {
        Symbol::Name(Name::word(name))
    }
}

impl From<Var> for Symbol {
    fn from(v: Var) -> Symbol {
        Symbol::Open(v)
    }
}

/// A symbol as an expression.
pub(super) fn name(symbol: impl Into<Symbol>) -> Expr {
    Expr::Name(symbol.into())
}

/// A name as an identifier without a place.
pub(super) fn ident(name: &str) -> tree::Ident {
    Spanned::new(name.into(), Span::default())
}
