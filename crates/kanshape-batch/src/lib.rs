//! Questions of kanshape as lines of JSON: a line in, a line out.
//!
//! [`Batch`] answers lines: what follows for a signature, an operator or a graph, what two types say of each other, whether a
//! rewrite rule keeps types, what a model comes to, what the catalog has. The command line reads lines from files and answers them on all cores;
//! the page in a browser answers one at a time. Both also use what lines are made of: a [question](question::Question) and its
//! [answers](reply), the JSON of [models](model), [rules](rule_json) and [types].
//!
//! It opens no file, starts no thread, and works where there is no clock but that of the embedder.
//!
//! ```
//! use kanshape_batch::{Batch, effort::Effort, loaded::Loaded, type_json::TypesAs};
//!
//! let batch = Batch::new(Loaded::default(), Effort::default(), TypesAs::Text);
//! let line = br#"{"signature":"(m,n),(n,p)->(m,p)","inputs":["f32[2,3]","f32[3,4]"]}"#;
//! let reply = batch.answer(line, 1, &mut batch.subjects());
//! assert!(String::from_utf8_lossy(&reply).contains(r#""outputs":["f32[2, 4]"]"#));
//! ```

// A diagnostic is made once, where something fails.
#![allow(clippy::result_large_err)]

pub mod answer_json;
pub mod answer_text;
pub mod catalog;
pub mod effort;
mod field;
pub mod find_json;
mod line;
pub mod loaded;
pub mod mistake;
pub mod model;
pub mod notation;
pub mod program_json;
pub mod question;
pub mod reply;
pub mod requested;
pub mod rule_json;
pub mod stablehlo_json;
pub mod type_json;
pub mod types;
mod why_json;

pub use line::{Batch, Subjects};
