//! ONNX models: read, typed as one graph, and written out with every type filled in.
//!
//! The way through this crate: bytes are fields (`wire`), fields are the messages of ONNX's schema (`proto`), and
//! these are a graph whose names are numbers (`symbols`, `graph`, `order`): a [`Model`]. [`check()`] puts it into the graph
//! engine node by node (`check`) and tells what comes of it: a [`Report`].
//!
//! It works on the public face of `kanshape` alone, and must not know how anything is solved, nor any operator but
//! those that have a body or are a constant. It opens no file.
//!
//! # How a model is read
//!
//! The wire format is that of the crate `buffa`, used without its generated messages: most of a model is names of
//! values, and a message for each node is a list for each node. Measured on a chain of 300,000 nodes in release
//! mode, reading all names and operators costs 64 ns a node like this, 145 ns with the borrowed messages of
//! `quick-protobuf`, and 240 ns with the owned ones of `prost`.

// A diagnostic is made once, where something fails.
#![allow(clippy::result_large_err)]

mod bodies;
mod cases;
mod check;
pub mod code;
mod compare;
mod cost;
mod declared;
mod dims;
mod edit;
mod exported;
mod graph;
mod model;
mod new;
mod nodes;
mod options;
mod order;
mod pairs;
mod problem;
mod proto;
mod report;
mod signature;
mod spec;
mod strict;
mod symbols;
mod way;
mod wire;
mod write;

pub use bodies::{Body, BodyNode};
pub use cases::{Case, cases};
pub use check::{check, for_each_name, why};
pub use compare::{Change, Difference, NodeText, OtherSize, Ports, Renaming, diff};
pub use cost::{ASSUMED_SIZE, Cost, Peak, cost, multiply_adds};
pub use declared::{Agreement, DeclaredType};
pub use edit::{Edit, edit};
pub use exported::{Assumed, Assumes, Exported, How};
pub use model::Model;
pub use new::{NewModel, NewNode, is_writable};
pub use nodes::{ModelNode, NodeAttr};
pub use options::{Data, InputDim, Options};
pub use problem::{Place, Problem};
pub use report::{FreeDim, OpenDim, Report, Required, Requirement, Said, Under, Untyped, When};
pub use signature::signature;
pub use spec::{BadAttr, GraphSpec, NodeSpec};
pub use way::{Cause, Spot, Step, Way};
pub use write::write;
