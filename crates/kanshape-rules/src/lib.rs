//! Rules: what is written - a signature, a relation, an operator - compiled once, and its two interpreters.
//!
//! These are typing rules; rewrite rules are the crate `kanshape-rewrite`. It is the part of `kanshape` below queries: this crate has never heard of a query, an answer or a graph. The way through
//! it: text that has been read compiles to a [`Rule`](rules::Rule) (`rules`); operands and attributes become terms
//! of the engine (`encode`), and conditions steps of a clause (`given`); and a rule is stated in the engine's store (`run`), or calculated where the given operands
//! determine the others (`eval`). Relations that text cannot state are written in Rust (`native`), those of users by
//! [`RustRelation`].
//!
//! Its face is that of the crate `kanshape`. The modules are public for `kanshape-infer`, and may change with any version.

pub mod code;
#[doc(hidden)]
pub mod encode;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod given;
mod limits;
#[doc(hidden)]
pub mod native;
#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
pub mod run;
#[cfg(feature = "serde")]
mod serial;

pub use encode::AttrValue;
pub use limits::LIMITS;
pub use native::user::{Arg, Args, Impossible, Optional, Progress, RustRelation, TensorArg};
