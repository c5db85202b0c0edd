//! [`Log`]: a list that grows at its end, and of which a copy costs next to nothing.

use crate::limits::LOG_CHUNK;
use kanshape_engine::Vector;
use std::ops::Index;
use std::sync::Arc;

/// A list that only grows.
///
/// The last members are in a list of their own, which is what adding one touches. Whenever that is full it is shared
/// from then on.
#[derive(Clone, Debug)]
pub(super) struct Log<T> {
    /// Each of the same length.
    full: Vector<Arc<Vec<T>>>,
    last: Vec<T>,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Log {
            full: Vector::new(),
            last: Vec::new(),
        }
    }
}

impl<T: Clone> Log<T> {
    #[inline]
    pub(super) fn push(&mut self, member: T) {
        if self.last.len() == LOG_CHUNK {
            let full = std::mem::replace(&mut self.last, Vec::with_capacity(LOG_CHUNK));
            self.full.push_back(Arc::new(full));
        }
        self.last.push(member);
    }

    /// Replaces a member.
    pub(super) fn set(&mut self, place: usize, member: T) {
        match place.checked_sub(self.full.len() * LOG_CHUNK) {
            Some(place) => self.last[place] = member,
            None => Arc::make_mut(&mut self.full[place / LOG_CHUNK])[place % LOG_CHUNK] = member,
        }
    }

    /// Removes all members behind the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.full.len() * LOG_CHUNK > len {
            self.last = self
                .full
                .pop_back()
                .map_or_else(Vec::new, Arc::unwrap_or_clone);
        }
        self.last.truncate(len - self.full.len() * LOG_CHUNK);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.full.len() * LOG_CHUNK + self.last.len()
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> Option<&T> {
        match place.checked_sub(self.full.len() * LOG_CHUNK) {
            Some(place) => self.last.get(place),
            None => self.full.get(place / LOG_CHUNK)?.get(place % LOG_CHUNK),
        }
    }
}

impl<T: Clone> Index<usize> for Log<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: usize) -> &T {
        match place.checked_sub(self.full.len() * LOG_CHUNK) {
            Some(place) => &self.last[place],
            None => &self.full[place / LOG_CHUNK][place % LOG_CHUNK],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_go_their_own_ways() {
        let mut log = Log::default();
        for n in 0..LOG_CHUNK * 3 + 1 {
            let before = log.clone();
            log.push(n);
            assert_eq!((before.len(), log.len()), (n, n + 1));
            assert_eq!((before.get(n), log.get(n)), (None, Some(&n)));
        }
        let mut other = log.clone();
        other.push(7);
        log.push(8);
        let last = log.len() - 1;
        assert_eq!((log[last], other[last]), (8, 7));
        assert!((0..last).all(|n| log[n] == n && other.get(n) == Some(&n)));
        let before = log.clone();
        let mut short = log.clone();
        for len in [last, LOG_CHUNK * 2, LOG_CHUNK + 1, 0] {
            short.truncate(len);
            assert_eq!((short.len(), short.get(len)), (len, None));
            assert!((0..len).all(|n| short.get(n) == Some(&n)));
            short.push(len);
            assert_eq!(short.get(len), Some(&len));
        }
        log.set(0, 9);
        log.set(last, 10);
        assert_eq!((before[0], before[last]), (0, 8));
        assert_eq!((log[0], log[1], log[last]), (9, 1, 10));
    }
}
