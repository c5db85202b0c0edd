//! Which optional dims are absent: decided by the ranks of the inputs, in order, as NumPy does.

use std::collections::BTreeSet;

use super::plan::{Piece, RunKey};

/// The optional dims that inputs of these ranks drop, or `None` if some input has too few dims
/// whatever it drops.
pub(super) fn dropped(inputs: &[Vec<Piece>], ranks: &[usize]) -> Option<BTreeSet<String>> {
    let mut dropped = BTreeSet::new();
    for (input, rank) in inputs.iter().zip(ranks) {
        for piece in input {
            if rank_at_least(input, &dropped) <= *rank as u64 {
                break;
            }
            if let Piece::Optional(key, _) = piece {
                dropped.insert(key.clone());
            }
        }
        if rank_at_least(input, &dropped) > *rank as u64 {
            return None;
        }
    }
    Some(dropped)
}

/// The number of dims that an operand cannot do without: `...` and `.k.` count 0, `.2.` counts 2.
fn rank_at_least(operand: &[Piece], dropped: &BTreeSet<String>) -> u64 {
    operand
        .iter()
        .map(|piece| match piece {
            Piece::Dim(_) | Piece::OrOne(_) => 1,
            Piece::Optional(key, _) => u64::from(!dropped.contains(key)),
            Piece::Run(RunKey::Skip(length, _)) => *length,
            Piece::Run(_) => 0,
        })
        .fold(0, u64::saturating_add)
}

/// An operand without its absent dims.
pub(super) fn present<'p>(operand: &'p [Piece], dropped: &BTreeSet<String>) -> Vec<&'p Piece> {
    operand
        .iter()
        .filter(|piece| !matches!(piece, Piece::Optional(key, _) if dropped.contains(key)))
        .collect()
}
