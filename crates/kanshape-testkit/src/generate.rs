//! Generators for property tests: signatures, what may be known of their solutions, and garbage.

mod garbage;
mod partial;
mod signature;

pub use garbage::{deep, garbage, spoilt, token_soup};
pub use partial::{partials, parts_of};
pub use signature::{Style, signature_texts, signatures, signatures_in};
