//! Conditions between sizes that are known.

use kanshape_syntax::tree::{Condition, Expr, Func, MulOp, Sign};

/// Does it hold? `None` where it is about more than sizes that are known.
pub(super) fn condition(
    condition: &Condition,
    size: &impl Fn(&str) -> Option<u64>,
) -> Option<bool> {
    match condition {
        Condition::Compare(first, rest) => {
            let mut left = value(first, size)?;
            for (op, right) in rest {
                let right = value(right, size)?;
                if !op.holds(left, right) {
                    return Some(false);
                }
                left = right;
            }
            Some(true)
        }
        Condition::In(one, all) => {
            let one = value(one, size)?;
            let all = all.iter().map(|e| value(e, size));
            Some(all.collect::<Option<Vec<i128>>>()?.contains(&one))
        }
        Condition::Dtype(..) => None,
    }
}

/// The number that an expression is.
fn value(e: &Expr, size: &impl Fn(&str) -> Option<u64>) -> Option<i128> {
    let all = |all: &[Expr]| {
        all.iter()
            .map(|e| value(e, size))
            .collect::<Option<Vec<_>>>()
    };
    match e {
        Expr::Int(n) => Some(i128::from(*n)),
        Expr::Name(name) => size(&name.node).map(i128::from),
        Expr::Sum(terms) => terms.iter().try_fold(0i128, |sum, (sign, term)| {
            let term = value(term, size)?;
            match sign {
                Sign::Plus => sum.checked_add(term),
                Sign::Minus => sum.checked_sub(term),
            }
        }),
        Expr::Chain(first, rest) => rest.iter().try_fold(value(first, size)?, |n, (op, by)| {
            let by = value(by, size)?;
            match op {
                MulOp::Mul => n.checked_mul(by),
                MulOp::FloorDiv | MulOp::Mod if by < 1 => None,
                MulOp::FloorDiv => Some(n.div_euclid(by)),
                MulOp::Mod => Some(n.rem_euclid(by)),
            }
        }),
        Expr::CeilDiv(n, by) => {
            let (n, by) = (value(n, size)?, value(by, size)?);
            (by > 0).then(|| -(-n).div_euclid(by))
        }
        Expr::Call(Func::Min, args) => all(args)?.into_iter().min(),
        Expr::Call(Func::Max, args) => all(args)?.into_iter().max(),
        Expr::Call(Func::Prod, args) => all(args)?.into_iter().try_fold(1, i128::checked_mul),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanshape_types::Type;

    #[test]
    fn conditions_between_known_sizes_are_decided() {
        let decide = |text: &str| {
            let ty: Type = format!("f32[n, m, k] where {text}").parse().expect(text);
            let size = |name: &str| match name {
                "n" => Some(7),
                "m" => Some(3),
                _ => None,
            };
            condition(&ty.conditions.as_slice()[0], &size)
        };
        assert_eq!(decide("n == 2*m + 1"), Some(true));
        assert_eq!(decide("n // m == 2"), Some(true));
        assert_eq!(decide("n % m == 2"), Some(false));
        assert_eq!(decide("ceil(n/m) == 3"), Some(true));
        assert_eq!(decide("m < n < m"), Some(false));
        assert_eq!(decide("n in {1, 7}"), Some(true));
        assert_eq!(decide("max(n, m) == 7"), Some(true));
        assert_eq!(decide("n == k"), None);
    }
}
