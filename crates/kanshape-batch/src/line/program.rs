//! A line as a program, or as a question about Relay's types.

use std::borrow::Cow;
use std::io;

use kanshape_relay::Program;
use kanshape_relay::solve::{self, Solved, Stated};
use serde::Serialize;
use serde_json::value::RawValue;

use super::LineError;
use super::fields::Line;
use super::reply::{ReplyHead, write_object};
use super::subjects::Subjects;
use super::value::{list, members, whole_text, yes};
use crate::field::Field;
use crate::mistake;
use crate::program_json::{ProgramJson, WhyProgram};
use crate::type_json::{Object, texts};

/// What a written line is.
type WrittenLine = Result<io::Result<()>, LineError>;

/// The types of a program.
pub(super) fn types(
    line: &Line<'_>,
    subjects: &Subjects,
    reply: &mut Vec<u8>,
    head: ReplyHead<'_>,
) -> WrittenLine {
    notation(line)?;
    let text = needed(line, Field::Program)?;
    let given = line.value(Field::Entry);
    let given = given.map(|raw| whole_text(raw, Field::Entry)).transpose()?;
    let program = match Program::parse("program", &text) {
        Ok(program) => program,
        Err(problem) => return Ok(write_object(reply, head, &ProgramJson::unread(&problem))),
    };
    let all = yes(line, Field::Expressions)?;
    let typing = match all {
        true => program.check_all(subjects.relations()),
        false => program.check(subjects.relations()),
    };
    let entry = match &given {
        None => typing.entry(),
        Some(name) => {
            let name = name.trim_start_matches('@');
            if typing.problems.is_empty() && typing.global(name).is_none() {
                let known = typing.globals.iter().map(|global| &*global.name);
                return Err(LineError::new(mistake::no_global(name, known), "entry"));
            }
            name
        }
    };
    let json = ProgramJson::of(&typing, entry, all.then_some(&program));
    Ok(write_object(reply, head, &json))
}

/// What equations and relations say of their holes.
pub(super) fn equations(
    line: &Line<'_>,
    subjects: &Subjects,
    reply: &mut Vec<u8>,
    head: ReplyHead<'_>,
) -> WrittenLine {
    notation(line)?;
    const PAIRS: &str = "a list of pairs of types";
    let mut equations = Vec::new();
    for raw in list(line, Field::Equations, PAIRS)?.unwrap_or_default() {
        let pair: Result<[String; 2], _> = serde_json::from_str(raw.get());
        let [a, b] = pair.map_err(|_| wrong(Field::Equations, PAIRS))?;
        equations.push((a, b));
    }
    const STATED: &str = "a list of objects with `name` and `args`";
    let mut relations = Vec::new();
    for raw in list(line, Field::Relations, STATED)?.unwrap_or_default() {
        let (mut name, mut args) = (None, None);
        for (key, raw) in
            super::value::object(raw).ok_or_else(|| wrong(Field::Relations, STATED))?
        {
            match &*key {
                "name" => name = serde_json::from_str::<String>(raw.get()).ok(),
                "args" => args = serde_json::from_str::<Vec<String>>(raw.get()).ok(),
                _ => return Err(wrong(Field::Relations, STATED)),
            }
        }
        let (Some(name), Some(args)) = (name, args) else {
            return Err(wrong(Field::Relations, STATED));
        };
        relations.push(Stated { name, args });
    }
    let solved = solve::solve(subjects.relations(), &equations, &relations);
    Ok(write_object(reply, head, &SolvedJson::of(&solved)))
}

#[derive(Serialize)]
struct SolvedJson<'a> {
    verdict: &'static str,
    holes: Object<'a, String>,
    dims: Object<'a, u64>,
    waiting: &'a [String],
    #[serde(rename = "where")]
    conditions: &'a [String],
    unified: Option<String>,
    why: Option<WhyProgram>,
}

