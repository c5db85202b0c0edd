//! Dtypes, dims, shapes and types, each as far as it is known, and the promotion tables.
//!
//! A [`Type`] is what a text like `f32[2, n, ?]` means. It is plain data: cheap to clone, equal
//! when the same thing is said, and a tensor of up to four dims lives in it without allocating.
//! Text goes in by [`str::parse`] and comes out by [`Display`](std::fmt::Display), in the one
//! canonical print that reads back as the same type; between the two stands the tree of
//! `kanshape-syntax` ([`Type::from_tree`], [`Type::to_tree`]).
//!
//! [`Dtype`], [`DtypeSet`] and [`Promotion`] are finite: sets are bits, and what two dtypes
//! promote to is looked up, in every direction, in tables that the compiler builds.
//!
//! A type is a set of values, too: [`Value`] is one, and with the feature `ndarray` a type says
//! whether it contains it. [`UserType`] is how other kinds of values get types.
//!
//! This crate must not know signatures, operators or how anything is solved. Of the
//! order between partly known types it knows what a look at them shows ([`order`]).
//!
//! Start at [`Type`] for the type of a value, and at [`Promotion::refine`] for the relation.
//!
//! ```
//! use kanshape::{Dim, Dtype, Type, shorthand::f32s, types::TypeKind};
//!
//! let ty: Type = "float32[2, n]".parse()?;
//! assert_eq!(ty.to_string(), "f32[2, n]");
//! assert_eq!(ty, f32s([Dim::from(2), "n".parse()?]));
//!
//! let TypeKind::Tensor(tensor) = &ty.kind else { unreachable!() };
//! assert_eq!(tensor.dtype.known(), Some(Dtype::F32));
//! assert_eq!(tensor.shape.rank(), Some(2));
//! # Ok::<(), kanshape::Diagnostic>(())
//! ```

// A diagnostic is made at most once a text, and moved up a few frames.
#![allow(clippy::result_large_err)]

pub mod code;
mod conditions;
mod contents;
mod dim;
mod dtype;
pub mod dtype_set;
mod dtype_term;
mod error;
mod evaluate;
mod memory;
mod name;
mod names;
pub mod order;
mod promotion;
mod reader;
#[cfg(feature = "serde")]
mod serial;
mod shape;
pub mod shorthand;
mod text;
mod ty;
mod writer;

pub use conditions::Conditions;
pub use contents::{Content, Contents};
pub use dim::{Dim, Nominal};
pub use dtype::Dtype;
pub use dtype_set::DtypeSet;
pub use dtype_term::DtypeTerm;
pub use evaluate::value_at;
pub use kanshape_syntax::tree::Float;
pub use name::Name;
pub use promotion::{Promotion, States};
pub use shape::{Run, Shape};
pub use ty::user::{ArgumentError, Constructor, UserType, Vocabulary};
pub use ty::{FnType, Tensor, Type, TypeKind};

use value::*;

/// Values: what a type contains, and what it filters.
pub mod value {
    pub use crate::ty::user::{RandomState, SparseFormat, SparseMatrix};
    #[cfg(feature = "ndarray")]
    pub use crate::ty::value::{AnyArray, Element, Fitted, TypeOf};
    pub use crate::ty::value::{AnyValue, UserValue, Value};
}
