//! The texts of kanshape as trees, and back.
//!
//! Signatures, types, conditions and dims are read by [`parse_signature`], [`parse_type`],
//! [`parse_conditions`] and [`parse_expr`] into the trees of [`tree`]. Every tree displays as its
//! one canonical print, which reads back as the same tree.
//!
//! [`split_question`] tells the parts of a question or an answer from each other, each to be read by one of those.
//!
//! Files of relations and operators are a language of their own, with a grammar of their own:
//! [`parse_relations`] reads them into the tree of [`relation`].
//!
//! The crate must not know what anything means: which names are dtypes, what broadcasting does,
//! whether a size is possible. What it refuses is refused for its form, by the grammar in
//! `grammar/` or by `check.rs`, with a [`Diagnostic`](kanshape_diag::Diagnostic)
//! whose [`code`] stays the same for good.
//!
//! Start at [`tree`], then the grammar. Signatures, types and conditions are read in `signature`, files of relations, programs and modules in
//! `relation`, `relay` and `stablehlo`. On the way from text to tree come `lex` (words), the
//! generated parser, `piece` and `call` and `form` (what one word of look-ahead cannot tell),
//! `nominal` (sizes with an identity), `contents` (what a tensor has in it), `foreign` (the notation of other tools), and `check`. On the way to an error come `scene` (where the parser stopped), `near_miss` (what was
//! probably meant) and `expected` (what would have fitted). The way back is `print`.
//!
//! ```
//! use kanshape_syntax::{parse_signature, parse_type};
//!
//! let matmul = parse_signature("( m, n ), ( n, p ) -> ( m, p )")?;
//! assert_eq!(matmul.to_string(), "(m,n),(n,p)->(m,p)");
//! assert_eq!(parse_type("Tensor[(2, n), float32]")?.to_string(), "float32[2, n]");
//!
//! let mistake = parse_signature("(m n)->()").unwrap_err();
//! assert_eq!(mistake.code, kanshape_syntax::code::UNEXPECTED);
//! # Ok::<(), kanshape_diag::Diagnostic>(())
//! ```

// A diagnostic is large, and made once, when everything else has failed.
#![allow(clippy::result_large_err)]

pub mod code;
mod float;
mod name;
mod number;
mod print;
mod problem;
mod question;
pub mod relation;
#[cfg(feature = "relay")]
pub mod relay;
#[cfg(feature = "serde")]
mod serial;
mod signature;
#[cfg(feature = "stablehlo")]
pub mod stablehlo;
mod symbolic;
mod text;
pub mod tree;
mod uses;
mod walk;

pub use question::{Question, split_binding, split_list, split_or_absent, split_question};
pub use relation::parse_relations;
#[cfg(feature = "relay")]
pub use relay::{parse_relay_expr, parse_relay_pattern, parse_relay_program, parse_relay_type};
pub use signature::mlir::enumerant as mlir_enumerant;
pub use signature::parse::{
    parse_condition, parse_conditions, parse_expr, parse_signature, parse_type,
};
#[cfg(feature = "stablehlo")]
pub use stablehlo::parse_stablehlo;
pub use symbolic::parse_symbolic;
pub use walk::Rename;

/// How deeply brackets may be nested in a text.
pub const MAX_DEPTH: usize = 64;

/// How many bytes a text may have: a type, a signature, the conditions of a `where`. Files of relations may be longer.
pub const MAX_TEXT: usize = 2 << 20;

/// How many members the contents of a tensor may have.
pub const MAX_CONTENTS: usize = 4096;
