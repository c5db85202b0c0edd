//! A signature whose runs have lengths: unknown numbers, and what can be checked once they are known.

use std::collections::{BTreeMap, BTreeSet};

use kanshape_syntax::tree::{Condition, Expr};

use super::Relation;
use super::layout::{Layout, RunOf};
use super::plan::{Piece, RunKey, exprs_of, names_in, runs_in};
use crate::ground::{Bounds, Partial};

/// What a number is chosen for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unknown {
    /// A name.
    Name(String),
    /// One dim of a run.
    Dim(RunOf, usize),
    /// Whether an `n|1` is 1, by operand and place.
    IsOne(usize, usize),
}

/// One dim of one operand: how it follows from the unknowns.
#[derive(Clone, Debug)]
pub(super) enum Cell<'p> {
    Expr(&'p Expr),
    OrOne(&'p Expr, Unknown),
    /// What these broadcast to; often it is only one.
    Broadcast(Vec<Unknown>),
}

/// Something that is checked as soon as all its unknowns are chosen.
pub(super) struct Check<'p> {
    pub(super) needs: BTreeSet<Unknown>,
    pub(super) what: What<'p>,
}

pub(super) enum What<'p> {
    /// A cell that is within bounds, and this size if one is given.
    Cell(Cell<'p>, Option<u64>),
    Condition(&'p Condition),
    /// The shapes of type variables.
    Relations,
}

/// One unknown to choose a number for.
pub(super) struct Step<'p> {
    pub(super) unknown: Unknown,
    pub(super) values: Vec<u64>,
    /// The checks that can be made once it is chosen.
    pub(super) checks: Vec<Check<'p>>,
}

/// A signature whose runs have lengths: unknown numbers, and checks on them.
pub(super) struct Flat<'p> {
    pub(super) relation: &'p Relation,
    lengths: &'p BTreeMap<RunOf, usize>,
    pub(super) bounds: Bounds,
    pub(super) shapes: Vec<Vec<Cell<'p>>>,
    pub(super) steps: Vec<Step<'p>>,
    /// The checks without unknowns.
    pub(super) at_once: Vec<Check<'p>>,
}

impl<'p> Flat<'p> {
    pub(super) fn new(
        relation: &'p Relation,
        layout: &'p Layout<'p>,
        bounds: Bounds,
        given: &Partial,
    ) -> Self {
        let mut flat = Flat {
            relation,
            lengths: &layout.lengths,
            bounds,
            shapes: Vec::new(),
            steps: Vec::new(),
            at_once: Vec::new(),
        };
        flat.shapes = (0..layout.operands.len())
            .map(|at| flat.cells(at, &layout.operands[at]))
            .collect();
        let checks = flat.checks(given);
        let values = flat.values(layout, given, &checks);
        flat.order(checks, values);
        flat
    }

    fn cells(&self, at: usize, operand: &[&'p Piece]) -> Vec<Cell<'p>> {
        let mut cells = Vec::new();
        for piece in operand {
            match piece {
                Piece::Dim(expr) | Piece::Optional(_, expr) => cells.push(Cell::Expr(expr)),
                Piece::OrOne(expr) => {
                    cells.push(Cell::OrOne(expr, Unknown::IsOne(at, cells.len())));
                }
                Piece::Run(key) => cells.extend(self.run(key, Some(at))),
            }
        }
        cells
    }

    /// The dims of a run, as an operand has it or (`None`) as the outputs do.
    pub(super) fn run(&self, key: &RunKey, operand: Option<usize>) -> Vec<Cell<'p>> {
        let runs = self.relation.plan.runs_of(key, operand);
        let length = |run| self.lengths[run];
        let rank = runs.iter().map(length).max().unwrap_or(0);
        (0..rank)
            .map(|at| {
                // Aligned on the right: a shorter run has no dim here.
                let dims = runs.iter().filter_map(|run| {
                    let place = (at + length(run)).checked_sub(rank)?;
                    Some(Unknown::Dim(run.clone(), place))
                });
                Cell::Broadcast(dims.collect())
            })
            .collect()
    }

    fn checks(&self, given: &Partial) -> Vec<Check<'p>> {
        let plan = &self.relation.plan;
        let mut checks = Vec::new();
        let known = given.inputs.iter().chain(&given.outputs);
        for (cells, known) in self.shapes.iter().zip(known) {
            for (at, cell) in cells.iter().enumerate() {
                let known = known.as_ref().and_then(|dims| dims[at]);
                checks.push(self.check(What::Cell(cell.clone(), known)));
            }
        }
        // Runs must broadcast even if no output shows them.
        for key in plan.run_keys() {
            for cell in self.run(key, None) {
                checks.push(self.check(What::Cell(cell, None)));
            }
        }
        for condition in &plan.conditions {
            checks.push(self.check(What::Condition(condition)));
        }
        if !plan.relations.is_empty() {
            checks.push(self.check(What::Relations));
        }
        checks
    }

