//! Types of whole programs in Relay's text format.
//!
//! Start at [`Program`]: [`Program::parse`] reads a text, [`Program::check`] infers the types of all that is in it, and
//! [`Typing`] has what was found: the type of each global, what has to hold for it, and what is wrong. `infer` is the
//! way through it; [`Search`] finds the programs of a type, and fills gaps; [`Builder`] makes programs
//! without a text; [`solve`] answers single equations, relations, kinds and matches.
//!
//! Operators are rules of a catalog: `nn.dense` is `relay::nn.dense` of the relations that are given. What they require
//! is stated in one graph, so that it runs in every direction. It opens no file and knows no operator by its name.

mod adts;
mod builder;
mod cases;
pub mod code;
mod groups;
mod infer;
mod kinds;
pub mod notation;
mod problem;
mod program;
pub mod search;
pub mod solve;
mod table;

pub use builder::Builder;
pub use kinds::Kind;
pub use problem::{ErrorKind, Problem};
pub use program::{Gap, Global, Program, Typing};
pub use search::{Found, Search};
