//! Models, and what their values really are.

#![allow(clippy::unwrap_used)]

mod broken;
mod corrupted;
mod encode;
mod endless;
mod multi;
mod nested;
mod real;
mod record;
mod survive;
mod written;
