//! [`Symbols`]: what values and operators are called, as numbers.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::{BuildHasher, Hash, Hasher};

/// The name of a value, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbol(pub u32);

impl Symbol {
    /// No name: the operand is left out.
    pub(crate) const NONE: Symbol = Symbol(u32::MAX);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an operator is called, as a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OperatorNo(pub u32);

/// What an operator is called.
#[derive(Clone, Copy, Debug, Eq)]
pub(crate) struct OpName<'a> {
    pub op: &'a str,
    pub domain: &'a str,
    pub overload: &'a str,
}

impl PartialEq for OpName<'_> {
    fn eq(&self, other: &Self) -> bool {
        same(self.op.as_bytes(), other.op.as_bytes())
            && same(self.domain.as_bytes(), other.domain.as_bytes())
            && same(self.overload.as_bytes(), other.overload.as_bytes())
    }
}

impl Hash for OpName<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Few operators of one name are in two domains.
        state.write(self.op.as_bytes());
    }
}

/// What a value is called.
#[derive(Clone, Copy, Debug, Eq)]
struct ValueWord<'a>(&'a str);

impl PartialEq for ValueWord<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        same(self.0.as_bytes(), other.0.as_bytes())
    }
}

impl Hash for ValueWord<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let bytes = self.0.as_bytes();
        state.write(bytes.split_last().map_or(bytes, |split| split.1));
    }
}

/// A thing that has a number.
trait NumberedKey: Copy + Eq + Hash {
    /// How far it stands behind the place that its hash says.
    fn beside(self) -> u32 {
        0
    }
}

impl NumberedKey for OpName<'_> {}

/// Names are mostly met in order: `x17` is near `x16`. So the last two bytes don't scatter names, but say where they
/// stand side by side, and what is looked for next is at hand. The others scatter them.
impl NumberedKey for ValueWord<'_> {
    #[inline]
    fn beside(self) -> u32 {
        self.0.as_bytes().last().map_or(0, |last| u32::from(*last))
    }
}

/// Are these the same bytes? Names are short, so that a call of a function for each of them is what costs; and where
/// they are empty, it costs some processors a fault, because the empty slice stands at no address.
#[inline]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    let (words, rest) = a.as_chunks::<8>();
    let (others, other_rest) = b.as_chunks::<8>();
    let same_words = || {
        let mut pairs = words.iter().zip(others);
        pairs.all(|(a, b)| u64::from_ne_bytes(*a) == u64::from_ne_bytes(*b))
    };
    a.len() == b.len() && same_words() && rest.iter().eq(other_rest)
}

/// The names of a model. What bodies add to those of its graph is kept apart, on top of them.
#[derive(Debug, Default)]
pub(crate) struct Symbols<'m, 'a> {
    below: Option<&'m Symbols<'m, 'a>>,
    values: Interner<ValueWord<'a>>,
    kinds: Interner<OpName<'a>>,
}

impl<'m, 'a> Symbols<'m, 'a> {
    /// These names, and those that are still to come.
    pub(crate) fn over(below: &'m Symbols<'m, 'a>) -> Symbols<'m, 'a> {
        Symbols {
            below: Some(below),
            values: Interner::from(below.values.end()),
            kinds: Interner::from(below.kinds.end()),
        }
    }

    /// How many numbers there are for values.
    pub(crate) fn len(&self) -> usize {
        self.values.end() as usize
    }

    /// Reserves room for this number of further names of values.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.values.reserve(more);
    }

    /// The number of a value's name.
    #[inline]
    pub(crate) fn of(&mut self, name: &'a str) -> Symbol {
        if name.is_empty() {
            return Symbol::NONE;
        }
        let word = ValueWord(name);
        let known = self.below.and_then(|below| below.values.get(word));
        Symbol(known.unwrap_or_else(|| self.values.of(word)))
    }

    /// The number of a value's name, if it has one.
    pub(crate) fn get(&self, name: &str) -> Option<Symbol> {
        let known = self
            .below
            .and_then(|below| below.values.get(ValueWord(name)));
        known
            .or_else(|| self.values.get(ValueWord(name)))
            .map(Symbol)
    }

    /// A value's name.
    pub(crate) fn name(&self, symbol: Symbol) -> &'a str {
        let own = self.values.name(symbol.0);
        let below = || self.below?.values.name(symbol.0);
        own.or_else(below).map_or("", |word| word.0)
    }

    /// The number of an operator.
    #[inline]
    pub(crate) fn kind(&mut self, op: &'a str, domain: &'a str, overload: &'a str) -> OperatorNo {
        let name = OpName {
            op,
            domain,
            overload,
        };
        let known = self.below.and_then(|below| below.kinds.get(name));
        OperatorNo(known.unwrap_or_else(|| self.kinds.of(name)))
    }

    /// What an operator is called.
    pub(crate) fn op(&self, kind: OperatorNo) -> OpName<'a> {
        let own = self.kinds.name(kind.0);
        let below = || self.below?.kinds.name(kind.0);
        own.or_else(below).unwrap_or(OpName {
            op: "",
            domain: "",
            overload: "",
        })
    }
}

