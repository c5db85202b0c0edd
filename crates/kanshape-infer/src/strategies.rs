//! With the feature `proptest`: strategies of what fits a rule, and of what just does not, which shrink towards few and small
//! dims.
//!
//! ```
//! use kanshape_infer::{Signature, Verdict, strategies};
//! use proptest::test_runner::TestRunner;
//!
//! let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
//! let mut runner = TestRunner::deterministic();
//! runner.run(&strategies::answers(matmul.query()), |answer| {
//!     assert_eq!(matmul.check(&answer.inputs, &answer.outputs).unwrap(), Verdict::Always);
//!     Ok(())
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{Answer, Query};
use kanshape_types::Type;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::fmt::Debug;

/// The bounds of a query that has none.
const MAX_RANK: u64 = 4;
const MAX_DIM: u64 = 5;

/// Answers in numbers: [`Query::sample`].
pub fn answers(query: Query) -> impl Strategy<Value = Answer> {
    Samples {
        query,
        make: |query, random| query.sample(random).ok().flatten(),
    }
}

/// Inputs that fit.
pub fn inputs(query: Query) -> impl Strategy<Value = Vec<Type>> {
    Samples {
        query,
        make: |query, random| Some(query.sample(random).ok()??.inputs),
    }
}

/// Inputs that just do not fit: [`Query::sample_misfit`].
pub fn misfits(query: Query) -> impl Strategy<Value = Vec<Type>> {
    Samples {
        query,
        make: |query, random| query.sample_misfit(random).ok().flatten(),
    }
}

type Make<T> = fn(&Query, &mut dyn FnMut() -> u64) -> Option<T>;

#[derive(Clone, Debug)]
struct Samples<T> {
    query: Query,
    make: Make<T>,
}

impl<T: Clone + Debug> Samples<T> {
    fn within(&self, (rank, dim): (u64, u64), seed: u64) -> Option<T> {
        let query = self.query.clone().max_rank(rank).ground().max_dim(dim);
        let mut state = seed;
        // SplitMix64.
        let mut random = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        (self.make)(&query, &mut random)
    }

    fn bounds(&self) -> (u64, u64) {
        let Query {
            max_rank, max_dim, ..
        } = &self.query;
        (max_rank.unwrap_or(MAX_RANK), max_dim.unwrap_or(MAX_DIM))
    }
}

impl<T: Clone + Debug> Strategy for Samples<T> {
    type Tree = Shrinking<T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = proptest::num::u64::ANY.new_tree(runner)?.current();
        let (rank, dim) = self.bounds();
        let first = self
            .within((rank, dim), seed)
            .ok_or("no sample of the rule was found")?;
        let mut smaller: Vec<(u64, u64)> = (0..=rank)
            .flat_map(|r| (1..=dim).map(move |d| (r, d)))
            .collect();
        smaller.sort_by_key(|(r, d)| (r + d, *r));
        smaller.pop();
        Ok(Shrinking {
            samples: self.clone(),
            seed,
            current: first.clone(),
            first,
            smaller: smaller.into_iter(),
            is_shrunk: false,
        })
    }
}

/// A sample, and those that are made of the same random numbers within smaller bounds. They are tried from the smallest one,
/// so that the first that fails is the end.
#[derive(Clone, Debug)]
struct Shrinking<T> {
    samples: Samples<T>,
    seed: u64,
    first: T,
    current: T,
    smaller: std::vec::IntoIter<(u64, u64)>,
    is_shrunk: bool,
}

impl<T: Clone + Debug> ValueTree for Shrinking<T> {
    type Value = T;

    fn current(&self) -> T {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        !std::mem::replace(&mut self.is_shrunk, true) && self.complicate()
    }

    fn complicate(&mut self) -> bool {
        let (samples, seed) = (&self.samples, self.seed);
        let next = self.smaller.find_map(|bounds| samples.within(bounds, seed));
        let is_other = next.is_some();
        self.current = next.unwrap_or_else(|| self.first.clone());
        is_other
    }
}
