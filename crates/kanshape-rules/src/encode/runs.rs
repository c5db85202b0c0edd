//! Conditions between runs: that two are the same, what some broadcast to, what dims one has.

use super::Trouble;
use super::expr::{Scope, expr};
use super::given::lengths;
use kanshape_engine::{Constraint, Domain, INF, Linear, Part, Seq, State, Stop, broadcast};
use kanshape_syntax::tree::{DimItem, Expr, Func, Spanned};

/// Is the expression about runs rather than sizes?
pub(super) fn is_run(e: &Expr) -> bool {
    match e {
        Expr::Run(_) | Expr::List(_) => true,
        Expr::Call(Func::Broadcast, args) => args.iter().any(is_run),
        _ => false,
    }
}

/// What a side of an `==` between runs denotes.
enum RunSide {
    Seq(Seq),
    Broadcast(Vec<Seq>),
}

/// States that two runs are the same.
pub(super) fn equate(
    state: &mut State,
    scope: &mut dyn Scope,
    left: &Expr,
    right: &Expr,
) -> Result<(), Trouble> {
    match (side(state, scope, left)?, side(state, scope, right)?) {
        (RunSide::Seq(a), RunSide::Seq(b)) => Ok(state.post(Constraint::SeqEqual(a, b))?),
        (RunSide::Seq(out), RunSide::Broadcast(args))
        | (RunSide::Broadcast(args), RunSide::Seq(out)) => Ok(broadcast(state, out, args)?),
        (RunSide::Broadcast(a), RunSide::Broadcast(b)) => {
            let out = Seq::run(state.run(Domain::interval(0, INF)));
            broadcast(state, out.clone(), a)?;
            Ok(broadcast(state, out, b)?)
        }
    }
}

fn side(state: &mut State, scope: &mut dyn Scope, e: &Expr) -> Result<RunSide, Trouble> {
    let mut run = |e: &Expr| match e {
        Expr::Run(name) => scope.run(state, name.as_ref().map(|n| &*n.node)),
        Expr::List(items) => list(state, scope, items),
        _ => Err(Stop::Conflict.into()),
    };
    match e {
        Expr::Call(Func::Broadcast, args) => {
            let args = args.iter().map(run).collect::<Result<_, _>>()?;
            Ok(RunSide::Broadcast(args))
        }
        e => Ok(RunSide::Seq(run(e)?)),
    }
}

/// The dims of a list, written as those of a type: `?` and `...` are unknowns of their own, in a
/// signature as well.
fn list(
    state: &mut State,
    scope: &mut dyn Scope,
    items: &[Spanned<DimItem>],
) -> Result<Seq, Trouble> {
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        parts.push(match &item.node {
            DimItem::Hole => {
                let any = scope.identities().dims();
                Part::One(Linear::var(state.int(any)))
            }
            DimItem::Dim(e) => {
                let form = expr(state, scope, e)?;
                state.restrict(&form, &scope.identities().dims())?;
                Part::One(form)
            }
            DimItem::Run(None) => Part::Run(state.run(lengths())),
            DimItem::Run(Some(name)) => {
                parts.extend_from_slice(scope.run(state, Some(&name.node))?.parts());
                continue;
            }
        });
    }
    Ok(parts.into_iter().collect())
}
