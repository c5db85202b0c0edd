//! Rewrite rules of tensor operators in text, checked for all shapes: types, and values on small instances.
//!
//! A rule is two terms of operators and what has to hold for it. [`Rules`] reads them, and [`Rule::check`] says whether
//! the right side has the type of the left side wherever that has one; if not always, for which smallest inputs it
//! does not, and what the rule needs.
//!
//! The way through this crate: a rule compiles to steps (`program`), its goals and the types of its leaves to an
//! operator (`condition`). For each choice of ranks both sides are put into a graph with a name for every size
//! (`symbolic`), and where that does not decide, they are evaluated on numbers (`ground`). `check` puts the verdict
//! together, `needs` finds the weakest precondition. Whether both sides are the same numbers as well is found out by
//! `values`, which calculates them (`sides`). It knows no files and no models.
//!
//! ```
//! use kanshape_rewrite::{Rules, Sound};
//!
//! let rules = Rules::load_str(
//!     kanshape::catalog(),
//!     "mine.kan",
//!     "rule zero: Add(A, c) => A",
//! )?;
//! let soundness = rules.rule("zero")?.check();
//! assert_eq!(soundness.verdict, Sound::Depends);
//! assert_eq!(soundness.needs.unwrap(), ["BroadcastShapes(shape(c), shape(A), shape(A))"]);
//! # Ok::<(), kanshape::Diagnostic>(())
//! ```

// A diagnostic is large, and made once, when everything else has failed.
#![allow(clippy::result_large_err)]

mod apply;
mod check;
pub mod code;
mod condition;
#[cfg(feature = "onnx")]
mod cost;
mod definition;
mod enumerate;
#[cfg(feature = "onnx")]
mod extract;
mod family;
mod find;
mod goals;
mod ground;
mod instances;
mod judge;
mod made;
mod members;
#[cfg(feature = "onnx")]
mod model;
mod needs;
mod net;
mod precondition;
mod predicate;
mod program;
mod repair;
#[cfg(feature = "onnx")]
mod replay;
mod reshape;
mod rules;
mod set;
mod sides;
#[cfg(feature = "onnx")]
mod simplify;
mod soundness;
mod symbolic;
mod terms;
mod values;

#[cfg(feature = "onnx")]
pub use cost::{Cheaper, Compared, Cost, RuleCost};
pub use enumerate::{Enumerate, Enumerated};
#[cfg(feature = "onnx")]
pub use extract::extract;
pub use find::{Find, Finding, Found, Operand};
#[cfg(feature = "onnx")]
pub use model::{Place, Rewritten, rewrite};
pub use net::{Held, Match, Matches, Net, NetNode};
pub use predicate::Language;
pub use repair::Repair;
#[cfg(feature = "onnx")]
pub use replay::Sides;
pub use rules::{Rule, Rules};
pub use set::{Related, Relation, Set};
#[cfg(feature = "onnx")]
pub use simplify::{EVERYDAY, Simplified, simplify};
pub use soundness::{Agreement, Audit, Bounds, Case, CompleteUpTo, Sound, Soundness};
pub use values::Values;
