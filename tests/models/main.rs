//! Models, and what their values really are.

#![allow(clippy::unwrap_used)]

mod real;
mod record;
