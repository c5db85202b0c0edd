//! What the heads of clauses and operators may look like, beyond what the grammar says.

use std::collections::BTreeMap;

use super::failure::Read;
use super::{Attr, Clause, Element, Formal, Op, Term};
use crate::code;
use crate::problem::{self, refuse};
use crate::tree::{Ident, Sign, Span, Spanned};

/// A goal with this name is no call, so no relation can have it.
pub(crate) const KNOWN: &str = "known";

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

/// An operator whose attributes and operands can be told apart.
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
            .with_label(variadic.name.span.into(), "expected at the end"),
        )),
    }
}

/// `group: int = 1`.
pub(crate) fn default<'i>(name: Ident, kind: Ident, value: Spanned<Term>) -> Read<'i, Attr> {
    if !is_literal(&value.node) {
        let d = problem::new(
            code::NOT_LITERAL,
            "a default is a literal",
            value.span,
            "expected a value that is written out",
        );
        return Err(refuse(match value.node {
            Term::None => d.with_help(format!(
                "what may be left out is written `{}: {}?`",
                problem::brief(&name.node),
                problem::brief(&kind.node)
            )),
            _ => d.with_help("such as `-1`, `0.5`, `\"NOTSET\"`, `[1, 1]`, `true` or `f32`"),
        }));
    }
    Ok(Attr {
        name,
        kind,
        optional: false,
        default: Some(value),
    })
}

/// Whether it can be told what this is without knowing anything else. A name is a dtype's.
fn is_literal(term: &Term) -> bool {
    match term {
        Term::Name(_) | Term::Int(_) | Term::Float(_) | Term::Text(_) | Term::Bool(_) => true,
        Term::Sum(addends) => matches!(
            &addends[..],
            [(
                Sign::Minus,
                Spanned {
                    node: Term::Int(_) | Term::Float(_),
                    ..
                }
            )]
        ),
        Term::List(members) => members.iter().all(|member| match member {
            Element::One(member) => is_literal(&member.node),
            Element::Rest(_) => false,
        }),
        _ => false,
    }
}
