//! [`Worklist`]: the constraints that are to be run, and [`WatchList`]: those that a change of a variable wakes.

use crate::limits::WATCH_CHUNK;
use crate::persistent::Vector;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::Arc;

/// The constraints that are to be run, each once.
///
/// Mostly there are none, and then a copy costs nothing, however many constraints there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Worklist {
    queue: VecDeque<u32>,
    /// Which of them are in the queue, as bits, from those of this word on.
    queued: Vec<u64>,
    first: usize,
}

impl Worklist {
    pub(super) fn push(&mut self, id: u32) {
        let (word, bit) = (id as usize / 64, 1 << (id % 64));
        if self.queued.is_empty() {
            self.first = word;
        }
        if word < self.first {
            let before = std::iter::repeat_n(0, self.first - word);
            self.queued.splice(..0, before);
            self.first = word;
        }
        let place = word - self.first;
        if self.queued.len() <= place {
            self.queued.resize(place + 1, 0);
        }
        if self.queued[place] & bit == 0 {
            self.queued[place] |= bit;
            self.queue.push_back(id);
        }
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let id = self.queue.pop_front()?;
        match self.queue.is_empty() {
            true => self.queued.clear(),
            false => self.queued[id as usize / 64 - self.first] &= !(1 << (id % 64)),
        }
        Some(id)
    }

    /// What a copy of it copies, in words.
    pub(super) fn size(&self) -> usize {
        self.queue.len() + self.queued.len()
    }
}

/// The constraints that a change of a variable wakes.
///
/// A name of a large graph is watched by thousands. The last ones are in a list of their own, which is what a copy copies.
#[derive(Debug, Default)]
pub(super) struct WatchList {
    old: Option<Arc<Vector<u32>>>,
    new: SmallVec<[u32; 4]>,
}

impl Clone for WatchList {
    /// Copies the last ones as one block, which the derived clone does not.
    fn clone(&self) -> WatchList {
        WatchList {
            old: self.old.clone(),
            new: SmallVec::from_slice(&self.new),
        }
    }
}

impl WatchList {
    pub(super) fn len(&self) -> usize {
        self.old.as_ref().map_or(0, |old| old.len()) + self.new.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let old = self.old.iter().flat_map(|old| old.iter());
        old.chain(&self.new).copied()
    }

    /// Is it among the last ones? There are no others in a short list.
    pub(super) fn has_lately(&self, id: u32) -> bool {
        self.new.contains(&id)
    }

    pub(super) fn is_last(&self, id: u32) -> bool {
        self.new.last() == Some(&id)
    }

    pub(super) fn push(&mut self, id: u32) {
        if self.new.len() >= WATCH_CHUNK {
            let old = self.old.get_or_insert_default();
            Arc::make_mut(old).extend(self.new.drain(..));
        }
        self.new.push(id);
    }

    /// Keeps those of which this holds.
    pub(super) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        let kept: SmallVec<[u32; 4]> = self.iter().filter(|id| keep(*id)).collect();
        *self = WatchList::of(kept);
    }

    /// The same in order, each once.
    pub(super) fn sort_and_retain(&mut self, keep: impl Fn(u32) -> bool) {
        let mut kept: SmallVec<[u32; 4]> = self.iter().filter(|id| keep(*id)).collect();
        kept.sort_unstable();
        kept.dedup();
        *self = WatchList::of(kept);
    }

    fn of(all: SmallVec<[u32; 4]>) -> WatchList {
        match all.len() <= WATCH_CHUNK {
            true => WatchList {
                old: None,
                new: all,
            },
            // The last one stays at hand.
            false => {
                let (old, new) = all.split_at(all.len() - 1);
                WatchList {
                    old: Some(Arc::new(old.iter().copied().collect())),
                    new: SmallVec::from_slice(new),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{WatchList, Worklist};
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        /// Against a queue that is searched.
        #[test]
        fn each_is_queued_once(steps in prop::collection::vec(prop::option::weighted(0.6, 0..2_000_u32), 0..400)) {
            let (mut list, mut model) = (Worklist::default(), VecDeque::new());
            for step in steps {
                match step {
                    Some(id) => {
                        list.push(id);
                        if !model.contains(&id) {
                            model.push_back(id);
                        }
                    }
                    None => prop_assert_eq!(list.pop(), model.pop_front()),
                }
            }
            while let Some(id) = list.pop() {
                prop_assert_eq!(Some(id), model.pop_front());
            }
            prop_assert!(model.is_empty() && list.size() == 0);
        }

        /// Against a list.
        #[test]
        fn a_watch_list_is_a_list(ids in prop::collection::vec(0..300_u32, 0..400), kept in 1..5_u32) {
            let (mut list, mut model) = (WatchList::default(), Vec::new());
            for id in ids {
                let before = list.clone();
                list.push(id);
                prop_assert!(list.is_last(id) && before.iter().eq(model.iter().copied()));
                model.push(id);
            }
            prop_assert_eq!(list.len(), model.len());
            list.retain(|id| id % kept != 0);
            model.retain(|id| id % kept != 0);
            prop_assert!(list.iter().eq(model.iter().copied()));
            list.sort_and_retain(|id| id % 7 != 0);
            model.retain(|id| id % 7 != 0);
            model.sort_unstable();
            model.dedup();
            prop_assert!(list.iter().eq(model.iter().copied()));
        }
    }
}
