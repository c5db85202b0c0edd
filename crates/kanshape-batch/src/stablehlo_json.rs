//! What was found of a module of StableHLO, as JSON.

use kanshape::{Diagnostic, Verdict};
use kanshape_stablehlo::Report;
use serde::Serialize;

use crate::program_json::LabelJson;
use crate::type_json::texts;

/// What was found of a module.
#[derive(Debug, Serialize)]
pub struct StablehloJson<'a> {
    verdict: &'static str,
    inputs: Vec<String>,
    outputs: Vec<String>,
    #[serde(rename = "where")]
    conditions: Vec<String>,
    problems: Vec<ProblemJson<'a>>,
}

/// What is wrong, and where.
#[derive(Debug, Serialize)]
struct ProblemJson<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    at: Option<LabelJson>,
    steps: &'a [String],
}

impl<'a> StablehloJson<'a> {
    /// What was found of a module that has been read.
    pub fn of(report: &'a Report) -> StablehloJson<'a> {
        StablehloJson {
            verdict: report.verdict.name(),
            inputs: texts(&report.inputs),
            outputs: texts(&report.outputs),
            conditions: texts(report.conditions.iter().map(|c| &c.condition)),
            problems: report.problems.iter().map(ProblemJson::of).collect(),
        }
    }

    /// A module that can't be read: the same, with what is wrong.
    pub fn unread(why: &'a Diagnostic) -> StablehloJson<'a> {
        StablehloJson {
            verdict: Verdict::Never.name(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            conditions: Vec::new(),
            problems: vec![ProblemJson::of(why)],
        }
    }
}

impl<'a> ProblemJson<'a> {
    fn of(d: &'a Diagnostic) -> ProblemJson<'a> {
        let at = d.labels.first().map(|label| LabelJson {
            start: label.start,
            end: label.end,
            says: None,
        });
        ProblemJson {
            code: d.code,
            severity: d.severity.name(),
            message: &d.headline,
            at,
            steps: &d.steps,
        }
    }
}
