//! ATen's operators against what torch declares of them, and calls recorded from torch with an input hidden in turn.
//! `tests/cli/torch_calls.rs` has these calls as they are.

#![allow(clippy::unwrap_used, clippy::result_large_err)]

mod assumed;
mod backwards;
mod pairs;
mod programs;
mod schemas;
