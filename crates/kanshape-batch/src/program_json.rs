//! What was found of a program, as JSON.

use kanshape::Verdict;
use kanshape::diag::Label;
use kanshape_relay::{Problem, Program, Typing};
use serde::Serialize;

use crate::type_json::{Object, texts};

/// What is wrong with a program.
#[derive(Debug, Serialize)]
pub struct WhyProgram {
    code: &'static str,
    kind: &'static str,
    message: String,
    at: Option<LabelJson>,
    core: Vec<LabelJson>,
    steps: Vec<String>,
    repairs: Vec<String>,
}

/// A place of a text, and its label if that is said as well.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LabelJson {
    pub(crate) start: usize,
    pub(crate) end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) says: Option<String>,
}

impl WhyProgram {
    /// What is said of a problem.
    pub fn of(problem: &Problem) -> WhyProgram {
        let d = &problem.diagnostic;
        let label = |label: &Label| LabelJson {
            start: label.start,
            end: label.end,
            says: Some(label.text.clone()),
        };
        let core: Vec<LabelJson> = d.labels.iter().map(label).collect();
        WhyProgram {
            code: d.code,
            kind: problem.kind.name(),
            message: d.headline.clone(),
            at: core.first().cloned(),
            core,
            steps: d.steps.clone(),
            repairs: d.help.clone(),
        }
    }
}

/// What was found of a program.
#[derive(Debug, Serialize)]
pub struct ProgramJson<'a> {
    verdict: &'static str,
    #[serde(rename = "type")]
    ty: Option<String>,
    #[serde(rename = "where")]
    conditions: &'a [String],
    globals: Object<'a, String>,
    why: Option<WhyProgram>,
    others: Vec<WhyProgram>,
    warnings: Vec<&'a str>,
    holes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expressions: Option<Vec<ExpressionJson>>,
}

/// Where an expression is written, and its type.
#[derive(Debug, Serialize)]
struct ExpressionJson {
    start: usize,
    end: usize,
    #[serde(rename = "type")]
    ty: String,
}

impl<'a> ProgramJson<'a> {
    /// What was found of the global that the answer is about. The program is given if the types of its expressions are printed as well.
    pub fn of(typing: &'a Typing, entry: &str, program: Option<&Program>) -> ProgramJson<'a> {
        let global = typing.global(entry);
        let open = global.and_then(|global| typing.open_problem(global));
        let why = typing.problems.first().or(open.as_ref());
        let others = typing.problems.iter().skip(1);
        let named = |global: &'a kanshape_relay::Global| (&*global.name, global.ty.to_string());
        ProgramJson {
            verdict: typing.verdict(entry).name(),
            ty: global.map(|global| global.ty.to_string()),
            conditions: global.map_or(&[], |global| &global.conditions),
            globals: Object(typing.globals.iter().map(named).collect()),
            why: why.map(WhyProgram::of),
            others: others.map(WhyProgram::of).collect(),
            warnings: typing.warnings.iter().map(|d| &*d.headline).collect(),
            holes: texts(typing.gaps.iter().map(|gap| &gap.ty)),
            expressions: program.map(|program| expressions(typing, program)),
        }
    }

    /// A program that cannot be read: what is wrong is why it has no type.
    pub fn unread(problem: &Problem) -> ProgramJson<'a> {
        let verdict = match problem.is_limit() {
            true => Verdict::Unknown,
            false => Verdict::Never,
        };
        ProgramJson {
            verdict: verdict.name(),
            ty: None,
            conditions: &[],
            globals: Object(Vec::new()),
            why: Some(WhyProgram::of(problem)),
            others: Vec::new(),
            warnings: Vec::new(),
            holes: Vec::new(),
            expressions: None,
        }
    }
}

fn expressions(typing: &Typing, program: &Program) -> Vec<ExpressionJson> {
    let typed = program.tree().ids().filter_map(|id| {
        let at = program.tree().span(id);
        Some(ExpressionJson {
            start: at.start,
            end: at.end,
            ty: typing.ty(id)?.to_string(),
        })
    });
    typed.collect()
}
