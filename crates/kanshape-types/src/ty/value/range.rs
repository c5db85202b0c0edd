//! [`Range`]: what is known of an expression's value, as the least and the greatest it can be.

use kanshape_syntax::tree::{Expr, Func, MulOp, Sign};

/// Bounds on the value of an expression. Both ends may be reached, but need not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) lo: i128,
    pub(super) hi: i128,
    /// Whether there is a value for all that the names can be.
    pub(super) total: bool,
}

/// What lies beyond is not distinguished: `-FAR` and `FAR` denote everything from there on. It is
/// far above any size.
const FAR: i128 = 1 << 120;

/// What the names and runs of an expression can be.
pub(super) trait Scope {
    fn name(&self, name: &str) -> Range;
    /// The sizes of a run, if they are settled.
    fn run(&self, name: &str) -> Option<&[u64]>;
}

impl Range {
    const ANY: Range = Range {
        lo: -FAR,
        hi: FAR,
        total: false,
    };

    pub(super) fn new(lo: i128, hi: i128) -> Range {
        Range {
            lo,
            hi,
            total: true,
        }
    }

    pub(super) fn just(value: u64) -> Range {
        Range::new(value.into(), value.into())
    }

    /// Whether only one value is left.
    pub(super) fn is_one(self) -> bool {
        self.lo == self.hi && self.lo.abs() < FAR
    }

    /// Bounds on the value of `expr`; none if it surely has no value.
    pub(super) fn of(expr: &Expr, scope: &dyn Scope) -> Option<Range> {
        match expr {
            Expr::Int(int) => Some(Range::just(*int)),
            Expr::Nominal(nominal) => Some(Range::just(nominal.size.node)),
            Expr::Name(name) => Some(scope.name(&name.node)),
            Expr::Sum(terms) => terms.iter().try_fold(Range::just(0), |sum, (sign, term)| {
                let term = Range::of(term, scope)?;
                Some(match sign {
                    Sign::Plus => sum.add(term),
                    Sign::Minus => sum.add(term.negate()),
                })
            }),
            Expr::Chain(first, rest) => {
                let first = Range::of(first, scope)?;
                rest.iter().try_fold(first, |value, (op, factor)| {
                    let factor = Range::of(factor, scope)?;
                    match op {
                        MulOp::Mul => Some(value.multiply(factor)),
                        MulOp::FloorDiv => value.floor_div(factor),
                        MulOp::Mod => value.modulo(factor),
                    }
                })
            }
            Expr::CeilDiv(a, b) => {
                let quotient = Range::of(a, scope)?
                    .negate()
                    .floor_div(Range::of(b, scope)?)?;
                Some(quotient.negate())
            }
            Expr::Call(func, args) => Range::of_call(*func, args, scope),
            Expr::Run(_) | Expr::List(_) => Some(Range::ANY),
        }
    }

    fn of_call(func: Func, args: &[Expr], scope: &dyn Scope) -> Option<Range> {
        let mut ranges = args.iter().map(|arg| match arg {
            Expr::Run(Some(name)) if func == Func::Prod => match scope.run(&name.node) {
                Some(sizes) => Some(
                    sizes
                        .iter()
                        .fold(Range::just(1), |all, &size| all.multiply(Range::just(size))),
                ),
                None => Some(Range {
                    lo: 0,
                    ..Range::ANY
                }),
            },
            arg => Range::of(arg, scope),
        });
        match func {
            Func::Min => ranges.reduce(|a, b| Some(a?.zip(b?, i128::min)))?,
            Func::Max => ranges.reduce(|a, b| Some(a?.zip(b?, i128::max)))?,
            Func::Prod => ranges.try_fold(Range::just(1), |all, arg| Some(all.multiply(arg?))),
            Func::Broadcast => ranges.reduce(|a, b| a?.broadcast(b?))?,
            Func::Promote => Some(Range::ANY),
        }
    }

    fn with(lo: i128, hi: i128, total: bool) -> Range {
        Range {
            lo: lo.clamp(-FAR, FAR),
            hi: hi.clamp(-FAR, FAR),
            total,
        }
    }

    fn zip(self, other: Range, of: impl Fn(i128, i128) -> i128) -> Range {
        let total = self.total && other.total;
        Range::with(of(self.lo, other.lo), of(self.hi, other.hi), total)
    }

    fn negate(self) -> Range {
        Range::with(-self.hi, -self.lo, self.total)
    }

    fn add(self, other: Range) -> Range {
        let lo = match self.lo == -FAR || other.lo == -FAR {
            true => -FAR,
            false => self.lo + other.lo,
        };
        let hi = match self.hi == FAR || other.hi == FAR {
            true => FAR,
            false => self.hi + other.hi,
        };
        Range::with(lo, hi, self.total && other.total)
    }

    fn multiply(self, other: Range) -> Range {
        let product = |a: i128, b: i128| {
            a.checked_mul(b).unwrap_or(match (a < 0) == (b < 0) {
                true => FAR,
                false => -FAR,
            })
        };
        self.corners(other, product)
    }