    fn check(&self, what: What<'p>) -> Check<'p> {
        let (mut names, mut runs) = (BTreeSet::new(), BTreeSet::new());
        let mut needs = BTreeSet::new();
        let mut see = |expr| {
            names_in(expr, &mut names);
            runs_in(expr, &mut runs);
        };
        match &what {
            What::Cell(Cell::Expr(expr), _) => see(expr),
            What::Cell(Cell::OrOne(expr, is_one), _) => {
                see(expr);
                needs.insert(is_one.clone());
            }
            What::Cell(Cell::Broadcast(dims), _) => needs.extend(dims.iter().cloned()),
            What::Condition(condition) => exprs_of(condition).into_iter().for_each(see),
            What::Relations => runs.extend(self.relation.plan.run_keys().into_iter().cloned()),
        }
        needs.extend(names.into_iter().map(Unknown::Name));
        for cell in runs.iter().flat_map(|key| self.run(key, None)) {
            if let Cell::Broadcast(dims) = cell {
                needs.extend(dims);
            }
        }
        Check { needs, what }
    }

    /// The values that each unknown is tried with.
    fn values(
        &self,
        layout: &Layout<'_>,
        given: &Partial,
        checks: &[Check<'p>],
    ) -> BTreeMap<Unknown, Vec<u64>> {
        let plan = &self.relation.plan;
        let hidden = self.relation.hidden.max(self.bounds.max_dim);
        let mut values: BTreeMap<Unknown, Vec<u64>> = BTreeMap::new();
        for unknown in checks.iter().flat_map(|check| &check.needs) {
            let max = match unknown {
                Unknown::IsOne(..) => 1,
                Unknown::Dim(..) => self.bounds.max_dim,
                Unknown::Name(_) => hidden,
            };
            values.insert(unknown.clone(), (0..=max).collect());
        }
        for (_, name) in &plan.reported {
            let name = Unknown::Name(name.clone());
            values.entry(name).or_insert_with(|| (0..=hidden).collect());
        }
        // A name that is a dim by itself is within bounds, and so is a declared parameter.
        let mut limit = |name: &str, is_value: &dyn Fn(u64) -> bool| {
            if let Some(values) = values.get_mut(&Unknown::Name(name.to_owned())) {
                values.retain(|value| is_value(*value));
            }
        };
        for name in &plan.declared {
            limit(name, &|value| value <= self.bounds.max_dim);
        }
        for cell in self.shapes.iter().flatten() {
            if let Cell::Expr(Expr::Name(name)) = cell {
                limit(&name.node, &|value| value <= self.bounds.max_dim);
            }
        }
        for (name, count) in &layout.counts {
            limit(name, &|value| value == *count);
        }
        for (label, name) in &plan.reported {
            if let Some(known) = given.params.get(label) {
                limit(name, &|value| value == *known);
            }
        }
        values
    }

    /// Puts the unknowns in an order in which checks can be made early: always those next that
    /// complete the check with the fewest values to try.
    fn order(&mut self, mut checks: Vec<Check<'p>>, mut values: BTreeMap<Unknown, Vec<u64>>) {
        let mut chosen = BTreeSet::new();
        while !values.is_empty() {
            let open = |check: &Check<'p>| -> Vec<Unknown> {
                check.needs.difference(&chosen).cloned().collect()
            };
            let next = checks
                .iter()
                .map(open)
                .filter(|open| !open.is_empty())
                .min_by_key(|open| {
                    let ways = |unknown| values.get(unknown).map_or(1, Vec::len);
                    open.iter().map(ways).fold(1, usize::saturating_mul)
                })
                .unwrap_or_else(|| values.keys().cloned().collect());
            for unknown in next {
                let Some(values) = values.remove(&unknown) else {
                    continue;
                };
                chosen.insert(unknown.clone());
                let (now, later) = checks.into_iter().partition(|check: &Check<'p>| {
                    check.needs.contains(&unknown) && check.needs.is_subset(&chosen)
                });
                checks = later;
                self.steps.push(Step {
                    unknown,
                    values,
                    checks: now,
                });
            }
        }
        // The others were made at the step of their last unknown.
        self.at_once = checks
            .into_iter()
            .filter(|check| check.needs.is_empty())
            .collect();
    }
}
