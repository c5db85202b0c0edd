//! What of a signature can't hold, whatever is given: a core of what is written in it.

use kanshape_diag::Label;
use kanshape_syntax::tree::{self, Expr, Ident, Item, Pattern, Span, Spanned};

use crate::limits::{CORE_STEPS, MAX_CORE_QUERIES};
use crate::solve::answers::Answers;
use crate::{Query, Signature};

/// Something that is written in a signature, and can be left out of it.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// This condition, by number.
    Condition(usize),
    /// This relation, by number.
    Relation(usize),
    /// The dtype of this operand: inputs, then outputs.
    Dtype(usize),
    /// The dim of this operand, by number.
    Dim(usize, usize),
}

/// Places in the signature without any one of which it holds of something. None if nothing clashes in it alone, or it was
/// not found out.
pub(super) fn labels(query: &Query) -> Vec<Label> {
    let Some(signature) = query.signature() else {
        return Vec::new();
    };
    let tree = signature.tree();
    let mut dropped: Vec<Part> = Vec::new();
    let parts = parts(tree);
    if parts.len() > MAX_CORE_QUERIES || can_hold(query, tree, &dropped) != Some(false) {
        return Vec::new();
    }
    let mut core = Vec::new();
    for part in parts {
        dropped.push(part);
        if can_hold(query, tree, &dropped) != Some(false) {
            dropped.pop();
            core.push(part);
        }
    }
    let text = |first: bool, part: &Part| match (core.len(), part) {
        (1, Part::Dim(..)) => "this is no size, whatever its names denote",
        (1, _) => "this never holds",
        (_, _) if first => "what is marked can't all hold",
        _ => "",
    };
    let mut labels = Vec::new();
    for part in &core {
        if let Some(span) = span(tree, *part) {
            labels.push(Label {
                start: span.start,
                end: span.end,
                text: text(labels.is_empty(), part).into(),
            });
        }
    }
    labels
}

/// What can be left out, those first that there is most of.
fn parts(tree: &tree::Signature) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (i, operand) in tree.inputs.iter().chain(&tree.outputs).enumerate() {
        if operand.dtype.is_some() {
            parts.push(Part::Dtype(i));
        }
        if let Pattern::Shape(items) = &operand.pattern {
            let is_dim = |item: &Spanned<Item>| matches!(item.node, Item::Dim(_));
            let dims = (0..items.len()).filter(|at| is_dim(&items[*at]));
            parts.extend(dims.map(|at| Part::Dim(i, at)));
        }
    }
    parts.extend((0..tree.conditions.len()).map(Part::Condition));
    parts.extend((0..tree.relations.len()).map(Part::Relation));
    parts
}

/// Whether the signature without these parts holds of anything.
fn can_hold(query: &Query, tree: &tree::Signature, dropped: &[Part]) -> Option<bool> {
    let mut rest = tree.clone();
    let inputs = rest.inputs.len();
    for part in dropped {
        if let Part::Dtype(i) | Part::Dim(i, _) = part {
            let operand = match i.checked_sub(inputs) {
                None => rest.inputs.get_mut(*i),
                Some(i) => rest.outputs.get_mut(i),
            }?;
            match (part, &mut operand.pattern) {
                (Part::Dim(_, at), Pattern::Shape(items)) => {
                    items.get_mut(*at)?.node = Item::Dim(Expr::Name(fresh(*i, *at)));
                }
                _ => operand.dtype = None,
            }
        }
    }
    let is_dropped = |is: &dyn Fn(&Part) -> bool| dropped.iter().any(is);
    let mut number = 0..;
    rest.conditions.retain(|_| {
        let own = number.next();
        !is_dropped(&|part| matches!(part, Part::Condition(i) if Some(*i) == own))
    });
    let mut number = 0..;
    rest.relations.retain(|_| {
        let own = number.next();
        !is_dropped(&|part| matches!(part, Part::Relation(i) if Some(*i) == own))
    });
    let mut rest = Signature::from_tree(rest).ok()?.query();
    rest.budget = query.budget.min(CORE_STEPS);
    Answers::are_there(&rest)
}

/// A name that no text can have.
fn fresh(operand: usize, at: usize) -> Ident {
    Spanned::new(format!("dim {at} of {operand}").into(), Span::default())
}

fn span(tree: &tree::Signature, part: Part) -> Option<Span> {
    let operand = |i: usize| tree.inputs.iter().chain(&tree.outputs).nth(i);
    Some(match part {
        Part::Condition(i) => tree.conditions.get(i)?.span,
        Part::Relation(i) => tree.relations.get(i)?.span,
        Part::Dtype(i) => operand(i)?.dtype.as_ref()?.span,
        Part::Dim(i, at) => match &operand(i)?.pattern {
            Pattern::Shape(items) => items.get(at)?.span,
            Pattern::Type(_) => return None,
        },
    })
}
