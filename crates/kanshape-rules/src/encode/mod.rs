//! What users write and rules speak of, as terms of the engine.
//!
//! Variables are made in the order in which they should stay visible: the user's names, the holes
//! of the given types, parameters, then whatever the rule needs inside. The engine keeps
//! the older of two equal variables.

mod attr_value;
mod condition;
mod defined;
pub mod error;
pub mod float;
pub mod form;
mod given;
mod identity;
pub mod kind;
pub mod measure;
mod most_dims;
mod names;
mod normal;
mod operand;
pub mod size;
mod texts;
mod words;

pub use attr_value::AttrValue;
pub(crate) use attr_value::is_left_out;
pub use condition::{about_dtypes, apart, dtype_set, holds, negations, promote_all, set_of};
pub use defined::without_defined;
pub(crate) use given::lengths;
pub use given::{AttrSlot, Presence, QueryVars, Scope, Slot};
pub use identity::{Identities, index_of};
pub use kind::Kind;
pub use most_dims::most_dims;
pub use names::{UserName, UserNames, What};
pub use normal::{is_evident, normal_condition};
pub use operand::{End, Labels, Operand, Operands, SHAPED, TENSOR, tensor, tensor_parts};
pub use texts::Texts;
pub use words::Words;

use kanshape_diag::Diagnostic;
use kanshape_engine::{AtomTable, Domain, Int, Stop};
use kanshape_types::{Dim, Dtype, DtypeSet, Promotion, States};

/// Why something could not be stated.
#[derive(Debug)]
pub enum Trouble {
    /// What is known can't hold together, or the engine gave up.
    Stop(Stop),
    /// The text of the query is wrong.
    Text(Box<Diagnostic>),
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        Trouble::Stop(stop)
    }
}

impl From<kanshape_engine::Overflow> for Trouble {
    fn from(_: kanshape_engine::Overflow) -> Trouble {
        Trouble::Stop(Stop::Overflow)
    }
}

impl From<Diagnostic> for Trouble {
    fn from(diagnostic: Diagnostic) -> Trouble {
        Trouble::Text(Box::new(diagnostic))
    }
}

/// The greatest size.
pub const MAX_SIZE: Int = Dim::MAX_SIZE as Int;

/// Every size: a natural number up to 2^63-1.
pub fn sizes() -> Domain {
    Domain::interval(0, MAX_SIZE)
}

/// Is a domain every size? That sizes have a limit may have cut its end: a bound as far out as
/// this comes from nothing else.
pub fn is_any_size(lo: Int, hi: Int) -> bool {
    lo <= 0 && hi >= FAR
}

/// Bounds from here on come from the limits of sizes and of products of them, unless they have been stated.
pub const FAR: Int = 1 << 40;

/// Bounds from here on are written only where one of them has been stated: a size whose square is a size is less than 2^32,
/// and 2147483647 is the end of a slice that has none.
pub const FAR_BOUND: Int = (1 << 31) - 1;

/// Every natural number that a name inside a signature may denote: no operand need show it, so
/// the limit of sizes is not its own.
pub fn naturals() -> Domain {
    Domain::interval(0, 1 << 100)
}

/// Promotion as the engine's table of atoms. Where more than two dtypes promote, what the first of them have come to is an
/// atom as well: a [`States`], in the bits above those of dtypes.
#[derive(Debug)]
pub struct PromotionAtoms(pub Promotion);

/// Where the bits of [`States`] begin.
const STATES: u32 = Dtype::COUNT as u32;

/// What some dtypes can have promoted to so far, if that is what a variable over atoms is.
pub fn states(mask: u64) -> Option<States> {
    let states = States::from_bits(mask >> STATES);
    (states.bits() != 0).then_some(states)
}

/// Anything that some dtypes can have promoted to so far, as atoms.
pub fn any_states() -> u64 {
    States::ANY.bits() << STATES
}

impl AtomTable for PromotionAtoms {
    fn is_partial(&self, atoms: u64) -> bool {
        states(atoms).is_some()
    }

    fn refine(&self, left: u64, right: u64, out: u64) -> (u64, u64, u64) {
        let set = |bits: u64| DtypeSet::from_bits(bits as u32);
        let bits = |set: DtypeSet| u64::from(set.bits());
        let parts = [left, out].map(states);
        if parts == [None, None] {
            let (x, y, z) = self.0.refine(set(left), set(right), set(out));
            return (bits(x), bits(y), bits(z));
        }
        let as_states = |own: Option<States>, mask: u64| own.unwrap_or_else(|| set(mask).into());
        let (x, z) = (as_states(parts[0], left), as_states(parts[1], out));
        let (x, y, z) = self.0.refine_partly(x, set(right), z, parts[1].is_none());
        let place =
            |own: Option<States>, states: States| states.bits() << own.map_or(0, |_| STATES);
        (place(parts[0], x), bits(y), place(parts[1], z))
    }
}

/// What denotes the value of [`Disequal`]. No dtype has this bit; a state may, so that the table says which one it is.
pub const DISEQUAL: u64 = 1 << 63;

/// Two dtypes that are not the same, as a table: its one value is [`DISEQUAL`].
#[derive(Debug)]
pub struct Disequal;

impl AtomTable for Disequal {
    fn is_relation(&self) -> bool {
        true
    }

    fn refine(&self, left: u64, right: u64, out: u64) -> (u64, u64, u64) {
        let other = |mask: u64, of: u64| {
            if of.is_power_of_two() {
                mask & !of
            } else {
                mask
            }
        };
        match (other(left, right), other(right, left)) {
            (0, _) | (_, 0) => (0, 0, 0),
            (left, right) => (left, right, out & DISEQUAL),
        }
    }
}

/// The bits of a set of dtypes as atoms.
pub fn atoms(set: DtypeSet) -> u64 {
    u64::from(set.bits())
}

/// The dtypes that a variable over atoms can still be.
pub fn dtypes(mask: u64) -> DtypeSet {
    DtypeSet::from_bits(mask as u32)
}
