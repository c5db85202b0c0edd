//! The texts of signatures, types, conditions, relations and programs: what reads, what prints, and what is refused.
#![allow(
    clippy::print_stdout,
    clippy::result_large_err,
    clippy::unwrap_used,
    missing_docs
)]

mod any_text;
mod errors;
mod foreign;
mod grammar;
mod language;
mod limits;
mod numpy;
mod questions;
mod relations;
#[cfg(feature = "relay")]
mod relay;
mod round_trip;
mod speed;
mod trees;
