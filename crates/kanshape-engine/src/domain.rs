//! What is known of one integer: bounds, and perhaps a list of values it must or must not have.

use crate::int::{INF, Int, NEG_INF, finite};
use crate::limits::MAX_EXCLUDED;
use std::sync::Arc;

/// A set of integers: an interval, cut down by a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    lo: Int,
    hi: Int,
    list: List,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum List {
    None,
    /// Only these, sorted; `lo` and `hi` are the first and the last.
    Only(Arc<[Int]>),
    /// All but these, sorted; none is `lo` or `hi`.
    Except(Arc<[Int]>),
}

impl Domain {
    /// Every integer.
    pub const ALL: Domain = Domain::interval(NEG_INF, INF);

    /// `lo..=hi`. The infinities denote no bound.
    pub const fn interval(lo: Int, hi: Int) -> Domain {
        Domain {
            lo,
            hi,
            list: List::None,
        }
    }

    /// Just these values.
    pub fn of(values: impl IntoIterator<Item = Int>) -> Domain {
        let mut values: Vec<Int> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        let (Some(&lo), Some(&hi)) = (values.first(), values.last()) else {
            return Domain::interval(1, 0);
        };
        let contiguous = hi
            .checked_sub(lo)
            .is_some_and(|d| d + 1 == values.len() as Int);
        let list = match contiguous {
            true => List::None,
            false => List::Only(values.into()),
        };
        Domain { lo, hi, list }
    }

    /// The union of these, if they have few values; otherwise the interval from the least to the greatest of them.
    pub fn hull(domains: &[Domain]) -> Domain {
        let few = |d: &Domain| d.len().is_some_and(|n| n <= MAX_EXCLUDED as u128);
        if domains.iter().all(few) {
            return Domain::of(domains.iter().flat_map(Domain::values));
        }
        let lo = domains.iter().map(Domain::lo).min();
        let hi = domains.iter().map(Domain::hi).max();
        Domain::interval(lo.unwrap_or(1), hi.unwrap_or(0))
    }

    /// The least value, or [`NEG_INF`].
    pub fn lo(&self) -> Int {
        self.lo
    }

    /// The greatest value, or [`INF`].
    pub fn hi(&self) -> Int {
        self.hi
    }

    /// Has it no value?
    pub fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    /// Its only value, if it has just one.
    pub fn single(&self) -> Option<Int> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Is `x` in it?
    pub fn contains(&self, x: Int) -> bool {
        self.lo <= x
            && x <= self.hi
            && match &self.list {
                List::None => true,
                List::Only(vs) => vs.binary_search(&x).is_ok(),
                List::Except(vs) => vs.binary_search(&x).is_err(),
            }
    }

    /// How many values it has, if they can be counted.
    pub fn len(&self) -> Option<u128> {
        if self.is_empty() {
            return Some(0);
        }
        if let List::Only(vs) = &self.list {
            return Some(vs.len() as u128);
        }
        if !finite(self.lo) || !finite(self.hi) {
            return None;
        }
        let span = self.hi.checked_sub(self.lo)? as u128 + 1;
        match &self.list {
            List::Except(vs) => Some(span - vs.len() as u128),
            _ => Some(span),
        }
    }

    /// The values that it must be one of, where it is such a list.
    pub fn only(&self) -> Option<&[Int]> {
        match &self.list {
            List::Only(vs) => Some(vs),
            _ => None,
        }
    }

    /// The values between its bounds that it excludes.
    pub fn except(&self) -> &[Int] {
        match &self.list {
            List::Except(vs) => vs,
            _ => &[],
        }
    }

    /// The least value above `x`.
    pub fn next_above(&self, x: Int) -> Option<Int> {
        let mut y = x.checked_add(1)?.max(self.lo);
        match &self.list {
            List::Only(vs) => return vs.get(vs.partition_point(|&v| v < y)).copied(),
            List::Except(vs) => {
                while vs.binary_search(&y).is_ok() {
                    y = y.checked_add(1)?;
                }
            }
            List::None => {}
        }
        (y <= self.hi).then_some(y)
    }

