//! Integer arithmetic that never wraps: exact where the answer fits, saturating where a bound is
//! all that is wanted.

use crate::limits::{MAX_DIVIDED, MAX_DIVISORS};
/// The integers of the engine. Sizes are far below its limits, so that sums and products of a
/// few of them are exact.
pub type Int = i128;

/// Stands for "no upper bound" ([`Int::MAX`]) in a [`crate::Domain`].
pub const INF: Int = Int::MAX;
/// Stands for "no lower bound" ([`Int::MIN`]) in a [`crate::Domain`].
pub const NEG_INF: Int = Int::MIN;

/// Is `x` a number, and not a stand-in for "no bound"?
pub(crate) fn finite(x: Int) -> bool {
    x != INF && x != NEG_INF
}

/// The sum of two bounds; an infinite bound absorbs.
pub(crate) fn bound_add(a: Int, b: Int) -> Int {
    match (finite(a), finite(b)) {
        (true, true) => a.saturating_add(b),
        (false, _) => a,
        (_, false) => b,
    }
}

/// The product of two bounds, with `0 * inf = 0`.
pub(crate) fn bound_mul(a: Int, b: Int) -> Int {
    if a == 0 || b == 0 {
        0
    } else {
        a.saturating_mul(b)
    }
}

/// `floor(a / b)` of a bound `a` by a positive finite `b`.
pub(crate) fn bound_div_floor(a: Int, b: Int) -> Int {
    if finite(a) { div_floor(a, b) } else { a }
}

/// `ceil(a / b)` of a bound `a` by a positive finite `b`.
pub(crate) fn bound_div_ceil(a: Int, b: Int) -> Int {
    if finite(a) { -div_floor(-a, b) } else { a }
}

/// `floor(a / b)` for `b != 0`; both finite.
pub fn div_floor(a: Int, b: Int) -> Int {
    let q = a / b;
    if a % b != 0 && ((a < 0) != (b < 0)) {
        q - 1
    } else {
        q
    }
}

/// `a - b * floor(a / b)` for `b != 0`: the remainder with the sign of the divisor.
pub fn modulo(a: Int, b: Int) -> Int {
    let r = a % b;
    if r != 0 && ((r < 0) != (b < 0)) {
        r + b
    } else {
        r
    }
}

/// The greatest `r >= 0` with `r.pow(k) <= x`, for `x >= 0` and `k >= 1`.
pub(crate) fn root_floor(x: Int, k: u32) -> Int {
    if k == 1 || x <= 1 {
        return x;
    }
    let (mut lo, mut hi): (Int, Int) = (1, 1 << 127u32.div_ceil(k).min(126));
    while lo < hi {
        let mid = lo + (hi - lo + 1) / 2;
        match mid.checked_pow(k) {
            Some(p) if p <= x => lo = mid,
            _ => hi = mid - 1,
        }
    }
    lo
}

/// The greatest common divisor of two magnitudes: 0 of 0 and 0.
pub fn gcd(a: Int, b: Int) -> Int {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Int::try_from(a).unwrap_or(1)
}

/// The divisors of a number, in order. `None` of 0, and if there are too many or they are too hard to find.
pub(crate) fn divisors_of(n: u64) -> Option<Vec<u64>> {
    if n == 0 || Int::from(n) > MAX_DIVIDED {
        return None;
    }
    let mut all = vec![1];
    let mut left = n;
    let mut p = 2;
    while left > 1 {
        if p * p > left {
            p = left;
        }
        let (mut power, count) = (1, all.len());
        while left.is_multiple_of(p) {
            left /= p;
            power *= p;
            for i in 0..count {
                all.push(all[i] * power);
            }
            if all.len() > MAX_DIVISORS {
                return None;
            }
        }
        p += if p == 2 { 1 } else { 2 };
    }
    all.sort_unstable();
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down_for_every_sign() {
        for a in -20..20 {
            for b in (-5..5).filter(|&b| b != 0) {
                let q = (a as f64 / b as f64).floor() as Int;
                assert_eq!(div_floor(a, b), q, "{a} // {b}");
                assert_eq!(modulo(a, b), a - b * q, "{a} % {b}");
            }
        }
    }

    #[test]
    fn divisors_are_all_that_divide() {
        for n in 1..3000 {
            let expected: Vec<u64> = (1..=n).filter(|d| n % d == 0).collect();
            assert_eq!(divisors_of(n), Some(expected), "{n}");
        }
        assert_eq!(divisors_of(1_000_003), Some(vec![1, 1_000_003]));
        assert_eq!(divisors_of(0), None);
        assert_eq!(divisors_of(720_720), None);
    }

    #[test]
    fn roots_are_exact() {
        for x in 0..2000 {
            for k in 1..5 {
                let r = root_floor(x, k);
                assert!(r.pow(k) <= x && (r + 1).pow(k) > x, "root {k} of {x}");
            }
        }
        assert_eq!(root_floor(Int::MAX, 2), 13043817825332782212);
    }

    #[test]
    fn infinite_bounds_absorb() {
        assert_eq!(bound_add(INF, -5), INF);
        assert_eq!(bound_mul(INF, 0), 0);
        assert_eq!(bound_mul(INF, -2), NEG_INF);
        assert_eq!(bound_div_floor(NEG_INF, 3), NEG_INF);
    }
}
