//! The conditions of a type: which are about dtypes, and the canonical names in those.

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{Condition, DtypeExpr, Expr, Func, Ident, Span, Spanned};

use super::{Reader, Use, Word};
use crate::error::{self, range};
use crate::{DtypeSet, DtypeTerm};

impl<'t> Reader<'t> {
    /// The condition with the canonical names of dtypes, its names noted.
    pub(super) fn condition(
        &mut self,
        condition: &'t Spanned<Condition>,
    ) -> Result<Condition, Diagnostic> {
        let span = condition.span;
        match &condition.node {
            Condition::Dtype(name, dtype) => {
                self.note(name, Use::Dtype)?;
                Ok(Condition::Dtype(name.clone(), self.dtype_expr(dtype)?))
            }
            Condition::In(of, members) if self.about_dtypes(of, members) => Ok(Condition::In(
                self.dtype_operand(of, span)?,
                members
                    .iter()
                    .map(|member| self.member(member, span))
                    .collect::<Result<_, _>>()?,
            )),
            Condition::In(of, members) => {
                self.sizes(of, span)?;
                members
                    .iter()
                    .try_for_each(|member| self.sizes(member, span))?;
                Ok(condition.node.clone())
            }
            Condition::Compare(first, rest) => {
                let mut operands = std::iter::once(first).chain(rest.iter().map(|(_, expr)| expr));
                if !operands.any(|operand| self.is_dtype_operand(operand)) {
                    self.sizes(first, span)?;
                    rest.iter()
                        .try_for_each(|(_, expr)| self.sizes(expr, span))?;
                    return Ok(condition.node.clone());
                }
                Ok(Condition::Compare(
                    self.dtype_operand(first, span)?,
                    rest.iter()
                        .map(|(op, expr)| Ok((*op, self.dtype_operand(expr, span)?)))
                        .collect::<Result<_, Diagnostic>>()?,
                ))
            }
        }
    }

    /// Whether `of in {members}` is about dtypes: `of` is a dtype, or names nothing yet and the
    /// first member is a dtype or a class.
    fn about_dtypes(&self, of: &Expr, members: &[Expr]) -> bool {
        match (of, members.first()) {
            (Expr::Name(name), Some(Expr::Name(member)))
                if !self.uses.contains_key(&*name.node) =>
            {
                matches!(Word::of(member), Ok(Word::Dtypes(_)) | Err(_))
            }
            _ => self.is_dtype_operand(of),
        }
    }

    /// Whether an operand shows that its condition is about dtypes.
    fn is_dtype_operand(&self, operand: &Expr) -> bool {
        match operand {
            Expr::Name(name) => self.is_dtype(&name.node),
            Expr::Call(Func::Promote, _) => true,
            _ => false,
        }
    }

    /// Notes the names of an operand of a condition about sizes. `broadcast` may stand there.
    fn sizes(&mut self, operand: &'t Expr, span: Span) -> Result<(), Diagnostic> {
        match operand {
            Expr::Call(Func::Broadcast, args) => {
                args.iter().try_for_each(|arg| self.sizes(arg, span))
            }
            Expr::Nominal(_) => Ok(()),
            _ => self.note_dims(operand, span),
        }
    }

    /// An operand of a condition about dtypes: a dtype, a variable, or what those promote to.
    fn dtype_operand(&mut self, operand: &'t Expr, span: Span) -> Result<Expr, Diagnostic> {
        match operand {
            Expr::Name(ident) => Ok(Expr::Name(self.dtype_ident(ident)?)),
            Expr::Call(Func::Promote, args) => Ok(Expr::Call(
                Func::Promote,
                args.iter()
                    .map(|arg| self.dtype_operand(arg, span))
                    .collect::<Result<_, _>>()?,
            )),
            _ => Err(error::not_a_dtype(range(span))),
        }
    }

    fn dtype_expr(&mut self, expr: &'t DtypeExpr) -> Result<DtypeExpr, Diagnostic> {
        Ok(match expr {
            DtypeExpr::Hole => DtypeExpr::Hole,
            DtypeExpr::Name(ident) => DtypeExpr::Name(self.dtype_ident(ident)?),
            DtypeExpr::Set(members) => DtypeExpr::Set(
                members
                    .iter()
                    .map(canonical_member)
                    .collect::<Result<_, _>>()?,
            ),
            DtypeExpr::Promote(args) => DtypeExpr::Promote(
                args.iter()
                    .map(|arg| self.dtype_expr(arg))
                    .collect::<Result<_, _>>()?,
            ),
        })
    }

    /// A word of a condition about dtypes, canonical; a variable is noted.
    fn dtype_ident(&mut self, ident: &'t Ident) -> Result<Ident, Diagnostic> {
        match DtypeTerm::from_ident(ident)? {
            DtypeTerm::Name(_) => {
                self.note(ident, Use::Dtype)?;
                Ok(ident.clone())
            }
            DtypeTerm::Known(dtype) => Ok(Spanned::new(dtype.name().into(), ident.span)),
            // A class is its own canonical name.
            DtypeTerm::Set(_) | DtypeTerm::Hole => Ok(ident.clone()),
        }
    }

    fn member(&mut self, member: &'t Expr, span: Span) -> Result<Expr, Diagnostic> {
        match member {
            Expr::Name(ident) => Ok(Expr::Name(canonical_member(ident)?)),
            _ => Err(error::not_a_dtype(range(span))),
        }
    }
}

/// A member of a set of dtypes and classes, by its canonical name.
fn canonical_member(ident: &Ident) -> Result<Ident, Diagnostic> {
    let set = DtypeSet::from_idents(std::slice::from_ref(ident))?;
    Ok(match set.single() {
        // `Bool` has one member, and stays as it is written.
        Some(dtype) if DtypeSet::class(&ident.node).is_none() => {
            Spanned::new(dtype.name().into(), ident.span)
        }
        _ => ident.clone(),
    })
}
