//! Conditions on one size that repeat: comparisons of sums, quotients and remainders of it by integers, of least and greatest numbers,
//! and of quotients of integers by it.
//!
//! An expression `e` of that kind is linear but for a period: there are a period `p` and a slope `s` with `e(n + p) == e(n) + s`
//! for all `n` from some size on. So the difference of two sides either is the same in each period or grows in one direction, and from some
//! size on a condition is true of the same sizes in each period. Up to the end of the first of these it is tried on every
//! size, which decides it for all sizes.

use crate::limits::{MAX_PERIOD, MAX_PERIODIC_SIZE};
use kanshape_engine::{gcd, is_over, work};
use kanshape_syntax::tree::{CmpOp, Condition, Expr, Func, MulOp, Sign};
use std::fmt;
use std::ops::RangeInclusive;

/// For which sizes conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Those that don't repeat, and those of the first period after them.
    pub first: Vec<RangeInclusive<u64>>,
    /// How far it is from one period to the next; `None` where the sizes end.
    pub period: Option<u64>,
    /// How many of `first` are those of the first period: the last ones.
    pub repeated: usize,
}

/// `1..4, 29..32, 61..64, ... (every 32)`.
impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = self.first.len() - self.repeated;
        let more = self.period.map(|p| (p, &self.first[next..next + 1]));
        let shifted = more.map(|(p, range)| range[0].start() + p..=range[0].end() + p);
        for (i, range) in self.first.iter().chain(&shifted).enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            match range.start() == range.end() {
                true => write!(f, "{comma}{}", range.start())?,
                false => write!(f, "{comma}{}..{}", range.start(), range.end())?,
            }
        }
        match self.period {
            Some(period) => write!(f, ", ... (every {period})"),
            None => Ok(()),
        }
    }
}

/// The difference between two sides, for one comparison.
struct Difference<'c> {
    left: &'c Expr,
    op: CmpOp,
    right: &'c Expr,
}

/// A condition on one size: one of the differences is as it has to be (`any`), or all of them are.
struct Periodic<'c> {
    all: Vec<Difference<'c>>,
    any: bool,
    period: i64,
    /// The size from which on it repeats.
    from: i64,
}

/// Does a condition on one size follow from others? `None` where they are of another kind, or repeat too late.
pub(super) fn follows(from: &[Condition], c: &Condition) -> Option<bool> {
    let name = only_name(c)?;
    let about = from.iter().filter(|c| only_name(c) == Some(name));
    let from: Vec<Periodic<'_>> = about.filter_map(|c| read(c, name)).collect();
    let to = read(c, name)?;
    let (start, period) = together(from.iter().chain([&to]))?;
    work(usize::try_from(start + period).unwrap_or(0));
    // Mostly it holds, and there are several others.
    Some((0..start + period).all(|n| to.holds(n) || !from.iter().all(|c| c.holds(n))))
}

/// For which sizes of a name, `least` or more, the conditions hold, if all that mention it are of this kind. `None` if it is
/// any size from a number on.
pub fn allowed(conditions: &[Condition], name: &str, least: u64) -> Option<Allowed> {
    let mut all = Vec::new();
    for c in conditions {
        let mut says = false;
        c.for_each_name(&mut |n| says |= n == name);
        if says {
            all.push(read(c, name).filter(|_| only_name(c) == Some(name))?);
        }
    }
    let (start, period) = together(&all)?;
    let least = i64::try_from(least).ok()?;
    let start = start.max(least);
    if start.checked_add(period)? > MAX_PERIODIC_SIZE {
        return None;
    }
    work(usize::try_from(start + period).unwrap_or(0));
    let holds = |n: i64| n >= least && all.iter().all(|c| c.holds(n));
    let mut first: Vec<RangeInclusive<u64>> = Vec::new();
    // The least period may be shorter, and may begin earlier.
    let table: Vec<bool> = (0..start + 2 * period).map(holds).collect();
    let (start, period) = (usize::try_from(start).ok()?, usize::try_from(period).ok()?);
    let divisors = (1..=period).filter(|p| period.is_multiple_of(*p));
    let period = divisors.into_iter().find(|p| {
        let last = &table[start..];
        last.iter().zip(&last[*p..]).all(|(a, b)| a == b)
    })?;
    let begins = (0..=start)
        .rev()
        .take_while(|n| *n == start || table[*n] == table[*n + period]);
    let start = begins.last().unwrap_or(start);
    let last = &table[start..start + period];
    if last.iter().all(|holds| *holds) {
        return None;
    }
    // A range is not cut where the period begins.
    let shift = last.iter().position(|holds| !*holds).unwrap_or(0);
    let (start, end) = (start + shift, start + shift + period);
    let mut repeated = 0;
    for (n, _) in table
        .iter()
        .enumerate()
        .take(end)
        .filter(|(_, holds)| **holds)
    {
        let n = n as u64;
        match first.last_mut() {
            Some(range) if range.end() + 1 == n => *range = *range.start()..=n,
            _ => {
                first.push(n..=n);
                repeated += usize::from(n >= start as u64);
            }
        }
    }
    Some(Allowed {
        first,
        period: (repeated > 0).then_some(period as u64),
        repeated,
    })
}

