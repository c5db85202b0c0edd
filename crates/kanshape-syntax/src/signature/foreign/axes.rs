//! The axes of operands, whichever notation they are from, as a signature.

use super::Mistake;
use crate::signature::form;
use crate::tree::{
    CmpOp, Condition, Expr, Func, Ident, Item, MulOp, Operand, Param, Pattern, Prefix, PrefixKind,
    Signature, Span, Spanned,
};

/// One axis as it is written.
pub(crate) enum Axis {
    Name(Ident),
    One,
    /// `...`.
    Run,
    /// `(h w)`.
    Group(Vec<Spanned<Axis>>),
}

/// The axes of one operand.
pub(crate) struct Axes {
    pub(crate) list: Vec<Spanned<Axis>>,
    pub(crate) span: Span,
}

/// The axes of all operands.
pub(crate) struct Text {
    pub(crate) inputs: Vec<Axes>,
    pub(crate) outputs: Vec<Axes>,
}

/// What the sizes of axes of one name have to do with each other.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sizes {
    /// They are the same.
    Same,
    /// In one operand they are the same, and across operands they broadcast.
    Stretched,
}

const AXES_FROM: &str = "each axis of an output is one of an input";

impl Axes {
    /// The `...` among them.
    pub(crate) fn run(&self) -> Option<Span> {
        let mut axes = flat(&self.list).into_iter();
        axes.find(|axis| matches!(axis.node, Axis::Run))
            .map(|axis| axis.span)
    }

    /// The names among them, those in groups as well.
    pub(crate) fn names(&self) -> Vec<&Ident> {
        names(&self.list)
    }

    /// Whether a `...` is in front.
    fn starts_with_run(&self) -> bool {
        matches!(self.list.first(), Some(axis) if matches!(axis.node, Axis::Run))
    }
}

/// The axes with those of groups. Groups hold no groups.
fn flat(list: &[Spanned<Axis>]) -> Vec<&Spanned<Axis>> {
    let each = list.iter().flat_map(|axis| match &axis.node {
        Axis::Group(inner) => inner.iter().collect(),
        _ => vec![axis],
    });
    each.collect()
}

fn names(list: &[Spanned<Axis>]) -> Vec<&Ident> {
    let named = flat(list).into_iter();
    named
        .filter_map(|axis| match &axis.node {
            Axis::Name(name) => Some(name),
            _ => None,
        })
        .collect()
}

impl Text {
    /// The signature that says the same. Where the text may have `lengths`, the sizes of the parts of an input's groups and of new axes
    /// are parameters.
    pub(crate) fn signature(&self, sizes: Sizes, lengths: bool) -> Result<Signature, Mistake> {
        let known: Vec<&Ident> = self.inputs.iter().flat_map(Axes::names).collect();
        let of_outputs = || self.outputs.iter().flat_map(Axes::names);
        if !lengths && let Some(new) = of_outputs().find(|name| !known.contains(name)) {
            return Err(Mistake {
                headline: format!("no input has the axis `{}`", new.node),
                at: new.span,
                help: AXES_FROM,
            });
        }
        let mut params: Vec<Param> = Vec::new();
        if lengths {
            let groups = self.inputs.iter().flat_map(|axes| &axes.list);
            let parts = groups.filter_map(|axis| match &axis.node {
                Axis::Group(inner) => Some(names(inner)),
                _ => None,
            });
            let new = of_outputs().filter(|name| !known.contains(name));
            for name in parts.flatten().chain(new) {
                if params.iter().all(|param| param.name != *name) {
                    params.push(Param {
                        label: name.clone(),
                        name: name.clone(),
                    });
                }
            }
        }
        let runs = self.runs()?;
        let shared = match sizes {
            Sizes::Stretched => self.shared(),
            Sizes::Same => Vec::new(),
        };
        let operand = |axes: &Axes, run: Option<Ident>| {
            let items = axes
                .list
                .iter()
                .filter(|axis| !(matches!(runs, Runs::Prefix) && matches!(axis.node, Axis::Run)));
            Operand {
                pattern: Pattern::Shape(items.map(|axis| item(axis, run.as_ref())).collect()),
                dtype: None,
                span: axes.span,
            }
        };
        let input = |(i, axes): (usize, &Axes)| {
            let run = matches!(runs, Runs::Named).then(|| run_name(&format!("b{i}"), axes.span));
            let mut operand = operand(axes, run);
            if let Pattern::Shape(items) = &mut operand.pattern {
                for item in items {
                    if let Item::Dim(Expr::Name(name)) = &mut item.node
                        && shared.contains(&&*name)
                    {
                        *name = own_name(name, i, &known);
                    }
                }
            }
            operand
        };
        let output = |axes: &Axes| {
            let run = matches!(runs, Runs::Named).then(|| run_name("b", axes.span));
            operand(axes, run)
        };
        let prefix = matches!(runs, Runs::Prefix).then(|| Prefix {
            kind: PrefixKind::Broadcast,
            max: None,
            span: self
                .inputs
                .first()
                .map_or_else(Span::default, |axes| axes.span),
        });
        let inputs: Vec<Operand> = self.inputs.iter().enumerate().map(input).collect();
        let outputs: Vec<Operand> = self.outputs.iter().map(output).collect();
        let mut signature = *form::short(params, prefix, inputs, outputs);
        let stretched = shared.iter().map(|name| self.stretched(name, &known));
        signature.conditions.extend(stretched);
        if matches!(runs, Runs::Named) {
            signature.conditions.push(self.broadcast());
        }
        Ok(signature)
    }

