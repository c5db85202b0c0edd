//! The program as a user runs it.
#![allow(clippy::unwrap_used)]

mod batch;
#[cfg(unix)]
mod catalog;
mod exit_codes;
mod models;
mod operator_lines;
mod operators;
mod printing;
mod program;
mod repl;
mod transcripts;
mod types;