impl<'a> SolvedJson<'a> {
    fn of(solved: &'a Solved) -> SolvedJson<'a> {
        let holes = solved.holes.iter();
        let dims = solved.dims.iter();
        SolvedJson {
            verdict: solved.verdict.name(),
            holes: Object(holes.map(|(name, ty)| (&**name, ty.to_string())).collect()),
            dims: Object(dims.map(|(name, size)| (&**name, *size)).collect()),
            waiting: &solved.waiting,
            conditions: &solved.conditions,
            unified: solved.unified.as_ref().map(ToString::to_string),
            why: solved.problem.as_ref().map(WhyProgram::of),
        }
    }
}

/// The kind of a type.
pub(super) fn kind_of(line: &Line<'_>, reply: &mut Vec<u8>, head: ReplyHead<'_>) -> WrittenLine {
    notation(line)?;
    const ADTS: &str = "an object of the numbers of parameters by the names of types";
    let text = needed(line, Field::KindOf)?;
    let mut adts = Vec::new();
    if let Some(raw) = line.value(Field::Adts) {
        for (name, raw) in members(raw, Field::Adts, ADTS)? {
            let count = raw.get().parse().map_err(|_| wrong(Field::Adts, ADTS))?;
            adts.push((name.into_owned(), count));
        }
    }
    let kind = solve::kind_of(&text, &adts);
    let json = KindJson {
        kind: kind.as_ref().ok().map(|kind| kind.name()),
        why: kind.as_ref().err().map(WhyProgram::of),
    };
    Ok(write_object(reply, head, &json))
}

#[derive(Serialize)]
struct KindJson<'a> {
    kind: Option<&'a str>,
    why: Option<WhyProgram>,
}

/// The cases that a match misses.
pub(super) fn missing(line: &Line<'_>, reply: &mut Vec<u8>, head: ReplyHead<'_>) -> WrittenLine {
    notation(line)?;
    const PATTERNS: &str = "a list of patterns";
    const ADTS: &str = "an object of lists of constructors, `\"Cons/2\"`, by the names of types";
    let Some(raw) = line.value(Field::Match) else {
        return Err(wrong(Field::Match, PATTERNS));
    };
    let patterns: Result<Vec<String>, _> = serde_json::from_str(raw.get());
    let patterns = patterns.map_err(|_| wrong(Field::Match, PATTERNS))?;
    let mut adts = Vec::new();
    if let Some(raw) = line.value(Field::Adts) {
        for (name, raw) in members(raw, Field::Adts, ADTS)? {
            let all: Result<Vec<String>, _> = serde_json::from_str(raw.get());
            let mut constructors = Vec::new();
            for text in all.map_err(|_| wrong(Field::Adts, ADTS))? {
                let parts = text.split_once('/');
                let parts = parts.and_then(|(name, n)| Some((name.to_owned(), n.parse().ok()?)));
                constructors.push(parts.ok_or_else(|| wrong(Field::Adts, ADTS))?);
            }
            adts.push((name.into_owned(), constructors));
        }
    }
    let missing = solve::missing(&patterns, &adts);
    let json = MissingJson {
        missing: missing.as_ref().ok().map(texts),
        why: missing.as_ref().err().map(WhyProgram::of),
    };
    Ok(write_object(reply, head, &json))
}

#[derive(Serialize)]
struct MissingJson {
    missing: Option<Vec<String>>,
    why: Option<WhyProgram>,
}

/// A text that has to be there.
fn needed<'l>(line: &Line<'l>, field: Field) -> Result<Cow<'l, str>, LineError> {
    match line.value(field) {
        Some(raw) => whole_text(raw, field),
        None => Err(wrong(field, "a text")),
    }
}

fn wrong(field: Field, wanted: &str) -> LineError {
    LineError::new(mistake::wrong_kind(field.name(), wanted), field.name())
}

/// Programs are written in Relay's notation.
fn notation(line: &Line<'_>) -> Result<(), LineError> {
    match line.value(Field::Notation).map(RawValue::get) {
        None | Some(r#""relay""#) => Ok(()),
        Some(_) => Err(wrong(Field::Notation, "`relay` for this line")),
    }
}
