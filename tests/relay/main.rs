//! Programs in Relay's text format: types as they are recorded, long and deep programs, what `--write` writes.

#![allow(clippy::unwrap_used, missing_docs)]

mod agreement;
mod forms;
mod ground;
mod properties;
mod recorded;
mod search;
mod solver;
