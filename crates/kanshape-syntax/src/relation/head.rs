//! What the heads of clauses and operators may look like, beyond what the grammar says.

use std::collections::BTreeMap;

use super::failure::Read;
use super::{Clause, Formal, NewType, Op};
use crate::code;
use crate::problem::{self, refuse};
use crate::tree::{Ident, Span, Spanned};

/// A goal with this name is no call, so no relation can have it.
pub(crate) const KNOWN: &str = "known";

/// A name with dots in it.
pub(crate) fn dotted(first: Ident, rest: Vec<Ident>, at: Span) -> Ident {
    let words = std::iter::once(first).chain(rest).map(|word| word.node);
    Spanned::new(words.collect::<Vec<_>>().join(".").into(), at)
}

/// The domain and the name of an operator in `domain::name`.
pub(crate) fn qualified(written: &str, at: Span) -> (Option<Ident>, Ident) {
    match written.rsplit_once("::") {
        Some((domain, name)) => {
            let middle = at.start + domain.len();
            let domain = Spanned::new(domain.into(), Span::new(at.start, middle));
            let name = Spanned::new(name.into(), Span::new(middle + "::".len(), at.end));
            (Some(domain), name)
        }
        None => (None, Spanned::new(written.into(), at)),
    }
}

/// A clause with a name that a relation can have.
pub(crate) fn clause<'i>(clause: Clause, at: Span) -> Read<'i, Spanned<Clause>> {
    if &*clause.name.node == KNOWN {
        return Err(refuse(
            problem::new(
                code::RESERVED,
                "`known` is a word of the language",
                clause.name.span,
                "expected a name",
            )
            .with_help("take another name"),
        ));
    }
    Ok(Spanned::new(clause, at))
}

/// A type whose arguments can be distinguished.
pub(crate) fn new_type<'i>(ty: NewType, at: Span) -> Read<'i, Spanned<NewType>> {
    let mut seen = BTreeMap::new();
    for name in &ty.params {
        if let Some(first) = seen.insert(&name.node, name.span) {
            let headline = format!("two arguments are called `{}`", problem::brief(&name.node));
            return Err(refuse(
                problem::new(code::DECLARED_TWICE, headline, name.span, "here again")
                    .with_label(first.into(), "first here"),
            ));
        }
    }
    Ok(Spanned::new(ty, at))
}

/// An operator whose attributes and operands can be distinguished.
pub(crate) fn op<'i>(op: Op, at: Span) -> Read<'i, Spanned<Op>> {
    for formals in [&op.inputs, &op.outputs] {
        variadic_last(formals)?;
    }
    let attrs = op.attrs.iter().map(|attr| &attr.name);
    let formals = op.inputs.iter().chain(&op.outputs);
    let mut seen = BTreeMap::new();
    for name in attrs.chain(formals.map(|formal| &formal.name)) {
        if let Some(first) = seen.insert(&name.node, name.span) {
            let headline = format!(
                "two attributes or operands are called `{}`",
                problem::brief(&name.node)
            );
            return Err(refuse(
                problem::new(code::DECLARED_TWICE, headline, name.span, "here again")
                    .with_label(first.into(), "first here")
                    .with_help("where two of them are the same, the body says so: `y = x`"),
            ));
        }
    }
    Ok(Spanned::new(op, at))
}

fn variadic_last<'i>(formals: &[Formal]) -> Read<'i, ()> {
    let Some((last, before)) = formals.split_last() else {
        return Ok(());
    };
    match before.iter().find(|formal| formal.variadic) {
        None => Ok(()),
        Some(variadic) => Err(refuse(
            problem::new(
                code::NOT_LAST,
                format!(
                    "`..{}` is all operands from here on",
                    problem::brief(&variadic.name.node)
                ),
                last.name.span,
                "none is left for this",
            )
            .with_label(variadic.name.span.into(), "expected at the end")
            .with_help("write it last: what stands before it is always there"),
        )),
    }
}
