//! Models, and what their values really are.

#![allow(clippy::unwrap_used)]

mod encode;
mod multi;
mod real;
mod record;
mod written;
