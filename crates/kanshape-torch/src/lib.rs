//! Calls of torch's operators with torch's own arguments, and programs that torch has exported.
//!
//! The operators are rules of the catalog, in the domain `aten`: tensors are operands there, and all else is an attribute of
//! its name. [`bind`] makes a call of such an operator of positional and named arguments as torch has them; in which order an
//! operator has its parameters is said by a table of the catalog ([`Schema`]), what they are by the operator itself.
//!
//! ```
//! use kanshape::catalog;
//! use kanshape_torch::{Value, bind, Schema};
//!
//! let schema = Schema::of("aten::cat").ok_or("it is an operator")?;
//! let cat = catalog().operator("aten::cat", None)?;
//! let tensors = ["f32[2, n]".parse()?, "i64[2, 3]".parse()?].map(Value::Tensor);
//! let args = vec![Value::List(tensors.into()), Value::Int(1)];
//! let call = bind(&cat, &schema, args, vec![])?;
//! let answer = cat.query(call)?.solve()?.next().ok_or("it fits")?;
//! assert_eq!(answer.outputs[0].to_string(), "f32[2, n + 3]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `program`, a program that `torch.export` has written becomes a model, which is checked and reported as one of
//! ONNX is (`program`).
//!
//! It knows no operator by its name, and opens no file.

mod bind;
pub mod code;
#[cfg(feature = "program")]
mod program;
mod schema;
mod value;

pub use bind::{all_overloads, bind, may_hold, overloads, resolve, words_for_sizes};
#[cfg(feature = "program")]
pub use program::{exported, is_archive};
pub use schema::{Parameter, Schema};
pub use value::{Value, is_scalar};
