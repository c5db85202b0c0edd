//! [`Entry`]: one operator.

use crate::example::Example;
use crate::text::Piece;
use kanshape_diag::Diagnostic;
use kanshape_syntax::parse_signature;
use kanshape_syntax::tree::Signature;
use std::sync::{Arc, OnceLock};

/// An operator of a catalog. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Entry(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    parts: Parts,
    signature: OnceLock<Result<Signature, Diagnostic>>,
}

/// What the reader has found of an operator.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) name: Piece,
    pub(crate) aliases: Vec<Piece>,
    pub(crate) signature: Piece,
    pub(crate) from: Piece,
    pub(crate) doc: String,
    pub(crate) examples: Vec<Example>,
}

impl Entry {
    pub(crate) fn new(parts: Parts) -> Entry {
        Entry(Arc::new(Inner {
            parts,
            signature: OnceLock::new(),
        }))
    }

    /// Its name: `linalg.solve`.
    pub fn name(&self) -> &str {
        self.0.parts.name.as_str()
    }

    /// Its other names.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.0.parts.aliases.iter().map(Piece::as_str)
    }

    /// Its signature, as written.
    pub fn signature_text(&self) -> &str {
        self.0.parts.signature.as_str()
    }

    /// Its signature as a tree, read when it is first asked for.
    ///
    /// # Errors
    /// A [`Diagnostic`] that points into the file.
    pub fn signature(&self) -> Result<&Signature, Diagnostic> {
        let signature = self
            .0
            .signature
            .get_or_init(|| parse_signature(self.signature_text()).map_err(|d| self.place(d)));
        signature.as_ref().map_err(Clone::clone)
    }

    /// A diagnostic about [`Self::signature_text`], with its places moved to where that stands in
    /// the file.
    #[must_use]
    pub fn place(&self, diagnostic: Diagnostic) -> Diagnostic {
        self.0.parts.signature.place(diagnostic)
    }

    /// Where it is from: `NumPy 2.4`.
    pub fn from(&self) -> &str {
        self.0.parts.from.as_str()
    }

    /// What it does, in a sentence.
    pub fn doc(&self) -> &str {
        &self.0.parts.doc
    }

    /// Queries about it, with their answers.
    pub fn examples(&self) -> &[Example] {
        &self.0.parts.examples
    }

    /// The name of the file that it is in.
    pub fn file(&self) -> &str {
        self.0.parts.name.file().name()
    }

    /// The places of all of its names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Piece> {
        std::iter::once(&self.0.parts.name).chain(&self.0.parts.aliases)
    }
}
