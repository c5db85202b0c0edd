//! What kanshape is measured against.

#![allow(unreachable_pub)]

pub mod descent;
pub mod floor;
