//! What is wrong with a program: Relay's kind of error beside the diagnostic.

use kanshape::Diagnostic;
use kanshape::tree::Span;

use crate::code;

/// Relay's kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are what they are called")]
#[non_exhaustive]
pub enum ErrorKind {
    Mismatch,
    OccursCheck,
    Incomplete,
    Relation,
    Projection,
    Arity,
    NotFunction,
    Kind,
    PatternArity,
    NonExhaustive,
    Scope,
    Duplicate,
    Parse,
    LiteralRange,
}

impl ErrorKind {
    /// As it is written: `occurs-check`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Mismatch => "mismatch",
            ErrorKind::OccursCheck => "occurs-check",
            ErrorKind::Incomplete => "incomplete",
            ErrorKind::Relation => "relation",
            ErrorKind::Projection => "projection",
            ErrorKind::Arity => "arity",
            ErrorKind::NotFunction => "not-function",
            ErrorKind::Kind => "kind",
            ErrorKind::PatternArity => "pattern-arity",
            ErrorKind::NonExhaustive => "non-exhaustive",
            ErrorKind::Scope => "scope",
            ErrorKind::Duplicate => "duplicate",
            ErrorKind::Parse => "parse",
            ErrorKind::LiteralRange => "literal-range",
        }
    }

    fn code(self) -> &'static str {
        match self {
            ErrorKind::Mismatch => code::MISMATCH,
            ErrorKind::OccursCheck => code::OCCURS,
            ErrorKind::Incomplete => code::INCOMPLETE,
            ErrorKind::Relation => code::RELATION,
            ErrorKind::Projection => code::PROJECTION,
            ErrorKind::Arity => code::ARITY,
            ErrorKind::NotFunction => code::NOT_FUNCTION,
            ErrorKind::Kind => code::KIND,
            ErrorKind::PatternArity => code::PATTERN_ARITY,
            ErrorKind::NonExhaustive => code::NON_EXHAUSTIVE,
            ErrorKind::Scope => code::SCOPE,
            ErrorKind::Duplicate => code::DUPLICATE,
            ErrorKind::Parse => kanshape::code::text::UNEXPECTED,
            ErrorKind::LiteralRange => kanshape::code::text::LITERAL_RANGE,
        }
    }
}

impl std::fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Something that is wrong with a program.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Relay's kind of error.
    pub kind: ErrorKind,
    /// What, where, why.
    pub diagnostic: Diagnostic,
}

impl Problem {
    pub(crate) fn new(kind: ErrorKind, headline: impl Into<String>, at: Span) -> Problem {
        let diagnostic = Diagnostic::new(kind.code(), headline).with_label(at.into(), "");
        Problem { kind, diagnostic }
    }

    /// A mistake of a text, as a problem.
    pub fn of_text(diagnostic: Diagnostic) -> Problem {
        let kind = match diagnostic.code == kanshape::code::text::LITERAL_RANGE {
            true => ErrorKind::LiteralRange,
            false => ErrorKind::Parse,
        };
        Problem { kind, diagnostic }
    }

    pub(crate) fn labelled(mut self, text: impl Into<String>) -> Problem {
        if let Some(label) = self.diagnostic.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    pub(crate) fn also(mut self, at: Span, text: impl Into<String>) -> Problem {
        let mut labels = self.diagnostic.labels.iter();
        if !labels.any(|label| label.start == at.start && label.end == at.end) {
            self.diagnostic = self.diagnostic.with_label(at.into(), text);
        }
        self
    }

    pub(crate) fn step(mut self, step: impl Into<String>) -> Problem {
        self.diagnostic = self.diagnostic.with_step(step);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Problem {
        self.diagnostic = self.diagnostic.with_help(help);
        self
    }

    pub(crate) fn coded(mut self, code: &'static str) -> Problem {
        self.diagnostic.code = code;
        self
    }
}

/// `1 field`, `2 fields`.
pub(crate) fn counted(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// `is 1`, `are 2`.
pub(crate) fn are(n: usize) -> String {
    match n {
        1 => "is 1".to_owned(),
        n => format!("are {n}"),
    }
}
