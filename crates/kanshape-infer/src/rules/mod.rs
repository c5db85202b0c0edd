//! Rules: the one compiled form of signatures, relations and operators.
//!
//! A file becomes rules (`compile`): names get numbers, words their meaning, and the kind of every term is inferred. A
//! signature compiles to a rule as well ([`Compiled`]). A [`Library`] holds the rules that can call each other. How a
//! rule is run is not known here.

pub(crate) mod call_arg;
mod compile;
mod condition;
mod context;
pub(crate) mod error;
mod finish;
mod index;
mod inline;
pub(crate) mod library;
pub(crate) mod native;
mod numbers;
pub(crate) mod op;
pub(crate) mod place;
pub(crate) mod plan;
pub(crate) mod rule;
mod scope;
mod signature;
mod terms;
mod unread;

pub(crate) use call_arg::CallArg;
pub(crate) use context::Context;
pub(crate) use library::{Library, OpEntry};
pub(crate) use op::{Formal, OpRule};
pub(crate) use rule::{Clause, Rule};
pub(crate) use signature::Compiled;
