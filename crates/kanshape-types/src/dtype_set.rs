//! [`DtypeSet`]: some of the dtypes, one bit each.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub};

use crate::Dtype;

/// A set of dtypes: bit `i` denotes the dtype whose [`Dtype::index`] is `i`.
///
/// ```
/// use kanshape::{Dtype, DtypeSet};
///
/// let set = DtypeSet::FLOAT & DtypeSet::from_iter([Dtype::F32, Dtype::F64, Dtype::I64]);
/// assert_eq!(set.to_string(), "{f32, f64}");
/// assert_eq!(DtypeSet::COMPLEX.to_string(), "Complex");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DtypeSet(u32);

impl DtypeSet {
    /// No dtype.
    pub const EMPTY: DtypeSet = DtypeSet(0);
    /// `Float`: all floating point dtypes, those of 8 bits and less included.
    pub const FLOAT: DtypeSet = DtypeSet::of(&[
        Dtype::F16,
        Dtype::BF16,
        Dtype::F32,
        Dtype::F64,
        Dtype::F8E4M3FN,
        Dtype::F8E4M3FNUZ,
        Dtype::F8E5M2,
        Dtype::F8E5M2FNUZ,
        Dtype::F4E2M1,
        Dtype::F6E2M3,
        Dtype::F6E3M2,
        Dtype::F8E8M0,
        Dtype::F8E4M3,
        Dtype::F8E3M4,
        Dtype::F8E4M3B11FNUZ,
    ]);
    /// `Int`: the signed integers.
    pub const INT: DtypeSet = DtypeSet::of(&[
        Dtype::I2,
        Dtype::I4,
        Dtype::I8,
        Dtype::I16,
        Dtype::I32,
        Dtype::I64,
    ]);
    /// `UInt`: the unsigned integers.
    pub const UINT: DtypeSet = DtypeSet::of(&[
        Dtype::U2,
        Dtype::U4,
        Dtype::U8,
        Dtype::U16,
        Dtype::U32,
        Dtype::U64,
    ]);
    /// `Complex`.
    pub const COMPLEX: DtypeSet = DtypeSet::of(&[Dtype::C64, Dtype::C128]);
    /// `Bool`.
    pub const BOOL: DtypeSet = DtypeSet::of(&[Dtype::Bool]);
    /// `Num`: floats, integers of both kinds and complex numbers.
    pub const NUM: DtypeSet = DtypeSet::FLOAT
        .union(DtypeSet::INT)
        .union(DtypeSet::UINT)
        .union(DtypeSet::COMPLEX);
    /// `Any`: every dtype, `str` included.
    pub const ANY: DtypeSet = DtypeSet((1 << Dtype::COUNT) - 1);

    /// The classes that have a name in the language.
    pub const CLASSES: [(&'static str, DtypeSet); 7] = [
        ("Float", DtypeSet::FLOAT),
        ("Int", DtypeSet::INT),
        ("UInt", DtypeSet::UINT),
        ("Bool", DtypeSet::BOOL),
        ("Complex", DtypeSet::COMPLEX),
        ("Num", DtypeSet::NUM),
        ("Any", DtypeSet::ANY),
    ];

    /// The set of these.
    pub const fn of(dtypes: &[Dtype]) -> DtypeSet {
        let mut bits = 0;
        let mut at = 0;
        // A `const fn` has no `for`.
        while at < dtypes.len() {
            bits |= 1 << dtypes[at] as u32;
            at += 1;
        }
        DtypeSet(bits)
    }

    /// The set of one.
    pub const fn just(dtype: Dtype) -> DtypeSet {
        DtypeSet(1 << dtype as u32)
    }

    /// The class with this name.
    pub fn class(name: &str) -> Option<DtypeSet> {
        DtypeSet::CLASSES
            .iter()
            .find(|(class, _)| *class == name)
            .map(|&(_, set)| set)
    }

    /// The name of the class that has exactly these dtypes.
    pub fn class_name(self) -> Option<&'static str> {
        DtypeSet::CLASSES
            .iter()
            .find(|&&(_, set)| set == self)
            .map(|&(name, _)| name)
    }

    /// The bits; bit `i` is the dtype with index `i`.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set with these bits; those that denote no dtype are dropped.
    pub const fn from_bits(bits: u32) -> DtypeSet {
        DtypeSet(bits & DtypeSet::ANY.0)
    }

    /// Those in either.
    pub const fn union(self, other: DtypeSet) -> DtypeSet {
        DtypeSet(self.0 | other.0)
    }

    /// Those in both.
    pub const fn intersection(self, other: DtypeSet) -> DtypeSet {
        DtypeSet(self.0 & other.0)
    }

    /// Those in `self` but not in `other`.
    pub const fn difference(self, other: DtypeSet) -> DtypeSet {
        DtypeSet(self.0 & !other.0)
    }

