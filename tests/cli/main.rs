//! The program as a user runs it.
#![allow(clippy::unwrap_used)]

mod batch;
mod exit_codes;
mod printing;
mod program;
mod repl;
mod transcripts;
mod types;
