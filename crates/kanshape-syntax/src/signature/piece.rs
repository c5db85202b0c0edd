//! Lists that hold dims or types, which only the whole list tells: `T[n]`, `List[f32[2]]`,
//! `(2, n)`, `(n, f32[2])`.
//!
//! A name and a `?` are dims as long as no other member is a type for sure.

use crate::code;
use crate::problem::{self, refuse};
use crate::signature::check;
use crate::signature::failure::{Failure, Read};
use crate::tree::{DimItem, DtypeExpr, Expr, Ident, Span, Spanned, Type};

/// `Tensor[...]` is a shape and a dtype, so nothing else can have this name before brackets.
const TENSOR: &str = "Tensor";
/// How a tensor is written with it.
const OF_RELAY: &str = "write `Tensor[(2, n), float32]`";

/// A member of such a list.
pub(crate) enum Piece {
    /// `n`, `2*k`.
    Dim(Expr),
    /// `?`.
    Hole,
    /// `...` or `...r`.
    Run(Option<Ident>),
    /// What is a type for sure.
    Type(Box<Type>),
}

/// Such a list.
#[derive(Default)]
pub(crate) struct Pieces {
    pub(crate) list: Vec<Spanned<Piece>>,
    /// Whether a comma stands behind the last.
    pub(crate) comma: bool,
}

impl Pieces {
    /// Whether these are types, as one of them is.
    fn are_types(&self) -> bool {
        let mut pieces = self.list.iter();
        pieces.any(|piece| matches!(piece.node, Piece::Type(_)))
    }
}

/// What stands before brackets.
pub(crate) enum Head {
    /// A dtype, or the name of an ADT.
    Name(Ident),
    Dtype(DtypeExpr),
}

/// `f32[2, n]`, `List[f32[2]]`, `Tensor[(2, n), float32]`.
pub(crate) fn bracketed<'i>(text: &str, head: Spanned<Head>, pieces: Pieces) -> Read<'i, Type> {
    if matches!(&head.node, Head::Name(name) if &*name.node == TENSOR) {
        return shape_then_dtype(text, head.span.start, pieces, head.span.end);
    }
    if pieces.are_types() {
        return Ok(Type::Adt(adt_name(head)?, types(text, pieces)?));
    }
    let dtype = match head.node {
        Head::Name(name) => DtypeExpr::Name(name),
        Head::Dtype(dtype) => dtype,
    };
    Ok(Type::Tensor {
        dtype: Spanned::new(dtype, head.span),
        shape: shape(pieces, "a type")?,
        contents: None,
    })
}

/// `List[type ?]`.
pub(crate) fn adt<'i>(
    text: &str,
    head: Spanned<Head>,
    first: Spanned<Type>,
    rest: Pieces,
) -> Read<'i, Type> {
    let mut args = types(text, rest)?;
    args.insert(0, first);
    Ok(Type::Adt(adt_name(head)?, args))
}

fn adt_name<'i>(head: Spanned<Head>) -> Read<'i, Ident> {
    match head.node {
        Head::Name(name) if &*name.node == TENSOR => Err(reserved(name.span)),
        Head::Name(name) => Ok(name),
        Head::Dtype(_) => Err(refuse(
            problem::new(
                code::NOT_A_DIM,
                "a tensor has dims in its brackets, not types",
                head.span,
                "a tensor of this dtype",
            )
            .with_help("the name of an ADT can have types in brackets: `List[f32[2]]`"),
        )),
    }
}

/// `(2, n)`, `(f32[2], n)`, `(f32[2])`.
pub(crate) fn parenthesised<'i>(
    text: &str,
    start: usize,
    pieces: Pieces,
    end: usize,
) -> Read<'i, Type> {
    if !pieces.are_types() {
        return Ok(unknown_dtype(
            Span::new(start, end),
            shape(pieces, "a type")?,
        ));
    }
    let tuple = pieces.comma;
    let mut types = types(text, pieces)?;
    match types.pop() {
        Some(only) if types.is_empty() && !tuple => Ok(only.node),
        last => {
            types.extend(last);
            Ok(Type::Tuple(types))
        }
    }
}

/// `(n)` where a type must stand: a shape of one dim.
pub(crate) fn one_dim(start: usize, dim: Spanned<Expr>, end: usize) -> Spanned<Type> {
    let span = Span::new(start, end);
    let item = Spanned::new(dim_item(dim.node), dim.span);
    Spanned::new(unknown_dtype(span, vec![item]), span)
}

/// `Tensor[(2, n), float32]`, `Tensor((2, n), float32)`.
pub(crate) fn shape_then_dtype<'i>(
    text: &str,
    start: usize,
    pieces: Pieces,
    end: usize,
) -> Read<'i, Type> {
    let at = Span::new(start, end);
    match <[_; 2]>::try_from(pieces.list) {
        Ok([shape, dtype]) => tensor(text, shape, dtype),
        Err(_) => Err(misused(at, "Tensor[(2, n), float32]")),
    }
}

/// `TensorType(float64, (2, None))`.
pub(crate) fn dtype_then_shape<'i>(
    text: &str,
    start: usize,
    pieces: Pieces,
    end: usize,
) -> Read<'i, Type> {
    let at = Span::new(start, end);
    match <[_; 2]>::try_from(pieces.list) {
        Ok([dtype, shape]) => tensor(text, shape, dtype),
        Err(_) => Err(misused(at, "TensorType(float64, (2, n))")),
    }
}

fn misused<'i>(at: Span, usage: &str) -> Failure<'i> {
    refuse(
        problem::new(code::BAD_ARGUMENT, "this takes a shape and a dtype", at, "")
            .with_help(format!("write `{usage}`")),
    )
}

