//! [`Catalog`]: operators by name.

use crate::builtin;
use crate::code;
use crate::entry::Entry;
use crate::reader;
use kanshape_diag::{Diagnostic, suggest};
use std::collections::BTreeMap;

/// Operators by name, in the order in which they were read.
///
/// ```
/// use kanshape_catalog::Catalog;
///
/// let catalog = Catalog::builtin();
/// assert!(catalog.get("numpy.matmul").is_some());
/// assert_eq!(catalog.suggest("linalg.slove"), Some("linalg.solve"));
/// assert!(catalog.iter().all(|entry| !entry.doc().is_empty()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    entries: Vec<Entry>,
    /// Every name, aliases included.
    names: BTreeMap<Box<str>, usize>,
}

impl Catalog {
    /// One without operators.
    pub fn new() -> Catalog {
        Catalog::default()
    }

    /// The operators that come with kanshape. Their files are read when this is first asked for.
    pub fn builtin() -> &'static Catalog {
        builtin::catalog()
    }

    /// The operators of a text in the form of [`mod@crate::format`]. `name` is what diagnostics call
    /// it: the name of a file.
    ///
    /// # Errors
    /// A [`Diagnostic`] for the first mistake in the text. Signatures are not looked at: see
    /// [`Entry::signature`].
    pub fn load_str(name: &str, text: &str) -> Result<Catalog, Diagnostic> {
        let mut catalog = Catalog::new();
        catalog.add(reader::read(name, text)?)?;
        Ok(catalog)
    }

    /// Takes in the operators of another catalog, behind those that are here.
    ///
    /// # Errors
    /// A [`Diagnostic`] if both have an operator of the same name. This catalog is then as it was.
    pub fn merge(&mut self, other: Catalog) -> Result<(), Diagnostic> {
        for name in other.entries.iter().flat_map(Entry::names) {
            if let Some(first) = self.get(name.as_str()) {
                return Err(taken(name, first));
            }
        }
        self.add(other.entries)
    }

    fn add(&mut self, entries: Vec<Entry>) -> Result<(), Diagnostic> {
        for entry in entries {
            for name in entry.names() {
                let at = self.entries.len();
                if let Some(first) = self.names.insert(name.as_str().into(), at) {
                    let first = self.entries.get(first).unwrap_or(&entry);
                    return Err(taken(name, first));
                }
            }
            self.entries.push(entry);
        }
        Ok(())
    }

    /// The operator of this name; another name of it will do.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(*self.names.get(name)?)
    }

    /// The name that was probably meant, if there is none such.
    pub fn suggest(&self, name: &str) -> Option<&str> {
        suggest(name, self.names())
    }

    /// All names of operators, those by which they are known as well among them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    /// All operators, in the order in which they were read.
    pub fn iter(&self) -> std::slice::Iter<'_, Entry> {
        self.entries.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<'c> IntoIterator for &'c Catalog {
    type Item = &'c Entry;
    type IntoIter = std::slice::Iter<'c, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

fn taken(name: &crate::text::Piece, first: &Entry) -> Diagnostic {
    let headline = format!("two operators are called `{}`", name.as_str());
    let file = name.file();
    let d = file.mistake(code::NAME_TAKEN, headline, name.range(), "the second one");
    let other = first.names().find(|n| n.as_str() == name.as_str());
    match other {
        Some(other) if other.file().is(file) => d.with_label(other.range(), "the first one"),
        _ => d.with_step(format!(
            "the first one, `{}`, is in {}",
            first.name(),
            first.file()
        )),
    }
}
