//! What a person would write by hand for one question in one direction: the least that it can cost.

/// A dtype and a shape.
type Typed<'a, D> = (&'static str, &'a [D]);

/// `(m,n),(n,p)->(m,p)` forwards.
#[inline(never)]
pub fn matmul(a: Typed<u64>, b: Typed<u64>) -> Option<(&'static str, Vec<u64>)> {
    match (a, b) {
        ((t, &[m, n]), (u, &[k, p])) if n == k && t == u => Some((t, vec![m, p])),
        _ => None,
    }
}

/// The second factor of a matrix product from the first, its columns unknown, and the result.
#[inline(never)]
pub fn second_factor(
    a: Typed<Option<u64>>,
    out: Typed<u64>,
) -> Option<(&'static str, Vec<Option<u64>>)> {
    match (a, out) {
        ((t, &[m, n]), (u, &[rows, p])) if m.is_none_or(|m| m == rows) && t == u => {
            Some((t, vec![n, Some(p)]))
        }
        _ => None,
    }
}

/// What two shapes broadcast to.
#[inline(never)]
pub fn broadcast(a: &[u64], b: &[u64]) -> Option<Vec<u64>> {
    let rank = a.len().max(b.len());
    let dim = |s: &[u64], i: usize| (i + s.len()).checked_sub(rank).map_or(1, |j| s[j]);
    (0..rank)
        .map(|i| match (dim(a, i), dim(b, i)) {
            (x, y) if x == y || y == 1 => Some(x),
            (1, y) => Some(y),
            _ => None,
        })
        .collect()
}

/// All pairs of shapes of the same rank that broadcast to `out`, none of whose dims is 1.
#[inline(never)]
pub fn pairs(out: &[u64]) -> Vec<(Vec<u64>, Vec<u64>)> {
    let count = 3usize.pow(out.len() as u32);
    let mut all = Vec::with_capacity(count);
    for code in 0..count {
        let (mut a, mut b) = (Vec::with_capacity(out.len()), Vec::with_capacity(out.len()));
        let mut rest = code;
        for &n in out {
            let (x, y) = match rest % 3 {
                0 => (n, n),
                1 => (n, 1),
                _ => (1, n),
            };
            a.push(x);
            b.push(y);
            rest /= 3;
        }
        all.push((a, b));
    }
    all
}
