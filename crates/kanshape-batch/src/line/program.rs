//! A line as a program, or as a question about Relay's types.

use std::borrow::Cow;
use std::io;

use kanshape_relay::solve::{self, Solved, Stated};
use kanshape_relay::{Problem, Program};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::LineError;
use super::fields::Line;
use super::reply::ReplyHead;
use super::subjects::Subjects;
use super::value::{list, members, whole_text, yes};
use crate::field::Field;
use crate::mistake;
use crate::program_json::{ProgramJson, WhyProgram};
use crate::type_json::{Text, Texts};

/// What a written line is.
type WrittenLine = Result<io::Result<()>, LineError>;

/// Writes the members of an object behind the identity of a line.
fn write(reply: &mut Vec<u8>, head: ReplyHead<'_>, object: &impl Serialize) -> io::Result<()> {
    head.write(reply)?;
    let text = serde_json::to_vec(object)?;
    reply.extend_from_slice(text.get(1..).unwrap_or_default());
    Ok(())
}

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
        Err(problem) => return Ok(write(reply, head, &Unread(&problem))),
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
    let json = ProgramJson {
        typing: &typing,
        entry,
        expressions: all.then_some(&program),
    };
    Ok(write(reply, head, &json))
}

/// A program that cannot be read: what is wrong is why it has no type.
struct Unread<'a>(&'a Problem);

impl Serialize for Unread<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let verdict = match self.0.is_limit() {
            true => "unknown",
            false => "never",
        };
        map.serialize_entry("verdict", verdict)?;
        map.serialize_entry("type", &None::<&str>)?;
        map.serialize_entry("where", &[""; 0])?;
        map.serialize_entry("globals", &serde_json::Map::new())?;
        map.serialize_entry("why", &WhyProgram(self.0))?;
        for of_a_program in ["others", "warnings", "holes"] {
            map.serialize_entry(of_a_program, &[""; 0])?;
        }
        map.end()
    }
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
    Ok(write(reply, head, &SolvedJson(&solved)))
}

struct SolvedJson<'a>(&'a Solved);

impl Serialize for SolvedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let solved = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("verdict", &Text(&solved.verdict))?;
        map.serialize_entry("holes", &Pairs(&solved.holes, ToString::to_string))?;
        map.serialize_entry("dims", &Pairs(&solved.dims, |n: &u64| *n))?;
        map.serialize_entry("waiting", &solved.waiting)?;
        map.serialize_entry("where", &solved.conditions)?;
        map.serialize_entry("unified", &solved.unified.as_ref().map(Text))?;
        map.serialize_entry("why", &solved.problem.as_ref().map(WhyProgram))?;
        map.end()
    }
}

/// An object with these names and values, in their order.
struct Pairs<'a, T, F>(&'a [(String, T)], F);

impl<T, U: Serialize, F: Fn(&T) -> U> Serialize for Pairs<'_, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, (self.1)(value))))
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
    let json = KindJson(kind.as_ref().map(|kind| kind.name()));
    Ok(write(reply, head, &json))
}

struct KindJson<'a>(Result<&'a str, &'a Problem>);

impl Serialize for KindJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", &self.0.ok())?;
        map.serialize_entry("why", &self.0.err().map(WhyProgram))?;
        map.end()
    }
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
    let json = MissingJson(missing.as_deref());
    Ok(write(reply, head, &json))
}

struct MissingJson<'a>(Result<&'a [kanshape::tree::relay::Pattern], &'a Problem>);

impl Serialize for MissingJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("missing", &self.0.ok().map(Texts))?;
        map.serialize_entry("why", &self.0.err().map(WhyProgram))?;
        map.end()
    }
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
