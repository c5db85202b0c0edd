//! What was found of a module of StableHLO, as JSON.

use kanshape::Diagnostic;
use kanshape::diag::Severity;
use kanshape_stablehlo::Report;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::type_json::{Text, Texts};

/// `"verdict","inputs","outputs","where","problems"`.
#[derive(Debug)]
pub struct StablehloJson<'a>(pub &'a Report);

/// A module that can't be read: the same, with what is wrong.
#[derive(Debug)]
pub struct UnreadJson<'a>(pub &'a Diagnostic);

/// What is wrong, and where.
struct ProblemJson<'a>(&'a Diagnostic);

#[derive(Serialize)]
struct SpanJson {
    start: usize,
    end: usize,
}

impl Serialize for ProblemJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let d = self.0;
        let at = d.labels.first().map(|label| SpanJson {
            start: label.start,
            end: label.end,
        });
        let severity = match d.severity {
            Severity::Error => "error",
            _ => "warning",
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", d.code)?;
        map.serialize_entry("severity", severity)?;
        map.serialize_entry("message", &d.headline)?;
        map.serialize_entry("at", &at)?;
        map.serialize_entry("steps", &d.steps)?;
        map.end()
    }
}

impl Serialize for StablehloJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        let conditions = report.conditions.iter().map(|c| c.condition.to_string());
        let conditions: Vec<String> = conditions.collect();
        let problems: Vec<ProblemJson<'_>> = report.problems.iter().map(ProblemJson).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("verdict", &Text(&report.verdict))?;
        map.serialize_entry("inputs", &Texts(&report.inputs))?;
        map.serialize_entry("outputs", &Texts(&report.outputs))?;
        map.serialize_entry("where", &conditions)?;
        map.serialize_entry("problems", &problems)?;
        map.end()
    }
}

impl Serialize for UnreadJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("verdict", "never")?;
        for nothing in ["inputs", "outputs", "where"] {
            map.serialize_entry(nothing, &[""; 0])?;
        }
        map.serialize_entry("problems", &[ProblemJson(self.0)])?;
        map.end()
    }
}
