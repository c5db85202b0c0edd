//! The catalog that comes with kanshape: every example answers what it says, and every operator is shown
//! forwards and backwards, as a person would read it.

#![allow(clippy::unwrap_used, clippy::result_large_err)]

mod examples;
mod gufuncs;
mod index;
mod names;
mod pages;
mod pairs;
mod rules;

use kanshape::{Operator, catalog};

/// The operators of libraries that work on arrays: mostly a signature each.
fn everyday() -> Vec<Operator> {
    in_folder("ops/")
}

/// NumPy's functions with their parameters.
fn numpy() -> Vec<Operator> {
    in_folder("numpy/")
}

fn in_folder(folder: &str) -> Vec<Operator> {
    let all = catalog().operators();
    all.filter(|op| op.file().starts_with(folder)).collect()
}
