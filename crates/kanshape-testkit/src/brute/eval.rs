//! Expressions and conditions over numbers that are known: Python's integers, in `i128`.

use std::collections::BTreeMap;

use kanshape_syntax::tree::{CmpOp, Condition, DimItem, Expr, Func, MulOp, Sign, Spanned};

use super::plan::{RunKey, is_run, run_key};

/// The greatest size there is.
pub(super) const MAX_SIZE: u64 = i64::MAX as u64;

/// Who says what names and runs denote.
pub(super) trait Known {
    fn name(&self, name: &str) -> Option<u64>;
    fn run(&self, key: &RunKey) -> Option<Vec<u64>>;
}

/// The numbers and runs that names denote.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    pub(super) names: BTreeMap<String, u64>,
    pub(super) runs: BTreeMap<RunKey, Vec<u64>>,
}

impl Known for Env {
    fn name(&self, name: &str) -> Option<u64> {
        self.names.get(name).copied()
    }

    fn run(&self, key: &RunKey) -> Option<Vec<u64>> {
        self.runs.get(key).cloned()
    }
}

/// Why an expression is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Division by zero, dims that do not broadcast, a name without a number.
    NoValue,
    /// A number beyond `i128`.
    TooBig,
}

/// The number that an expression denotes; it need not be a size.
pub(super) fn eval(expr: &Expr, env: &impl Known) -> Result<i128, Stop> {
    match expr {
        Expr::Int(value) => Ok(i128::from(*value)),
        Expr::Name(name) => {
            let value = env.name(&name.node).ok_or(Stop::NoValue)?;
            Ok(i128::from(value))
        }
        Expr::Sum(terms) => {
            let mut sum = 0;
            for (sign, term) in terms {
                let term = eval(term, env)?;
                sum = big(match sign {
                    Sign::Plus => i128::checked_add(sum, term),
                    Sign::Minus => i128::checked_sub(sum, term),
                })?;
            }
            Ok(sum)
        }
        Expr::Chain(first, rest) => {
            let mut value = eval(first, env)?;
            for (op, factor) in rest {
                let factor = eval(factor, env)?;
                value = match op {
                    MulOp::Mul => big(value.checked_mul(factor))?,
                    MulOp::FloorDiv => floor_div(value, factor)?,
                    MulOp::Mod => floor_mod(value, factor)?,
                };
            }
            Ok(value)
        }
        Expr::CeilDiv(a, b) => {
            let negated = big(eval(a, env)?.checked_neg())?;
            big(floor_div(negated, eval(b, env)?)?.checked_neg())
        }
        Expr::Call(Func::Min, args) => {
            let values = eval_all(args, env)?;
            values.into_iter().min().ok_or(Stop::NoValue)
        }
        Expr::Call(Func::Max, args) => {
            let values = eval_all(args, env)?;
            values.into_iter().max().ok_or(Stop::NoValue)
        }
        Expr::Call(Func::Prod, args) => {
            let mut product: i128 = 1;
            for arg in args {
                for factor in factors(arg, env)? {
                    product = big(product.checked_mul(factor))?;
                }
            }
            Ok(product)
        }
        Expr::Call(Func::Broadcast, args) => {
            let mut result = 1;
            for dim in eval_all(args, env)? {
                result = broadcast_dim(result, dim).ok_or(Stop::NoValue)?;
            }
            Ok(result)
        }
        Expr::Call(Func::Promote, _) | Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => {
            Err(Stop::NoValue)
        }
    }
}

fn eval_all(exprs: &[Expr], env: &impl Known) -> Result<Vec<i128>, Stop> {
    exprs.iter().map(|expr| eval(expr, env)).collect()
}

fn factors(expr: &Expr, env: &impl Known) -> Result<Vec<i128>, Stop> {
    if is_run(expr) {
        Ok(eval_run(expr, env)?.into_iter().map(i128::from).collect())
    } else {
        Ok(vec![eval(expr, env)?])
    }
}

fn eval_run(expr: &Expr, env: &impl Known) -> Result<Vec<u64>, Stop> {
    match expr {
        Expr::Run(name) => {
            let key = run_key(name.as_ref().map(|name| &*name.node));
            env.run(&key).ok_or(Stop::NoValue)
        }
        Expr::Call(Func::Broadcast, args) => {
            let runs: Vec<Vec<u64>> = args
                .iter()
                .map(|arg| eval_run(arg, env))
                .collect::<Result<_, _>>()?;
            broadcast_runs(&runs).ok_or(Stop::NoValue)
        }
        _ => Err(Stop::NoValue),
    }
}

/// Whether a condition on sizes is true. One that has no value is not.
pub(super) fn is_true(condition: &Condition, env: &impl Known) -> Result<bool, Stop> {
    match truth(condition, env) {
        Err(Stop::NoValue) => Ok(false),
        other => other,
    }
}

