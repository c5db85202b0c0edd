//! Rules: the one compiled form of signatures, relations and operators.
//!
//! A file becomes rules (`compile`): names get numbers, words their meaning, and the kind of every term is inferred. A
//! signature compiles to a rule as well ([`Compiled`]). A [`Library`] holds the rules that can call each other. How a
//! rule is run is not known here, but for relations in Rust ([`native`]), which say it themselves.

mod arguments;
mod calculated;
pub mod call_arg;
mod compile;
mod condition;
mod context;
pub mod error;
mod finish;
mod index;
mod indexed;
mod inline;
mod known;
pub mod library;
pub mod native;
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
pub use known::OpEntry;
pub use library::Library;
pub use op::{Formal, OpRule};
pub use rule::{Clause, Rule};
pub use signature::Compiled;
pub(crate) use signature::WriteConditions;
