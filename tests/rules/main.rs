//! Rewrite rules of seven sources, restated in the rule text: `tests/data/rewrite_rules.jsonl`.
//!
//! Each has a snapshot with the verdict, the counterexample, the precondition that is found, and the audit of its own.
//! `twin` compares verdicts and counterexamples with forward evaluation of both sides.

#![allow(clippy::unwrap_used)]

mod bounds;
mod corpus;
mod enumerate;
mod explored;
mod judged;
mod law;
mod predicate;
mod repairs;
mod replay;
mod set;
mod snapshots;
mod twin;
mod values;
mod variables;
