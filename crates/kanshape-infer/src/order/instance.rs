//! Types with values in place of some of their names, as an answer has them.

use crate::Answer;
use kanshape_syntax::tree::{CmpOp, Condition, DimItem, Expr, Ident, Spanned};
use kanshape_types::{Dim, Dtype, DtypeTerm, Name, Shape, Tensor, Type, TypeKind};
use rustc_hash::FxHashMap;

/// What some names denote, and the conditions on the others.
#[derive(Default)]
pub(super) struct Instance {
    /// Of sizes and of dtypes.
    values: FxHashMap<Box<str>, Expr>,
    runs: FxHashMap<Box<str>, Vec<Spanned<DimItem>>>,
    /// What is no value.
    pub rest: Vec<Condition>,
}

impl Instance {
    /// What an answer says of these names alone. A run that is spoken of in `conditions` keeps its name,
    /// since no condition could speak of its dims.
    pub(super) fn of(
        answer: &Answer,
        conditions: &[Condition],
        is_name: &dyn Fn(&str) -> bool,
    ) -> Instance {
        let mut instance = Instance::default();
        for c in &answer.conditions {
            let mut alone = true;
            c.for_each_name(&mut |n| alone &= is_name(n) || is_dtype(n));
            if alone && !instance.take(c, conditions) {
                instance.rest.push(c.clone());
            }
        }
        instance
    }

    fn take(&mut self, c: &Condition, conditions: &[Condition]) -> bool {
        let Condition::Compare(name, rest) = c else {
            return false;
        };
        match (name, &rest[..]) {
            (Expr::Name(name), [(CmpOp::Eq, value)]) => {
                self.values.insert(name.node.clone(), value.clone());
                true
            }
            (Expr::Run(Some(run)), [(CmpOp::Eq, value)]) => {
                let mut spoken_of = false;
                for c in conditions {
                    c.for_each_name(&mut |n| spoken_of |= n == &*run.node);
                }
                let item = |name: &Ident| {
                    let item = DimItem::Run(Some(name.clone()));
                    vec![Spanned::new(item, name.span)]
                };
                let dims = match value {
                    Expr::List(dims) => dims.clone(),
                    Expr::Run(Some(other)) => item(other),
                    _ => return false,
                };
                if !spoken_of {
                    self.runs.insert(run.node.clone(), dims);
                }
                !spoken_of
            }
            _ => false,
        }
    }

    pub(super) fn condition(&self, c: &Condition) -> Condition {
        c.clone().map_leaves(&mut |name| self.value(name))
    }

    fn value(&self, name: Ident) -> Expr {
        let value = self.values.get(&name.node).cloned();
        value.unwrap_or(Expr::Name(name))
    }

    pub(super) fn ty(&self, ty: &Type) -> Type {
        match &ty.kind {
            TypeKind::Tensor(tensor) => {
                let dtype = match &tensor.dtype {
                    DtypeTerm::Name(name) => match self.values.get(name.as_str()) {
                        Some(Expr::Name(value)) => dtype(&value.node)
                            .map_or_else(|| DtypeTerm::Name(Name::word(&*value.node)), Into::into),
                        _ => tensor.dtype.clone(),
                    },
                    term => term.clone(),
                };
                let shape = self.shape(&tensor.shape);
                let contents = tensor.contents.as_ref().map(|contents| {
                    contents.map(&mut |member| member.map_leaves(&mut |name| self.value(name)))
                });
                Tensor::new(dtype, shape).with_contents(contents).into()
            }
            _ => ty.map_parts(&mut |part| self.ty(part)),
        }
    }

    fn shape(&self, shape: &Shape) -> Shape {
        let mut dims = Vec::new();
        for item in shape.to_tree() {
            let run = match &item.node {
                DimItem::Run(Some(name)) => self.runs.get(&name.node),
                _ => None,
            };
            match run {
                Some(run) => dims.extend(run.iter().cloned()),
                None => dims.push(item),
            }
        }
        of_items(dims, &mut |name| self.value(name))
    }
}

/// The shape with these dims, one of which may be a run.
pub(super) fn of_items(
    items: Vec<Spanned<DimItem>>,
    value: &mut dyn FnMut(Ident) -> Expr,
) -> Shape {
    let mut shape = Shape::default();
    let mut run = None;
    for item in items {
        match item.node {
            DimItem::Hole => shape.push(Dim::Hole),
            DimItem::Dim(e) => shape.push(Dim::expr(e.map_leaves(value))),
            DimItem::Run(name) => run = Some((shape.known_dims().len(), name)),
        }
    }
    match run {
        Some((at, name)) => shape.with_run(at, name.map(|n| Name::word(&*n.node))),
        None => shape,
    }
}

fn dtype(name: &str) -> Option<Dtype> {
    Dtype::ALL.into_iter().find(|d| d.name() == name)
}

fn is_dtype(name: &str) -> bool {
    dtype(name).is_some()
}
