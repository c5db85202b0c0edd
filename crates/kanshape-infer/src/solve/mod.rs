//! Queries: what is given, the rule, and the answers that follow.

pub(crate) mod answers;
pub(crate) mod calculate;
mod example;
mod ground;
mod lookup;
mod never;
mod operator;
mod problem;
mod query;
mod relations;
mod signature;
pub(crate) mod subject;
pub(crate) mod template;
pub(crate) mod verdict;
pub(crate) mod warnings;

pub use answers::Answers;
pub use example::{Example, Expected};
pub use operator::{Attribute, Call, Formal, Operator, Places};
pub use query::Query;
pub use relations::{Relations, STANDARD};
pub use signature::Signature;
