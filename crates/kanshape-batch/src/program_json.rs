//! What was found of a program, as JSON.

use kanshape::Verdict;
use kanshape_relay::{Problem, Program, Typing};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::type_json::Text;

/// `{"code","kind","message","at":{..},"core":[..]}`.
#[derive(Debug)]
pub struct WhyProgram<'a>(pub &'a Problem);

/// A place of a text, and its label.
struct LabelJson<'a>(&'a kanshape::diag::Label);

impl Serialize for LabelJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("start", &self.0.start)?;
        map.serialize_entry("end", &self.0.end)?;
        map.serialize_entry("says", &self.0.text)?;
        map.end()
    }
}

impl Serialize for WhyProgram<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let d = &self.0.diagnostic;
        let core: Vec<LabelJson<'_>> = d.labels.iter().map(LabelJson).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", d.code)?;
        map.serialize_entry("kind", self.0.kind.name())?;
        map.serialize_entry("message", &d.headline)?;
        map.serialize_entry("at", &core.first())?;
        map.serialize_entry("core", &core)?;
        map.serialize_entry("steps", &d.steps)?;
        map.serialize_entry("repairs", &d.help)?;
        map.end()
    }
}

/// `"verdict","type","where","globals","why","warnings"`.
#[derive(Debug)]
pub struct ProgramJson<'a> {
    /// What was found of it.
    pub typing: &'a Typing,
    /// The name of the global that the answer is about.
    pub entry: &'a str,
    /// The program, if the types of its expressions are printed as well.
    pub expressions: Option<&'a Program>,
}

struct Globals<'a>(&'a Typing);

impl Serialize for Globals<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = &self.0.globals;
        serializer.collect_map(all.iter().map(|global| (&*global.name, Text(&global.ty))))
    }
}

/// The members of an object that say what a program is.
fn members<M: SerializeMap>(map: &mut M, json: &ProgramJson<'_>) -> Result<(), M::Error> {
    let ProgramJson {
        typing,
        entry,
        expressions,
    } = json;
    let verdict: Verdict = typing.verdict(entry);
    let global = typing.global(entry);
    map.serialize_entry("verdict", &Text(&verdict))?;
    map.serialize_entry("type", &global.map(|global| Text(&global.ty)))?;
    let conditions = global.map(|global| global.conditions.as_slice());
    map.serialize_entry("where", conditions.unwrap_or_default())?;
    map.serialize_entry("globals", &Globals(typing))?;
    let open = global.and_then(|global| typing.open_problem(global));
    let why = typing.problems.first().or(open.as_ref());
    map.serialize_entry("why", &why.map(WhyProgram))?;
    let others: Vec<WhyProgram<'_>> = typing.problems.iter().skip(1).map(WhyProgram).collect();
    map.serialize_entry("others", &others)?;
    let warnings: Vec<&str> = typing.warnings.iter().map(|d| &*d.headline).collect();
    map.serialize_entry("warnings", &warnings)?;
    let gaps: Vec<Text<'_, _>> = typing.gaps.iter().map(|gap| Text(&gap.ty)).collect();
    map.serialize_entry("holes", &gaps)?;
    match expressions {
        Some(program) => map.serialize_entry("expressions", &Expressions(typing, program)),
        None => Ok(()),
    }
}

/// Where each expression is written, and its type.
struct Expressions<'a>(&'a Typing, &'a Program);

impl Serialize for Expressions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Expressions(typing, program) = self;
        let typed = program.tree().ids().filter_map(|id| {
            let at = program.tree().span(id);
            let ty = typing.ty(id)?;
            Some(OfExpression {
                start: at.start,
                end: at.end,
                ty: ty.to_string(),
            })
        });
        serializer.collect_seq(typed)
    }
}

#[derive(Serialize)]
struct OfExpression {
    start: usize,
    end: usize,
    #[serde(rename = "type")]
    ty: String,
}

impl Serialize for ProgramJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        members(&mut map, self)?;
        map.end()
    }
}
