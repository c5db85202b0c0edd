//! The catalog that comes with kanshape: every example answers what it says, and every entry is shown
//! forwards and backwards, as a person would read it.

#![allow(clippy::unwrap_used, clippy::result_large_err)]

mod ask;
mod examples;
mod gufuncs;
mod pages;
mod reader;
