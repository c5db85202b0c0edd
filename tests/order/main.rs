//! The order between types: Aesara's recorded answers, the laws of an order, and sets of values
//! listed one by one.

#![allow(clippy::unwrap_used)]

mod aesara;
mod answers;
mod contents;
mod laws;
mod memory;
mod monotone;
mod values;
