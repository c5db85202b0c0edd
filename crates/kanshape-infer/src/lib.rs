//! Signatures as relations: a query in, answers and a verdict out.
//!
//! A [`Signature`] is one line of text. A [`Query`] gives any subset of what it is about - inputs,
//! outputs, parameters, each as partly known as you like - and [`Answers`] is the stream of what
//! follows, the same object whatever was given. [`infer`] is the one call for the everyday case.
//!
//! The way through this crate: a query is about a rule, which `kanshape-rules` has compiled; what it gives becomes terms of
//! the engine there, and the rule is calculated or becomes goals. Here the engine refines and searches (`solve`), and
//! the states that are found are written as types and conditions (`reify`). It does not know files, colours or the
//! command line.
//!
//! ```
//! use kanshape::{Signature, Verdict};
//!
//! let add: Signature = "+(),()->()".parse()?;
//! let mut answers = add.query().inputs(["f32[n]".parse()?, "f32[3]".parse()?]).solve()?;
//! assert_eq!(answers.verdict(), Verdict::Depends);
//! let answer = answers.next().unwrap();
//! assert_eq!(answer.to_string(), "f32[n], f32[3] -> f32[3] where n in {1, 3}");
//! # Ok::<(), kanshape::Diagnostic>(())
//! ```

mod call;
pub mod code;
mod conjunction;
mod examples;
pub mod explain;
pub mod graph;
mod infer;
mod limits;
pub mod order;
mod prepared;
mod reify;
mod sample;
#[cfg(feature = "serde")]
mod serial;
mod solve;
#[cfg(feature = "proptest")]
pub mod strategy;
#[cfg(feature = "ndarray")]
mod values;

/// Values: what a type contains, and what it filters.
pub mod value {
    #[cfg(feature = "ndarray")]
    pub use crate::values::Filter;
    pub use kanshape_types::value::*;
}

pub use call::{Operand, OperatorCall};
pub use examples::{CheckedExamples, FailedExample};
pub use explain::Conflict;
pub use infer::{Error, Refusal, Types, infer};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use kanshape_engine::set_clock;
pub use kanshape_engine::{Control, Moment};
pub use kanshape_rules::{
    Arg, Args, AttrValue, Impossible, Optional, Progress, RustRelation, TensorArg,
};
pub use limits::LIMITS;
pub use prepared::Prepared;
pub use reify::{Answer, Verdict};
pub use sample::{By, Choose};
pub use solve::{
    Answers, Attribute, Call, Example, Expected, Formal, Operator, Outcome, Places, Query,
    Relations, STANDARD as STANDARD_RELATIONS, Signature,
};
