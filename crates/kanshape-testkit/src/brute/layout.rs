//! How long every run is: with the lengths chosen, a signature is a flat list of dims.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::{Piece, Plan, RunKey};
use super::presence::{dropped, present};
use crate::ground::{Bounds, Partial};

/// A run as one operand has it: under `+` the inputs have runs of their own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunOf {
    pub(super) key: RunKey,
    /// The input whose own run it is; `None` where one run serves all operands.
    pub(super) input: Option<usize>,
}

/// The lengths of all runs, and the pieces of the operands without absent dims.
pub(super) struct Layout<'p> {
    pub(super) operands: Vec<Vec<&'p Piece>>,
    pub(super) lengths: BTreeMap<RunOf, usize>,
    /// What each name that counts a run denotes.
    pub(super) counts: BTreeMap<String, u64>,
}

impl Plan {
    /// The inputs that have a run of their own for `key`: none of them, where the run is equal in
    /// all operands.
    pub(super) fn inputs_with_own(&self, key: &RunKey) -> Vec<usize> {
        if !self.broadcasting || !key.is_unnamed() {
            return Vec::new();
        }
        let shows = |operand: &Vec<Piece>| {
            operand
                .iter()
                .any(|piece| matches!(piece, Piece::Run(other) if other == key))
        };
        (0..self.inputs.len())
            .filter(|at| shows(&self.inputs[*at]))
            .collect()
    }

    /// The run that an operand shows for `key`, or the runs of the inputs that it is the broadcast of.
    pub(super) fn runs_of(&self, key: &RunKey, operand: Option<usize>) -> Vec<RunOf> {
        let own = self.inputs_with_own(key);
        let run = |input| RunOf {
            key: key.clone(),
            input,
        };
        if own.is_empty() {
            vec![run(None)]
        } else if let Some(input) = operand.filter(|operand| *operand < self.inputs.len()) {
            vec![run(Some(input))]
        } else {
            own.into_iter().map(|input| run(Some(input))).collect()
        }
    }

    /// All runs of the signature.
    pub(super) fn run_keys(&self) -> BTreeSet<&RunKey> {
        self.operands()
            .flatten()
            .filter_map(|piece| match piece {
                Piece::Run(key) => Some(key),
                _ => None,
            })
            .collect()
    }

    /// Calls `see` with every layout whose ranks are within bounds and as given.
    pub(super) fn each_layout(
        &self,
        bounds: Bounds,
        given: &Partial,
        see: &mut impl FnMut(&Layout<'_>),
    ) {
        let runs: BTreeSet<RunOf> = self
            .run_keys()
            .into_iter()
            .flat_map(|key| self.runs_of(key, None))
            .collect();
        let runs: Vec<RunOf> = runs.into_iter().collect();
        for absent in subsets(&self.optional_dims()) {
            let mut layout = Layout {
                operands: self
                    .operands()
                    .map(|operand| present(operand, &absent))
                    .collect(),
                lengths: BTreeMap::new(),
                counts: BTreeMap::new(),
            };
            self.choose_lengths(&runs, &mut layout, bounds, &mut |layout| {
                let ranks = self.ranks(layout);
                let fits =
                    given
                        .inputs
                        .iter()
                        .chain(&given.outputs)
                        .zip(&ranks)
                        .all(|(known, rank)| {
                            *rank <= bounds.max_rank
                                && known.as_ref().is_none_or(|dims| dims.len() == *rank)
                        });
                if fits
                    && dropped(&self.inputs, &ranks[..self.inputs.len()]).as_ref() == Some(&absent)
                {
                    see(layout);
                }
            });
        }
    }

    fn choose_lengths<'p>(
        &self,
        runs: &[RunOf],
        layout: &mut Layout<'p>,
        bounds: Bounds,
        see: &mut impl FnMut(&Layout<'p>),
    ) {
        let Some((run, rest)) = runs.split_first() else {
            return see(layout);
        };
        let counted = match &run.key {
            RunKey::Counted(name, _) => Some(name),
            _ => None,
        };
        let chosen_before = counted.and_then(|name| layout.counts.get(name).copied());
        for length in 0..=bounds.max_rank {
            let fits = match &run.key {
                RunKey::Skip(fixed, _) => *fixed == length as u64,
                RunKey::Batch => self.max_batch.is_none_or(|max| length as u64 <= max),
                RunKey::Counted(..) => chosen_before.is_none_or(|count| count == length as u64),
                RunKey::Ellipsis | RunKey::Named(_) | RunKey::Type(_) => true,
            };
            if !fits {
                continue;
            }
            layout.lengths.insert(run.clone(), length);
            if let (Some(name), None) = (counted, chosen_before) {
                layout.counts.insert(name.clone(), length as u64);
            }
            self.choose_lengths(rest, layout, bounds, see);
        }
        if let (Some(name), None) = (counted, chosen_before) {
            layout.counts.remove(name);
        }
        layout.lengths.remove(run);
    }

    fn ranks(&self, layout: &Layout<'_>) -> Vec<usize> {
        let length = |at, piece: &&Piece| match piece {
            Piece::Run(key) => self
                .runs_of(key, Some(at))
                .iter()
                .map(|run| layout.lengths[run])
                .max()
                .unwrap_or(0),
            _ => 1,
        };
        layout
            .operands
            .iter()
            .enumerate()
            .map(|(at, operand)| operand.iter().map(|piece| length(at, piece)).sum())
            .collect()
    }
}

fn subsets(keys: &BTreeSet<&str>) -> Vec<BTreeSet<String>> {
    let mut subsets = vec![BTreeSet::new()];
    for key in keys {
        for at in 0..subsets.len() {
            let mut with: BTreeSet<String> = subsets[at].clone();
            with.insert((*key).to_owned());
            subsets.push(with);
        }
    }
    subsets
}
