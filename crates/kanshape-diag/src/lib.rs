//! A diagnostic as plain data: a code, a headline, labelled places, steps, help.
//!
//! Whoever finds a mistake fills in a [`Diagnostic`]; whoever talks to a person renders it. The
//! crate must not know what the texts mean, nor find anything out by itself: it knows no tensors
//! and no grammar, opens no file and prints nothing.
//!
//! - [`Diagnostic`] itself displays as plain text, in ASCII but for the text it quotes.
//! - `render_terminal` shows it with colours and lines, with the feature `terminal`.
//! - With the feature `serde` it serializes, in a form that stays: see `json`.
//! - [`suggest`] finds what a misspelt name was meant to be.
//!
//! Start at [`Diagnostic`].
//!
//! ```
//! use kanshape_diag::Diagnostic;
//!
//! let d = Diagnostic::new("K0001", "two dims without a comma")
//!     .with_label(3..4, "expected `,` or `)`")
//!     .with_help("write `(m, n)`")
//!     .with_source("signature", "(m n)->()");
//! assert_eq!(d.to_string(), "\
//! error[K0001]: two dims without a comma
//!  --> signature:1:4
//!   |
//! 1 | (m n)->()
//!   |    ^ expected `,` or `)`
//!   |
//!   = help: write `(m, n)`");
//! ```

mod codes;
mod diagnostic;
mod excerpt;
#[cfg(feature = "serde")]
pub mod json;
mod plain;
mod position;
mod suggest;
#[cfg(feature = "terminal")]
mod terminal;

pub use diagnostic::{Diagnostic, Label, Severity, Source};
pub use position::Position;
pub use suggest::suggest;
#[cfg(feature = "terminal")]
pub use terminal::render_terminal;
