//! The program as a user runs it.
#![allow(clippy::unwrap_used)]

mod batch;
#[cfg(unix)]
mod catalog;
#[cfg(unix)]
mod check_parts;
#[cfg(unix)]
mod check_view;
#[cfg(unix)]
mod code_pages;
#[cfg(unix)]
#[allow(dead_code)]
#[path = "../models/encode.rs"]
mod encode;
mod endless;
mod exit_codes;
mod graphs;
mod help_page;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod hostile_lines;
#[cfg(unix)]
mod made;
#[cfg(unix)]
mod model_lines;
#[cfg(unix)]
mod model_questions;
mod models;
mod operator_lines;
mod operators;
#[cfg(unix)]
mod page_files;
mod printing;
mod program;
mod relay_ops;
mod relay_type;
mod repl;
mod rules;
#[cfg(unix)]
mod schema;
mod stablehlo_calls;
mod torch_calls;
mod torch_functions;
#[cfg(unix)]
mod transcripts;
mod type_data;
mod types;
mod why;
