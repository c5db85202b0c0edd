//! How diagnostics look, and that no place makes a renderer panic.
#![allow(clippy::unwrap_used, missing_docs)]

mod any_place;
mod render;
