//! Conditions on one size that repeat: comparisons of sums, quotients and remainders of it by integers.
//!
//! An expression `e` of that kind is linear but for a period: there are a period `p` and a slope `s` with `e(n + p) == e(n) + s`
//! for all `n`. So the difference of two sides either is the same in each period or grows in one direction, and from some
//! size on a condition is true of the same sizes in each period. Up to the end of the first of these it is tried on every
//! size, which decides it for all sizes.

use crate::limits::{MAX_PERIOD, MAX_PERIODIC_SIZE};
use kanshape_engine::{gcd, work};
use kanshape_syntax::tree::{CmpOp, Condition, Expr, MulOp, Sign};
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
    let mut slopes = Vec::with_capacity(all.len());
    let mut period = 1;
    for d in &all {
        let both = [slope(d.left, name, 0)?, slope(d.right, name, 0)?];
        for (_, p) in both {
            period = lcm(period, p)?;
        }
        slopes.push(both);
    }
    let mut from = 0;
    for (d, [(left, p), (right, q)]) in all.iter().zip(slopes) {
        let grows = left
            .checked_mul(period / p)?
            .checked_sub(right.checked_mul(period / q)?)?;
        if grows == 0 {
            continue;
        }
        // Once the difference has the sign of its slope it keeps it.
        for n in 0..period {
            let difference = value(d.left, n)?.checked_sub(value(d.right, n)?)?;
            let periods = difference.unsigned_abs() / grows.unsigned_abs() + 1;
            from = from.max(i64::try_from(periods).ok()?.checked_mul(period)?);
        }
    }
    let any = matches!(c, Condition::In(..));
    Some(Periodic {
        all,
        any,
        period,
        from,
    })
}

/// How much an expression grows in a period, and that period.
fn slope(e: &Expr, name: &str, deep: usize) -> Option<(i64, i64)> {
    if deep > crate::limits::MAX_PERIODIC_DEPTH {
        return None;
    }
    let of = |e: &Expr| slope(e, name, deep + 1);
    match e {
        Expr::Int(_) => Some((0, 1)),
        Expr::Name(own) => (&*own.node == name).then_some((1, 1)),
        Expr::Sum(terms) => {
            let mut sum = (0, 1);
            for (sign, e) in terms {
                let (s, p) = of(e)?;
                let s = match sign {
                    Sign::Plus => s,
                    Sign::Minus => s.checked_neg()?,
                };
                sum = added(sum, (s, p))?;
            }
            Some(sum)
        }
        Expr::Chain(e, rest) => {
            let mut left = of(e)?;
            for (op, right) in rest {
                left = match (op, right) {
                    (MulOp::Mul, Expr::Int(k)) => {
                        (left.0.checked_mul(i64::try_from(*k).ok()?)?, left.1)
                    }
                    // The left side of a product has no name, then.
                    (MulOp::Mul, right) => {
                        let k = constant(e).filter(|_| rest.len() == 1)?;
                        let (s, p) = of(right)?;
                        (s.checked_mul(k)?, p)
                    }
                    (MulOp::FloorDiv, Expr::Int(k)) => quotient(left, *k)?,
                    (MulOp::Mod, Expr::Int(k)) => (0, quotient(left, *k)?.1),
                    _ => return None,
                };
            }
            Some(left)
        }
        Expr::CeilDiv(a, b) => match **b {
            Expr::Int(k) => quotient(of(a)?, k),
            _ => None,
        },
        Expr::Nominal(_) | Expr::Call(..) | Expr::Run(_) | Expr::List(_) => None,
    }
}

fn constant(e: &Expr) -> Option<i64> {
    match e {
        Expr::Int(k) => i64::try_from(*k).ok(),
        _ => None,
    }
}

fn added((s, p): (i64, i64), (t, q): (i64, i64)) -> Option<(i64, i64)> {
    let period = lcm(p, q)?;
    let sum = s
        .checked_mul(period / p)?
        .checked_add(t.checked_mul(period / q)?)?;
    Some((sum, period))
}

/// Of a quotient by `k`: in `k` periods of what is divided it grows by so much.
fn quotient((s, p): (i64, i64), k: u64) -> Option<(i64, i64)> {
    let k = i64::try_from(k).ok().filter(|k| *k > 0)?;
    // As few as make it an integer.
    let common = common_of(s.checked_abs()?, k)?;
    let times = k / common.max(1);
    let period = p.checked_mul(times).filter(|p| *p <= MAX_PERIOD)?;
    Some((s / common.max(1), period))
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

/// The value of an expression for which [`slope`] has an answer.
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
                (inner, 1..5_u8).prop_map(|(a, k)| format!("ceil(({a})/{k})")),
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
