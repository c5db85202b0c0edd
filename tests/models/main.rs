//! Models, and what their values really are.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod bodies;
mod broken;
mod cases;
mod compared;
mod corrupted;
mod cut;
mod dynamic;
mod encode;
mod endless;
mod growth;
mod law;
mod line;
mod multi;
mod nested;
mod real;
mod record;
mod sequences;
mod spoiled;
mod survive;
mod written;
