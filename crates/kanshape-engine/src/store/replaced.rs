//! What constraints that say a product are replaced by.
//!
//! `b >= 1, a*b*c == 2*b` is `a*c == 2`: the product of three is replaced by one of two, which another constraint ties to
//! its factors. So it may go only as long as that one does not go in turn because of this very one: of `a*b == a`, which is
//! what `a` is a product by, and `a*b*b == 2*a`, one would be the reason for dropping the other.

use super::State;
use crate::control::work;
use crate::limits::MAX_REPLACED;
use crate::persistent::HashMap;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The constraints that others follow from, with what is known of the variables. They never make a circle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replaced(HashMap<u32, SmallVec<[u32; 4]>>);

/// Constraints that something has been found from.
pub(crate) type Used = SmallVec<[u32; 8]>;

impl Replaced {
    /// Is `own` one of these, or one that they follow from? That this was too much to find out counts as yes.
    fn leads_to(&self, from: &[u32], own: u32) -> bool {
        if self.0.is_empty() {
            return from.contains(&own);
        }
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut todo: Used = from.into();
        while let Some(id) = todo.pop() {
            work(1);
            if id == own || seen.len() > MAX_REPLACED {
                return true;
            }
            if seen.insert(id)
                && let Some(others) = self.0.get(&id)
            {
                todo.extend_from_slice(others);
            }
        }
        false
    }
}

impl State {
    /// The constraint that is being run.
    pub(crate) fn running(&self) -> u32 {
        self.running
    }

    /// The number of the next constraint that is posted.
    pub(crate) fn next_posted(&self) -> u32 {
        self.posted.len() as u32
    }

    /// The constraint that is being run follows from what is known of the variables and from these constraints. May it be
    /// replaced by them? Not if one of them follows from it.
    pub(crate) fn replace_by(&mut self, used: &[u32]) -> bool {
        let own = self.running;
        if self.replaced.leads_to(used, own) {
            return false;
        }
        let mut all: SmallVec<[u32; 4]> = used.into();
        all.extend(self.replaced.0.get(&own).into_iter().flatten().copied());
        all.sort_unstable();
        all.dedup();
        if !all.is_empty() {
            self.replaced.0.insert(own, all);
        }
        true
    }
}
