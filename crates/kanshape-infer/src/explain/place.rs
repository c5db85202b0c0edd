//! Where in the text of a signature, or of an operator's rule, the things are that facts are about.

use super::fact::{Argument, FactId, FactKind, part};
use crate::Query;
use kanshape_diag::Source;
use kanshape_rules::rules::CallArg;
use kanshape_syntax::relation::{Element, Formal, Op, Pattern as Operand, Term};
use kanshape_syntax::tree::{DimItem, Expr, Item, Pattern, Signature, Span, Type};
use kanshape_types::Shape;

/// A place in the text.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) span: Span,
    /// What the size there is called; none if it has no name, or the place is more than one dim.
    pub(super) name: Option<Box<str>>,
    /// It is the very dim, and not the operand or the run that has it.
    pub(super) exact: bool,
}

impl Mark {
    fn around(span: Span) -> Mark {
        Mark {
            span,
            name: None,
            exact: false,
        }
    }
}

/// The text that a query is about, and what stands where in it.
pub(super) struct Text {
    pub(super) source: Source,
    /// Inputs and then outputs.
    operands: Vec<WrittenOperand>,
    params: Vec<(Box<str>, Span)>,
    attrs: Vec<(Box<str>, Span)>,
}

/// An operand as it is written.
struct WrittenOperand {
    span: Span,
    dtype: Option<Span>,
    /// Its dims, if it is a pattern of some.
    items: Option<Vec<WrittenDim>>,
    /// Dims in front of those are here.
    prefix: Option<Span>,
}

/// A dim of a pattern, or a run.
struct WrittenDim {
    span: Span,
    name: Option<Box<str>>,
    is_run: bool,
    is_optional: bool,
}

impl Text {
    pub(super) fn of(query: &Query) -> Text {
        match query.subject.called() {
            None => of_signature(query),
            Some(operator) => {
                let source = Source {
                    name: operator.full_name(),
                    text: operator.text().into(),
                };
                of_operator(query, source, operator.parts().written())
            }
        }
    }

    /// Where the thing is that a fact is about.
    pub(super) fn mark(&self, query: &Query, spot: &FactId) -> Option<Mark> {
        let i = match spot.at {
            Argument::Operand(i) => i,
            Argument::Param(i) => return named(&self.params, &query.params.get(i)?.0),
            Argument::Attr(i) => return named(&self.attrs, &query.attrs.get(i)?.0),
            Argument::Given(_) => return None,
        };
        let written = self.operands.get(i)?;
        let whole = Some(Mark::around(written.span));
        match spot.about {
            FactKind::Dtype if spot.part.is_empty() => {
                Some(Mark::around(written.dtype.unwrap_or(written.span)))
            }
            FactKind::Dim(axis) if spot.part.is_empty() => {
                let shape = part(query.operand(i), &spot.part).and_then(|ty| ty.as_tensor());
                let items = written.items.as_ref();
                let found = shape
                    .zip(items)
                    .and_then(|(tensor, items)| find(items, written.prefix, &tensor.shape, axis));
                found.or(whole)
            }
            _ => whole,
        }
    }
}

fn named(places: &[(Box<str>, Span)], name: &str) -> Option<Mark> {
    let found = places.iter().find(|place| *place.0 == *name);
    found.map(|place| Mark::around(place.1))
}

/// Which of the items of a pattern a dim of a shape is.
fn find(items: &[WrittenDim], prefix: Option<Span>, shape: &Shape, axis: usize) -> Option<Mark> {
    let (before, count) = match shape.run() {
        None => (shape.known_dims().len(), shape.known_dims().len()),
        Some(run) => (run.at, shape.known_dims().len()),
    };
    let left = (axis < before).then_some(axis);
    let right = (shape.run().is_none() || axis >= before).then(|| count - 1 - axis);
    let mut items: Vec<&WrittenDim> = items.iter().collect();
    let run = items.iter().position(|item| item.is_run);
    let item = match run {
        Some(at) => {
            let behind = items.len() - 1 - at;
            match (left, right) {
                (_, Some(right)) if right < behind => items[items.len() - 1 - right],
                (Some(left), _) if left < at => items[left],
                _ => items[at],
            }
        }
        None => {
            // The optional dims that are missing are missing from the left.
            if let Some(rank) = shape.rank() {
                while items.len() > rank {
                    let missing = items.iter().position(|item| item.is_optional)?;
                    items.remove(missing);
                }
            }
            match (right, left) {
                (Some(right), _) if right < items.len() => items[items.len() - 1 - right],
                (Some(_), _) => return prefix.map(Mark::around),
                (None, Some(left)) if prefix.is_none() => *items.get(left)?,
                _ => return None,
            }
        }
    };
    Some(Mark {
        span: item.span,
        name: item.name.clone(),
        exact: !item.is_run,
    })
}

