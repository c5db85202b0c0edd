//! Operators calculated on small arrays: a reference, naive and readable, that shares nothing with the engine which types them.
//!
//! [`evaluate`] calculates one call of an operator of ONNX. What an element is, is up to [`Scalars`]: [`Numbers`] calculates with
//! numbers, and whoever wants expressions instead of numbers implements the same trait; the operators are written once.
//!
//! Numbers are calculated as `f64`, `i64` and `bool`. Integers wrap around as those of their dtype do. Floats are rounded to
//! their dtype by `Cast` and by quantisation alone, so that two ways to calculate the same real number differ by little. What no executor
//! defines (a division of integers by 0, an index out of range, a float that no integer of the dtype is near) stops with [`Stop::Refused`], what is not written
//! here with [`Stop::Opaque`]. Arrays are bounded by [`MOST_ELEMENTS`], and work by [`MOST_WORK`].
//!
//! The types of outputs are not decided here: the catalog says them.
//!
//! ```
//! use kanshape_eval::{Array, Call, Number, Numbers, evaluate};
//! use kanshape_types::Dtype;
//!
//! let floats = |shape: &[usize], all: &[f64]| {
//!     let all = all.iter().map(|x| Number::Float(*x)).collect();
//!     Array::new(Dtype::F32, shape.to_vec(), all)
//! };
//! let a = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0])?;
//! let b = floats(&[2], &[10.0, 20.0])?;
//! let inputs = [Some(&a), Some(&b)];
//! let call = Call::new("MatMul", &inputs);
//! let sum = evaluate(&mut Numbers, &call)?;
//! assert_eq!(sum[0], floats(&[2], &[50.0, 110.0])?);
//! # Ok::<(), kanshape_eval::Stop>(())
//! ```

mod array;
mod call;
mod context;
mod evaluate;
mod functions;
mod number;
mod numbers;
mod ops;
mod scalars;
mod stop;

pub use array::{Array, MOST_ELEMENTS, MOST_WORK};
pub use call::{Attr, Call};
pub use evaluate::{covers, evaluate, is_elementwise};
pub use number::{Number, contains};
pub use numbers::Numbers;
pub use scalars::{Function, Scalars};
pub use stop::Stop;