/// The size from which on all of them repeat, and the period of all.
fn together<'p, 'c: 'p>(all: impl IntoIterator<Item = &'p Periodic<'c>>) -> Option<(i64, i64)> {
    let (mut from, mut period) = (0, 1);
    for c in all {
        from = from.max(c.from);
        period = lcm(period, c.period)?;
    }
    let end = from.checked_add(period)?;
    (end <= MAX_PERIODIC_SIZE).then_some((from, period))
}

impl Periodic<'_> {
    fn holds(&self, n: i64) -> bool {
        let is = |d: &Difference<'_>| match (value(d.left, n), value(d.right, n)) {
            (Some(left), Some(right)) => d.op.holds(left, right),
            _ => false,
        };
        match self.any {
            true => self.all.iter().any(is),
            false => self.all.iter().all(is),
        }
    }
}

/// The one name of a condition.
fn only_name(c: &Condition) -> Option<&str> {
    let mut names = NameOf::default();
    for side in c.parts() {
        names.add(side);
    }
    names.only
}

/// The one name of some expressions, if they have one.
#[derive(Default)]
struct NameOf<'c> {
    only: Option<&'c str>,
    several: bool,
}

impl<'c> NameOf<'c> {
    fn add(&mut self, e: &'c Expr) {
        let mut left = vec![e];
        while let Some(e) = left.pop() {
            match e {
                Expr::Int(_) => {}
                Expr::Name(_) if self.several => {}
                Expr::Name(name) => match self.only {
                    Some(own) if own != &*name.node => (self.only, self.several) = (None, true),
                    _ => self.only = Some(&name.node),
                },
                Expr::Sum(terms) => left.extend(terms.iter().map(|t| &t.1)),
                Expr::Chain(e, rest) => {
                    left.push(e);
                    left.extend(rest.iter().map(|t| &t.1));
                }
                Expr::CeilDiv(a, b) => left.extend([&**a, &**b]),
                Expr::Call(Func::Min | Func::Max, args) => left.extend(args),
                Expr::Nominal(_) | Expr::Call(..) | Expr::Run(_) | Expr::List(_) => {
                    (self.only, self.several) = (None, true);
                }
            }
        }
    }
}

/// A condition of this kind, with when it begins to repeat.
fn read<'c>(c: &'c Condition, name: &str) -> Option<Periodic<'c>> {
    let all: Vec<Difference<'c>> = match c {
        Condition::Compare(first, rest) => {
            let lefts = std::iter::once(first).chain(rest.iter().map(|(_, e)| e));
            let pairs = lefts.zip(rest);
            pairs
                .map(|(left, (op, right))| Difference {
                    left,
                    op: *op,
                    right,
                })
                .collect()
        }
        Condition::In(left, values) => {
            let op = CmpOp::Eq;
            values
                .iter()
                .map(|right| Difference { left, op, right })
                .collect()
        }
        Condition::Dtype(..) => return None,
    };
    let mut growths = Vec::with_capacity(all.len());
    let mut period = 1;
    for d in &all {
        let both = [growth(d.left, name, 0)?, growth(d.right, name, 0)?];
        for own in both {
            period = lcm(period, own.period)?;
        }
        growths.push(both);
    }
    let mut from = 0;
    for (d, [left, right]) in all.iter().zip(growths) {
        let start = left.from.max(right.from);
        let grows = left.over(period)?.checked_sub(right.over(period)?)?;
        let difference = |n| value(d.left, n)?.checked_sub(value(d.right, n)?);
        from = from.max(settled(start, period, grows, &difference)?);
    }
    let any = matches!(c, Condition::In(..));
    Some(Periodic {
        all,
        any,
        period,
        from,
    })
}

