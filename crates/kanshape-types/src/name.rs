//! [`Name`]: what a user calls an unknown.

use crate::code;
use kanshape_diag::Diagnostic;
use kanshape_syntax::parse_expr;
use kanshape_syntax::tree::{Expr, Ident, Span, Spanned};
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

/// A name: `n`, `batch`, `T`. Cloning one is cheap, and it is as large as a pointer.
///
/// The text is behind a second pointer so that a [`Dim`](crate::Dim) fits in 16 bytes; names are
/// cloned far more often than they are read.
///
/// ```
/// use kanshape::Name;
///
/// let name = Name::new("batch")?;
/// assert_eq!(name.as_str(), "batch");
/// assert_eq!(*name, *"batch");
/// assert!(Name::new("2").is_err());
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<Box<str>>);

impl Name {
    /// The name with this text, if a text of kanshape can have it: letters, digits and `_`, no digit first. `batch size` is no
    /// name, and neither are `2` and `?`.
    pub fn new(text: &str) -> Result<Name, Diagnostic> {
        match parse_expr(text) {
            Ok(Expr::Name(name)) if *name.node == *text => Ok(Name::word(text)),
            _ => Err(no_name(text)),
        }
    }

    /// A token that no rule reads: one that was read as a name, or that denotes what no text has.
    #[doc(hidden)]
    pub fn word(text: impl Into<Box<str>>) -> Name {
        Name(Arc::new(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// As [`Name::new`].
impl FromStr for Name {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Name, Diagnostic> {
        Name::new(text)
    }
}

impl From<&Name> for Name {
    fn from(name: &Name) -> Self {
        name.clone()
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// Equality, order and hash are those of the text, so a map keyed by names is looked up by a `&str`.
impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

fn no_name(text: &str) -> Diagnostic {
    Diagnostic::new(code::MISREAD, format!("`{text}` is no name"))
        .with_label(0..text.len(), "no name")
        .with_help("a name is of letters, digits and `_`, with no digit first")
        .with_source("name", text)
}

/// A name in a tree, written nowhere.
pub(crate) fn ident(text: &str) -> Ident {
    Spanned::new(text.into(), Span::default())
}
