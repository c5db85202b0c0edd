//! Types of one's own in pickles: their text is read back in the words that declare them.

use crate::raise;
use kanshape::user::{Constructor, Vocabulary};
use kanshape::{AttrValue, Type, types::TypeKind};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// Constructors of types, each with the names of its parameters.
pub(crate) type Declared = BTreeMap<String, Vec<String>>;

/// The constructors in these types that are in files of operators, and not among the words that are always known.
pub(crate) fn declared<'a>(types: impl IntoIterator<Item = &'a Type>) -> Declared {
    let known = Vocabulary::default();
    let mut declared = Declared::new();
    let mut left: Vec<&Type> = types.into_iter().collect();
    while let Some(ty) = left.pop() {
        if let TypeKind::User(own, _) = &ty.kind
            && known.get(own.name()).is_none()
        {
            let parameters = own.parameters().map(str::to_owned);
            declared.insert(own.name().to_string(), parameters.collect());
        }
        left.extend(ty.parts());
    }
    declared
}

/// The types in the values of attributes.
pub(crate) fn types_of<'a>(values: impl IntoIterator<Item = &'a AttrValue>) -> Vec<&'a Type> {
    let mut left: Vec<&AttrValue> = values.into_iter().collect();
    let mut types = Vec::new();
    while let Some(value) = left.pop() {
        match value {
            AttrValue::Type(ty) => types.push(ty),
            AttrValue::List(members) => left.extend(members),
            _ => {}
        }
    }
    types
}

/// The words that are always known, and these.
pub(crate) fn words(py: Python<'_>, declared: Declared) -> PyResult<Vocabulary> {
    let mut words = Vocabulary::default();
    for (name, parameters) in declared {
        let own = Constructor::declared(&name, parameters.iter().map(String::as_str), "");
        words = own
            .and_then(|own| words.with(own))
            .map_err(|d| raise::text(py, &d))?;
    }
    Ok(words)
}
