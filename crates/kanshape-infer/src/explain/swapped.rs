//! Two inputs that stand in each other's place.

use super::fact::{Argument, FactId};
use super::finder::holds;
use super::words::Words;
use crate::Query;
use crate::limits::CORE_STEPS;
use crate::limits::MAX_SWAPPED;
use kanshape_rules::rules::CallArg;

/// With two inputs exchanged, of which one takes part, it would fit.
pub(super) fn line(query: &Query, core: &[FactId], words: &Words<'_>) -> Option<String> {
    let inputs = query.inputs.len().min(MAX_SWAPPED);
    let takes_part = |i: usize| core.iter().any(|spot| spot.at == Argument::Operand(i));
    // What may be left out fits anywhere.
    let is_open = |i: usize| {
        let mut args = query.subject.args.iter();
        args.any(|arg| matches!(arg, CallArg::Open(operand) if *operand == i))
    };
    for a in 0..inputs {
        for b in a + 1..inputs {
            let is_other = query.inputs[a] != query.inputs[b];
            if !is_other || is_open(a) || is_open(b) || !(takes_part(a) || takes_part(b)) {
                continue;
            }
            let mut swapped = query.clone();
            swapped.inputs.swap(a, b);
            swapped.budget = query.budget.min(CORE_STEPS);
            if holds(&swapped) {
                let [a, b] = [a, b].map(|i| words.called(Argument::Operand(i)));
                return Some(format!("did you mean {a} and {b} the other way round?"));
            }
        }
    }
    None
}
