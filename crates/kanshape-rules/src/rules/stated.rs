//! Contents that a goal states as a list: the tensor has as many elements as the list has members.
//!
//! The contents of a given type fit its dims already, and contents that are not known can't disagree with them. A goal in an
//! alternative, or behind `known`, may not hold: from it nothing follows for the operand.

use super::rule::{Number, Step, Value};
use kanshape_syntax::relation::{Element, Formal, Goal, Op, Pattern, Term};
use kanshape_syntax::tree::{CmpOp, Ident, Span, Spanned};

/// The operand with a name for each of its dims, if a goal states its contents as a list: [`as_many`] needs the names.
pub(super) fn named(op: &Op, formal: &Formal) -> Option<Formal> {
    let contents = formal.contents.as_ref().filter(|_| !formal.optional)?;
    if is_scalar(formal) || !states(&op.body.node, &contents.node) {
        return None;
    }
    let mut formal = formal.clone();
    let pattern = formal.pattern.as_mut()?;
    let span = pattern.span;
    if let Pattern::Tensor { dims, .. } = &mut pattern.node {
        for (i, dim) in dims.iter_mut().enumerate() {
            let name = || Term::Name(hidden(&contents.node, i, span));
            match dim {
                Element::Rest(None) => *dim = Element::Rest(Some(Spanned::new(name(), span))),
                Element::One(one) if one.node == Term::Any => one.node = name(),
                _ => {}
            }
        }
    }
    Some(formal)
}

/// That such an operand, by its pattern, has as many elements as its contents have members.
pub(super) fn as_many(pattern: &Value) -> Option<Step> {
    let Value::Tensor(parts) = pattern else {
        return None;
    };
    let [shape, _, contents] = &**parts;
    let elements = Value::Number(Box::new(Number::Product(shape.clone())));
    let members = Value::Number(Box::new(Number::Length(contents.clone())));
    Some(Step::Compare(elements, CmpOp::Eq, members))
}

/// A name that no text has.
fn hidden(contents: &str, i: usize, span: Span) -> Ident {
    Spanned::new(format!("\u{1}{contents}{i}").into(), span)
}

/// It has one element.
fn is_scalar(formal: &Formal) -> bool {
    let pattern = formal.pattern.as_ref().map(|pattern| &pattern.node);
    matches!(pattern, Some(Pattern::Tensor { dims, .. }) if dims.is_empty())
}

/// Whether a goal equates this name with a list.
fn states(goal: &Goal, name: &str) -> bool {
    let is_it = |term: &Spanned<Term>| matches!(&term.node, Term::Name(own) if *own.node == *name);
    let is_list = |term: &Spanned<Term>| matches!(term.node, Term::List(_));
    match goal {
        Goal::All(goals) => goals.iter().any(|goal| states(&goal.node, name)),
        Goal::Compare(first, rest) => {
            let all_equal = rest.iter().all(|(op, _)| *op == CmpOp::Eq);
            let terms = || std::iter::once(first).chain(rest.iter().map(|(_, term)| term));
            all_equal && terms().any(is_it) && terms().any(is_list)
        }
        Goal::True | Goal::False | Goal::Any(..) | Goal::Known(..) => false,
        Goal::Call(..) | Goal::Signature(..) | Goal::In(..) | Goal::Class(..) => false,
    }
}
