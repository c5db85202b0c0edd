//! The relation language: what reads, what does not, and that everything ends soon.

mod any_text;
mod language;
mod limits;
mod mistakes;
mod operators;
mod page;
mod round_trip;
mod trees;