/// How an expression grows: by so much in a period, from some size on.
#[derive(Clone, Copy)]
struct Growth {
    slope: i64,
    period: i64,
    from: i64,
}

impl Growth {
    fn linear(slope: i64) -> Growth {
        Growth {
            slope,
            period: 1,
            from: 0,
        }
    }

    /// Always the same, from a size on.
    fn steady(from: i64) -> Growth {
        Growth {
            from,
            ..Growth::linear(0)
        }
    }

    fn is_steady(self) -> bool {
        self.slope == 0 && self.period == 1
    }

    /// By how much in a multiple of the period.
    fn over(self, period: i64) -> Option<i64> {
        self.slope.checked_mul(period / self.period)
    }

    fn times(self, k: i64) -> Option<Growth> {
        let slope = self.slope.checked_mul(k)?;
        Some(Growth { slope, ..self })
    }

    fn not_before(self, from: i64) -> Growth {
        let from = self.from.max(from);
        Growth { from, ..self }
    }

    fn plus(self, other: Growth) -> Option<Growth> {
        let period = lcm(self.period, other.period)?;
        Some(Growth {
            slope: self.over(period)?.checked_add(other.over(period)?)?,
            period,
            from: self.from.max(other.from),
        })
    }

    /// Of a quotient by `k`: in `k` periods of what is divided it grows by so much.
    fn divided(self, k: u64) -> Option<Growth> {
        let k = i64::try_from(k).ok().filter(|k| *k > 0)?;
        // As few as make it an integer.
        let common = common_of(self.slope.checked_abs()?, k)?;
        let times = k / common.max(1);
        let period = self.period.checked_mul(times);
        Some(Growth {
            slope: self.slope / common.max(1),
            period: period.filter(|p| *p <= MAX_PERIOD)?,
            from: self.from,
        })
    }
}

fn growth(e: &Expr, name: &str, deep: usize) -> Option<Growth> {
    if deep > crate::limits::MAX_PERIODIC_DEPTH {
        return None;
    }
    let of = |e: &Expr| growth(e, name, deep + 1);
    match e {
        Expr::Int(_) => Some(Growth::linear(0)),
        Expr::Name(own) => (&*own.node == name).then_some(Growth::linear(1)),
        Expr::Sum(terms) => {
            let mut sum = Growth::linear(0);
            for (sign, e) in terms {
                let own = of(e)?;
                sum = sum.plus(match sign {
                    Sign::Plus => own,
                    Sign::Minus => own.times(-1)?,
                })?;
            }
            Some(sum)
        }
        Expr::Chain(e, rest) => {
            let mut left = of(e)?;
            for (i, (op, right)) in rest.iter().enumerate() {
                left = match (op, right) {
                    (MulOp::Mul, right) => {
                        let own = of(right)?;
                        if own.is_steady() {
                            left.times(value(right, own.from)?)?.not_before(own.from)
                        } else {
                            let k = steady(e, left).filter(|_| i == 0)?;
                            own.times(k)?.not_before(left.from)
                        }
                    }
                    (MulOp::FloorDiv, Expr::Int(k)) => left.divided(*k)?,
                    (MulOp::Mod, Expr::Int(k)) => Growth {
                        slope: 0,
                        ..left.divided(*k)?
                    },
                    // What is divided by a greater number.
                    (MulOp::FloorDiv | MulOp::Mod, Expr::Name(_)) => {
                        let k = steady(e, left).filter(|_| i == 0)?;
                        let own = match op {
                            MulOp::Mod if k < 0 => Growth::linear(1),
                            _ => Growth::linear(0),
                        };
                        own.not_before(left.from.max(k.checked_abs()?.checked_add(1)?))
                    }
                    _ => return None,
                };
            }
            Some(left)
        }
        Expr::CeilDiv(a, b) => match **b {
            Expr::Int(k) => of(a)?.divided(k),
            Expr::Name(_) => {
                let own = of(a)?;
                let k = steady(a, own)?;
                let from = k.checked_abs()?.checked_add(1)?;
                Some(Growth::steady(own.from.max(from)))
            }
            _ => None,
        },
        Expr::Call(func @ (Func::Min | Func::Max), args) => {
            let mut own = of(args.first()?)?;
            for at in 1..args.len() {
                let (before, arg) = (&args[..at], &args[at]);
                own = further(*func, (before, own), (arg, of(arg)?))?;
            }
            Some(own)
        }
        Expr::Nominal(_) | Expr::Call(..) | Expr::Run(_) | Expr::List(_) => None,
    }
}

