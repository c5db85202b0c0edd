//! [`Table`]: one library's promotion rules, indexed for every direction, built by the compiler.

use super::partial::{State, States};
use crate::{Dtype, DtypeSet};

const COUNT: usize = Dtype::COUNT;

/// A cell of [`Table::result`] whose pair the library refuses.
const REFUSED: u8 = u8::MAX;

/// What each pair of dtypes promotes to. The relation is symmetrical in the two arguments.
pub(super) struct Table {
    /// `result[a][b]` is the index of what `a` and `b` promote to.
    result: [[u8; COUNT]; COUNT],
    /// `partners[a][c]` are the bits of those `b` that promote with `a` to `c`.
    partners: [[u32; COUNT]; COUNT],
    /// `results[a]` are the bits of what `a` can promote to.
    results: [u32; COUNT],
}

impl Table {
    /// Reads a square table: a line of column names, then a line a row, its name first; a dash is
    /// a refused pair, and a line from `#` on is a comment. What the text leaves out is refused,
    /// but for a dtype with itself.
    pub(super) const fn read(text: &str) -> Table {
        let mut table = Table {
            result: [[REFUSED; COUNT]; COUNT],
            partners: [[0; COUNT]; COUNT],
            results: [0; COUNT],
        };
        let mut dtype = 0;
        while dtype < COUNT {
            table.result[dtype][dtype] = dtype as u8;
            dtype += 1;
        }

        let mut words = Words::new(text);
        let mut columns = [0; COUNT];
        let mut width = 0;
        while words.more_on_this_line() {
            columns[width] = words.dtype();
            width += 1;
        }
        let mut height = 0;
        while height < width {
            words.next_line();
            let row = words.dtype() as usize;
            let mut at = 0;
            while at < width {
                table.result[row][columns[at] as usize] = words.dtype();
                at += 1;
            }
            height += 1;
        }
        table.indexed()
    }

    /// Fills `partners` and `results` from `result`, and checks the symmetry they rely on.
    const fn indexed(mut self) -> Table {
        let mut a = 0;
        while a < COUNT {
            let mut b = 0;
            while b < COUNT {
                let c = self.result[a][b];
                assert!(c == self.result[b][a], "a promotion table is symmetrical");
                if c != REFUSED {
                    self.partners[a][c as usize] |= 1 << b;
                    self.results[a] |= 1 << c;
                }
                b += 1;
            }
            a += 1;
        }
        self
    }

    pub(super) fn promote(&self, a: Dtype, b: Dtype) -> Option<Dtype> {
        Dtype::from_index(self.result[a.index()][b.index()].into())
    }

    /// What is left of three sets when `z` is what `x` has promoted to so far, together with `y`.
    ///
    /// The states of `z` are those before more dtypes follow, or with `last` the dtypes that are the result.
    pub(super) fn refine_partly(
        &self,
        x: States,
        y: DtypeSet,
        z: States,
        last: bool,
    ) -> (States, DtypeSet, States) {
        let mut left = (States::NONE, DtypeSet::EMPTY, States::NONE);
        let promote = |a, b| self.promote(a, b);
        for a in x.iter() {
            for b in y {
                let joined = match a.with(b, &promote) {
                    Some(joined) if last => joined.result(&promote).map(State::from),
                    joined => joined,
                };
                if let Some(joined) = joined.filter(|joined| z.contains(*joined)) {
                    left.0.insert(a);
                    left.1 |= b.into();
                    left.2.insert(joined);
                }
            }
        }
        left
    }

    pub(super) fn refine(
        &self,
        x: DtypeSet,
        y: DtypeSet,
        z: DtypeSet,
    ) -> (DtypeSet, DtypeSet, DtypeSet) {
        if let (Some(a), Some(b)) = (x.single(), y.single()) {
            return match self.promote(a, b) {
                Some(c) if z.contains(c) => (x, y, c.into()),
                _ => (DtypeSet::EMPTY, DtypeSet::EMPTY, DtypeSet::EMPTY),
            };
        }
        // The relation is symmetrical: walk the smaller of the two.
        if y.len() < x.len() {
            let (y, x, z) = self.refine_by_first(y, x, z);
            (x, y, z)
        } else {
            self.refine_by_first(x, y, z)
        }
    }

    fn refine_by_first(
        &self,
        x: DtypeSet,
        y: DtypeSet,
        z: DtypeSet,
    ) -> (DtypeSet, DtypeSet, DtypeSet) {
        let mut left = (DtypeSet::EMPTY, DtypeSet::EMPTY, DtypeSet::EMPTY);
        for a in x {
            for c in z & DtypeSet::from_bits(self.results[a.index()]) {
                let partners = y & DtypeSet::from_bits(self.partners[a.index()][c.index()]);
                if !partners.is_empty() {
                    left.0 |= a.into();
                    left.1 |= partners;
                    left.2 |= c.into();
                }
            }
        }
        left
    }
}

/// The words of a table's text, one after another; usable by the compiler.
struct Words<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// Stands on the first line that is not a comment.
    const fn new(text: &'a str) -> Self {
        let mut words = Words {
            text: text.as_bytes(),
            at: 0,
        };
        while words.at < words.text.len() && words.text[words.at] == b'#' {
            while words.text[words.at] != b'\n' {
                words.at += 1;
            }
            words.at += 1;
        }
        words
    }

    const fn more_on_this_line(&mut self) -> bool {
        while self.at < self.text.len() && self.text[self.at] == b' ' {
            self.at += 1;
        }
        self.at < self.text.len() && !matches!(self.text[self.at], b'\r' | b'\n')
    }

    const fn next_line(&mut self) {
        assert!(!self.more_on_this_line(), "a row is too long");
        while self.at < self.text.len() && matches!(self.text[self.at], b'\r' | b'\n') {
            self.at += 1;
        }
    }

    /// The index of the dtype that the next word names; [`REFUSED`] for a dash.
    const fn dtype(&mut self) -> u8 {
        assert!(self.more_on_this_line(), "a row is too short");
        let start = self.at;
        while self.at < self.text.len() && !matches!(self.text[self.at], b' ' | b'\r' | b'\n') {
            self.at += 1;
        }
        if self.at == start + 1 && self.text[start] == b'-' {
            return REFUSED;
        }
        let mut dtype = 0;
        while dtype < COUNT {
            if self.word_is(start, Dtype::ALL[dtype].name()) {
                return dtype as u8;
            }
            dtype += 1;
        }
        panic!("not the name of a dtype")
    }

    /// Whether the word from `start` up to here is `name`.
    const fn word_is(&self, start: usize, name: &str) -> bool {
        let name = name.as_bytes();
        if self.at - start != name.len() {
            return false;
        }
        let mut i = 0;
        while i < name.len() {
            if self.text[start + i] != name[i] {
                return false;
            }
            i += 1;
        }
        true
    }
}