fn tensor<'i>(text: &str, shape: Spanned<Piece>, dtype: Spanned<Piece>) -> Read<'i, Type> {
    let dims = match shape.node {
        Piece::Type(ty) if in_parens(text, shape.span) => match *ty {
            Type::Tensor { shape: dims, .. } => dims,
            _ => return Err(no_shape(shape.span)),
        },
        // Relay takes the one dim of a vector without parentheses as well.
        Piece::Dim(dim) => vec![Spanned::new(dim_item(dim), shape.span)],
        _ => return Err(no_shape(shape.span)),
    };
    let name = match dtype.node {
        Piece::Dim(Expr::Name(name)) => dtype_name(name)?,
        Piece::Hole => DtypeExpr::Hole,
        _ => {
            let d = problem::new(code::UNEXPECTED, "here a dtype must stand", dtype.span, "");
            return Err(refuse(d.with_help(OF_RELAY)));
        }
    };
    Ok(Type::Tensor {
        dtype: Spanned::new(name, dtype.span),
        shape: dims,
        contents: None,
    })
}

/// A dtype by its name.
pub(crate) fn dtype_name<'i>(name: Ident) -> Read<'i, DtypeExpr> {
    if &*name.node == TENSOR {
        return Err(reserved(name.span));
    }
    Ok(DtypeExpr::Name(name))
}

fn reserved<'i>(at: Span) -> Failure<'i> {
    refuse(
        problem::new(
            code::UNEXPECTED,
            "in types `Tensor` names nothing but tensors",
            at,
            "",
        )
        .with_help(OF_RELAY),
    )
}

fn no_shape<'i>(at: Span) -> Failure<'i> {
    refuse(
        problem::new(code::NOT_A_DIM, "here a shape must stand", at, "")
            .with_help("a shape is a list of dims in parentheses: `(2, n)`"),
    )
}

fn unknown_dtype(at: Span, shape: Vec<Spanned<DimItem>>) -> Type {
    Type::Tensor {
        dtype: Spanned::new(DtypeExpr::Hole, at),
        shape,
        contents: None,
    }
}

/// The list of dims that a run is compared with: `[2, n, ...]`.
pub(crate) fn list<'i>(pieces: Pieces) -> Read<'i, Expr> {
    let items = shape(pieces, "a list")?;
    check::list(&items).map_err(|d| refuse(*d))?;
    Ok(Expr::List(items))
}

/// The dims of `what`.
fn shape<'i>(pieces: Pieces, what: &str) -> Read<'i, Vec<Spanned<DimItem>>> {
    let mut run = None;
    let mut shape = Vec::with_capacity(pieces.list.len());
    for Spanned { node, span } in pieces.list {
        let item = match node {
            Piece::Dim(dim) => dim_item(dim),
            Piece::Hole => DimItem::Hole,
            Piece::Run(name) => {
                if let Some(first) = run.replace(span) {
                    return Err(refuse(
                        problem::new(
                            code::TWO_RUNS,
                            format!("{what} can have one run of dims"),
                            span,
                            "a second run",
                        )
                        .with_label(first.into(), "the first")
                        .with_help("the dims that are known to be there are written one by one"),
                    ));
                }
                DimItem::Run(name)
            }
            Piece::Type(_) => return Err(refuse(not_a_type(span, "this is a type, not a dim"))),
        };
        shape.push(Spanned::new(item, span));
    }
    Ok(shape)
}

/// `None` is Python's `?`.
pub(crate) fn dim_item(dim: Expr) -> DimItem {
    match dim {
        Expr::Name(name) if &*name.node == "None" => DimItem::Hole,
        dim => DimItem::Dim(dim),
    }
}

fn types<'i>(text: &str, pieces: Pieces) -> Read<'i, Vec<Spanned<Type>>> {
    let pieces = pieces.list.into_iter();
    pieces.map(|piece| as_type(text, piece)).collect()
}

/// The parser moves types about in boxes; a list of them needs none.
#[expect(clippy::vec_box, reason = "this is where the boxes go")]
pub(crate) fn unboxed(types: Vec<Box<Spanned<Type>>>) -> Vec<Spanned<Type>> {
    types.into_iter().map(|ty| *ty).collect()
}

fn as_type<'i>(text: &str, piece: Spanned<Piece>) -> Read<'i, Spanned<Type>> {
    let at = piece.span;
    let ty = match piece.node {
        Piece::Type(ty) => *ty,
        Piece::Hole => Type::Hole,
        // The tree has no parentheses of an expression; the text has.
        Piece::Dim(dim @ (Expr::Name(_) | Expr::Int(_) | Expr::Nominal(_)))
            if in_parens(text, at) =>
        {
            unknown_dtype(at, vec![Spanned::new(dim_item(dim), at)])
        }
        Piece::Dim(Expr::Name(name)) => Type::Name(name),
        Piece::Dim(_) => return Err(refuse(not_a_type(at, "this is a dim, not a type"))),
        Piece::Run(_) => return Err(refuse(not_a_type(at, "this is a run of dims, not a type"))),
    };
    Ok(Spanned::new(ty, at))
}

fn in_parens(text: &str, at: Span) -> bool {
    text.as_bytes().get(at.start) == Some(&b'(')
}

fn not_a_type(at: Span, headline: &str) -> kanshape_diag::Diagnostic {
    problem::new(code::NOT_A_TYPE, headline, at, "")
        .with_help("a list holds either dims, `(2, n)`, or types, `(f32[2], i64[])`")
}
