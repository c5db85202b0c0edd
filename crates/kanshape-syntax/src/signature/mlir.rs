//! MLIR's way to write a tensor: `tensor<2x?xf32>`.
//!
//! Between the angle brackets stand sizes, `?` and names, each followed by an `x`, and then the
//! dtype; or `*x` and the dtype, for an unknown rank. The text is split at every `x`, so neither a
//! name nor a dtype may have an `x` of its own: `tensor<2xcomplex64>` is an error that says so.

use crate::code;
use crate::name;
use crate::number;
use crate::problem::{self, refuse};
use crate::signature::failure::Read;
use crate::signature::piece;
use crate::tree::{DimItem, Expr, Span, Spanned, Type};

/// The tensor whose dims and dtype stand at `start..end` of `text`.
pub(crate) fn tensor<'i>(text: &str, start: usize, end: usize) -> Read<'i, Type> {
    let mut shape = Vec::new();
    let mut at = start;
    let mut rest = &text[start..end];
    while let Some((dim, behind)) = rest.split_once('x') {
        shape.push(read_dim(Part::new(dim, at), shape.len(), behind)?);
        at += dim.len() + 1;
        rest = behind;
    }
    let dtype = Part::new(rest, at);
    if !dtype.is_name() {
        return Err(dtype.refuse("here a dtype must stand"));
    }
    Ok(Type::Tensor {
        dtype: Spanned::new(piece::dtype_name(dtype.name())?, dtype.span),
        shape,
        contents: None,
    })
}

/// The word that MLIR writes as a member of an enumeration: `EQ` of `#stablehlo<comparison_direction EQ>`.
pub fn enumerant(text: &str) -> Option<&str> {
    let (kind, word) = text.strip_prefix('#')?.strip_suffix('>')?.split_once(' ')?;
    let (dialect, kind) = kind.split_once('<')?;
    let is_word = |text: &str| !text.is_empty() && name::first(text) == text;
    [dialect, kind, word]
        .into_iter()
        .all(is_word)
        .then_some(word)
}

fn read_dim<'i>(part: Part<'_>, index: usize, behind: &str) -> Read<'i, Spanned<DimItem>> {
    let dim = match part.text {
        "?" => DimItem::Hole,
        "*" if index == 0 && !behind.contains('x') => DimItem::Run(None),
        _ if part.is_number() => DimItem::Dim(Expr::Int(number::read(
            part.span.start,
            part.text,
            part.span.end,
        )?)),
        _ if part.is_name() => piece::dim_item(Expr::Name(part.name())),
        _ => return Err(part.refuse("here a size, `?` or a name must stand")),
    };
    Ok(Spanned::new(dim, part.span))
}

/// What stands between two `x`.
struct Part<'t> {
    text: &'t str,
    span: Span,
}

impl<'t> Part<'t> {
    fn new(raw: &'t str, at: usize) -> Self {
        let text = raw.trim();
        let start = at + (raw.len() - raw.trim_start().len());
        Part {
            text,
            span: Span::new(start, start + text.len()),
        }
    }

    fn is_number(&self) -> bool {
        !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit())
    }

    fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| !c.is_ascii_digit())
            && self.text.chars().all(|c| c == '_' || c.is_alphanumeric())
    }

    fn name(&self) -> Spanned<Box<str>> {
        Spanned::new(self.text.into(), self.span)
    }

    fn refuse<'i>(&self, label: &str) -> crate::signature::failure::Failure<'i> {
        refuse(
            problem::new(
                code::BAD_MLIR,
                "this `tensor<...>` cannot be read",
                self.span,
                label,
            )
            .with_help("every `x` separates, so names and dtypes with an `x` have no place here")
            .with_help("write the type as `f32[2, n]`"),
        )
    }
}
