//! Conditions of a `where`: what they are about, what they state, and how they are denied.

use super::{DISEQUAL, Disequal, FAR_BOUND, MAX_SIZE, PromotionAtoms, any_states, atoms};
use kanshape_engine::{Constraint, Domain, INF, Linear, State, Stop, Var};
use kanshape_syntax::tree::{CmpOp, Condition, DtypeExpr, Expr, Func};
use kanshape_types::{Dtype, DtypeSet, DtypeTerm, Promotion};
use std::sync::Arc;

/// Is one of the expressions that are compared about dtypes: a dtype, a class, a dtype variable, a promotion? `is_dtype` is
/// what is known of a name: whether it is a dtype variable. A size may be called as a dtype is.
pub fn about_dtypes<'e>(
    parts: impl IntoIterator<Item = &'e Expr>,
    is_dtype: &dyn Fn(&str) -> Option<bool>,
) -> bool {
    parts.into_iter().any(|part| match part {
        Expr::Name(name) => is_dtype(&name.node).unwrap_or_else(|| {
            let term = DtypeTerm::from_ident(name);
            matches!(term, Ok(DtypeTerm::Known(_) | DtypeTerm::Set(_)))
        }),
        Expr::Call(Func::Promote, _) => true,
        _ => false,
    })
}

/// States that two dtypes are not the same.
pub fn apart(state: &mut State, a: Var, b: Var) -> Result<(), Stop> {
    if state.root(a) == state.root(b) {
        return Err(Stop::Conflict);
    }
    let out = state.atom(DISEQUAL);
    state.post(Constraint::Atoms {
        table: Arc::new(Disequal),
        left: a,
        right: b,
        out,
    })
}

/// States `a op b` of two forms.
pub fn holds(state: &mut State, a: &Linear, op: CmpOp, b: &Linear) -> Result<(), Stop> {
    let above = Domain::interval(0, INF);
    let mut difference = a.minus(b)?;
    // Numbers that are greater denote no bound.
    if (FAR_BOUND..MAX_SIZE / 2).contains(&difference.offset().saturating_abs()) {
        state.note_far_bound();
    }
    let _: () = match op {
        CmpOp::Eq => state.equate(a, b)?,
        CmpOp::Ne => {
            let difference = state.resolve(&difference)?;
            state.post(Constraint::NonZero(difference))?;
        }
        CmpOp::Ge => state.restrict(&difference, &above)?,
        CmpOp::Gt => {
            difference.add_constant(-1)?;
            state.restrict(&difference, &above)?;
        }
        CmpOp::Le => state.restrict(&difference.scaled(-1)?, &above)?,
        CmpOp::Lt => {
            let mut difference = difference.scaled(-1)?;
            difference.add_constant(-1)?;
            state.restrict(&difference, &above)?;
        }
    };
    Ok(())
}

/// The dtypes that a list of words names.
pub fn dtype_set(values: &[Expr]) -> DtypeSet {
    values.iter().fold(DtypeSet::EMPTY, |set, v| match v {
        Expr::Name(name) => match DtypeTerm::from_ident(name) {
            Ok(DtypeTerm::Known(d)) => set.union(d.into()),
            Ok(DtypeTerm::Set(s)) => set.union(s),
            _ => set,
        },
        _ => set,
    })
}

/// The dtypes that an annotation allows.
pub fn set_of(dtype: &DtypeExpr) -> DtypeSet {
    match dtype {
        DtypeExpr::Name(name) => match DtypeTerm::from_ident(name) {
            Ok(DtypeTerm::Known(d)) => d.into(),
            Ok(DtypeTerm::Set(s)) => s,
            _ => DtypeSet::ANY,
        },
        DtypeExpr::Set(names) => DtypeSet::from_idents(names).unwrap_or(DtypeSet::EMPTY),
        DtypeExpr::Promote(_) | DtypeExpr::Hole => DtypeSet::ANY,
    }
}

/// What dtypes promote to all together.
pub fn promote_all(state: &mut State, vars: &[Var], promotion: Promotion) -> Result<Var, Stop> {
    let (&first, rest) = vars.split_first().ok_or(Stop::Conflict)?;
    let mut left = first;
    for (i, &right) in rest.iter().enumerate() {
        let out = state.atom(match i + 1 == rest.len() {
            true => atoms(DtypeSet::ANY),
            false => any_states(),
        });
        state.post(Constraint::Atoms {
            table: Arc::new(PromotionAtoms(promotion)),
            left,
            right,
            out,
        })?;
        left = out;
    }
    Ok(left)
}

