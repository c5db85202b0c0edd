//! Rules applied to models, and operators found by their types.
#![allow(clippy::unwrap_used)]

mod apply;
#[allow(dead_code)]
#[path = "../models/encode.rs"]
mod encode;
mod everyday;
mod find;
mod law;
mod models;