/// The number of a thing, and its hash, so that a table that grows need not look at all things again.
#[derive(Clone, Copy, Debug)]
struct HashedNo {
    hash: u32,
    number: u32,
}

/// Things with a number each, from some number on.
#[derive(Debug)]
struct Interner<K> {
    from: u32,
    all: Vec<K>,
    numbers: HashTable<HashedNo>,
    hasher: DefaultHashBuilder,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Interner::from(0)
    }
}

impl<K> Interner<K> {
    fn from(from: u32) -> Interner<K> {
        Interner {
            from,
            all: Vec::new(),
            numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    fn end(&self) -> u32 {
        self.from + self.all.len() as u32
    }
}

impl<K: NumberedKey> Interner<K> {
    fn name(&self, number: u32) -> Option<K> {
        let at = number.checked_sub(self.from)?;
        self.all.get(at as usize).copied()
    }

    fn reserve(&mut self, more: usize) {
        self.all.reserve(more);
        self.numbers.reserve(more, |slot| slot.spread());
    }

    fn slot(&self, key: K, number: u32) -> HashedNo {
        let (hash, beside) = (self.hasher.hash_one(key) as u32, key.beside());
        HashedNo {
            // The table takes its place from one end, and tells neighbours apart by the other.
            hash: hash.wrapping_add(beside) ^ beside << 25,
            number,
        }
    }

    #[inline]
    fn of(&mut self, key: K) -> u32 {
        let new = self.slot(key, self.end());
        let Interner {
            from, all, numbers, ..
        } = self;
        let is =
            |slot: &HashedNo| slot.hash == new.hash && all[(slot.number - *from) as usize] == key;
        let slot = *numbers
            .entry(new.spread(), is, |slot| slot.spread())
            .or_insert(new)
            .get();
        if slot.number == new.number {
            all.push(key);
        }
        slot.number
    }

    #[inline]
    fn get(&self, key: K) -> Option<u32> {
        if self.all.is_empty() {
            return None;
        }
        let own = self.slot(key, 0);
        let is = |slot: &HashedNo| {
            slot.hash == own.hash && self.all[(slot.number - self.from) as usize] == key
        };
        self.numbers.find(own.spread(), is).map(|slot| slot.number)
    }
}

impl HashedNo {
    /// Its hash as the table wants it: both ends of it count.
    #[inline]
    fn spread(self) -> u64 {
        u64::from(self.hash) << 32 | u64::from(self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_length_are_told_apart() {
        let mut names: Vec<String> = (1..30).map(|n| "x".repeat(n)).collect();
        names.extend((0..30).map(|n| format!("{}y{}", "x".repeat(n), "x".repeat(29 - n))));
        names.extend((0..400).map(|n| format!("v{n}")));
        let mut symbols = Symbols::default();
        for round in 0..2 {
            for (i, name) in names.iter().enumerate() {
                assert_eq!(
                    symbols.of(name),
                    Symbol(i as u32),
                    "{name} in round {round}"
                );
            }
        }
        assert!(
            (0..)
                .zip(&names)
                .all(|(i, name)| symbols.name(Symbol(i)) == name)
        );
    }

    #[test]
    fn names_on_top_of_names() {
        let mut below = Symbols::default();
        let (a, b) = (below.of("a"), below.of("b"));
        let add = below.kind("Add", "", "");
        let mut above = Symbols::over(&below);
        assert_eq!((above.of("a"), above.of("b")), (a, b));
        let c = above.of("c");
        assert_eq!(c, Symbol(2));
        assert_eq!((above.name(a), above.name(c)), ("a", "c"));
        assert_eq!(above.of(""), Symbol::NONE);
        assert_eq!(above.get("d"), None);
        assert_eq!(above.kind("Add", "", ""), add);
        assert_ne!(above.kind("Add", "mine", ""), add);
    }
}
