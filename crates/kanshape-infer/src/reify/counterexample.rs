//! Sizes for names that may refute a claim: they are tested before a proof is attempted, and where there is none.

use super::witness::holds_at;
use crate::limits::{MAX_SINGLE_SIZES, MAX_TRIED_NAMES};
use kanshape_syntax::tree::{Condition, Expr};
use kanshape_types::Dim;

/// Sizes that are pairwise coprime.
const PRIMES: [u64; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// The sizes that are tested.
pub(crate) struct Candidates<'a> {
    /// How many names there are.
    pub names: usize,
    /// Each is tested as the size of all names, and the first of them as that of one name alone.
    pub values: Vec<u64>,
    /// The sizes of the other names then.
    pub others: &'a [u64],
}

/// Is the claim false for these sizes, given by the number of a name?
type Fails<'f> = dyn FnMut(&dyn Fn(usize) -> u64) -> bool + 'f;

impl Candidates<'_> {
    /// Is there a choice of sizes for which the claim is false?
    pub(crate) fn any(&self, fails: &mut Fails<'_>) -> bool {
        self.distinct(fails) || self.equal(fails) || self.one_by_one(fails)
    }

    /// Is there a choice of sizes that is allowed, and at which one condition of each of these cases is false? `place` is the number of
    /// a name. That is seen at once, and so it is before anything is solved with the sizes.
    pub(crate) fn refute(
        &self,
        cases: &[Vec<&Condition>],
        place: &dyn Fn(&str) -> Option<usize>,
        is_allowed: &mut Fails<'_>,
    ) -> bool {
        self.any(&mut |value| {
            let at = |name: &str| place(name).map(value);
            let is_false = |c: &&Condition| holds_at(c, &at) == Some(false);
            let is_refuted = |case: &Vec<&Condition>| case.iter().any(is_false);
            cases.iter().all(is_refuted) && is_allowed(value)
        })
    }

    /// All names have different sizes.
    pub(crate) fn distinct(&self, fails: &mut Fails<'_>) -> bool {
        fails(&|i| PRIMES[i % 8] + 18 * (i as u64 / 8)) || fails(&|i| 19 + 2 * i as u64)
    }

    /// All names have one size.
    pub(crate) fn equal(&self, fails: &mut Fails<'_>) -> bool {
        self.values.iter().any(|&v| fails(&|_| v))
    }

    /// One name has another size than the others.
    pub(crate) fn one_by_one(&self, fails: &mut Fails<'_>) -> bool {
        let names = 0..self.names.min(MAX_TRIED_NAMES);
        let values = self.values.iter().take(MAX_SINGLE_SIZES);
        names.into_iter().any(|i| {
            let mut pairs = values
                .clone()
                .flat_map(|v| self.others.iter().map(move |o| (*v, *o)));
            pairs.any(|(v, others)| fails(&|j| if i == j { v } else { others }))
        })
    }
}

/// These sizes, followed by those at which the truth of a condition may change: its integers and their neighbours. At most `most` in all.
pub(crate) fn sizes_around<'c>(
    first: &[u64],
    conditions: impl IntoIterator<Item = &'c Condition>,
    most: usize,
) -> Vec<u64> {
    let mut values = first.to_vec();
    let mut add = |n: u64| {
        for m in [n.saturating_sub(1), n, n.saturating_add(1)] {
            if values.len() < most && !values.contains(&m) && m <= Dim::MAX_SIZE {
                values.push(m);
            }
        }
    };
    for c in conditions {
        c.parts()
            .into_iter()
            .for_each(|part| integers(part, &mut add));
    }
    values
}

fn integers(e: &Expr, f: &mut dyn FnMut(u64)) {
    match e {
        Expr::Int(n) => f(*n),
        e => e.parts().into_iter().for_each(|e| integers(e, f)),
    }
}
