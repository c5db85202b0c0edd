//! Signatures as goals of canrun, against brute force and by hand.
#![allow(clippy::unwrap_used)]

mod agreement;
mod by_hand;
mod dtypes;
