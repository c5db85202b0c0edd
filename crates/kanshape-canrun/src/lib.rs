//! A kanshape signature as goals of [`canrun`].
//!
//! This crate is for users of canrun who want to put a signature beside goals of their own; and it
//! is a second reading of the language, written apart from kanshape's own engine, which is tested
//! against it. It must not know that engine.
//!
//! ```
//! use canrun::{LVar, Query, Value, all, any, lvec, unify};
//! use kanshape_canrun::{Bounds, Shape, SignatureGoals, known};
//!
//! // Which of our kernels multiply something to a 4 by 6 matrix?
//! let signature = kanshape_syntax::parse_signature("(m,n),(n,p)->(m,p)")?;
//! let (a, b): (Shape, Shape) = (Value::var(), Value::var());
//! let matmul = SignatureGoals::new(&signature)?.goal(
//!     &[a.clone(), b.clone()],
//!     &[known(&[4, 6])],
//!     &[],
//!     Bounds::new(2, 8),
//! )?;
//! let (x, y) = (LVar::new(), LVar::new());
//! let kernels = any![
//!     all![unify(&a, lvec![x, 2]), unify(&b, lvec![2, y])],
//!     all![unify(&a, lvec![x, 8]), unify(&b, lvec![8, y])],
//!     all![unify(&a, lvec![5, 5]), unify(&b, lvec![5, 5])],
//! ];
//! let answers: Vec<(Vec<u64>, Vec<u64>)> = all![kernels, matmul].query((a, b)).collect();
//! assert_eq!(answers, [(vec![4, 2], vec![2, 6]), (vec![4, 8], vec![8, 6])]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Start with [`SignatureGoals`]; [`DtypeGoals`] states the dtypes. [`by_hand`] has a few relations
//! without any signature, to compare with.
//!
//! # What to know before use
//!
//! The limits are those of canrun 0.5:
//!
//! - Answers are ground, and within [`Bounds`]: ranks and sizes are tried one after the other.
//!   canrun searches depth first and cannot keep an open condition as an answer, so a search without
//!   bounds would not come back.
//! - State what narrows the search before what widens it: goals of your own come first in `all!`.
//! - `query` drops every state in which something is still open. If goals of your own leave
//!   variables or constraints open, use `into_states` and [`read`].
//! - Nothing here is `Send`: canrun shares its values through `Rc`.
//! - canrun has no occurs check, and recursion as deep as the number of forks.

mod arithmetic;
mod broadcast;
pub mod by_hand;
mod concat;
mod dtype;
mod enumerate;
mod misuse;
mod optional;
mod project;
mod reading;
mod scope;
mod shape;
mod signature;
mod solutions;
mod uses;

pub use broadcast::{broadcast, broadcast_dim};
pub use dtype::{DtypeGoals, DtypeTable, DtypeValue};
pub use misuse::Misuse;
pub use reading::Unsupported;
pub use shape::{Shape, Size, known, partly_known, read};
pub use signature::{Bounds, SignatureGoals};
pub use solutions::{Ground, Known};
