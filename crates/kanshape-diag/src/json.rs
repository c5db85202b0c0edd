//! A diagnostic as JSON.
//!
//! The form is fixed: fields are never renamed nor taken away. `at` is the main place, and null
//! where there is none. A warning has `"severity":"warning"` in front; an error has no such field.
//!
//! The text that is pointed into is no part of it: what is read back has its places, and no [`source`](Diagnostic::source). A format
//! that is not for people, such as postcard, has all of a diagnostic.
//!
//! ```
//! use kanshape_diag::Diagnostic;
//!
//! let d = Diagnostic::new("K0001", "two dims without a comma")
//!     .with_label(3..4, "expected `,` or `)`")
//!     .with_source("signature", "(m n)->()");
//! assert_eq!(
//!     serde_json::to_string(&d).unwrap(),
//!     concat!(
//!         r#"{"code":"K0001","message":"two dims without a comma","#,
//!         r#""at":{"source":"signature","start":3,"end":4,"line":1,"column":4},"#,
//!         r#""labels":[{"start":3,"end":4,"text":"expected `,` or `)`"}],"steps":[],"help":[]}"#,
//!     )
//! );
//! ```

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::diagnostic::{Diagnostic, Label, Severity, Source};

/// How long a code may be that is read, and how many there may be that no program has by itself. They are kept for good.
const MAX_CODE: usize = 32;
const MAX_CODES: usize = 1 << 14;

#[derive(Serialize)]
struct Form<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
    code: &'static str,
    message: &'d str,
    at: Option<At<'d>>,
    labels: Vec<Place<'d>>,
    steps: &'d [String],
    help: &'d [String],
}

/// The main place of a diagnostic, for JSON.
#[derive(Serialize)]
pub struct At<'d> {
    source: &'d str,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Place<'d> {
    start: usize,
    end: usize,
    text: &'d str,
}

/// What is read of the form above.
#[derive(Deserialize)]
struct Read {
    severity: Option<String>,
    code: String,
    message: String,
    labels: Vec<ReadPlace>,
    steps: Vec<String>,
    help: Vec<String>,
}

#[derive(Deserialize)]
struct ReadPlace {
    start: usize,
    end: usize,
    text: String,
}

/// All of a diagnostic, in a format that does not say what there is: whether it is a warning, the code, the headline, the name and the
/// text of its source, its places, steps and help.
type Plain<T> = (
    bool,
    T,
    T,
    Option<(T, T)>,
    Vec<(usize, usize, T)>,
    Vec<T>,
    Vec<T>,
);

fn plain(d: &Diagnostic) -> Plain<&str> {
    let source = d.source.as_ref();
    let labels = d.labels.iter();
    (
        d.severity == Severity::Warning,
        d.code,
        &d.headline,
        source.map(|source| (&*source.name, &*source.text)),
        labels.map(|l| (l.start, l.end, &*l.text)).collect(),
        d.steps.iter().map(String::as_str).collect(),
        d.help.iter().map(String::as_str).collect(),
    )
}

/// A code that was read, as one that stays.
fn code<E: Error>(text: &str) -> Result<&'static str, E> {
    static CODES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(code) = codes.get(text) {
        return Ok(code);
    }
    if text.len() > MAX_CODE || codes.len() >= MAX_CODES {
        return Err(E::custom("too long or too many codes of diagnostics"));
    }
    let code: &'static str = Box::leak(Box::from(text));
    codes.insert(code);
    Ok(code)
}

impl<'de> Deserialize<'de> for Diagnostic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Diagnostic, D::Error> {
        let (is_warning, own, headline, source, labels, steps, help): Plain<String> =
            match deserializer.is_human_readable() {
                false => Plain::deserialize(deserializer)?,
                true => {
                    let read = Read::deserialize(deserializer)?;
                    let is_warning = match read.severity.as_deref() {
                        None => false,
                        Some(name) if name == Severity::Warning.name() => true,
                        Some(other) => {
                            return Err(D::Error::unknown_variant(other, &["warning"]));
                        }
                    };
                    let labels = read.labels.into_iter();
                    let labels = labels.map(|l| (l.start, l.end, l.text)).collect();
                    let Read { code, message, .. } = read;
                    (
                        is_warning, code, message, None, labels, read.steps, read.help,
                    )
                }
            };
        let labels = labels.into_iter();
        Ok(Diagnostic {
            severity: match is_warning {
                true => Severity::Warning,
                false => Severity::Error,
            },
            code: code(&own)?,
            headline,
            source: source.map(|(name, text)| Source { name, text }),
            labels: labels
                .map(|(start, end, text)| Label { start, end, text })
                .collect(),
            steps,
            help,
        })
    }
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return plain(self).serialize(serializer);
        }
        let is_warning = self.severity == Severity::Warning;
        Form {
            severity: is_warning.then_some(self.severity.name()),
            code: self.code,
            message: &self.headline,
            at: self.at(),
            labels: self.labels.iter().map(Place::of).collect(),
            steps: &self.steps,
            help: &self.help,
        }
        .serialize(serializer)
    }
}

impl Diagnostic {
    /// The main place, as it stands in JSON: `{"source", "start", "end", "line", "column"}`.
    pub fn at(&self) -> Option<At<'_>> {
        let position = self.position()?;
        let main = self.labels.first()?;
        Some(At {
            source: &self.source.as_ref()?.name,
            start: main.start,
            end: main.end,
            line: position.line,
            column: position.column,
        })
    }
}

impl<'d> Place<'d> {
    fn of(label: &'d Label) -> Self {
        Place {
            start: label.start,
            end: label.end,
            text: &label.text,
        }
    }
}