/// The value of an expression from some size on, if it is always the same there.
fn steady(e: &Expr, growth: Growth) -> Option<i64> {
    value(e, growth.from).filter(|_| growth.is_steady())
}

/// How the least or the greatest of some expressions and one more grows, of which it is known how the former does. Of two that grow alike
/// it is the one for some sizes and the other for others, in each period for the same ones.
fn further(
    func: Func,
    (before, one): (&[Expr], Growth),
    (arg, other): (&Expr, Growth),
) -> Option<Growth> {
    let period = lcm(one.period, other.period)?;
    let start = one.from.max(other.from);
    let slopes = [one.over(period)?, other.over(period)?];
    let grows = slopes[1].checked_sub(slopes[0])?;
    let difference = |n| value(arg, n)?.checked_sub(extreme(func, before, n)?);
    let from = settled(start, period, grows, &difference)?;
    let slope = match func {
        Func::Min => slopes[0].min(slopes[1]),
        _ => slopes[0].max(slopes[1]),
    };
    Some(Growth {
        slope,
        period,
        from,
    })
}

/// The size from which on a difference that grows by so much in each period has the sign of its slope, and keeps it.
fn settled(
    start: i64,
    period: i64,
    grows: i64,
    difference: &dyn Fn(i64) -> Option<i64>,
) -> Option<i64> {
    if grows == 0 {
        return Some(start);
    }
    let mut from = start;
    for n in start..start.checked_add(period)? {
        work(1);
        if is_over() {
            return None;
        }
        let periods = difference(n)?.unsigned_abs() / grows.unsigned_abs() + 1;
        let more = i64::try_from(periods).ok()?.checked_mul(period)?;
        from = from.max(start.checked_add(more)?);
    }
    Some(from)
}

fn extreme(func: Func, args: &[Expr], n: i64) -> Option<i64> {
    work(args.len());
    let mut all = args.iter().map(|arg| value(arg, n));
    let first = all.next()??;
    all.try_fold(first, |own, arg| {
        let arg = arg?;
        Some(match func {
            Func::Min => own.min(arg),
            _ => own.max(arg),
        })
    })
}

/// The greatest common divisor of numbers that are not negative.
fn common_of(a: i64, b: i64) -> Option<i64> {
    i64::try_from(gcd(a.into(), b.into())).ok()
}

fn lcm(a: i64, b: i64) -> Option<i64> {
    (a / common_of(a, b)?)
        .checked_mul(b)
        .filter(|p| *p <= MAX_PERIOD)
}

