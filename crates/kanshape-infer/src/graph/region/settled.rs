//! What comes of regions.

use super::super::Placed;
use crate::Verdict;
use crate::explain::Sizes;
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Condition;
use kanshape_types::Type;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// What comes of the regions of a graph.
#[derive(Clone, Debug, Default)]
pub struct Settled<O> {
    /// What has to hold where regions are run.
    pub required: Vec<GuardedCondition<O>>,
    /// What is wrong, with the node and the region.
    pub problems: Vec<(Option<O>, usize, WhatIsWrong)>,
    /// The types of values in regions, by their places in the list of values.
    pub types: FxHashMap<usize, Arc<Type>>,
    /// Is what is required of them met?
    pub verdict: Option<Verdict>,
    /// The regions that are run always, with where they are in the graph now.
    pub placed: Vec<(usize, Arc<Placed>)>,
    /// Some regions were too much to be tried.
    pub is_cut: bool,
}

/// What has to hold in regions, and where it comes from.
#[derive(Clone, Debug)]
pub struct GuardedCondition<O> {
    /// What has to hold.
    pub condition: Required,
    /// The node that requires it.
    pub node: Option<O>,
    /// Other nodes that require a part of it.
    pub others: Vec<O>,
    /// The regions in which it has to hold, the outermost first.
    pub under: Vec<usize>,
    /// As [`Stated::demands`](crate::graph::Stated::demands).
    pub demands: bool,
    /// As [`Stated::unless_empty`](crate::graph::Stated::unless_empty).
    pub unless_empty: bool,
    /// Sizes for which it holds, and sizes for which it does not: [`Stated::examples`](crate::graph::Stated::examples).
    pub examples: (Option<Sizes>, Option<Sizes>),
}

/// What has to hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Required {
    /// A condition on sizes and dtypes.
    Condition(Condition),
    /// What is in a tensor, as text with the name of its value: `c == true`.
    Value(String),
}

impl Required {
    /// Calls `f` with each name in it.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        if let Required::Condition(condition) = self {
            condition.for_each_name(f);
        }
    }
}

impl fmt::Display for Required {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Required::Condition(condition) => condition.fmt(f),
            Required::Value(text) => f.write_str(text),
        }
    }
}

/// What is wrong with a region.
#[derive(Clone, Debug)]
pub enum WhatIsWrong {
    /// Not all that it requires is known, or can be written as conditions.
    Unwritten,
    /// It gives the first of these, and the output of its node is the second.
    OtherResult(Box<[Type; 2]>),
    /// Something in it.
    Found(Box<Diagnostic>),
}

impl<O> Settled<O> {
    pub(super) fn add(&mut self, other: Settled<O>) {
        self.required.extend(other.required);
        self.problems.extend(other.problems);
        self.types.extend(other.types);
        if let Some(verdict) = other.verdict {
            self.judge(verdict);
        }
    }

    /// The verdict of one of several things all of which have to hold.
    pub fn judge(&mut self, verdict: Verdict) {
        let rank = |v: Verdict| match v {
            Verdict::Always => 0,
            Verdict::Depends => 1,
            Verdict::Unknown => 2,
            Verdict::Never => 3,
        };
        self.verdict = match self.verdict {
            Some(own) if rank(own) >= rank(verdict) => Some(own),
            _ => Some(verdict),
        };
    }
}
