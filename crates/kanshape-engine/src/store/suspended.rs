//! The choices of a state that are not made yet, by whoever stated them.

use crate::persistent::OrdSet;
use crate::store::choice::Decided;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// The choices of a state: those that are suspended, and what has been found out of them.
///
/// A graph has one origin for each node, and asks for the choices of one of them whenever something is added: so they are
/// found by origin, and a copy shares them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    pending: Pending,
    /// Those of other origins, while the combinations of one are looked through.
    aside: Pending,
    /// The alternatives that are the only ones left, to be taken next.
    pub(super) decided: VecDeque<Decided>,
    /// The origins of which a constraint was run since their choices were last committed to.
    run: OrdSet<u32>,
    /// The last one that was noted there.
    last_run: Option<u32>,
    /// The origins of which it was too much to find out whether a combination of ways is left, each once.
    undecided: SmallVec<[u32; 1]>,
}

/// Suspended choices: the origin of each, and the number of its constraint.
#[derive(Clone, Debug, Default)]
struct Pending {
    open: OrdSet<(u32, u32)>,
    /// Those that search does not split.
    redundant: OrdSet<(u32, u32)>,
}

impl Pending {
    fn of(&mut self, is_redundant: bool) -> &mut OrdSet<(u32, u32)> {
        match is_redundant {
            true => &mut self.redundant,
            false => &mut self.open,
        }
    }

    fn len(&self) -> usize {
        self.open.len() + self.redundant.len()
    }

    /// Takes out those of an origin.
    fn take(&mut self, origin: u32) -> Pending {
        Pending {
            open: take(&mut self.open, origin),
            redundant: take(&mut self.redundant, origin),
        }
    }

    fn extend(&mut self, others: Pending) {
        self.open.extend(others.open);
        self.redundant.extend(others.redundant);
    }
}

fn of(all: &OrdSet<(u32, u32)>, origin: u32) -> impl Iterator<Item = u32> + '_ {
    all.range((origin, 0)..=(origin, u32::MAX)).map(|own| own.1)
}

fn take(all: &mut OrdSet<(u32, u32)>, origin: u32) -> OrdSet<(u32, u32)> {
    let own: OrdSet<(u32, u32)> = of(all, origin).map(|id| (origin, id)).collect();
    if own.len() == all.len() {
        return std::mem::take(all);
    }
    for one in &own {
        all.remove(one);
    }
    own
}

impl Choices {
    pub(super) fn insert(&mut self, origin: u32, id: u32, is_redundant: bool) {
        self.pending.of(is_redundant).insert((origin, id));
    }

    /// A choice is made, or says nothing any more.
    pub(super) fn remove(&mut self, origin: u32, id: u32, is_redundant: bool) {
        let own = self.pending.of(is_redundant).remove(&(origin, id));
        if own.is_none() {
            self.aside.of(is_redundant).remove(&(origin, id));
        }
    }

    /// How many are suspended.
    pub(crate) fn len(&self) -> usize {
        self.pending.len() + self.aside.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those that search may split, with their origins.
    pub(super) fn open(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.pending.open.iter().copied()
    }

    /// Those that it does not split.
    pub(super) fn redundant(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.pending.redundant.iter().copied()
    }

    /// How many an origin has, those included that search does not split.
    pub(crate) fn count_of(&self, origin: u32) -> usize {
        of(&self.pending.open, origin).count() + of(&self.pending.redundant, origin).count()
    }

    /// Has an origin choices that search may split?
    pub(crate) fn is_open(&self, origin: u32) -> bool {
        of(&self.pending.open, origin).next().is_some()
    }

    /// The origins of those that search may split, in order.
    pub(crate) fn open_origins(&self) -> Vec<u32> {
        let mut origins: Vec<u32> = self.open().map(|own| own.0).collect();
        origins.dedup();
        origins
    }

    /// Takes out the choices of an origin. Returns the numbers of their constraints.
    pub(crate) fn take_of(&mut self, origin: u32) -> Vec<u32> {
        let own = self.pending.take(origin);
        let all = own.open.iter().chain(&own.redundant);
        all.map(|own| own.1).collect()
    }

    /// From now on there are only those of this origin, until the others are [put back](Choices::put_back).
    pub(crate) fn set_aside_others(&mut self, origin: u32) {
        let own = self.pending.take(origin);
        self.aside = std::mem::replace(&mut self.pending, own);
    }

    /// Puts back those that have been set aside and are suspended still.
    pub(crate) fn put_back(&mut self) {
        let others = std::mem::take(&mut self.aside);
        let own = std::mem::replace(&mut self.pending, others);
        self.pending.extend(own);
    }

    /// Notes whether it was too much to find out if the choices of an origin can be made.
    pub(crate) fn note_undecided(&mut self, origin: u32, is_undecided: bool) {
        self.undecided.retain(|known| *known != origin);
        if is_undecided {
            self.undecided.push(origin);
        }
    }

    /// The origins with suspended choices of which that was too much.
    pub(crate) fn undecided(&self) -> Vec<u32> {
        let undecided = self.undecided.iter().copied();
        undecided.filter(|origin| self.is_open(*origin)).collect()
    }

    /// A constraint of this origin is run: more of its choices may be decided.
    pub(crate) fn note_run(&mut self, origin: u32) {
        if self.last_run == Some(origin) || self.is_empty() {
            return;
        }
        self.last_run = Some(origin);
        if !self.run.contains(&origin) {
            self.run.insert(origin);
        }
    }

    /// The origins of which a constraint was run since this was last called, in order.
    pub(crate) fn take_run(&mut self) -> OrdSet<u32> {
        self.last_run = None;
        std::mem::take(&mut self.run)
    }
}

#[cfg(test)]
mod tests {
    use super::Choices;

    #[test]
    fn what_is_made_while_others_are_aside_is_gone_after() {
        let mut choices = Choices::default();
        for (origin, id, is_redundant) in
            [(1, 0, false), (2, 1, false), (2, 2, true), (3, 3, false)]
        {
            choices.insert(origin, id, is_redundant);
        }
        assert_eq!(choices.count_of(2), 2);
        choices.set_aside_others(2);
        assert!(choices.open().eq([(2, 1)]) && choices.redundant().eq([(2, 2)]));
        assert_eq!(choices.len(), 4);
        choices.remove(3, 3, false);
        choices.remove(2, 1, false);
        choices.insert(2, 4, false);
        choices.put_back();
        assert!(choices.open().eq([(1, 0), (2, 4)]) && choices.redundant().eq([(2, 2)]));
        assert_eq!(choices.open_origins(), [1, 2]);
        assert_eq!(choices.take_of(2), [4, 2]);
        assert_eq!((choices.len(), choices.is_open(2)), (1, false));
    }

    #[test]
    fn an_origin_is_undecided_as_long_as_it_has_choices() {
        let mut choices = Choices::default();
        choices.insert(7, 0, false);
        choices.note_undecided(7, true);
        choices.note_undecided(8, true);
        choices.note_undecided(7, true);
        assert_eq!(choices.undecided(), [7]);
        choices.remove(7, 0, false);
        assert_eq!(choices.undecided(), [0; 0]);
    }
}
