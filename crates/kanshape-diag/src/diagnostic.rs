//! The data.

use std::ops::Range;

use crate::position::Position;

/// What went wrong, where, why, and what would mend it.
///
/// ```
/// use kanshape_diag::Diagnostic;
///
/// let diagnostic = Diagnostic::new("K0101", "these don't fit")
///     .with_source("shape", "(m,n)")
///     .with_label(3..4, "`n` is 3 here")
///     .with_help("take 4");
/// assert_eq!(diagnostic.labels[0].start, 3);
/// assert!(diagnostic.to_string().starts_with("error[K0101]: these don't fit"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Whether the text is refused for it.
    pub severity: Severity,
    /// A stable code with a page of its own: `K0101`.
    pub code: &'static str,
    /// One line, without a full stop.
    pub headline: String,
    /// The text the spans point into, and what to call it (`signature`, `input 0`).
    pub source: Option<Source>,
    /// The places; the first is the main one.
    pub labels: Vec<Label>,
    /// How it came to this, a line a step.
    pub steps: Vec<String>,
    /// What would mend it.
    pub help: Vec<String>,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The text is refused.
    #[default]
    Error,
    /// The text is taken as it is written, which may not be what was meant.
    Warning,
}

impl Severity {
    /// `error`, `warning`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A text that a diagnostic points into.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// `signature`, `input 0`, a file's name.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A place and its message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// A few words; may be empty.
    pub text: String,
}

impl Diagnostic {
    /// An error that has no place yet.
    pub fn new(code: &'static str, headline: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            headline: headline.into(),
            source: None,
            labels: Vec::new(),
            steps: Vec::new(),
            help: Vec::new(),
        }
    }

    /// The same as a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Points at bytes of the source as well. The first place is the main one.
    #[must_use]
    pub fn with_label(mut self, at: Range<usize>, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            start: at.start,
            end: at.end,
            text: text.into(),
        });
        self
    }

    /// Adds how it came to this.
    #[must_use]
    pub fn with_step(mut self, step: impl Into<String>) -> Self {
        self.steps.push(step.into());
        self
    }

    /// Adds what would mend it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Says which text the places are in.
    #[must_use]
    pub fn with_source(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.source = Some(Source {
            name: name.into(),
            text: text.into(),
        });
        self
    }

    /// The line and column of the main place.
    pub fn position(&self) -> Option<Position> {
        let source = self.source.as_ref()?;
        Some(Position::of(&source.text, self.labels.first()?.start))
    }
}

impl std::error::Error for Diagnostic {}
