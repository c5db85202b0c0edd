//! [`Info`]: a name, and the type that is declared for it.

use crate::wire::{Broken, Fields};

/// What a model says of a value. The type is read when it is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info<'a> {
    pub name: &'a str,
    pub ty: Option<&'a [u8]>,
}

impl<'a> Info<'a> {
    /// The numbers of the fields that its name and its type are.
    pub(crate) const NAME: u32 = 1;
    pub(crate) const TYPE: u32 = 2;

    pub(crate) fn read(message: &'a [u8]) -> Result<Info<'a>, Broken<'a>> {
        let mut info = Info { name: "", ty: None };
        for field in Fields::of(message) {
            let field = field?;
            match field.number {
                Info::NAME => info.name = field.text()?,
                Info::TYPE => info.ty = field.bytes(),
                _ => {}
            }
        }
        Ok(info)
    }
}
