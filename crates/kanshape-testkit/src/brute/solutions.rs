//! All solutions within bounds, by trying all sizes of names and all runs.
//!
//! The other way round than [`Relation::holds`]: lengths are chosen first, then the numbers, and the
//! shapes follow from them.

use std::collections::{BTreeMap, BTreeSet};

use super::Relation;
use super::eval::{Known, as_size, broadcast_dim, broadcast_runs, eval, is_true};
use super::flat::{Cell, Check, Flat, Step, Unknown, What};
use super::plan::RunKey;
use crate::ground::{Bounds, Ground, Partial, Shape};

impl Relation {
    /// All concrete solutions within bounds that are instances of what is given.
    ///
    /// Sizes and declared parameters are at most `max_dim`, ranks at most `max_rank`. Names that no
    /// operand shows are tried from 0 to the bound of [`Relation::searching_to`] (or `max_dim`, if
    /// that is greater).
    pub fn solutions(&self, bounds: Bounds, given: &Partial) -> BTreeSet<Ground> {
        self.solutions_up_to(usize::MAX, bounds, given)
    }

    /// The same, but no more than `limit` of them: if it is that many, there may be others.
    pub fn solutions_up_to(
        &self,
        limit: usize,
        bounds: Bounds,
        given: &Partial,
    ) -> BTreeSet<Ground> {
        let mut solutions = BTreeSet::new();
        if self.fits(given) {
            self.plan.each_layout(bounds, given, &mut |layout| {
                if solutions.len() < limit {
                    let flat = Flat::new(self, layout, bounds, given);
                    flat.solve(limit, &mut solutions);
                }
            });
        }
        solutions
    }

    /// Whether what is given is about this signature: as many operands, no other parameter.
    pub(super) fn fits(&self, given: &Partial) -> bool {
        let is_reported = |label| self.plan.reported.iter().any(|(other, _)| other == label);
        given.inputs.len() == self.plan.inputs.len()
            && given.outputs.len() == self.plan.outputs.len()
            && given.params.keys().all(is_reported)
    }
}

/// The numbers chosen so far.
#[derive(Default)]
struct Chosen {
    names: BTreeMap<String, u64>,
    others: BTreeMap<Unknown, u64>,
}

impl Chosen {
    fn insert(&mut self, unknown: &Unknown, value: u64) {
        match unknown {
            Unknown::Name(name) => self.names.insert(name.clone(), value),
            other => self.others.insert(other.clone(), value),
        };
    }
}

/// A flat signature with the numbers chosen so far.
struct Reading<'f, 'p> {
    flat: &'f Flat<'p>,
    chosen: &'f Chosen,
}

impl Known for Reading<'_, '_> {
    fn name(&self, name: &str) -> Option<u64> {
        self.chosen.names.get(name).copied()
    }

    fn run(&self, key: &RunKey) -> Option<Shape> {
        let cells = self.flat.run(key, None);
        cells.iter().map(|cell| self.size(cell)).collect()
    }
}

impl Reading<'_, '_> {
    fn size(&self, cell: &Cell<'_>) -> Option<u64> {
        match cell {
            Cell::OrOne(_, is_one) if self.chosen.others.get(is_one) == Some(&1) => Some(1),
            Cell::Expr(expr) | Cell::OrOne(expr, _) => as_size(eval(expr, self).ok()?),
            Cell::Broadcast(dims) => dims.iter().try_fold(1, |size, dim| {
                broadcast_dim(size, *self.chosen.others.get(dim)?)
            }),
        }
    }

    fn passes(&self, check: &Check<'_>) -> bool {
        match &check.what {
            What::Cell(cell, known) => self.size(cell).is_some_and(|size| {
                size <= self.flat.bounds.max_dim && known.is_none_or(|known| known == size)
            }),
            What::Condition(condition) => is_true(condition, self) == Ok(true),
            What::Relations => self.flat.relation.plan.relations.iter().all(|relation| {
                let args: Option<Vec<Shape>> =
                    relation.args.iter().map(|arg| self.run(arg)).collect();
                let out = args.and_then(|args| broadcast_runs(&args));
                out.is_some() && out == self.run(&relation.out)
            }),
        }
    }

    fn ground(&self) -> Option<Ground> {
        let mut inputs: Vec<Shape> = self
            .flat
            .shapes
            .iter()
            .map(|cells| cells.iter().map(|cell| self.size(cell)).collect())
            .collect::<Option<_>>()?;
        let plan = &self.flat.relation.plan;
        let outputs = inputs.split_off(plan.inputs.len());
        let params = plan
            .reported
            .iter()
            .map(|(label, name)| Some((label.clone(), self.name(name)?)))
            .collect::<Option<_>>()?;
        Some(Ground {
            inputs,
            outputs,
            params,
        })
    }
}

impl<'p> Flat<'p> {
    fn solve(&self, limit: usize, solutions: &mut BTreeSet<Ground>) {
        let mut chosen = Chosen::default();
        if self.passes(&self.at_once, &chosen) {
            self.choose(&self.steps, &mut chosen, limit, solutions);
        }
    }

    fn choose(
        &self,
        steps: &[Step<'p>],
        chosen: &mut Chosen,
        limit: usize,
        solutions: &mut BTreeSet<Ground>,
    ) {
        let Some((step, rest)) = steps.split_first() else {
            solutions.extend(Reading { flat: self, chosen }.ground());
            return;
        };
        for value in &step.values {
            if solutions.len() >= limit {
                return;
            }
            chosen.insert(&step.unknown, *value);
            if self.passes(&step.checks, chosen) {
                self.choose(rest, chosen, limit, solutions);
            }
        }
    }

    fn passes(&self, checks: &[Check<'p>], chosen: &Chosen) -> bool {
        let reading = Reading { flat: self, chosen };
        checks.iter().all(|check| reading.passes(check))
    }
}
