//! What of a signature can't hold, whatever is given: a minimal unsatisfiable core of what is written in it.

use kanshape_diag::Label;
use kanshape_syntax::tree::{self, DimItem, Expr, Item, Operand, Pattern, Span, Spanned, Type};

use crate::limits::{CORE_STEPS, MAX_CORE_QUERIES};
use crate::solve::answers::Answers;
use crate::{Query, Signature};

/// Something that is written in a signature, and can be left out of it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LeftOut {
    /// This condition, by number.
    Condition(usize),
    /// This relation, by number.
    Relation(usize),
    /// The dtype of this operand: inputs, then outputs.
    Dtype(usize),
    /// The dim of this operand, by number.
    Dim(usize, usize),
}

/// The places of a minimal core: without any one of them, the signature can hold. None if it can hold as it is, or if that was
/// not found out.
pub(super) fn labels(query: &Query) -> Vec<Label> {
    let Some(signature) = query.signature() else {
        return Vec::new();
    };
    let tree = signature.tree();
    let parts = parts(tree);
    if parts.len() > MAX_CORE_QUERIES || can_hold(query, tree, &[]) != Some(false) {
        return Vec::new();
    }
    let mut dropped: Vec<LeftOut> = Vec::new();
    let mut core: Vec<(LeftOut, Span)> = Vec::new();
    for (part, span) in parts {
        dropped.push(part);
        if can_hold(query, tree, &dropped) != Some(false) {
            dropped.pop();
            core.push((part, span));
        }
    }
    let text = |i: usize| match (core.as_slice(), i) {
        ([(LeftOut::Dim(..), _)], _) => "this is no size, whatever its names denote",
        ([_], _) => "this never holds",
        (_, 0) => "what is marked can't all hold",
        _ => "",
    };
    let label = |(i, (_, span)): (usize, &(LeftOut, Span))| Label {
        start: span.start,
        end: span.end,
        text: text(i).into(),
    };
    core.iter().enumerate().map(label).collect()
}

/// All parts with their places. They are dropped in this order, so a condition stays rather than a dim if either can.
fn parts(tree: &tree::Signature) -> Vec<(LeftOut, Span)> {
    let mut tree = tree.clone();
    let mut parts = Vec::new();
    for (i, operand) in tree.inputs.iter_mut().chain(&mut tree.outputs).enumerate() {
        if let Some(dtype) = &operand.dtype {
            parts.push((LeftOut::Dtype(i), dtype.span));
        }
        let mut number = 0;
        each_dim(operand, &mut |_, span| {
            parts.push((LeftOut::Dim(i, number), span));
            number += 1;
        });
    }
    let conditions = tree.conditions.iter().enumerate();
    parts.extend(conditions.map(|(i, condition)| (LeftOut::Condition(i), condition.span)));
    let relations = tree.relations.iter().enumerate();
    parts.extend(relations.map(|(i, relation)| (LeftOut::Relation(i), relation.span)));
    parts
}

/// Whether the signature without these parts holds of anything; none if that was not found out.
fn can_hold(query: &Query, tree: &tree::Signature, dropped: &[LeftOut]) -> Option<bool> {
    let is_kept = |part: LeftOut| !dropped.contains(&part);
    let mut rest = tree.clone();
    for (i, operand) in rest.inputs.iter_mut().chain(&mut rest.outputs).enumerate() {
        operand.dtype.take_if(|_| !is_kept(LeftOut::Dtype(i)));
        let mut number = 0;
        each_dim(operand, &mut |dim, _| {
            if !is_kept(LeftOut::Dim(i, number)) {
                // No text has a name with blanks in it.
                let name = format!("dim {number} of {i}");
                *dim = Expr::Name(Spanned::new(name.into(), Span::default()));
            }
            number += 1;
        });
    }
    let mut numbers = 0..;
    rest.conditions.retain(|_| {
        numbers
            .next()
            .is_none_or(|i| is_kept(LeftOut::Condition(i)))
    });
    let mut numbers = 0..;
    rest.relations
        .retain(|_| numbers.next().is_none_or(|i| is_kept(LeftOut::Relation(i))));
    let mut rest = Signature::from_tree(rest).ok()?.query();
    rest.promotion = query.promotion;
    rest.budget = query.budget.min(CORE_STEPS);
    Answers::are_there(&rest)
}

/// Calls `f` with each dim of an operand that is an expression, and its place.
fn each_dim(operand: &mut Operand, f: &mut dyn FnMut(&mut Expr, Span)) {
    match &mut operand.pattern {
        Pattern::Shape(items) => {
            for item in items {
                if let Item::Dim(dim) = &mut item.node {
                    f(dim, item.span);
                }
            }
        }
        Pattern::Type(ty) => each_dim_of_type(&mut ty.node, f),
    }
}

/// The same of a type. Its nesting is bounded by the parser.
fn each_dim_of_type(ty: &mut Type, f: &mut dyn FnMut(&mut Expr, Span)) {
    match ty {
        Type::Tensor { shape, .. } => {
            for item in shape {
                if let DimItem::Dim(dim) = &mut item.node {
                    f(dim, item.span);
                }
            }
        }
        Type::Tuple(parts) | Type::Adt(_, parts) => {
            for part in parts {
                each_dim_of_type(&mut part.node, f);
            }
        }
        Type::Fn(params, result) => {
            for part in params.iter_mut().chain([&mut **result]) {
                each_dim_of_type(&mut part.node, f);
            }
        }
        Type::Hole | Type::Name(_) => {}
    }
}
