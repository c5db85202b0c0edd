//! Operators as text: their files, the reader of these, and an index by name.
//!
//! An operator is an [`Entry`]: a signature line, where it is from, a line of documentation, and
//! examples, each a query with what it must answer. Entries stand in files with the ending `.kan`,
//! whose form [`mod@format`] describes; those that come with kanshape are in `ops/`, a file a theme,
//! and are [`Catalog::builtin`]. Anybody's own are read by [`Catalog::load_str`].
//!
//! The crate must not know how to solve anything, nor what a signature means: it hands out texts
//! and, when asked, trees. That the examples are true is for the tests of those who can solve.
//!
//! Start at [`Catalog`]; then [`Entry`], [`Example`], and the reader in `reader.rs`.
//!
//! ```
//! use kanshape_catalog::Catalog;
//!
//! let matmul = Catalog::builtin().get("matmul").unwrap();
//! assert_eq!(matmul.signature()?.inputs.len(), 2);
//!
//! let mine = Catalog::load_str("mine.kan", "
//! op pair
//!     sig   (n),(n)->(n,2)
//!     doc   Puts two vectors side by side.
//!     from  us
//! ")?;
//! assert_eq!(mine.get("pair").unwrap().signature_text(), "(n),(n)->(n,2)");
//! # Ok::<(), kanshape_diag::Diagnostic>(())
//! ```

// A diagnostic is large, and made once, when everything else has failed.
#![allow(clippy::result_large_err)]

mod builtin;
mod catalog;
pub mod code;
mod entry;
mod example;
pub mod format;
pub mod onnx;
mod reader;
mod text;

pub use builtin::FILES;
pub use catalog::Catalog;
pub use entry::Entry;
pub use example::{Example, Expected, Question};
