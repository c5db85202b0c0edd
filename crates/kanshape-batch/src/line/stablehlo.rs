//! A line as a module of StableHLO.

use std::io;

use kanshape::Type;
use kanshape_stablehlo::{Options, Program};

use super::LineError;
use super::fields::Line;
use super::query::conditions;
use super::reply::{ReplyHead, write_object};
use super::subjects::Subjects;
use super::value::{list, text, whole_text, yes};
use crate::field::Field;
use crate::mistake;
use crate::stablehlo_json::StablehloJson;

/// The types of a module.
pub(super) fn types(
    line: &Line<'_>,
    subjects: &Subjects,
    reply: &mut Vec<u8>,
    head: ReplyHead<'_>,
) -> Result<io::Result<()>, LineError> {
    let Some(raw) = line.value(Field::Stablehlo) else {
        let name = Field::Stablehlo.name();
        return Err(LineError::new(mistake::wrong_kind(name, "a text"), name));
    };
    let module = whole_text(raw, Field::Stablehlo)?;
    let declared = match line.value(Field::Declared) {
        None => true,
        Some(_) => yes(line, Field::Declared)?,
    };
    let options = Options {
        inputs: inputs(line)?,
        given: conditions(line)?,
        declared,
    };
    let program = match Program::parse("stablehlo", &module) {
        Ok(program) => program,
        Err(diagnostic) => {
            return Ok(write_object(
                reply,
                head,
                &StablehloJson::unread(&diagnostic),
            ));
        }
    };
    let report = program.check(subjects.relations(), &options);
    Ok(write_object(reply, head, &StablehloJson::of(&report)))
}

/// The types of the inputs, if they are given.
fn inputs(line: &Line<'_>) -> Result<Option<Vec<Type>>, LineError> {
    let wanted = "a list of types, each a text or null";
    let Some(all) = list(line, Field::Inputs, wanted)? else {
        return Ok(None);
    };
    let mut types = Vec::with_capacity(all.len());
    for (i, raw) in all.into_iter().enumerate() {
        let place = || format!("inputs[{i}]");
        if raw.get() == "null" {
            types.push(Type::UNKNOWN);
            continue;
        }
        let written = text(raw, Field::Inputs, place)?;
        types.push(written.parse().map_err(|d| LineError::new(d, place()))?);
    }
    Ok(Some(types))
}
