//! The operators, by kind.

pub(crate) mod contents;
pub(crate) mod convolution;
pub(crate) mod elementwise;
pub(crate) mod indexing;
pub(crate) mod linear;
pub(crate) mod movement;
pub(crate) mod norms;
pub(crate) mod quantize;
pub(crate) mod reduce;
pub(crate) mod slices;
pub(crate) mod windows;
