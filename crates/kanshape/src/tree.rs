//! Texts as trees: what is written, and where.
//!
//! A [`Dim`](crate::Dim) that is more than a number or a name holds an [`Expr`], and a [`Condition`] is made of them. A compiler with
//! sizes of its own maps them once:
//!
//! ```
//! use kanshape::Dim;
//! use kanshape::tree::{Expr, MulOp, Sign};
//!
//! fn lisp(expr: &Expr) -> String {
//!     match expr {
//!         Expr::Int(size) => size.to_string(),
//!         Expr::Name(name) => name.node.to_string(),
//!         Expr::Sum(terms) => terms.iter().fold("0".into(), |sum, (sign, term)| match sign {
//!             Sign::Plus => format!("(+ {sum} {})", lisp(term)),
//!             Sign::Minus => format!("(- {sum} {})", lisp(term)),
//!         }),
//!         Expr::Chain(first, rest) => rest.iter().fold(lisp(first), |left, (op, right)| match op {
//!             MulOp::Mul => format!("(* {left} {})", lisp(right)),
//!             MulOp::FloorDiv => format!("(div {left} {})", lisp(right)),
//!             MulOp::Mod => format!("(mod {left} {})", lisp(right)),
//!         }),
//!         other => format!("(other \"{other}\")"),
//!     }
//! }
//!
//! let dim: Dim = "2*n + 1".parse()?;
//! let Dim::Expr(expr) = &dim else { unreachable!() };
//! assert_eq!(lisp(expr), "(+ (+ 0 (* 2 n)) 1)");
//! # Ok::<(), kanshape::Diagnostic>(())
//! ```
//!
//! `examples/own_sizes.rs` does the same for conditions.
//!
//! # What there is
//!
//! - Sizes, conditions, types and signatures: [`Expr`], [`Condition`], [`Type`], [`Signature`], read by [`parse_expr`],
//!   [`parse_conditions`], [`parse_type`] and [`parse_signature`]. [`split_question`] tells the parts of a query from each other.
//! - Files of relations, operators and rewrite rules: [`relation`], read by [`parse_relations`].
//! - With the feature `relay`, programs in Relay's text format: the module `relay`.
//! - With the feature `stablehlo`, modules in MLIR's text: the module `stablehlo`.
//!
//! Every tree displays as its one canonical print, which reads back as the same tree. Two trees are equal when the same thing is
//! written; places take no part in it. Nesting is bounded by the readers, and chains of operators are flat, so that walking a tree that
//! has been read by recursion is safe.
//!
//! # What stays
//!
//! A tree has the forms of its language, and its enums are exhaustive for the reason that those of [`Dim`](crate::Dim) are: code that
//! leaves a form aside is wrong, and the compiler should say where. A construct that is added to a language is a variant more, and a new
//! major version. An arm for the rest, as above, keeps a front end to what it knows.

pub use kanshape_syntax::tree::*;
pub use kanshape_syntax::{
    MAX_CONTENTS, MAX_DEPTH, MAX_TEXT, Question, Rename, mlir_enumerant, parse_condition,
    parse_conditions, parse_expr, parse_relations, parse_signature, parse_symbolic, parse_type,
    relation, split_binding, split_list, split_or_absent, split_question,
};
#[cfg(feature = "relay")]
pub use kanshape_syntax::{
    parse_relay_expr, parse_relay_pattern, parse_relay_program, parse_relay_type, relay,
};
#[cfg(feature = "stablehlo")]
pub use kanshape_syntax::{parse_stablehlo, stablehlo};
