//! From a state of the engine back to types and conditions.
//!
//! What is open gets an expression over the user's names where one follows, and a fresh name or a
//! hole where none does. What the engine still waits for becomes conditions, none of which follows
//! from the others.

mod answer;
mod attribute;
mod canonical;
mod cases;
mod collect;
mod conditions;
mod counterexample;
mod dtypes;
mod fresh;
mod hidden;
mod hold;
mod lists;
mod minimal;
mod multiple;
mod naming;
mod own;
mod periodic;
mod plain;
mod runs;
mod shown;
mod symbol;
mod tensor;
mod witness;
mod write;

pub use answer::{Answer, Verdict};
pub(crate) use attribute::AttrTemplate;
pub(crate) use canonical::canonical;
pub(crate) use cases::cover_all;
pub(crate) use collect::{Source, collect, mentions};
pub(crate) use conditions::of_name;
pub(crate) use counterexample::{Candidates, sizes_around};
pub(crate) use dtypes::dtypes_of;
pub(crate) use fresh::Fresh;
pub(crate) use hidden::without_hidden_by_place;
pub(crate) use hold::{Hold, Length, cases, cover};
#[cfg(feature = "ndarray")]
pub(crate) use minimal::can_hold;
pub(crate) use minimal::{NameScope, contradict, implied, minimal, state_all, without_bounds};
pub(crate) use naming::Naming;
pub(crate) use own::Own;
pub use periodic::{Allowed, allowed};
pub(crate) use plain::plain_dims;
pub(crate) use shown::{hidden_choice, nameless_choice};
pub(crate) use symbol::{Condition, Symbol};
pub(crate) use tensor::{contents, says};
pub(crate) use write::{answer, vars_of_users};