    /// The values, in order, from the least one on, which is not infinite.
    pub fn values(&self) -> impl Iterator<Item = Int> + '_ {
        let first = (!self.is_empty()).then_some(self.lo);
        std::iter::successors(first, |x| self.next_above(*x))
    }

    /// The values in both.
    pub fn meet(&self, other: &Domain) -> Domain {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        match (&self.list, &other.list) {
            (List::None, List::None) => Domain::interval(lo, hi),
            (List::Only(vs), _) => {
                if lo == self.lo && hi == self.hi && matches!(other.list, List::None) {
                    return self.clone();
                }
                Domain::of(vs.iter().copied().filter(|&v| other.contains(v)))
            }
            (_, List::Only(_)) => other.meet(self),
            _ => {
                let values = self.except().iter().chain(other.except()).copied();
                Domain::interval(lo, hi).without_all(values)
            }
        }
    }

    /// All values but `x`.
    pub fn without(&self, x: Int) -> Domain {
        if !self.contains(x) {
            return self.clone();
        }
        if let List::Only(vs) = &self.list {
            return Domain::of(vs.iter().copied().filter(|&v| v != x));
        }
        Domain::interval(self.lo, self.hi).without_all(self.except().iter().copied().chain([x]))
    }

    /// Does it exclude so many values that excluding one more is better kept as a constraint?
    pub(crate) fn list_is_full(&self) -> bool {
        matches!(&self.list, List::Except(vs) if vs.len() >= MAX_EXCLUDED)
    }

    fn without_all(mut self, values: impl Iterator<Item = Int>) -> Domain {
        let mut values: Vec<Int> = values.filter(|v| (self.lo..=self.hi).contains(v)).collect();
        values.sort_unstable();
        values.dedup();
        while self.lo <= self.hi && values.first() == Some(&self.lo) {
            values.remove(0);
            self.lo += 1;
        }
        while self.lo <= self.hi && values.last() == Some(&self.hi) {
            values.pop();
            self.hi -= 1;
        }
        if !values.is_empty() && self.lo <= self.hi {
            self.list = List::Except(values.into());
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(d: &Domain) -> Vec<Int> {
        (-10..=10).filter(|&x| d.contains(x)).collect()
    }

    #[test]
    fn a_hull_has_what_is_in_one_of_them() {
        let hull = Domain::hull;
        let lists = [Domain::of([1, 4]), Domain::interval(3, 4), Domain::of([9])];
        assert_eq!(hull(&lists), Domain::of([1, 3, 4, 9]));
        assert_eq!(
            hull(&[Domain::of([0]), Domain::of([1])]),
            Domain::interval(0, 1)
        );
        assert_eq!(
            hull(&[Domain::of([5]), Domain::interval(7, INF)]),
            Domain::interval(5, INF)
        );
        assert!(hull(&[]).is_empty());
        assert_eq!(hull(&[Domain::of([]), Domain::of([3])]), Domain::of([3]));
    }

    #[test]
    fn meets_are_intersections() {
        let some = [
            Domain::ALL,
            Domain::interval(0, 4),
            Domain::of([1, 8]),
            Domain::of([1, 3, 5, 7]),
            Domain::interval(0, INF).without(1),
            Domain::interval(0, INF).without(0).without(3),
            Domain::of([]),
        ];
        for a in &some {
            for b in &some {
                let both: Vec<Int> = values(a).into_iter().filter(|x| b.contains(*x)).collect();
                assert_eq!(values(&a.meet(b)), both, "{a:?} and {b:?}");
                for x in -2..9 {
                    let rest: Vec<Int> = values(a).into_iter().filter(|&v| v != x).collect();
                    assert_eq!(values(&a.without(x)), rest, "{a:?} without {x}");
                }
            }
        }
    }

    #[test]
    fn stepping_visits_every_value() {
        for d in [
            Domain::of([1, 4, 9]),
            Domain::interval(-2, 5).without(0).without(3),
        ] {
            let mut seen = vec![d.lo()];
            while let Some(x) = d.next_above(seen[seen.len() - 1]) {
                seen.push(x);
            }
            assert_eq!(seen, values(&d));
            assert_eq!(d.len(), Some(seen.len() as u128));
        }
    }
}