fn of_signature(query: &Query) -> Text {
    let signature = query.signature();
    let signature = signature.as_ref();
    let (text, tree) = match signature.and_then(crate::Signature::text) {
        Some(text) => (text.to_owned(), signature.map(|s| s.tree().clone())),
        None => {
            let text = signature.map_or_else(String::new, ToString::to_string);
            let tree = kanshape_syntax::parse_signature(&text).ok();
            (text, tree)
        }
    };
    let tree = tree.unwrap_or_default();
    let Signature {
        params,
        prefix,
        inputs,
        outputs,
        ..
    } = &tree;
    let prefix = prefix.as_ref().map(|prefix| prefix.span);
    let operands = inputs.iter().chain(outputs).map(|operand| WrittenOperand {
        span: operand.span,
        dtype: match (&operand.dtype, &operand.pattern) {
            (Some(dtype), _) => Some(dtype.span),
            (None, Pattern::Type(ty)) => match &ty.node {
                Type::Tensor { dtype, .. } => Some(dtype.span),
                _ => None,
            },
            (None, Pattern::Shape(_)) => None,
        },
        items: match &operand.pattern {
            Pattern::Shape(items) => Some(items.iter().map(|i| item(&i.node, i.span)).collect()),
            Pattern::Type(ty) => match &ty.node {
                Type::Tensor { shape, .. } => {
                    Some(shape.iter().map(|i| dim_item(&i.node, i.span)).collect())
                }
                _ => None,
            },
        },
        // It speaks of patterns alone.
        prefix: prefix.filter(|_| matches!(operand.pattern, Pattern::Shape(_))),
    });
    let params = params
        .iter()
        .map(|p| (p.label.node.clone(), p.label.span.to(p.name.span)));
    Text {
        source: Source {
            name: match &query.labels {
                Some(labels) => labels.source.to_string(),
                None => "signature".into(),
            },
            text,
        },
        operands: operands.collect(),
        params: params.collect(),
        attrs: Vec::new(),
    }
}

fn item(item: &Item, span: Span) -> WrittenDim {
    let name = match item {
        Item::Dim(Expr::Name(name))
        | Item::Optional(Expr::Name(name))
        | Item::OrOne(Expr::Name(name)) => Some(name.node.clone()),
        _ => None,
    };
    WrittenDim {
        span,
        name,
        is_run: matches!(item, Item::Run(_) | Item::Skip(_) | Item::SkipNamed(_)),
        is_optional: matches!(item, Item::Optional(_)),
    }
}

/// A dim of an operand that is a type.
fn dim_item(item: &DimItem, span: Span) -> WrittenDim {
    let name = match item {
        DimItem::Dim(Expr::Name(name)) => Some(name.node.clone()),
        _ => None,
    };
    WrittenDim {
        span,
        name,
        is_run: matches!(item, DimItem::Run(_)),
        is_optional: false,
    }
}

fn of_operator(query: &Query, source: Source, op: Option<&Op>) -> Text {
    let mut text = Text {
        source,
        operands: Vec::new(),
        params: Vec::new(),
        attrs: Vec::new(),
    };
    let Some(op) = op else {
        return text;
    };
    text.attrs = op
        .attrs
        .iter()
        .map(|a| (a.name.node.clone(), a.name.span))
        .collect();
    let formals: Vec<&Formal> = op.inputs.iter().chain(&op.outputs).collect();
    let mut operands: Vec<Option<WrittenOperand>> = Vec::new();
    operands.resize_with(query.inputs.len() + query.outputs.len(), || None);
    for (formal, arg) in formals.iter().zip(operand_args(query)) {
        let all: &[usize] = match arg {
            CallArg::Type(i) | CallArg::Present(i) | CallArg::Open(i) => std::slice::from_ref(i),
            CallArg::Types(all) => all,
            CallArg::Absent | CallArg::Rest | CallArg::Attr(_) | CallArg::Param(_) => &[],
        };
        for i in all {
            if let Some(place) = operands.get_mut(*i) {
                *place = Some(of_formal(formal));
            }
        }
    }
    let name = op.name.span;
    let unknown = || WrittenOperand {
        span: name,
        dtype: None,
        items: None,
        prefix: None,
    };
    text.operands = operands
        .into_iter()
        .map(|o| o.unwrap_or_else(unknown))
        .collect();
    text
}

/// What an operator is called with, behind its attributes.
pub(super) fn operand_args(query: &Query) -> impl Iterator<Item = &CallArg> {
    let args = query.subject.args.iter();
    args.filter(|arg| !matches!(arg, CallArg::Attr(_) | CallArg::Param(_)))
}

fn of_formal(formal: &Formal) -> WrittenOperand {
    let mut written = WrittenOperand {
        span: formal.name.span,
        dtype: None,
        items: None,
        prefix: None,
    };
    let Some(pattern) = &formal.pattern else {
        return written;
    };
    written.span = written.span.to(pattern.span);
    if let Operand::Tensor { dtype, dims } = &pattern.node {
        written.dtype = Some(dtype.span);
        let mut items = Vec::with_capacity(dims.len());
        for dim in dims {
            let (span, name, is_run) = match dim {
                Element::One(term) => match &term.node {
                    Term::Name(name) => (term.span, Some(name.node.clone()), false),
                    _ => (term.span, None, false),
                },
                Element::Rest(Some(term)) => (term.span, None, true),
                Element::Rest(None) => (pattern.span, None, true),
            };
            items.push(WrittenDim {
                span,
                name,
                is_run,
                is_optional: false,
            });
        }
        written.items = Some(items);
    }
    written
}
