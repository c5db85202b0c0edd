//! The holes of a type as names: what may be anything, and so must be met whatever it is.

use super::contents::filled;
use crate::Answer;
use kanshape_syntax::tree::{Condition, DtypeExpr, Expr, Ident, Span, Spanned};
use kanshape_types::{
    Conditions, Contents, Dim, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, TypeKind,
};
use std::sync::Arc;

/// Starts the names that denote holes. No text has such a name.
const MARK: char = '\u{2}';

/// Gives names to the holes of types.
#[derive(Debug, Default)]
pub(super) struct Skolem {
    next: usize,
    /// What the dtypes among them are known to be.
    pub facts: Vec<Condition>,
    sets: Vec<(Name, DtypeSet)>,
}

/// Does the name denote a hole?
pub(super) fn is_hole(name: &str) -> bool {
    name.starts_with(MARK)
}

impl Skolem {
    /// How many values of a type [`Skolem::value`] has.
    pub(super) const COPIES: usize = 4;

    /// One of several values of a type whose holes have names: with sizes that nothing has in common,
    /// with all sizes 0 or 1, with other ranks and other dtypes.
    pub(super) fn value(&self, ty: &Type, copy: usize) -> Type {
        let number = |name: &Name| -> Option<usize> { name.strip_prefix(MARK)?.parse().ok() };
        let size = |hole: usize| match copy {
            0 => 101 + 2 * hole as u64,
            1 => 1009 + hole as u64,
            copy => copy as u64 - 2,
        };
        match &ty.kind {
            TypeKind::Var(name) if is_hole(name) => {
                TypeKind::Adt(Name::word(format!("{MARK}{copy}{name}")), Arc::from([])).into()
            }
            TypeKind::Tensor(tensor) => {
                let dtype = match &tensor.dtype {
                    DtypeTerm::Name(name) if is_hole(name) => {
                        let known = self.sets.iter().find(|s| s.0 == *name);
                        let set = known.map_or(DtypeSet::ANY, |s| s.1);
                        set.iter()
                            .nth(copy % set.len().max(1))
                            .map(DtypeTerm::Known)
                    }
                    dtype => Some(dtype.clone()),
                };
                let dim = |dim: &Dim| match dim {
                    Dim::Name(name) => {
                        number(name).map_or_else(|| dim.clone(), |i| Dim::Size(size(i)))
                    }
                    dim => dim.clone(),
                };
                let (before, after) = (tensor.shape.before(), tensor.shape.after());
                let mut shape: Shape = before.iter().map(dim).collect();
                let run = tensor.shape.run().and_then(|r| r.name.clone());
                let hole = run.as_ref().and_then(number);
                (0..hole.map_or(0, |_| copy)).for_each(|_| shape.push(Dim::Size(size(copy))));
                let at = shape.known_dims().len();
                after.iter().for_each(|d| shape.push(dim(d)));
                if hole.is_none() && tensor.shape.run().is_some() {
                    shape = shape.with_run(at, run);
                }
                Tensor::new(dtype.unwrap_or(DtypeTerm::Hole), shape)
                    .with_contents(tensor.contents.clone())
                    .into()
            }
            _ => ty.map_parts(&mut |part| self.value(part, copy)),
        }
    }

    /// Does an answer say more of a hole than what is known of it?
    pub(super) fn limited_by(&self, answer: &Answer) -> bool {
        let mut news = answer.conditions.iter().filter(|c| !self.facts.contains(c));
        news.any(|c| {
            let mut speaks = false;
            c.for_each_name(&mut |name| speaks |= is_hole(name));
            speaks
        })
    }

    /// Do contents say something of the holes among the dims of a type, so that no value of it has
    /// any sizes there?
    pub(super) fn bounds(ty: &Type) -> bool {
        let open = ty.as_tensor().is_some_and(|tensor| {
            let run = tensor.shape.run().and_then(|run| run.name.as_ref());
            let dims = tensor.shape.iter().filter_map(|dim| match dim {
                Dim::Name(name) => Some(name),
                _ => None,
            });
            tensor.contents.is_some() && run.into_iter().chain(dims).any(|name| is_hole(name))
        });
        open || ty.parts().any(Skolem::bounds)
    }

    /// How many holes have a name.
    pub(super) fn count(&self) -> usize {
        self.next
    }

    fn fresh(&mut self) -> Name {
        self.next += 1;
        Name::word(format!("{MARK}{}", self.next - 1))
    }

    /// The type with a name for each of its holes, and without its conditions.
    pub(super) fn ty(&mut self, ty: &Type) -> Type {
        let kind = match &ty.kind {
            TypeKind::Unknown => TypeKind::Var(self.fresh()),
            TypeKind::Tensor(tensor) => TypeKind::Tensor(self.tensor(tensor)),
            _ => {
                return ty
                    .map_parts(&mut |part| self.ty(part))
                    .with_conditions(Conditions::NONE);
            }
        };
        kind.into()
    }

    fn tensor(&mut self, tensor: &Tensor) -> Tensor {
        let contents = tensor.contents.as_ref();
        let possible = contents.map_or(DtypeSet::ANY, Contents::dtypes);
        let dtype = match &tensor.dtype {
            DtypeTerm::Hole | DtypeTerm::Set(_) => {
                let set = tensor.dtype.set().intersection(possible);
                let name = self.fresh();
                if set != DtypeSet::ANY {
                    self.facts.push(among(&name, set));
                    self.sets.push((name.clone(), set));
                }
                DtypeTerm::Name(name)
            }
            term => term.clone(),
        };
        let filled = contents.map(|contents| filled(&tensor.shape, contents.len()));
        let from = filled.as_ref().unwrap_or(&tensor.shape);
        let dims = from.iter().map(|dim| match dim {
            Dim::Hole => Dim::Name(self.fresh()),
            dim => dim.clone(),
        });
        let mut shape: Shape = dims.collect();
        if let Some(run) = tensor.shape.run() {
            let name = run.name.clone().unwrap_or_else(|| self.fresh());
            shape = shape.with_run(run.at, Some(name));
        }
        Tensor::new(dtype, shape).with_contents(tensor.contents.clone())
    }
}

/// That a dtype is one of a set.
pub(super) fn among(name: &Name, set: DtypeSet) -> Condition {
    let word = |text: &str| -> Ident { Spanned::new(text.into(), Span::default()) };
    match set.class_name() {
        Some(class) => Condition::Dtype(word(name), DtypeExpr::Name(word(class))),
        None => Condition::In(
            Expr::Name(word(name)),
            set.iter().map(|d| Expr::Name(word(d.name()))).collect(),
        ),
    }
}
