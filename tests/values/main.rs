//! Types as sets of values: what Aesara recorded, and what must hold of all values.
//!
//! The facts are in `tests/data/aesara`; `ORIGIN.md` there says how they came about.

#![allow(clippy::unwrap_used)]

mod contents;
mod equality;
mod facts;
mod laws;
mod literals;
mod names;
mod users;
