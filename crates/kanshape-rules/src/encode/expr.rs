//! Expressions as linear forms over the engine's variables.

use super::{Identities, MAX_SIZE, Trouble};
use kanshape_engine::{
    Constraint, Domain, Function, INF, Int, Linear, NEG_INF, Part, Seq, State, Stop, Var,
    checkpoint,
};
use kanshape_syntax::tree::{Expr, Func, MulOp, Sign};
use kanshape_types::Dim;

/// What the names in a text mean.
pub trait Scope {
    /// The size that a name denotes.
    fn size(&mut self, state: &mut State, name: &str) -> Result<Linear, Trouble>;

    /// The run that `...` or `...r` denotes.
    fn run(&mut self, state: &mut State, name: Option<&str>) -> Result<Seq, Trouble>;

    /// The dtype variable that a name denotes, if it is one.
    fn dtype(&mut self, state: &mut State, name: &str) -> Result<Option<Var>, Trouble>;

    /// The sizes with an identity.
    fn identities(&self) -> &Identities;

    /// Is the name a dtype variable? `None` if it is not known.
    fn is_dtype(&self, name: &str) -> Option<bool>;
}

/// The value of an expression. Where it has none (a divisor of 0), the state is in conflict.
pub fn expr(state: &mut State, scope: &mut dyn Scope, e: &Expr) -> Result<Linear, Trouble> {
    Ok(match e {
        Expr::Int(n) => Linear::constant(Int::from(*n)),
        Expr::Name(name) => scope.size(state, &name.node)?,
        Expr::Nominal(_) => match Dim::expr(e.clone()) {
            Dim::Nominal(nominal) => Linear::constant(scope.identities().number(&nominal)),
            _ => return Err(Stop::Conflict.into()),
        },
        Expr::Sum(terms) => {
            let mut sum = Linear::default();
            for (sign, term) in terms {
                checkpoint()?;
                let term = plain(state, scope, term)?;
                let factor = match sign {
                    Sign::Plus => 1,
                    Sign::Minus => -1,
                };
                sum.add_assign_scaled(&term, factor)?;
            }
            sum
        }
        Expr::Chain(first, rest) => {
            // Factors that stand together are multiplied together: a 0 among them settles all.
            let mut factors = vec![plain(state, scope, first)?];
            for (op, operand) in rest {
                checkpoint()?;
                let operand = plain(state, scope, operand)?;
                let function = match op {
                    MulOp::Mul => {
                        factors.push(operand);
                        continue;
                    }
                    MulOp::FloorDiv => Function::FloorDiv,
                    MulOp::Mod => Function::Mod,
                };
                let whole = product(state, &mut factors)?;
                factors.push(state.apply(function, &[whole, operand], Domain::ALL)?);
            }
            product(state, &mut factors)?
        }
        Expr::CeilDiv(a, b) => {
            let args = [plain(state, scope, a)?, plain(state, scope, b)?];
            state.apply(Function::CeilDiv, &args, Domain::ALL)?
        }
        Expr::Call(func, args) => call(state, scope, *func, args)?,
        // The grammar lets a run and a list stand only where they are looked for.
        Expr::Run(_) | Expr::List(_) => return Err(Stop::Conflict.into()),
    })
}

/// The value of an expression that has to be a plain size, because something is done with it.
pub(super) fn plain(state: &mut State, scope: &mut dyn Scope, e: &Expr) -> Result<Linear, Trouble> {
    let form = expr(state, scope, e)?;
    if !scope.identities().is_empty() {
        // Nor is a number beyond all sizes that something inside came to.
        state.restrict(&form, &Domain::interval(NEG_INF, MAX_SIZE))?;
    }
    Ok(form)
}

/// The product of what is in `factors`, which is empty afterwards.
fn product(state: &mut State, factors: &mut Vec<Linear>) -> Result<Linear, Trouble> {
    let factors = std::mem::take(factors);
    match factors.as_slice() {
        [only] => Ok(only.clone()),
        factors => Ok(state.apply(Function::Product, factors, Domain::ALL)?),
    }
}

fn call(
    state: &mut State,
    scope: &mut dyn Scope,
    func: Func,
    args: &[Expr],
) -> Result<Linear, Trouble> {
    if func == Func::Prod && args.iter().any(|a| matches!(a, Expr::Run(_))) {
        let mut parts = Vec::new();
        for a in args {
            match a {
                Expr::Run(name) => {
                    let name = name.as_ref().map(|n| &*n.node);
                    parts.extend(scope.run(state, name)?.parts().iter().cloned());
                }
                a => parts.push(Part::One(plain(state, scope, a)?)),
            }
        }
        let domain = match state.has_no_negative(&parts) {
            true => Domain::interval(0, INF),
            false => Domain::ALL,
        };
        let out = Linear::var(state.int(domain));
        state.post(Constraint::SeqProduct {
            out: out.clone(),
            seq: parts.into_iter().collect(),
        })?;
        return Ok(out);
    }
    let args = args
        .iter()
        .map(|a| match func {
            Func::Broadcast => expr(state, scope, a),
            _ => plain(state, scope, a),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let function = match func {
        Func::Min => Function::Min,
        Func::Max => Function::Max,
        Func::Prod => Function::Product,
        Func::Broadcast => Function::Broadcast,
        // Only beside a comparison of dtypes, where it is looked for.
        Func::Promote => return Err(Stop::Conflict.into()),
    };
    Ok(state.apply(function, &args, Domain::ALL)?)
}
