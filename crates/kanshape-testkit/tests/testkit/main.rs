//! Brute force against what is known by hand, and what the generators make.
#![allow(clippy::unwrap_used)]

mod agreement;
mod garbage;
mod lines;
