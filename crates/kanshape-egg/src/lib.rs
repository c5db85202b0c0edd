//! Types of tensors in e-graphs of [`egg`]: the class data is a type, and two classes that can't be one are reported.
//!
//! A language says what its e-nodes are ([`TypedLanguage`]): which operator of a catalog, on which operands, with which
//! attributes. [`TypeAnalysis`] does the rest: the type of a new e-node is calculated from those of its operands, and two
//! classes that become one have what is known of both. Where nothing can be both, a [`Conflict`] says which two e-nodes and
//! which rule, and the run goes on.
//!
//! [`typed`] right sides are typed before they are added, and refused where that says that the rule does not hold.
//! [`rank`], [`same_type`] and [`types`] are conditions of rules.
//!
//! The way through this crate: `language` says what an e-node is, `analysis` puts it into a `kanshape::graph::Graph` that all
//! classes share, `rule` does that on trial, and `needs` compares the graph before and after.

// A diagnostic is large, and made once, when everything else has failed.
#![allow(clippy::result_large_err)]

mod analysis;
mod condition;
mod conflict;
mod language;
mod needs;
mod rule;

pub use analysis::{Datum, TypeAnalysis};
pub use condition::{TypeIf, rank, same_type, types};
pub use conflict::{Assumed, Conflict, IllTyped, InGraph, Known, Refusal, Refused, Side};
pub use language::{OpCall, Term, TypedLanguage};
pub use rule::{Typed, named, typed};

/// The blocks of the guide, which are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/e-graph.md")]
struct Guide;
