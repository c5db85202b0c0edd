//! Signatures as relations: a query in, answers and a verdict out.
//!
//! A [`Signature`] is one line of text. A [`Query`] gives any subset of what it is about - inputs,
//! outputs, parameters, each as partly known as you like - and [`Answers`] is the stream of what
//! follows, the same object whatever was given. [`infer`] is the one call for the everyday case.
//!
//! The way through this crate: [`Signature`] is compiled ([`program`](self)), what is given becomes
//! variables and the rule becomes goals (`lower`), the engine refines and searches, and what it
//! ends with is written as types and conditions (`reify`). It does not know files, colours or the
//! command line.
//!
//! ```
//! use kanshape_infer::{Signature, Verdict};
//!
//! let add: Signature = "+(),()->()".parse()?;
//! let mut answers = add.query().inputs(["f32[n]".parse()?, "f32[3]".parse()?]).solve()?;
//! assert_eq!(answers.verdict(), Verdict::Depends);
//! let answer = answers.next().unwrap();
//! assert_eq!(answer.to_string(), "f32[n], f32[3] -> f32[3] where n in {1, 3}");
//! # Ok::<(), kanshape_diag::Diagnostic>(())
//! ```

mod answer;
mod answers;
mod attribute;
mod calculate;
pub mod code;
mod error;
mod example;
pub mod explain;
pub mod graph;
mod ground;
mod infer;
mod lower;
mod operator;
pub mod order;
mod prepared;
mod problem;
mod query;
mod reify;
mod relation;
#[cfg(feature = "serde")]
mod serial;
mod signature;
mod subject;
mod template;
mod verdict;

pub use answer::{Answer, Verdict};
pub use answers::Answers;
pub use attribute::AttrValue;
pub use example::{Example, Expected};
pub use explain::Conflict;
pub use infer::{Error, Refusal, infer};
pub use operator::{Attribute, Call, Formal, Operator, Places};
pub use prepared::Prepared;
pub use query::{DEFAULT_BUDGET, Query};
pub use relation::{
    Arg, Args, Impossible, Optional, Progress, Relations, RustRelation,
    STANDARD as STANDARD_RELATIONS, TensorArg,
};
pub use signature::Signature;
