//! Types as text, promotion tables as they are recorded, users' types.
#![allow(clippy::unwrap_used)]

mod print;
mod promotion;
mod text;
mod user;