    /// The bounds of an operation that takes its extremes where its operands do.
    fn corners(self, other: Range, of: impl Fn(i128, i128) -> i128) -> Range {
        let corners = [
            of(self.lo, other.lo),
            of(self.lo, other.hi),
            of(self.hi, other.lo),
            of(self.hi, other.hi),
        ];
        let (lo, hi) = corners
            .iter()
            .fold((FAR, -FAR), |(lo, hi), &c| (lo.min(c), hi.max(c)));
        Range::with(lo, hi, self.total && other.total)
    }

    /// Both operands with a divisor above 0. `None`: it is 0. `Some(None)`: it can be anything.
    fn over_positive(self, divisor: Range) -> Option<Option<(Range, Range)>> {
        match divisor {
            Range { lo: 0, hi: 0, .. } => None,
            Range { lo: 1.., .. } => Some(Some((self, divisor))),
            Range { lo: 0, hi, .. } => Some(Some((self, Range::with(1, hi, false)))),
            Range { hi: ..=-1, .. } => Some(Some((self.negate(), divisor.negate()))),
            _ => Some(None),
        }
    }

    fn floor_div(self, divisor: Range) -> Option<Range> {
        let Some((a, b)) = self.over_positive(divisor)? else {
            return Some(Range::ANY);
        };
        let mut quotient = a.corners(b, i128::div_euclid);
        if a.lo == -FAR {
            quotient.lo = -FAR;
        }
        if a.hi == FAR {
            quotient.hi = FAR;
        }
        Some(quotient)
    }

    fn modulo(self, divisor: Range) -> Option<Range> {
        let Some((a, b)) = self.over_positive(divisor)? else {
            return Some(Range::ANY);
        };
        let rest = if a.is_one() && b.is_one() {
            let rest = a.lo.rem_euclid(b.lo);
            Range::with(rest, rest, a.total && b.total)
        } else if a.lo >= 0 && a.hi < b.lo {
            a
        } else {
            let hi = if b.hi == FAR { FAR } else { b.hi - 1 };
            Range::with(0, hi, a.total && b.total)
        };
        // The rest has the sign of the divisor.
        Some(match divisor.hi < 0 {
            true => rest.negate(),
            false => rest,
        })
    }

    fn broadcast(self, other: Range) -> Option<Range> {
        let total = self.total && other.total;
        match (self.is_one(), other.is_one()) {
            (true, _) if self.lo == 1 => Some(other),
            (_, true) if other.lo == 1 => Some(self),
            (true, true) if self.lo == other.lo => Some(Range { total, ..self }),
            (true, true) => None,
            _ => Some(Range::with(
                self.lo.min(other.lo),
                self.hi.max(other.hi),
                false,
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// `n` in 2..=9, `one` = 1, everything else any size.
    struct Here;

    impl Scope for Here {
        fn name(&self, name: &str) -> Range {
            match name {
                "n" => Range::new(2, 9),
                "one" => Range::just(1),
                _ => Range::new(0, i64::MAX.into()),
            }
        }

        fn run(&self, name: &str) -> Option<&[u64]> {
            (name == "r").then_some(&[2, 3])
        }
    }

    fn of(text: &str) -> Option<(i128, i128)> {
        let expr = kanshape_syntax::parse_expr(text).unwrap();
        Range::of(&expr, &Here).map(|range| (range.lo, range.hi))
    }

    #[test]
    fn bounds() {
        assert_eq!(of("2*n + 1"), Some((5, 19)));
        assert_eq!(of("n - 2*n"), Some((-16, 5)));
        assert_eq!(of("n // 4"), Some((0, 2)));
        assert_eq!(of("(0 - n) // 4"), Some((-3, -1)));
        assert_eq!(of("ceil(n/4)"), Some((1, 3)));
        assert_eq!(of("n % 4"), Some((0, 3)));
        assert_eq!(of("n % 20"), Some((2, 9)));
        assert_eq!(of("7 % (0 - 4)"), Some((-1, -1)));
        assert_eq!(of("7 // (0 - 4)"), Some((-2, -2)));
        assert_eq!(of("n // 0"), None);
        assert_eq!(of("min(n, 5)"), Some((2, 5)));
        assert_eq!(of("max(n, 5)"), Some((5, 9)));
        assert_eq!(of("prod(...r)*n"), Some((12, 54)));
        assert_eq!(of("broadcast(one, n)"), Some((2, 9)));
        assert_eq!(of("broadcast(2, 3)"), None);
    }

    #[test]
    fn nothing_overflows() {
        assert_eq!(of("m*m*m*m"), Some((0, FAR)));
        assert_eq!(of("0 - m*m*m*m"), Some((-FAR, 0)));
        assert_eq!(of("m*m*m*m - m*m*m*m"), Some((-FAR, FAR)));
        assert_eq!(of("m*m*m // m"), Some((0, FAR)));
    }
}
