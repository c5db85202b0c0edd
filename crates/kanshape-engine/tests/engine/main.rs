//! The engine by itself: arithmetic against brute force, choices, search.
#![allow(clippy::unwrap_used, missing_docs)]

mod arithmetic;
mod choice;
mod search;
