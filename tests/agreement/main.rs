//! Every reading of a signature agrees with every other: the engine with brute force, its answers
//! with what they are answers to, the shortcut with the long way.
#![allow(clippy::unwrap_used, missing_docs)]

mod ground;
mod instance;
mod late;
mod symbolic;
mod three_readings;

/// How many cases each property is tried on: `KANSHAPE_CASES`, or few enough for a quick run.
fn cases() -> u32 {
    std::env::var("KANSHAPE_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(64)
}
