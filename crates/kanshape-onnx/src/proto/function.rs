//! [`Function`]: a function of a model, and [`Version`]: which version of a domain it speaks.

use crate::wire::{Broken, Field, Fields};

/// A function that a model defines: an operator by its body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function<'a> {
    pub name: &'a str,
    pub domain: &'a str,
    pub overload: &'a str,
    pub inputs: Vec<&'a str>,
    pub outputs: Vec<&'a str>,
    /// Attributes that have a default.
    pub defaults: Vec<&'a [u8]>,
    pub versions: Vec<Version<'a>>,
    /// Its nodes are read where it is called.
    pub message: &'a [u8],
}

/// A domain, and which version of it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version<'a> {
    pub domain: &'a str,
    pub version: i64,
}

impl<'a> Function<'a> {
    /// The number of the field that its nodes are.
    pub(crate) const NODE: u32 = 7;

    pub(crate) fn read(message: &'a [u8]) -> Result<Function<'a>, Broken<'a>> {
        let mut function = Function {
            message,
            ..Function::default()
        };
        for field in Fields::of(message) {
            let field = field?;
            match field.number {
                1 => function.name = field.text()?,
                4 => function.inputs.push(field.text()?),
                5 => function.outputs.push(field.text()?),
                9 => function.versions.push(Version::read(field)?),
                10 => function.domain = field.text()?,
                11 => function.defaults.extend(field.bytes()),
                13 => function.overload = field.text()?,
                _ => {}
            }
        }
        Ok(function)
    }
}

impl<'a> Version<'a> {
    pub(crate) fn read(field: Field<'a>) -> Result<Version<'a>, Broken<'a>> {
        let mut version = Version {
            domain: "",
            version: 0,
        };
        for field in Fields::of(field.bytes().unwrap_or_default()) {
            let field = field?;
            match field.number {
                1 => version.domain = field.text()?,
                2 => version.version = field.int().unwrap_or(0),
                _ => {}
            }
        }
        Ok(version)
    }
}
