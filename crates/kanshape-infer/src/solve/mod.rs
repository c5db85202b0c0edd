//! Queries: what is given, the rule, and the answers that follow.

pub(crate) mod answers;
pub(crate) mod calculate;
mod call;
mod example;
pub(crate) mod ground;
mod lookup;
mod never;
mod operator;
pub(crate) mod problem;
mod query;
mod relations;
mod signature;
pub(crate) mod subject;
pub(crate) mod template;
#[cfg(test)]
mod tests;
mod untied;
pub(crate) mod verdict;
pub(crate) mod warnings;

pub use answers::{Answers, Outcome};
pub use call::Call;
pub use example::{Example, Expected};
pub use operator::{Attribute, Formal, Operator, Places};
pub use query::Query;
pub use relations::{Relations, STANDARD};
pub use signature::Signature;
