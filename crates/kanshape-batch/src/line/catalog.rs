//! A line as a question about the catalog: all operators, or one with its rule and its examples.

use std::io;

use super::LineError;
use super::fields::Line;
use super::reply::{ReplyHead, write_object};
use super::subjects::Subjects;
use super::value::{number, whole_text};
use crate::catalog;
use crate::field::Field;

/// Answers a line about the catalog. An empty name denotes all operators, that of a domain those in it.
pub(super) fn answer(
    line: &Line<'_>,
    subjects: &Subjects,
    out: &mut Vec<u8>,
    head: ReplyHead<'_>,
) -> Result<io::Result<()>, LineError> {
    let name = match line.value(Field::Catalog) {
        Some(raw) => whole_text(raw, Field::Catalog)?,
        None => "".into(),
    };
    let loaded = subjects.loaded();
    let operators = match name.trim() {
        "" => loaded.all(),
        name => loaded.domain(name),
    };
    if !operators.is_empty() {
        return Ok(write_object(out, head, &catalog::rows(&operators)));
    }
    let operator = loaded
        .relations()
        .operator(&name, number(line, Field::Opset)?);
    let operator = operator.map_err(|d| LineError::new(d, "catalog"))?;
    let found = catalog::operator(loaded, &operator)?;
    Ok(write_object(out, head, &found))
}