/// Ways to deny a condition, which together are its negation: each is a list of conditions. `None`
/// if they can't be written.
pub fn negations(condition: &Condition) -> Option<Vec<Vec<Condition>>> {
    match condition {
        Condition::Compare(left, rest) => {
            let [(op, right)] = rest.as_slice() else {
                return None;
            };
            let denied = match op {
                CmpOp::Eq => CmpOp::Ne,
                CmpOp::Ne => CmpOp::Eq,
                CmpOp::Lt => CmpOp::Ge,
                CmpOp::Le => CmpOp::Gt,
                CmpOp::Gt => CmpOp::Le,
                CmpOp::Ge => CmpOp::Lt,
            };
            let mut ways = vec![vec![Condition::Compare(
                left.clone(),
                vec![(denied, right.clone())],
            )]];
            for side in [left, right] {
                undefined(side, &mut ways)?;
            }
            Some(ways)
        }
        Condition::In(e, values) => {
            let is_of_dtypes = !condition.is_about_sizes() && about_dtypes(values, &|_| None);
            let mut ways = if is_of_dtypes {
                let rest = DtypeSet::ANY.difference(dtype_set(values));
                vec![vec![Condition::In(
                    e.clone(),
                    rest.iter().map(word).collect(),
                )]]
            } else {
                let apart = |v: &Expr| Condition::Compare(e.clone(), vec![(CmpOp::Ne, v.clone())]);
                vec![values.iter().map(apart).collect()]
            };
            undefined(e, &mut ways)?;
            Some(ways)
        }
        Condition::Dtype(name, dtype) => {
            if matches!(dtype, DtypeExpr::Promote(_)) {
                return None;
            }
            let rest = DtypeSet::ANY.difference(set_of(dtype));
            Some(vec![vec![Condition::In(
                Expr::Name(name.clone()),
                rest.iter().map(word).collect(),
            )]])
        }
    }
}

fn word(dtype: Dtype) -> Expr {
    Expr::Name(kanshape_syntax::tree::Spanned::new(
        dtype.name().into(),
        kanshape_syntax::tree::Span::default(),
    ))
}

/// Adds the ways in which an expression has no value. `None` if they can't be written.
fn undefined(e: &Expr, ways: &mut Vec<Vec<Condition>>) -> Option<()> {
    let zero = |e: &Expr| Condition::Compare(e.clone(), vec![(CmpOp::Eq, Expr::Int(0))]);
    match e {
        Expr::Int(_) | Expr::Name(_) | Expr::Nominal(_) => {}
        Expr::Run(_) | Expr::List(_) | Expr::Call(Func::Promote, _) => return None,
        Expr::Sum(terms) => {
            for (_, t) in terms {
                undefined(t, ways)?;
            }
        }
        Expr::Chain(first, rest) => {
            undefined(first, ways)?;
            for (op, operand) in rest {
                undefined(operand, ways)?;
                if *op != kanshape_syntax::tree::MulOp::Mul && !matches!(operand, Expr::Int(1..)) {
                    ways.push(vec![zero(operand)]);
                }
            }
        }
        Expr::CeilDiv(a, b) => {
            undefined(a, ways)?;
            undefined(b, ways)?;
            if !matches!(**b, Expr::Int(1..)) {
                ways.push(vec![zero(b)]);
            }
        }
        Expr::Call(Func::Broadcast, args) => {
            for (i, a) in args.iter().enumerate() {
                undefined(a, ways)?;
                for b in &args[i + 1..] {
                    let differ = |x: &Expr, y: &Expr| {
                        Condition::Compare(x.clone(), vec![(CmpOp::Ne, y.clone())])
                    };
                    ways.push(vec![
                        differ(a, b),
                        differ(a, &Expr::Int(1)),
                        differ(b, &Expr::Int(1)),
                    ]);
                }
            }
        }
        Expr::Call(_, args) => {
            for a in args {
                undefined(a, ways)?;
            }
        }
    }
    Some(())
}
