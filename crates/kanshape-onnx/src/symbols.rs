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
pub(crate) struct Kind(pub u32);

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
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Few operators of one name are in two domains.
        self.op.hash(state);
    }
}

/// Are these the same bytes? Most of what is compared is empty, and comparing no bytes is slow on some processors:
/// the empty slice stands at no address, which costs them a fault.
#[inline]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && (a.is_empty() || a == b)
}

/// The names of a model. What bodies add to those of its graph is kept apart, on top of them.
#[derive(Debug, Default)]
pub(crate) struct Symbols<'m, 'a> {
    below: Option<&'m Symbols<'m, 'a>>,
    values: Interner<&'a str>,
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

    /// Room for so many more names of values.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.values.reserve(more);
    }

    /// The number of a value's name.
    #[inline]
    pub(crate) fn of(&mut self, name: &'a str) -> Symbol {
        if name.is_empty() {
            return Symbol::NONE;
        }
        let known = self.below.and_then(|below| below.values.get(&name));
        Symbol(known.unwrap_or_else(|| self.values.of(name)))
    }

    /// The number of a value's name, if it has one.
    pub(crate) fn get(&self, name: &str) -> Option<Symbol> {
        let known = self.below.and_then(|below| below.values.get(&name));
        known.or_else(|| self.values.get(&name)).map(Symbol)
    }

    /// A value's name.
    pub(crate) fn name(&self, symbol: Symbol) -> &'a str {
        let own = self.values.name(symbol.0);
        let below = || self.below?.values.name(symbol.0);
        own.or_else(below).unwrap_or_default()
    }

    /// The number of an operator.
    #[inline]
    pub(crate) fn kind(&mut self, op: &'a str, domain: &'a str, overload: &'a str) -> Kind {
        let name = OpName {
            op,
            domain,
            overload,
        };
        let known = self.below.and_then(|below| below.kinds.get(&name));
        Kind(known.unwrap_or_else(|| self.kinds.of(name)))
    }

    /// What an operator is called.
    pub(crate) fn op(&self, kind: Kind) -> OpName<'a> {
        let own = self.kinds.name(kind.0);
        let below = || self.below?.kinds.name(kind.0);
        own.or_else(below).unwrap_or(OpName {
            op: "",
            domain: "",
            overload: "",
        })
    }
}

/// Things with a number each, from some number on.
#[derive(Debug)]
struct Interner<K> {
    from: u32,
    all: Vec<K>,
    numbers: HashTable<u32>,
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

impl<K: Copy + Eq + Hash> Interner<K> {
    fn reserve(&mut self, more: usize) {
        let Interner {
            from,
            all,
            numbers,
            hasher,
        } = self;
        all.reserve(more);
        numbers.reserve(more, |number| {
            hasher.hash_one(all[(*number - *from) as usize])
        });
    }

    fn name(&self, number: u32) -> Option<K> {
        let at = number.checked_sub(self.from)?;
        self.all.get(at as usize).copied()
    }

    #[inline]
    fn of(&mut self, key: K) -> u32 {
        let Interner {
            from,
            all,
            numbers,
            hasher,
        } = self;
        let at = |number: &u32| (*number - *from) as usize;
        let entry = numbers.entry(
            hasher.hash_one(key),
            |number| all[at(number)] == key,
            |number| hasher.hash_one(all[at(number)]),
        );
        let number = *entry.or_insert(*from + all.len() as u32).get();
        if at(&number) == all.len() {
            all.push(key);
        }
        number
    }

    #[inline]
    fn get<Q: Hash>(&self, key: &Q) -> Option<u32>
    where
        K: PartialEq<Q>,
    {
        if self.all.is_empty() {
            return None;
        }
        let hash = self.hasher.hash_one(key);
        let is = |number: &u32| self.all[(*number - self.from) as usize] == *key;
        self.numbers.find(hash, is).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
