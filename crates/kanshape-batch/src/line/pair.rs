//! A line as a question about two types.

use kanshape::Type;

use super::LineError;
use super::fields::Line;
use super::type_data;
use super::value::whole_text;
use crate::field::Field;
use crate::mistake;
use crate::types::question::{About, TypesQuestion};

/// The question of a line about its two types.
pub(super) fn question(line: &Line<'_>) -> Result<TypesQuestion, LineError> {
    let Some(about) = line.value(Field::Types) else {
        return Err(LineError::new(mistake::no_types(&About::names()), "types"));
    };
    let about = whole_text(about, Field::Types)?;
    let about = About::named(&about).map_err(|d| LineError::new(d, "types"))?;
    Ok(TypesQuestion {
        about,
        a: ty(line, Field::A)?,
        b: ty(line, Field::B)?,
    })
}

/// One of the two. It has to be there: a type left out by mistake would be one that holds everything.
fn ty(line: &Line<'_>, field: Field) -> Result<Type, LineError> {
    let name = field.name();
    let Some(raw) = line.value(field) else {
        let is_null = line.written(field).is_some();
        return Err(LineError::new(mistake::no_type(name, is_null), name));
    };
    if let Some(data) = type_data::read(raw, name) {
        return data;
    }
    let text = whole_text(raw, field)?;
    text.parse().map_err(|d| LineError::new(d, name))
}
