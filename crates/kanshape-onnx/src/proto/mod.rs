//! The messages of ONNX's schema, as far as types depend on them.
//!
//! Which fields there are, by their numbers, stands in `onnx-ml.proto` of the ONNX project. Each file here reads one
//! message; what stays untouched is `dtype`, `tensor` (what is in a tensor) and `ty` (what is declared). No file here
//! knows what an operator is.

pub(crate) mod attribute;
pub(crate) mod dtype;
pub(crate) mod function;
pub(crate) mod node;
pub(crate) mod tensor;
pub(crate) mod ty;
pub(crate) mod value;
