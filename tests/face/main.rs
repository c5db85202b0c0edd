//! What every program that uses kanshape relies on: the names at its root, the traits of its types, their texts.

#![allow(clippy::unwrap_used, missing_docs)]

mod binary;
mod fresh;
mod guesses;
mod names;
mod texts;
mod traits;
mod words;