fn truth(condition: &Condition, env: &impl Known) -> Result<bool, Stop> {
    match condition {
        Condition::Dtype(..) => Ok(true),
        Condition::In(expr, members) => {
            let value = eval(expr, env)?;
            Ok(eval_all(members, env)?.contains(&value))
        }
        Condition::Compare(first, rest) => {
            let mut left = first;
            let mut all = true;
            for (op, right) in rest {
                all &= compare(left, *op, right, env)?;
                left = right;
            }
            Ok(all)
        }
    }
}

fn compare(left: &Expr, op: CmpOp, right: &Expr, env: &impl Known) -> Result<bool, Stop> {
    if let (Expr::List(items), run) | (run, Expr::List(items)) = (left, right) {
        return match op {
            CmpOp::Eq => is_list(&eval_run(run, env)?, items, env),
            _ => Err(Stop::NoValue),
        };
    }
    if is_run(left) || is_run(right) {
        let equal = eval_run(left, env)? == eval_run(right, env)?;
        return if op == CmpOp::Eq {
            Ok(equal)
        } else {
            Err(Stop::NoValue)
        };
    }
    let (left, right) = (eval(left, env)?, eval(right, env)?);
    Ok(match op {
        CmpOp::Eq => left == right,
        CmpOp::Ne => left != right,
        CmpOp::Lt => left < right,
        CmpOp::Le => left <= right,
        CmpOp::Gt => left > right,
        CmpOp::Ge => left >= right,
    })
}

/// Whether a run is what a list of dims says: its run denotes the dims that the others leave.
fn is_list(run: &[u64], items: &[Spanned<DimItem>], env: &impl Known) -> Result<bool, Stop> {
    let is_run = |item: &Spanned<DimItem>| matches!(item.node, DimItem::Run(_));
    let dims = items.iter().filter(|item| !is_run(item)).count();
    let Some(left) = run.len().checked_sub(dims) else {
        return Ok(false);
    };
    if left > 0 && !items.iter().any(is_run) {
        return Ok(false);
    }
    let mut rest = run;
    for item in items {
        let (here, behind) = rest.split_at(if is_run(item) { left } else { 1 });
        let fits = match &item.node {
            DimItem::Hole | DimItem::Run(None) => true,
            DimItem::Dim(expr) => eval(expr, env)? == i128::from(here[0]),
            DimItem::Run(Some(name)) => {
                let known = env.run(&run_key(Some(&name.node)));
                known.ok_or(Stop::NoValue)? == here
            }
        };
        if !fits {
            return Ok(false);
        }
        rest = behind;
    }
    Ok(true)
}

/// A number as a size, if it is one.
pub(super) fn as_size(value: i128) -> Option<u64> {
    u64::try_from(value).ok().filter(|size| *size <= MAX_SIZE)
}

/// What two dims broadcast to.
pub(super) fn broadcast_dim<N: PartialEq + From<u8>>(a: N, b: N) -> Option<N> {
    let one = N::from(1);
    if a == b || b == one {
        Some(a)
    } else if a == one {
        Some(b)
    } else {
        None
    }
}

/// What runs broadcast to, aligned on the right; of none at all, the empty run.
pub(super) fn broadcast_runs(runs: &[Vec<u64>]) -> Option<Vec<u64>> {
    let rank = runs.iter().map(Vec::len).max().unwrap_or(0);
    let mut result = vec![1; rank];
    for run in runs {
        let skipped = rank - run.len();
        for (dim, size) in result[skipped..].iter_mut().zip(run) {
            *dim = broadcast_dim(*dim, *size)?;
        }
    }
    Some(result)
}

fn floor_div(a: i128, b: i128) -> Result<i128, Stop> {
    if b == 0 {
        return Err(Stop::NoValue);
    }
    let quotient = big(a.checked_div(b))?;
    let rounds_up = a % b != 0 && (a < 0) != (b < 0);
    Ok(if rounds_up { quotient - 1 } else { quotient })
}

fn floor_mod(a: i128, b: i128) -> Result<i128, Stop> {
    let quotient = floor_div(a, b)?;
    big(quotient.checked_mul(b).and_then(|part| a.checked_sub(part)))
}

fn big(value: Option<i128>) -> Result<i128, Stop> {
    value.ok_or(Stop::TooBig)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn division_is_pythons() {
        for (a, b, quotient, rest) in [
            (7, 2, 3, 1),
            (-7, 2, -4, 1),
            (7, -2, -4, -1),
            (-7, -2, 3, -1),
            (0, 5, 0, 0),
        ] {
            assert_eq!(floor_div(a, b), Ok(quotient), "{a} // {b}");
            assert_eq!(floor_mod(a, b), Ok(rest), "{a} % {b}");
        }
        assert_eq!(floor_div(1, 0), Err(Stop::NoValue));
    }

    #[test]
    fn broadcasting_knows_zero() {
        assert_eq!(broadcast_dim(0u64, 1), Some(0));
        assert_eq!(broadcast_dim(1u64, 0), Some(0));
        assert_eq!(broadcast_dim(0u64, 2), None);
        let add = [vec![8, 1, 6, 1], vec![7, 1, 5]];
        assert_eq!(broadcast_runs(&add), Some(vec![8, 7, 6, 5]));
    }
}
