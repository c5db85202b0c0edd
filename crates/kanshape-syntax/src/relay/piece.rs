//! What the actions of the grammar make of what they have read.

use lalrpop_util::ParseError;

use super::failure::Read;
use super::literal::{self, Literal, LiteralKind};
use super::{Attr, AttrValue, Dim, Expr, ExprId, Float, Param, Program, Relation, Type};
use crate::problem::{self, refuse};
use crate::tree::{Expr as DimExpr, Ident, Span, Spanned};
use crate::{code, parse_expr};

pub(crate) fn ident(name: &str, start: usize, end: usize) -> Ident {
    Spanned::new(name.into(), Span::new(start, end))
}

/// `0.0.5` of `#[version = "0.0.5"]`.
pub(crate) fn version(word: &str) -> Box<str> {
    word.split('"').nth(1).unwrap_or_default().into()
}

pub(crate) fn list<T>(first: T, rest: Vec<T>) -> Vec<T> {
    let mut all = vec![first];
    all.extend(rest);
    all
}

pub(crate) fn params(all: Vec<Result<Param, Attr>>) -> (Vec<Param>, Vec<Attr>) {
    split(all)
}

fn split<T>(all: Vec<Result<T, Attr>>) -> (Vec<T>, Vec<Attr>) {
    let (mut args, mut attrs) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Ok(arg) => args.push(arg),
            Err(attr) => attrs.push(attr),
        }
    }
    (args, attrs)
}

pub(crate) fn number<'i>(n: &str, minus: bool, l: usize, r: usize) -> Read<'i, AttrValue> {
    let literal = literal::read(n, minus, Span::new(l, r));
    let literal = literal.map_err(|error| ParseError::User { error })?;
    Ok(match literal.kind {
        LiteralKind::Int(n) => AttrValue::Int(n),
        LiteralKind::Float(n) => AttrValue::Float(n),
        LiteralKind::Bool(b) => AttrValue::Bool(b),
    })
}

pub(crate) fn word(name: &str) -> AttrValue {
    match name {
        "None" => AttrValue::None,
        "inf" | "nan" => AttrValue::Float(Float::of_word(name).unwrap_or(Float::new(0.0))),
        name => AttrValue::Word(name.into()),
    }
}

pub(crate) fn literal<'i>(
    program: &mut Program,
    n: &str,
    minus: bool,
    l: usize,
    r: usize,
) -> Read<'i, ExprId> {
    let at = Span::new(l, r);
    let literal = literal::read(n, minus, at).map_err(|error| ParseError::User { error })?;
    Ok(program.add(Expr::Literal(literal), at))
}

pub(crate) fn truth(program: &mut Program, value: bool, l: usize, r: usize) -> ExprId {
    let literal = Literal {
        kind: LiteralKind::Bool(value),
        dtype: "bool",
    };
    program.add(Expr::Literal(literal), Span::new(l, r))
}

/// The callee of a call with type arguments.
pub(crate) fn generic(program: &mut Program, name: &str, l: usize, r: usize) -> ExprId {
    let at = Span::new(l, r.saturating_sub(1));
    match name.strip_prefix('@') {
        Some(global) => program.add(Expr::Global(global.into()), at),
        None => program.add(Expr::Name(name.into()), at),
    }
}

/// A call, or what is written as one.
pub(crate) fn call(
    program: &mut Program,
    callee: ExprId,
    type_args: Vec<Spanned<Type>>,
    args: Vec<Result<ExprId, Attr>>,
    at: Span,
) -> ExprId {
    let (args, attrs) = split(args);
    let word = match program.expr(callee) {
        Expr::Name(name) if attrs.is_empty() && type_args.is_empty() => &**name,
        _ => "",
    };
    let node = match (word, args.as_slice()) {
        ("ref", &[value]) => Expr::RefNew(value),
        ("ref_read", &[reference]) => Expr::RefRead(reference),
        ("ref_write", &[reference, value]) => Expr::RefWrite(reference, value),
        _ => Expr::Call {
            callee,
            type_args,
            args,
            attrs,
        },
    };
    program.add(node, at)
}

