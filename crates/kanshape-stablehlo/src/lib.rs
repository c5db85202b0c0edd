//! Types of StableHLO's modules, in MLIR's text as JAX and others write them.
//!
//! Start at [`Program`]: [`Program::parse`] reads a text, and [`Program::check`] types its entry as one graph; [`Report`] has what was
//! found. `check` is the way through it: functions are typed where they are called, with what they are called with, so that sizes which
//! a program computes are followed into them.
//!
//! Operators are rules of a catalog: `stablehlo.add` is `stablehlo::add` of the relations that are given. It opens no file.
//!
//! ```
//! use kanshape_stablehlo::{Options, Program};
//!
//! let text = "func.func @main(%x: tensor<?x8xf32>, %w: tensor<?x4xf32>) -> tensor<?x4xf32> {
//!   %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
//!   return %0 : tensor<?x4xf32>
//! }";
//! let program = Program::parse("linear.mlir", text)?;
//! let inputs = vec!["f32[b, 8]".parse()?, "f32[k, 4]".parse()?];
//! let report = program.check(kanshape::catalog(), &Options { inputs: Some(inputs), ..Options::default() });
//! assert_eq!(report.outputs[0].to_string(), "f32[b, 4]");
//! assert_eq!(report.conditions[0].condition.to_string(), "k == 8");
//! # Ok::<(), kanshape::Diagnostic>(())
//! ```

mod attr;
mod check;
pub mod code;
mod model;
mod program;
mod refine;
mod report;
mod ty;

pub use model::is_module;
pub use program::{Options, Program};
pub use report::{Report, Requirement};
