//! Why a question has no answer: the facts that can't hold together, and what would.
//!
//! `mutation` spoils what fits, by one change at a time, and says what has to be true of the explanation then: the
//! change is among the facts, all of them are needed, each repair helps, and one of them undoes the change. `numpy`
//! and `onnx` do so to recorded calls, `catalog` to worked examples. `torch` solves what torch refuses.

#![allow(clippy::unwrap_used, clippy::result_large_err, missing_docs)]

mod catalog;
mod mutation;
mod numpy;
#[path = "../numpy/case.rs"]
#[allow(dead_code, reason = "not all of a row is used here")]
mod numpy_case;
mod onnx;
#[path = "../onnx/case.rs"]
#[allow(dead_code, reason = "not all of a row is used here")]
mod onnx_case;
mod torch;
