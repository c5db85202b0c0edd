//! Words for users' types, and their arguments.
//!
//! A tree can't know that `Pair` in `Pair[A, B]` is a constructor, and takes it for a dtype and
//! its arguments for dims. Those that could be types are taken for types here.

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{self, DimItem, DtypeExpr, Expr, Ident, Span, Spanned};

use super::Reader;
use crate::error::{self, range};
use crate::ty::user::Misfit;
use crate::{Constructor, DtypeTerm, Type, TypeKind};

impl<'t> Reader<'t> {
    /// A word alone: a user's type without arguments, else a variable.
    pub(super) fn word(&self, name: &Ident) -> Result<TypeKind, Diagnostic> {
        if let Some(constructor) = self.vocabulary.get(&name.node) {
            return apply(constructor, name.span, Vec::new(), |_| name.span);
        }
        match DtypeTerm::from_ident(name)? {
            DtypeTerm::Name(name) => Ok(TypeKind::Var(name)),
            _ => Err(error::dtype_alone(&name.node, range(name.span))),
        }
    }

    /// The constructor that stands where the dtype of a tensor does.
    pub(super) fn constructor_of(&self, dtype: &Spanned<DtypeExpr>) -> Option<&'t Constructor> {
        match &dtype.node {
            DtypeExpr::Name(ident) => self.vocabulary.get(&ident.node),
            _ => None,
        }
    }

    /// A constructor, written with its arguments at `span`.
    pub(super) fn applied(
        &mut self,
        constructor: &Constructor,
        span: Span,
        args: &'t [Spanned<tree::Type>],
    ) -> Result<TypeKind, Diagnostic> {
        let types = self.types(args)?;
        apply(constructor, span, types, |index| args[index].span)
    }

    /// A constructor whose arguments have been taken for dims.
    pub(super) fn applied_to_dims(
        &mut self,
        constructor: &Constructor,
        span: Span,
        args: &[Spanned<DimItem>],
    ) -> Result<TypeKind, Diagnostic> {
        let types = args
            .iter()
            .map(|arg| match &arg.node {
                DimItem::Hole => Ok(Type::UNKNOWN),
                DimItem::Dim(Expr::Name(name)) => self.word(name).map(Type::from),
                _ => Err(error::dim_of_types(constructor.name(), range(arg.span))),
            })
            .collect::<Result<_, _>>()?;
        apply(constructor, span, types, |index| args[index].span)
    }
}

/// The type with these arguments, written at `span`, and each at a place of its own.
fn apply(
    constructor: &Constructor,
    span: Span,
    args: Vec<Type>,
    place_of: impl Fn(usize) -> Span,
) -> Result<TypeKind, Diagnostic> {
    match constructor.takes(&args) {
        Ok(()) => Ok(TypeKind::User(constructor.clone(), args.into())),
        Err(misfit) => {
            let (place, label) = match &misfit {
                Misfit::Argument(wrong) if wrong.index < args.len() => {
                    (place_of(wrong.index), "not this")
                }
                Misfit::Argument(_) => (span, "in these arguments"),
                Misfit::Arity(_) => (span, "the wrong number of arguments"),
            };
            Err(misfit
                .into_diagnostic(constructor)
                .with_label(range(place), label))
        }
    }
}
