//! The language of signatures, types, conditions and dims: from text to tree, and to an error that says what was meant.

pub(crate) mod call;
mod check;
pub(crate) mod contents;
mod expected;
pub(crate) mod failure;
mod foreign;
pub(crate) mod form;
pub(crate) mod lex;
pub(crate) mod mlir;
mod near_miss;
pub(crate) mod nominal;
pub(crate) mod parse;
pub(crate) mod piece;
pub(crate) mod scene;
