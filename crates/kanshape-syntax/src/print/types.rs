//! Types as text.

use std::fmt::{self, Display, Formatter};

use super::expr::{conditions, run};
use super::list;
use crate::text;
use crate::tree::{Content, DimItem, Spanned, Type, TypeText};

/// Whether all of `types` could be read as dims, so that only a word in front tells.
fn could_be_dims(types: &[Spanned<Type>]) -> bool {
    let mut types = types.iter();
    types.all(|ty| matches!(ty.node, Type::Hole | Type::Name(_)))
}

fn types(f: &mut Formatter<'_>, types: &[Spanned<Type>]) -> fmt::Result {
    list(f, types, ", ", |f, ty| ty.node.fmt(f))
}

impl Display for TypeText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.ty.node.fmt(f)?;
        conditions(f, &self.conditions)
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Hole => f.write_str("?"),
            Type::Name(name) => f.write_str(&name.node),
            Type::Tensor {
                dtype,
                shape,
                contents,
            } => {
                write!(f, "{dtype}[")?;
                list(f, shape, ", ", |f, dim| dim.node.fmt(f))?;
                f.write_str("]")?;
                if let Some(contents) = contents {
                    f.write_str(" = [")?;
                    list(f, &contents.node, ", ", |f, member| member.node.fmt(f))?;
                    f.write_str("]")?;
                }
                Ok(())
            }
            Type::Tuple(members) => {
                let word = if could_be_dims(members) { "tuple" } else { "" };
                write!(f, "{word}(")?;
                types(f, members)?;
                f.write_str(if members.len() == 1 && word.is_empty() {
                    ",)"
                } else {
                    ")"
                })
            }
            Type::Fn(args, result) => {
                f.write_str("fn(")?;
                types(f, args)?;
                write!(f, ") -> {result}")
            }
            Type::Adt(name, args) => {
                let word = if could_be_dims(args) { "type " } else { "" };
                write!(f, "{name}[{word}")?;
                types(f, args)?;
                f.write_str("]")
            }
        }
    }
}

impl Display for DimItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            DimItem::Hole => f.write_str("?"),
            DimItem::Dim(dim) => dim.fmt(f),
            DimItem::Run(name) => run(f, name.as_ref()),
        }
    }
}

impl Display for Content {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Content::Hole => f.write_str("?"),
            Content::Dim(number) => number.fmt(f),
            Content::Bool(bool) => bool.fmt(f),
            Content::Float(float) => float.fmt(f),
            Content::Text(text) => text::write(f, text),
        }
    }
}
