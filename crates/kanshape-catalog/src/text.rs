//! [`Text`]: a file's name and contents, and pieces of them that know where they stand.

use kanshape_diag::Diagnostic;
use std::ops::Range;
use std::sync::Arc;

/// A file. Cloning is cheap.
#[derive(Clone, Debug)]
pub(crate) struct Text(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: String,
    text: String,
}

impl Text {
    pub(crate) fn new(name: &str, text: &str) -> Text {
        Text(Arc::new(Inner {
            name: name.into(),
            text: text.into(),
        }))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    /// Is it the very same file?
    pub(crate) fn is(&self, other: &Text) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn piece(&self, at: Range<usize>) -> Piece {
        Piece {
            text: self.clone(),
            at,
        }
    }

    /// A mistake at a place of this file.
    pub(crate) fn mistake(
        &self,
        code: &'static str,
        headline: impl Into<String>,
        at: Range<usize>,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(code, headline)
            .with_label(at, label)
            .with_source(&self.0.name, &self.0.text)
    }
}

/// A part of a file.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    text: Text,
    at: Range<usize>,
}

impl Piece {
    pub(crate) fn as_str(&self) -> &str {
        &self.text.as_str()[self.at.clone()]
    }

    pub(crate) fn file(&self) -> &Text {
        &self.text
    }

    pub(crate) fn range(&self) -> Range<usize> {
        self.at.clone()
    }

    /// The part of this piece that has these bytes of it.
    pub(crate) fn part(&self, at: Range<usize>) -> Piece {
        let start = self.at.start;
        self.text.piece(start + at.start..start + at.end)
    }

    /// This piece without the spaces at its ends.
    pub(crate) fn trim(&self) -> Piece {
        let all = self.as_str();
        let start = all.len() - all.trim_start().len();
        let end = start + all.trim().len();
        self.part(start..end)
    }

    /// A diagnostic whose places are in this piece alone, as one whose places are in the file.
    pub(crate) fn place(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        for label in &mut diagnostic.labels {
            label.start += self.at.start;
            label.end += self.at.start;
        }
        diagnostic.with_source(self.text.name(), self.text.as_str())
    }
}
