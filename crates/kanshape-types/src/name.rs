//! [`Name`]: what a user calls an unknown.

use kanshape_syntax::tree::{Ident, Span, Spanned};
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A name: `n`, `batch`, `T`. Cloning one is cheap, and it is as large as a pointer.
///
/// The text is behind a second pointer so that a [`Dim`](crate::Dim) fits in 16 bytes; names are
/// cloned far more often than they are read.
///
/// ```
/// use kanshape_types::Name;
///
/// let name = Name::from("batch");
/// assert_eq!(name.as_str(), "batch");
/// assert_eq!(*name, *"batch");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Arc<Box<str>>);

impl Name {
    /// The name with this text.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Name(Arc::new(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name::new(text)
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
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

/// A name in a tree, written nowhere.
pub(crate) fn ident(text: &str) -> Ident {
    Spanned::new(text.into(), Span::default())
}
