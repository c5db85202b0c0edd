//! What NumPy does, recorded, and what kanshape says of the same: shapes forwards and backwards, and
//! which signatures can be read.
//!
//! The facts are in `tests/data/numpy`; `ORIGIN.md` there says how they came about.

#![allow(clippy::unwrap_used)]

mod backwards;
mod beyond;
mod calls;
mod case;
mod forwards;
#[path = "../agreement/instance.rs"]
mod instance;
