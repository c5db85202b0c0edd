//! What is found out of models, as JSON: a report (`json`, with `nodes`, `named` and `cost`), where a size comes from (`way`), what
//! differs between two (`diff`), and the models of all systems that are read (`read`). `select` is which parts of a report are wanted.

pub(crate) mod cost;
pub mod diff;
pub mod json;
mod named;
mod nodes;
mod read;
pub mod runs;
pub mod select;
pub mod short;
pub mod summary;
pub mod way;

pub use read::{is_module, read};
