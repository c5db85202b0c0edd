//! The catalog of ONNX's operators against ONNX's own tests of them, and of onnxruntime's against what it does: a call's
//! outputs are what they should be, an input that is hidden is found from the rest.
//!
//! `case` reads the rows, `ask` turns one into a question to the catalog, and `score` counts.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod ask;
mod backwards;
mod case;
mod forwards;
mod later;
mod lenient;
mod one_node;
mod onnxruntime;
mod prepared;
mod presence;
mod refused;
mod score;
mod shortcut;
