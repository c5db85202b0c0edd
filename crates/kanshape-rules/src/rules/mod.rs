//! Rules: the one compiled form of signatures, relations and operators.
//!
//! A file becomes rules (`compile`): names get numbers, words their meaning, and the kind of every term is inferred. A
//! signature compiles to a rule as well ([`Compiled`]). A [`Library`] holds the rules that can call each other. How a
//! rule is run is not known here.

pub mod call_arg;
mod compile;
mod condition;
mod context;
pub mod error;
mod finish;
mod index;
mod inline;
pub mod library;
pub mod native;
mod numbers;
pub mod op;
pub mod place;
pub mod plan;
pub mod rule;
mod scope;
mod signature;
mod stated;
mod terms;
mod unread;

pub use call_arg::CallArg;
pub use context::Context;
pub use library::{Library, OpEntry};
pub use op::{Formal, OpRule};
pub use rule::{Clause, Rule};
pub use signature::Compiled;
