//! Why a question has no solution, and what would give it one.
//!
//! Everything here is found by solving again: with fewer facts, until all that are left are needed ([`core`](self)),
//! and with one of them open, for what it could be instead (`finder`). A question that has an answer pays nothing.
//!
//! The way through: [`fact`](self) says what a fact is, `given` finds those of a query and takes them away
//! again, `core` finds the few that can't hold together - `waiting` begins a question once for all those that differ in a
//! few sizes -, `finder` the repairs, in what is `found` with one place open, `place` finds the facts in the text of the
//! signature, and `words` and `help` say it all. Where nothing that is given clashes, `left_out` looks for what is missing,
//! and `swapped` for inputs in each other's place; `alone` finds what clashes in a signature with nothing given. `elements`
//! says of a reshape how many elements there are. `sizes` finds numbers for which a condition holds and does not. All of it
//! knows queries and their answers, and nothing of how they are found.
//!
//! ```
//! use kanshape::{Signature, shorthand::f32s};
//!
//! let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
//! let query = matmul.query().inputs([f32s([2, 3]), f32s([4, 5])]);
//! let conflict = query.explain().unwrap();
//! assert_eq!(conflict.to_string(), "\
//! error[K0101]: the two inputs disagree about `n`
//!  --> signature:1:4
//!   |
//! 1 | (m,n),(n,p)->(m,p)
//!   |    ^ input 0 makes `n` 3
//!   |        - input 1 makes `n` 4
//!   |
//!   = help: input 0 would fit as f32[2, 4]; input 1 would fit as f32[3, 5]");
//! assert_eq!(conflict.facts[0].slot.to_string(), "inputs[0]");
//! assert_eq!(conflict.facts[0].axis(), Some(1));
//! assert_eq!(conflict.facts[0].span, Some(3..4));
//! # Ok::<(), kanshape::Diagnostic>(())
//! ```

mod alone;
mod conflict;
mod core;
mod edit;
mod elements;
mod fact;
mod finder;
mod found;
mod given;
mod help;
mod left_out;
mod names;
mod place;
mod repair;
mod sizes;
mod swapped;
mod waiting;
mod words;

pub use crate::reify::{Allowed, allowed};
pub use conflict::Conflict;
pub use fact::{Fact, FactKind, Slot};
pub use repair::{Edit, EditKind, Repair};
pub use sizes::{Sizes, sizes};

pub(crate) use self::core::{is_never, steps_against_each_other as against_each_other};
pub(crate) use edit::with_dims;

use crate::code;
use kanshape_diag::Diagnostic;
use kanshape_types::Type;

/// Two types have no value in common, and why.
pub(crate) fn nothing_is_both(a: &Type, b: &Type, steps: Vec<String>) -> Diagnostic {
    let headline = format!("nothing is both `{a}` and `{b}`");
    let mut diagnostic = Diagnostic::new(code::NO_COMMON_VALUE, headline);
    diagnostic.steps = steps;
    diagnostic
}
