//! What comes of the bodies that may not be run, once the whole graph is known.

use super::{Checker, NodeOrigin, ValueHome};
use crate::problem::{self, Problem};
use crate::report::Requirement;
use kanshape::graph::ValueId;
use kanshape::graph::region::{GuardedCondition, WhatIsWrong};
use kanshape::{Name, Verdict};

impl<'c, 'a> Checker<'c, 'a> {
    /// Finds out what comes of all of them.
    pub(super) fn settle_regions(&mut self) {
        let dims = &self.dims;
        let (graph, origins) = (&mut self.graph, &mut self.origins);
        let is_known = |name: &str| dims.has(&Name::word(name));
        let values = self.values.iter().map(|entry| entry.value);
        let settled = self
            .regions
            .settle(graph, origins, in_regions(values), &is_known);
        for (region, placed) in &settled.placed {
            for entry in &mut self.values {
                if let ValueHome::In(own, value) = entry.value
                    && own as usize == *region
                {
                    entry.value = ValueHome::Value(placed.value(value));
                }
            }
        }
        if settled.is_cut {
            let problem = Problem::from(problem::unwritten("what is in bodies").as_warning());
            self.problems.push(match self.regions.first_open() {
                Some(region) => problem.at(self.unders[region].node.clone()),
                None => problem,
            });
        }
        self.settled = settled;
    }

    /// What they require, and what is wrong with them.
    pub(super) fn settled(&mut self) -> (Vec<Requirement>, Vec<Problem>) {
        let problems = std::mem::take(&mut self.settled.problems).into_iter();
        let problems = problems.map(|(node, region, what)| {
            let body = &self.unders[region].body;
            Problem {
                node: node.and_then(|origin| self.place_at(origin)),
                diagnostic: match what {
                    WhatIsWrong::Unwritten => problem::unwritten(body).as_warning(),
                    WhatIsWrong::OtherResult(types) => {
                        problem::other_result(body, &types).as_warning()
                    }
                    WhatIsWrong::Found(diagnostic) => *diagnostic,
                },
            }
        });
        let problems: Vec<Problem> = problems.collect();
        let required = std::mem::take(&mut self.settled.required).into_iter();
        let required = required.map(|one: GuardedCondition<NodeOrigin>| {
            let place = |origin| self.place_at(origin);
            let (holds, fails) = one.examples;
            Requirement {
                condition: one.condition,
                under: one.under.iter().map(|i| self.unders[*i].clone()).collect(),
                node: one.node.and_then(place),
                others: one.others.into_iter().filter_map(place).collect(),
                demands: one.demands,
                unless_empty: one.unless_empty,
                holds,
                fails,
                allowed: None,
            }
        });
        let mut required: Vec<Requirement> = required.collect();
        without_repetitions(&mut required);
        (required, problems)
    }

    /// Reports what the nodes of the model require of values that depend on which bodies are run.
    pub(super) fn judge_varied(&mut self) {
        let is_known = |name: &str| self.dims.has(&Name::word(name));
        let values = self.values.iter().map(|entry| entry.value);
        let undecided = self
            .regions
            .undecided(&self.graph, in_regions(values), &is_known);
        for own in undecided {
            self.settled.judge(Verdict::Unknown);
            let value = self.name_of(own.value);
            let d = match own.is_uneven {
                true => problem::uneven(&value),
                false => problem::unwritten(&format!("a node that depends on `{value}`")),
            };
            self.problems.push(Problem {
                node: self.place_at(own.origin),
                diagnostic: d.as_warning(),
            });
        }
    }
}

/// The values that are some in a graph, with their places and regions.
fn in_regions(
    values: impl Iterator<Item = ValueHome>,
) -> impl Iterator<Item = (usize, Option<usize>, ValueId)> {
    let values = values.enumerate();
    values.filter_map(|(i, home)| match home {
        ValueHome::Value(value) => Some((i, None, value)),
        ValueHome::In(region, value) => Some((i, Some(region as usize), value)),
        ValueHome::Fixed(_) => None,
    })
}

/// Leaves out what has to hold in fewer bodies already.
fn without_repetitions(all: &mut Vec<Requirement>) {
    let texts: Vec<String> = all.iter().map(|one| one.condition.to_string()).collect();
    let follows = |i: usize| {
        let under = &all[i].under;
        all.iter().enumerate().any(|(j, other)| {
            let is_part = other.under.iter().all(|own| under.contains(own));
            j != i && texts[i] == texts[j] && is_part && (other.under.len() < under.len() || j < i)
        })
    };
    let kept: Vec<bool> = (0..all.len()).map(|i| !follows(i)).collect();
    let mut kept = kept.into_iter();
    all.retain(|_| kept.next().unwrap_or(true));
}
