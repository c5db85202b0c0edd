//! Optional dims: which of them are there is decided by the ranks of the inputs, as NumPy does it.
//!
//! An input drops optional dims from the left until its rank is enough, and what one has dropped is
//! not there for the next. So the relation is a choice between variants without anything optional, each
//! for ranks of its own.

use super::{ItemForm, OperandForm, RunLength, SignatureForm};
use crate::limits::{MAX_VARIANT_WORK, MAX_VARIANTS};
use kanshape_engine::Int;
use std::collections::VecDeque;

/// One variant: what is dropped, and the ranks at which that is so.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub dropped: Vec<bool>,
    /// For each input that has been examined, its least and its greatest rank.
    pub ranks: Vec<(Int, Int)>,
}

/// How many dims the core of an operand has at least, without what is dropped.
fn core(operand: &OperandForm, form: &SignatureForm, dropped: &[bool]) -> Int {
    operand
        .items
        .iter()
        .map(|item| match item {
            ItemForm::Optional(i, _) => Int::from(!dropped[*i]),
            ItemForm::Run(r) => match form.runs[*r].length {
                RunLength::Fixed(n) => Int::from(n),
                _ => 0,
            },
            _ => 1,
        })
        .sum()
}

/// The variants that inputs with ranks within these bounds can have, or `None` if there are too
/// many.
pub(super) fn variants(form: &SignatureForm, ranks: &[(Int, Int)]) -> Option<Vec<Variant>> {
    let mut open = VecDeque::from([Variant {
        dropped: vec![false; form.optionals],
        ranks: Vec::new(),
    }]);
    if form.optionals == 0 {
        return Some(open.into());
    }
    let mut work = 0;
    for (operand, &(lo, hi)) in form.inputs.iter().zip(ranks) {
        for _ in 0..open.len() {
            let Some(mut variant) = open.pop_front() else {
                break;
            };
            // Nothing is dropped from this rank on; one more step down, one more is.
            let mut from = core(operand, form, &variant.dropped);
            let mut to = hi;
            let optional = operand.items.iter().filter_map(|i| match i {
                ItemForm::Optional(i, _) => Some(*i),
                _ => None,
            });
            for i in optional.map(Some).chain([None]) {
                if from.max(lo) <= to {
                    let mut here = variant.clone();
                    here.ranks.push((from.max(lo), to));
                    open.push_back(here);
                }
                match i {
                    Some(i) if !variant.dropped[i] => variant.dropped[i] = true,
                    Some(_) => {
                        // Already dropped: the ranks of this step have been examined.
                        to = to.min(from - 1);
                        continue;
                    }
                    None => break,
                }
                to = to.min(from - 1);
                from = core(operand, form, &variant.dropped);
            }
        }
        work += open
            .iter()
            .map(|v| v.ranks.len() + v.dropped.len())
            .sum::<usize>();
        if open.len() > MAX_VARIANTS || work > MAX_VARIANT_WORK {
            return None;
        }
    }
    Some(open.into())
}
