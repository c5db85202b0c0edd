//! The limits of rules, in one place: of reading them, of compiling them and of calculating with them. What is beyond one is
//! refused with a diagnostic, or left to the engine, and never a wrong answer.

// Kinds and types

/// Lists in lists of a kind.
pub(crate) const MAX_KIND_DEPTH: usize = 200;
/// Nesting of a type that is written into the engine; a deeper one is refused.
pub(crate) const MAX_TYPE_DEPTH: usize = 256;
/// Sizes with an identity in one query.
pub(crate) const MAX_IDENTITIES: usize = 1 << 20;
/// Steps for binding one open variable of a given type: more than enough.
pub(crate) const GIVEN_STEPS: u64 = 256;
/// Nesting of a type in a calculation; a deeper one is left to the engine, which puts it behind variables.
pub(crate) const MAX_VALUE_DEPTH: usize = 64;

// Compiling rules

/// Relations inlined inside of each other.
pub(crate) const MAX_INLINE_DEPTH: usize = 6;
/// Variables of a clause up to which more is inlined: they are made anew for each run.
pub(crate) const MAX_INLINE_SLOTS: usize = 128;
/// Clauses inlined in one clause: each of several may call several more.
pub(crate) const MAX_INLINE_CLAUSES: usize = 64;
/// Nesting of steps up to which calls are inlined.
pub(crate) const MAX_PLAN_DEPTH: usize = 24;
/// Dims of a run of fixed length that become a variable each.
pub(crate) const MAX_SPELLED_OUT: u64 = 8;
/// Clauses of one signature, which are the combinations of its optional dims and runs.
pub(crate) const MAX_VARIANTS: usize = 256;
/// Ranks copied while these are found.
pub(crate) const MAX_VARIANT_WORK: usize = 4_000_000;

// Calculation

/// Names of a query that are looked through one by one; more are indexed.
pub(crate) const FEW_NAMES: usize = 16;
/// Steps of one calculation; a longer one is left to the engine.
pub(crate) const MAX_EVAL_STEPS: u32 = 6_000;
/// Members up to which the buffers of a thread are kept for its next calculation.
pub(crate) const MAX_BUFFER: usize = 1 << 14;
/// Calls of relations inside of each other.
pub(crate) const MAX_CALL_DEPTH: u32 = 64;
/// Conditions that a calculation leaves open.
pub(crate) const MAX_RESIDUALS: usize = 64;
/// Schemes of one rule: one for each combination of ranks and dtypes.
pub(crate) const MAX_SCHEMES: usize = 8;
/// Sizes of a scheme's operands.
pub(crate) const MAX_SCHEME_SIZES: usize = 24;
/// Elements of a tensor whose contents are followed.
pub(crate) const MAX_CONTENTS: usize = 4096;
/// Boxes that are compared pairwise by a suppression of overlaps.
pub(crate) const MAX_BOXES: usize = 256;
/// Values of a number that a relation in Rust is shown as a list.
pub(crate) const MAX_LISTED_VALUES: u128 = 64;
