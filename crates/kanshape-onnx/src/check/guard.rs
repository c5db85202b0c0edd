//! When a body is run: what its guard says as types of values, and as words.

use super::Checker;
use super::part::{CalledValue, Guard, Placing};
use crate::report::When;
use kanshape::graph::{Graph, ValueId};
use kanshape::{
    Condition,
    tree::{CmpOp, Expr, Span, Spanned},
};
use kanshape::{Content, Contents, Dim, Dtype, Name, Type};

impl Guard {
    /// In which iteration of a loop, at the earliest.
    pub(super) fn iteration(&self) -> u64 {
        match self {
            Guard::Loop {
                when: When::Later, ..
            } => 2,
            _ => 1,
        }
    }
}

impl<'c, 'a> Checker<'c, 'a> {
    /// What values have to be for a body to be run, or not to be run, as far as types can say it.
    pub(super) fn guard_types(
        &self,
        graph: &mut Graph,
        guard: &Guard,
        is_run: bool,
        at: Placing<'_>,
    ) -> Guards {
        let mut all = Guards::new();
        let mut ty = |called: &CalledValue| {
            let value = at.value(called.0);
            (value, self.known_outside(&graph.ty(value)))
        };
        match guard {
            Guard::Branch { cond, is, .. } => {
                let (value, ty) = ty(cond);
                all.extend(truth(&ty, *is == is_run).map(|ty| (value, ty)));
            }
            Guard::Loop { limit, cond, .. } => {
                let least = guard.iteration();
                let limit = limit.as_ref().map(&mut ty);
                let cond = cond.as_ref().map(&mut ty);
                let number = limit.as_ref().and_then(|(_, ty)| number(ty));
                let is_large = matches!(number, Some(Expr::Int(n)) if n >= least);
                // One of two may be what ends a loop: then no type says which.
                let limit_ends = match (&cond, least) {
                    (None, _) => true,
                    (Some((_, cond)), 1) => is_true(cond),
                    (Some(_), _) => false,
                };
                let cond_ends = least == 1 && (limit.is_none() || is_large);
                if let (Some((value, ty)), Some(e)) = (limit, number)
                    && (is_run || limit_ends)
                {
                    all.push((value, bounded(ty, e, is_run, least)));
                }
                if let Some((value, ty)) = cond.filter(|_| is_run || cond_ends) {
                    all.extend(truth(&ty, is_run).map(|ty| (value, ty)));
                }
            }
            Guard::Scan { scanned, .. } => {
                for (called, axis) in scanned {
                    let (value, ty) = ty(called);
                    if let Some(e) = size(&ty, *axis) {
                        all.push((value, bounded(ty, e, is_run, 1)));
                    }
                }
            }
            Guard::Other { .. } => {}
        }
        all
    }

    /// That a body is not run, where no type says so.
    pub(super) fn not_run(
        &self,
        graph: &mut Graph,
        guard: &Guard,
        at: Placing<'_>,
    ) -> Option<String> {
        let mut ty = |called: &CalledValue| self.known_outside(&graph.ty(at.value(called.0)));
        match guard {
            Guard::Branch { .. } => None,
            Guard::Loop { limit, cond, .. } => {
                let most = guard.iteration() - 1;
                let mut texts: Vec<String> = Vec::new();
                if let Some(limit) = limit {
                    let is_said = match number(&ty(limit)) {
                        Some(Expr::Int(n)) => n > most,
                        Some(_) => cond.is_none(),
                        None => false,
                    };
                    if !is_said {
                        texts.push(format!("{} <= {most}", limit.1));
                    }
                }
                if let Some(cond) = cond {
                    match most {
                        0 if is_true(&ty(cond)) => {}
                        0 => texts.push(format!("{} == false", cond.1)),
                        _ => texts.push("the body ends the loop the first time".into()),
                    }
                }
                (!texts.is_empty()).then(|| texts.join(" or "))
            }
            Guard::Scan { scanned, .. } => {
                let (called, axis) = scanned.first()?;
                let is_said = size(&ty(called), *axis).is_some();
                (!is_said).then(|| format!("{} has no slices", called.1))
            }
            Guard::Other { body, .. } => Some(format!("{body} is not run")),
        }
    }
}

/// Values with types that they have to have.
pub(super) type Guards = Vec<(ValueId, Type)>;

/// The type of which it is known that an expression is at least this, or less.
fn bounded(ty: Type, e: Expr, is_least: bool, least: u64) -> Type {
    let bound = match is_least {
        true => (CmpOp::Ge, Expr::Int(least)),
        false => (CmpOp::Le, Expr::Int(least - 1)),
    };
    let condition = Condition::Compare(e, vec![bound]);
    ty.with_conditions([condition].into_iter().collect())
}

/// A type of one truth value, with which it is.
pub(super) fn truth(ty: &Type, is: bool) -> Option<Type> {
    let tensor = ty.as_tensor()?;
    let is_bool = tensor.dtype.known() == Some(Dtype::Bool);
    let is_one = tensor.shape.rank().is_some() && tensor.shape.iter().all(|d| d.size() == Some(1));
    let contents = Contents::new([Content::Bool(is)]);
    (is_bool && is_one).then(|| ty.clone().with_contents(contents))
}

/// Is a type that of one truth value that is known?
pub(super) fn is_truth(ty: &Type) -> Option<bool> {
    match ty.contents().map(Contents::as_slice)? {
        [Content::Bool(is)] => Some(*is),
        _ => None,
    }
}

fn is_true(ty: &Type) -> bool {
    is_truth(ty) == Some(true)
}

/// The number that a tensor is, as an expression, if something is known of it. A negative one is as good as 0.
pub(super) fn number(ty: &Type) -> Option<Expr> {
    match ty.contents().map(Contents::as_slice)? {
        [Content::Int(n)] => Some(Expr::Int(u64::try_from(*n).unwrap_or(0))),
        [Content::Name(name)] => Some(named(name)),
        [Content::Expr(e)] => Some((**e).clone()),
        _ => None,
    }
}

/// A dim of a tensor, as an expression.
pub(super) fn size(ty: &Type, axis: usize) -> Option<Expr> {
    let shape = &ty.as_tensor()?.shape;
    shape.rank()?;
    match shape.known_dims().get(axis)? {
        Dim::Size(n) => Some(Expr::Int(*n)),
        Dim::Name(name) => Some(named(name)),
        Dim::Expr(e) => Some((**e).clone()),
        Dim::Nominal(_) | Dim::Hole => None,
    }
}

fn named(name: &Name) -> Expr {
    Expr::Name(Spanned::new(name.as_str().into(), Span::default()))
}
