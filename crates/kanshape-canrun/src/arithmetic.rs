//! Expressions and conditions as goals: they wait until their names are known, then count.

use std::collections::BTreeMap;

use canrun::{Fail, Goal, unify};
use kanshape_syntax::tree::{CmpOp, Condition, DimItem, Expr, Func, MulOp, Sign, Spanned};

use crate::project::{project_all, truth, with_cells};
use crate::scope::Scope;
use crate::shape::Size;
use crate::uses::{RunKey, Uses, exprs};

/// `size` is what an expression denotes.
pub(crate) fn equation(expr: &Expr, size: &Size, scope: &Scope) -> Box<dyn Goal> {
    match expr {
        Expr::Name(name) => Box::new(unify(scope.name(&name.node), size.clone())),
        Expr::Int(value) => Box::new(unify(*value, size.clone())),
        _ => {
            let (expr, size) = (expr.clone(), size.clone());
            let uses = Uses::of([&expr]);
            when_known(uses, scope, move |numbers| {
                let value = numbers
                    .value(&expr)
                    .and_then(|value| u64::try_from(value).ok());
                match value {
                    Some(value) => Box::new(unify(value, size.clone())),
                    None => Box::new(Fail),
                }
            })
        }
    }
}

/// A condition on sizes is true.
pub(crate) fn condition(condition: &Condition, scope: &Scope) -> Box<dyn Goal> {
    let condition = condition.clone();
    let uses = Uses::of(exprs(&condition));
    when_known(uses, scope, move |numbers| {
        truth(numbers.is_true(&condition).unwrap_or(false))
    })
}

/// Makes a goal once all names and all dims of the runs are known.
fn when_known(
    uses: Uses,
    scope: &Scope,
    then: impl Fn(&Numbers) -> Box<dyn Goal> + 'static,
) -> Box<dyn Goal> {
    let then = std::rc::Rc::new(then);
    let names: Vec<Size> = uses.names.iter().map(|name| scope.name(name)).collect();
    let runs = uses.runs.iter().map(|key| scope.run(key)).collect();
    Box::new(with_cells(runs, move |cells| {
        let lengths: Vec<usize> = cells.iter().map(Vec::len).collect();
        let sizes = names.iter().chain(cells.iter().flatten()).cloned();
        let (uses, then) = (uses.clone(), then.clone());
        Box::new(project_all(sizes.collect(), move |sizes| {
            let mut sizes = sizes.iter().map(|size| **size);
            let numbers = Numbers {
                names: uses.names.iter().cloned().zip(sizes.by_ref()).collect(),
                runs: uses
                    .runs
                    .iter()
                    .cloned()
                    .zip(
                        lengths
                            .iter()
                            .map(|length| sizes.by_ref().take(*length).collect()),
                    )
                    .collect(),
            };
            then(&numbers)
        }))
    }))
}

/// What names and runs denote, once all of them are known.
struct Numbers {
    names: BTreeMap<String, u64>,
    runs: BTreeMap<RunKey, Vec<u64>>,
}

impl Numbers {
    /// The integer that an expression denotes; none where it divides by zero, or leaves `i128`.
    fn value(&self, expr: &Expr) -> Option<i128> {
        match expr {
            Expr::Int(value) => Some(i128::from(*value)),
            Expr::Name(name) => self.names.get(&*name.node).map(|value| i128::from(*value)),
            Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => None,
            Expr::Sum(terms) => terms.iter().try_fold(0i128, |sum, (sign, term)| {
                let term = self.value(term)?;
                match sign {
                    Sign::Plus => sum.checked_add(term),
                    Sign::Minus => sum.checked_sub(term),
                }
            }),
            Expr::Chain(first, rest) => {
                rest.iter()
                    .try_fold(self.value(first)?, |value, (op, factor)| {
                        let factor = self.value(factor)?;
                        match op {
                            MulOp::Mul => value.checked_mul(factor),
                            MulOp::FloorDiv => floor(value, factor),
                            MulOp::Mod => {
                                value.checked_sub(floor(value, factor)?.checked_mul(factor)?)
                            }
                        }
                    })
            }
            Expr::CeilDiv(a, b) => {
                floor(self.value(a)?.checked_neg()?, self.value(b)?)?.checked_neg()
            }
            Expr::Call(func, args) => {
                let mut values = Vec::new();
                for arg in args {
                    match self.run(arg) {
                        Some(run) => values.extend(run.into_iter().map(i128::from)),
                        None => values.push(self.value(arg)?),
                    }
                }
                match func {
                    Func::Min => values.into_iter().min(),
                    Func::Max => values.into_iter().max(),
                    Func::Prod => values.into_iter().try_fold(1, i128::checked_mul),
                    Func::Broadcast => values.into_iter().try_fold(1, stretch),
                    Func::Promote => None,
                }
            }
        }
    }

