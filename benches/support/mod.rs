//! What kanshape is measured against, and the clock.

#![allow(unreachable_pub)]

pub mod descent;
pub mod floor;
pub mod rows;
