//! The holes of a type as names: what may be anything, and so must be met whatever it is.

use kanshape_syntax::tree::{Condition, DtypeExpr, Expr, Ident, Span, Spanned};
use kanshape_types::{
    Dim, DtypeSet, DtypeTerm, FnType, Name, Shape, Tensor, Type, TypeKind,
};
use std::sync::Arc;

/// Starts the names that stand for holes. No text has such a name.
const MARK: char = '\u{2}';

/// Gives names to the holes of types.
#[derive(Debug, Default)]
pub(super) struct Skolem {
    next: usize,
    /// What the dtypes among them are known to be.
    pub facts: Vec<Condition>,
}

/// Does the name stand for a hole?
pub(super) fn is_hole(name: &str) -> bool {
    name.starts_with(MARK)
}

impl Skolem {
    /// How many holes have a name.
    pub(super) fn count(&self) -> usize {
        self.next
    }

    fn fresh(&mut self) -> Name {
        self.next += 1;
        Name::from(format!("{MARK}{}", self.next - 1))
    }

    /// The type with a name for each of its holes, and without its conditions.
    pub(super) fn ty(&mut self, ty: &Type) -> Type {
        let kind = match &ty.kind {
            TypeKind::Unknown => TypeKind::Var(self.fresh()),
            TypeKind::Tensor(tensor) => TypeKind::Tensor(self.tensor(tensor)),
            TypeKind::Tuple(parts) => TypeKind::Tuple(self.types(parts)),
            TypeKind::Fn(f) => TypeKind::Fn(Arc::new(FnType {
                params: f.params.iter().map(|p| self.ty(p)).collect(),
                result: self.ty(&f.result),
            })),
            TypeKind::Adt(name, parts) => TypeKind::Adt(name.clone(), self.types(parts)),
            TypeKind::Var(name) => TypeKind::Var(name.clone()),
        };
        kind.into()
    }

    fn types(&mut self, types: &[Type]) -> Arc<[Type]> {
        types.iter().map(|t| self.ty(t)).collect()
    }

    fn tensor(&mut self, tensor: &Tensor) -> Tensor {
        let dtype = match &tensor.dtype {
            DtypeTerm::Hole => DtypeTerm::Name(self.fresh()),
            DtypeTerm::Set(set) => {
                let name = self.fresh();
                self.facts.push(among(&name, *set));
                DtypeTerm::Name(name)
            }
            term => term.clone(),
        };
        let dims = tensor.shape.iter().map(|dim| match dim {
            Dim::Hole => Dim::Name(self.fresh()),
            dim => dim.clone(),
        });
        let mut shape: Shape = dims.collect();
        if let Some(run) = tensor.shape.run() {
            let name = run.name.clone().unwrap_or_else(|| self.fresh());
            shape = shape.with_run(run.at, Some(name));
        }
        Tensor { dtype, shape }
    }
}

/// That a dtype is one of a set.
fn among(name: &Name, set: DtypeSet) -> Condition {
    let word = |text: &str| -> Ident { Spanned::new(text.into(), Span::default()) };
    match set.class_name() {
        Some(class) => Condition::Dtype(word(name), DtypeExpr::Name(word(class))),
        None => Condition::In(
            Expr::Name(word(name)),
            set.iter().map(|d| Expr::Name(word(d.name()))).collect(),
        ),
    }
}