    /// The run that an expression denotes, if it is one.
    fn run(&self, expr: &Expr) -> Option<Vec<u64>> {
        match expr {
            Expr::Run(name) => self.runs.get(&RunKey::written(name.as_ref())).cloned(),
            Expr::Call(Func::Broadcast, args) => {
                let runs: Option<Vec<_>> = args.iter().map(|arg| self.run(arg)).collect();
                let runs = runs?;
                let rank = runs.iter().map(Vec::len).max()?;
                (0..rank)
                    .map(|place| {
                        runs.iter()
                            .filter_map(|run| run.get((place + run.len()).checked_sub(rank)?))
                            .try_fold(1, |size, dim| stretch(size, *dim))
                    })
                    .collect()
            }
            _ => None,
        }
    }

    fn is_true(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Dtype(..) => Some(true),
            Condition::In(member, set) => {
                let set: Option<Vec<i128>> = set.iter().map(|expr| self.value(expr)).collect();
                Some(set?.contains(&self.value(member)?))
            }
            Condition::Compare(first, rest) => {
                let lefts = std::iter::once(first).chain(rest.iter().map(|(_, right)| right));
                lefts.zip(rest).try_fold(true, |all, (left, (op, right))| {
                    Some(all & self.compares(left, *op, right)?)
                })
            }
        }
    }

    fn compares(&self, left: &Expr, op: CmpOp, right: &Expr) -> Option<bool> {
        if let (Some(left), Some(right), CmpOp::Eq) = (self.run(left), self.run(right), op) {
            return Some(left == right);
        }
        if let (Expr::List(dims), run) | (run, Expr::List(dims)) = (left, right) {
            return self.lists(dims, &self.run(run)?);
        }
        let order = self.value(left)?.cmp(&self.value(right)?);
        Some(match op {
            CmpOp::Eq => order.is_eq(),
            CmpOp::Ne => order.is_ne(),
            CmpOp::Lt => order.is_lt(),
            CmpOp::Le => order.is_le(),
            CmpOp::Gt => order.is_gt(),
            CmpOp::Ge => order.is_ge(),
        })
    }
}

impl Numbers {
    /// Whether a run is what a list of dims says.
    fn lists(&self, dims: &[Spanned<DimItem>], run: &[u64]) -> Option<bool> {
        let is_run = |dim: &&Spanned<DimItem>| matches!(dim.node, DimItem::Run(_));
        // This many are left for the run in the list.
        let others = dims.iter().filter(|dim| !is_run(dim)).count();
        let left = run.len().checked_sub(others);
        let Some(left) = left.filter(|&left| left == 0 || others < dims.len()) else {
            return Some(false);
        };
        let mut sizes = run.iter();
        dims.iter().try_fold(true, |all, dim| {
            let same = match &dim.node {
                DimItem::Run(name) => {
                    let own: Vec<u64> = sizes.by_ref().take(left).copied().collect();
                    let named = name.as_ref().map(|_| self.run(&Expr::Run(name.clone())));
                    named.is_none_or(|known| known == Some(own))
                }
                DimItem::Dim(dim) => self.value(dim)? == i128::from(*sizes.next()?),
                DimItem::Hole => sizes.next().is_some(),
            };
            Some(all & same)
        })
    }
}

/// The greatest integer that is no greater than the quotient.
fn floor(a: i128, b: i128) -> Option<i128> {
    let remainder = a.checked_rem_euclid(b)?;
    let quotient = a.checked_div_euclid(b)?;
    // Euclid's remainder is never negative, so with a negative divisor his quotient rounds up.
    Some(quotient - i128::from(b < 0 && remainder != 0))
}

fn stretch<N: PartialEq + From<u8>>(a: N, b: N) -> Option<N> {
    match (a == N::from(1), b == N::from(1)) {
        (true, _) => Some(b),
        (_, true) => Some(a),
        _ => (a == b).then_some(a),
    }
}

#[cfg(test)]
mod tests {
    use super::floor;

    #[test]
    fn floors() {
        for (a, b, quotient) in [
            (7, 2, 3),
            (-7, 2, -4),
            (7, -2, -4),
            (-7, -2, 3),
            (6, -2, -3),
        ] {
            assert_eq!(floor(a, b), Some(quotient), "{a} // {b}");
        }
        assert_eq!(floor(1, 0), None);
        assert_eq!(floor(i128::MIN, -1), None);
    }
}