    /// Whether `dtype` is one of these.
    pub const fn contains(self, dtype: Dtype) -> bool {
        self.0 & (1 << dtype as u32) != 0
    }

    /// Whether all of these are in `other`.
    pub const fn is_subset(self, other: DtypeSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// How many.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The only one, if there is exactly one.
    pub const fn single(self) -> Option<Dtype> {
        if self.0.is_power_of_two() {
            Dtype::from_index(self.0.trailing_zeros() as usize)
        } else {
            None
        }
    }

    /// From the first to the last in the order of [`Dtype::ALL`].
    pub const fn iter(self) -> Iter {
        Iter(self.0)
    }
}

impl From<Dtype> for DtypeSet {
    fn from(dtype: Dtype) -> Self {
        DtypeSet::just(dtype)
    }
}

impl FromIterator<Dtype> for DtypeSet {
    fn from_iter<I: IntoIterator<Item = Dtype>>(dtypes: I) -> Self {
        dtypes
            .into_iter()
            .fold(DtypeSet::EMPTY, |set, dtype| set | dtype.into())
    }
}

impl IntoIterator for DtypeSet {
    type Item = Dtype;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl BitOr for DtypeSet {
    type Output = DtypeSet;

    fn bitor(self, other: DtypeSet) -> DtypeSet {
        self.union(other)
    }
}

impl BitOrAssign for DtypeSet {
    fn bitor_assign(&mut self, other: DtypeSet) {
        *self = self.union(other);
    }
}

impl BitAnd for DtypeSet {
    type Output = DtypeSet;

    fn bitand(self, other: DtypeSet) -> DtypeSet {
        self.intersection(other)
    }
}

impl BitAndAssign for DtypeSet {
    fn bitand_assign(&mut self, other: DtypeSet) {
        *self = self.intersection(other);
    }
}

impl Sub for DtypeSet {
    type Output = DtypeSet;

    fn sub(self, other: DtypeSet) -> DtypeSet {
        self.difference(other)
    }
}

impl Not for DtypeSet {
    type Output = DtypeSet;

    fn not(self) -> DtypeSet {
        DtypeSet::ANY - self
    }
}

/// `Float`, `{f32, f64}`, `{}`.
impl fmt::Display for DtypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(class) = self.class_name() {
            return f.write_str(class);
        }
        f.write_str("{")?;
        for (at, dtype) in self.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            f.write_str(dtype.name())?;
        }
        f.write_str("}")
    }
}

/// The dtypes of a [`DtypeSet`], in order.
#[derive(Clone, Debug)]
pub struct Iter(u32);

impl Iterator for Iter {
    type Item = Dtype;

    fn next(&mut self) -> Option<Dtype> {
        let dtype = Dtype::from_index(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1; // clears the lowest bit
        Some(dtype)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Iter {}
impl FusedIterator for Iter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_partition_all_but_str() {
        let parts = [
            DtypeSet::FLOAT,
            DtypeSet::INT,
            DtypeSet::UINT,
            DtypeSet::COMPLEX,
            DtypeSet::BOOL,
            Dtype::Str.into(),
        ];
        assert_eq!(
            parts.iter().map(|part| part.len()).sum::<usize>(),
            Dtype::COUNT
        );
        assert_eq!(
            parts
                .into_iter()
                .fold(DtypeSet::EMPTY, |all, part| all | part),
            DtypeSet::ANY
        );
        assert_eq!(!DtypeSet::NUM, DtypeSet::of(&[Dtype::Bool, Dtype::Str]));
    }

    #[test]
    fn iterates_in_order_and_back() {
        assert_eq!(DtypeSet::ANY.iter().collect::<Vec<_>>(), Dtype::ALL);
        for dtype in Dtype::ALL {
            assert_eq!(DtypeSet::just(dtype).single(), Some(dtype));
            assert!(DtypeSet::just(dtype).contains(dtype));
            assert!(!(!DtypeSet::just(dtype)).contains(dtype));
        }
        assert_eq!(DtypeSet::EMPTY.single(), None);
        assert_eq!(DtypeSet::COMPLEX.single(), None);
        assert_eq!(DtypeSet::from_bits(u32::MAX), DtypeSet::ANY);
    }

    #[test]
    fn prints() {
        assert_eq!(DtypeSet::EMPTY.to_string(), "{}");
        assert_eq!(DtypeSet::BOOL.to_string(), "Bool");
        assert_eq!(DtypeSet::just(Dtype::F32).to_string(), "{f32}");
        for (name, set) in DtypeSet::CLASSES {
            assert_eq!(set.to_string(), name);
            assert_eq!(DtypeSet::class(name), Some(set));
        }
        assert_eq!(DtypeSet::class("float"), None);
    }
}