    /// The names that are in several inputs, in their order. A part of a group has one size: einops takes none in `einsum`.
    fn shared(&self) -> Vec<&Ident> {
        let mut first: Vec<(&Ident, usize)> = Vec::new();
        let mut shared: Vec<&Ident> = Vec::new();
        for (i, axes) in self.inputs.iter().enumerate() {
            for name in axes.names() {
                match first.iter().find(|own| own.0 == name) {
                    None => first.push((name, i)),
                    Some((_, at)) if *at != i && !shared.contains(&name) => shared.push(name),
                    Some(_) => {}
                }
            }
        }
        let all = self.inputs.iter().chain(&self.outputs);
        let groups = all.flat_map(|axes| &axes.list);
        let parts: Vec<&Ident> = groups
            .filter_map(|axis| match &axis.node {
                Axis::Group(inner) => Some(names(inner)),
                _ => None,
            })
            .flatten()
            .collect();
        shared.retain(|name| !parts.contains(name));
        shared
    }

    /// `j == broadcast(j0, j1)`.
    fn stretched(&self, name: &Ident, known: &[&Ident]) -> Spanned<Condition> {
        let inputs = self.inputs.iter().enumerate();
        let args = inputs.filter(|(_, axes)| axes.names().contains(&name));
        let args = args.map(|(i, _)| Expr::Name(own_name(name, i, known)));
        let all = Expr::Call(Func::Broadcast, args.collect());
        let whole = Expr::Name(name.clone());
        Spanned::new(Condition::Compare(whole, vec![(CmpOp::Eq, all)]), name.span)
    }

    /// How the `...` of the operands are related: as the batch dims of a prefix, if all have one in front; as runs that
    /// broadcast, if several inputs have one; else as the same run.
    fn runs(&self) -> Result<Runs, Mistake> {
        let with = self
            .inputs
            .iter()
            .filter(|axes| axes.run().is_some())
            .count();
        let missing = self.outputs.iter().find(|axes| axes.run().is_none());
        let first = self.inputs.iter().find_map(Axes::run);
        let of_output = self.outputs.iter().find_map(Axes::run);
        match (first, of_output, missing) {
            (None, Some(at), _) => Err(Mistake {
                headline: "the output has a `...`, and no input has one".to_owned(),
                at,
                help: AXES_FROM,
            }),
            (Some(at), _, Some(_)) if with > 1 => Err(Mistake {
                headline: "the `...` of the inputs is missing in the output".to_owned(),
                at,
                help: "the dims of `...` broadcast, and all of them are in the output",
            }),
            _ if with < 2 => Ok(Runs::Same),
            _ if with == self.inputs.len()
                && self
                    .inputs
                    .iter()
                    .chain(&self.outputs)
                    .all(Axes::starts_with_run) =>
            {
                Ok(Runs::Prefix)
            }
            _ => Ok(Runs::Named),
        }
    }

    /// `...b == broadcast(...b0, ...b1)`.
    fn broadcast(&self) -> Spanned<Condition> {
        let runs = self
            .inputs
            .iter()
            .enumerate()
            .filter(|(_, axes)| axes.run().is_some());
        let args = runs.map(|(i, axes)| Expr::Run(Some(run_name(&format!("b{i}"), axes.span))));
        let at = self
            .outputs
            .first()
            .map_or_else(Span::default, |axes| axes.span);
        let all = Expr::Call(Func::Broadcast, args.collect());
        let whole = Expr::Run(Some(run_name("b", at)));
        Spanned::new(Condition::Compare(whole, vec![(CmpOp::Eq, all)]), at)
    }
}

enum Runs {
    Same,
    Prefix,
    Named,
}

/// The size that an axis has in one operand. An axis of einops may have this name.
fn own_name(name: &Ident, operand: usize, known: &[&Ident]) -> Ident {
    let mut own = format!("{}{operand}", name.node);
    while known.iter().any(|axis| *axis.node == *own) {
        own.push('_');
    }
    Spanned::new(own.into(), name.span)
}

/// Names with a digit or a `_` are none of einsum's; those of einops have one run at most for each operand.
fn run_name(name: &str, at: Span) -> Ident {
    Spanned::new(format!("{name}_").into(), at)
}

fn item(axis: &Spanned<Axis>, run: Option<&Ident>) -> Spanned<Item> {
    let item = match &axis.node {
        Axis::Name(name) => Item::Dim(Expr::Name(name.clone())),
        Axis::One => Item::Dim(Expr::Int(1)),
        Axis::Run => Item::Run(run.cloned()),
        Axis::Group(inner) => Item::Dim(product(inner, run)),
    };
    Spanned::new(item, axis.span)
}

fn product(inner: &[Spanned<Axis>], run: Option<&Ident>) -> Expr {
    let mut factors = inner.iter().map(|axis| match &axis.node {
        Axis::Name(name) => Expr::Name(name.clone()),
        Axis::Run => Expr::Call(Func::Prod, vec![Expr::Run(run.cloned())]),
        Axis::One | Axis::Group(_) => Expr::Int(1),
    });
    let Some(first) = factors.next() else {
        return Expr::Int(1);
    };
    let rest: Vec<_> = factors.map(|factor| (MulOp::Mul, factor)).collect();
    if rest.is_empty() {
        first
    } else {
        Expr::Chain(Box::new(first), rest)
    }
}
