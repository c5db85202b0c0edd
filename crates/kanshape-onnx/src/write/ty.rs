//! [`Words`]: types as messages, each over the one that is declared.

use crate::dims::Dims;
use crate::proto::{dtype, ty};
use crate::report::Report;
use crate::wire::{Field, Fields, put_bytes, put_int, rewrite};
use hashbrown::HashSet;
use kanshape::{Dim, Name, Shape, Tensor, Type, types::TypeKind};
use std::collections::BTreeMap;

/// The numbers of the fields of a type that say what it is. Only one of them counts.
const TENSOR: u32 = 1;
const SEQUENCE: u32 = 4;
const MAP: u32 = 5;
const SPARSE: u32 = 8;
const OPTIONAL: u32 = 9;

/// What dims are called in a model.
#[derive(Default)]
pub(super) struct Words<'w> {
    /// Words that denote another text.
    texts: Option<&'w BTreeMap<Name, String>>,
    /// Names that nobody has given.
    made_up: HashSet<&'w str>,
}

impl<'w> Words<'w> {
    pub(super) fn of(report: &'w Report<'_>) -> Words<'w> {
        let made_up = report.dims.iter().filter(|dim| !dim.named);
        Words {
            texts: Some(&report.renamed),
            made_up: made_up.map(|dim| dim.name.as_str()).collect(),
        }
    }

    /// The type that has been found, as a message: what it does not say, and what is not written, is as `declared` has
    /// it. None if nothing can be said.
    pub(super) fn over(&self, found: &Type, declared: &[u8]) -> Option<Vec<u8>> {
        // A message with a mistake in it can't be written over.
        ty::read(declared, &mut Dims::default()).ok()?;
        self.ty(found, declared, 0)
    }

    fn ty(&self, found: &Type, declared: &[u8], depth: u32) -> Option<Vec<u8>> {
        if depth == ty::DEEPEST {
            return None;
        }
        let (kind, own) = kind(declared).unwrap_or((0, &[]));
        let own_if = |of: u32| if kind == of { own } else { &[] };
        let (number, inner) = match &found.kind {
            TypeKind::Tensor(tensor) => match kind {
                SPARSE => (SPARSE, self.tensor(tensor, own)?),
                _ => (TENSOR, self.tensor(tensor, own_if(TENSOR))?),
            },
            TypeKind::Adt(name, of) => match (name.as_str(), &of[..]) {
                ("Sequence", [of]) => (SEQUENCE, self.part(1, of, own_if(SEQUENCE), depth)?),
                ("Optional", [of]) => (OPTIONAL, self.part(1, of, own_if(OPTIONAL), depth)?),
                ("Map", [key, value]) => {
                    let key = dtype::number(key.as_tensor()?.dtype.known()?)?;
                    let value = self.part(2, value, own_if(MAP), depth)?;
                    let mut map = Vec::new();
                    rewrite(&value, &mut map, |field, _| field.number == 1);
                    put_int(1, key, &mut map);
                    (MAP, map)
                }
                _ => return None,
            },
            _ => return None,
        };
        let mut out = Vec::new();
        rewrite(declared, &mut out, |field, _| is_kind(field.number));
        put_bytes(number, &inner, &mut out);
        Some(out)
    }

    /// A message with a type in it.
    fn part(&self, number: u32, found: &Type, declared: &[u8], depth: u32) -> Option<Vec<u8>> {
        let own = last(declared, number).unwrap_or_default();
        let ty = self.ty(found, own, depth + 1)?;
        let mut out = Vec::new();
        rewrite(declared, &mut out, |field, _| field.number == number);
        put_bytes(number, &ty, &mut out);
        Some(out)
    }

    fn tensor(&self, found: &Tensor, declared: &[u8]) -> Option<Vec<u8>> {
        let dtype = found.dtype.known().and_then(dtype::number);
        let has_dtype = |mut fields: Fields<'_>| fields.any(|f| f.is_ok_and(|f| f.number == 1));
        if dtype.is_none() && !has_dtype(Fields::of(declared)) {
            return None;
        }
        let shape = found.shape.run().is_none();
        let mut out = Vec::new();
        if let Some(dtype) = dtype {
            put_int(1, dtype, &mut out);
        }
        if shape {
            let own = last(declared, 2).unwrap_or_default();
            put_bytes(2, &self.shape(&found.shape, own), &mut out);
        }
        rewrite(declared, &mut out, |field, _| match field.number {
            1 => dtype.is_some(),
            2 => shape,
            _ => false,
        });
        Some(out)
    }

    fn shape(&self, found: &Shape, declared: &[u8]) -> Vec<u8> {
        let own = Fields::of(declared).flatten();
        let own = own.filter(|f| f.number == 1).filter_map(|f| f.bytes());
        let own: Vec<&[u8]> = own.collect();
        let same_rank = own.len() == found.known_dims().len();
        let mut out = Vec::new();
        for (i, dim) in found.iter().enumerate() {
            let own = if same_rank { own[i] } else { &[] };
            put_bytes(1, &self.dim(dim, own), &mut out);
        }
        rewrite(declared, &mut out, |field, _| field.number == 1);
        out
    }

    /// A dim. A name that nobody has given does not stand in the way of what is declared.
    fn dim(&self, found: &Dim, declared: &[u8]) -> Vec<u8> {
        let mut value = Vec::new();
        match found {
            Dim::Size(size) => put_size(*size, &mut value),
            Dim::Nominal(nominal) => put_size(nominal.size, &mut value),
            Dim::Name(name) => {
                let text = self.texts.and_then(|texts| texts.get(name));
                let text = text.map_or(name.as_str(), String::as_str);
                put_bytes(2, text.as_bytes(), &mut value);
            }
            Dim::Expr(e) => put_bytes(2, e.to_string().as_bytes(), &mut value),
            Dim::Hole => {}
        }
        let is_value = |number: u32| matches!(number, 1 | 2);
        let says = |field: Field<'_>| match field.number {
            1 => field.int().is_some_and(|size| size >= 0),
            2 => !matches!(field.bytes(), None | Some(b"" | b"?")),
            _ => false,
        };
        let is_declared = Fields::of(declared).flatten().any(says);
        let is_made_up = match found {
            Dim::Name(name) => self.made_up.contains(name.as_str()),
            _ => value.is_empty(),
        };
        if is_made_up && is_declared {
            return declared.to_vec();
        }
        rewrite(declared, &mut value, |field, _| is_value(field.number));
        value
    }
}

/// A size. One that is larger than models can say is left open.
fn put_size(size: u64, out: &mut Vec<u8>) {
    if i64::try_from(size).is_ok() {
        put_int(1, size, out);
    }
}

fn is_kind(number: u32) -> bool {
    matches!(number, TENSOR | SEQUENCE | MAP | SPARSE | OPTIONAL)
}

/// What a declared type is, and the message that says more of it.
fn kind(declared: &[u8]) -> Option<(u32, &[u8])> {
    let fields = Fields::of(declared).flatten();
    let kinds = fields.filter(|field| is_kind(field.number));
    kinds.filter_map(|f| Some((f.number, f.bytes()?))).last()
}

/// The bytes of a field; of several it is the last that counts.
fn last(message: &[u8], number: u32) -> Option<&[u8]> {
    let fields = Fields::of(message).flatten();
    fields
        .filter(|field| field.number == number)
        .filter_map(|field| field.bytes())
        .last()
}