/// `e.0`; `e.0.1` has a number with a point.
pub(crate) fn project<'i>(
    program: &mut Program,
    of: ExprId,
    digits: &str,
    l: usize,
    start: usize,
    end: usize,
) -> Read<'i, ExprId> {
    let mut of = of;
    for part in digits.split('.') {
        let index = crate::number::read(start, part, end)?;
        of = program.add(Expr::Project(of, index), Span::new(l, end));
    }
    Ok(of)
}

pub(crate) fn relation(name: Ident, args: Vec<Result<Spanned<Type>, Attr>>) -> Relation {
    let (args, attrs) = split(args);
    Relation {
        name,
        args: Some(args),
        attrs,
    }
}

/// `ref(T)`, or a relation where a type stands.
pub(crate) fn applied<'i>(name: Ident, args: Vec<Result<Spanned<Type>, Attr>>) -> Read<'i, Type> {
    if &*name.node != "ref" {
        return Ok(Type::Relation(Box::new(relation(name, args))));
    }
    match split(args) {
        (mut args, attrs) if args.len() == 1 && attrs.is_empty() => {
            Ok(Type::Ref(Box::new(args.remove(0))))
        }
        _ => Err(refuse(problem::new(
            code::BAD_ARGUMENT,
            "`ref` takes one type",
            name.span,
            "",
        ))),
    }
}

pub(crate) fn field_relation(
    name: Ident,
    field: &str,
    args: Vec<Result<Spanned<Type>, Attr>>,
) -> Type {
    let name = Spanned::new(format!("{}:{field}", name.node).into(), name.span);
    Type::Relation(Box::new(relation(name, args)))
}

/// `n + -2` as `n   -2`: Relay adds negative numbers.
fn without_signs(text: &str) -> String {
    let is_sum = |(at, c): (usize, char)| match c {
        '+' if text[at + 1..].trim_start().starts_with('-') => ' ',
        c => c,
    };
    text.char_indices().map(is_sum).collect()
}

/// The size that is written from `l` to `r`.
/// A size as a type argument.
pub(crate) fn size<'i>(input: &str, l: usize, r: usize) -> Read<'i, DimExpr> {
    match dim(input, l, r, "")? {
        Dim::Expr(size) => Ok(size),
        // No other is written so.
        Dim::Any | Dim::Rest(_) => Ok(DimExpr::Int(0)),
    }
}

/// Type arguments in brackets: a shape, if one of them is a size, a tuple otherwise.
pub(crate) fn in_brackets<'i>(
    mut parts: Vec<Spanned<Type>>,
    has_comma: bool,
    l: usize,
    r: usize,
) -> Read<'i, Type> {
    if !parts.iter().any(|part| matches!(part.node, Type::Size(_))) {
        return Ok(match (parts.len(), has_comma) {
            (1, false) => parts.remove(0).node,
            _ => Type::Tuple(parts),
        });
    }
    let dims = parts.into_iter().map(|part| match part.node {
        Type::Size(size) => Ok(Spanned::new(Dim::Expr(size), part.span)),
        Type::Name(name) => Ok(Spanned::new(Dim::Expr(DimExpr::Name(name)), part.span)),
        Type::Hole => Ok(Spanned::new(Dim::Any, part.span)),
        _ => Err(refuse(problem::new(
            code::BAD_ARGUMENT,
            "a shape is made of sizes",
            Span::new(l, r),
            "",
        ))),
    });
    Ok(Type::Shape(dims.collect::<Result<_, _>>()?))
}

pub(crate) fn dim<'i>(input: &str, l: usize, r: usize, _: &str) -> Read<'i, Dim> {
    let written = input.get(l..r).unwrap_or_default();
    // Most sizes are a number or a name.
    if written.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(Dim::Expr(DimExpr::Int(crate::number::read(l, written, r)?)));
    }
    if written
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_')
    {
        return Ok(Dim::Expr(DimExpr::Name(ident(written, l, r))));
    }
    // The names of rigid parameters are names.
    let plain = without_signs(&written.replace('\'', " "));
    match parse_expr(&plain) {
        Ok(e) => Ok(Dim::Expr(e)),
        Err(mut d) => {
            d.source = None;
            for label in &mut d.labels {
                label.start += l;
                label.end += l;
            }
            Err(refuse(d))
        }
    }
}
