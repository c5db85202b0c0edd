//! [`States`]: what some dtypes have promoted to, where more may follow.
//!
//! In NumPy three dtypes are not promoted two by two: `i8` and `u8` are an `i16`, and that with `f16` an `f32`, but `np.result_type`
//! of the three is `f16`, which is above each of them. It takes floats before integers. So the order would matter, and to be
//! free of it, integers that a float may still follow are kept apart: beside each dtype there is a state for a signed and an unsigned
//! integer of 8 bits, and one for those of 16. Those of 32 and 64 bits need none: no float that is above both is below what
//! they promote to.

use crate::{Dtype, DtypeSet};

/// How many states there are.
const COUNT: u8 = Dtype::COUNT as u8 + 2;

/// A signed and an unsigned integer, of 8 bits and of 16.
const MIXED: [[Dtype; 2]; 2] = [[Dtype::I8, Dtype::U8], [Dtype::I16, Dtype::U16]];

/// Integers from narrow to wide, of both kinds.
const SIGNED: [Dtype; 4] = [Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64];
const UNSIGNED: [Dtype; 4] = [Dtype::U8, Dtype::U16, Dtype::U32, Dtype::U64];

/// What two dtypes promote to.
pub(super) type Promote<'p> = &'p dyn Fn(Dtype, Dtype) -> Option<Dtype>;

/// What some dtypes have promoted to so far: its number is that of a dtype, or one of two behind them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct State(u8);

impl From<Dtype> for State {
    fn from(dtype: Dtype) -> State {
        State(dtype.index() as u8)
    }
}

impl State {
    /// The one dtype that it is, or the two that it is made of.
    fn dtypes(self) -> (Dtype, Option<Dtype>) {
        let number = usize::from(self.0);
        match Dtype::from_index(number) {
            Some(dtype) => (dtype, None),
            None => {
                let [signed, unsigned] = MIXED[usize::from(number != Dtype::COUNT)];
                (signed, Some(unsigned))
            }
        }
    }

    /// The dtype that it is if none follows.
    pub(super) fn result(self, promote: Promote<'_>) -> Option<Dtype> {
        match self.dtypes() {
            (dtype, None) => Some(dtype),
            (a, Some(b)) => promote(a, b),
        }
    }

    /// The state with one dtype more. None where a pair of them does not promote.
    pub(super) fn with(self, dtype: Dtype, promote: Promote<'_>) -> Option<State> {
        let (own, second) = self.dtypes();
        let all = [Some(own), second, Some(dtype)];
        let widest = |kind: &[Dtype]| {
            kind.iter()
                .rev()
                .find(|d| all.contains(&Some(**d)))
                .copied()
        };
        let (signed, unsigned) = (widest(&SIGNED), widest(&UNSIGNED));
        let of_kind = |d: Dtype| SIGNED.contains(&d) || UNSIGNED.contains(&d) || d == Dtype::Bool;
        if let (Some(signed), Some(unsigned)) = (signed, unsigned)
            && all.into_iter().flatten().all(of_kind)
        {
            let joined = promote(signed, unsigned)?;
            let is_mixed = joined != signed && joined != unsigned;
            let place = MIXED.iter().position(|pair| pair[1] == unsigned);
            return Some(match place.filter(|_| is_mixed) {
                Some(place) => State((Dtype::COUNT + place) as u8),
                None => joined.into(),
            });
        }
        // A float with each integer for itself.
        let joined = promote(dtype, own)?;
        let joined = second.map_or(Some(joined), |second| promote(joined, second))?;
        Some(joined.into())
    }
}

/// A set of what some dtypes can have promoted to so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct States(u64);

impl States {
    pub(super) const NONE: States = States(0);

    /// All of them.
    pub const ANY: States = States((1 << COUNT) - 1);

    /// The set with these bits; those that denote none are dropped.
    pub const fn from_bits(bits: u64) -> States {
        States(bits & States::ANY.0)
    }

    /// Its members as bits.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The dtypes whose promotion is its one member, if it has but one.
    pub fn single(self) -> Option<DtypeSet> {
        let mut all = self.iter();
        match (all.next(), all.next()) {
            (Some(only), None) => {
                let (first, second) = only.dtypes();
                Some(second.map_or(first.into(), |second| DtypeSet::of(&[first, second])))
            }
            _ => None,
        }
    }

    pub(super) fn contains(self, state: State) -> bool {
        self.0 & (1 << state.0) != 0
    }

    pub(super) fn insert(&mut self, state: State) {
        self.0 |= 1 << state.0;
    }

    pub(super) fn iter(self) -> impl Iterator<Item = State> {
        (0..COUNT)
            .map(State)
            .filter(move |state| self.contains(*state))
    }
}

impl From<DtypeSet> for States {
    fn from(set: DtypeSet) -> States {
        States(set.bits().into())
    }
}

impl From<States> for DtypeSet {
    /// Those of the states that are dtypes.
    fn from(states: States) -> DtypeSet {
        DtypeSet::from_bits((states.0 & DtypeSet::ANY.bits() as u64) as u32)
    }
}
