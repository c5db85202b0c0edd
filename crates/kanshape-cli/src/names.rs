//! The names of a signature: what each denotes, and where.

use kanshape::{
    Condition,
    tree::{DimItem, DtypeExpr, Expr, Item, Operand, Pattern, Signature, Type},
};
use kanshape::{Dtype, DtypeSet};

/// A name and its places.
pub(crate) struct NameUses {
    pub(crate) name: String,
    pub(crate) kind: NameKind,
    /// The operands that show it.
    pub(crate) places: Vec<String>,
}

/// What a name denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    Size,
    Run,
    Length,
    Dtype,
    Param,
    Type,
}

impl NameKind {
    pub(crate) fn text(self) -> &'static str {
        match self {
            NameKind::Size => "size",
            NameKind::Run => "run",
            NameKind::Length => "length",
            NameKind::Dtype => "dtype",
            NameKind::Param => "parameter",
            NameKind::Type => "type",
        }
    }
}

/// All names, in the order of their first places.
pub(crate) fn names(tree: &Signature) -> Vec<NameUses> {
    let mut all = All(Vec::new());
    for param in &tree.params {
        all.note(&param.name.node, NameKind::Param, None);
    }
    for (label, operand) in labelled(tree) {
        all.operand(operand, &label);
    }
    for condition in &tree.conditions {
        all.condition(&condition.node);
    }
    all.0
}

struct All(Vec<NameUses>);

impl All {
    fn note(&mut self, name: &str, kind: NameKind, place: Option<&str>) {
        let known = self.0.iter().position(|n| n.name == name);
        let at = known.unwrap_or_else(|| {
            self.0.push(NameUses {
                name: name.to_owned(),
                kind,
                places: Vec::new(),
            });
            self.0.len() - 1
        });
        let named = &mut self.0[at];
        // The length of a run may be a size as well: that it is a length says more.
        if kind == NameKind::Length && named.kind == NameKind::Size {
            named.kind = kind;
        }
        if let Some(place) = place
            && named.places.last().is_none_or(|last| last != place)
        {
            named.places.push(place.to_owned());
        }
    }

    fn operand(&mut self, operand: &Operand, place: &str) {
        match &operand.pattern {
            Pattern::Type(ty) => self.ty(&ty.node, place),
            Pattern::Shape(items) => {
                for item in items {
                    match &item.node {
                        Item::Dim(e) | Item::Optional(e) | Item::OrOne(e) => {
                            self.expr(e, Some(place));
                        }
                        Item::Run(Some(name)) => self.note(&name.node, NameKind::Run, Some(place)),
                        Item::SkipNamed(name) => {
                            self.note(&name.node, NameKind::Length, Some(place))
                        }
                        Item::Run(None) | Item::Skip(_) => {}
                    }
                }
            }
        }
        if let Some(dtype) = &operand.dtype {
            self.dtype(&dtype.node, place);
        }
    }

    fn ty(&mut self, ty: &Type, place: &str) {
        match ty {
            Type::Hole => {}
            Type::Name(name) => self.note(&name.node, NameKind::Type, Some(place)),
            Type::Tensor { dtype, shape, .. } => {
                self.dtype(&dtype.node, place);
                for item in shape {
                    match &item.node {
                        DimItem::Dim(e) => self.expr(e, Some(place)),
                        DimItem::Run(Some(name)) => {
                            self.note(&name.node, NameKind::Run, Some(place))
                        }
                        DimItem::Run(None) | DimItem::Hole => {}
                    }
                }
            }
            Type::Tuple(types) | Type::Adt(_, types) => {
                types.iter().for_each(|ty| self.ty(&ty.node, place));
            }
            Type::Fn(params, result) => {
                params.iter().for_each(|ty| self.ty(&ty.node, place));
                self.ty(&result.node, place);
            }
        }
    }

    fn dtype(&mut self, dtype: &DtypeExpr, place: &str) {
        match dtype {
            DtypeExpr::Name(name) if !is_dtype(&name.node) => {
                self.note(&name.node, NameKind::Dtype, Some(place));
            }
            DtypeExpr::Promote(args) => args.iter().for_each(|a| self.dtype(a, place)),
            DtypeExpr::Name(_) | DtypeExpr::Set(_) | DtypeExpr::Hole => {}
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Compare(first, rest) => {
                self.expr(first, None);
                rest.iter().for_each(|(_, e)| self.expr(e, None));
            }
            Condition::In(e, values) => {
                self.expr(e, None);
                values.iter().for_each(|v| self.expr(v, None));
            }
            Condition::Dtype(..) => {}
        }
    }

    fn expr(&mut self, expr: &Expr, place: Option<&str>) {
        match expr {
            // An identity is no name: it denotes itself.
            Expr::Int(_) | Expr::Nominal(_) | Expr::Run(None) => {}
            Expr::Name(name) => {
                if place.is_some() || !is_dtype(&name.node) {
                    self.note(&name.node, NameKind::Size, place);
                }
            }
            Expr::Run(Some(name)) => self.note(&name.node, NameKind::Run, place),
            Expr::Sum(terms) => terms.iter().for_each(|(_, e)| self.expr(e, place)),
            Expr::Chain(first, rest) => {
                self.expr(first, place);
                rest.iter().for_each(|(_, e)| self.expr(e, place));
            }
            Expr::CeilDiv(a, b) => {
                self.expr(a, place);
                self.expr(b, place);
            }
            Expr::Call(_, args) => args.iter().for_each(|a| self.expr(a, place)),
            Expr::List(items) => items.iter().for_each(|item| match &item.node {
                DimItem::Hole | DimItem::Run(None) => {}
                DimItem::Dim(e) => self.expr(e, place),
                DimItem::Run(Some(name)) => self.note(&name.node, NameKind::Run, place),
            }),
        }
    }
}

/// Does a name denote a dtype or a class of them?
fn is_dtype(name: &str) -> bool {
    Dtype::named(name).is_some() || DtypeSet::CLASSES.iter().any(|(class, _)| *class == name)
}

/// The operands from left to right, with what they are called.
pub(crate) fn labelled(tree: &Signature) -> impl Iterator<Item = (String, &Operand)> {
    let label = |what: &str, i: usize, count: usize| match count {
        1 => what.to_owned(),
        _ => format!("{what} {i}"),
    };
    let (inputs, outputs) = (tree.inputs.len(), tree.outputs.len());
    let left = tree.inputs.iter().enumerate();
    let right = tree.outputs.iter().enumerate();
    left.map(move |(i, o)| (label("input", i, inputs), o))
        .chain(right.map(move |(i, o)| (label("output", i, outputs), o)))
}
