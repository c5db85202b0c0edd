//! A line as a search for operators.

use kanshape::Type;
use kanshape_rewrite::Find;
use serde_json::value::RawValue;

use super::LineError;
use super::fields::Line;
use super::subjects::Subjects;
use super::type_data;
use super::value::{members, number, text};
use crate::field::Field;
use crate::mistake;

/// The search that a line requests.
pub(super) fn find<'s>(line: &Line<'_>, subjects: &'s Subjects) -> Result<Find<'s>, LineError> {
    let wanted = "an object with `inputs` and an `output`";
    let wrong = |place: &str| LineError::new(mistake::wrong_kind("find", wanted), place);
    let Some(raw) = line.value(Field::Find) else {
        return Err(wrong("find"));
    };
    let (mut inputs, mut output, mut depth) = (None, None, 1);
    let mut ops: Vec<String> = Vec::new();
    for (name, raw) in members(raw, Field::Find, wanted)? {
        let place = format!("find.{name}");
        match &*name {
            "inputs" => inputs = Some(types(raw)?),
            "output" => output = Some(ty(raw, &place)?),
            "depth" => depth = raw.get().parse().map_err(|_| wrong(&place))?,
            "ops" => ops = serde_json::from_str(raw.get()).map_err(|_| wrong(&place))?,
            _ => return Err(wrong(&place)),
        }
    }
    let (Some(inputs), Some(output)) = (inputs, output) else {
        return Err(wrong("find"));
    };
    let find = Find::new(subjects.relations(), inputs, output);
    Ok(find
        .depth(depth)
        .ops(ops)
        .opset(number(line, Field::Opset)?))
}

fn types(raw: &RawValue) -> Result<Vec<Type>, LineError> {
    let list: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(|_| {
        LineError::new(
            mistake::wrong_kind("find", "a list of types"),
            "find.inputs",
        )
    })?;
    let one = |(i, raw): (usize, &&RawValue)| ty(raw, &format!("find.inputs[{i}]"));
    list.iter().enumerate().map(one).collect()
}

/// A type; nothing is known of one that is null.
fn ty(raw: &RawValue, place: &str) -> Result<Type, LineError> {
    if raw.get() == "null" {
        return Ok(Type::UNKNOWN);
    }
    if let Some(data) = type_data::read(raw, place) {
        return data;
    }
    let read = text(raw, Field::Find, || place.to_owned())?;
    read.parse().map_err(|d| LineError::new(d, place))
}
