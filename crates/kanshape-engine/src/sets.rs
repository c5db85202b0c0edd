//! [`Sets`]: disjoint sets.

/// Disjoint sets of what has a number: each set is known by its least member.
///
/// ```
/// use kanshape_engine::Sets;
///
/// let mut sets = Sets::new(4);
/// sets.join(1, 3);
/// assert_eq!(sets.least(3), 1);
/// assert_eq!(sets.least(2), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    /// The numbers below `count`, each in a set of its own.
    pub fn new(count: usize) -> Sets {
        Sets {
            parent: (0..count as u32).collect(),
        }
    }

    /// One number more, in a set of its own.
    pub fn push(&mut self) -> usize {
        let new = self.parent.len();
        self.parent.push(new as u32);
        new
    }

    /// The least member of the set that a number is in.
    pub fn least(&mut self, mut i: usize) -> usize {
        while self.parent[i] as usize != i {
            self.parent[i] = self.parent[self.parent[i] as usize];
            i = self.parent[i] as usize;
        }
        i
    }

    /// Makes the sets of two numbers one.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.least(a), self.least(b));
        self.parent[a.max(b)] = a.min(b) as u32;
    }
}