/// The value of an expression for which [`growth`] has an answer.
fn value(e: &Expr, n: i64) -> Option<i64> {
    match e {
        Expr::Int(k) => i64::try_from(*k).ok(),
        Expr::Name(_) => Some(n),
        Expr::Sum(terms) => terms.iter().try_fold(0_i64, |sum, (sign, e)| match sign {
            Sign::Plus => sum.checked_add(value(e, n)?),
            Sign::Minus => sum.checked_sub(value(e, n)?),
        }),
        Expr::Chain(e, rest) => rest.iter().try_fold(value(e, n)?, |left, (op, right)| {
            let right = value(right, n)?;
            match op {
                MulOp::Mul => left.checked_mul(right),
                MulOp::FloorDiv => (right > 0).then(|| left.div_euclid(right)),
                MulOp::Mod => (right > 0).then(|| left.rem_euclid(right)),
            }
        }),
        Expr::CeilDiv(a, b) => {
            let b = value(b, n)?;
            let quotient = value(a, n)?.checked_neg()?.checked_div_euclid(b)?;
            (b > 0).then_some(-quotient)
        }
        Expr::Call(func @ (Func::Min | Func::Max), args) => extreme(*func, args, n),
        Expr::Nominal(_) | Expr::Call(..) | Expr::Run(_) | Expr::List(_) => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn conditions(text: &str) -> Vec<Condition> {
        let tree = kanshape_syntax::parse_signature(&format!("(h)->() where {text}")).unwrap();
        tree.conditions.into_iter().map(|c| c.node).collect()
    }

    #[test]
    fn what_repeats_follows_or_not() {
        let from = conditions("ceil(h/4) in {1, 8*ceil(h/32)}");
        for (c, is) in [
            ("ceil(h/8) in {1, 4*ceil(h/32)}", true),
            ("ceil(h/16) in {1, 2*ceil(h/32)}", true),
            ("ceil(h/4) % 8 == 0", false),
            ("h % 2 == 0", false),
        ] {
            assert_eq!(follows(&from, &conditions(c)[0]), Some(is), "{c}");
        }
    }

    /// What repeats beyond all numbers is not tried.
    #[test]
    fn far_bounds_overflow_nothing() {
        for far in [
            "h <= 9223372036854775806",
            "h >= 9223372036854775807",
            "9223372036854775807*h >= 3",
            "(h - 9223372036854775807)//2 <= h",
            "ceil((0 - h - 9223372036854775807)/3) != 1",
        ] {
            let all = conditions(far);
            let follows = follows(&all, &conditions("h % 2 == 0")[0]);
            assert_ne!(follows, Some(true), "{far}");
            assert_eq!(allowed(&all, "h", u64::MAX >> 1), None, "{far}");
        }
    }

    #[test]
    fn what_is_allowed_is_listed() {
        let all = allowed(
            &conditions("ceil(h/4) in {1, 8*ceil(h/32)}, h >= 1"),
            "h",
            0,
        )
        .unwrap();
        assert_eq!(all.first, [1..=4, 29..=32]);
        assert_eq!((all.period, all.repeated), (Some(32), 1));
        assert_eq!(all.to_string(), "1..4, 29..32, 61..64, ... (every 32)");
        let few = allowed(&conditions("(h - 2)//3 == 4"), "h", 0).unwrap();
        assert_eq!((few.first, few.period), (vec![14..=16], None));
        assert_eq!(allowed(&conditions("h >= 7"), "h", 0), None);
        // A tensor that has elements has no size 0.
        let all = allowed(&conditions("ceil(h/4) in {0, 1, 8*ceil(h/32)}"), "h", 1).unwrap();
        assert_eq!(all.first, [1..=4, 29..=32]);
    }

    fn expr() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![Just("h".to_owned()), (0..9_u8).prop_map(|n| n.to_string())];
        leaf.prop_recursive(4, 12, 2, |inner| {
            let two = (inner.clone(), inner.clone());
            prop_oneof![
                two.clone().prop_map(|(a, b)| format!("({a} + {b})")),
                two.prop_map(|(a, b)| format!("({a} - {b})")),
                (inner.clone(), 1..5_u8).prop_map(|(a, k)| format!("{k}*({a})")),
                (inner.clone(), 1..5_u8).prop_map(|(a, k)| format!("({a})//{k}")),
                (inner.clone(), 1..5_u8).prop_map(|(a, k)| format!("({a}) % {k}")),
                (inner.clone(), 1..5_u8).prop_map(|(a, k)| format!("ceil(({a})/{k})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("min({a}, {b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("max({a}, {b})")),
                (inner, 0..7_u8, 0..4_u8).prop_map(|(a, k, op)| match op {
                    0 => format!("({a} + {k}//h)"),
                    1 => format!("({a} - {k} % h)"),
                    2 => format!("h*({k}//h + ({a})//9)"),
                    _ => format!("({a} + ceil({k}/h))"),
                }),
            ]
        })
    }

    proptest! {
        /// What is decided up to the first period is so for sizes far behind it.
        #[test]
        fn conditions_repeat(a in expr(), b in expr(), op in prop::sample::select(vec!["==", "<=", "!="]), least in 0..3_u64) {
            let all = conditions(&format!("{a} {op} {b}"));
            if let Some(c) = read(&all[0], "h") {
                for n in c.from..c.from + c.period {
                    for more in [1, 2, 7, 1000] {
                        prop_assert_eq!(c.holds(n), c.holds(n + more * c.period), "{} for {}", a, n);
                    }
                }
                if let Some(allowed) = allowed(&all, "h", least) {
                    let is_listed = |n: u64| allowed.first.iter().any(|range| range.contains(&n));
                    let end = allowed.first.last().map_or(0, |range| *range.end());
                    for n in 0..200 {
                        let repeats = || {
                            let period = allowed.period?;
                            let last = &allowed.first[allowed.first.len() - allowed.repeated..];
                            Some(last.iter().any(|r| (0..=n / period).any(|k| r.contains(&(n - k * period)))))
                        };
                        let is = is_listed(n) || n > end && repeats().unwrap_or(false);
                        prop_assert_eq!(is, n >= least && c.holds(i64::try_from(n).unwrap()), "{:?} {}", allowed, n);
                    }
                }
            }
        }
    }
}
