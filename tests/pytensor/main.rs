//! What PyTensor says of the types of its operators' outputs, recorded, and what the catalog says of
//! the same: the recorded type or a more precise one, and no solution where PyTensor has an error.
//!
//! `fact` reads the rows, `steps` turns one into questions to the catalog, `agree` compares, and
//! `deviation` has the rows where PyTensor is not followed; `docs/deviations.md` says why.

#![allow(clippy::unwrap_used)]

mod agree;
mod deviation;
mod fact;
mod questions;
mod steps;
