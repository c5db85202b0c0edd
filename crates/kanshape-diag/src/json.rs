//! A diagnostic as JSON.
//!
//! The form is fixed: fields are never renamed nor taken away. `at` is the main place, and null
//! where there is none. A warning has `"severity":"warning"` in front; an error has no such field.
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

use serde::{Serialize, Serializer};

use crate::diagnostic::{Diagnostic, Label, Severity};

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

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
