//! Every reading of a signature agrees with every other: the engine with brute force, its answers
//! with what they are answers to, the shortcut with the long way.
#![allow(clippy::unwrap_used, missing_docs)]

mod again;
mod einsum;
mod ground;
mod instance;
mod late;
mod one_node;
mod symbolic;
mod three_readings;

/// How many cases each property is tried on: `KANSHAPE_CASES`, or few enough for a quick run.
fn cases() -> u32 {
    std::env::var("KANSHAPE_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(64)
}

/// Are these the cases of CI? Then what is tried, and what is skipped, is the same each time.
fn are_usual() -> bool {
    let seed = std::env::var("PROPTEST_RNG_SEED");
    seed.is_ok_and(|seed| seed == "20261121") && std::env::var_os("KANSHAPE_CASES").is_none()
}
