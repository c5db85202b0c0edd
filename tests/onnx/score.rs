//! [`Score`]: how much of what is recorded follows.

use std::collections::BTreeMap;
use std::fmt;

/// How much of one output follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Its whole type.
    Full,
    /// A part of it.
    Part,
    /// Something else: never to happen.
    Wrong,
    /// Nothing: there was no query of it, or no answer in time.
    Nothing,
}

/// How often which, by operator.
#[derive(Debug, Default)]
pub(crate) struct Score(BTreeMap<String, [usize; 4]>);

impl Score {
    pub(crate) fn count(&mut self, op: &str, found: Found) {
        self.0.entry(op.into()).or_default()[found as usize] += 1;
    }

    pub(crate) fn total(&self, found: Found) -> usize {
        self.0.values().map(|counts| counts[found as usize]).sum()
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |op: &str, [full, part, wrong, nothing]: [usize; 4]| {
            writeln!(f, "{op:32} {full:5} {part:5} {wrong:5} {nothing:5}")
        };
        for (op, counts) in &self.0 {
            line(op, *counts)?;
        }
        let all = [Found::Full, Found::Part, Found::Wrong, Found::Nothing];
        line(
            "full, part, wrong, nothing",
            all.map(|found| self.total(found)),
        )
    }
}
